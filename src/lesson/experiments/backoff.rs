//! Fifty workers that failed together, and how they come back.

use super::claim::{Claim, Expect, Expect::*};
use super::{Experiment, Task, Variant};
use crate::lesson::studies::retries;

/// What jitter is compared on, whatever the reader has chosen.
const EXPONENTIAL: (&str, &str) = ("backoff.kind", "exponential");

/// The ways to come back that the chapter compares; its studies have a series for each.
pub(in crate::lesson) const WAYS: &[Variant] = &[
    Variant { id: "none", given: &[("backoff.kind", "none")] },
    Variant { id: "exponential", given: &[EXPONENTIAL, ("backoff.jitter", "none")] },
    Variant { id: "equal", given: &[EXPONENTIAL, ("backoff.jitter", "equal")] },
    Variant { id: "full", given: &[EXPONENTIAL, ("backoff.jitter", "full")] },
    Variant { id: "decorrelated", given: &[EXPONENTIAL, ("backoff.jitter", "decorrelated")] },
];

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "backoff",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("job.count", "50"),
        ("workers.count", "50"),
        ("queue.max_attempts", "6"),
        ("vendor.slots", "5"),
        ("vendor.time", "200ms"),
        ("vendor.refusal_time", "20ms"),
        ("backoff.jitter", "none"),
        ("checkpoint", "none"),
        ("slice.think", "0s"),
        ("slice.write", "0s"),
        ("slice.ack", "0s"),
    ],
    ticket: &[],
    shows: &[
        "seed",
        "backoff.kind",
        "backoff.jitter",
        "backoff.base",
        "backoff.cap",
        "queue.max_attempts",
        "vendor.slots",
        "workers.count",
    ],
    asks: |facts| facts.count("dead").into(),
    variants: WAYS,
    studies: &[retries::RETRIES, retries::WAITS, retries::PEAK, retries::CAPACITY, retries::LAST],
    tasks: &[
        Task {
            id: "stampede",
            done: |facts| facts.is("backoff.kind", "none") && facts.count("dead") >= 40,
        },
        Task {
            id: "nobody-lost",
            done: |facts| {
                facts.is("vendor.slots", "5")
                    && facts.is("queue.max_attempts", "6")
                    && facts.is("job.count", "50")
                    && facts.is("workers.count", "50")
                    && facts.count("gave-back") > 0
                    && facts.verdict.ok
            },
        },
    ],
};

/// No limit that a run comes to.
const ENDLESS: (&str, &str) = ("queue.max_attempts", "4294967295");

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[("backoff.kind", "none")],
        expect: &[Count("called", 275), Count("dead", 45), Payments(5)],
        sometimes: "gave-back",
        broken_by: ("backoff.kind", "exponential"),
    },
    Claim {
        given: &[],
        expect: &[Count("called", 225), Count("dead", 20), Payments(30)],
        sometimes: "gave-back",
        broken_by: ("backoff.jitter", "full"),
    },
    Claim {
        given: &[("backoff.kind", "none"), ENDLESS],
        expect: &[Count("called", 2300), Count("dead", 0), Payments(50)],
        sometimes: "gave-back",
        broken_by: ("queue.max_attempts", "6"),
    },
    // A vendor that fails every call: the most retries in one 100 ms.
    Claim {
        given: &[],
        expect: &[
            peak("exponential", 5000),
            peak("equal", 1370),
            peak("full", 1090),
            peak("decorrelated", 630),
        ],
        sometimes: "gave-back.waits",
        broken_by: ("backoff.base", "10s"),
    },
    Claim {
        given: &[],
        expect: &[
            calls("none", 275),
            calls("exponential", 225),
            calls("full", 131),
            calls("equal", 135),
            calls("decorrelated", 105),
            dead("none", 45),
            dead("exponential", 20),
            dead("full", 0),
            dead("equal", 0),
            dead("decorrelated", 0),
        ],
        sometimes: "gave-back.waits",
        broken_by: ("vendor.slots", "3"),
    },
    // A vendor that is back after 60 s: the next doubling, or the cap, is how late one notices.
    Claim {
        given: &[],
        expect: &[
            last("exponential", CAPPED, 61, 62),
            last("exponential", UNCAPPED, 63, 64),
            last("full", CAPPED, 80, 90),
            last("full", UNCAPPED, 200, 300),
        ],
        sometimes: "gave-back.waits",
        broken_by: ("backoff.cap", "5s"),
    },
];

/// The mean of the peaks, to half a retry.
const fn peak(series: &'static str, hundredths: u64) -> Expect {
    InStudy { id: "peak", series, x: 50, from: hundredths - 50, to: hundredths + 50 }
}

/// The mean of the calls, to a twentieth.
const fn calls(series: &'static str, calls: u64) -> Expect {
    InStudy { id: "capacity", series, x: 0, from: calls * 95, to: calls * 105 }
}

const fn dead(series: &'static str, dead: u64) -> Expect {
    InStudy { id: "capacity", series, x: 1, from: dead * 100, to: dead * 100 }
}

const CAPPED: u64 = 0;
const UNCAPPED: u64 = 1;

/// The mean of the last wake, in seconds.
const fn last(series: &'static str, x: u64, from: u64, to: u64) -> Expect {
    InStudy { id: "last", series, x, from: from * 100_000, to: to * 100_000 }
}
