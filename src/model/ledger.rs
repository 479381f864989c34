//! The local ledger, where the money moves, and the guard that looks before a write.

use super::key::IdempotencyKey;
use crate::units::{Cents, JobIndex, Moment};

/// What keeps a repeat from being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Nothing: every attempt writes.
    Off,
    /// Look first, write later. Two workers may both look before either writes.
    CheckThenInsert,
    /// Look and write in one atomic step: an insert that a second row with the key cannot pass.
    AtomicInsert,
    /// Ask the language model whether it has refunded. It knows what this attempt did and
    /// nothing of any other.
    AskTheModel,
}

/// One row: one movement of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The key under which it was written.
    pub key: IdempotencyKey,
    /// How much.
    pub cents: Cents,
    /// For which job.
    pub job: JobIndex,
    /// By which of its attempts.
    pub attempt: u32,
    /// When.
    pub at: Moment,
    /// The number of the row before this one for the same job; 0 for none.
    before: u32,
}

/// What an insert did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of the new row, from 1.
    pub row: u32,
    /// Whether a row with this key was there already.
    pub again: bool,
}

/// Rows in the order in which they were written, numbered from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    rows: Vec<Row>,
    /// The newest row of each job; 0 for none. Grows as jobs are written for.
    newest: Vec<u32>,
}

impl Ledger {
    /// The rows, oldest first.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of the first row written under `key`, if there is one.
    #[must_use]
    pub fn find(&self, key: IdempotencyKey) -> Option<u32> {
        self.of_job(key.job).filter(|(_, row)| row.key == key).map(|(number, _)| number).last()
    }

    /// The rows of a job with their numbers, newest first.
    pub fn of_job(&self, job: JobIndex) -> impl Iterator<Item = (u32, &Row)> {
        let newest = self.newest.get(job.0 as usize).copied().unwrap_or(0);
        let at = |number: u32| {
            let row = (number as usize).checked_sub(1)?;
            Some((number, self.rows.get(row)?))
        };
        std::iter::successors(at(newest), move |(_, row)| at(row.before))
    }

    /// Writes a row. Nothing is checked here: the guard is the caller's.
    pub fn insert(
        &mut self,
        key: IdempotencyKey,
        cents: Cents,
        attempt: u32,
        at: Moment,
    ) -> Written {
        let again = self.find(key).is_some();
        let job = key.job.0 as usize;
        if self.newest.len() <= job {
            self.newest.resize(job + 1, 0);
        }
        self.rows.push(Row { key, cents, job: key.job, attempt, at, before: self.newest[job] });
        let row = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.newest[job] = row;
        Written { row, again }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_key_and_by_job() {
        let mut ledger = Ledger::default();
        let (first, second) = (JobIndex(4), JobIndex(1));
        let write = |ledger: &mut Ledger, job| {
            let key = IdempotencyKey::stable(job);
            let written = ledger.insert(key, Cents::from_cents(1999), 0, Moment::ZERO);
            (written.row, written.again)
        };
        assert_eq!(ledger.find(IdempotencyKey::stable(first)), None);
        assert_eq!(write(&mut ledger, first), (1, false));
        assert_eq!(write(&mut ledger, second), (2, false));
        assert_eq!(write(&mut ledger, first), (3, true));
        assert_eq!(ledger.find(IdempotencyKey::stable(first)), Some(1));
        let numbers: Vec<u32> = ledger.of_job(first).map(|(number, _)| number).collect();
        assert_eq!(numbers, [3, 1]);
        assert_eq!(ledger.of_job(JobIndex(9)).count(), 0);
    }
}
