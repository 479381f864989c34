//! A worker that comes to the end of a task leaves nothing of it in the calendar: neither heartbeats
//! nor a death that was meant for it reach the next. And what an ack after the lease comes to, and one
//! that a replica of the queue does not know of.

use crate::vendor_side::{moments, play, told};

/// One worker, two jobs that wait for it; a write into the ledger takes this long.
fn two_jobs(write: &str, more: &[(&str, &str)]) -> at_least_once::lesson::Session {
    let ground = [
        ("effect", "ledger"),
        ("job.count", "2"),
        ("workers.count", "1"),
        ("workers.restart", "0s"),
        ("slice.write", write),
    ];
    play(&[&ground[..], more].concat())
}

/// The first is done after 10 s, or dies then: its heartbeat at 12 s would be the second one's.
#[test]
fn heartbeats_end_with_their_task() {
    for faults in ["none", "0:after-write"] {
        let session = two_jobs("10s", &[("workers.heartbeat", "4s"), ("faults", faults)]);
        let beats = told(&session, "beat").into_iter().map(|(at, job, _)| (at, job));
        let of = |job: &str, at: [u64; 2]| at.map(|at| (at, job.to_owned()));
        let expected = [of("job_17", [4_000, 8_000]), of("job_18", [14_000, 18_000])].concat();
        assert_eq!(beats.take(4).collect::<Vec<_>>(), expected, "{faults}");
    }
}

/// Each job's first attempt is killed 12 s after its lease, unless it is over by then.
#[test]
fn a_death_ends_with_the_task_that_it_was_meant_for() {
    for (write, expected) in [("10s", &[][..]), ("15s", &[12_000, 24_000])] {
        let session = two_jobs(write, &[("faults", "0:crash@12s")]);
        assert_eq!(moments(&session, "crashed"), expected, "writes of {write}");
    }
}

/// The write takes longer than the lease. What the queue says to the ack at 40 s, which holds the
/// newest receipt, and whether the message is delivered again.
#[test]
fn an_ack_after_the_lease() {
    for (rule, told, again) in [
        ("newest-receipt", "deleted", false),
        ("delete", "deleted", false),
        ("refuse", "refused", true),
        ("ignore", "ignored", true),
    ] {
        let session = two_jobs("40s", &[("job.count", "1"), ("queue.late_ack", rule)]);
        let at_40_s = session.records().into_iter().filter(|it| it.at_us == 40_000_000);
        let at_40_s: Vec<_> = at_40_s.map(|it| (it.event, it.detail)).collect();
        let leased = ("leased", None);
        let mut expected = vec![("wrote", Some("first")), ("ack-late", Some(told))];
        expected.extend(again.then_some(leased));
        assert_eq!(at_40_s, expected, "{rule}");
    }
}

/// A replica's message is another copy, and is told so from its sending to its ack.
#[test]
fn the_second_message_of_a_job_is_told_by_its_number() {
    let session = two_jobs("1s", &[("job.count", "1"), ("faults", "0:replica")]);
    let told = session.records().into_iter().map(|it| (it.event, it.copy)).collect::<Vec<_>>();
    let first = ["sent", "leased", "wrote", "acked", "replica"].map(|event| (event, None));
    let second = ["sent", "leased", "already-written", "acked"].map(|event| (event, Some(1)));
    assert_eq!(told, [&first[..], &second].concat());
}
