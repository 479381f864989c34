//! The calendar: who waits for what, and until when.

use super::World;
use super::index::{Index, Source};
use super::pending::{class_of, points_between};
use super::timers::{Entry, Of, Timer};
use crate::WHOLE;
use crate::model::queue::MessageState;
use crate::model::worker::{Task, WorkerState};
use crate::sim::choice::{Class, Pending};
use crate::sim::fault::Points;
use crate::units::{MessageId, Moment, WorkerId};

impl World {
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
    pub(super) fn make_index(&mut self, points: Points) {
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
    #[cfg_attr(not(feature = "page"), inline(always))]
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

    /// Whether a worker that is at work may have room for another message.
    pub(super) fn prefetches(&self) -> bool {
        WHOLE && self.scenario.crew.prefetch > 1
    }

    /// The same as [`World::note_room`] for a worker that is at work.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn note_room_of_busy(&mut self, worker: WorkerId) {
        self.note_room(worker);
    }

    /// The same as [`World::forget_room`] for a worker that is at work.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn forget_room_of_busy(&mut self, worker: WorkerId) {
        self.forget_room(worker);
    }

    /// The earliest timer whose part still waits for it, and what for, from the first on.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(super) fn next_timer(
        &mut self,
        mut first: Option<(Entry, Source)>,
    ) -> Option<(Entry, Source, Pending)> {
        loop {
            let (entry, source) = first?;
            if let Some(pending) = self.pending_of(&entry) {
                return Some((entry, source, pending));
            }
            let index = self.index.as_mut()?;
            index.drop_first(source);
            first = index.first();
        }
    }

    /// What a timer waits for, if its part still does.
    pub(super) fn pending_of(&self, entry: &Entry) -> Option<Pending> {
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

    pub(super) fn take_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// The worker waits for its next step, or to be back, and for nothing that it waited for
    /// before.
    pub(super) fn wait_worker(&mut self, worker: WorkerId, due: Moment) {
        let sequence = self.stop_worker_timer(worker);
        if let Some(index) = &mut self.index {
            if WHOLE && due <= self.now && index.at_once.is_none() {
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

    pub(super) fn push(&mut self, entry: Entry) {
        if let Some(index) = &mut self.index {
            index.push(entry);
        }
    }
}
