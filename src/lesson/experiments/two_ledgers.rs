//! Two ledgers that cannot be written in one act: the vendor's, and ours.

use super::claim::{Claim, Expect::*};
use super::{Experiment, Task};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "two-ledgers",
    defaults: &[
        ("seed", "11"),
        ("effect", "vendor"),
        ("key", "none"),
        ("guard", "check-then-insert"),
        ("guard.at", "call"),
        ("faults", "0:after-call"),
    ],
    ticket: &[],
    shows: &[
        "key",
        "guard",
        "faults",
        "vendor.key_life",
        "vendor.test_clock",
        "queue.visibility_timeout",
        "queue.max_attempts",
    ],
    asks: |facts| facts.verdict.vendor_rows.unwrap_or(0).into(),
    variants: &[],
    studies: &[],
    tasks: &[
        Task {
            id: "agree",
            done: |facts| {
                facts.count("crashed") > 0
                    && facts.count("answer.replayed") > 0
                    && facts.verdict.ok
                    && facts.verdict.books_agree == Some(true)
            },
        },
        Task {
            id: "forgotten",
            done: |facts| {
                facts.is("key", "stable")
                    && facts.count("key-forgotten") > 0
                    && facts.count("paid.again") > 0
            },
        },
        Task {
            id: "read",
            done: |facts| {
                facts.count("key-forgotten") > 0
                    && facts.is("guard", "ask-the-vendor")
                    && facts.count("checked.found") > 0
                    && facts.verdict.ok
                    && facts.verdict.books_agree == Some(true)
            },
        },
    ],
};

const STABLE: (&str, &str) = ("key", "stable");
/// The lease ends after a day, and the message waits an hour more.
const AFTER_25_H: [(&str, &str); 6] = [
    ("queue.visibility_timeout", "1d"),
    ("queue.expiry_backoff", "on"),
    ("backoff.kind", "fixed"),
    ("backoff.base", "1h"),
    ("backoff.cap", "1h"),
    ("backoff.jitter", "none"),
];
const TEST_CLOCK: (&str, &str) = ("vendor.test_clock", "20s");

pub(super) const CLAIMS: &[Claim] = &[
    // Before anybody tries again.
    Claim {
        given: &[("queue.max_attempts", "1")],
        expect: &[Payments(1), LedgerRows(0), Count("dead", 1)],
        sometimes: "crashed",
        broken_by: ("queue.max_attempts", "5"),
    },
    Claim {
        given: &[],
        expect: &[Payments(2), LedgerRows(1), Ok(false)],
        sometimes: "checked.absent",
        broken_by: STABLE,
    },
    Claim {
        given: &[STABLE],
        expect: &[Payments(1), LedgerRows(1), Ok(true), Count("crashed", 1)],
        sometimes: "answer.replayed",
        broken_by: ("key", "none"),
    },
    Claim {
        given: &[
            STABLE,
            AFTER_25_H[0],
            AFTER_25_H[1],
            AFTER_25_H[2],
            AFTER_25_H[3],
            AFTER_25_H[4],
            AFTER_25_H[5],
        ],
        expect: &[Starts(&[0, 90_000_000]), Payments(2), LedgerRows(1), Ok(false)],
        sometimes: "key-forgotten",
        broken_by: ("vendor.key_life", "2d"),
    },
    // The same in a test that does not want to wait for a day.
    Claim {
        given: &[STABLE, TEST_CLOCK],
        expect: &[Starts(&[0, 30_000]), Payments(2), LedgerRows(1), Ok(false)],
        sometimes: "clock-moved",
        broken_by: ("vendor.test_clock", "0s"),
    },
    // The vendor's ledger outlives its keys, so a read of it decides.
    Claim {
        given: &[STABLE, TEST_CLOCK, ("guard", "ask-the-vendor")],
        expect: &[Payments(1), LedgerRows(1), Ok(true), Count("called", 1)],
        sometimes: "checked.found",
        broken_by: ("guard", "check-then-insert"),
    },
    // But a read is no key: two workers may read before either calls.
    Claim {
        given: &[
            STABLE,
            TEST_CLOCK,
            ("guard", "ask-the-vendor"),
            ("vendor", "none"),
            ("faults", "0:pause:before-call~45s 1:pause:before-call~20s"),
        ],
        expect: &[Payments(2), Ok(false), Count("checked.found", 0)],
        sometimes: "paused",
        broken_by: ("vendor", "ietf"),
    },
];
