//! What a run amounts to at any of its moments, without going through it from its start.
//!
//! The rows of the ledgers never change once they are there, so those of the whole run serve every
//! moment. What does change is kept every few hundred events, and the rest is read again from there.

use super::progress::Progress;
use super::report::{AttemptReport, PaymentReport, Report, RowReport, Verdict};
use super::scenario::Scenario;
use super::trace::Entry;

/// How many events lie between two checkpoints.
const STRIDE: usize = 500;
/// How many rows of each table a moment has at most: the newest.
pub const MOST_ROWS: usize = 100;

/// A run, ready to be asked about its moments.
#[derive(Clone, Debug)]
pub struct History {
    whole: Report,
    /// How it stood before every [`STRIDE`]th event.
    checkpoints: Vec<(Progress, Verdict)>,
}

/// What a run amounts to at a moment, with the newest rows of its tables.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The verdict.
    pub verdict: Verdict,
    /// What each worker is doing.
    pub progress: Progress,
    /// The newest attempts.
    pub attempts: Vec<AttemptReport>,
    /// How many there are.
    pub attempts_total: usize,
    /// The newest rows of the ledger.
    pub ledger: Vec<RowReport>,
    /// How many there are.
    pub ledger_total: usize,
    /// The newest payments of the vendor.
    pub payments: Vec<PaymentReport>,
    /// How many there are.
    pub payments_total: usize,
}

impl History {
    /// Goes through a run once. `over` says that it is a whole run with nothing left to do.
    #[must_use]
    pub fn new(scenario: &Scenario, entries: &[Entry], over: bool) -> Self {
        let mut whole = Report::at_start(scenario);
        let mut checkpoints = Vec::new();
        for (event, entry) in (0..).zip(entries) {
            if (event as usize).is_multiple_of(STRIDE) {
                checkpoints.push((whole.progress.clone(), whole.verdict));
            }
            whole.take(scenario, event, entry);
        }
        checkpoints.push((whole.progress.clone(), whole.verdict));
        let standing = whole.standing_at(position(entries.len()));
        whole.verdict.judge(scenario, standing, over);
        Self { whole, checkpoints }
    }

    /// The whole run.
    #[must_use]
    pub fn whole(&self) -> &Report {
        &self.whole
    }

    /// The state after the first `cursor` events; `over` says that nothing is left to do then.
    #[must_use]
    pub fn at(
        &self,
        scenario: &Scenario,
        entries: &[Entry],
        cursor: usize,
        over: bool,
    ) -> Snapshot {
        let (whole, end) = (&self.whole, position(cursor));
        let attempts_total = whole.attempts.partition_point(|it| it.event_from < end);
        let ledger_total = whole.ledger.partition_point(|it| it.event < end);
        let payments_total = whole.payments.partition_point(|it| it.event < end);
        // From here on every attempt is followed that is shown.
        let oldest = attempts_total.saturating_sub(MOST_ROWS);
        let shown = whole.attempts[..attempts_total].get(oldest);
        let from = shown.map_or(cursor, |attempt| attempt.event_from as usize);
        let mut now = self.replay(scenario, entries, from, cursor);
        now.verdict.judge(scenario, whole.standing_at(end), over);
        Snapshot {
            verdict: now.verdict,
            progress: now.progress,
            attempts: now.attempts.split_off(now.attempts.len().saturating_sub(MOST_ROWS)),
            attempts_total,
            ledger: whole.ledger[ledger_total.saturating_sub(MOST_ROWS)..ledger_total].to_vec(),
            ledger_total,
            payments: self.payments(end, payments_total),
            payments_total,
        }
    }

    /// The newest of the first `total` payments, with the replays before the event at `end`.
    fn payments(&self, end: u32, total: usize) -> Vec<PaymentReport> {
        let first = total.saturating_sub(MOST_ROWS);
        let mut payments = self.whole.payments[first..total].to_vec();
        payments.iter_mut().for_each(|payment| payment.replays = 0);
        for place in self.whole.replayed_at(end) {
            if let Some(payment) = place.checked_sub(first).and_then(|it| payments.get_mut(it)) {
                payment.replays += 1;
            }
        }
        payments
    }

    /// What each worker is doing after the first `cursor` events.
    #[must_use]
    pub fn progress(&self, scenario: &Scenario, entries: &[Entry], cursor: usize) -> Progress {
        self.replay(scenario, entries, cursor, cursor).progress
    }

    /// Reads the events up to `cursor` again, from the last checkpoint at or before `from`.
    fn replay(&self, scenario: &Scenario, entries: &[Entry], from: usize, cursor: usize) -> Report {
        let place = from / STRIDE;
        let (progress, verdict) = self.checkpoints[place].clone();
        let mut report = Report::since(progress, verdict);
        let first = place * STRIDE;
        for (event, entry) in (position(first)..).zip(&entries[first..cursor]) {
            report.take(scenario, event, entry);
        }
        report
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
