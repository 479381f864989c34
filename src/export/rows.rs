//! Rows of the tables: attempts and the two ledgers, with texts for ids.

use crate::json::data;
use crate::sim::report::{AttemptReport, Outcome, PaymentReport, RowReport};
use crate::sim::scenario::Scenario;
use crate::units::{Moment, Span};

data! {
    /// An attempt as a row of a table.
    pub struct AttemptRow {
        /// The job.
        pub job_id: String,
        /// The attempt, from 0.
        pub attempt: u32,
        /// The worker, by letter.
        pub worker: String,
        /// The idempotency key.
        pub key: String,
        /// Whether its write wrote a row; null if it never reached the write.
        pub new_write: Option<bool>,
        /// `running`, `acked`, `ack-late`, `ack-lost` or `crashed`.
        pub outcome: &'static str,
        /// Where it crashed; null if it did not.
        pub point: Option<&'static str>,
        /// The wait after it, in microseconds; null on the last.
        pub backoff_us: Option<u64>,
        /// The wait after the last, before its message went to the dead letters, in microseconds;
        /// null if it did not.
        pub wait_to_dead_us: Option<u64>,
        /// When it was delivered, in microseconds.
        pub started_us: u64,
        /// When it ended, in microseconds; null while it runs.
        pub ended_us: Option<u64>,
        /// The position in the run of the event that began it.
        pub event_from: u32,
        /// The position of the event that ended it; null while it runs.
        pub event_to: Option<u32>,
    }
}

data! {
    /// A row of the ledger as a row of a table.
    pub struct LedgerRow {
        /// The row's number, from 1.
        pub row: u32,
        /// The idempotency key under which it was written.
        pub key: String,
        /// The amount, in cents.
        pub cents: u64,
        /// The job.
        pub job_id: String,
        /// The attempt that wrote it, from 0.
        pub attempt: u32,
        /// When, in microseconds.
        pub at_us: u64,
        /// Whether a row with this key was there already.
        pub again: bool,
        /// The position of its event in the run.
        pub event: u32,
    }
}

data! {
    /// A row of the vendor's ledger as a row of a table.
    pub struct VendorRow {
        /// The row's number, from 1.
        pub row: u32,
        /// The idempotency key under which it was paid.
        pub key: String,
        /// The account, from 1; null where there is only one.
        pub account: Option<u32>,
        /// The amount, in cents.
        pub cents: u64,
        /// The job.
        pub job_id: String,
        /// When, in microseconds.
        pub at_us: u64,
        /// Whether this refund had been paid before.
        pub again: bool,
        /// How often the stored answer was given again, without money.
        pub replays: u32,
        /// The position of its event in the run.
        pub event: u32,
    }
}

impl VendorRow {
    /// The row of a payment.
    #[must_use]
    pub fn new(payment: &PaymentReport, scenario: &Scenario) -> Self {
        let many = scenario.workload.accounts > 1;
        Self {
            row: payment.payment,
            key: scenario.key_text(payment.key),
            account: many.then(|| scenario.account(payment.job) + 1),
            cents: payment.cents.as_cents(),
            job_id: scenario.job_id(payment.job),
            at_us: payment.at.as_micros(),
            again: payment.again,
            replays: payment.replays,
            event: payment.event,
        }
    }
}

impl AttemptRow {
    /// The row of an attempt.
    #[must_use]
    pub fn new(attempt: &AttemptReport, scenario: &Scenario) -> Self {
        Self {
            job_id: scenario.job_id(attempt.by.job),
            attempt: attempt.by.attempt,
            worker: attempt.by.worker.to_string(),
            key: scenario.key_text(attempt.by.key),
            new_write: attempt.new_write,
            outcome: attempt.outcome.name(),
            point: match attempt.outcome {
                Outcome::Crashed(point) => Some(point.name()),
                _ => None,
            },
            backoff_us: attempt.backoff.map(Span::as_micros),
            wait_to_dead_us: attempt.wait_to_dead.map(Span::as_micros),
            started_us: attempt.started.as_micros(),
            ended_us: attempt.ended.map(Moment::as_micros),
            event_from: attempt.event_from,
            event_to: attempt.event_to,
        }
    }
}

impl LedgerRow {
    /// The row of a row.
    #[must_use]
    pub fn new(row: &RowReport, scenario: &Scenario) -> Self {
        Self {
            row: row.row,
            key: scenario.key_text(row.by.key),
            cents: row.cents.as_cents(),
            job_id: scenario.job_id(row.by.job),
            attempt: row.by.attempt,
            at_us: row.at.as_micros(),
            again: row.again,
            event: row.event,
        }
    }
}
