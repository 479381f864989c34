//! The two keys by which worlds are compared.
//!
//! Both are bytes. The untimed key has no times, draws, sequence or log: two worlds with the
//! same one have the same futures as long as any pending event may come next. Messages that are
//! over are left out, and counters are written only as far as a limit or a property reads them,
//! so that a run without end closes a loop. The timed key adds times relative to now, so that two
//! worlds with the same one have the same timed futures.

use super::choice::Pending;
use super::world::World;
use crate::model::key::{IdempotencyKey, Minted};
use crate::model::outbox::RelayState;
use crate::model::queue::{Message, MessageState, Receipt};
use crate::model::vendor::Known;
use crate::model::worker::{Task, WorkerState};
use crate::units::{JobIndex, MessageId, Moment, WorkerId};

/// A property reads whether something happened more than once, not how much more.
const MANY: usize = 2;

impl World {
    /// Writes the key for a search in which any pending event may come next.
    pub fn untimed_key(&self, out: &mut Vec<u8>) {
        out.clear();
        let refunds = self.scenario().refunds();
        for (index, job) in (0..).map(JobIndex).zip(self.jobs()) {
            out.push(job.checkpoint);
            out.push(u8::from(job.refused) | u8::from(job.retried) << 1);
            for refund in 0..refunds {
                let rows = self.ledger().of_job(index).filter(|(_, row)| row.refund == refund);
                out.push(capped(rows.count(), MANY));
                out.push(capped(self.vendor().paid(index, refund), MANY));
            }
            if let Some(token) = self.ledger().token(index) {
                self.token_key(index, token, out);
            }
            out.push(0xff);
        }
        for (message, held) in self.live() {
            out.push(place(held));
            // The highest limit there is stands for none, and what no limit reads is not written.
            let limit = self.scenario().broker.max_attempts;
            if limit < u32::MAX {
                out.extend(held.counted.min(limit).to_le_bytes());
            }
            if let Some(most) = self.scenario().broker.max_stalls {
                out.extend(held.stalls.min(most + 1).to_le_bytes());
            }
            out.extend(held.job.0.to_le_bytes());
            // Whether the holder is still there decides whether the end of its lease is free.
            out.push(u8::from(self.has_living_holder(message)));
        }
        out.push(0xfe);
        // What is over may still be spoken of: whether a job was given up is read by properties.
        for (index, _) in (0..).map(JobIndex).zip(self.jobs()) {
            let of_job = |state| {
                let mut all = self.messages().iter();
                all.any(|message| message.job == index && message.state == state)
            };
            out.push(
                u8::from(of_job(MessageState::Acked)) | u8::from(of_job(MessageState::Dead)) << 1,
            );
        }
        for (worker, state) in (0..).map(WorkerId).zip(self.workers()) {
            out.push(u8::from(self.is_stopping(worker)));
            match state {
                WorkerState::Idle { .. } => out.push(0),
                WorkerState::Down { .. } => out.push(1),
                WorkerState::Busy(task) => self.task_key(task, out),
            }
            for held in self.held(worker) {
                out.push(3);
                out.extend(self.live_place(held.message).to_le_bytes());
                out.push(u8::from(
                    held.receipt == self.messages()[held.message.0 as usize].receipt,
                ));
            }
        }
        for (key, known) in self.vendor().keys() {
            out.extend(key.account.to_le_bytes());
            self.idempotency_key(key.key, out);
            match known {
                Known::InFlight { cents, over } => {
                    out.extend([0, u8::from(*over)]);
                    out.extend(cents.as_cents().to_le_bytes());
                }
                Known::Stored { cents, status } => {
                    out.extend(status.to_le_bytes());
                    out.extend(cents.as_cents().to_le_bytes());
                }
            }
        }
        for (key, claim) in self.ledger().claims() {
            self.idempotency_key(*key, out);
            out.push(2 + u8::from(claim.done));
        }
        for row in self.outbox() {
            out.extend(row.job.0.to_le_bytes());
            out.extend([u8::from(row.marked), capped(row.sends as usize, MANY)]);
        }
        for relay in self.relays() {
            match relay {
                RelayState::Idle { .. } => out.push(0),
                RelayState::Down { .. } => out.push(1),
                RelayState::Busy { row, step, .. } => {
                    out.extend([2, *step as u8, capped(*row, 250)]);
                }
            }
        }
        out.push(u8::from(self.vendor_is_down()));
        for (_, _, pending) in self.other_timers() {
            self.pending_key(pending, out);
        }
    }

