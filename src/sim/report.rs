//! What a run amounts to, up to a moment: its attempts, its ledgers, who is doing what, and the
//! verdict in money. All of it is read off the events, so any moment can be asked for.

use super::event::{Attempt, Event};
use super::fault::Point;
use super::progress::{Doing, Progress};
use super::scenario::{Effect, Scenario};
use super::trace::Entry;
use crate::json::data;
use crate::model::key::IdempotencyKey;
use crate::model::queue::AckOutcome;
use crate::units::{Cents, JobIndex, Moment, Span};

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has not ended.
    Running,
    /// Its ack deleted the message, in time.
    Acked,
    /// Its ack came late.
    AckLate,
    /// Its ack never arrived.
    AckLost,
    /// It failed, and its worker gave the message back.
    GaveBack,
    /// It failed, and its worker sent the message again as a new one.
    SentAgain,
    /// It came upon an error that trying again will not mend.
    Failed,
    /// Its worker found that the message was not its own any more.
    SteppedBack,
    /// Its worker died.
    Crashed(Point),
}

impl Outcome {
    /// The name in tables and data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Acked => "acked",
            Self::AckLate => "ack-late",
            Self::AckLost => "ack-lost",
            Self::GaveBack => "gave-back",
            Self::SentAgain => "sent-again",
            Self::Failed => "failed",
            Self::SteppedBack => "stepped-back",
            Self::Crashed(_) => "crashed",
        }
    }
}

/// One attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptReport {
    /// Who, which job, which attempt, which key.
    pub by: Attempt,
    /// Whether its write wrote a row; none if it never reached the write.
    pub new_write: Option<bool>,
    /// How it ended.
    pub outcome: Outcome,
    /// The wait after it; none on the last.
    pub backoff: Option<Span>,
    /// When it was delivered.
    pub started: Moment,
    /// When it ended.
    pub ended: Option<Moment>,
}

/// One row of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowReport {
    /// The row's number, from 1.
    pub row: u32,
    /// The attempt that wrote it.
    pub by: Attempt,
    /// How much.
    pub cents: Cents,
    /// When.
    pub at: Moment,
    /// Whether a row with this key was there already.
    pub again: bool,
}

/// One payment of the vendor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentReport {
    /// The number of the payment, from 1.
    pub payment: u32,
    /// For which job.
    pub job: JobIndex,
    /// Under which key.
    pub key: IdempotencyKey,
    /// How much.
    pub cents: Cents,
    /// When.
    pub at: Moment,
    /// Whether this refund had been paid before.
    pub again: bool,
}

data! {
    /// The verdict, in money.
    #[derive(Clone, Copy, Default, PartialEq, Eq)]
    pub struct Verdict {
        /// Whether nobody has been paid too much and, once the run is over, nobody too little.
        pub ok: bool,
        /// What the jobs sent are owed in all, in cents.
        pub owed_cents: u64,
        /// What the ledger paid in all, in cents.
        pub paid_cents: u64,
        /// How many rows the ledger has.
        pub ledger_rows: u32,
        /// How often the effect was executed.
        pub executions: u32,
        /// How many deliveries were not the first of their message.
        pub redeliveries: u32,
        /// How many payments the vendor's ledger has; null where there is no vendor.
        pub vendor_rows: Option<u32>,
    }
}

/// What a run amounts to, up to a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The attempts, in the order of their deliveries.
    pub attempts: Vec<AttemptReport>,
    /// The ledger, in the order of its rows.
    pub ledger: Vec<RowReport>,
    /// The vendor's ledger, in the order of its payments.
    pub payments: Vec<PaymentReport>,
    /// What each worker is doing.
    pub progress: Progress,
    /// The verdict.
    pub verdict: Verdict,
    /// What each job was paid, in cents.
    paid: Vec<u64>,
}

impl Report {
    /// Reads a report off events. `over` says that they are a whole run with nothing left to do.
    #[must_use]
    pub fn new(scenario: &Scenario, entries: &[Entry], over: bool) -> Self {
        let has_vendor = scenario.effect != Effect::Ledger;
        let mut report = Self {
            attempts: Vec::new(),
            ledger: Vec::new(),
            payments: Vec::new(),
            progress: Progress::new(scenario),
            verdict: Verdict { vendor_rows: has_vendor.then_some(0), ..Verdict::default() },
            paid: Vec::new(),
        };
        for entry in entries {
            report.progress.take(scenario, &entry.event);
            report.take(scenario, entry);
        }
        let owed = scenario.owed().as_cents();
        let mut paid = report.paid.iter();
        report.verdict.ok =
            if over { paid.all(|cents| *cents == owed) } else { paid.all(|cents| *cents <= owed) };
        report
    }

