//! A deploy under four workers that are busy: kill them, or let them finish.

use super::claim::{Claim, Expect, Expect::*};
use super::{Experiment, Task, Variant};
use crate::lesson::studies::storm;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "drain",
    defaults: &[
        ("seed", "11"),
        ("job.count", "4"),
        ("job.arrivals", "every"),
        ("workers.count", "4"),
        ("slice.write", "15s"),
        ("deploy.at", "10s"),
    ],
    ticket: &[],
    shows: &[
        "deploy.kind",
        "deploy.stop",
        "deploy.grace",
        "deploy.at",
        "queue.visibility_timeout",
        "workers.heartbeat",
        "slice.write",
        "guard",
    ],
    asks: |facts| facts.verdict.redeliveries.into(),
    variants: &[
        Variant { id: "kill", given: &[] },
        Variant { id: "drain", given: &[DRAIN] },
        Variant { id: "checkpoint", given: &[DRAIN, AT_CHECKPOINT] },
        Variant { id: "grace", given: &[DRAIN, SHORT_GRACE] },
    ],
    studies: &[storm::STORM, storm::PEAK],
    tasks: &[
        Task {
            id: "nobody-again",
            done: |facts| {
                facts.count("deployed.drain") == 1
                    && facts.count("stopped") >= 4
                    && facts.verdict.redeliveries == 0
                    && facts.verdict.ok
            },
        },
        Task {
            id: "resumed",
            done: |facts| {
                facts.count("deployed.drain") == 1
                    && facts.count("resumed") >= 4
                    && facts.count("thought") == 4
                    && facts.count("wrote") == 4
                    && facts.verdict.ok
            },
        },
    ],
};

const DRAIN: (&str, &str) = ("deploy.kind", "drain");
const AT_CHECKPOINT: (&str, &str) = ("deploy.stop", "checkpoint");
const SHORT_GRACE: (&str, &str) = ("deploy.grace", "3s");
const SHORT_LEASE: (&str, &str) = ("queue.visibility_timeout", "12s");
const FIVE: (&str, &str) = ("workers.count", "5");
const UNGUARDED: (&str, &str) = ("guard", "off");

pub(super) const CLAIMS: &[Claim] = &[
    // Each comes back at the end of its lease, and has spent an attempt.
    Claim {
        given: &[],
        expect: &[
            Starts(&[0, 1000, 2000, 3000, 30_000, 31_000, 32_000, 33_000]),
            Count("crashed", 4),
            Count("expired", 4),
            LedgerRows(4),
            Ok(true),
        ],
        sometimes: "deployed.kill",
        broken_by: DRAIN,
    },
    Claim {
        given: &[DRAIN],
        expect: &[
            Starts(&[0, 1000, 2000, 3000]),
            Count("crashed", 0),
            Count("stopped", 4),
            LedgerRows(4),
            Ok(true),
        ],
        sometimes: "deployed.drain",
        broken_by: ("deploy.kind", "kill"),
    },
    // A drain waits for work that is longer than its lease; the queue does not. A fifth worker is
    // idle at the deploy, and back before the others are done.
    Claim {
        given: &[DRAIN, SHORT_LEASE, FIVE, UNGUARDED],
        expect: &[Ok(false), Count("crashed", 0)],
        sometimes: "wrote.again",
        broken_by: ("workers.heartbeat", "4s"),
    },
    Claim {
        given: &[DRAIN, SHORT_LEASE, FIVE, UNGUARDED, ("workers.heartbeat", "4s")],
        expect: &[Starts(&[0, 1000, 2000, 3000]), Count("expired", 0), LedgerRows(4), Ok(true)],
        sometimes: "beat.extended",
        broken_by: ("workers.heartbeat", "0s"),
    },
    // Delivered again, and yet no step is done twice.
    Claim {
        given: &[DRAIN, AT_CHECKPOINT, UNGUARDED],
        expect: &[
            Count("leased", 8),
            Count("resumed", 4),
            Count("thought", 4),
            LedgerRows(4),
            Ok(true),
        ],
        sometimes: "gave-back.at-once",
        broken_by: ("deploy.stop", "ack"),
    },
    Claim {
        given: &[DRAIN, SHORT_GRACE],
        expect: &[
            Starts(&[0, 1000, 2000, 3000, 30_000, 31_000, 32_000, 33_000]),
            Count("crashed", 4),
        ],
        sometimes: "grace-ended",
        broken_by: ("deploy.grace", "12s"),
    },
    // Forty workers: how many calls are made again in one 100 ms.
    Claim {
        given: &[],
        expect: &[peak("kill", 4000, 4000), peak("grace", 4000, 4000), peak("drain", 0, 0)],
        sometimes: "crashed",
        broken_by: ("queue.max_attempts", "1"),
    },
];

/// The mean of the peaks, in hundredths.
const fn peak(series: &'static str, from: u64, to: u64) -> Expect {
    InStudy { id: "peak", series, x: 40, from, to }
}
