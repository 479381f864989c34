//! The local ledger, where the money moves, and the guard that looks before a write.

use super::key::IdempotencyKey;
use crate::sorted::Sorted;
use crate::units::{Cents, JobIndex, Moment};
use crate::window::Window;

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
    /// Ask the vendor, before the call, for a payment with this key. Its ledger has it even when
    /// the key's life is over. The local row is an atomic insert.
    AskTheVendor,
}

/// Where the guard looks, when a vendor is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardAt {
    /// At the local write. The call is made whatever is found.
    Write,
    /// Before the call. What is found there keeps the call from being made.
    Call,
}

/// What a guard that inserts before the call means by its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimRule {
    /// The row says that the work is done, although it has only begun.
    Done,
    /// The row says "in progress", and whoever finds it acks all the same.
    InProgressSkip,
    /// The row says "in progress", and whoever finds it gives the message back.
    InProgressRelease,
}

/// A row that a guard put in before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whether the work is said to be done.
    pub done: bool,
    /// Which claim of its key this is: the end of an older one's life does not end it.
    pub number: u32,
}

/// What a claim came upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Nothing: the claim is ours, with this number.
    New(u32),
    /// The work is done, or passes for it.
    Done,
    /// Somebody is at it.
    InProgress,
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
    /// For which of its refunds.
    pub refund: u8,
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
    /// Whether a row for this refund was there already.
    pub again: bool,
}

/// Rows in the order in which they were written, numbered from 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    rows: Window<Row>,
    /// The newest row of each job; 0 for none. Grows as jobs are written for.
    newest: Window<u32>,
    claims: Sorted<IdempotencyKey, Claim>,
    /// The highest fencing token seen for each job.
    tokens: Sorted<JobIndex, u32>,
}

/// A clone into a ledger that is there already takes over its memory.
impl Clone for Ledger {
    fn clone(&self) -> Self {
        let Self { rows, newest, claims, tokens } = self;
        Self {
            rows: rows.clone(),
            newest: newest.clone(),
            claims: claims.clone(),
            tokens: tokens.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { rows, newest, claims, tokens } = source;
        clone_fields!(self: rows, newest, claims, tokens);
    }
}

impl Ledger {
    /// An empty ledger with room for a row of each job.
    #[must_use]
    pub fn with_capacity(jobs: usize) -> Self {
        let (rows, newest) = (Window::with_capacity(jobs), Window::with_capacity(jobs));
        Self { rows, newest, ..Self::default() }
    }

    /// The rows, from the oldest that is not forgotten.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        self.rows.items()
    }

    /// The number of the first row of a job written under `key`, if there is one. What is no
    /// key is found nowhere.
    #[cfg_attr(not(feature = "page"), inline(always))]
    #[must_use]
    pub fn find(&self, job: JobIndex, key: IdempotencyKey) -> Option<u32> {
        if !key.is_sent() {
            return None;
        }
        self.of_job(job).filter(|(_, row)| row.key == key).map(|(number, _)| number).last()
    }

    /// The claim under a key.
    #[must_use]
    pub fn claim_of(&self, key: IdempotencyKey) -> Option<Claim> {
        self.claims.get(&key).copied()
    }

    /// Every claim, in order.
    pub fn claims(&self) -> impl Iterator<Item = (&IdempotencyKey, &Claim)> {
        self.claims.iter()
    }

    /// Puts a claim in, atomically, unless there is one.
    pub fn claim(&mut self, key: IdempotencyKey, rule: ClaimRule, number: u32) -> Claimed {
        match self.claims.get(&key) {
            None => {
                let done = rule == ClaimRule::Done;
                self.claims.insert(key, Claim { done, number });
                Claimed::New(number)
            }
            Some(claim) if claim.done || rule == ClaimRule::InProgressSkip => Claimed::Done,
            Some(_) => Claimed::InProgress,
        }
    }

