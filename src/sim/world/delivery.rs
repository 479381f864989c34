//! What the queue does: send, receive, the end of a lease, the way back or to the dead letters.

use super::World;
use super::work::attempt_of;
use crate::model::job::Job;
use crate::model::queue::{Message, MessageState};
use crate::model::worker::{Step, Task};
use crate::random::{Address, Purpose};
use crate::sim::choice::Pending;
use crate::sim::event::{Event, Sink};
use crate::sim::scenario::DeadLetter;
use crate::units::{JobIndex, MessageId, Span, WorkerId};

impl World {
    /// A new job and a message that asks for it.
    pub(super) fn send(&mut self, sink: &mut dyn Sink) {
        let job = JobIndex(self.jobs.len().try_into().unwrap_or(u32::MAX));
        let message = MessageId(self.messages.len().try_into().unwrap_or(u32::MAX));
        self.jobs.push(Job::default());
        self.messages.push(Message::ready(job, self.now));
        self.timers.push(0);
        self.note_ready(message, self.now);
        self.sent += 1;
        self.open += 1;
        sink.event(self.now, Event::Sent { job });
    }

    pub(super) fn receive(&mut self, worker: WorkerId, message: MessageId, sink: &mut dyn Sink) {
        let MessageState::Ready { .. } = self.message(message).state else {
            return;
        };
        let job = self.message(message).job;
        if self.message(message).receives >= self.scenario.max_attempts {
            self.bury(message, sink);
            return;
        }
        self.busy += 1;
        let timeout = self.scenario.visibility_timeout;
        let lease = self.messages[message.0 as usize].receive(worker, self.now, timeout);
        self.wait_message(message, lease.deadline, Pending::LeaseEnd { message });
        let attempt = self.jobs[job.0 as usize].deliver();
        let resumed = self.jobs[job.0 as usize].checkpoint;
        let step = if resumed { Step::Ack } else { self.scenario.slice.first(self.scenario.guard) };
        let task = Task {
            message,
            job,
            attempt,
            receipt: lease.receipt,
            step,
            since: self.now,
            due: self.now,
            saw: None,
        };
        let by = attempt_of(worker, &task);
        let leased = Event::Leased { by, receipt: lease.receipt, deadline: lease.deadline };
        sink.event(self.now, leased);
        if resumed {
            sink.event(self.now, Event::Resumed(by));
        }
        self.begin(worker, task, step);
    }

    /// The end of a lease is no nack: the message was hidden until now, and comes back now or
    /// after the backoff.
    pub(super) fn end_lease(&mut self, message: MessageId, sink: &mut dyn Sink) {
        let job = self.message(message).job;
        let attempt = self.jobs[job.0 as usize].attempts.saturating_sub(1);
        let used_up = self.message(message).receives >= self.scenario.max_attempts;
        let given_up = used_up && self.scenario.dead_letter == DeadLetter::Eager;
        let wait = if given_up { Span::ZERO } else { self.draw_wait(job, message, attempt) };
        sink.event(self.now, Event::Expired { job, attempt, wait });
        if given_up {
            self.bury(message, sink);
        } else if wait == Span::ZERO {
            self.show(message);
        } else {
            let until = self.now.after(wait);
            self.messages[message.0 as usize].state = MessageState::Delayed { until };
            self.wait_message(message, until, Pending::WaitEnd { message });
        }
    }

    pub(super) fn draw_wait(&mut self, job: JobIndex, message: MessageId, attempt: u32) -> Span {
        if !self.scenario.expiry_backoff {
            return Span::ZERO;
        }
        let address = Address {
            purpose: Purpose::Backoff,
            job: job.0,
            message: message.0,
            attempt,
            retry: 0,
            point: 0,
        };
        let row = &mut self.jobs[job.0 as usize];
        let scenario = &self.scenario;
        let wait = scenario.backoff.delay(attempt, row.last_wait, &scenario.draws, address);
        row.last_wait = Some(wait);
        wait
    }

    /// The message is visible from now on.
    pub(super) fn show(&mut self, message: MessageId) {
        self.messages[message.0 as usize].state = MessageState::Ready { since: self.now };
        self.note_ready(message, self.now);
        self.stop_message_timer(message);
    }

    pub(super) fn bury(&mut self, message: MessageId, sink: &mut dyn Sink) {
        let job = self.message(message).job;
        self.messages[message.0 as usize].state = MessageState::Dead;
        self.open -= 1;
        self.stop_message_timer(message);
        let attempts = self.jobs[job.0 as usize].attempts;
        sink.event(self.now, Event::Dead { job, attempts });
    }
}
