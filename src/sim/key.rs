//! The two keys by which worlds are compared.
//!
//! Both are words, made anew for every event that a search tries, so what nearly every state has
//! is packed: a word or two for each job, message and worker. The first word of a record has its
//! kind in its lowest byte and says how many follow, so that no two states have one key. The
//! untimed key has no times, draws, sequence or log: two worlds with the
//! same one have the same futures as long as any pending event may come next. Messages that are
//! over are left out, and counters are written only as far as a limit or a property reads them,
//! so that a run without end closes a loop. The timed key adds times relative to now, so that two
//! worlds with the same one have the same timed futures.

use super::choice::Pending;
use super::scenario::Effect;
use super::world::World;
use crate::model::job::Job;
use crate::model::key::{IdempotencyKey, Minted};
use crate::model::outbox::RelayState;
use crate::model::queue::{Message, MessageState, Receipt};
use crate::model::vendor::Known;
use crate::model::worker::{Task, WorkerState};
use crate::units::{JobIndex, MessageId, Moment, Span, WorkerId};
use std::cmp::Ordering;
use std::ops::Range;

/// A property reads whether something happened more than once, not how much more.
const MANY: usize = 2;
/// So far one ledger may be ahead of the other; farther is as far.
const FAR: usize = 15;
/// What a worker does, in words.
const WORKER_WORDS: usize = 3;

impl World {
    /// Writes the key for a search in which any pending event may come next.
    ///
    /// Who is at a step does not matter, only that somebody is: where workers are alike, they are
    /// written in the order of what they do. Three of them then need up to six times fewer
    /// states, and a state stands for all that differ by an exchange of workers.
    pub fn untimed_key(&self, out: &mut Vec<u64>) {
        let workers = self.write_key(out);
        if self.has_equal_workers() {
            out[workers].as_chunks_mut::<WORKER_WORDS>().0.sort_unstable();
        }
    }

    /// Whether nothing but what a worker does tells it from another: no timer and no call is for
    /// one of them, none holds more than it works on, none is to stop, and no deploy has a turn for
    /// each.
    fn has_equal_workers(&self) -> bool {
        let in_turns = self.scenario().deploy.is_some_and(|deploy| deploy.gap > Span::ZERO);
        let named = |pending| match pending {
            Pending::Beat { .. } | Pending::Kill { .. } => true,
            Pending::Deploy { .. } => in_turns,
            _ => false,
        };
        let crew = &self.scenario().crew;
        crew.prefetch <= 1
            && crew.pool == 0
            && self.scenario().workload.drift.as_cents() == 0
            && !self.has_calls()
            && !self.other_timers().any(|(_, _, pending)| named(pending))
            && !self.is_draining()
    }

