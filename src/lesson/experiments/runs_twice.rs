//! What a replay does to each kind of tool, and the five tests that a consumer of a queue needs.

use super::claim::{Claim, Expect, Expect::*};
use super::{Experiment, Task};
use crate::lesson::studies::{checks, replays};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "runs-twice",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("key", "none"),
        ("guard", "ask-the-model"),
        ("guard.at", "call"),
        ("checkpoint", "none"),
        ("faults", "0:after-call"),
    ],
    ticket: &[("retry.how", "resend")],
    shows: &[
        "key",
        "guard",
        "guard.at",
        "retry.how",
        "faults",
        "vendor",
        "queue.max_attempts",
        "seed",
    ],
    asks: |facts| facts.verdict.vendor_rows.unwrap_or(0).into(),
    variants: &[],
    studies: &[replays::REPLAYS, checks::CHECKS],
    tasks: &[
        Task {
            id: "once",
            done: |facts| {
                facts.is("guard", "ask-the-model")
                    && facts.count("crashed") > 0
                    && facts.count("answer.replayed") > 0
                    && facts.verdict.ok
            },
        },
        Task { id: "all-green", done: |facts| checks::all_hold(facts.settings) },
    ],
};

const STABLE: (&str, &str) = ("key", "stable");

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[],
        expect: &[Payments(2), Ok(false), Count("checked.absent", 2), Count("checked.found", 0)],
        sometimes: "checked.absent",
        broken_by: STABLE,
    },
    Claim {
        given: &[],
        expect: &[
            check(0, false),
            check(1, false),
            check(2, false),
            check(3, false),
            check(4, true),
        ],
        sometimes: "checked.absent",
        broken_by: STABLE,
    },
    Claim {
        given: &[STABLE],
        expect: &[check(0, true), check(1, true), check(2, true), check(3, true), check(4, true)],
        sometimes: "answer.replayed",
        broken_by: ("key", "per-attempt"),
    },
    Claim {
        given: &[STABLE, ("retry.how", "resend")],
        expect: &[check(0, true), check(1, true), check(2, true), check(3, true), check(4, false)],
        sometimes: "crashed",
        broken_by: ("retry.how", "nack"),
    },
    Claim {
        given: &[],
        expect: &[
            without("refund", 2),
            with("refund", 1),
            without("email", 2),
            with("email", 2),
            without("balance", 0),
            with("balance", 0),
            without("stock", 2),
            with("stock", 1),
            without("chat", 2),
            with("chat", 1),
        ],
        sometimes: "crashed",
        broken_by: ("queue.max_attempts", "1"),
    },
];

const fn check(place: u64, holds: bool) -> Expect {
    let value = holds as u64 * 100;
    InStudy { id: "checks", series: "holds", x: place, from: value, to: value }
}

/// How often a tool has taken effect after a replay.
const fn without(tool: &'static str, times: u64) -> Expect {
    InStudy { id: "replays", series: tool, x: 1, from: times * 100, to: times * 100 }
}

const fn with(tool: &'static str, times: u64) -> Expect {
    InStudy { id: "replays", series: tool, x: 3, from: times * 100, to: times * 100 }
}
