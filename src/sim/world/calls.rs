//! Calls to the vendor: how they reach it, what it answers, what a worker makes of that.

use super::World;
use super::work::attempt_of;
use crate::WHOLE;
use crate::model::outbox::RelayState;
use crate::model::vendor::{
    Begun, CREATED, IN_PROGRESS, Known, Request, Scoped, is_retried, is_success,
};
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::choice::Pending;
use crate::sim::event::{Answered, Event, Listener};
use crate::sim::fault::Verdict;
use crate::sim::key::Word;
use crate::sim::scenario::{Effect, VendorSide};
use crate::units::{JobIndex, Moment, Span, WorkerId};

/// A call that the vendor has, or that is still on its way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    request: Request,
    /// How long it takes to run.
    time: Span,
    /// With which status it will end.
    status: u16,
    /// Whether the vendor runs it; if not, it is late, or a refusal that takes its time.
    runs: bool,
    /// Whether it takes one of the vendor's places.
    has_slot: bool,
    /// Whether its answer gets lost on the way.
    lost: bool,
    /// Who waits for the answer. Of one that gets lost nobody hears, but who waits for ever.
    waiter: Option<Waiter>,
}

/// Who made a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiter {
    /// A worker. Once it has given up on the call it is no longer named.
    Worker(WorkerId),
    /// A relay, with this sending of a row.
    Relay {
        /// Which.
        relay: u16,
        /// The row, from 0.
        row: usize,
        /// The number of the sending, from 1.
        send: u32,
    },
}

/// What the vendor answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) how: Answered,
    /// Whether it is a conflict with a call that is under way.
    pub(super) in_progress: bool,
}

impl Answer {
    fn new(status: u16, how: Answered) -> Self {
        Self { status, how, in_progress: false }
    }

    fn refused(status: u16) -> Self {
        Self::new(status, Answered::Refused)
    }

    /// Whether trying again will not mend it. A conflict "in progress" is none of these: the same
    /// key gets its answer later. Any other 409 is.
    pub(super) fn is_permanent(&self) -> bool {
        !is_success(self.status) && !is_retried(self.status) && !self.in_progress
    }
}