    /// Writes the key without times, worker by worker; returns where the workers stand in it.
    fn write_key(&self, out: &mut Vec<u64>) -> Range<usize> {
        out.clear();
        for (index, job) in (0..).map(JobIndex).zip(self.jobs()) {
            self.job_key(index, job, out);
        }
        // Whether the holder of a lease is still there stands with the workers.
        let broker = &self.scenario().broker;
        for (_, held) in self.live() {
            // The highest limit there is stands for none, and what no limit reads is not written.
            let stalls = broker.max_stalls.map_or(0, |most| held.stalls.min(most + 1));
            let limit = broker.max_attempts;
            let counted = if limit < u32::MAX { held.counted.min(limit) } else { 0 };
            out.extend_from_slice(&[
                Word::of(Kind::Message).with(3, place(held)).with(32, stalls).bits,
                Word::default().with(32, held.job.0).with(32, counted).bits,
            ]);
        }
        let first = out.len();
        for (worker, state) in (0..).map(WorkerId).zip(self.workers()) {
            let word = Word::of(Kind::Worker).with(1, self.is_stopping(worker));
            out.extend_from_slice(&match state {
                WorkerState::Idle { .. } => [word.with(2, 0_u8).bits, 0, 0],
                WorkerState::Down { .. } => [word.with(2, 1_u8).bits, 0, 0],
                WorkerState::Busy(task) => self.task_key(task, word.with(2, 2_u8)),
            });
        }
        let workers = first..out.len();
        for (worker, held) in self.all_held() {
            let newest = held.receipt == self.messages()[held.message.0 as usize].receipt;
            let at = self.live_place(held.message);
            let word = Word::of(Kind::Held).with(16, worker.0);
            out.push(word.with(1, newest).with(32, at).bits);
        }
        if self.scenario().workload.drift.as_cents() > 0 {
            let cents = |state: &WorkerState| match state {
                WorkerState::Busy(task) => task.cents.as_cents(),
                WorkerState::Idle { .. } | WorkerState::Down { .. } => 0,
            };
            out.extend(self.workers().iter().map(cents));
        }
        for (key, known) in self.vendor().keys() {
            let (known, cents) = match known {
                Known::InFlight { cents, over, free } => {
                    ([0, u16::from(*over) | u16::from(*free) << 1], cents)
                }
                Known::Stored { cents, status } => ([1, *status], cents),
            };
            let word = Word::of(Kind::VendorKey).with(1, known[0]).with(16, known[1]);
            out.push(word.with(32, key.account).bits);
            out.push(cents.as_cents());
            out.extend(key_words(key.key));
        }
        for (key, claim) in self.ledger().claims() {
            out.push(Word::of(Kind::Claim).with(1, claim.done).bits);
            out.extend(key_words(*key));
        }
        for row in self.outbox() {
            let sends = capped(row.sends as usize, MANY);
            let word = Word::of(Kind::Row).with(1, row.marked).with(2, sends);
            out.push(word.with(32, row.job.0).bits);
        }
        for relay in self.relays() {
            let (does, row) = match relay {
                RelayState::Idle { .. } => (0, 0),
                RelayState::Down { .. } => (1, 0),
                RelayState::Waiting { row, .. } => (2, *row),
                RelayState::Busy { row, step, .. } => (3 + *step as u64, *row),
            };
            out.push(Word::of(Kind::Relay).with(8, does).with(32, row as u64).bits);
        }
        if self.vendor_is_down() {
            out.push(Word::of(Kind::VendorDown).bits);
        }
        for (_, _, pending) in self.other_timers() {
            self.pending_key(pending, out);
        }
        workers
    }

    /// Writes the key for a search that keeps the timings.
    pub fn timed_key(&self, out: &mut Vec<u64>) {
        self.write_key(out);
        let now = self.now();
        let relative = |moment: Moment, out: &mut Vec<u64>| {
            out.extend([moment.since(now).as_micros(), now.since(moment).as_micros()]);
        };
        for job in self.jobs() {
            out.push(job.attempts.into());
            out.push(job.last_wait.map_or(0, |wait| wait.as_micros() + 1));
        }
        for (_, message) in self.live() {
            match message.state {
                MessageState::Ready { since } => relative(since, out),
                MessageState::Leased(lease) => relative(lease.deadline, out),
                MessageState::Delayed { until } => relative(until, out),
                MessageState::Acked | MessageState::Dead => {}
            }
            relative(message.leased_at, out);
        }
        for worker in self.workers() {
            match worker {
                WorkerState::Idle { since } => relative(*since, out),
                WorkerState::Down { until } => relative(*until, out),
                WorkerState::Busy(task) => {
                    out.push(task.attempt.into());
                    relative(task.since, out);
                    relative(task.due, out);
                }
            }
        }
        for relay in self.relays() {
            match relay {
                RelayState::Idle { since } => relative(*since, out),
                RelayState::Down { until } => relative(*until, out),
                RelayState::Busy { due, .. } | RelayState::Waiting { due, .. } => {
                    relative(*due, out);
                }
            }
        }
        for row in self.outbox().iter().filter(|row| !row.marked) {
            relative(row.since, out);
            out.push(row.sends.into());
            out.push(row.last_wait.map_or(0, |wait| wait.as_micros() + 1));
        }
        for (due, _, _) in self.other_timers() {
            relative(due, out);
        }
        let others = || self.other_timers().map(|(_, sequence, _)| sequence);
        let mut ranks: Vec<u64> = self.timers().chain(others()).collect();
        ranks.sort_unstable();
        for sequence in self.timers().chain(others()) {
            let rank = ranks.binary_search(&sequence).unwrap_or(0);
            out.push(rank as u64);
        }
    }

