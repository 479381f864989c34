//! A lease that outlives its worker: nobody tries again, and the queue says "in flight".

use super::claim::{Claim, Expect, Expect::*};
use super::{Experiment, Task, Variant};
use crate::lesson::studies::timeouts;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "timeout-too-long",
    defaults: &[
        ("seed", "11"),
        ("faults", "0:crash@5s"),
        ("queue.visibility_timeout", "30m"),
        ("slice.think", "20m"),
        ("slice.write", "30s"),
    ],
    ticket: &[],
    shows: &[
        "queue.visibility_timeout",
        "slice.think",
        "slice.write",
        "workers.heartbeat",
        "faults",
        "guard",
    ],
    asks: |facts| facts.second_start(),
    variants: &[
        Variant { id: "whole", given: &[] },
        Variant {
            id: "beats",
            given: &[("queue.visibility_timeout", "1m"), ("workers.heartbeat", "20s")],
        },
        Variant {
            id: "split",
            given: &[("slice.think", "0s"), ("queue.visibility_timeout", "1m")],
        },
    ],
    studies: &[timeouts::TRADE_OFF],
    tasks: &[
        Task {
            id: "within-a-minute",
            done: |facts| {
                let second = facts.second_start();
                facts.count("crashed") == 1
                    && (1..=60).contains(&second)
                    && facts.starts().len() == 2
                    && facts.verdict.ok
            },
        },
        Task {
            id: "split",
            done: |facts| {
                facts.count("crashed") == 1
                    && facts.is("slice.think", "0s")
                    && facts.starts().len() == 2
                    && facts.run.trace.end().as_micros() <= 120_000_000
                    && facts.verdict.ok
            },
        },
    ],
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        given: &[],
        expect: &[Starts(&[0, 1_800_000]), LedgerRows(1), Ok(true)],
        sometimes: "crashed",
        broken_by: ("queue.visibility_timeout", "25m"),
    },
    // Beats make a short timeout safe for long work, and the dead worker sends none.
    Claim {
        given: &[("queue.visibility_timeout", "1m"), ("workers.heartbeat", "20s")],
        expect: &[Starts(&[0, 60_000]), LedgerRows(1), Ok(true)],
        sometimes: "beat.extended",
        broken_by: ("workers.heartbeat", "0s"),
    },
    Claim {
        given: &[("slice.think", "0s"), ("queue.visibility_timeout", "1m")],
        expect: &[Starts(&[0, 60_000]), LedgerRows(1), Ok(true)],
        sometimes: "crashed",
        broken_by: ("queue.visibility_timeout", "30m"),
    },
    // Short: much of the work is done twice. Long: nothing is, and whoever crashed waits.
    Claim {
        given: &[],
        expect: &[
            trade_off("10s", 10_030, 1_587),
            trade_off("1m", 60_000, 51),
            trade_off("30m", 1_800_000, 0),
        ],
        sometimes: "crashed",
        broken_by: ("queue.late_ack", "refuse"),
    },
];

/// Exactly so many duplicates among a thousand jobs, at this mean wait in milliseconds.
const fn trade_off(series: &'static str, x: u64, duplicates: u64) -> Expect {
    InStudy { id: "trade-off", series, x, from: duplicates * 100, to: duplicates * 100 }
}
