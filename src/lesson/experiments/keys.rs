//! The idempotency key: one for each attempt is none, one for each job may be too few.

use super::claim::{Claim, Expect::*};
use super::{Experiment, Task, Variant};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "keys",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("key", "stable"),
        ("faults", "0:reply-lost 1:reply-lost"),
        ("client.timeout", "5s"),
    ],
    ticket: &[("key", "per-attempt")],
    shows: &[
        "seed",
        "key",
        "faults",
        "job.amount",
        "job.second_amount",
        "vendor",
        "client.timeout",
    ],
    asks: |facts| facts.verdict.vendor_rows.unwrap_or(0).into(),
    variants: &[
        Variant { id: "none", given: &[("key", "none")] },
        Variant { id: "per-attempt", given: &[("key", "per-attempt")] },
        Variant { id: "stable", given: &[("key", "stable")] },
        Variant {
            id: "job",
            given: &[("key", "job"), ("job.second_amount", "1999"), ("faults", "none")],
        },
    ],
    studies: &[],
    tasks: &[
        Task {
            id: "stable-key",
            done: |facts| {
                facts.count("no-answer") >= 2
                    && facts.count("answer.replayed") > 0
                    && facts.verdict.ok
            },
        },
        Task {
            id: "too-coarse",
            done: |facts| {
                facts.count("answer.replayed") > 0
                    && facts.verdict.paid_cents < facts.verdict.owed_cents
            },
        },
    ],
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[("key", "none")],
        expect: &[Payments(3), PaidCents(5997), Ok(false), Count("no-answer", 2)],
        sometimes: "paid.again",
        broken_by: ("key", "stable"),
    },
    Claim {
        given: &[("key", "per-attempt")],
        expect: &[Payments(3), PaidCents(5997), Ok(false), Count("no-answer", 2)],
        sometimes: "paid.again",
        broken_by: ("key", "stable"),
    },
    Claim {
        given: &[("key", "stable")],
        expect: &[
            Payments(1),
            PaidCents(1999),
            Ok(true),
            Count("called", 3),
            Count("no-answer", 2),
        ],
        sometimes: "answer.replayed",
        broken_by: ("vendor", "none"),
    },
    Claim {
        given: &[
            ("key", "job"),
            ("faults", "none"),
            ("job.amount", "100"),
            ("job.second_amount", "200"),
        ],
        expect: &[Payments(1), PaidCents(100), Ok(false), Count("dead", 1)],
        sometimes: "answer.refused",
        broken_by: ("key", "stable"),
    },
    Claim {
        given: &[
            ("key", "job"),
            ("faults", "none"),
            ("job.amount", "100"),
            ("job.second_amount", "100"),
        ],
        expect: &[Payments(1), PaidCents(100), Ok(false), Count("acked", 1)],
        sometimes: "answer.replayed",
        broken_by: ("key", "stable"),
    },
];
