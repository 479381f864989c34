//! The vocabulary of the trace, the goldens, the timeline and the sentences.
//!
//! An [`Event`] is what the world says to its sink: small, copied, with ids for names. A
//! [`Record`] is the same event for a reader outside: flat, with texts for ids.

use super::fault::Point;
use super::scenario::Scenario;
use crate::json::data;
use crate::model::key::IdempotencyKey;
use crate::model::queue::{AckOutcome, Receipt};
use crate::units::{Cents, JobIndex, Moment, Span, WorkerId};

/// An attempt at work: who, which job, which attempt, under which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The worker.
    pub worker: WorkerId,
    /// The job.
    pub job: JobIndex,
    /// The attempt, from 0.
    pub attempt: u32,
    /// The key of the job's step.
    pub key: IdempotencyKey,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A message was sent and is visible.
    Sent {
        /// The job that it asks for.
        job: JobIndex,
    },
    /// A worker received a message under a lease.
    Leased {
        /// The attempt that this delivery begins.
        by: Attempt,
        /// The receipt given out.
        receipt: Receipt,
        /// The end of the lease.
        deadline: Moment,
    },
    /// The worker found the checkpoint of an attempt before, and goes on after it.
    Resumed(Attempt),
    /// The worker has decided what to do.
    Thought(Attempt),
    /// A guard that looks first has looked.
    Checked {
        /// The attempt.
        by: Attempt,
        /// Whether it found that the write was made before.
        found: bool,
    },
    /// A row was written.
    Wrote {
        /// The attempt.
        by: Attempt,
        /// The row's number, from 1.
        row: u32,
        /// How much was paid.
        cents: Cents,
        /// Whether a row with this key was there already.
        again: bool,
    },
    /// The guard found the row, so nothing was written.
    AlreadyWritten {
        /// The attempt.
        by: Attempt,
        /// The row that it found.
        row: u32,
    },
    /// The checkpoint was saved on the job row.
    Checkpointed(Attempt),
    /// The queue got an ack.
    Acked {
        /// The attempt.
        by: Attempt,
        /// What it did.
        outcome: AckOutcome,
    },
    /// An ack never arrived; the worker does not know.
    AckLost(Attempt),
    /// The worker died.
    Crashed {
        /// The attempt.
        by: Attempt,
        /// Where in the slice.
        point: Point,
    },
    /// A crashed worker is back, knowing nothing.
    Restarted {
        /// Which.
        worker: WorkerId,
    },
    /// A lease ended with its message still in the queue.
    Expired {
        /// The job.
        job: JobIndex,
        /// The attempt whose lease it was.
        attempt: u32,
        /// The wait before the message is visible again.
        wait: Span,
    },
    /// The wait is over: the message is visible again.
    Returned {
        /// The job.
        job: JobIndex,
    },
    /// The message was moved to the dead letters.
    Dead {
        /// The job.
        job: JobIndex,
        /// How many attempts it had.
        attempts: u32,
    },
}

/// Takes what happens as it happens.
pub trait Sink {
    /// Called once for each event, in order.
    fn event(&mut self, at: Moment, event: Event);
}

/// A sink that only counts: what a sweep uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// How many events.
    pub events: u64,
    /// How many of them were writes.
    pub executions: u64,
}

impl Sink for Counter {
    fn event(&mut self, _: Moment, event: Event) {
        self.events += 1;
        self.executions += u64::from(matches!(event, Event::Wrote { .. }));
    }
}

data! {
    sparse:
    /// An event as a reader outside sees it. Fields that an event does not have are left out.
    #[derive(Clone, Default, PartialEq, Eq)]
    pub struct Record {
        /// When, in microseconds from the start of the run.
        pub at_us: u64,
        /// The event's code, as in the list of sentences.
        pub event: &'static str,
        /// Which kind of it, where there are several: the sentence is then `event.detail`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub detail: Option<&'static str>,
        /// The worker, by letter.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub worker: Option<String>,
        /// The job.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub job_id: Option<String>,
        /// The attempt, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub attempt: Option<u32>,
        /// The idempotency key.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub key: Option<String>,
        /// The ledger row, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub row: Option<u32>,
        /// The amount, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub cents: Option<u64>,
        /// The end of the lease, in microseconds from the start of the run.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub deadline_us: Option<u64>,
        /// The wait that follows, in microseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wait_us: Option<u64>,
        /// The point in the slice.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub point: Option<&'static str>,
        /// The receipt's number.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub receipt: Option<u32>,
    }
}

