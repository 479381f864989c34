//! Rules 10 to 15: crashes, failures and lost acks, and what counts as an attempt.

use super::{Case, Given, NO_KEY, POISON, VENDOR, case, codes, deliveries, paid, play, play_with};
use at_least_once::sim::event::Event;
use at_least_once::sim::property::Property;

const LONG_LEASE: Given = &[("queue.visibility_timeout", "1800s"), ("slice.think", "3s")];
/// Given back at second 3, dead at second 4, given back again.
const THREE_ENDS: Given = &[
    ("queue.max_attempts", "3"),
    ("slice.think", "3s"),
    ("faults", "0:throw:before-write 1:crash@1s 2:throw:before-write"),
];
const THREE: Given = &[("queue.max_attempts", "3")];
const THROWS: Given = &[("slice.think", "1s"), ("faults", "*:throw:before-write")];
const DIES_ONCE: Given = &[("faults", "0:before-write")];
const ACK_LOST: Given = &[("slice.ack", "1s"), ("faults", "0:ack-lost")];

/// The first ack, before the work, gets lost.
const ACKS_FIRST: Given =
    &[("queue.ack", "before"), ("faults", "0:ack-lost"), ("slice.checkpoint", "0s")];

pub(super) const CASES: &[Case] = &[
    case(10, "10-crash", &[LONG_LEASE, &[("faults", "0:crash@1s")]]),
    case(10, "10-nack", &[LONG_LEASE, &[("faults", "0:throw:before-write")]]),
    case(11, "11-every-receive", &[THREE_ENDS]),
    case(11, "11-wrong-only-failures", &[THREE_ENDS, &[("queue.expiry_counts", "off")]]),
    case(12, "12-lazy", &[THREE, POISON]),
    case(12, "12-eager", &[THREE, POISON, &[("queue.dead_letter", "eager")]]),
    case(13, "13-wrong-resend", &[THREE, THROWS, &[("retry.how", "resend")]]),
    case(13, "13-nack", &[THREE, THROWS]),
    case(14, "14-wrong-ack-before", &[DIES_ONCE, &[("queue.ack", "before")]]),
    case(14, "14-ack-after", &[DIES_ONCE]),
    case(14, "14-ack-lost", &[ACKS_FIRST, &[("checkpoint", "after")]]),
    case(14, "14-ack-lost-skip", &[ACKS_FIRST, &[("checkpoint", "before-skip")]]),
    case(14, "14-ack-lost-mint", &[ACKS_FIRST, VENDOR, &[("checkpoint", "before-mint")]]),
    case(
        14,
        "14-ack-lost-second",
        &[
            ACKS_FIRST,
            &[("checkpoint", "after"), ("job.second_amount", "200")],
            &[("faults", "0:ack-lost 0:after-write")],
        ],
    ),
    case(15, "15-key", &[VENDOR, ACK_LOST]),
    case(15, "15-wrong-no-key", &[VENDOR, ACK_LOST, NO_KEY]),
];

/// Rule 10: a crash is no nack.
#[test]
fn rule_10_a_crash_leaves_the_message_hidden_to_its_deadline() {
    let crash = play("10-crash");
    assert_eq!(codes(&crash, "", &["crashed", "gave-back"]), ["1s crashed"]);
    assert_eq!(deliveries(&crash, "job_17"), ["0s A #0", "1800s B #1"]);
    let nack = play("10-nack");
    assert_eq!(codes(&nack, "", &["crashed", "gave-back"]), ["3s gave-back.at-once"]);
    assert_eq!(deliveries(&nack, "job_17"), ["0s A #0", "3s B #1"]);
}

/// Rule 11: every receive counts, also after a nack or a crash.
#[test]
fn rule_11_every_receive_counts() {
    let session = play("11-every-receive");
    let happened = codes(&session, "", &["gave-back", "crashed", "dead"]);
    let expected = ["3s gave-back.at-once", "4s crashed", "36s gave-back.at-once", "36s dead"];
    assert_eq!(happened, expected);
    assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "3s B #1", "33s A #2"]);
    // Where a crash does not count, there is a fourth.
    let more = play("11-wrong-only-failures");
    assert_eq!(deliveries(&more, "job_17").len(), 4);
}

