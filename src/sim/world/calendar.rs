//! What happens next: the index of what is pending, and the fast path that takes the earliest
//! without making a list.

use super::World;
use super::pending::{Asked, class_of, go, points_between, strike};
use super::timers::{Entry, Of, Queue, Timer};
use crate::model::queue::MessageState;
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::choice::{Choice, Chooser, Class, Pending};
use crate::sim::event::{Listener, Sink};
use crate::sim::fault::{Point, Points, Verdict};
use crate::units::{MessageId, Moment, WorkerId};
use crate::window::Window;
use std::collections::VecDeque;

/// What is pending, in the order in which it comes.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// Ready messages by (visible since, message).
    ready: Line,
    /// Workers with room by (since, worker): who has waited longest takes the next message.
    room: Line,
    /// The timer of a worker that has begun a step without a length, which need not wait with the
    /// others: when, its sequence, whose.
    at_once: Option<(Moment, u64, WorkerId)>,
    /// Ends of leases, as long as each comes after the one before: where all leases are equally
    /// long, that is all of them, and most are passed over without ever being sorted.
    ends: VecDeque<Entry>,
    /// Every other timer.
    queue: Queue,
    /// Where the chooser is to be asked.
    points: Points,
    /// Workers and relays that have begun a step whose points have not been asked about.
    begun: Vec<WorkerId>,
    relays_begun: Vec<u16>,
}

impl Index {
    fn new(points: Points) -> Self {
        Self {
            ready: Line::default(),
            room: Line::default(),
            at_once: None,
            ends: VecDeque::new(),
            queue: Queue::default(),
            points,
            begun: Vec::new(),
            relays_begun: Vec::new(),
        }
    }

    pub(super) fn ready(&self) -> usize {
        self.ready.0.len()
    }

    /// How many messages have an end of a lease or of a wait to come.
    pub(super) fn timed_messages(&self, world: &World) -> usize {
        let current = |entry: &&Entry| match entry.of() {
            Of::Message(message) => world.message_timer(message) == Some(entry.sequence()),
            Of::Worker(_) | Of::Other => false,
        };
        self.queue.iter().chain(&self.ends).filter(current).count()
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        self.queue.push(entry);
    }

    /// The end of a lease or of a wait.
    #[inline]
    fn push_end(&mut self, entry: Entry) {
        if self.ends.back().is_none_or(|last| *last < entry) {
            self.ends.push_back(entry);
        } else {
            self.queue.push(entry);
        }
    }

    /// The earliest timer, whether its part still waits for it or not, and where it is.
    fn first(&self) -> Option<(Entry, Source)> {
        match (self.ends.front(), self.queue.first()) {
            (Some(end), first) if first.is_none_or(|first| end < first) => {
                Some((*end, Source::Ends))
            }
            (_, first) => Some((*first?, Source::Queue)),
        }
    }

    /// Whether a timer comes before every one in the calendar.
    fn is_first(&self, entry: &Entry) -> bool {
        self.first().is_none_or(|(first, _)| *entry < first)
    }

    /// Drops ends of leases that nobody waits for any more, up to the first that somebody does.
    fn drop_past_ends(&mut self, timers: &Window<u64>) {
        while let Some(entry) = self.ends.front()
            && let Of::Message(message) = entry.of()
            && timers.get(message.0) != Some(&entry.sequence())
        {
            self.ends.pop_front();
        }
    }

    fn drop_first(&mut self, source: Source) {
        match source {
            Source::Ends => drop(self.ends.pop_front()),
            Source::Queue => self.queue.drop_first(),
        }
    }

    /// The next receive, and when it is due: the message that has been visible longest, by the
    /// worker that has had room longest.
    fn next_receive(&self) -> Option<(Moment, WorkerId, MessageId)> {
        let (visible, message) = *self.ready.0.front()?;
        let (since, worker) = *self.room.0.front()?;
        let worker = WorkerId(worker.try_into().ok()?);
        Some((visible.max(since), worker, MessageId(message)))
    }
}

/// Where a timer is kept.
#[derive(Clone, Copy)]
enum Source {
    Ends,
    Queue,
}

/// Messages or workers by number, who waits longest first; those who wait equally long stand by
/// number. Nearly all come at the back and leave at the front.
#[derive(Clone, Debug, Default)]
struct Line(VecDeque<(Moment, u32)>);

