//! One database transaction around everything: what it cannot undo, and what it holds meanwhile.

use super::claim::{Claim, Expect, Expect::*};
use super::{Experiment, Task};
use crate::lesson::studies::pool;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "open-transaction",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("key", "none"),
        ("guard", "check-then-insert"),
        ("guard.at", "call"),
        ("transaction", "on"),
        ("pool", "5"),
        ("slice.think", "2s"),
        ("vendor.time", "3s"),
        ("faults", "0:after-call"),
    ],
    ticket: &[],
    shows: &[
        "transaction",
        "key",
        "pool",
        "job.count",
        "workers.count",
        "slice.think",
        "vendor.time",
        "queue.late_ack",
        "faults",
    ],
    asks: |facts| facts.verdict.vendor_rows.unwrap_or(0).into(),
    variants: &[],
    studies: &[pool::CONNECTIONS, pool::THROUGHPUT],
    tasks: &[
        Task {
            id: "paid-once",
            done: |facts| {
                facts.count("crashed") > 0
                    && facts.count("answer.replayed") > 0
                    && facts.verdict.ok
                    && facts.verdict.books_agree == Some(true)
            },
        },
        Task {
            id: "nobody-waits",
            done: |facts| {
                facts.is("transaction", "off")
                    && facts.is("pool", "5")
                    && facts.count("acked") >= 20
                    && facts.run.trace.end().as_micros() <= 40_000_000
                    && facts.verdict.ok
            },
        },
    ],
};

const STABLE: (&str, &str) = ("key", "stable");

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[],
        expect: &[Payments(2), LedgerRows(1), PaidCents(3998), Ok(false), Count("connected", 2)],
        sometimes: "connected",
        broken_by: STABLE,
    },
    Claim {
        given: &[STABLE],
        expect: &[Payments(1), LedgerRows(1), Ok(true)],
        sometimes: "answer.replayed",
        broken_by: ("key", "none"),
    },
    // A broker that delivers "exactly once" takes no late ack. It delivers again after a crash,
    // like any other.
    Claim {
        given: &[
            ("transaction", "off"),
            ("queue.late_ack", "refuse"),
            ("queue.visibility_timeout", "10s"),
        ],
        expect: &[Starts(&[0, 10_000]), Payments(2), LedgerRows(1), Ok(false)],
        sometimes: "crashed",
        broken_by: STABLE,
    },
    // Twenty jobs of 7 s with five connections.
    Claim {
        given: &[],
        expect: &[
            done("held", 7_000, 5),
            done("held", 14_000, 10),
            done("held", 28_000, 20),
            done("short", 7_000, 20),
            InStudy { id: "connections", series: "in-use", x: 0, from: 500, to: 500 },
            InStudy { id: "connections", series: "waiting", x: 0, from: 1500, to: 1500 },
            InStudy { id: "connections", series: "waiting", x: 21_000, from: 0, to: 0 },
        ],
        sometimes: "connected",
        broken_by: ("pool", "20"),
    },
];

/// How many jobs are done by then.
const fn done(series: &'static str, ms: u64, jobs: u64) -> Expect {
    InStudy { id: "throughput", series, x: ms, from: jobs * 100, to: jobs * 100 }
}
