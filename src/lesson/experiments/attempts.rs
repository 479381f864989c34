//! A job that fails every time: what counts its attempts, and what forgets the count.

use super::claim::{Claim, Expect::*};
use super::facts::Facts;
use super::{Experiment, Task};
use crate::sim::event::Event;
use crate::units::JobIndex;

/// The job that fails every time.
const POISON: JobIndex = JobIndex(0);

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "attempts",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("key", "stable"),
        ("faults", "0/*:answer-500"),
        ("job.count", "12"),
        ("job.arrivals", "every"),
        ("job.gap", "2s"),
        ("workers.count", "2"),
    ],
    ticket: &[("client.tries", "3")],
    shows: &[
        "queue.max_attempts",
        "client.tries",
        "retry.how",
        "faults",
        "workers.count",
        "backoff.base",
        "job.count",
        "seed",
    ],
    asks: |facts| calls_for_poison(facts).into(),
    variants: &[],
    studies: &[],
    tasks: &[
        Task {
            id: "one-layer",
            done: |facts| {
                facts.is("queue.max_attempts", "5")
                    && facts.is("faults", "0/*:answer-500")
                    && facts.count("dead") == 1
                    && calls_for_poison(facts) == 5
            },
        },
        Task {
            id: "forgotten",
            done: |facts| {
                facts.is_cut() && facts.count("sent-again") > 5 && facts.count("dead") == 0
            },
        },
    ],
};

/// How often the vendor is called for the job that fails every time.
fn calls_for_poison(facts: &Facts<'_>) -> u32 {
    let entries = facts.run.trace.entries().iter();
    let is_one = |event: &Event| matches!(event, Event::Called { by, .. } if by.job == POISON);
    entries.fold(0, |calls, entry| calls + u32::from(is_one(&entry.event)))
}

const ALONE: (&str, &str) = ("job.count", "1");

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[ALONE],
        expect: &[Count("leased", 5), Count("called", 5), Count("dead", 1), Payments(0)],
        sometimes: "gave-back.waits",
        broken_by: ("retry.how", "resend"),
    },
    // Two layers of retries multiply.
    Claim {
        given: &[ALONE, ("client.tries", "3")],
        expect: &[Count("leased", 5), Count("called", 15), Count("dead", 1), Payments(0)],
        sometimes: "gave-back.waits",
        broken_by: ("client.tries", "1"),
    },
    // A new message is a new count.
    Claim {
        given: &[ALONE, ("retry.how", "resend")],
        expect: &[
            StartsWithoutEnd(&[0, 2000, 4000, 6000, 8000, 10_000, 12_000, 14_000]),
            Count("dead", 0),
        ],
        sometimes: "sent-again",
        broken_by: ("retry.how", "nack"),
    },
    // Nobody else is held up: eleven are paid, and sixteen deliveries are eleven and five.
    Claim {
        given: &[],
        expect: &[Payments(11), Count("leased", 16), Count("dead", 1)],
        sometimes: "dead",
        broken_by: ("faults", "none"),
    },
    // A job that kills its worker is counted by its leases.
    Claim {
        given: &[ALONE, ("faults", "0/*:after-lease")],
        expect: &[
            Starts(&[0, 30_000, 60_000, 90_000, 120_000]),
            Count("crashed", 5),
            Count("dead", 1),
        ],
        sometimes: "expired.at-once",
        broken_by: ("queue.max_attempts", "3"),
    },
];
