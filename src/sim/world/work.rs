//! What a worker does: the steps of its program, and its end.

use super::World;
use super::pending::points_between;
use crate::WHOLE;
use crate::model::key::IdempotencyKey;
use crate::model::ledger::{ClaimRule, Claimed, Guard, GuardAt};
use crate::model::queue::{AckOutcome, MessageState, Receipt};
use crate::model::worker::{Step, Task, WorkerState};
use crate::random::{Address, Purpose};
use crate::sim::choice::Pending;
use crate::sim::event::{Attempt, Event, Listener};
use crate::sim::fault::{Point, Verdict};
use crate::sim::scenario::{CheckpointAt, Effect, Fencing};
use crate::units::{Cents, MessageId, Moment, Span, WorkerId};

impl World {
    /// Starts the step at the task's position: it takes effect when its length has passed. Past
    /// the end of the program the worker is free.
    pub(super) fn begin(&mut self, worker: WorkerId, task: Task, sink: &mut Listener<'_>) {
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.begin_at(task.position, worker, sink);
    }

    /// The same with the task that the worker has.
    pub(super) fn go_on(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(task) = self.task_of(worker) else { return };
        self.begin_at(task.position, worker, sink);
    }

    /// The same at a position of the program.
    fn begin_at(&mut self, position: u8, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(line) = self.scenario.program.at(position) else {
            self.leave(worker, sink);
            return;
        };
        let Some(task) = self.task_of(worker) else { return };
        let (mut step, mut connects) = (line.step, false);
        let mut due = self.now.after(self.length(task, step));
        if self.scenario.program.is_in_transaction(step) && !task.connected {
            step = Step::Connect;
            connects = self.has_connection();
            due = if connects { self.now } else { Moment::MAX };
        }
        // The ack is about no refund of its own.
        let is_next = line.refund != task.refund && line.step != Step::Ack;
        let plan = is_next.then(|| self.plan(task, line.refund));
        let since = self.now;
        let points = points_between(&self.scenario, position, step);
        let WorkerState::Busy(task) = &mut self.workers[usize::from(worker.0)] else { return };
        if let Some((key, cents)) = plan {
            (task.refund, task.key, task.cents) = (line.refund, key, cents);
        }
        (task.position, task.step, task.since, task.due) = (position, step, since, due);
        task.connected |= connects;
        task.paused = false;
        self.wait_worker(worker, due);
        self.note_begun(worker, points);
    }