impl Line {
    fn insert(&mut self, since: Moment, who: u32) {
        let entry = (since, who);
        if self.0.back().is_none_or(|last| *last < entry) {
            self.0.push_back(entry);
        } else if let Err(place) = self.0.binary_search(&entry) {
            self.0.insert(place, entry);
        }
    }

    fn remove(&mut self, since: Moment, who: u32) {
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
        self.run(chooser, sink, 1) > 0
    }

    /// Advances by at most so many steps; says how many there were. Steps without a length pass
    /// without a look at what cannot come before them.
    pub fn run(&mut self, chooser: &mut impl Chooser, sink: &mut dyn Sink, most: u64) -> u64 {
        self.take(&mut Asked::new(chooser), &mut Listener::new(sink), most)
    }

    fn take(
        &mut self,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
        most: u64,
    ) -> u64 {
        if self.index.as_ref().is_none_or(|index| index.points != asked.points()) {
            self.make_index(asked.points());
        }
        // What a driver has applied itself has asked no chooser, and may not be what comes next.
        self.foresee(asked);
        if let Some((_, entry)) = self.take_at_once() {
            self.push(entry);
        }
        let mut steps = 0;
        while steps < most && self.take_first(asked, sink) {
            steps += 1;
            while let Some((worker, entry)) = self.take_at_once() {
                let first = self.index.as_ref().is_some_and(|index| index.is_first(&entry));
                if steps == most || !first || self.task_of(worker).is_none() {
                    self.push(entry);
                    break;
                }
                self.work(entry.due, worker, asked, sink);
                steps += 1;
            }
        }
        steps
    }

    fn take_first(&mut self, asked: &mut Asked<'_, impl Chooser>, sink: &mut Listener<'_>) -> bool {
        if self.is_settled() {
            return false;
        }
        let served = self.index.as_ref().and_then(|index| index.next_receive());
        let comes_first = self.index.as_ref().zip(served).is_some_and(|(index, (due, ..))| {
            index.first().is_none_or(|(entry, _)| due < entry.due)
        });
        let timer = if comes_first { None } else { self.next_timer() };
        let read = if self.relays.is_empty() { None } else { self.first_read() };
        // Receives and reads come last in their instant.
        let due = timer.map_or(Moment::MAX, |(entry, ..)| entry.due);
        let read = read.filter(|read| read.due < due && served.is_none_or(|it| read.due < it.0));
        if let Some(read) = read {
            self.apply_asking(read, asked, sink);
        } else if let Some((due, worker, message)) = served.filter(|served| served.0 < due) {
            self.now = self.now.max(due);
            self.receive(worker, message, sink);
            self.foresee(asked);
        } else if let Some((entry, source, pending)) = timer {
            if let Some(index) = &mut self.index {
                index.drop_first(source);
            }
            match (pending, entry.class()) {
                (Pending::Step { worker }, Class::Work) => {
                    self.work(entry.due, worker, asked, sink);
                }
                (pending, class) => {
                    let choice = go(pending, entry.due, class, entry.sequence());
                    self.apply_asking(choice, asked, sink);
                }
            }
        } else {
            return false;
        }
        true
    }

    /// The step without a length that a worker has just begun. Receives never come before it at
    /// the same instant, and a world with somebody at work is not settled.
    fn take_at_once(&mut self) -> Option<(WorkerId, Entry)> {
        let (due, sequence, worker) = self.index.as_mut()?.at_once.take()?;
        let entry = Entry::new(due, Class::Work, sequence, Of::Worker(worker));
        (self.worker_timer(worker) == sequence).then_some((worker, entry))
    }

    /// Makes a worker's step take effect, with the verdict that the chooser gives.
    fn work(
        &mut self,
        due: Moment,
        worker: WorkerId,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) {
        let WorkerState::Busy(task) = &self.workers[usize::from(worker.0)] else { return };
        let point = point_at(task.step);
        let verdict = point.map_or(Verdict::Go, |point| asked.at(task, point));
        let point = point.filter(|_| verdict != Verdict::Go);
        self.now = self.now.max(due);
        self.step(worker, verdict, point, sink);
        self.foresee(asked);
    }

