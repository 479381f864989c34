//! The world: a value that knows what may happen next and makes it happen.
//!
//! Two functions carry everything. [`World::choices`] lists what is pending, in a fixed order,
//! each with what may go wrong there; [`World::apply`] makes one of them happen and tells a sink.
//! Playing takes the earliest; an explorer may take any. [`World::advance`] is the same step
//! without the list: it asks a chooser and takes the earliest.

mod calendar;
mod delivery;
mod pending;
mod work;

use super::choice::{Choice, Pending};
use super::event::{Event, Sink};
use super::scenario::Scenario;
use crate::model::job::Job;
use crate::model::ledger::Ledger;
use crate::model::queue::{Message, MessageState};
use crate::model::worker::{Task, WorkerState};
use crate::units::{MessageId, Moment, WorkerId};
use calendar::Index;
use std::sync::Arc;

/// One state of the simulation.
#[derive(Clone, Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    now: Moment,
    /// The number of the next timer.
    sequence: u64,
    jobs: Vec<Job>,
    messages: Vec<Message>,
    workers: Vec<WorkerState>,
    /// The sequence of the timer that each worker waits for, and after them each message.
    timers: Vec<u64>,
    ledger: Ledger,
    /// What the fast path finds the earliest with. Made when it is first asked; the state is
    /// whole without it, and a search clones none.
    index: Option<Box<Index>>,
    /// How many messages were sent.
    sent: usize,
    /// How many messages are neither acked nor dead.
    open: usize,
    /// How many workers are running a slice.
    busy: usize,
}

impl World {
    /// A world at time 0 with the scenario's jobs sent and its workers idle.
    pub fn new(scenario: Arc<Scenario>, sink: &mut dyn Sink) -> Self {
        let workers = usize::from(scenario.workers);
        let mut world = Self {
            now: Moment::ZERO,
            sequence: 0,
            jobs: Vec::new(),
            messages: Vec::new(),
            workers: vec![WorkerState::Idle { since: Moment::ZERO }; workers],
            timers: vec![0; workers],
            ledger: Ledger::default(),
            index: None,
            sent: 0,
            open: 0,
            busy: 0,
            scenario,
        };
        for _ in 0..world.scenario.jobs {
            world.send(sink);
        }
        world
    }

    /// The scenario that it plays.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The moment that it is.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// The jobs, by index.
    #[must_use]
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// The messages, by id.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The workers, by id.
    #[must_use]
    pub fn workers(&self) -> &[WorkerState] {
        &self.workers
    }

    /// The local ledger.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether nothing is left to do: every message is acked or dead, and nobody is at work.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.open == 0 && self.busy == 0
    }

    /// How many messages were sent.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.sent
    }

    /// How many messages the queue can still find: those that it would hand out, those whose
    /// lease or wait will end, and those that are over. Conservation says that this is all.
    #[must_use]
    pub fn found(&self) -> usize {
        let over =
            |message: &&Message| matches!(message.state, MessageState::Acked | MessageState::Dead);
        let over = self.messages.iter().filter(over).count();
        let open = match &self.index {
            Some(index) => index.ready(self) + index.timed_messages(self),
            None => self.messages.len() - over,
        };
        open + over
    }

    /// Makes a choice of [`World::choices`] happen: the clock moves to its due time or stays,
    /// whichever is later, and what was due earlier will simply happen late.
    pub fn apply(&mut self, choice: &Choice, sink: &mut dyn Sink) {
        self.now = self.now.max(choice.due);
        match choice.pending {
            Pending::Step { worker } => self.step(worker, choice.verdict, choice.point, sink),
            Pending::Restart { worker } => {
                self.rest(worker);
                sink.event(self.now, Event::Restarted { worker });
            }
            Pending::LeaseEnd { message } => self.end_lease(message, sink),
            Pending::WaitEnd { message } => {
                self.show(message);
                let job = self.message(message).job;
                sink.event(self.now, Event::Returned { job });
            }
            Pending::Receive { worker, message } => self.receive(worker, message, sink),
        }
    }

    /// What a worker has in hand.
    fn task(&self, worker: WorkerId) -> Option<Task> {
        match self.workers[usize::from(worker.0)] {
            WorkerState::Busy(task) => Some(task),
            WorkerState::Idle { .. } | WorkerState::Down { .. } => None,
        }
    }

    fn message(&self, message: MessageId) -> &Message {
        &self.messages[message.0 as usize]
    }

    /// The sequences of the timers that workers wait for, and after them messages.
    pub(super) fn timers(&self) -> &[u64] {
        &self.timers
    }

    fn worker_timer(&self, worker: WorkerId) -> u64 {
        self.timers[usize::from(worker.0)]
    }

    fn message_timer(&self, message: MessageId) -> u64 {
        self.timers[self.workers.len() + message.0 as usize]
    }
}