    /// The work under a claim is done.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub fn complete(&mut self, key: IdempotencyKey) {
        if let Some(claim) = self.claims.get_mut(&key) {
            claim.done = true;
        }
    }

    /// The life of a claim is over. One whose work is done stays.
    pub fn end_claim(&mut self, key: IdempotencyKey, number: u32) -> bool {
        let open = |claim: &Claim| claim.number == number && !claim.done;
        let ends = self.claims.get(&key).is_some_and(open);
        if ends {
            self.claims.remove(&key);
        }
        ends
    }

    /// The highest fencing token seen for a job.
    #[must_use]
    pub fn token(&self, job: JobIndex) -> Option<u32> {
        self.tokens.get(&job).copied()
    }

    /// Shows a fencing token: whether it is at least as high as any seen before. An equal one is.
    pub fn fence(&mut self, job: JobIndex, token: u32) -> bool {
        let passes = self.token(job).is_none_or(|highest| token >= highest);
        if passes {
            self.tokens.insert(job, token);
        }
        passes
    }

    /// The rows of a job with their numbers, newest first.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub fn of_job(&self, job: JobIndex) -> impl Iterator<Item = (u32, &Row)> {
        let newest = self.newest.get(job.0).copied().unwrap_or(0);
        let at = |number: u32| {
            let row = number.checked_sub(1)?;
            Some((number, self.rows.get(row)?))
        };
        std::iter::successors(at(newest), move |(_, row)| at(row.before))
    }

    /// Writes a row of a job. Nothing is checked here: the guard is the caller's.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub fn insert(
        &mut self,
        job: JobIndex,
        refund: u8,
        key: IdempotencyKey,
        cents: Cents,
        attempt: u32,
        at: Moment,
    ) -> Written {
        let again = self.of_job(job).any(|(_, row)| row.refund == refund);
        self.newest.grow(job.0 + 1, 0);
        let before = std::mem::replace(&mut self.newest[job.0], self.rows.len() + 1);
        self.rows.push(Row { key, cents, job, refund, attempt, at, before });
        Written { row: self.rows.len(), again }
    }

    /// Forgets the rows of jobs before this one, up to the first row of another.
    pub fn forget_until(&mut self, oldest: JobIndex) {
        self.newest.forget_until(|job, _| job >= oldest.0);
        self.rows.forget_until(|_, row| row.job >= oldest);
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
            let written = ledger.insert(job, 0, key, Cents::from_cents(1999), 0, Moment::ZERO);
            (written.row, written.again)
        };
        assert_eq!(ledger.find(first, IdempotencyKey::stable(first)), None);
        assert_eq!(write(&mut ledger, first), (1, false));
        assert_eq!(write(&mut ledger, second), (2, false));
        assert_eq!(write(&mut ledger, first), (3, true));
        assert_eq!(ledger.find(first, IdempotencyKey::stable(first)), Some(1));
        let numbers: Vec<u32> = ledger.of_job(first).map(|(number, _)| number).collect();
        assert_eq!(numbers, [3, 1]);
        assert_eq!(ledger.of_job(JobIndex(9)).count(), 0);
    }

    #[test]
    fn a_claim_that_is_found() {
        let key = IdempotencyKey::stable(JobIndex(0));
        for (rule, found) in [
            (ClaimRule::Done, Claimed::Done),
            (ClaimRule::InProgressSkip, Claimed::Done),
            (ClaimRule::InProgressRelease, Claimed::InProgress),
        ] {
            let mut ledger = Ledger::default();
            assert_eq!(ledger.claim(key, rule, 1), Claimed::New(1));
            assert_eq!(ledger.claim(key, rule, 2), found, "{rule:?}");
            ledger.complete(key);
            assert_eq!(ledger.claim(key, rule, 3), Claimed::Done);
            assert!(!ledger.end_claim(key, 1), "what is done stays done");
        }
        let mut ledger = Ledger::default();
        ledger.claim(key, ClaimRule::InProgressRelease, 1);
        assert!(!ledger.end_claim(key, 7), "another claim's end is not this one's");
        assert!(ledger.end_claim(key, 1));
        assert_eq!(ledger.claim(key, ClaimRule::InProgressRelease, 2), Claimed::New(2));
    }

    #[test]
    fn a_fence_lets_the_highest_and_its_equals_through() {
        let mut ledger = Ledger::default();
        let job = JobIndex(0);
        let passed: Vec<bool> =
            [33, 34, 33, 34, 35].into_iter().map(|token| ledger.fence(job, token)).collect();
        assert_eq!(passed, [true, true, false, true, true]);
        assert_eq!(ledger.token(job), Some(35));
    }
}