/// Rule 12: a limit of N is N deliveries; the next poll moves the message.
#[test]
fn rule_12_a_limit_of_three_is_three_deliveries() {
    for name in ["12-lazy", "12-eager"] {
        let session = play(name);
        assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "30s B #1", "60s A #2"], "{name}");
        assert_eq!(codes(&session, "", &["dead"]), ["90s dead"], "{name}");
        let entries = session.run().trace.entries().iter();
        let counts = entries.filter_map(|entry| match entry.event {
            Event::Dead { attempts, .. } => Some(attempts),
            _ => None,
        });
        assert_eq!(counts.collect::<Vec<_>>(), [3], "{name}");
        for limit in 1..=6 {
            let session = play_with(name, &[("queue.max_attempts", &limit.to_string())]);
            assert_eq!(deliveries(&session, "job_17").len(), limit, "{name}");
        }
    }
}

/// Rule 13: the counter belongs to the job's message; a new message starts it again.
#[test]
fn rule_13_sending_again_resets_the_counter() {
    let session = play("13-wrong-resend");
    assert_eq!(session.summary().ended, "cut", "for ever");
    assert_eq!(codes(&session, "", &["dead"]), [""; 0]);
    let came = deliveries(&session, "job_17");
    assert!(came.len() > 1000);
    assert!(came.iter().all(|delivery| delivery.ends_with("#0")), "{:?}", &came[..4]);
    assert_eq!(codes(&session, "", &["sent-again"])[..2], ["1s sent-again", "2s sent-again"]);
    let nack = play("13-nack");
    assert_eq!(deliveries(&nack, "job_17").len(), 3);
    assert_eq!(codes(&nack, "", &["dead"]), ["3s dead"]);
}

/// Rule 14: an ack before the work is "at most once".
#[test]
fn rule_14_an_ack_before_the_work_loses_it() {
    let session = play("14-wrong-ack-before");
    assert_eq!(codes(&session, "", &["acked", "crashed"]), ["0s acked", "0s crashed"]);
    assert_eq!(deliveries(&session, "job_17"), ["0s A #0"]);
    assert_eq!(paid(&session, "job_17"), 0);
    assert_eq!(session.summary().ended, "done");
    assert!(session.run().broken.iter().any(|it| it.property == Property::NotLost));
    let after = play("14-ack-after");
    assert_eq!(deliveries(&after, "job_17"), ["0s A #0", "30s B #1"]);
    assert_eq!(paid(&after, "job_17"), 1);
}

/// Rule 14, where the early ack gets lost: the next delivery acks first too, and then goes on
/// behind what is done.
#[test]
fn rule_14_a_redelivery_acks_first_and_then_goes_on_behind_its_checkpoint() {
    for (name, after) in [("14-ack-lost", "resumed"), ("14-ack-lost-skip", "resumed")] {
        let session = play(name);
        let happened =
            codes(&session, "", &["ack", "expired", "resumed", "thought", "wrote", "dead"]);
        let expected = ["0s ack-lost", "1s wrote.first", "30s expired.at-once", "30s acked"];
        assert_eq!(happened[..4], expected, "{name}");
        assert_eq!(happened[4..], [format!("30s {after}")], "{name}");
        assert!(session.summary().verdict.ok, "{name}");
        let attempts = session.report(usize::MAX).attempts;
        assert!(attempts.iter().all(|it| it.ended.is_some()), "{name}");
    }
    // Minted anew, the work is done once more, and that is all.
    let mint = play("14-ack-lost-mint");
    assert_eq!(codes(&mint, "", &["ack", "minted"]), ["0s ack-lost", "30s acked", "30s minted"]);
    assert_eq!((paid(&mint, "job_17"), deliveries(&mint, "job_17").len()), (2, 2));
    // Dead behind the first refund of two: the second is made by the next delivery.
    let second = play("14-ack-lost-second");
    assert_eq!(codes(&second, "", &["acked", "dead"]), ["30s acked"]);
    assert_eq!(paid(&second, "job_17"), 3, "the first refund had no checkpoint yet");
}

/// Rule 15: a lost ack is a redelivery of finished work.
#[test]
fn rule_15_a_lost_ack_brings_finished_work_back() {
    for (name, payments) in [("15-key", 1), ("15-wrong-no-key", 2)] {
        let session = play(name);
        let happened = codes(&session, "", &["paid.first", "ack"]);
        assert_eq!(happened, ["0s paid.first", "1s ack-lost", "31s acked"], "{name}");
        assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "30s B #1"], "{name}");
        assert_eq!(paid(&session, "job_17"), payments, "{name}");
    }
}
