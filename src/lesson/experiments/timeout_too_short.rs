//! A lease that ends while its worker is still at work: the same work is started again, and no
//! crash is needed.

use super::claim::{Claim, Expect::*};
use super::{Experiment, Task, Variant};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "timeout-too-short",
    defaults: &[
        ("seed", "11"),
        ("guard", "off"),
        ("queue.visibility_timeout", "10s"),
        ("queue.late_ack", "delete"),
        ("slice.think", "0s"),
        ("slice.write", "30s"),
        ("slice.ack", "0s"),
        ("checkpoint", "none"),
    ],
    ticket: &[],
    shows: &[
        "queue.visibility_timeout",
        "slice.write",
        "workers.heartbeat",
        "guard",
        "queue.late_ack",
        "workers.count",
    ],
    asks: |facts| facts.count("leased").into(),
    variants: &[
        Variant { id: "too-short", given: &[] },
        Variant { id: "long-enough", given: &[("queue.visibility_timeout", "1m")] },
        Variant { id: "heartbeat", given: &[("workers.heartbeat", "5s")] },
        Variant { id: "guarded", given: &[("guard", "on")] },
    ],
    studies: &[],
    tasks: &[
        Task {
            id: "one-start",
            done: |facts| {
                facts.count("beat.extended") > 0
                    && facts.starts().len() == 1
                    && facts.is("queue.visibility_timeout", "10s")
                    && facts.verdict.ok
            },
        },
        Task {
            id: "caught",
            done: |facts| {
                facts.count("crashed") == 0
                    && facts.count("already-written") >= 2
                    && facts.verdict.ok
            },
        },
    ],
};

/// No limit that a run comes to.
const ENDLESS: (&str, &str) = ("queue.max_attempts", "4294967295");
const THIRTY: (&str, &str) = ("queue.visibility_timeout", "30s");
const FORTY_FIVE: (&str, &str) = ("slice.write", "45s");
const LATE_BEAT: (&str, &str) = ("workers.heartbeat", "31s");

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[],
        expect: &[
            Starts(&[0, 10_000, 20_000]),
            LedgerRows(3),
            PaidCents(5997),
            Ok(false),
            Count("crashed", 0),
        ],
        sometimes: "ack-late.deleted",
        broken_by: ("queue.visibility_timeout", "1m"),
    },
    Claim {
        given: &[("guard", "on")],
        expect: &[Starts(&[0, 10_000, 20_000]), LedgerRows(1), PaidCents(1999), Ok(true)],
        sometimes: "already-written",
        broken_by: ("guard", "check-then-insert"),
    },
    Claim {
        given: &[("queue.late_ack", "newest-receipt"), ENDLESS],
        expect: &[StartsWithoutEnd(&[0, 10_000, 20_000, 30_000, 40_000, 50_000])],
        sometimes: "ack-late.ignored",
        broken_by: ("queue.late_ack", "delete"),
    },
    Claim {
        given: &[("workers.heartbeat", "5s")],
        expect: &[Starts(&[0]), LedgerRows(1), Ok(true)],
        sometimes: "beat.extended",
        broken_by: ("workers.heartbeat", "0s"),
    },
    Claim {
        given: &[LATE_BEAT, THIRTY, FORTY_FIVE],
        expect: &[Starts(&[0, 30_000]), LedgerRows(2), Ok(false)],
        sometimes: "beat.too-late",
        broken_by: ("workers.heartbeat", "15s"),
    },
    // The beat at 31 s takes nothing from the new holder: its lease ends at 60 s, as it would have.
    Claim {
        given: &[LATE_BEAT, THIRTY, FORTY_FIVE, ("queue.late_ack", "refuse"), ENDLESS],
        expect: &[StartsWithoutEnd(&[0, 30_000, 60_000, 90_000])],
        sometimes: "beat.too-late",
        broken_by: ("workers.heartbeat", "15s"),
    },
];
