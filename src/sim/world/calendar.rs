//! What happens next: the index of what is pending, and the fast path that takes the earliest
//! without making a list.

use super::World;
use super::pending::{go, strike};
use crate::model::queue::MessageState;
use crate::model::worker::{Step, WorkerState};
use crate::sim::choice::{Choice, Chooser, Class, Pending};
use crate::sim::event::Sink;
use crate::sim::fault::{Point, Verdict};
use crate::units::{MessageId, Moment, WorkerId};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A timer in the calendar. An entry whose part has moved on is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Timer {
    due: Moment,
    class: Class,
    sequence: u64,
    pending: Pending,
}

/// What is pending, in the order in which it comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Ready messages by (visible since, message).
    ready: BTreeSet<(Moment, MessageId)>,
    /// Idle workers by (idle since, worker): who has waited longest takes the next message.
    idle: BTreeSet<(Moment, WorkerId)>,
    calendar: BinaryHeap<Reverse<Timer>>,
}

impl Index {
    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// How many messages have an end of a lease or of a wait to come.
    pub(super) fn timed_messages(&self, world: &World) -> usize {
        let current = |timer: &&Reverse<Timer>| match timer.0.pending {
            Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                world.message_timer(message) == timer.0.sequence
            }
            _ => false,
        };
        self.calendar.iter().filter(current).count()
    }

    /// The earliest receive: the message that has been visible longest, and the worker that has
    /// been idle longest.
    fn receive(&self) -> Option<(WorkerId, MessageId, Moment)> {
        let (visible, message) = self.ready.first()?;
        let (since, worker) = self.idle.first()?;
        Some((*worker, *message, *visible.max(since)))
    }
}

impl World {
    /// Makes the earliest happen, with the verdict that `chooser` gives, and says whether there
    /// was anything to do. The same as taking from [`World::choices`] the first that the chooser
    /// agrees to, without the list.
    pub fn advance(&mut self, chooser: &mut impl Chooser, sink: &mut impl Sink) -> bool {
        if self.index.is_none() {
            self.make_index(chooser);
        }
        let receive = self.index.as_ref().and_then(|index| index.receive());
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
    fn apply_asking(
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
        self.foresee(worker, chooser);
    }

    /// If the worker stands before a point at which it dies, its death goes into the calendar.
    fn foresee(&mut self, worker: WorkerId, chooser: &mut impl Chooser) {
        let Some(task) = self.task(worker) else { return };
        if let Some((_, due)) = strike(&task, chooser) {
            let sequence = self.worker_timer(worker);
            self.schedule(due, Class::Crash, sequence, Pending::Step { worker });
        }
    }

    fn make_index(&mut self, chooser: &mut impl Chooser) {
        self.index = Some(Box::default());
        for worker in (0..self.scenario.workers).map(WorkerId) {
            let sequence = self.worker_timer(worker);
            match self.workers[usize::from(worker.0)] {
                WorkerState::Idle { since } => self.note_idle(worker, since),
                WorkerState::Down { until } => {
                    self.schedule(until, Class::Work, sequence, Pending::Restart { worker });
                }
                WorkerState::Busy(task) => {
                    self.schedule(task.due, Class::Work, sequence, Pending::Step { worker });
                    self.foresee(worker, chooser);
                }
            }
        }
        for place in 0..self.messages.len() {
            let message = MessageId(place.try_into().unwrap_or(u32::MAX));
            let sequence = self.message_timer(message);
            match self.messages[place].state {
                MessageState::Ready { since } => self.note_ready(message, since),
                MessageState::Leased(lease) => {
                    let pending = Pending::LeaseEnd { message };
                    self.schedule(lease.deadline, Class::End, sequence, pending);
                }
                MessageState::Delayed { until } => {
                    let pending = Pending::WaitEnd { message };
                    self.schedule(until, Class::End, sequence, pending);
                }
                MessageState::Acked | MessageState::Dead => {}
            }
        }
    }

    pub(super) fn note_ready(&mut self, message: MessageId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.ready.insert((since, message));
        }
    }

    pub(super) fn forget_ready(&mut self, message: MessageId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.ready.remove(&(since, message));
        }
    }

    pub(super) fn note_idle(&mut self, worker: WorkerId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.idle.insert((since, worker));
        }
    }

    pub(super) fn forget_idle(&mut self, worker: WorkerId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.idle.remove(&(since, worker));
        }
    }

    /// The earliest timer whose part still waits for it.
    fn next_timer(&mut self) -> Option<Timer> {
        loop {
            let Reverse(timer) = *self.index.as_ref()?.calendar.peek()?;
            let current = match timer.pending {
                Pending::Step { worker } | Pending::Restart { worker } => self.worker_timer(worker),
                Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                    self.message_timer(message)
                }
                Pending::Receive { .. } => unreachable!("a receive has no timer"),
            };
            if current == timer.sequence {
                return Some(timer);
            }
            self.index.as_mut()?.calendar.pop();
        }
    }

    fn take_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// The worker waits for `pending`, and for nothing that it waited for before.
    pub(super) fn wait_worker(&mut self, worker: WorkerId, due: Moment, pending: Pending) {
        let sequence = self.stop_worker_timer(worker);
        self.schedule(due, Class::Work, sequence, pending);
    }

    /// The message waits for `pending`, and for nothing that it waited for before.
    pub(super) fn wait_message(&mut self, message: MessageId, due: Moment, pending: Pending) {
        let sequence = self.stop_message_timer(message);
        self.schedule(due, Class::End, sequence, pending);
    }

    pub(super) fn stop_worker_timer(&mut self, worker: WorkerId) -> u64 {
        let sequence = self.take_sequence();
        self.timers[usize::from(worker.0)] = sequence;
        sequence
    }

    pub(super) fn stop_message_timer(&mut self, message: MessageId) -> u64 {
        let sequence = self.take_sequence();
        let place = self.workers.len() + message.0 as usize;
        self.timers[place] = sequence;
        sequence
    }

    fn schedule(&mut self, due: Moment, class: Class, sequence: u64, pending: Pending) {
        if let Some(index) = &mut self.index {
            index.calendar.push(Reverse(Timer { due, class, sequence, pending }));
        }
    }
}
