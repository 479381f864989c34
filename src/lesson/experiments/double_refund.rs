//! The same job twice: a crash after the write, and a guard that catches the repeat.

use super::claim::{Claim, Expect::*};
use super::{Experiment, Task};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "double-refund",
    defaults: &[
        ("seed", "11"),
        ("guard", "on"),
        ("faults", "0:after-write 1:after-write"),
        ("queue.expiry_backoff", "on"),
    ],
    ticket: &[("guard", "off"), ("faults", "0:after-write")],
    shows: &[
        "seed",
        "guard",
        "faults",
        "queue.visibility_timeout",
        "backoff.base",
        "backoff.cap",
        "workers.count",
    ],
    asks: |facts| facts.verdict.ledger_rows.into(),
    variants: &[],
    studies: &[],
    tasks: &[
        Task {
            id: "second-crash",
            done: |facts| facts.crashes_after_write() >= 2 && facts.rows_of_a_job() >= 3,
        },
        Task {
            id: "guard-on",
            done: |facts| {
                facts.is("guard", "on") && facts.count("already-written") > 0 && facts.verdict.ok
            },
        },
    ],
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[("guard", "on")],
        expect: &[LedgerRows(1), PaidCents(1999), Ok(true)],
        sometimes: "crashed",
        broken_by: ("guard", "off"),
    },
    Claim {
        given: &[("guard", "off")],
        expect: &[LedgerRows(3), PaidCents(5997), Ok(false)],
        sometimes: "crashed",
        broken_by: ("faults", "0:after-write"),
    },
    Claim {
        given: &[("guard", "off"), ("faults", "0:after-write")],
        expect: &[LedgerRows(2), PaidCents(3998), Ok(false)],
        sometimes: "crashed",
        broken_by: ("faults", "0:after-checkpoint"),
    },
    Claim {
        given: &[("guard", "ask-the-model")],
        expect: &[LedgerRows(3), PaidCents(5997), Ok(false)],
        sometimes: "checked.absent",
        broken_by: ("guard", "on"),
    },
];
