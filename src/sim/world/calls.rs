//! Calls to the vendor: how they reach it, what it answers, what a worker makes of that.

use super::World;
use super::work::attempt_of;
use crate::model::outbox::RelayState;
use crate::model::vendor::{Begun, CREATED, IN_PROGRESS, Request, Scoped, is_retried, is_success};
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::choice::Pending;
use crate::sim::event::{Answered, Event, Sink};
use crate::sim::fault::Verdict;
use crate::units::{JobIndex, Moment, Span, WorkerId};

/// A call that the vendor has, or that is still on its way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    request: Request,
    /// With which status it will end.
    status: u16,
    /// Whether it runs; if not, it is a refusal that takes its time.
    runs: bool,
    /// Who waits for the answer: a worker, in this attempt.
    waiter: Option<(WorkerId, JobIndex, u32)>,
}

impl World {
    /// A worker's call reaches the vendor, unless something goes wrong on the way.
    pub(super) fn call(
        &mut self,
        worker: WorkerId,
        task: Task,
        verdict: Verdict,
        sink: &mut dyn Sink,
    ) {
        let by = attempt_of(self, worker, &task);
        let row = &mut self.jobs[task.job.0 as usize];
        row.retried |= row.refused;
        sink.event(self.now, Event::Called { by, cents: task.cents });
        let request = self.request(&task);
        match verdict {
            Verdict::Late(span) => {
                let call = self.keep(Call { request, status: CREATED, runs: true, waiter: None });
                self.wait_other(self.now.after(span), Pending::LateCall { call });
                self.wait_for_answer(worker, task, sink);
            }
            Verdict::Lost => {
                self.run_unheard(&request, sink);
                self.wait_for_answer(worker, task, sink);
            }
            Verdict::Answer(500) => self.reach(worker, task, &request, 500, sink),
            Verdict::Answer(status) => {
                self.answer(worker, task, status, Answered::Refused, false, sink)
            }
            _ => self.reach(worker, task, &request, CREATED, sink),
        }
    }

    fn request(&self, task: &Task) -> Request {
        Request {
            job: task.job,
            refund: self.refund_at(task),
            account: task.job.0 % self.scenario.workload.accounts,
            key: task.key,
            cents: task.cents,
        }
    }

    /// The vendor takes a call that a worker waits for; `status` is what running it ends with.
    fn reach(
        &mut self,
        worker: WorkerId,
        task: Task,
        request: &Request,
        status: u16,
        sink: &mut dyn Sink,
    ) {
        let waiter = Some((worker, task.job, task.attempt));
        let side = &self.scenario.vendor;
        let full = side.slots.is_some_and(|slots| self.vendor.running >= slots);
        if self.vendor_is_down || full {
            let refusal = side.refusal_status;
            if side.refusal_time == Span::ZERO {
                self.answer(worker, task, refusal, Answered::Refused, false, sink);
            } else {
                let due = self.now.after(side.refusal_time);
                let call = Call { request: *request, status: refusal, runs: false, waiter };
                let call = self.keep(call);
                self.wait_other(due, Pending::Answer { call });
                self.wait_for_answer(worker, task, sink);
            }
            return;
        }
        match self.begin_at_vendor(request) {
            Begun::Replays { status } => {
                self.answer(worker, task, status, Answered::Replayed, false, sink);
            }
            Begun::Refuses { status } => {
                self.answer(worker, task, status, Answered::Refused, false, sink);
            }
            Begun::InProgress => {
                self.answer(worker, task, IN_PROGRESS, Answered::Refused, true, sink);
            }
            Begun::Runs => {
                let time =
                    self.scenario.spread(self.scenario.vendor.time, self.service_address(&task));
                if time == Span::ZERO {
                    self.end_at_vendor(request, status, sink);
                    self.answer(worker, task, status, Answered::Ran, false, sink);
                } else {
                    self.vendor.running += 1;
                    let call = self.keep(Call { request: *request, status, runs: true, waiter });
                    self.wait_other(self.now.after(time), Pending::Answer { call });
                    self.wait_for_answer(worker, task, sink);
                }
            }
        }
    }

    /// A call whose answer nobody will hear.
    fn run_unheard(&mut self, request: &Request, sink: &mut dyn Sink) {
        let slots = self.scenario.vendor.slots;
        let full = slots.is_some_and(|slots| self.vendor.running >= slots);
        if self.vendor_is_down || full || self.begin_at_vendor(request) != Begun::Runs {
            return;
        }
        let time = self.scenario.vendor.time;
        if time == Span::ZERO {
            self.end_at_vendor(request, CREATED, sink);
        } else {
            self.vendor.running += 1;
            let call =
                self.keep(Call { request: *request, status: CREATED, runs: true, waiter: None });
            self.wait_other(self.now.after(time), Pending::Answer { call });
        }
    }

