//! What the queue does: sends, receives, the end of a lease, the way back or to the dead letters.

use super::World;
use super::work::attempt_of;
use crate::WHOLE;
use crate::model::job::Job;
use crate::model::key::{IdempotencyKey, KeyPolicy};
use crate::model::queue::{ExtendOutcome, Lease, Message, MessageState, Receipt};
use crate::model::worker::{Held, Step, Task, WorkerState};
use crate::random::{Address, Purpose};
use crate::sim::choice::Pending;
use crate::sim::event::{Attempt, Event, Listener};
use crate::sim::scenario::{CheckpointAt, DeadLetter};
use crate::units::{JobIndex, MessageId, Moment, Span, WorkerId};

impl World {
    /// Every job arrives.
    pub(super) fn arrive_all(&mut self, sink: &mut Listener<'_>) {
        for _ in 0..self.scenario.workload.jobs {
            self.arrive(sink);
        }
    }

    /// The next job arrives, and the one after it will.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn arrive_then_wait(&mut self, sink: &mut Listener<'_>) {
        self.arrive(sink);
        self.wait_for_arrival();
    }

    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn wait_for_arrival(&mut self) {
        let next = self.jobs.len();
        if next >= self.scenario.workload.jobs {
            return;
        }
        self.wait_other(self.now.after(self.gap), Pending::Arrive);
        self.gap = self.scenario.gap_before(next + 1);
    }

    /// A new job, a message that asks for it, and the sendings that will follow.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn arrive(&mut self, sink: &mut Listener<'_>) {
        if WHOLE && self.forgets && self.jobs.is_full() {
            self.forget();
        }
        let job = JobIndex(self.jobs.len());
        self.jobs.push(Job { sent: self.now, ..Job::default() });
        self.to_send -= 1;
        self.enqueue(job, sink);
        if WHOLE && !self.scenario.workload.resends.is_empty() {
            self.wait_for_resends(job);
        }
    }

    /// The producer will send the job's message again.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn wait_for_resends(&mut self, job: JobIndex) {
        for place in 0..self.scenario.workload.resends.len() {
            let due = self.now.after(self.scenario.workload.resends[place]);
            let time = u32::try_from(place + 1).unwrap_or(u32::MAX);
            self.wait_other(due, Pending::Resend { job, time });
            self.to_send += 1;
        }
    }

    /// A message for a job, which the queue takes whatever it knows.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn enqueue(&mut self, job: JobIndex, sink: &mut Listener<'_>) {
        let message = MessageId(self.messages.len());
        let row = &mut self.jobs[job.0];
        let copy = row.copies;
        row.copies += 1;
        self.messages.push(Message::ready(job, copy, self.now));
        self.message_timers.push(0);
        self.note_ready(message, self.now);
        self.sent += 1;
        self.open += 1;
        sink.event(self.now, Event::Sent { job, copy });
        if WHOLE && self.scenario.broker.dedup_window > Span::ZERO {
            self.open_window(job);
        }
    }

    /// The queue knows the job's message id from now on, for a while.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn open_window(&mut self, job: JobIndex) {
        if self.windows.insert(job, ()).is_none() {
            let due = self.now.after(self.scenario.broker.dedup_window);
            self.wait_other(due, Pending::WindowEnd { job });
        }
    }

    /// Forgets what is over and older than every job that anybody still has to do with.
    #[inline(never)]
    fn forget(&mut self) {
        let is_open =
            |message: &&Message| !matches!(message.state, MessageState::Acked | MessageState::Dead);
        let open = self.messages.items().iter().filter(is_open).map(|message| message.job);
        let tasks = self.workers.iter().filter_map(|worker| match worker {
            WorkerState::Busy(task) => Some(task.job),
            WorkerState::Idle { .. } | WorkerState::Down { .. } => None,
        });
        let held = self.all_held().map(|(_, held)| self.message(held.message).job);
        let awaited = self.others.iter().filter_map(|timer| timer.pending.job());
        let oldest = open.chain(tasks).chain(held).chain(awaited).min();
        let oldest = oldest.unwrap_or(JobIndex(self.jobs.len()));
        self.jobs.forget_until(|job, _| job >= oldest.0);
        self.messages.forget_until(|_, message| message.job >= oldest);
        let first = self.messages.forgotten();
        self.message_timers.forget_until(|message, _| message >= first);
        self.ledger.forget_until(oldest);
    }

    /// The producer sends a job's message again: a new message, unless the queue knows its id.
    pub(super) fn resend(&mut self, job: JobIndex, sink: &mut Listener<'_>) {
        self.to_send -= 1;
        if self.windows.contains(&job) {
            sink.event(self.now, Event::Dropped { job });
        } else {
            self.jobs[job.0].attempts = 0;
            self.enqueue(job, sink);
        }
    }

    pub(super) fn receive(
        &mut self,
        worker: WorkerId,
        message: MessageId,
        sink: &mut Listener<'_>,
    ) {
        let MessageState::Ready { since } = self.message(message).state else {
            return;
        };
        self.forget_ready(message, since);
        let job = self.message(message).job;
        if self.is_used_up(message) {
            self.bury(message, sink);
            return;
        }
        self.forget_room(worker);
        let timeout = self.scenario.broker.visibility_timeout;
        let held = &mut self.messages[message.0];
        let lease = held.receive(worker, self.now, timeout);
        let receipt = held.receipt;
        if !WHOLE || self.scenario.broker.expiry_counts {
            held.counted = held.counted.saturating_add(1);
        }
        let starts = matches!(self.workers[usize::from(worker.0)], WorkerState::Idle { .. });
        if !WHOLE || starts || !self.scenario.broker.lease_from_start {
            let due = self.noticed(lease.deadline);
            self.wait_message(message, due);
        } else {
            // Its clock starts with its work; until then it is held without an end.
            let held = Lease { deadline: Moment::MAX, ..lease };
            self.messages[message.0].state = MessageState::Leased(held);
            self.stop_message_timer(message);
        }
        let attempt = self.jobs[job.0].deliver();
        let held = Held { message, attempt, receipt };
        let by = self.attempt_at_start(worker, held);
        sink.event(self.now, Event::Leased { by, receipt, deadline: lease.deadline });
        if starts {
            self.start(worker, held, sink);
        } else {
            self.held[usize::from(worker.0)].push(held);
        }
        if self.prefetches() {
            self.note_room_of_busy(worker);
        }
    }

    /// The attempt that a delivery begins.
    #[cfg_attr(feature = "page", inline(always))]
    pub(super) fn attempt_at_start(&self, worker: WorkerId, held: Held) -> Attempt {
        let Message { job, copy, .. } = *self.message(held.message);
        let Held { attempt, .. } = held;
        let key = IdempotencyKey::chosen(self.scenario.key, job, 0, attempt);
        Attempt { worker, job, copy, attempt, refund: 0, key }
    }

    /// A worker begins with a message that it has.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn start(&mut self, worker: WorkerId, held: Held, sink: &mut Listener<'_>) {
        let Message { job, copy, .. } = *self.message(held.message);
        let key = self.attempt_at_start(worker, held).key;
        self.busy += 1;
        // Made where it stays: a copy of it would be a call out of the module in wasm.
        self.workers[usize::from(worker.0)] = WorkerState::Busy(Task {
            message: held.message,
            job,
            copy,
            attempt: held.attempt,
            receipt: held.receipt,
            position: 0,
            step: Step::Ack,
            since: self.now,
            due: self.now,
            saw: None,
            refund: 0,
            key,
            cents: self.scenario.planned(0, held.attempt),
            tries: 0,
            connected: false,
            paused: false,
            began: self.now,
            timers: [0; 2],
        });
        // Who acks first looks for a checkpoint after that.
        if !self.scenario.acks_first() {
            self.look_for_checkpoint(worker, sink);
        }
        if self.scenario.crew.heartbeat > Span::ZERO || !self.scenario.faults.is_empty() {
            self.start_timers(worker);
        }
        self.go_on(worker, sink);
    }

    /// A worker that finds a checkpoint on the job row goes on behind it.
    pub(super) fn look_for_checkpoint(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(task) = self.task_of(worker) else { return };
        let done = self.jobs[task.job.0].checkpoint;
        if done > 0 {
            self.resume(worker, done, sink);
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn resume(&mut self, worker: WorkerId, done: u8, sink: &mut Listener<'_>) {
        let WorkerState::Busy(task) = &mut self.workers[usize::from(worker.0)] else { return };
        let mints = self.scenario.checkpoint == CheckpointAt::BeforeMint;
        let program = &self.scenario.program;
        task.position = if self.scenario.checkpoint == CheckpointAt::BeforeSkip {
            // The work is taken for done: what is left of it is the ack.
            program.find(Step::Ack, task.position).unwrap_or(u8::MAX)
        } else {
            program.after_checkpoint(done)
        };
        let next = program.at(task.position);
        task.refund = next.map_or(done.saturating_sub(1), |line| line.refund);
        let policy = if mints { KeyPolicy::PerAttempt } else { self.scenario.key };
        task.key = IdempotencyKey::chosen(policy, task.job, task.refund, task.attempt);
        task.cents = self.scenario.planned(task.refund, task.attempt);
        let by = attempt_of(worker, task);
        let found = if mints { Event::Minted { by, done } } else { Event::Resumed { by, done } };
        sink.event(self.now, found);
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn start_timers(&mut self, worker: WorkerId) {
        let Some(task) = self.task_of(worker) else { return };
        let (job, attempt, message) = (task.job, task.attempt, task.message);
        let heartbeat = self.scenario.crew.heartbeat;
        if heartbeat > Span::ZERO {
            let due = self.now.after(heartbeat);
            let timer = self.wait_other(due, Pending::Beat { worker });
            self.set_timer(worker, 0, timer);
        }
        let kills = self
            .scenario
            .faults
            .iter()
            .filter_map(|rule| Some((rule.precision(), rule.kills(job, attempt)?)));
        if let Some((_, span)) = kills.max_by_key(|(precision, _)| *precision) {
            let due = self.message(message).leased_at.after(span).max(self.now);
            let timer = self.wait_other(due, Pending::Kill { worker });
            self.set_timer(worker, 1, timer);
        }
    }

    fn set_timer(&mut self, worker: WorkerId, place: usize, sequence: u64) {
        if let WorkerState::Busy(task) = &mut self.workers[usize::from(worker.0)] {
            task.timers[place] = sequence;
        }
    }

    /// Whether a message has used up its attempts, or the leases that may end.
    pub(super) fn is_used_up(&self, message: MessageId) -> bool {
        let broker = &self.scenario.broker;
        let held = self.message(message);
        held.counted >= broker.max_attempts
            || (WHOLE && broker.max_stalls.is_some_and(|most| held.stalls > most))
    }

    /// When a lease is over: at its deadline, or where sweeps end leases at the next one.
    pub(super) fn noticed(&self, deadline: Moment) -> Moment {
        if WHOLE && self.scenario.broker.sweep_marks { deadline } else { self.sweep_from(deadline) }
    }

    /// The first sweep at a moment or after it.
    fn sweep_from(&self, moment: Moment) -> Moment {
        if !WHOLE || self.scenario.broker.sweep == Span::ZERO {
            return moment;
        }
        self.next_sweep(moment)
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn next_sweep(&self, moment: Moment) -> Moment {
        let sweep = self.scenario.broker.sweep.as_micros();
        let phase = self.scenario.broker.sweep_phase.as_micros();
        let late = moment.as_micros().saturating_sub(phase).div_ceil(sweep);
        Moment::from_micros(late.saturating_mul(sweep).saturating_add(phase))
    }

    /// How long a message whose lease is over waits for the sweep that gives it back: where a sweep
    /// marks what is leased and a renewal takes the mark away, that is the second one after the
    /// last renewal, or a later one.
    fn until_swept(&self, held: &Message) -> Span {
        let (broker, crew) = (&self.scenario.broker, &self.scenario.crew);
        if !broker.sweep_marks || broker.sweep == Span::ZERO {
            return Span::ZERO;
        }
        let MessageState::Leased(lease) = held.state else { return Span::ZERO };
        let renewed = if lease.deadline == held.leased_at.after(broker.visibility_timeout) {
            held.leased_at
        } else {
            let value = crew.heartbeat_value.as_micros();
            Moment::from_micros(lease.deadline.as_micros().saturating_sub(value))
        };
        let marked = self.sweep_from(renewed.after(Span::from_micros(1)));
        self.sweep_from(marked.after(broker.sweep).max(self.now)).since(self.now)
    }

    /// The end of a lease is no nack: the message was hidden until now, and comes back now or
    /// after the backoff.
    pub(super) fn end_lease(&mut self, message: MessageId, sink: &mut Listener<'_>) {
        let until_swept = if WHOLE { self.until_swept(self.message(message)) } else { Span::ZERO };
        let held = &mut self.messages[message.0];
        held.stalls = held.stalls.saturating_add(1);
        let (job, copy, before) = (held.job, held.copy, held.state);
        let attempt = self.jobs[job.0].attempts.saturating_sub(1);
        let eager = self.scenario.broker.dead_letter == DeadLetter::Eager;
        let given_up = eager && self.is_used_up(message);
        let wait = match (given_up, self.scenario.broker.expiry_backoff) {
            (true, _) => None,
            (false, true) => Some(until_swept.saturating_add(self.draw_wait(message, attempt))),
            (false, false) => Some(until_swept),
        };
        sink.event(self.now, Event::Expired { job, copy, attempt, wait });
        match wait {
            Some(wait) => self.hide(message, wait),
            None => self.bury(message, sink),
        }
        if let MessageState::Leased(Lease { holder, .. }) = before {
            self.stop_without_lease(holder, sink);
        }
    }

    /// The message is visible after a wait.
    pub(super) fn hide(&mut self, message: MessageId, wait: Span) {
        if wait == Span::ZERO {
            self.show(message);
            return;
        }
        let until = self.now.after(wait);
        self.messages[message.0].state = MessageState::Delayed { until };
        self.wait_message(message, until);
    }

    pub(super) fn draw_wait(&mut self, message: MessageId, attempt: u32) -> Span {
        let Message { job, copy, .. } = *self.message(message);
        let address =
            Address { job: job.0, message: copy, attempt, ..Address::new(Purpose::Backoff) };
        let scenario = &self.scenario;
        let row = &mut self.jobs[job.0];
        let wait = scenario.backoff.delay(attempt, row.last_wait, &scenario.draws, address);
        row.last_wait = Some(wait);
        wait
    }

    /// The message is visible from now on.
    pub(super) fn show(&mut self, message: MessageId) {
        self.messages[message.0].state = MessageState::Ready { since: self.now };
        self.note_ready(message, self.now);
        self.stop_message_timer(message);
    }

    pub(super) fn bury(&mut self, message: MessageId, sink: &mut Listener<'_>) {
        let Message { job, copy, .. } = *self.message(message);
        self.messages[message.0].state = MessageState::Dead;
        self.open -= 1;
        self.stop_message_timer(message);
        let attempts = self.jobs[job.0].attempts;
        sink.event(self.now, Event::Dead { job, copy, attempts });
    }

    /// A worker's heartbeat. One that comes too late is told so, and there is no next.
    pub(super) fn beat(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(mut task) = self.task(worker) else { return };
        let by = attempt_of(worker, &task);
        let (broker, crew) = (&self.scenario.broker, &self.scenario.crew);
        let (value, period) = (crew.heartbeat_value, crew.heartbeat);
        let (longest, late) = (broker.max_lease, broker.late_extend);
        let before = self.message(task.message).state;
        let outcome = self.messages[task.message.0].extend(
            worker,
            task.receipt,
            self.now,
            value,
            longest,
            late,
        );
        if let ExtendOutcome::Until(deadline) = outcome {
            if let MessageState::Ready { since } = before {
                self.forget_ready(task.message, since);
            }
            let message = task.message;
            self.wait_message(message, self.noticed(deadline));
        }
        sink.event(self.now, Event::Beat { by, outcome });
        task.timers[0] = match outcome {
            ExtendOutcome::TooLate => 0,
            _ => self.wait_other(self.now.after(period), Pending::Beat { worker }),
        };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
    }

    /// Starts the clock of a lease anew, where it starts with the work.
    pub(super) fn restart_lease(&mut self, worker: WorkerId, message: MessageId, receipt: Receipt) {
        let held = self.messages[message.0].is_held_by(receipt);
        if !WHOLE || !self.scenario.broker.lease_from_start || !held {
            return;
        }
        let timeout = self.scenario.broker.visibility_timeout;
        let deadline = self.now.after(timeout);
        let lease = Lease { holder: worker, deadline };
        self.messages[message.0].state = MessageState::Leased(lease);
        self.messages[message.0].leased_at = self.now;
        self.wait_message(message, self.noticed(deadline));
    }
}