    /// Applies a choice at whose points the chooser is still to be asked.
    fn apply_asking(
        &mut self,
        mut choice: Choice,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) {
        let verdict = match choice.pending {
            Pending::Step { worker } => match &self.workers[usize::from(worker.0)] {
                WorkerState::Busy(task) => {
                    strike(self, task, asked).map(|(point, verdict, _)| (point, verdict))
                }
                WorkerState::Idle { .. } | WorkerState::Down { .. } => None,
            },
            Pending::Relay { relay } if choice.class == Class::Crash => {
                self.relay_site(relay).map(|site| (site.point, Verdict::Crash))
            }
            Pending::Relay { relay } => {
                self.publish_site(relay).map(|site| (site.point, asked.verdict(&site)))
            }
            _ => None,
        };
        if let Some((point, verdict)) = verdict.filter(|(_, verdict)| *verdict != Verdict::Go) {
            (choice.verdict, choice.point) = (verdict, Some(point));
        }
        self.tell(&choice, sink);
        self.foresee(asked);
    }

    /// Workers and relays that have begun a step may stand before a point at which they die or
    /// stand still: that goes into the calendar.
    #[inline]
    fn foresee(&mut self, asked: &mut Asked<'_, impl Chooser>) {
        let begun = |index: &Index| !(index.begun.is_empty() && index.relays_begun.is_empty());
        if self.index.as_deref().is_some_and(begun) {
            self.ask(asked);
        }
    }

    #[inline(never)]
    fn ask(&mut self, asked: &mut Asked<'_, impl Chooser>) {
        while let Some(worker) = self.index.as_mut().and_then(|index| index.begun.pop()) {
            let WorkerState::Busy(task) = &self.workers[usize::from(worker.0)] else { continue };
            if let Some((_, _, due)) = strike(self, task, asked) {
                let sequence = self.worker_timer(worker);
                self.push(Entry::new(due, Class::Crash, sequence, Of::Worker(worker)));
            }
        }
        if self.index.as_ref().is_some_and(|index| !index.relays_begun.is_empty()) {
            self.ask_for_relays(asked);
        }
    }

    #[inline(never)]
    fn ask_for_relays(&mut self, asked: &mut Asked<'_, impl Chooser>) {
        while let Some(relay) = self.index.as_mut().and_then(|index| index.relays_begun.pop()) {
            let Some(site) = self.relay_site(relay) else { continue };
            if asked.verdict(&site) == Verdict::Crash {
                self.push_relay_crash(relay);
            }
        }
    }

    fn push_relay_crash(&mut self, relay: u16) {
        let Some(since) = self.relay_since(relay) else { return };
        let pending = Pending::Relay { relay };
        let current = self.others.iter().find(|timer| timer.pending == pending);
        if let Some(timer) = current.copied() {
            let Timer { sequence, .. } = timer;
            self.push(Entry::new(since, Class::Crash, sequence, Of::Other));
        }
    }

    /// Notes that a worker has begun a step before which it stands at these points.
    pub(super) fn note_begun(&mut self, worker: WorkerId, points: Points) {
        if let Some(index) = &mut self.index
            && points.meet(index.points)
        {
            index.begun.push(worker);
        }
    }

    /// The same of a task.
    pub(super) fn note_task(&mut self, worker: WorkerId, task: &Task) {
        self.note_begun(worker, points_between(&self.scenario, task.position, task.step));
    }

    pub(super) fn note_relay_begun(&mut self, relay: u16) {
        if let Some(index) = &mut self.index {
            index.relays_begun.push(relay);
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn make_index(&mut self, points: Points) {
        self.index = Some(Box::new(Index::new(points)));
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            let sequence = self.worker_timer(worker);
            match self.workers[usize::from(worker.0)] {
                WorkerState::Idle { .. } => {}
                WorkerState::Down { until } => {
                    let of = Of::Worker(worker);
                    self.push(Entry::new(until, Class::Work, sequence, of));
                }
                WorkerState::Busy(task) => {
                    let of = Of::Worker(worker);
                    self.push(Entry::new(task.due, Class::Work, sequence, of));
                    self.note_task(worker, &task);
                }
            }
            self.note_room(worker);
        }
        for place in self.messages.forgotten()..self.messages.len() {
            let message = MessageId(place);
            let sequence = self.message_timers[place];
            match self.messages[place].state {
                MessageState::Ready { since } => self.note_ready(message, since),
                MessageState::Leased(lease) if lease.deadline < Moment::MAX => {
                    let (due, class) = (self.noticed(lease.deadline), Class::End);
                    self.push(Entry::new(due, class, sequence, Of::Message(message)));
                }
                MessageState::Delayed { until } => {
                    let (class, of) = (Class::End, Of::Message(message));
                    self.push(Entry::new(until, class, sequence, of));
                }
                _ => {}
            }
        }
        let others: Vec<Timer> = self.others.iter().copied().collect();
        for timer in others {
            let Timer { due, class, sequence, .. } = timer;
            self.push(Entry::new(due, class, sequence, Of::Other));
        }
        for relay in 0..self.scenario.relays.count {
            self.note_relay_begun(relay);
        }
    }

    pub(super) fn note_ready(&mut self, message: MessageId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.ready.insert(since, message.0);
        }
    }

