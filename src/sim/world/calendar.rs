//! What happens next: the index of what is pending, and the fast path that takes the earliest
//! without making a list.

use super::World;
use super::pending::{class_of, go, strike};
use crate::model::outbox::RelayState;
use crate::model::queue::MessageState;
use crate::model::worker::{Step, WorkerState};
use crate::sim::choice::{Choice, Chooser, Class, Pending};
use crate::sim::event::Sink;
use crate::sim::fault::{Point, Verdict};
use crate::units::{MessageId, Moment, WorkerId};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

/// A timer in the calendar. An entry whose part has moved on is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    pub(super) due: Moment,
    pub(super) class: Class,
    pub(super) sequence: u64,
    pub(super) pending: Pending,
}

/// What is pending, in the order in which it comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Ready messages by (visible since, message).
    ready: Line<MessageId>,
    /// Workers with room by (since, worker): who has waited longest takes the next message.
    room: Line<WorkerId>,
    /// A timer that is due in the instant in which it was made: a step without a length does not
    /// go through the heap.
    at_once: Option<Timer>,
    /// Ends of leases, as long as each comes after the one before: where all leases are equally
    /// long, that is all of them, and most are passed over without ever being sorted.
    ends: VecDeque<Timer>,
    /// Every other timer.
    heap: BinaryHeap<Reverse<Timer>>,
    /// Workers and relays that have begun a step whose points have not been asked about.
    begun: Vec<WorkerId>,
    relays_begun: Vec<u16>,
}

impl Index {
    pub(super) fn ready(&self) -> usize {
        self.ready.0.len()
    }

    /// How many messages have an end of a lease or of a wait to come.
    pub(super) fn timed_messages(&self, world: &World) -> usize {
        let current = |timer: &&Timer| match timer.pending {
            Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                world.message_timer(message) == timer.sequence
            }
            _ => false,
        };
        let heap = self.heap.iter().map(|timer| &timer.0);
        heap.chain(&self.ends).chain(&self.at_once).filter(current).count()
    }

    fn push(&mut self, timer: Timer, now: Moment) {
        if timer.due <= now && self.at_once.is_none() {
            self.at_once = Some(timer);
        } else if timer.class == Class::End && self.ends.back().is_none_or(|last| *last < timer) {
            self.ends.push_back(timer);
        } else {
            self.heap.push(Reverse(timer));
        }
    }

    /// The earliest timer, whether its part still waits for it or not, and where it is.
    fn first(&self) -> Option<(&Timer, Source)> {
        let mut first = self.at_once.as_ref().map(|timer| (timer, Source::AtOnce));
        let ends = self.ends.front().map(|timer| (timer, Source::Ends));
        let heap = self.heap.peek().map(|timer| (&timer.0, Source::Heap));
        for (timer, source) in [ends, heap].into_iter().flatten() {
            if first.is_none_or(|(first, _)| timer < first) {
                first = Some((timer, source));
            }
        }
        first
    }

    fn drop_first(&mut self, source: Source) {
        match source {
            Source::AtOnce => self.at_once = None,
            Source::Ends => drop(self.ends.pop_front()),
            Source::Heap => drop(self.heap.pop()),
        }
    }

    /// The earliest receive: the message that has been visible longest, and the worker that has
    /// had room longest.
    fn receive(&self) -> Option<Choice> {
        let (visible, message) = *self.ready.0.front()?;
        let (since, worker) = *self.room.0.front()?;
        let pending = Pending::Receive { worker, message };
        Some(go(pending, visible.max(since), Class::Receive, 0))
    }
}

/// Where a timer is kept.
#[derive(Clone, Copy)]
enum Source {
    AtOnce,
    Ends,
    Heap,
}

impl Timer {
    fn is_before(&self, choice: &Choice) -> bool {
        let order = (choice.due, choice.class, choice.sequence);
        (self.due, self.class, self.sequence) < order
    }
}

