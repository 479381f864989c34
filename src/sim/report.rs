//! What a run amounts to, up to a moment: its attempts, its ledgers, who is doing what, and the
//! verdict in money. All of it is read off the events, so any moment can be asked for.

use super::books::{Books, Standing};
use super::event::{Answered, Attempt, Event};
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
    /// Who, which job, which attempt; with the refund and the key that it began with, or went on
    /// with behind a checkpoint.
    pub by: Attempt,
    /// Whether its write wrote a row; none if it never reached the write.
    pub new_write: Option<bool>,
    /// How it ended.
    pub outcome: Outcome,
    /// The wait after it; none on the last.
    pub backoff: Option<Span>,
    /// The wait after the last, before its message went to the dead letters; none if it did not.
    pub wait_to_dead: Option<Span>,
    /// When it was delivered.
    pub started: Moment,
    /// When it ended.
    pub ended: Option<Moment>,
    /// The position of the event that began it.
    pub event_from: u32,
    /// The position of the event that ended it.
    pub event_to: Option<u32>,
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
    /// The position of the event that wrote it.
    pub event: u32,
}

/// One payment of the vendor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentReport {
    /// The number of the payment, from 1.
    pub payment: u32,
    /// For which job.
    pub job: JobIndex,
    /// For which of its refunds, from 0.
    pub refund: u8,
    /// Under which key.
    pub key: IdempotencyKey,
    /// How much.
    pub cents: Cents,
    /// When.
    pub at: Moment,
    /// Whether this refund had been paid before.
    pub again: bool,
    /// The position of its event.
    pub event: u32,
    /// How often its answer was given again, without money.
    pub replays: u32,
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
        /// What the vendor paid in all, in cents; null where there is no vendor.
        pub vendor_paid_cents: Option<u64>,
        /// Whether the vendor's ledger and the local one have paid each job the same, at this
        /// moment; null where only one of them has rows.
        pub books_agree: Option<bool>,
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
    /// None in a report of a stretch that has forgotten what went before.
    books: Option<Books>,
    /// The events that gave an answer again, and the place of its payment.
    replayed: Vec<(u32, usize)>,
}

impl Report {
    /// Reads a report off events. `over` says that they are a whole run with nothing left to do.
    #[must_use]
    pub fn new(scenario: &Scenario, entries: &[Entry], over: bool) -> Self {
        let mut report = Self::at_start(scenario);
        for (event, entry) in (0..).zip(entries) {
            report.take(scenario, event, entry);
        }
        let standing = report.standing_at(u32::MAX);
        report.verdict.judge(scenario, standing, over);
        report
    }

    /// The report of nothing.
    pub(super) fn at_start(scenario: &Scenario) -> Self {
        let has_vendor = scenario.effect != Effect::Ledger;
        Self {
            books: Some(Books::default()),
            ..Self::since(
                Progress::new(scenario),
                Verdict {
                    vendor_rows: has_vendor.then_some(0),
                    vendor_paid_cents: has_vendor.then_some(0),
                    ..Verdict::default()
                },
            )
        }
    }

    /// The report of a stretch that begins here: without the rows of what went before.
    pub(super) fn since(progress: Progress, verdict: Verdict) -> Self {
        Self {
            attempts: Vec::new(),
            ledger: Vec::new(),
            payments: Vec::new(),
            progress,
            verdict,
            books: None,
            replayed: Vec::new(),
        }
    }

    /// How the books stand before the event at `cursor`.
    pub(super) fn standing_at(&self, cursor: u32) -> Standing {
        self.books.as_ref().map_or(Standing::default(), |books| books.standing_at(cursor))
    }

    /// Which payments' answers were given again before the event at `cursor`, by place.
    pub(super) fn replayed_at(&self, cursor: u32) -> impl Iterator<Item = usize> {
        let count = self.replayed.partition_point(|(event, _)| *event < cursor);
        self.replayed[..count].iter().map(|(_, place)| *place)
    }

