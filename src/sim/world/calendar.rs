//! What happens next: the calendar of timers, and the fast path that takes the earliest without
//! making a list.

use super::World;
use super::pending::{go, strike};
use crate::model::worker::Step;
use crate::sim::choice::{Choice, Chooser, Class, Pending};
use crate::sim::event::Sink;
use crate::sim::fault::{Point, Verdict};
use crate::units::{MessageId, Moment, WorkerId};
use std::cmp::Reverse;

/// A timer in the calendar: an index over what the parts themselves hold, so an entry whose
/// part has moved on is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timer {
    pub(super) due: Moment,
    pub(super) class: Class,
    pub(super) sequence: u64,
    pub(super) pending: Pending,
}

impl World {
    /// Makes the earliest happen, with the verdict that `chooser` gives, and says whether there
    /// was anything to do. The same as taking from [`World::choices`] the first that the chooser
    /// agrees to, without the list.
    pub fn advance(&mut self, chooser: &mut impl Chooser, sink: &mut impl Sink) -> bool {
        let receive = self.receives().next();
        let timer = self.next_timer();
        let choice = match (timer, receive) {
            (None, None) => return false,
            (Some(timer), Some((_, _, due)))
                if (timer.due, timer.class) <= (due, Class::Receive) =>
            {
                go(timer.pending, timer.due, timer.class, timer.sequence)
            }
            (_, Some((worker, message, due))) => {
                go(Pending::Receive { worker, message }, due, Class::Receive, 0)
            }
            (Some(timer), None) => {
                if matches!(timer.pending, Pending::Restart { .. }) && self.is_settled() {
                    return false;
                }
                go(timer.pending, timer.due, timer.class, timer.sequence)
            }
        };
        self.apply_asking(choice, chooser, sink);
        true
    }

    /// Applies a choice at whose points the chooser is still to be asked.
    pub(super) fn apply_asking(
        &mut self,
        mut choice: Choice,
        chooser: &mut impl Chooser,
        sink: &mut impl Sink,
    ) {
        let (Pending::Step { worker } | Pending::Receive { worker, .. }) = choice.pending else {
            self.apply(&choice, sink);
            return;
        };
        if let Some(task) = self.task(worker) {
            if choice.class == Class::Crash {
                choice.verdict = Verdict::Crash;
                choice.point = strike(&task, chooser).map(|(point, _)| point);
            } else if task.step == Step::Ack
                && chooser.verdict(&task.site(Point::Ack)) == Verdict::Lost
            {
                (choice.verdict, choice.point) = (Verdict::Lost, Some(Point::Ack));
            }
        }
        self.apply(&choice, sink);
        // The worker may now stand before a point at which it dies.
        let Some(task) = self.task(worker) else { return };
        if let Some((_, due)) = strike(&task, chooser) {
            let sequence = self.worker_timers[usize::from(worker.0)];
            self.schedule(due, Class::Crash, sequence, Pending::Step { worker });
        }
    }

    /// The earliest timer whose part still waits for it.
    pub(super) fn next_timer(&mut self) -> Option<Timer> {
        loop {
            let Reverse(timer) = *self.calendar.peek()?;
            let current = match timer.pending {
                Pending::Step { worker } | Pending::Restart { worker } => {
                    self.worker_timers[usize::from(worker.0)]
                }
                Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                    self.message_timers[message.0 as usize]
                }
                Pending::Receive { .. } => unreachable!("a receive has no timer"),
            };
            if current == timer.sequence {
                return Some(timer);
            }
            self.calendar.pop();
        }
    }

    pub(super) fn take_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    pub(super) fn wait_worker(&mut self, worker: WorkerId, due: Moment, pending: Pending) {
        let sequence = self.take_sequence();
        self.worker_timers[usize::from(worker.0)] = sequence;
        self.schedule(due, Class::Work, sequence, pending);
    }

    pub(super) fn wait_message(&mut self, message: MessageId, due: Moment, pending: Pending) {
        let sequence = self.take_sequence();
        self.message_timers[message.0 as usize] = sequence;
        self.schedule(due, Class::End, sequence, pending);
    }

    pub(super) fn schedule(&mut self, due: Moment, class: Class, sequence: u64, pending: Pending) {
        self.calendar.push(Reverse(Timer { due, class, sequence, pending }));
    }
}