impl World {
    /// A worker calls, and goes on with the answer or waits for it.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn call(&mut self, worker: WorkerId, verdict: Verdict, sink: &mut Listener<'_>) {
        let Some(task) = self.task(worker) else { return };
        let by = attempt_of(worker, &task);
        self.jobs[task.job.0].ask(task.refund);
        sink.event(self.now, Event::Called { by, cents: task.cents });
        let request = self.request(&task);
        let time = self.scenario.spread(self.scenario.vendor.time, self.service_address(&task));
        let waiter = Waiter::Worker(worker);
        match self.send(request, time, waiter, verdict, sink) {
            Some(answer) => self.answer(worker, task, answer, sink),
            None => self.wait_for_answer(worker, task, sink),
        }
    }

    fn request(&self, task: &Task) -> Request {
        Request {
            job: task.job,
            refund: task.refund,
            account: self.account(task.job),
            key: task.key,
            cents: task.cents,
        }
    }

    pub(super) fn account(&self, job: JobIndex) -> u32 {
        self.scenario.account(job)
    }

    /// A call reaches the vendor, unless something goes wrong on the way. Returns the answer, if
    /// it is there at once.
    pub(super) fn send(
        &mut self,
        request: Request,
        time: Span,
        waiter: Waiter,
        verdict: Verdict,
        sink: &mut Listener<'_>,
    ) -> Option<Answer> {
        let waiter = Some(waiter);
        let call = Call {
            request,
            time,
            status: CREATED,
            runs: true,
            has_slot: true,
            lost: false,
            waiter,
        };
        let for_ever = self.scenario.client.timeout == Span::ZERO;
        let unheard = Call { lost: true, waiter: waiter.filter(|_| for_ever), ..call };
        match verdict {
            Verdict::Late(span) => {
                let call = self.keep(Call { runs: false, ..unheard });
                self.wait_other(self.now.after(span), Pending::LateCall { call });
                None
            }
            Verdict::Lost => self.reach(unheard, sink),
            // A declined payment and a fault of the vendor's own come out of the execution.
            Verdict::Answer(status @ (402 | 500)) => self.reach(Call { status, ..call }, sink),
            Verdict::Answer(status) => Some(Answer::refused(status)),
            _ => self.reach(call, sink),
        }
    }

    /// The vendor takes a call. Returns the answer, if it is there at once and somebody hears it.
    fn reach(&mut self, call: Call, sink: &mut Listener<'_>) -> Option<Answer> {
        let answer = self.take_call(call, sink)?;
        if call.lost {
            self.lose(&call, answer, sink);
            return None;
        }
        Some(answer)
    }

    /// An answer that reaches nobody. Who would wait for it for ever hears that none will come.
    fn lose(&mut self, call: &Call, answer: Answer, sink: &mut Listener<'_>) {
        let Request { job, refund, key, .. } = call.request;
        let Answer { status, how, .. } = answer;
        sink.event(self.now, Event::ReplyLost { job, refund, key, status, how });
        match self.waiting_for(call) {
            None => {}
            Some(Waiter::Worker(worker)) => self.no_answer(worker, sink),
            Some(Waiter::Relay { relay, row, .. }) => {
                self.stop_relay_timer(relay);
                self.not_published(relay, row, None, sink);
            }
        }
    }

    fn take_call(&mut self, call: Call, sink: &mut Listener<'_>) -> Option<Answer> {
        let side = &self.scenario.vendor;
        let full = side.slots.is_some_and(|slots| self.vendor.running >= slots);
        if self.vendor_is_down || full {
            let (status, time) = (side.refusal_status, side.refusal_time);
            if time == Span::ZERO || call.lost {
                return Some(Answer::refused(status));
            }
            let has_slot = WHOLE && side.refusal_takes_slot;
            self.vendor.running += u32::from(has_slot);
            let call = self.keep(Call { status, runs: false, has_slot, ..call });
            self.wait_other(self.now.after(time), Pending::Answer { call });
            return None;
        }
        match self.begin_at_vendor(&call.request) {
            Begun::Replays { status } => Some(Answer::new(status, Answered::Replayed)),
            Begun::Refuses { status } => Some(Answer::refused(status)),
            Begun::InProgress => Some(Answer { in_progress: true, ..Answer::refused(IN_PROGRESS) }),
            Begun::Runs if call.time == Span::ZERO => {
                Some(self.end_at_vendor(&call.request, call.status, sink))
            }
            Begun::Runs => {
                self.vendor.running += 1;
                let due = self.now.after(call.time);
                let call = self.keep(call);
                self.wait_other(due, Pending::Answer { call });
                None
            }
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
        if let Some(known) = self.known_row(request) {
            return known;
        }
        let profile = self.scenario.vendor.profile;
        let key = profile.scope(request);
        let known = self.vendor.known(key).is_some();
        let begun = self.vendor.begin(&profile, request);
        let VendorSide { key_life, claim_life, .. } = self.scenario.vendor;
        if begun == Begun::Runs && self.vendor.known(key).is_some() {
            if !known {
                self.wait_other(self.now.after(key_life), Pending::KeyEnd { key });
            }
            if let Some(life) = claim_life.filter(|_| WHOLE) {
                self.wait_other(self.now.after(life), Pending::CallClaimEnd { key });
            }
        }
        begun
    }

    /// The vendor is done with a call that ran. Where another one took its work up and was faster,
    /// it answers as that one did.
    fn end_at_vendor(&mut self, request: &Request, status: u16, sink: &mut Listener<'_>) -> Answer {
        let again = self.vendor.paid(request.job, request.refund) > 0;
        let profile = self.scenario.vendor.profile;
        if let Some(payment) = self.vendor.finish(&profile, request, status, self.now) {
            let Request { job, refund, key, cents, .. } = *request;
            sink.event(self.now, Event::Paid { job, refund, key, payment, cents, again });
        }
        // A key that was not stored has no life to end: its next use starts a new one.
        let key = profile.scope(request);
        let known = self.vendor.known(key);
        if known.is_none() {
            self.others.cancel(Pending::KeyEnd { key });
        }
        if WHOLE && !matches!(known, Some(Known::InFlight { .. })) {
            self.others.cancel(Pending::CallClaimEnd { key });
        }
        let status = match known {
            Some(Known::Stored { status, .. }) if WHOLE => status,
            _ => status,
        };
        Answer::new(status, Answered::Ran)
    }

    /// A call under way no longer keeps others with its key out.
    pub(super) fn end_call_claim(&mut self, key: Scoped, sink: &mut Listener<'_>) {
        if self.vendor.free(key) {
            sink.event(self.now, Event::KeyFreed { key: key.key });
        }
    }

    /// What becomes of a row of the outbox that its receiver has had, where it remembers rows.
    fn known_row(&self, request: &Request) -> Option<Begun> {
        let Request { job, refund, .. } = *request;
        if self.scenario.effect != Effect::Outbox || !self.scenario.relays.dedup {
            return None;
        }
        if self.vendor.paid(job, refund) > 0 {
            return Some(Begun::Replays { status: CREATED });
        }
        let same = |call: &Call| (call.request.job, call.request.refund) == (job, refund);
        let under_way = |call: &Call| call.runs && same(call);
        self.calls.values().any(under_way).then_some(Begun::InProgress)
    }

    /// Who waits for the answer to a call, if somebody still does.
    fn waiting_for(&self, call: &Call) -> Option<Waiter> {
        let waiter = call.waiter?;
        let waits = match waiter {
            // One that has its answer at once has not begun to wait.
            Waiter::Worker(worker) => self.task_of(worker)?.step == Step::Await,
            Waiter::Relay { relay, row, send } => {
                let state = self.relays[usize::from(relay)];
                matches!(state, RelayState::Waiting { row: its, send: own, .. } if (its, own) == (row, send))
            }
        };
        waits.then_some(waiter)
    }

    /// The vendor is done with a call.
    pub(super) fn finish_call(&mut self, number: u32, sink: &mut Listener<'_>) {
        let Some(call) = self.calls.remove(&number) else { return };
        if call.has_slot {
            self.vendor.running -= 1;
        }
        let answer = if call.runs {
            self.end_at_vendor(&call.request, call.status, sink)
        } else {
            Answer::refused(call.status)
        };
        if call.lost {
            self.lose(&call, answer, sink);
            return;
        }
        match self.waiting_for(&call) {
            None => {}
            Some(Waiter::Worker(worker)) => {
                let Some(task) = self.task(worker) else { return };
                self.answer(worker, task, answer, sink);
            }
            Some(Waiter::Relay { relay, row, .. }) => {
                self.stop_relay_timer(relay);
                self.published(relay, row, answer, sink);
            }
        }
    }

    /// A call that was late reaches the vendor.
    pub(super) fn late_call(&mut self, number: u32, sink: &mut Listener<'_>) {
        let Some(call) = self.calls.remove(&number) else { return };
        let Request { job, key, .. } = call.request;
        sink.event(self.now, Event::LateCall { job, key });
        self.reach(Call { runs: true, ..call }, sink);
    }

    /// Whether this waiter will hear of its call: the answer, or that it is lost.
    pub(super) fn is_answered(&self, waiter: Waiter) -> bool {
        self.calls.values().any(|call| call.waiter == Some(waiter))
    }

    /// The worker no longer hears of the call that it waited for.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn hang_up(&mut self, worker: WorkerId) {
        for call in self.calls.values_mut() {
            if call.waiter == Some(Waiter::Worker(worker)) {
                call.waiter = None;
            }
        }
    }

    /// The worker waits: for the answer, or until it gives up on it.
    fn wait_for_answer(&mut self, worker: WorkerId, task: Task, sink: &mut Listener<'_>) {
        let timeout = self.scenario.client.timeout;
        let expected = self.is_answered(Waiter::Worker(worker));
        if !expected && timeout == Span::ZERO {
            self.no_answer(worker, sink);
            return;
        }
        let due = if timeout == Span::ZERO { Moment::MAX } else { self.now.after(timeout) };
        let task = Task { step: Step::Await, since: self.now, due, paused: false, ..task };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, due);
        self.note_task(worker, &task);
    }

    /// No answer means "unknown": it may have been paid. So the same key again, by default.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn no_answer(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(task) = self.task(worker) else { return };
        let by = attempt_of(worker, &task);
        self.hang_up(worker);
        sink.event(self.now, Event::NoAnswer(by));
        if self.scenario.client.retries_unknown {
            self.try_again(worker, task, sink);
        } else {
            sink.event(self.now, Event::Failed { by, status: None });
            self.fail(worker, &task, sink);
        }
    }

    /// What a worker makes of an answer. A conflict "in progress" is never acked: the worker gives
    /// the message back and comes again with the same key.
    fn answer(&mut self, worker: WorkerId, task: Task, answer: Answer, sink: &mut Listener<'_>) {
        let by = attempt_of(worker, &task);
        let Answer { status, how, in_progress } = answer;
        sink.event(self.now, Event::Answer { by, status, how });
        if is_success(status) {
            let position = task.position.saturating_add(1);
            self.begin(worker, Task { tries: 0, position, ..task }, sink);
            return;
        }
        let permanent = answer.is_permanent();
        self.jobs[task.job.0].refuse(task.refund, permanent);
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
    fn try_again(&mut self, worker: WorkerId, task: Task, sink: &mut Listener<'_>) {
        let tries = task.tries + 1;
        if tries >= self.scenario.client.tries {
            self.give_back(worker, sink);
            return;
        }
        let due = self.now.after(self.scenario.client.wait);
        let task = Task { step: Step::Call, since: self.now, due, tries, paused: false, ..task };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, due);
        self.note_task(worker, &task);
    }

    /// An error that trying again will not mend: straight to the failed jobs.
    fn fail(&mut self, worker: WorkerId, task: &Task, sink: &mut Listener<'_>) {
        if self.message(task.message).is_held_by(task.receipt) {
            self.bury(task.message, sink);
        }
        self.leave(worker, sink);
    }

    pub(super) fn forget_key(&mut self, key: Scoped, sink: &mut Listener<'_>) {
        self.vendor.forget(key);
        sink.event(self.now, Event::KeyForgotten { key: key.key });
    }

    /// The vendor's clock is moved ahead, and with it only the lives of its keys.
    pub(super) fn move_test_clock(&mut self, sink: &mut Listener<'_>) {
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
            RelayState::Busy { row, .. } | RelayState::Waiting { row, .. } => {
                self.outbox[*row].job == job
            }
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
        let (waits, waiter) = match self.waiting_for(call) {
            None => (0_u8, 0),
            Some(Waiter::Worker(worker)) => (1, worker.0),
            Some(Waiter::Relay { relay, .. }) => (2, relay),
        };
        let word = Word::default().with(32, job.0).with(8, refund);
        let word = word.with(1, call.runs).with(1, call.has_slot);
        let unheard = call.lost && waits != 0;
        out.extend([
            word.with(16, call.status).bits,
            cents.as_cents(),
            Word::default().with(2, waits).with(16, waiter).with(1, unheard).bits,
        ]);
    }
}