    fn keep(&mut self, call: Call) -> u32 {
        let number = self.next[0];
        self.next[0] += 1;
        self.calls.insert(number, call);
        number
    }

    /// The vendor begins with a request. A key's life counts from its first use.
    fn begin_at_vendor(&mut self, request: &Request) -> Begun {
        let profile = self.scenario.vendor.profile;
        let key = profile.scope(request);
        let known = self.vendor.known(key).is_some();
        let begun = self.vendor.begin(&profile, request);
        let life = self.scenario.vendor.key_life;
        if begun == Begun::Runs && !known && self.vendor.known(key).is_some() {
            let due = self.now.after(life);
            self.wait_other(due, Pending::KeyEnd { key });
        }
        begun
    }

    fn end_at_vendor(&mut self, request: &Request, status: u16, sink: &mut dyn Sink) {
        let again = self.vendor.paid(request.job, request.refund) > 0;
        let profile = self.scenario.vendor.profile;
        if let Some(payment) = self.vendor.finish(&profile, request, status, self.now) {
            let Request { job, key, cents, .. } = *request;
            sink.event(self.now, Event::Paid { job, key, payment, cents, again });
        }
        // A key that was not stored has no life to end: its next use starts a new one.
        let key = profile.scope(request);
        if self.vendor.known(key).is_none() {
            self.others.retain(|timer| timer.pending != Pending::KeyEnd { key });
        }
    }

    /// The relay's way to the vendor: at once, and it has all the time in the world.
    /// Returns whether the vendor knew the key and gave its stored answer.
    pub(super) fn publish_to_vendor(&mut self, request: &Request, sink: &mut dyn Sink) -> bool {
        match self.begin_at_vendor(request) {
            Begun::Runs => {
                self.end_at_vendor(request, CREATED, sink);
                false
            }
            Begun::Replays { .. } => true,
            Begun::Refuses { .. } | Begun::InProgress => false,
        }
    }

    /// Who waits for the answer to a call, if somebody still does.
    pub(super) fn waiting_for(&self, call: &Call) -> Option<WorkerId> {
        let (worker, job, attempt) = call.waiter?;
        let task = self.task(worker)?;
        let waits = (task.step, task.job, task.attempt) == (Step::Await, job, attempt);
        waits.then_some(worker)
    }

    /// The vendor is done with a call.
    pub(super) fn finish_call(&mut self, number: u32, sink: &mut dyn Sink) {
        let Some(call) = self.calls.remove(&number) else { return };
        if call.runs {
            self.vendor.running -= 1;
            self.end_at_vendor(&call.request, call.status, sink);
        }
        let Some(worker) = self.waiting_for(&call) else { return };
        let Some(task) = self.task(worker) else { return };
        let how = if call.runs { Answered::Ran } else { Answered::Refused };
        self.answer(worker, task, call.status, how, false, sink);
    }

    /// A call that was late reaches the vendor, and nobody waits any more.
    pub(super) fn late_call(&mut self, number: u32, sink: &mut dyn Sink) {
        let Some(call) = self.calls.remove(&number) else { return };
        let Request { job, key, .. } = call.request;
        sink.event(self.now, Event::LateCall { job, key });
        self.run_unheard(&call.request, sink);
    }

