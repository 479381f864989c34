//! Where the checkpoint is: before the effect it loses or doubles, after it it doubles, and only a
//! key that is chosen before makes its place harmless.

use super::claim::{Claim, Expect::*};
use super::{Experiment, Task, Variant};
use crate::lesson::studies::places;

/// The designs that the chapter compares; the matrix of outcomes has a row for each.
pub(in crate::lesson) const DESIGNS: &[Variant] = &[
    Variant { id: "before-skip", given: &[("checkpoint", "before-skip"), ("key", "stable")] },
    Variant { id: "before-mint", given: &[("checkpoint", "before-mint"), ("key", "stable")] },
    Variant { id: "after", given: &[("checkpoint", "after"), ("key", "none")] },
    Variant { id: "after-key", given: &[("checkpoint", "after"), ("key", "stable")] },
    Variant {
        id: "outbox",
        given: &[
            ("checkpoint", "after"),
            ("key", "stable"),
            ("effect", "outbox"),
            ("relay.dedup", "off"),
        ],
    },
];

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "checkpoint",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("checkpoint", "after"),
        ("key", "stable"),
        ("faults", "0:after-write"),
    ],
    ticket: &[("checkpoint", "before-skip"), ("faults", "0:before-call")],
    shows: &["checkpoint", "key", "effect", "faults", "queue.visibility_timeout", "relay.dedup"],
    asks: |facts| facts.verdict.vendor_rows.unwrap_or(0).into(),
    variants: DESIGNS,
    studies: &[places::PLACES],
    tasks: &[
        Task {
            id: "twice",
            done: |facts| facts.count("minted") > 0 && facts.verdict.vendor_rows >= Some(2),
        },
        Task {
            id: "once",
            done: |facts| {
                let crashed = facts.count("crashed") + facts.count("relay-crashed") > 0;
                let again = facts.count("answer.replayed") + facts.count("published.known") > 0;
                crashed && again && facts.verdict.ok
            },
        },
    ],
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[("checkpoint", "before-skip"), ("faults", "0:before-call")],
        expect: &[Payments(0), PaidCents(0), Ok(false), Count("crashed", 1), Count("dead", 0)],
        sometimes: "resumed",
        broken_by: ("checkpoint", "after"),
    },
    Claim {
        given: &[("checkpoint", "before-mint"), ("faults", "0:after-call")],
        expect: &[Payments(2), PaidCents(3998), Ok(false), Count("crashed", 1)],
        sometimes: "minted",
        broken_by: ("faults", "0:before-call"),
    },
    Claim {
        given: &[("checkpoint", "after"), ("key", "none"), ("faults", "0:after-write")],
        expect: &[Payments(2), PaidCents(3998), Ok(false), Count("crashed", 1)],
        sometimes: "paid.again",
        broken_by: ("faults", "0:after-checkpoint"),
    },
    Claim {
        given: &[("checkpoint", "after"), ("key", "stable"), ("faults", "0:after-write")],
        expect: &[Payments(1), PaidCents(1999), Ok(true), Count("crashed", 1)],
        sometimes: "answer.replayed",
        broken_by: ("key", "none"),
    },
    Claim {
        given: &[
            ("effect", "outbox"),
            ("key", "stable"),
            ("relay.dedup", "off"),
            ("faults", "0:relay-between"),
        ],
        expect: &[
            Payments(1),
            PaidCents(1999),
            Ok(true),
            Count("relay-crashed", 1),
            Count("published", 2),
        ],
        sometimes: "published.known",
        broken_by: ("relay.key", "send"),
    },
];
