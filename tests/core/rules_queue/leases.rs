//! Rules 1 to 4: a lease, its end, and the acks that come too late for it.

use super::{ALONE, BULLMQ, Case, FIFO, Given, after, case, codes, deliveries, paid, places, play};

/// A has job 17 from second 0 and takes 30 s; B is done with job 18 at second 29.
const B_POLLS_AT_29: Given =
    &[("job.count", "2"), ("slice.write", "29s"), ("faults", "0/0:pause:before-write~1s")];
/// A dies with job 17 at second 0; B is done with job 18 at second 30.
const B_POLLS_AT_30: Given =
    &[("job.count", "2"), ("slice.write", "30s"), ("faults", "0/0:before-write")];
/// A is slow with job 17 from second 0; B has job 18 from second 1 to 31, takes job 17 and dies.
const STOLEN: Given = &[
    ("job.count", "2"),
    ("job.arrivals", "every"),
    ("job.gap", "1s"),
    ("slice.write", "30s"),
    ("faults", "0/0:pause:before-write~2s 0/1:before-write"),
];

/// B stays away, so that the message is ready when A wakes up.
const NOBODY_THERE: Given =
    &[("faults", "0/0:pause:before-write~40s 0/1:before-write"), ("workers.restart", "60s")];

pub(super) const CASES: &[Case] = &[
    case(1, "01-lease", &[B_POLLS_AT_29]),
    case(1, "01-wrong-lease-of-29s", &[B_POLLS_AT_29, &[("queue.visibility_timeout", "29s")]]),
    case(2, "02-at-the-deadline", &[B_POLLS_AT_30]),
    case(2, "02-just-before", &[B_POLLS_AT_30, &[("slice.write", "29999999us")]]),
    case(3, "03-newest-receipt", &[STOLEN]),
    case(3, "03-refuse", &[STOLEN, &[("queue.late_ack", "refuse")]]),
    case(3, "03-ready", &[STOLEN, NOBODY_THERE]),
    case(3, "03-wrong-by-message", &[STOLEN, &[("queue.late_ack", "delete")]]),
    case(4, "04-standard", &[&[("broker", "standard")], ALONE]),
    case(4, "04-fifo", &[FIFO, ALONE]),
    case(4, "04-exactly-once", &[&[("broker", "exactly-once")], ALONE]),
    case(4, "04-bullmq", &[BULLMQ, ALONE, &[("workers.heartbeat", "0s")]]),
];

/// Rule 1: a leased message is invisible until its deadline.
#[test]
fn rule_01_a_leased_message_is_invisible_until_its_deadline() {
    let session = play("01-lease");
    assert_eq!(codes(&session, "job_18", &["acked"]), ["29s acked"], "B polls from 29 s on");
    assert_eq!(deliveries(&session, "job_17"), ["0s A #0"]);
    assert_eq!(codes(&session, "job_17", &["acked"]), ["30s acked"]);
    assert_eq!(paid(&session, "job_17"), 1);
    // The same second with a lease that ends in it: two holders, and no fault is needed.
    let short = play("01-wrong-lease-of-29s");
    assert_eq!(deliveries(&short, "job_17"), ["0s A #0", "29s B #1"]);
    assert_eq!(codes(&short, "", &["crashed"]), [""; 0]);
    assert_eq!(paid(&short, "job_17"), 2);
}

/// Rule 2: a lease is half-open; the redelivery is the next attempt, with a new receipt.
#[test]
fn rule_02_a_lease_ends_at_its_deadline_and_the_next_has_a_new_receipt() {
    let session = play("02-at-the-deadline");
    assert_eq!(codes(&session, "job_17", &["crashed"]), ["0s crashed"]);
    assert_eq!(codes(&session, "job_18", &["acked"]), ["30s acked"], "B polls at 30 s");
    assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "30s A #1"]);
    let records = session.records().into_iter();
    let leased = records
        .filter(|it| it.event == "leased" && it.job_id.as_deref() == Some("job_17"))
        .map(|it| (it.receipt, it.deadline_us));
    let expected = [(Some(1), Some(30_000_000)), (Some(2), Some(60_000_000))];
    assert_eq!(leased.collect::<Vec<_>>(), expected);
    // One in flight, not two; job 18 is acked.
    assert_eq!(places(&after("02-at-the-deadline", "leased", 3)), [0, 1, 0, 1, 0]);
    // A poll a microsecond before gets nothing.
    let before = play("02-just-before");
    assert_eq!(codes(&before, "job_18", &["acked"]), ["29999999us acked"]);
    assert_eq!(deliveries(&before, "job_17")[1].split(' ').next(), Some("30s"));
}

/// Rule 3: only the newest receipt acks.
#[test]
fn rule_03_only_the_newest_receipt_acks() {
    for (name, ack) in [("03-newest-receipt", "ignored"), ("03-refuse", "refused")] {
        let session = play(name);
        assert_eq!(codes(&session, "job_17", &["ack"])[0], format!("32s ack-late.{ack}"));
        assert_eq!(codes(&session, "job_17", &["crashed"]), ["31s crashed"]);
        assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "31s B #1", "61s A #2"], "{name}");
    }
    // Nor does the older receipt ack a message that is back in the queue.
    let ready = play("03-ready");
    let expected = ["30s expired.at-once", "61s expired.at-once", "70s ack-late.ignored"];
    assert_eq!(codes(&ready, "job_17", &["expired", "ack"])[..3], expected);
    assert_eq!(deliveries(&ready, "job_17"), ["0s A #0", "31s B #1", "70s A #2"]);
    // By message id, A's ack deletes what B has in hand, and nothing comes after B's death.
    let gone = play("03-wrong-by-message");
    assert_eq!(codes(&gone, "job_17", &["ack"]), ["32s ack-late.deleted"]);
    assert_eq!(deliveries(&gone, "job_17"), ["0s A #0", "31s B #1"]);
}

/// Rule 4: what a late ack does with nobody else there, the profile decides.
#[test]
fn rule_04_a_late_ack_with_nobody_else_is_the_profiles_business() {
    let standard = play("04-standard");
    assert_eq!(
        codes(&standard, "", &["expired", "ack"]),
        ["30s expired.at-once", "31s ack-late.deleted"]
    );
    assert_eq!(deliveries(&standard, "job_17"), ["0s A #0"]);
    for name in ["04-fifo", "04-exactly-once"] {
        let session = play(name);
        let expected = ["30s expired.at-once", "31s ack-late.refused", "32s acked"];
        assert_eq!(codes(&session, "", &["expired", "ack"]), expected, "{name}");
        assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "31s A #1"], "{name}");
    }
    // The lock is gone at once, and the message comes back with the second check.
    let bullmq = play("04-bullmq");
    let expected = ["30s expired.waits", "31s ack-late.refused", "61s acked"];
    assert_eq!(codes(&bullmq, "", &["expired", "ack"]), expected);
    assert_eq!(deliveries(&bullmq, "job_17"), ["0s A #0", "60s A #1"]);
}