    /// The messages that are not over, in order.
    fn live(&self) -> impl Iterator<Item = (MessageId, &Message)> {
        let over =
            |message: &Message| matches!(message.state, MessageState::Acked | MessageState::Dead);
        (0..).map(MessageId).zip(self.messages()).filter(move |(_, message)| !over(message))
    }

    /// The place of a message among those that are not over.
    fn live_place(&self, message: MessageId) -> u32 {
        let place = self.live().position(|(live, _)| live == message);
        place.and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
    }

    /// Whether somebody is at work under the newest lease of a message, or holds it.
    #[must_use]
    pub fn has_living_holder(&self, message: MessageId) -> bool {
        let receipt = self.messages()[message.0 as usize].receipt;
        let mine = |other: MessageId, held: Receipt| other == message && held == receipt;
        let works = |worker: &WorkerState| matches!(worker, WorkerState::Busy(task) if mine(task.message, task.receipt));
        self.workers().iter().any(works)
            || self.all_held().any(|(_, held)| mine(held.message, held.receipt))
    }

    fn job_key(&self, index: JobIndex, job: &Job, out: &mut Vec<u64>) {
        // What is over may still be spoken of: whether a job was given up is read by properties.
        let (mut acked, mut dead, mut newest) = (false, false, 0);
        for message in self.messages().iter().filter(|message| message.job == index) {
            acked |= matches!(message.state, MessageState::Acked);
            dead |= matches!(message.state, MessageState::Dead);
            newest = newest.max(message.receipt.0);
        }
        // A token matters only against the receipts of those who may still show theirs.
        let token = self.ledger().token(index).map_or(0, |token| 1 + u8::from(token >= newest));
        let mut word = Word::of(Kind::Job)
            .with(8, job.checkpoint)
            .with(8, job.refused)
            .with(1, job.retried)
            .with(1, acked)
            .with(1, dead)
            .with(2, token);
        for refund in 0..self.scenario().refunds() {
            let rows = self.ledger().of_job(index).filter(|(_, row)| row.refund == refund);
            let (rows, paid) = (rows.count(), self.vendor().paid(index, refund));
            word = word.with(2, capped(rows, MANY)).with(2, capped(paid, MANY));
            // Which of two ledgers is ahead, and how far: that is made up for one by one.
            if self.scenario().effect == Effect::Vendor {
                word = word.with(1, paid > rows).with(4, capped(paid.abs_diff(rows), FAR));
            }
        }
        out.push(word.bits);
    }

    fn task_key(&self, task: &Task, word: Word) -> [u64; WORKER_WORDS] {
        let message = &self.messages()[task.message.0 as usize];
        let newest = task.receipt == message.receipt;
        let over = matches!(message.state, MessageState::Acked | MessageState::Dead);
        let token =
            self.ledger().token(task.job).map_or(0, |token| match task.receipt.0.cmp(&token) {
                Ordering::Less => 1,
                Ordering::Equal => 2,
                Ordering::Greater => 3_u8,
            });
        let [how, key] = key_words(task.key);
        let over_at = if over { place(message) } else { 0 };
        let at = if over { message.job.0 } else { self.live_place(task.message) };
        let word = word
            .with(1, newest)
            .with(1, task.saw.is_some())
            .with(1, task.connected)
            .with(1, task.paused)
            .with(8, task.step as u64)
            .with(8, task.position)
            .with(16, how)
            .with(3, over_at)
            .with(2, token);
        [word.bits, Word::default().with(32, task.tries).with(32, at).bits, key]
    }

