//! Deploys, and the other acts that have a moment of their own.

use super::World;
use crate::WHOLE;
use crate::model::queue::MessageState;
use crate::model::worker::{Task, WorkerState};
use crate::sim::choice::Pending;
use crate::sim::event::{Event, Listener};
use crate::sim::fault::Point;
use crate::units::{Moment, Span, WorkerId};
use std::ops::Range;

/// The workers of the old version that are to stop and have not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Draining {
    workers: Vec<WorkerId>,
}

impl Draining {
    pub(super) fn is_empty(&self) -> bool {
        self.workers.is_empty()
    }

    pub(super) fn has(&self, worker: WorkerId) -> bool {
        self.workers.contains(&worker)
    }
}

impl World {
    /// Puts the acts of the scenario into the calendar.
    pub(super) fn schedule_acts(&mut self) {
        let vendor = &self.scenario.vendor;
        let back = Some(vendor.down_until).filter(|until| *until > Span::ZERO);
        let acts = [
            (self.scenario.deploy.map(|deploy| deploy.at), Pending::Deploy { first: WorkerId(0) }),
            (back, Pending::VendorBack),
            (vendor.test_clock, Pending::TestClock),
            (vendor.undo, Pending::Undo),
        ];
        for (at, pending) in acts {
            if let Some(at) = at {
                self.wait_other(Moment::ZERO.after(at), pending);
            }
        }
    }

    /// The workers whose turn it is in a deploy: this one where they go one by one, else all.
    fn turn_from(&self, first: WorkerId) -> Range<u16> {
        let gap = self.scenario.deploy.map_or(Span::ZERO, |deploy| deploy.gap);
        let one = WHOLE && gap > Span::ZERO;
        first.0..if one { first.0 + 1 } else { self.scenario.crew.count }
    }

    /// A new version. Killed workers die wherever they are; drained ones take nothing new, and
    /// stop when they are done with what they have, or their lease is over.
    pub(super) fn deploy(&mut self, first: WorkerId, sink: &mut Listener<'_>) {
        let Some(deploy) = self.scenario.deploy else { return };
        let turn = self.turn_from(first);
        let worker = (WHOLE && deploy.gap > Span::ZERO).then_some(first);
        sink.event(self.now, Event::Deployed { drains: deploy.drains, worker });
        if WHOLE && turn.end < self.scenario.crew.count {
            let next = Pending::Deploy { first: WorkerId(turn.end) };
            self.wait_other(self.now.after(deploy.gap), next);
        }
        let turn = turn.map(WorkerId);
        if !deploy.drains {
            for worker in turn {
                self.crash(worker, Point::Deploy, sink);
            }
            return;
        }
        for worker in turn.clone() {
            self.forget_room(worker);
        }
        if WHOLE {
            self.draining.get_or_insert_default().workers.extend(turn.clone());
        } else {
            self.draining = Some(Box::new(Draining { workers: turn.clone().collect() }));
        }
        for worker in turn {
            match self.workers[usize::from(worker.0)] {
                WorkerState::Idle { .. } => self.stop(worker, sink),
                WorkerState::Busy(_) => {
                    self.let_go_of_held(worker);
                    self.stop_without_lease(worker, sink);
                }
                WorkerState::Down { .. } => self.has_stopped(worker),
            }
        }
        if let Some(grace) = deploy.grace {
            self.wait_other(self.now.after(grace), Pending::GraceEnd { first });
        }
    }

    /// The grace is over: who is still at work is killed.
    pub(super) fn end_grace(&mut self, first: WorkerId, sink: &mut Listener<'_>) {
        let Some(draining) = &self.draining else { return };
        let turn = self.turn_from(first);
        let mut late = draining.workers.clone();
        if WHOLE {
            late.retain(|worker| turn.contains(&worker.0));
        }
        if late.is_empty() {
            return;
        }
        sink.event(self.now, Event::GraceEnded);
        for worker in late {
            self.crash(worker, Point::Deploy, sink);
        }
    }

    /// What a worker holds and has not begun goes back at once.
    fn let_go_of_held(&mut self, worker: WorkerId) {
        let held = self.held.get_mut(usize::from(worker.0)).filter(|_| WHOLE);
        let Some(held) = held else { return };
        for held in std::mem::take(held) {
            if self.message(held.message).is_held_by(held.receipt) {
                self.show(held.message);
            }
        }
    }

    /// A worker of the old version stops by itself; the new version starts in its place.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn stop(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        sink.event(self.now, Event::Stopped { worker });
        self.go_down(worker, sink);
    }

    /// A worker that is to stop does not work on without its lease: the message is for others.
    pub(super) fn stop_without_lease(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        if !self.is_stopping(worker) {
            return;
        }
        let Some(task) = self.task_of(worker) else { return };
        if self.has_lost_lease(task) {
            sink.event(self.now, Event::Stepped(super::work::attempt_of(worker, task)));
            self.leave(worker, sink);
        }
    }

    /// Whether the lease of a task is over. Its own ack has not taken it away.
    fn has_lost_lease(&self, task: &Task) -> bool {
        let message = self.message(task.message);
        let kept = matches!(message.state, MessageState::Leased(_) | MessageState::Acked);
        !kept || task.receipt != message.receipt
    }

    /// A worker of the old version is gone.
    pub(super) fn has_stopped(&mut self, worker: WorkerId) {
        if let Some(draining) = &mut self.draining {
            draining.workers.retain(|other| *other != worker);
        }
    }

    /// Whether a worker that is drained stops at its checkpoint.
    pub(super) fn stops_here(&self, worker: WorkerId) -> bool {
        self.is_stopping(worker)
            && self.scenario.deploy.is_some_and(|deploy| deploy.stops_at_checkpoint)
    }

    /// The worker gives its message back at once and stops: the next one goes on at the
    /// checkpoint.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn stop_at_checkpoint(&mut self, worker: WorkerId, sink: &mut Listener<'_>) {
        let Some(task) = self.task(worker) else { return };
        let by = super::work::attempt_of(worker, &task);
        let held = self.message(task.message).is_held_by(task.receipt);
        let wait = held.then_some(Span::ZERO);
        sink.event(self.now, Event::GaveBack { by, wait });
        if held {
            debug_assert!(matches!(self.message(task.message).state, MessageState::Leased(_)));
            self.show(task.message);
        }
        self.leave(worker, sink);
    }
}