    /// The worker waits: for the answer, or until it gives up on it.
    fn wait_for_answer(&mut self, worker: WorkerId, task: Task, sink: &mut dyn Sink) {
        let timeout = self.scenario.client.timeout;
        let expected =
            self.calls.values().any(|call| call.waiter == Some((worker, task.job, task.attempt)));
        if !expected && timeout == Span::ZERO {
            self.no_answer(worker, task, sink);
            return;
        }
        let due = if timeout == Span::ZERO { Moment::MAX } else { self.now.after(timeout) };
        let task = Task { step: Step::Await, since: self.now, due, paused: false, ..task };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, due);
        self.note_begun(worker);
    }

    /// No answer means "unknown": it may have been paid. So the same key again, by default.
    pub(super) fn no_answer(&mut self, worker: WorkerId, task: Task, sink: &mut dyn Sink) {
        let by = attempt_of(self, worker, &task);
        sink.event(self.now, Event::NoAnswer(by));
        if self.scenario.client.retries_unknown {
            self.try_again(worker, task, sink);
        } else {
            sink.event(self.now, Event::Failed { by, status: None });
            self.fail(worker, &task, sink);
        }
    }

    /// What a worker makes of an answer. A conflict "in progress" is never acked: the worker gives
    /// the message back and comes again with the same key. Any other 409 is final.
    fn answer(
        &mut self,
        worker: WorkerId,
        task: Task,
        status: u16,
        how: Answered,
        in_progress: bool,
        sink: &mut dyn Sink,
    ) {
        let by = attempt_of(self, worker, &task);
        sink.event(self.now, Event::Answer { by, status, how });
        if is_success(status) {
            self.go_on(worker, Task { tries: 0, ..task }, sink);
            return;
        }
        let permanent = !is_retried(status) && !in_progress;
        self.jobs[task.job.0 as usize].refused |= permanent;
        if !permanent || self.scenario.client.retries_4xx {
            if !in_progress && task.tries + 1 >= self.scenario.client.tries {
                // Nothing was paid, and the worker knows it: its claim is for the next attempt.
                self.release_claim(&task);
            }
            self.try_again(worker, task, sink);
        } else {
            sink.event(self.now, Event::Failed { by, status: Some(status) });
            self.fail(worker, &task, sink);
        }
    }

    /// Another call within the attempt, or the end of the attempt.
    fn try_again(&mut self, worker: WorkerId, task: Task, sink: &mut dyn Sink) {
        let tries = task.tries + 1;
        if tries >= self.scenario.client.tries {
            self.give_back(worker, &task, sink);
            return;
        }
        let due = self.now.after(self.scenario.client.wait);
        let task = Task { step: Step::Call, since: self.now, due, tries, paused: false, ..task };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, due);
        self.note_begun(worker);
    }

    /// An error that trying again will not mend: straight to the failed jobs.
    fn fail(&mut self, worker: WorkerId, task: &Task, sink: &mut dyn Sink) {
        if self.message(task.message).is_held_by(task.receipt) {
            self.bury(task.message, sink);
        }
        self.leave(worker, task, sink);
    }

    pub(super) fn forget_key(&mut self, key: Scoped, sink: &mut dyn Sink) {
        self.vendor.forget(key);
        sink.event(self.now, Event::KeyForgotten { key: key.key });
    }

    /// The vendor's clock is moved ahead, and with it only the lives of its keys.
    pub(super) fn move_test_clock(&mut self, sink: &mut dyn Sink) {
        sink.event(self.now, Event::ClockMoved);
        let ends = |pending: &Pending| matches!(pending, Pending::KeyEnd { .. });
        let due: Vec<(u64, Pending)> = self
            .others
            .iter()
            .filter(|timer| ends(&timer.pending))
            .map(|timer| (timer.sequence, timer.pending))
            .collect();
        for (sequence, pending) in due {
            self.others.remove(sequence);
            if let Pending::KeyEnd { key } = pending {
                self.forget_key(key, sink);
            }
        }
    }

    /// Whether a call is under way for a job, or a row of the outbox is still to be sent.
    #[must_use]
    pub fn has_call_or_row(&self, job: JobIndex) -> bool {
        let sending = self.relays.iter().any(|relay| match relay {
            RelayState::Busy { row, .. } => self.outbox[*row].job == job,
            RelayState::Idle { .. } | RelayState::Down { .. } => false,
        });
        sending
            || self.calls.values().any(|call| call.request.job == job)
            || self.outbox.iter().any(|row| row.job == job && !row.marked)
    }

    /// Whether a worker has a job in hand.
    #[must_use]
    pub fn has_worker_at(&self, job: JobIndex) -> bool {
        let at =
            |worker: &WorkerState| matches!(worker, WorkerState::Busy(task) if task.job == job);
        self.workers.iter().any(at)
    }

    /// Whether the vendor has a call, or one is on its way to it.
    pub(in crate::sim) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Writes what matters of a call to a key.
    pub(in crate::sim) fn call_key(&self, number: u32, out: &mut Vec<u64>) {
        let Some(call) = self.calls.get(&number) else { return };
        let Request { job, refund, cents, .. } = call.request;
        let waiting = self.waiting_for(call).map_or(u16::MAX, |worker| worker.0);
        out.extend([
            u64::from(job.0) << 32
                | u64::from(refund) << 24
                | u64::from(call.runs) << 16
                | u64::from(call.status),
            cents.as_cents(),
            u64::from(waiting),
        ]);
    }
}
