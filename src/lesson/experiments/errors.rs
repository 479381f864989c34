//! What an answer means: yes, no, not now, or nothing at all.

use super::claim::{Claim, Expect::*};
use super::{Experiment, Task};
use crate::lesson::studies::answers;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "errors",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("key", "stable"),
        ("faults", "0:answer-503 1:answer-503"),
        ("client.timeout", "5s"),
    ],
    ticket: &[("faults", "*:answer-400"), ("retry.on_4xx", "retry")],
    shows: &[
        "faults",
        "retry.on_4xx",
        "retry.on_no_answer",
        "key",
        "client.timeout",
        "vendor.time",
        "queue.max_attempts",
        "seed",
    ],
    asks: |facts| facts.count("called").into(),
    variants: &[],
    studies: &[answers::ANSWERS],
    tasks: &[
        Task {
            id: "no-is-no",
            done: |facts| {
                facts.count("called") == 1
                    && facts.count("answer.refused") == 1
                    && facts.count("failed.status") == 1
            },
        },
        Task {
            id: "not-now",
            done: |facts| {
                facts.count("called") == 3 && facts.count("answer.refused") == 2 && facts.verdict.ok
            },
        },
        Task {
            id: "silence",
            done: |facts| {
                facts.count("no-answer") > 0
                    && facts.count("answer.replayed") > 0
                    && facts.verdict.ok
            },
        },
    ],
};

/// No limit that a run comes to.
const ENDLESS: (&str, &str) = ("queue.max_attempts", "4294967295");
const BAD_REQUEST: (&str, &str) = ("faults", "*:answer-400");
const TRIED_AGAIN: (&str, &str) = ("retry.on_4xx", "retry");
const REPLY_LOST: (&str, &str) = ("faults", "0:reply-lost");
const FIXED: (&str, &str) = ("backoff.kind", "fixed");
const SAME_FOR_ALL: (&str, &str) = ("backoff.jitter", "none");

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[],
        expect: &[Count("called", 3), Payments(1), LedgerRows(1), Ok(true), Count("dead", 0)],
        sometimes: "answer.refused",
        broken_by: ("faults", "0:answer-503"),
    },
    Claim {
        given: &[BAD_REQUEST],
        expect: &[Count("called", 1), Count("leased", 1), Count("dead", 1), Payments(0)],
        sometimes: "failed.status",
        broken_by: TRIED_AGAIN,
    },
    Claim {
        given: &[BAD_REQUEST, TRIED_AGAIN],
        expect: &[Count("called", 5), Count("leased", 5), Count("dead", 1), Payments(0)],
        sometimes: "gave-back.waits",
        broken_by: ("retry.on_4xx", "final"),
    },
    Claim {
        given: &[BAD_REQUEST, TRIED_AGAIN, ENDLESS, FIXED, ("backoff.base", "9s"), SAME_FOR_ALL],
        expect: &[
            StartsWithoutEnd(&[0, 10_000, 20_000, 30_000, 40_000, 50_000]),
            Count("dead", 0),
            Payments(0),
        ],
        sometimes: "gave-back.waits",
        broken_by: ("retry.on_4xx", "final"),
    },
    Claim {
        given: &[("faults", "0:answer-429")],
        expect: &[Count("called", 2), Payments(1), Ok(true), Count("dead", 0)],
        sometimes: "answer.refused",
        broken_by: ("faults", "0:answer-402"),
    },
    // The worker has stopped waiting, the vendor has not stopped working: a 409 that means "soon".
    Claim {
        given: &[
            ("faults", "none"),
            ("vendor.time", "8s"),
            FIXED,
            ("backoff.base", "1s"),
            SAME_FOR_ALL,
        ],
        expect: &[
            Count("called", 3),
            Count("no-answer", 1),
            Count("answer.refused", 1),
            Payments(1),
            Ok(true),
        ],
        sometimes: "answer.replayed",
        broken_by: ("client.timeout", "10s"),
    },
    Claim {
        given: &[REPLY_LOST],
        expect: &[Count("called", 2), Payments(1), LedgerRows(1), Ok(true)],
        sometimes: "no-answer",
        broken_by: ("key", "per-attempt"),
    },
    Claim {
        given: &[REPLY_LOST, ("key", "per-attempt")],
        expect: &[Count("called", 2), Payments(2), Ok(false)],
        sometimes: "paid.again",
        broken_by: ("key", "stable"),
    },
    // Silence taken for a no: paid, and in the books as failed.
    Claim {
        given: &[REPLY_LOST, ("retry.on_no_answer", "final")],
        expect: &[Count("called", 1), Payments(1), LedgerRows(0), Count("dead", 1)],
        sometimes: "failed.no-answer",
        broken_by: ("retry.on_no_answer", "retry"),
    },
];