    fn take(&mut self, scenario: &Scenario, entry: &Entry) {
        let at = entry.at;
        match entry.event {
            Event::Sent { job, copy: 0 } => {
                self.verdict.owed_cents += scenario.owed().as_cents();
                self.paid.resize(job.0 as usize + 1, 0);
            }
            Event::Leased { by, .. } => {
                self.verdict.redeliveries += u32::from(by.attempt > 0);
                self.attempts.push(AttemptReport {
                    by,
                    new_write: None,
                    outcome: Outcome::Running,
                    backoff: None,
                    started: at,
                    ended: None,
                });
            }
            Event::Wrote { by, row, cents, again } => {
                self.verdict.ledger_rows += 1;
                if scenario.effect == Effect::Ledger {
                    self.pay(by.job, cents);
                }
                self.ledger.push(RowReport { row, by, cents, at, again });
                self.update(by, |attempt| attempt.new_write = Some(true));
                self.end_if_done(by, at);
            }
            Event::Paid { job, key, payment, cents, again } => {
                self.verdict.vendor_rows = self.verdict.vendor_rows.map(|rows| rows + 1);
                self.pay(job, cents);
                self.payments.push(PaymentReport { payment, job, key, cents, at, again });
            }
            Event::AlreadyWritten { by, .. } => {
                self.update(by, |attempt| attempt.new_write = Some(false));
                self.end_if_done(by, at);
            }
            Event::Acked { by, outcome } => {
                let late_deleted = outcome == AckOutcome::LateDeleted;
                let outcome = match outcome {
                    AckOutcome::Deleted => Outcome::Acked,
                    _ => Outcome::AckLate,
                };
                self.update(by, |attempt| attempt.outcome = outcome);
                self.end_if_done(by, at);
                if late_deleted {
                    // The message is gone, so nothing came after the newest attempt.
                    let of_message =
                        |row: &&mut AttemptReport| (row.by.job, row.by.copy) == (by.job, by.copy);
                    if let Some(row) = self.attempts.iter_mut().rev().find(of_message) {
                        row.backoff = None;
                    }
                }
            }
            Event::AckLost(by) => {
                self.update(by, |attempt| attempt.outcome = Outcome::AckLost);
                self.end_if_done(by, at);
            }
            Event::Crashed { by, point } => self.end(by, at, Outcome::Crashed(point)),
            Event::GaveBack { by, wait } => {
                self.update(by, |attempt| attempt.backoff = wait);
                self.end(by, at, Outcome::GaveBack);
            }
            Event::SentAgain(by) => self.end(by, at, Outcome::SentAgain),
            Event::Stepped(by) => self.end(by, at, Outcome::SteppedBack),
            Event::Failed { by, .. } => self.end(by, at, Outcome::Failed),
            Event::Checkpointed(by) | Event::Answer { by, .. } => self.end_if_done(by, at),
            Event::Expired { job, copy, attempt, wait } => {
                self.update_named(job, copy, attempt, |attempt| attempt.backoff = wait);
            }
            Event::Dead { job, copy, attempts } => {
                // Nothing came after the last attempt, so there was no wait after it.
                let last = attempts.saturating_sub(1);
                self.update_named(job, copy, last, |attempt| attempt.backoff = None);
            }
            _ => {}
        }
    }

    fn pay(&mut self, job: JobIndex, cents: Cents) {
        self.verdict.executions += 1;
        self.verdict.paid_cents += cents.as_cents();
        if let Some(paid) = self.paid.get_mut(job.0 as usize) {
            *paid += cents.as_cents();
        }
    }

    fn update(&mut self, by: Attempt, change: impl FnOnce(&mut AttemptReport)) {
        self.update_named(by.job, by.copy, by.attempt, change);
    }

    fn update_named(
        &mut self,
        job: JobIndex,
        copy: u32,
        attempt: u32,
        change: impl FnOnce(&mut AttemptReport),
    ) {
        let named = |row: &&mut AttemptReport| {
            (row.by.job, row.by.copy, row.by.attempt) == (job, copy, attempt)
        };
        // What changes is nearly always near the end.
        if let Some(row) = self.attempts.iter_mut().rev().find(named) {
            change(row);
        }
    }

    fn end(&mut self, by: Attempt, at: Moment, outcome: Outcome) {
        self.update(by, |attempt| {
            attempt.outcome = outcome;
            attempt.ended = Some(at);
        });
    }

    /// An attempt has ended when its program has no further step.
    fn end_if_done(&mut self, by: Attempt, at: Moment) {
        if self.progress.of(by.worker) == Doing::Idle {
            self.update(by, |attempt| attempt.ended = Some(at));
        }
    }
}