    pub(super) fn forget_ready(&mut self, message: MessageId, since: Moment) {
        if let Some(index) = &mut self.index {
            index.ready.remove(since, message.0);
        }
    }

    /// Notes whether a worker has room, after anything that may have changed it.
    pub(super) fn note_room(&mut self, worker: WorkerId) {
        let room = self.room(worker);
        if let (Some(index), Some(since)) = (&mut self.index, room) {
            index.room.insert(since, worker.0.into());
        }
    }

    /// Forgets that a worker has room; call it before what changes it.
    pub(super) fn forget_room(&mut self, worker: WorkerId) {
        let room = self.room(worker);
        if let (Some(index), Some(since)) = (&mut self.index, room) {
            index.room.remove(since, worker.0.into());
        }
    }

    /// The same for a worker that is at work.
    pub(super) fn forget_room_of_busy(&mut self, worker: WorkerId) {
        if self.scenario.crew.prefetch > 1 {
            self.forget_room(worker);
        }
    }

    /// The earliest timer whose part still waits for it, and what for.
    #[cfg_attr(not(feature = "page"), inline(always))]
    fn next_timer(&mut self) -> Option<(Entry, Source, Pending)> {
        loop {
            let (entry, source) = self.index.as_ref()?.first()?;
            if let Some(pending) = self.pending_of(&entry) {
                return Some((entry, source, pending));
            }
            self.index.as_mut()?.drop_first(source);
        }
    }

    /// What a timer waits for, if its part still does.
    fn pending_of(&self, entry: &Entry) -> Option<Pending> {
        let sequence = entry.sequence();
        match entry.of() {
            Of::Worker(worker) if self.worker_timer(worker) == sequence => {
                Some(match self.workers[usize::from(worker.0)] {
                    WorkerState::Down { .. } => Pending::Restart { worker },
                    WorkerState::Busy(_) | WorkerState::Idle { .. } => Pending::Step { worker },
                })
            }
            Of::Message(message) if self.message_timer(message) == Some(sequence) => {
                Some(match self.message(message).state {
                    MessageState::Delayed { .. } => Pending::WaitEnd { message },
                    _ => Pending::LeaseEnd { message },
                })
            }
            Of::Other => self.others.get(sequence).map(|timer| timer.pending),
            Of::Worker(_) | Of::Message(_) => None,
        }
    }

    fn take_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// The worker waits for its next step, or to be back, and for nothing that it waited for
    /// before.
    pub(super) fn wait_worker(&mut self, worker: WorkerId, due: Moment) {
        let sequence = self.stop_worker_timer(worker);
        if let Some(index) = &mut self.index {
            if due <= self.now && index.at_once.is_none() {
                index.at_once = Some((due, sequence, worker));
            } else {
                index.push(Entry::new(due, Class::Work, sequence, Of::Worker(worker)));
            }
        }
    }

    /// The message waits for the end of its lease or of its wait, and for nothing that it waited
    /// for before.
    pub(super) fn wait_message(&mut self, message: MessageId, due: Moment) {
        let sequence = self.take_sequence();
        self.message_timers[message.0] = sequence;
        if let Some(index) = &mut self.index {
            index.push_end(Entry::new(due, Class::End, sequence, Of::Message(message)));
        }
    }

    pub(super) fn stop_worker_timer(&mut self, worker: WorkerId) -> u64 {
        let sequence = self.take_sequence();
        self.timers[usize::from(worker.0)] = sequence;
        sequence
    }

    pub(super) fn stop_message_timer(&mut self, message: MessageId) {
        self.message_timers[message.0] = self.take_sequence();
        if let Some(index) = &mut self.index {
            index.drop_past_ends(&self.message_timers);
        }
    }

    /// A timer of something else. Its sequence can take it back.
    pub(super) fn wait_other(&mut self, due: Moment, pending: Pending) -> u64 {
        let sequence = self.take_sequence();
        let class = class_of(pending);
        self.others.push(Timer { due, class, sequence, pending });
        self.push(Entry::new(due, class, sequence, Of::Other));
        sequence
    }

    fn push(&mut self, entry: Entry) {
        if let Some(index) = &mut self.index {
            index.push(entry);
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
