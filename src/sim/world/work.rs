//! What a worker does: the steps of its slice, and its end.

use super::World;
use crate::model::key::IdempotencyKey;
use crate::model::ledger::Guard;
use crate::model::queue::AckOutcome;
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::choice::Pending;
use crate::sim::event::{Attempt, Event, Sink};
use crate::sim::fault::{Point, Verdict};
use crate::units::{Span, WorkerId};

impl World {
    /// Starts a step of a task: it takes effect when its length has passed.
    pub(super) fn begin(&mut self, worker: WorkerId, task: Task, step: Step) {
        let task = Task {
            step,
            since: self.now,
            due: self.now.after(self.scenario.slice.length(step)),
            ..task
        };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, task.due, Pending::Step { worker });
    }

    pub(super) fn step(
        &mut self,
        worker: WorkerId,
        verdict: Verdict,
        point: Option<Point>,
        sink: &mut dyn Sink,
    ) {
        let WorkerState::Busy(mut task) = self.workers[usize::from(worker.0)] else {
            return;
        };
        let by = attempt_of(worker, &task);
        let now = self.now;
        if verdict == Verdict::Crash {
            let point = point.expect("a crash has its point");
            sink.event(now, Event::Crashed { by, point });
            self.crash(worker, sink);
            return;
        }
        match task.step {
            Step::Think => sink.event(now, Event::Thought(by)),
            Step::Check => {
                task.saw = self.look(by.key);
                let found = task.saw.is_some();
                sink.event(now, Event::Checked { by, found });
            }
            Step::Write => self.write(by, task.saw, sink),
            Step::Checkpoint => {
                self.jobs[task.job.0 as usize].checkpoint = true;
                sink.event(now, Event::Checkpointed(by));
            }
            Step::Ack if verdict == Verdict::Lost => sink.event(now, Event::AckLost(by)),
            Step::Ack => self.ack(by, &task, sink),
        }
        match self.scenario.slice.next(task.step, self.scenario.guard) {
            Some(next) => self.begin(worker, task, next),
            None => {
                self.busy -= 1;
                self.rest(worker);
            }
        }
    }

    /// What a guard that looks before it writes finds: the row, or nothing. The language model
    /// knows only this attempt, which has not written yet.
    pub(super) fn look(&self, key: IdempotencyKey) -> Option<u32> {
        match self.scenario.guard {
            Guard::CheckThenInsert => self.ledger.find(key),
            Guard::AskTheModel | Guard::Off | Guard::AtomicInsert => None,
        }
    }

    pub(super) fn write(&mut self, by: Attempt, saw: Option<u32>, sink: &mut dyn Sink) {
        let found = match self.scenario.guard {
            Guard::AtomicInsert => self.ledger.find(by.key),
            Guard::Off | Guard::CheckThenInsert | Guard::AskTheModel => saw,
        };
        let event = match found {
            Some(row) => Event::AlreadyWritten { by, row },
            None => {
                let cents = self.scenario.amount;
                let written = self.ledger.insert(by.key, cents, by.attempt, self.now);
                Event::Wrote { by, row: written.row, cents, again: written.again }
            }
        };
        sink.event(self.now, event);
    }

    pub(super) fn ack(&mut self, by: Attempt, task: &Task, sink: &mut dyn Sink) {
        let late = self.scenario.late_ack;
        let outcome = self.messages[task.message.0 as usize].ack(task.receipt, late);
        if matches!(outcome, AckOutcome::Deleted | AckOutcome::LateDeleted) {
            self.stop_message_timer(task.message);
            self.open -= 1;
        }
        sink.event(self.now, Event::Acked { by, outcome });
    }

    /// The worker dies; what it had in hand is gone.
    pub(super) fn crash(&mut self, worker: WorkerId, sink: &mut dyn Sink) {
        self.busy -= 1;
        if self.scenario.restart == Span::ZERO {
            self.rest(worker);
            sink.event(self.now, Event::Restarted { worker });
            return;
        }
        let until = self.now.after(self.scenario.restart);
        self.workers[usize::from(worker.0)] = WorkerState::Down { until };
        self.wait_worker(worker, until, Pending::Restart { worker });
    }

    /// The worker is free, knowing nothing.
    pub(super) fn rest(&mut self, worker: WorkerId) {
        self.workers[usize::from(worker.0)] = WorkerState::Idle { since: self.now };
        self.note_idle(worker, self.now);
        self.stop_worker_timer(worker);
    }
}

pub(super) fn attempt_of(worker: WorkerId, task: &Task) -> Attempt {
    Attempt { worker, job: task.job, attempt: task.attempt, key: IdempotencyKey::stable(task.job) }
}