    /// The key and the amount for a refund of the job.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn plan(&self, task: &Task, refund: u8) -> (IdempotencyKey, Cents) {
        let key = IdempotencyKey::chosen(self.scenario.key, task.job, refund, task.attempt);
        (key, self.scenario.planned(refund, task.attempt))
    }

    #[cfg_attr(not(feature = "page"), inline(always))]
    fn length(&self, task: &Task, step: Step) -> Span {
        let lengths = &self.scenario.lengths;
        match step {
            Step::Hold => {
                let due = self.jobs[task.job.0].sent.after(self.scenario.workload.eta);
                due.since(self.now)
            }
            Step::Think => lengths.think,
            Step::Write if self.scenario.effect == Effect::Ledger => self.service(task),
            Step::Write | Step::Start => lengths.write,
            Step::Checkpoint => lengths.checkpoint,
            Step::Ack => lengths.ack,
            Step::Connect
            | Step::Check
            | Step::Claim
            | Step::CheckLease
            | Step::Fence
            | Step::Call
            | Step::Await => Span::ZERO,
        }
    }

    /// The length of a write into the ledger.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn service(&self, task: &Task) -> Span {
        self.scenario.spread(self.scenario.lengths.write, self.service_address(task))
    }

    pub(super) fn service_address(&self, task: &Task) -> Address {
        Address {
            job: task.job.0,
            message: task.copy,
            attempt: task.attempt,
            retry: task.tries,
            point: u32::from(task.refund),
            ..Address::new(Purpose::Service)
        }
    }

    /// The step of a worker takes effect, or something goes wrong instead.
    pub(super) fn step(
        &mut self,
        worker: WorkerId,
        verdict: Verdict,
        point: Option<Point>,
        sink: &mut Listener<'_>,
    ) {
        // The task is read where it stands: a copy of it at every step would be most of the work.
        let Some(task) = self.task_of(worker) else { return };
        let by = attempt_of(worker, task);
        let Task { message, receipt, position, step, .. } = *task;
        match verdict {
            Verdict::Crash | Verdict::Throw | Verdict::Pause(_) => {
                self.go_wrong(worker, verdict, point, sink);
                return;
            }
            _ => {}
        }
        match step {
            Step::Write => {
                let fenced = self.is_fenced_at_effect() && self.scenario.effect == Effect::Ledger;
                if fenced && !self.fence(by, receipt.0, sink) {
                    self.go_to_ack(position, worker, sink);
                    return;
                }
                self.write(by, worker, sink);
            }
            Step::Checkpoint => {
                let (refund, done) = (by.refund, self.jobs[by.job.0].checkpoint);
                let skips = self.scenario.checkpoint == CheckpointAt::BeforeSkip;
                if skips && done > refund {
                    sink.event(self.now, Event::Resumed { by, done });
                    self.go_to_ack(position, worker, sink);
                    return;
                }
                self.jobs[by.job.0].save(refund);
                sink.event(self.now, Event::Checkpointed(by));
                if self.stops_here(worker) {
                    self.stop_at_checkpoint(worker, sink);
                    return;
                }
            }
            Step::Ack => {
                let refused = self.ack(by, message, receipt, verdict, sink);
                if WHOLE && self.scenario.program.at(position.saturating_add(1)).is_some() {
                    self.go_on_behind_ack(by, refused, worker, sink);
                    return;
                }
            }
            _ => {
                if !self.other_step(worker, verdict, sink) {
                    return;
                }
            }
        }
        self.begin_at(position.saturating_add(1), worker, sink);
    }

    /// What goes wrong in the place of a step.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn go_wrong(
        &mut self,
        worker: WorkerId,
        verdict: Verdict,
        point: Option<Point>,
        sink: &mut Listener<'_>,
    ) {
        match (verdict, point) {
            // A crash has its point.
            (Verdict::Crash, Some(point)) => self.crash(worker, point, sink),
            (Verdict::Throw, _) => self.give_back(worker, sink),
            (Verdict::Pause(wait), _) => self.pause(worker, wait, sink),
            _ => {}
        }
    }

    /// Who has acked first works now, unless it has learned that the message is not its own.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn go_on_behind_ack(
        &mut self,
        by: Attempt,
        refused: bool,
        worker: WorkerId,
        sink: &mut Listener<'_>,
    ) {
        if refused {
            sink.event(self.now, Event::Stepped(by));
            self.leave(worker, sink);
            return;
        }
        if let WorkerState::Busy(task) = &mut self.workers[usize::from(worker.0)] {
            task.position = task.position.saturating_add(1);
        }
        self.look_for_checkpoint(worker, sink);
        self.go_on(worker, sink);
    }

    /// Every other step. Returns whether the next one follows; if not, the worker has gone
    /// elsewhere.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn other_step(&mut self, worker: WorkerId, verdict: Verdict, sink: &mut Listener<'_>) -> bool {
        let Some(task) = self.task_of(worker) else { return false };
        let by = attempt_of(worker, task);
        let Task { message, receipt, position, step, .. } = *task;
        match step {
            Step::Think => sink.event(self.now, Event::Thought(by)),
            Step::Check if self.scenario.guard == Guard::AskTheVendor => {
                let found = self.vendor.has_paid(by.key);
                sink.event(self.now, Event::Checked { by, found });
                if found {
                    self.go_to(Step::Write, position, worker, sink);
                    return false;
                }
            }
            Step::Check => {
                let saw = self.look(task);
                let found = saw.is_some();
                if let WorkerState::Busy(task) = &mut self.workers[usize::from(worker.0)] {
                    task.saw = saw;
                }
                sink.event(self.now, Event::Checked { by, found });
                if found && self.guards_the_call() {
                    self.skip_effect(position, worker, sink);
                    return false;
                }
            }
            Step::Connect => {
                sink.event(self.now, Event::Connected(by));
                let line = self.scenario.program.at(position);
                if line.is_some_and(|line| line.step != step) {
                    self.begin_at(position, worker, sink);
                    return false;
                }
            }
            Step::Claim => return self.claim(worker, sink),
            Step::Hold if WHOLE => sink.event(self.now, Event::Due(by)),
            Step::CheckLease if WHOLE => {
                let own = self.message(message).is_held_by(receipt);
                sink.event(self.now, Event::LeaseChecked { by, own });
                if !own {
                    sink.event(self.now, Event::Stepped(by));
                    self.leave(worker, sink);
                    return false;
                }
            }
            Step::Fence if WHOLE => {
                if !self.fence(by, receipt.0, sink) {
                    self.go_to_ack(position, worker, sink);
                    return false;
                }
            }
            Step::Start => self.put_into_outbox(by, worker, sink),
            Step::Call => {
                if self.is_fenced_at_effect() && !self.fence(by, receipt.0, sink) {
                    self.go_to_ack(position, worker, sink);
                } else {
                    self.call(worker, verdict, sink);
                }
                return false;
            }
            Step::Await => {
                self.no_answer(worker, sink);
                return false;
            }
            // Not in this build, or done by `step`.
            Step::Hold
            | Step::CheckLease
            | Step::Fence
            | Step::Write
            | Step::Checkpoint
            | Step::Ack => {}
        }
        true
    }

    /// On to the ack, past everything else.
    pub(super) fn go_to_ack(&mut self, from: u8, worker: WorkerId, sink: &mut Listener<'_>) {
        self.go_to(Step::Ack, from, worker, sink);
    }

    /// On to the next line with this step, past everything else.
    fn go_to(&mut self, step: Step, from: u8, worker: WorkerId, sink: &mut Listener<'_>) {
        let position = self.scenario.program.find(step, from).unwrap_or(u8::MAX);
        self.begin_at(position, worker, sink);
    }

    /// The work is done already: on behind the effect and its row.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn skip_effect(&mut self, from: u8, worker: WorkerId, sink: &mut Listener<'_>) {
        self.begin_at(self.scenario.program.after_effect(from), worker, sink);
    }

    fn guards_the_call(&self) -> bool {
        self.scenario.effect == Effect::Vendor && self.scenario.guard_at == GuardAt::Call
    }

    fn is_fenced_at_effect(&self) -> bool {
        WHOLE && self.scenario.fencing != Fencing::Off
    }

    /// What a guard that looks before it acts finds: the row, or nothing. The language model
    /// knows only this attempt, which has not written yet.
    fn look(&self, task: &Task) -> Option<u32> {
        match self.scenario.guard {
            Guard::CheckThenInsert => self.ledger.find(task.job, row_key(task)),
            Guard::AskTheModel | Guard::AskTheVendor | Guard::Off | Guard::AtomicInsert => None,
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn claim(&mut self, worker: WorkerId, sink: &mut Listener<'_>) -> bool {
        let Some(task) = self.task_of(worker) else { return false };
        let (by, key, position) = (attempt_of(worker, task), row_key(task), task.position);
        let number = self.next[1];
        let outcome = self.ledger.claim(key, self.scenario.claim, number);
        sink.event(self.now, Event::Claim { by, outcome });
        match outcome {
            Claimed::New(_) => {
                self.next[1] += 1;
                let lasts = self.scenario.claim != ClaimRule::Done;
                if let Some(life) = self.scenario.claim_life.filter(|_| lasts) {
                    self.wait_other(self.now.after(life), Pending::ClaimEnd { key, number });
                }
                true
            }
            Claimed::Done => {
                self.skip_effect(position, worker, sink);
                false
            }
            Claimed::InProgress => {
                self.give_back(worker, sink);
                false
            }
        }
    }

    /// Takes a claim in progress back, after a failure that is known to have done nothing.
    pub(super) fn release_claim(&mut self, task: &Task) {
        let key = row_key(task);
        if let Some(claim) = self.ledger.claim_of(key).filter(|_| self.guards_the_call()) {
            self.ledger.end_claim(key, claim.number);
        }
    }

    /// Shows a fencing token to the resource; a refused worker goes to its ack.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn fence(&mut self, by: Attempt, token: u32, sink: &mut Listener<'_>) -> bool {
        let passed = self.ledger.fence(by.job, token);
        sink.event(self.now, Event::Fence { by, token, passed });
        passed
    }

    #[cfg_attr(not(feature = "page"), inline(always))]
    fn write(&mut self, by: Attempt, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(task) = self.task_of(worker) else { return };
        let (refund, key, cents, saw) = (task.refund, row_key(task), task.cents, task.saw);
        let found = match self.scenario.guard {
            Guard::AtomicInsert | Guard::AskTheVendor => self.ledger.find(by.job, key),
            Guard::Off | Guard::CheckThenInsert | Guard::AskTheModel => saw,
        };
        if self.guards_the_call() {
            self.ledger.complete(key);
        }
        let event = match found {
            Some(row) => Event::AlreadyWritten { by, row },
            None => {
                let written = self.ledger.insert(by.job, refund, key, cents, by.attempt, self.now);
                Event::Wrote { by, row: written.row, cents, again: written.again }
            }
        };
        sink.event(self.now, event);
    }

    /// Returns whether the queue answered with an error: the worker then knows that the message
    /// is not its own any more.
    fn ack(
        &mut self,
        by: Attempt,
        message: MessageId,
        receipt: Receipt,
        verdict: Verdict,
        sink: &mut Listener<'_>,
    ) -> bool {
        if verdict != Verdict::Go {
            return self.ack_gone_wrong(by, message, receipt, verdict, sink);
        }
        self.ack_once(by, message, receipt, sink) == AckOutcome::LateRefused
    }

    /// An ack that is lost, comes twice, or goes to a replica that does not know of it yet.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn ack_gone_wrong(
        &mut self,
        by: Attempt,
        message: MessageId,
        receipt: Receipt,
        verdict: Verdict,
        sink: &mut Listener<'_>,
    ) -> bool {
        if verdict == Verdict::Lost {
            sink.event(self.now, Event::AckLost(by));
            return false;
        }
        let outcome = self.ack_once(by, message, receipt, sink);
        match verdict {
            _ if !WHOLE => {}
            Verdict::Twice => {
                self.ack_once(by, message, receipt, sink);
            }
            Verdict::Replica => {
                sink.event(self.now, Event::Replica { job: by.job });
                self.enqueue(by.job, sink);
            }
            _ => {}
        }
        outcome == AckOutcome::LateRefused
    }

    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn ack_once(
        &mut self,
        by: Attempt,
        message: MessageId,
        receipt: Receipt,
        sink: &mut Listener<'_>,
    ) -> AckOutcome {
        let before = self.message(message).state;
        let late = self.scenario.broker.late_ack;
        let outcome = self.messages[message.0].ack(receipt, late);
        if matches!(outcome, AckOutcome::Deleted | AckOutcome::LateDeleted) {
            if let MessageState::Ready { since } = before {
                self.forget_ready(message, since);
            }
            self.stop_message_timer(message);
            self.open -= 1;
        }
        sink.event(self.now, Event::Acked { by, outcome });
        outcome
    }
}

// Nearly every event has one: the page's module has this once.
#[cfg_attr(feature = "page", inline(never))]
pub(super) fn attempt_of(worker: WorkerId, task: &Task) -> Attempt {
    let Task { job, copy, attempt, refund, key, .. } = *task;
    Attempt { worker, job, copy, attempt, refund, key }
}

/// The key of the local row. Where none is sent to the vendor, the row still has its own.
#[cfg_attr(feature = "page", inline(never))]
fn row_key(task: &Task) -> IdempotencyKey {
    if task.key.is_sent() {
        task.key
    } else {
        IdempotencyKey { refund: task.refund, ..IdempotencyKey::stable(task.job) }
    }
}