/// By due time, class and sequence. No two timers that still wait have the same sequence.
impl Ord for Timer {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.due.cmp(&other.due).then(self.class.cmp(&other.class));
        order.then(self.sequence.cmp(&other.sequence))
    }
}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Those who wait, longest first; who has waited equally long stands by number. Nearly all come
/// at the back and leave at the front.
#[derive(Clone, Debug)]
struct Line<T>(VecDeque<(Moment, T)>);

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T: Copy + Ord> Line<T> {
    fn insert(&mut self, since: Moment, who: T) {
        let entry = (since, who);
        if self.0.back().is_none_or(|last| *last < entry) {
            self.0.push_back(entry);
        } else if let Err(place) = self.0.binary_search(&entry) {
            self.0.insert(place, entry);
        }
    }

    fn remove(&mut self, since: Moment, who: T) {
        let entry = (since, who);
        if self.0.front() == Some(&entry) {
            self.0.pop_front();
        } else if let Ok(place) = self.0.binary_search(&entry) {
            self.0.remove(place);
        }
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
        if self.is_settled() {
            return false;
        }
        let timer = self.next_timer();
        let receive = self.next_receive();
        let choice = match (timer, receive) {
            (Some((timer, source)), receive)
                if receive.is_none_or(|receive| timer.is_before(&receive)) =>
            {
                if let Some(index) = &mut self.index {
                    index.drop_first(source);
                }
                go(timer.pending, timer.due, timer.class, timer.sequence)
            }
            (_, Some(receive)) => receive,
            (_, None) => return false,
        };
        self.apply_asking(choice, chooser, sink);
        true
    }

    /// The earliest of what workers and relays may take.
    fn next_receive(&self) -> Option<Choice> {
        let receive = self.index.as_ref().and_then(|index| index.receive());
        if self.relays.is_empty() {
            return receive;
        }
        [receive, self.first_read()].into_iter().flatten().min_by_key(Choice::order)
    }

    /// Applies a choice at whose points the chooser is still to be asked.
    fn apply_asking(
        &mut self,
        mut choice: Choice,
        chooser: &mut impl Chooser,
        sink: &mut dyn Sink,
    ) {
        let verdict = match choice.pending {
            Pending::Step { worker } => self.task(worker).and_then(|task| {
                if choice.class == Class::Crash {
                    let (point, verdict, _) = strike(self, &task, chooser)?;
                    return Some((point, verdict));
                }
                let point = point_at(task.step)?;
                Some((point, chooser.verdict(&self.site_of(&task, point))))
            }),
            Pending::Relay { relay } if choice.class == Class::Crash => {
                self.relay_site(relay).map(|site| (site.point, Verdict::Crash))
            }
            _ => None,
        };
        if let Some((point, verdict)) = verdict.filter(|(_, verdict)| *verdict != Verdict::Go) {
            (choice.verdict, choice.point) = (verdict, Some(point));
        }
        self.apply(&choice, sink);
        self.foresee(chooser);
    }

    /// Workers and relays that have begun a step may stand before a point at which they die or
    /// stand still: that goes into the calendar.
    fn foresee(&mut self, chooser: &mut impl Chooser) {
        let Some(index) = &mut self.index else { return };
        if index.begun.is_empty() && index.relays_begun.is_empty() {
            return;
        }
        let begun = std::mem::take(&mut index.begun);
        let relays_begun = std::mem::take(&mut index.relays_begun);
        for worker in &begun {
            let Some(task) = self.task(*worker) else { continue };
            if let Some((_, _, due)) = strike(self, &task, chooser) {
                let (sequence, pending) =
                    (self.worker_timer(*worker), Pending::Step { worker: *worker });
                self.push(Timer { due, class: Class::Crash, sequence, pending });
            }
        }
        for relay in &relays_begun {
            let Some(site) = self.relay_site(*relay) else { continue };
            if chooser.verdict(&site) == Verdict::Crash {
                self.push_relay_crash(*relay);
            }
        }
        // The lists are used again, so that a step allocates nothing.
        if let Some(index) = &mut self.index {
            (index.begun, index.relays_begun) = (begun, relays_begun);
            index.begun.clear();
            index.relays_begun.clear();
        }
    }

    fn push_relay_crash(&mut self, relay: u16) {
        let RelayState::Busy { since, .. } = self.relays[usize::from(relay)] else { return };
        let pending = Pending::Relay { relay };
        let current = self.others.values().find(|timer| timer.pending == pending);
        if let Some(timer) = current.copied() {
            self.push(Timer { due: since, class: Class::Crash, ..timer });
        }
    }

    pub(super) fn note_begun(&mut self, worker: WorkerId) {
        if let Some(index) = &mut self.index {
            index.begun.push(worker);
        }
    }

    pub(super) fn note_relay_begun(&mut self, relay: u16) {
        if let Some(index) = &mut self.index {
            index.relays_begun.push(relay);
        }
    }

    fn make_index(&mut self, chooser: &mut impl Chooser) {
        self.index = Some(Box::default());
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            let sequence = self.worker_timer(worker);
            match self.workers[usize::from(worker.0)] {
                WorkerState::Idle { .. } => {}
                WorkerState::Down { until } => {
                    let pending = Pending::Restart { worker };
                    self.push(Timer { due: until, class: Class::Work, sequence, pending });
                }
                WorkerState::Busy(task) => {
                    let pending = Pending::Step { worker };
                    self.push(Timer { due: task.due, class: Class::Work, sequence, pending });
                    self.note_begun(worker);
                }
            }
            self.note_room(worker);
        }
        for place in 0..self.messages.len() {
            let message = MessageId(place.try_into().unwrap_or(u32::MAX));
            let sequence = self.message_timer(message);
            match self.messages[place].state {
                MessageState::Ready { since } => self.note_ready(message, since),
                MessageState::Leased(lease) if lease.deadline < Moment::MAX => {
                    let (due, class) = (self.noticed(lease.deadline), Class::End);
                    let pending = Pending::LeaseEnd { message };
                    self.push(Timer { due, class, sequence, pending });
                }
                MessageState::Delayed { until } => {
                    let pending = Pending::WaitEnd { message };
                    self.push(Timer { due: until, class: Class::End, sequence, pending });
                }
                _ => {}
            }
        }
        let others: Vec<Timer> = self.others.values().copied().collect();
        for timer in others {
            self.push(timer);
        }
        for relay in 0..self.scenario.relays.count {
            self.note_relay_begun(relay);
        }
        self.foresee(chooser);
    }

    pub(super) fn note_ready(&mut self, message: MessageId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.ready.insert(since, message);
        }
    }

    pub(super) fn forget_ready(&mut self, message: MessageId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.ready.remove(since, message);
        }
    }

    /// Notes whether a worker has room, after anything that may have changed it.
    pub(super) fn note_room(&mut self, worker: WorkerId) {
        let room = self.room(worker);
        if let (Some(index), Some(since)) = (&mut self.index, room) {
            index.room.insert(since, worker);
        }
    }

    /// Forgets that a worker has room; call it before what changes it.
    pub(super) fn forget_room(&mut self, worker: WorkerId) {
        let room = self.room(worker);
        if let (Some(index), Some(since)) = (&mut self.index, room) {
            index.room.remove(since, worker);
        }
    }

    /// The earliest timer whose part still waits for it.
    fn next_timer(&mut self) -> Option<(Timer, Source)> {
        loop {
            let (timer, source) = self.index.as_ref()?.first()?;
            let current = match timer.pending {
                Pending::Step { worker } | Pending::Restart { worker } => {
                    self.worker_timer(worker) == timer.sequence
                }
                Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                    self.message_timer(message) == timer.sequence
                }
                _ => self.others.contains_key(&timer.sequence),
            };
            if current {
                return Some((*timer, source));
            }
            self.index.as_mut()?.drop_first(source);
        }
    }

    fn take_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// The worker waits for `pending`, and for nothing that it waited for before.
    pub(super) fn wait_worker(&mut self, worker: WorkerId, due: Moment, pending: Pending) {
        let sequence = self.stop_worker_timer(worker);
        self.push(Timer { due, class: Class::Work, sequence, pending });
    }

    /// The message waits for `pending`, and for nothing that it waited for before.
    pub(super) fn wait_message(&mut self, message: MessageId, due: Moment, pending: Pending) {
        let sequence = self.stop_message_timer(message);
        self.push(Timer { due, class: Class::End, sequence, pending });
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

    /// A timer of something else. Its sequence can take it back.
    pub(super) fn wait_other(&mut self, due: Moment, pending: Pending) -> u64 {
        let sequence = self.take_sequence();
        let timer = Timer { due, class: class_of(pending), sequence, pending };
        self.others.insert(sequence, timer);
        self.push(timer);
        sequence
    }

    fn push(&mut self, timer: Timer) {
        if let Some(index) = &mut self.index {
            index.push(timer, self.now);
        }
    }
}

/// The point at the moment of a step itself.
pub(super) fn point_at(step: Step) -> Option<Point> {
    match step {
        Step::Call => Some(Point::Call),
        Step::Ack => Some(Point::Ack),
        _ => None,
    }
}