impl Event {
    /// The attempt that the event belongs to, if it belongs to one.
    #[must_use]
    pub fn by(&self) -> Option<Attempt> {
        match *self {
            Self::Resumed(by) | Self::Thought(by) | Self::Checkpointed(by) | Self::AckLost(by) => {
                Some(by)
            }
            Self::Leased { by, .. }
            | Self::Checked { by, .. }
            | Self::Wrote { by, .. }
            | Self::AlreadyWritten { by, .. }
            | Self::Acked { by, .. }
            | Self::Crashed { by, .. } => Some(by),
            Self::Sent { .. }
            | Self::Restarted { .. }
            | Self::Expired { .. }
            | Self::Returned { .. }
            | Self::Dead { .. } => None,
        }
    }

    /// The event's code and, where it comes in kinds, which kind.
    #[must_use]
    pub fn code(&self) -> (&'static str, Option<&'static str>) {
        match *self {
            Self::Sent { .. } => ("sent", None),
            Self::Leased { .. } => ("leased", None),
            Self::Resumed(_) => ("resumed", None),
            Self::Thought(_) => ("thought", None),
            Self::Checked { found, .. } => {
                ("checked", Some(if found { "found" } else { "absent" }))
            }
            Self::Wrote { again, .. } => ("wrote", Some(if again { "again" } else { "first" })),
            Self::AlreadyWritten { .. } => ("already-written", None),
            Self::Checkpointed(_) => ("checkpointed", None),
            Self::Acked { outcome, .. } => match outcome {
                AckOutcome::Deleted => ("acked", None),
                AckOutcome::LateDeleted => ("ack-late", Some("deleted")),
                AckOutcome::LateIgnored => ("ack-late", Some("ignored")),
                AckOutcome::LateRefused => ("ack-late", Some("refused")),
                AckOutcome::Gone => ("ack-late", Some("gone")),
            },
            Self::AckLost(_) => ("ack-lost", None),
            Self::Crashed { .. } => ("crashed", None),
            Self::Restarted { .. } => ("restarted", None),
            Self::Expired { wait, .. } => {
                ("expired", Some(if wait == Span::ZERO { "at-once" } else { "waits" }))
            }
            Self::Returned { .. } => ("returned", None),
            Self::Dead { .. } => ("dead", None),
        }
    }

    /// The event with texts for ids.
    #[must_use]
    pub fn record(&self, at: Moment, scenario: &Scenario) -> Record {
        let (event, detail) = self.code();
        let mut record = Record { at_us: at.as_micros(), event, detail, ..Record::default() };
        if let Some(by) = self.by() {
            record.worker = Some(by.worker.to_string());
            record.job_id = Some(scenario.job_id(by.job));
            record.attempt = Some(by.attempt);
            record.key = Some(scenario.key_text(by.key));
        }
        match *self {
            Self::Sent { job } | Self::Returned { job } => {
                record.job_id = Some(scenario.job_id(job));
            }
            Self::Leased { receipt, deadline, .. } => {
                record.receipt = Some(receipt.0);
                record.deadline_us = Some(deadline.as_micros());
            }
            Self::Wrote { row, cents, .. } => {
                record.row = Some(row);
                record.cents = Some(cents.as_cents());
            }
            Self::AlreadyWritten { row, .. } => record.row = Some(row),
            Self::Crashed { point, .. } => record.point = Some(point.name()),
            Self::Restarted { worker } => record.worker = Some(worker.to_string()),
            Self::Expired { job, attempt, wait } => {
                record.job_id = Some(scenario.job_id(job));
                record.attempt = Some(attempt);
                record.wait_us = Some(wait.as_micros());
            }
            Self::Dead { job, attempts } => {
                record.job_id = Some(scenario.job_id(job));
                record.attempt = attempts.checked_sub(1);
            }
            Self::Resumed(_)
            | Self::Thought(_)
            | Self::Checked { .. }
            | Self::Checkpointed(_)
            | Self::Acked { .. }
            | Self::AckLost(_) => {}
        }
        record
    }
}
