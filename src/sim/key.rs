//! The two keys by which worlds are compared.
//!
//! Both are bytes. The untimed key has no times, draws, sequence or log: two worlds with the
//! same one have the same futures as long as any pending event may come next. The timed key adds
//! times relative to now, so that two worlds with the same one have the same timed futures.

use super::world::World;
use crate::model::queue::{Message, MessageState};
use crate::model::worker::{Step, WorkerState};
use crate::units::{JobIndex, Moment};

/// A property reads whether a job was paid more than once, not how much more.
const MANY: usize = 2;

impl World {
    /// Writes the key for a search in which any pending event may come next.
    pub fn untimed_key(&self, out: &mut Vec<u8>) {
        out.clear();
        for (index, job) in (0..).map(JobIndex).zip(self.jobs()) {
            out.push(u8::from(job.checkpoint));
            out.push(capped(self.ledger().of_job(index).count(), MANY));
        }
        for message in self.messages() {
            out.push(place(message));
            let receives = message.receives.min(self.scenario().max_attempts);
            out.extend(receives.to_le_bytes());
        }
        for worker in self.workers() {
            match worker {
                WorkerState::Idle { .. } => out.push(0),
                WorkerState::Down { .. } => out.push(1),
                WorkerState::Busy(task) => {
                    let message = &self.messages()[task.message.0 as usize];
                    let newest = task.receipt == message.receipt;
                    out.extend([
                        2,
                        step(task.step),
                        u8::from(newest),
                        u8::from(task.saw.is_some()),
                    ]);
                    out.extend(task.message.0.to_le_bytes());
                }
            }
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
        for message in self.messages() {
            match message.state {
                MessageState::Ready { since } => relative(since, out),
                MessageState::Leased(lease) => relative(lease.deadline, out),
                MessageState::Delayed { until } => relative(until, out),
                MessageState::Acked | MessageState::Dead => {}
            }
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
        let mut ranks = self.timers().to_vec();
        ranks.sort_unstable();
        for sequence in self.timers() {
            let rank = ranks.binary_search(sequence).unwrap_or(0);
            out.extend(u32::try_from(rank).unwrap_or(u32::MAX).to_le_bytes());
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

fn step(step: Step) -> u8 {
    match step {
        Step::Think => 0,
        Step::Check => 1,
        Step::Write => 2,
        Step::Checkpoint => 3,
        Step::Ack => 4,
    }
}