    /// Takes the next event, at this position of the run.
    pub(super) fn take(&mut self, scenario: &Scenario, position: u32, entry: &Entry) {
        self.progress.take(scenario, &entry.event);
        let at = entry.at;
        match entry.event {
            Event::Sent { copy: 0, .. } => {
                self.verdict.owed_cents += scenario.owed().as_cents();
                if let Some(books) = &mut self.books {
                    books.open(scenario.refunds());
                }
            }
            Event::Leased { by, .. } => {
                self.verdict.redeliveries += u32::from(by.attempt > 0);
                self.attempts.push(AttemptReport {
                    by,
                    new_write: None,
                    outcome: Outcome::Running,
                    backoff: None,
                    wait_to_dead: None,
                    started: at,
                    ended: None,
                    event_from: position,
                    event_to: None,
                });
            }
            Event::Wrote { by, row, cents, again } => {
                self.verdict.ledger_rows += 1;
                let moves = scenario.effect == Effect::Ledger;
                self.pay(scenario, position, (by.job, by.refund), cents, moves);
                self.ledger.push(RowReport { row, by, cents, at, again, event: position });
                self.update(by, |attempt| attempt.new_write = Some(true));
                self.end_if_done(by, at, position);
            }
            Event::Paid { job, refund, key, payment, cents, again } => {
                self.verdict.vendor_rows = self.verdict.vendor_rows.map(|rows| rows + 1);
                self.pay(scenario, position, (job, refund), cents, true);
                let (event, replays) = (position, 0);
                self.payments.push(PaymentReport {
                    payment,
                    job,
                    refund,
                    key,
                    cents,
                    at,
                    again,
                    event,
                    replays,
                });
            }
            Event::Answer { by, how: Answered::Replayed, .. } => {
                self.replay(scenario, position, (by.job, by.refund), Some(by.key));
                self.end_if_done(by, at, position);
            }
            Event::ReplyLost { job, refund, key, how: Answered::Replayed, .. } => {
                self.replay(scenario, position, (job, refund), Some(key));
            }
            Event::Relayed { job, refund, known: true, .. } => {
                self.replay(scenario, position, (job, refund), None);
            }
            Event::AlreadyWritten { by, .. } => {
                self.update(by, |attempt| attempt.new_write = Some(false));
                self.end_if_done(by, at, position);
            }
            Event::Acked { by, outcome } => {
                let late_deleted = outcome == AckOutcome::LateDeleted;
                let outcome = match outcome {
                    AckOutcome::Deleted => Outcome::Acked,
                    _ => Outcome::AckLate,
                };
                self.update(by, |attempt| attempt.outcome = outcome);
                self.end_if_done(by, at, position);
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
                self.end_if_done(by, at, position);
            }
            Event::Crashed { by, point } => self.end(by, at, position, Outcome::Crashed(point)),
            Event::GaveBack { by, wait } => {
                self.update(by, |attempt| attempt.backoff = wait);
                self.end(by, at, position, Outcome::GaveBack);
            }
            Event::SentAgain(by) => self.end(by, at, position, Outcome::SentAgain),
            Event::Stepped(by) => self.end(by, at, position, Outcome::SteppedBack),
            Event::Failed { by, .. } => self.end(by, at, position, Outcome::Failed),
            // It goes on with another refund, or under another key, than it was leased with.
            Event::Resumed { by, .. } | Event::Minted { by, .. } => {
                self.update(by, |attempt| attempt.by = by);
                self.end_if_done(by, at, position);
            }
            Event::Checkpointed(by) | Event::Answer { by, .. } => {
                self.end_if_done(by, at, position);
            }
            Event::Expired { job, copy, attempt, wait } => {
                self.update_named(job, copy, attempt, |attempt| attempt.backoff = wait);
            }
            Event::Dead { job, copy, attempts } => {
                // Nothing came after the last attempt, so there was no wait after it.
                let last = attempts.saturating_sub(1);
                self.update_named(job, copy, last, |attempt| {
                    attempt.wait_to_dead = Some(attempt.backoff.take().unwrap_or(Span::ZERO));
                });
            }
            _ => {}
        }
    }

    /// A refund of a job is paid; or, if money does not move here, the local ledger learns of it.
    fn pay(
        &mut self,
        scenario: &Scenario,
        event: u32,
        (job, refund): (JobIndex, u8),
        cents: Cents,
        moves: bool,
    ) {
        let cents = cents.as_cents();
        if moves {
            self.verdict.executions += 1;
            self.verdict.paid_cents += cents;
            self.verdict.vendor_paid_cents =
                self.verdict.vendor_paid_cents.map(|paid| paid.saturating_add(cents));
        }
        if let Some(books) = &mut self.books {
            let local = scenario.effect == Effect::Ledger || !moves;
            let paid = (if moves { cents } else { 0 }, if local { cents } else { 0 });
            let place = job.0 as usize * usize::from(scenario.refunds()) + usize::from(refund);
            books.pay(event, place, scenario.planned(refund, 0).as_cents(), paid);
        }
    }

    /// An answer is given again: the newest payment that it is about counts it. Whoever gets the
    /// rows of an outbox may know a row without a key; if not, it has one for the whole job.
    fn replay(
        &mut self,
        scenario: &Scenario,
        event: u32,
        (job, refund): (JobIndex, u8),
        key: Option<IdempotencyKey>,
    ) {
        let key = key.filter(|_| scenario.effect != Effect::Outbox);
        let scoped = scenario.vendor.profile.scoped;
        let account = |job| if scoped { scenario.account(job) } else { 0 };
        let newest = |of_job: bool| {
            self.payments.iter().rposition(|payment| match key {
                Some(key) => payment.key == key && account(payment.job) == account(job),
                None => payment.job == job && (of_job || payment.refund == refund),
            })
        };
        if let Some(place) = newest(false).or_else(|| newest(true)) {
            self.payments[place].replays += 1;
            self.replayed.push((event, place));
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

    fn end(&mut self, by: Attempt, at: Moment, event: u32, outcome: Outcome) {
        self.update(by, |attempt| {
            attempt.outcome = outcome;
            (attempt.ended, attempt.event_to) = (Some(at), Some(event));
        });
    }

    /// An attempt has ended when its program has no further step.
    fn end_if_done(&mut self, by: Attempt, at: Moment, event: u32) {
        if self.progress.of(by.worker) == Doing::Idle {
            self.update(by, |attempt| {
                (attempt.ended, attempt.event_to) = (Some(at), Some(event));
            });
        }
    }
}

impl Verdict {
    /// Says whether it is right, by how the books stand.
    pub(super) fn judge(&mut self, scenario: &Scenario, standing: Standing, over: bool) {
        let owed = scenario.owed().as_cents();
        let jobs = self.owed_cents.checked_div(owed).unwrap_or(0);
        let refunds = jobs * u64::from(scenario.refunds());
        self.ok = if over { u64::from(standing.exact) == refunds } else { standing.overpaid == 0 };
        if scenario.effect == Effect::Vendor {
            self.books_agree = Some(standing.differing == 0);
        }
    }
}
