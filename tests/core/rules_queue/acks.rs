//! Rules 5 and 6: what an ack does not promise.

use super::{Case, Given, NO_KEY, VENDOR, after, case, codes, deliveries, paid, places, play};

/// Job 17 is acked at second 5 and copied; A has another job then, and B polls at second 6.
const COPIED: Given =
    &[("job.count", "3"), ("slice.ack", "5s"), ("faults", "0/0:replica 1/0:pause:before-call~1s")];
const ACKED_TWICE: Given =
    &[("job.count", "2"), ("workers.count", "1"), ("faults", "0/0:ack-twice")];

pub(super) const CASES: &[Case] = &[
    case(5, "05-key", &[VENDOR, COPIED]),
    case(5, "05-wrong-no-key", &[VENDOR, COPIED, NO_KEY]),
    case(6, "06-newest-receipt", &[ACKED_TWICE]),
    case(6, "06-delete", &[ACKED_TWICE, &[("queue.late_ack", "delete")]]),
    case(6, "06-refuse", &[ACKED_TWICE, &[("queue.late_ack", "refuse")]]),
];

/// Rule 5: even an accepted ack may be followed by another delivery.
#[test]
fn rule_05_an_acked_message_may_come_once_more() {
    for (name, payments) in [("05-key", 1), ("05-wrong-no-key", 2)] {
        let session = play(name);
        let acks = ["0s paid.first", "5s acked", "5s replica"];
        assert_eq!(codes(&session, "job_17", &["paid", "acked", "replica"])[..3], acks, "{name}");
        let came: Vec<String> = deliveries(&session, "job_17");
        assert_eq!(came, ["0s A #0", "6s B #1"], "{name}");
        assert_eq!(paid(&session, "job_17"), payments, "{name}");
        assert_eq!(session.summary().verdict.ok, payments == 1, "{name}");
    }
    let answers = codes(&play("05-key"), "job_17", &["answer"]);
    assert_eq!(answers, ["0s answer.ran", "6s answer.replayed"]);
}

/// Rule 6: a second ack with the same receipt is a no-op.
#[test]
fn rule_06_a_second_ack_does_nothing() {
    for name in ["06-newest-receipt", "06-delete", "06-refuse"] {
        // One acked, one left, and nobody else's message touched.
        assert_eq!(places(&after(name, "ack-late.gone", 1)), [1, 0, 0, 1, 0], "{name}");
        let session = play(name);
        assert_eq!(codes(&session, "job_17", &["ack"]), ["1s acked", "1s ack-late.gone"], "{name}");
        assert_eq!(codes(&session, "job_18", &["ack"]), ["2s acked"], "{name}");
    }
}
