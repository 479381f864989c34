//! A worker that comes to the end of a task leaves nothing of it in the calendar: neither heartbeats
//! nor a death that was meant for it reach the next.

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
