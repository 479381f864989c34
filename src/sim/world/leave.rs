//! How a worker comes to the end of a task: it gives the message back, dies, or is done.

use super::World;
use super::work::attempt_of;
use crate::WHOLE;
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::event::{Event, Listener};
use crate::sim::fault::Point;
use crate::sim::scenario::DeadLetter;
use crate::units::{Span, WorkerId};

impl World {
    /// The attempt has failed; the message goes back for another, or to the dead letters if that
    /// was the last.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn give_back(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(task) = self.task(worker) else { return };
        let by = attempt_of(worker, &task);
        let message = task.message;
        if !self.message(message).is_held_by(task.receipt) {
            sink.event(self.now, Event::GaveBack { by, wait: None });
            self.leave(worker, sink);
            return;
        }
        if WHOLE && !self.scenario.broker.expiry_counts {
            let held = &mut self.messages[message.0];
            held.counted = held.counted.saturating_add(1);
        }
        if self.scenario.client.resends {
            sink.event(self.now, Event::SentAgain(by));
            self.ack_once(by, message, task.receipt, sink);
            self.jobs[task.job.0].attempts = 0;
            self.enqueue(task.job, sink);
        } else {
            let failures_count = WHOLE && !self.scenario.broker.expiry_counts;
            let eager = self.scenario.broker.dead_letter == DeadLetter::Eager;
            if self.is_used_up(message) && (failures_count || eager) {
                sink.event(self.now, Event::GaveBack { by, wait: Some(Span::ZERO) });
                self.bury(message, sink);
            } else {
                let wait = self.draw_wait(message, task.attempt);
                sink.event(self.now, Event::GaveBack { by, wait: Some(wait) });
                self.hide(message, wait);
            }
        }
        self.leave(worker, sink);
    }

    /// A process that stands still does not know it: its step, and its heartbeats, come so much
    /// later.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn pause(&mut self, worker: WorkerId, wait: Span, sink: &mut Listener<'_>) {
        let Some(task) = self.task(worker) else { return };
        let by = attempt_of(worker, &task);
        sink.event(self.now, Event::Paused { by, wait });
        let mut task = Task { due: task.due.after(wait), paused: true, ..task };
        if let Some(timer) = self.others.remove(task.timers[0]) {
            task.timers[0] = self.wait_other(timer.due.after(wait), timer.pending);
        }
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, task.due);
        self.note_task(worker, &task);
    }

    /// A rule kills the worker, wherever it is.
    pub(super) fn kill(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        self.crash(worker, Point::Anywhere, sink);
    }

    /// The worker dies; what it had in hand is gone.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn crash(&mut self, worker: WorkerId, point: Point, sink: &mut Listener<'_>) {
        let Some(task) = self.task_of(worker) else { return };
        let by = attempt_of(worker, task);
        sink.event(self.now, Event::Crashed { by, point });
        self.drop_task(worker);
        let held = self.held.get_mut(usize::from(worker.0)).filter(|_| WHOLE).map(std::mem::take);
        for held in held.unwrap_or_default() {
            // A clock that had not started starts now, or nobody would ever see the message again.
            self.restart_lease(worker, held.message, held.receipt);
        }
        self.go_down(worker, sink);
    }

    /// The worker is away until a supervisor has started it again.
    pub(super) fn go_down(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        self.has_stopped(worker);
        if self.scenario.crew.restart == Span::ZERO {
            self.rest(worker, sink);
            sink.event(self.now, Event::Restarted { worker });
            return;
        }
        let until = self.now.after(self.scenario.crew.restart);
        self.workers[usize::from(worker.0)] = WorkerState::Down { until };
        self.wait_worker(worker, until);
    }

    /// The worker has nothing in hand any more, whatever comes of it.
    #[cfg_attr(not(feature = "page"), inline(always))]
    fn drop_task(&mut self, worker: WorkerId) {
        let Some(task) = self.task_of(worker) else { return };
        let (timers, was_connected) = (task.timers, task.connected);
        if task.step == Step::Await {
            self.hang_up(worker);
        }
        if self.prefetches() {
            self.forget_room_of_busy(worker);
        }
        self.busy -= 1;
        if !WHOLE || timers != [0; 2] {
            self.forget_timers(timers);
        }
        // Nobody is at work here while somebody else may get the connection.
        self.workers[usize::from(worker.0)] = WorkerState::Down { until: self.now };
        if was_connected {
            self.hand_on_connection();
        }
    }

    /// Takes back what a task has in the calendar beside its next step.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn forget_timers(&mut self, timers: [u64; 2]) {
        for sequence in timers.into_iter().filter(|sequence| *sequence > 0) {
            self.others.forget(sequence);
        }
    }

    /// The worker is done with its task, one way or another.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn leave(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        self.drop_task(worker);
        if self.is_stopping(worker) {
            self.stop(worker, sink);
        } else {
            self.rest(worker, sink);
        }
    }

    /// The worker is free, knowing nothing; it begins with what it holds.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn rest(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        self.workers[usize::from(worker.0)] = WorkerState::Idle { since: self.now };
        self.stop_worker_timer(worker);
        if WHOLE && !self.held(worker).is_empty() {
            self.begin_held(worker, sink);
        }
        self.note_room(worker);
    }

    /// The worker begins with the first message that it holds.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn begin_held(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let next = self.held[usize::from(worker.0)].remove(0);
        let by = self.attempt_at_start(worker, next);
        self.restart_lease(worker, next.message, next.receipt);
        sink.event(self.now, Event::Began(by));
        self.start(worker, next, sink);
    }

    pub(super) fn has_connection(&self) -> bool {
        let pool = self.scenario.crew.pool;
        let connected =
            |state: &&WorkerState| matches!(state, WorkerState::Busy(task) if task.connected);
        pool == 0 || self.workers.iter().filter(connected).count() < pool as usize
    }

    /// A connection is free: who has waited longest for one gets it.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn hand_on_connection(&mut self) {
        let waiting = (0..).map(WorkerId).zip(&self.workers).filter_map(|(worker, state)| {
            let WorkerState::Busy(task) = state else { return None };
            let waits = task.step == Step::Connect && !task.connected;
            waits.then_some((task.since, worker))
        });
        let Some((_, worker)) = waiting.min() else { return };
        if let Some(task) = self.task(worker) {
            let task = Task { connected: true, due: self.now, ..task };
            self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
            self.wait_worker(worker, self.now);
        }
    }
}
