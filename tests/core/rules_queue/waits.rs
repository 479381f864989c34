//! Rules 16 to 18: messages that wait in the hands of a worker, and ids that are known for a while.

use super::{Case, FIFO, Given, case, codes, deliveries, paid, play};

const BATCH: Given = &[
    ("job.count", "10"),
    ("workers.count", "1"),
    ("workers.prefetch", "10"),
    ("slice.write", "5s"),
];
/// A countdown of 2 h inside the worker, with the broker's own lease of 1 h, acked late.
const COUNTDOWN: Given = &[
    ("broker", "celery-redis"),
    ("queue.ack", "after"),
    ("job.eta", "7200s"),
    ("workers.count", "3"),
];
const LEASE_OF_AN_HOUR: Given = &[("queue.visibility_timeout", "3600s")];
const SENT_AGAIN: Given = &[("job.resends", "299s 300s")];

pub(super) const CASES: &[Case] = &[
    case(16, "16-from-delivery", &[BATCH]),
    case(16, "16-from-start", &[BATCH, &[("queue.lease_from", "start")]]),
    case(17, "17-wrong-short-lease", &[COUNTDOWN, LEASE_OF_AN_HOUR]),
    case(
        17,
        "17-wrong-one-at-a-time",
        &[COUNTDOWN, LEASE_OF_AN_HOUR, &[("workers.prefetch", "1")]],
    ),
    case(17, "17-long-lease", &[COUNTDOWN, &[("queue.visibility_timeout", "7300s")]]),
    case(18, "18-five-minutes", &[FIFO, SENT_AGAIN]),
    case(18, "18-six-minutes", &[FIFO, SENT_AGAIN, &[("queue.dedup_window", "6m")]]),
    case(18, "18-wrong-none", &[SENT_AGAIN]),
];

/// Rule 16: the clock of a lease starts at the receive, not with the work.
#[test]
fn rule_16_what_waits_in_a_workers_hands_loses_its_lease() {
    let job = |number: usize| format!("job_{}", 16 + number);
    let session = play("16-from-delivery");
    for number in 1..=10 {
        let job = job(number);
        assert_eq!(deliveries(&session, &job)[0], "0s A #0", "one batch");
        let acks = codes(&session, &job, &["expired", "ack"]);
        let due = 5 * number;
        if number <= 6 {
            // The sixth ends exactly at its deadline, and that still counts.
            assert_eq!(acks, [format!("{due}s acked")], "{job}");
            assert_eq!(paid(&session, &job), 1, "{job}");
        } else {
            assert_eq!(
                acks[..2],
                ["30s expired.at-once".to_owned(), format!("{due}s ack-late.ignored")]
            );
            assert!(paid(&session, &job) > 1, "{job}");
        }
    }
}

/// Rule 16: where the clock starts with the work instead, nothing is lost.
#[test]
fn rule_16_a_lease_that_starts_with_the_work_does_not_end_before_it() {
    let session = play("16-from-start");
    assert_eq!(codes(&session, "", &["expired", "ack-late"]), [""; 0]);
    for number in 1..=10 {
        let job = format!("job_{}", 16 + number);
        assert_eq!(deliveries(&session, &job), ["0s A #0"]);
        assert_eq!(codes(&session, &job, &["ack"]), [format!("{}s acked", 5 * number)]);
        assert_eq!(paid(&session, &job), 1);
    }
}

/// Rule 17: a delay longer than the visibility timeout multiplies a job.
#[test]
fn rule_17_a_delay_longer_than_the_lease_multiplies_the_job() {
    for name in ["17-wrong-short-lease", "17-wrong-one-at-a-time"] {
        let session = play(name);
        let came = deliveries(&session, "job_17");
        let when: Vec<&str> = came.iter().filter_map(|it| it.split(' ').next()).collect();
        assert_eq!(when, ["0s", "3600s", "7200s"], "{name}");
        // All of them run from the moment when the job is due.
        let first = codes(&session, "", &["due"])[0].clone();
        assert_eq!((first.as_str(), paid(&session, "job_17")), ("7200s due", 3), "{name}");
    }
    let apart = codes(&play("17-wrong-one-at-a-time"), "", &["due", "wrote"]);
    assert_eq!(apart[..3], ["7200s due"; 3]);
    let long = play("17-long-lease");
    assert_eq!(
        codes(&long, "", &["leased", "due", "acked"]),
        ["0s leased", "7200s due", "7201s acked"]
    );
    assert_eq!(paid(&long, "job_17"), 1);
}

/// Rule 18: dedup on send is a window, not a property.
#[test]
fn rule_18_the_queue_knows_an_id_for_a_while() {
    let sending = ["sent", "acked", "dropped", "leased"];
    let session = play("18-five-minutes");
    let expected = [
        "0s sent",
        "0s leased",
        "1s acked",
        "299s dropped",
        "300s sent",
        "300s leased",
        "301s acked",
    ];
    assert_eq!(codes(&session, "", &sending), expected);
    assert_eq!(deliveries(&session, "job_17")[1], "300s B #0", "a new message");
    assert_eq!(paid(&session, "job_17"), 2);
    let longer = play("18-six-minutes");
    assert_eq!(codes(&longer, "", &sending)[3..], ["299s dropped", "300s dropped"]);
    assert_eq!(paid(&longer, "job_17"), 1);
    let none = play("18-wrong-none");
    assert_eq!(codes(&none, "", &["dropped"]), [""; 0]);
    assert_eq!(paid(&none, "job_17"), 3);
}
