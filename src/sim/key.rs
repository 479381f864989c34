//! The two keys by which worlds are compared.
//!
//! Both are words, made anew for every event that a search tries, so what nearly every state has
//! is packed: a word or two for each job, message and worker. The first word of a record has its
//! kind in its highest byte and says how many follow, so that no two states have one key. The
//! untimed key has no times, draws, sequence or log: two worlds with the
//! same one have the same futures as long as any pending event may come next. Messages that are
//! over are left out, and counters are written only as far as a limit or a property reads them,
//! so that a run without end closes a loop. The timed key adds times relative to now, so that two
//! worlds with the same one have the same timed futures.

use super::choice::Pending;
use super::world::World;
use crate::model::job::Job;
use crate::model::key::{IdempotencyKey, Minted};
use crate::model::outbox::RelayState;
use crate::model::queue::{Message, MessageState, Receipt};
use crate::model::vendor::Known;
use crate::model::worker::{Task, WorkerState};
use crate::units::{JobIndex, MessageId, Moment, WorkerId};
use std::ops::Range;

/// A property reads whether something happened more than once, not how much more.
const MANY: usize = 2;
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
    /// one of them, none holds more than it works on, none is to stop.
    fn has_equal_workers(&self) -> bool {
        let named = |pending| matches!(pending, Pending::Beat { .. } | Pending::Kill { .. });
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
                record(Kind::Message) | place(held) | wide(stalls) << 8,
                wide(held.job.0) << 32 | wide(counted),
            ]);
        }
        let first = out.len();
        for (worker, state) in (0..).map(WorkerId).zip(self.workers()) {
            let stopping = record(Kind::Worker) | flag(self.is_stopping(worker));
            out.extend_from_slice(&match state {
                WorkerState::Idle { .. } => [stopping, 0, 0],
                WorkerState::Down { .. } => [stopping | 1 << 1, 0, 0],
                WorkerState::Busy(task) => self.task_key(task, stopping),
            });
        }
        let workers = first..out.len();
        for (worker, held) in self.all_held() {
            let newest = held.receipt == self.messages()[held.message.0 as usize].receipt;
            let at = self.live_place(held.message);
            let by = u64::from(worker.0) << 40;
            out.push(record(Kind::Held) | by | flag(newest) << 32 | wide(at));
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
                Known::InFlight { cents, over } => (flag(*over), cents),
                Known::Stored { cents, status } => (2 + u64::from(*status), cents),
            };
            out.push(record(Kind::VendorKey) | known << 32 | wide(key.account));
            out.push(cents.as_cents());
            out.extend(key_words(key.key));
        }
        for (key, claim) in self.ledger().claims() {
            out.push(record(Kind::Claim) | flag(claim.done));
            out.extend(key_words(*key));
        }
        for row in self.outbox() {
            let sends = capped(row.sends as usize, MANY);
            out.push(record(Kind::Row) | flag(row.marked) << 40 | sends << 32 | wide(row.job.0));
        }
        for relay in self.relays() {
            out.push(
                record(Kind::Relay)
                    | match relay {
                        RelayState::Idle { .. } => 0,
                        RelayState::Down { .. } => 1,
                        RelayState::Busy { row, step, .. } => {
                            2 | (*step as u64) << 2 | (*row as u64) << 8
                        }
                        RelayState::Waiting { row, .. } => 3 | (*row as u64) << 8,
                    },
            );
        }
        if self.vendor_is_down() {
            out.push(record(Kind::VendorDown));
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
            out.push(wide(job.attempts));
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
                    out.push(wide(task.attempt));
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
            out.push(wide(row.sends));
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
        let refunds = (0..self.scenario().refunds()).fold(0, |packed, refund| {
            let rows = self.ledger().of_job(index).filter(|(_, row)| row.refund == refund);
            let (rows, paid) = (capped(rows.count(), MANY), self.vendor().paid(index, refund));
            packed << 4 | rows << 2 | capped(paid, MANY)
        });
        // What is over may still be spoken of: whether a job was given up is read by properties.
        let (mut acked, mut dead, mut newest) = (false, false, 0);
        for message in self.messages().iter().filter(|message| message.job == index) {
            acked |= matches!(message.state, MessageState::Acked);
            dead |= matches!(message.state, MessageState::Dead);
            newest = newest.max(message.receipt.0);
        }
        // A token matters only against the receipts of those who may still show theirs.
        let token = self.ledger().token(index).map_or(0, |token| 1 + flag(token >= newest));
        out.push(
            record(Kind::Job)
                | u64::from(job.checkpoint)
                | flag(job.refused) << 8
                | flag(job.retried) << 9
                | flag(acked) << 10
                | flag(dead) << 11
                | token << 12
                | refunds << 16,
        );
    }

    fn task_key(&self, task: &Task, record: u64) -> [u64; WORKER_WORDS] {
        let message = &self.messages()[task.message.0 as usize];
        let newest = task.receipt == message.receipt;
        let over = matches!(message.state, MessageState::Acked | MessageState::Dead);
        let token = self.ledger().token(task.job).map_or(0, |token| {
            1 + match task.receipt.0.cmp(&token) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            }
        });
        let [kind, key] = key_words(task.key);
        let over_at = if over { place(message) << 40 } else { 0 };
        let at = if over { message.job.0 } else { self.live_place(task.message) };
        [
            record
                | 1 << 2
                | flag(newest) << 3
                | flag(task.saw.is_some()) << 4
                | flag(task.connected) << 5
                | flag(task.paused) << 6
                | (task.step as u64) << 8
                | u64::from(task.position) << 16
                | kind << 24
                | over_at
                | token << 48,
            wide(task.tries) << 32 | wide(at),
            key,
        ]
    }

    fn pending_key(&self, pending: Pending, out: &mut Vec<u64>) {
        let kind = record(Kind::Pending);
        match pending {
            Pending::Beat { worker } | Pending::Kill { worker } => {
                out.push(kind | 10 << 32 | u64::from(worker.0));
            }
            Pending::Answer { call } => {
                out.push(kind | 11 << 32);
                self.call_key(call, out);
            }
            Pending::LateCall { call } => {
                out.push(kind | 23 << 32);
                self.call_key(call, out);
            }
            Pending::KeyEnd { key } => {
                out.push(kind | 12 << 32 | wide(key.account));
                out.extend(key_words(key.key));
            }
            Pending::ClaimEnd { key, number } => {
                let current = self.ledger().claim_of(key);
                let current = current.is_some_and(|claim| claim.number == number);
                out.push(kind | 13 << 32 | flag(current));
                out.extend(key_words(key));
            }
            Pending::WindowEnd { job } => out.push(kind | 14 << 32 | wide(job.0)),
            Pending::Resend { job, time } => {
                out.extend([kind | 15 << 32 | wide(job.0), wide(time)]);
            }
            Pending::Arrive => out.push(kind | 16 << 32),
            Pending::Deploy => out.push(kind | 17 << 32),
            Pending::GraceEnd => out.push(kind | 18 << 32),
            Pending::TestClock => out.push(kind | 19 << 32),
            Pending::VendorBack => out.push(kind | 20 << 32),
            Pending::Undo => out.push(kind | 21 << 32),
            Pending::Relay { relay } | Pending::RelayBack { relay } => {
                out.push(kind | 22 << 32 | u64::from(relay));
            }
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

fn record(kind: Kind) -> u64 {
    (kind as u64) << 56
}

fn flag(yes: bool) -> u64 {
    u64::from(yes)
}

fn wide(number: u32) -> u64 {
    u64::from(number)
}

/// How a key was made, in 16 bits, and of what. A key that was minted matters only by whether it
/// is known, so its number is written.
fn key_words(key: IdempotencyKey) -> [u64; 2] {
    let (kind, number) = match key.minted {
        Minted::Stable => (0, 0),
        Minted::By(number) => (1, number),
        Minted::Missing => (2, 0),
        Minted::Job => (3, 0),
        Minted::Constant => (4, 0),
    };
    [u64::from(key.refund) << 8 | kind, wide(key.job.0) << 32 | wide(number)]
}

fn capped(count: usize, most: usize) -> u64 {
    count.min(most) as u64
}

fn place(message: &Message) -> u64 {
    match message.state {
        MessageState::Ready { .. } => 0,
        MessageState::Leased(_) => 1,
        MessageState::Delayed { .. } => 2,
        MessageState::Acked => 3,
        MessageState::Dead => 4,
    }
}