    fn pending_key(&self, pending: Pending, out: &mut Vec<u64>) {
        let word = |what: u8| Word::of(Kind::Pending).with(8, what);
        match pending {
            Pending::Beat { worker } => out.push(word(0).with(16, worker.0).bits),
            Pending::Kill { worker } => out.push(word(1).with(16, worker.0).bits),
            Pending::Answer { call } => {
                out.push(word(2).bits);
                self.call_key(call, out);
            }
            Pending::LateCall { call } => {
                out.push(word(3).bits);
                self.call_key(call, out);
            }
            Pending::KeyEnd { key } => {
                out.push(word(4).with(32, key.account).bits);
                out.extend(key_words(key.key));
            }
            Pending::ClaimEnd { key, number } => {
                let current = self.ledger().claim_of(key);
                let current = current.is_some_and(|claim| claim.number == number);
                out.push(word(5).with(1, current).bits);
                out.extend(key_words(key));
            }
            Pending::CallClaimEnd { key } => {
                out.push(word(16).with(32, key.account).bits);
                out.extend(key_words(key.key));
            }
            Pending::WindowEnd { job } => out.push(word(6).with(32, job.0).bits),
            Pending::Resend { job, time } => {
                out.extend([word(7).with(32, job.0).bits, time.into()]);
            }
            Pending::Arrive => out.push(word(8).bits),
            Pending::Deploy { first } => out.push(word(9).with(16, first.0).bits),
            Pending::GraceEnd { first } => out.push(word(10).with(16, first.0).bits),
            Pending::TestClock => out.push(word(11).bits),
            Pending::VendorBack => out.push(word(12).bits),
            Pending::Undo => out.push(word(13).bits),
            Pending::Relay { relay } => out.push(word(14).with(16, relay).bits),
            Pending::RelayBack { relay } => out.push(word(15).with(16, relay).bits),
            Pending::Step { .. }
            | Pending::Restart { .. }
            | Pending::LeaseEnd { .. }
            | Pending::WaitEnd { .. }
            | Pending::Receive { .. }
            | Pending::Read { .. } => {}
        }
    }
}

/// What a record is about.
#[derive(Clone, Copy)]
enum Kind {
    Job = 1,
    Message,
    Worker,
    Held,
    VendorKey,
    Claim,
    Row,
    Relay,
    VendorDown,
    Pending,
}

/// A word of a record: its fields side by side.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    pub(super) bits: u64,
    /// How many of the bits are taken, from the lowest on.
    taken: u32,
}

impl Word {
    /// The first word of a record.
    fn of(kind: Kind) -> Self {
        Self { bits: kind as u64, taken: 8 }
    }

    /// The word with one more field, so many bits wide.
    #[inline]
    pub(super) fn with(self, width: u32, field: impl Into<u64>) -> Self {
        let (field, taken) = (field.into(), self.taken + width);
        debug_assert!(field >> width == 0 && taken <= u64::BITS, "{field} in {width} bits");
        Self { bits: self.bits | field << self.taken, taken }
    }
}

/// How a key was made, in 16 bits, and of what. A key that was minted matters only by whether it
/// is known, so its number is written.
fn key_words(key: IdempotencyKey) -> [u64; 2] {
    let (how, number) = match key.minted {
        Minted::Stable => (0_u8, 0),
        Minted::By(number) => (1, number),
        Minted::Missing => (2, 0),
        Minted::Job => (3, 0),
        Minted::Constant => (4, 0),
    };
    [
        Word::default().with(8, how).with(8, key.refund).bits,
        Word::default().with(32, number).with(32, key.job.0).bits,
    ]
}

fn capped(count: usize, most: usize) -> u64 {
    count.min(most) as u64
}

fn place(message: &Message) -> u8 {
    match message.state {
        MessageState::Ready { .. } => 0,
        MessageState::Leased(_) => 1,
        MessageState::Delayed { .. } => 2,
        MessageState::Acked => 3,
        MessageState::Dead => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_word_stand_side_by_side() {
        let word = Word::of(Kind::Row).with(1, true).with(2, 0_u8).with(2, 3_u8);
        assert_eq!(word.bits, 0b1_1001 << 8 | Kind::Row as u64);
        assert_eq!(word.with(32, u32::MAX).bits >> 13, u64::from(u32::MAX));
        let full = Word::default().with(32, 1_u8).with(32, u32::MAX);
        assert_eq!(full.bits, 0xffff_ffff_0000_0001);
    }

    #[test]
    #[should_panic(expected = "4 in 2 bits")]
    fn a_field_wider_than_its_place_is_a_bug() {
        let _ = Word::default().with(2, 4_u8);
    }

    #[test]
    #[should_panic(expected = "0 in 33 bits")]
    fn a_word_has_64_bits() {
        let _ = Word::default().with(32, 0_u8).with(33, 0_u8);
    }
}
