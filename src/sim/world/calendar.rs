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
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An entry of a queue. One whose part has moved on is passed over when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timer {
    due: Moment,
    class: Class,
    sequence: u64,
    what: What,
}

/// The greatest entry is the earliest: that is the one that a heap hands out.
impl Ord for Timer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let order = |timer: &Self| (timer.due, timer.class, timer.sequence);
        order(other).cmp(&order(self))
    }
}

impl PartialOrd for Timer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Pending(Pending),
    /// The message is visible, since it was due.
    Ready(MessageId),
    /// The worker is idle, since it was due.
    Idle(WorkerId),
}

/// Entries, the earliest first. One type for all three: the page's module has its code once.
type Queue = BinaryHeap<Timer>;

/// What is pending, in the order in which it comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Ready messages by (visible since, message).
    ready: Queue,
    /// Idle workers by (idle since, worker): who has waited longest takes the next message.
    idle: Queue,
    calendar: Queue,
}

impl Index {
    pub(super) fn ready(&self, world: &World) -> usize {
        self.ready.iter().filter(|timer| world.is_current(timer)).count()
    }

    /// How many messages have an end of a lease or of a wait to come.
    pub(super) fn timed_messages(&self, world: &World) -> usize {
        let of_message = |timer: &Timer| {
            matches!(timer.what, What::Pending(Pending::LeaseEnd { .. } | Pending::WaitEnd { .. }))
        };
        let current = |timer: &&Timer| of_message(timer) && world.is_current(timer);
        self.calendar.iter().filter(current).count()
    }
}

impl World {
    /// Makes the earliest happen, with the verdict that `chooser` gives, and says whether there
    /// was anything to do. The same as taking from [`World::choices`] the first that the chooser
    /// agrees to, without the list.
    pub fn advance(&mut self, chooser: &mut impl Chooser, sink: &mut dyn Sink) -> bool {
        if self.index.is_none() {
            self.make_index(chooser);
        }
        let choice = match (self.next_timer(), self.next_receive()) {
            (None, None) => return false,
            (Some(timer), Some(receive))
                if (timer.due, timer.class) <= (receive.due, receive.class) =>
            {
                timer
            }
            (_, Some(receive)) => receive,
            (Some(timer), None) => {
                if matches!(timer.pending, Pending::Restart { .. }) && self.is_settled() {
                    return false;
                }
                timer
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
        sink: &mut dyn Sink,
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
            let (sequence, what) = (u64::from(message.0), What::Ready(message));
            index.ready.push(Timer { due: since, class: Class::Receive, sequence, what });
        }
    }

    pub(super) fn note_idle(&mut self, worker: WorkerId, since: Moment) {
        if let Some(index) = &mut self.index {
            let (sequence, what) = (u64::from(worker.0), What::Idle(worker));
            index.idle.push(Timer { due: since, class: Class::Receive, sequence, what });
        }
    }

    /// Whether a part still waits for an entry.
    fn is_current(&self, timer: &Timer) -> bool {
        match timer.what {
            What::Pending(Pending::Step { worker } | Pending::Restart { worker }) => {
                self.worker_timer(worker) == timer.sequence
            }
            What::Pending(Pending::LeaseEnd { message } | Pending::WaitEnd { message }) => {
                self.message_timer(message) == timer.sequence
            }
            What::Pending(Pending::Receive { .. }) => false,
            What::Ready(message) => {
                let state = self.message(message).state;
                matches!(state, MessageState::Ready { since } if since == timer.due)
            }
            What::Idle(worker) => {
                let state = self.workers[usize::from(worker.0)];
                matches!(state, WorkerState::Idle { since } if since == timer.due)
            }
        }
    }

    /// The earliest entry of a queue that a part still waits for.
    fn first(&mut self, queue: fn(&mut Index) -> &mut Queue) -> Option<Timer> {
        loop {
            let timer = *queue(self.index.as_mut()?).peek()?;
            if self.is_current(&timer) {
                return Some(timer);
            }
            queue(self.index.as_mut()?).pop();
        }
    }

    /// The earliest timer.
    fn next_timer(&mut self) -> Option<Choice> {
        let timer = self.first(|index| &mut index.calendar)?;
        let What::Pending(pending) = timer.what else { return None };
        Some(go(pending, timer.due, timer.class, timer.sequence))
    }

    /// The earliest receive: the message that has been visible longest, and the worker that has
    /// been idle longest.
    fn next_receive(&mut self) -> Option<Choice> {
        let ready = self.first(|index| &mut index.ready)?;
        let idle = self.first(|index| &mut index.idle)?;
        let (What::Ready(message), What::Idle(worker)) = (ready.what, idle.what) else {
            return None;
        };
        let pending = Pending::Receive { worker, message };
        Some(go(pending, ready.due.max(idle.due), Class::Receive, 0))
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
            let what = What::Pending(pending);
            index.calendar.push(Timer { due, class, sequence, what });
        }
    }
}