    /// Writes the key for a search that keeps the timings.
    pub fn timed_key(&self, out: &mut Vec<u8>) {
        self.untimed_key(out);
        let now = self.now();
        let relative = |moment: Moment, out: &mut Vec<u8>| {
            out.extend(moment.since(now).as_micros().to_le_bytes());
            out.extend(now.since(moment).as_micros().to_le_bytes());
        };
        for job in self.jobs() {
            out.extend(job.attempts.to_le_bytes());
            out.extend(job.last_wait.map_or(0, |wait| wait.as_micros() + 1).to_le_bytes());
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
                    out.extend(task.attempt.to_le_bytes());
                    relative(task.since, out);
                    relative(task.due, out);
                }
            }
        }
        for relay in self.relays() {
            match relay {
                RelayState::Idle { since } => relative(*since, out),
                RelayState::Down { until } => relative(*until, out),
                RelayState::Busy { due, .. } => relative(*due, out),
            }
        }
        for (due, _, _) in self.other_timers() {
            relative(due, out);
        }
        let mut ranks = self.timers().to_vec();
        ranks.extend(self.other_timers().map(|(_, sequence, _)| sequence));
        ranks.sort_unstable();
        for sequence in
            self.timers().iter().copied().chain(self.other_timers().map(|(_, it, _)| it))
        {
            let rank = ranks.binary_search(&sequence).unwrap_or(0);
            out.extend(u32::try_from(rank).unwrap_or(u32::MAX).to_le_bytes());
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
        let mut workers = (0..).map(WorkerId).take(self.workers().len());
        self.workers().iter().any(works)
            || workers
                .any(|worker| self.held(worker).iter().any(|held| mine(held.message, held.receipt)))
    }

    fn task_key(&self, task: &Task, out: &mut Vec<u8>) {
        let message = &self.messages()[task.message.0 as usize];
        let newest = task.receipt == message.receipt;
        out.extend([2, task.position, task.step as u8, u8::from(newest)]);
        out.extend([u8::from(task.saw.is_some()), u8::from(task.connected), u8::from(task.paused)]);
        out.extend(task.tries.to_le_bytes());
        out.extend(self.live_place(task.message).to_le_bytes());
        if matches!(message.state, MessageState::Acked | MessageState::Dead) {
            out.push(place(message));
            out.extend(message.job.0.to_le_bytes());
        }
        self.idempotency_key(task.key, out);
        if self.scenario().workload.drift.as_cents() > 0 {
            out.extend(task.cents.as_cents().to_le_bytes());
        }
        if let Some(token) = self.ledger().token(task.job) {
            out.push(match task.receipt.0.cmp(&token) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            });
        }
    }

    /// A token matters only against the receipts of those who may still show theirs.
    fn token_key(&self, job: JobIndex, token: u32, out: &mut Vec<u8>) {
        let newest = self.messages().iter().filter(|message| message.job == job);
        let newest = newest.map(|message| message.receipt.0).max().unwrap_or(0);
        out.push(u8::from(token >= newest));
    }

    /// A key that was minted matters only by whether it is known, so its number is written.
    fn idempotency_key(&self, key: IdempotencyKey, out: &mut Vec<u8>) {
        out.extend(key.job.0.to_le_bytes());
        let (kind, number) = match key.minted {
            Minted::Stable => (0, 0),
            Minted::By(number) => (1, number),
            Minted::Missing => (2, 0),
            Minted::Job => (3, 0),
            Minted::Constant => (4, 0),
        };
        out.extend([key.refund, kind]);
        out.extend(number.to_le_bytes());
    }

    fn pending_key(&self, pending: Pending, out: &mut Vec<u8>) {
        match pending {
            Pending::Beat { worker } | Pending::Kill { worker } => {
                out.extend([10, capped(usize::from(worker.0), 250)])
            }
            Pending::Answer { call } | Pending::LateCall { call } => {
                out.push(11);
                self.call_key(call, out);
            }
            Pending::KeyEnd { key } => {
                out.push(12);
                out.extend(key.account.to_le_bytes());
                self.idempotency_key(key.key, out);
            }
            Pending::ClaimEnd { key, number } => {
                out.push(13);
                self.idempotency_key(key, out);
                let current = self.ledger().claim_of(key);
                out.push(u8::from(current.is_some_and(|claim| claim.number == number)));
            }
            Pending::WindowEnd { job } => {
                out.push(14);
                out.extend(job.0.to_le_bytes());
            }
            Pending::Resend { job, time } => {
                out.push(15);
                out.extend(job.0.to_le_bytes());
                out.extend(time.to_le_bytes());
            }
            Pending::Arrive => out.push(16),
            Pending::Deploy => out.push(17),
            Pending::GraceEnd => out.push(18),
            Pending::TestClock => out.push(19),
            Pending::VendorBack => out.push(20),
            Pending::Undo => out.push(21),
            Pending::Relay { relay } | Pending::RelayBack { relay } => {
                out.extend([22, capped(usize::from(relay), 250)]);
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

fn capped(count: usize, most: usize) -> u8 {
    u8::try_from(count.min(most)).unwrap_or(u8::MAX)
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
