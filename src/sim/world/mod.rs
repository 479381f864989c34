//! The world: a value that knows what may happen next and makes it happen.
//!
//! Two functions carry everything. [`World::choices`] lists what is pending, in a fixed order,
//! each with what may go wrong there; [`World::apply`] makes one of them happen and tells a sink.
//! Playing takes the earliest; an explorer may take any. [`World::advance`] is the same step
//! without the list: it asks a chooser and takes the earliest.
//!
//! What nearly every job goes through stands in a few functions, and what few jobs do is a call from
//! there. The attributes say so, for every build but the page's, which has to be small: in wasm a
//! call costs more than natively, and an engine optimises a short function sooner than a long one.

mod advance;
mod calendar;
mod calls;
mod delivery;
mod deploy;
mod index;
mod leave;
mod pending;
mod relay;
mod timers;
mod work;

use super::choice::{Choice, Pending};
use super::event::{Event, Listener, Sink};
use super::scenario::{Arrivals, Effect, Scenario};
use crate::WHOLE;
use crate::model::clone_fields;
use crate::model::job::Job;
use crate::model::ledger::Ledger;
use crate::model::outbox::{OutboxRow, RelayState};
use crate::model::queue::{Message, MessageState};
use crate::model::vendor::Vendor;
use crate::model::worker::{Held, Task, WorkerState};
use crate::sorted::Sorted;
use crate::units::{JobIndex, MessageId, Moment, Span, WorkerId};
use crate::window::Window;

use calls::Call;
use deploy::Draining;
use index::Index;
use std::sync::Arc;
use timers::Timers;

/// So many jobs a world that forgets keeps at first.
const FORGETFUL: usize = 1024;

/// One state of the simulation.
#[derive(Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    now: Moment,
    /// The number of the next timer.
    sequence: u64,
    jobs: Window<Job>,
    messages: Window<Message>,
    /// Whether what is over is forgotten.
    forgets: bool,
    workers: Vec<WorkerState>,
    /// What each worker holds besides what it works on; empty unless they prefetch.
    held: Vec<Vec<Held>>,
    /// The sequence of the timer that each worker waits for.
    timers: Vec<u64>,
    /// The same of each message.
    message_timers: Window<u64>,
    /// Every other timer, by its sequence.
    others: Timers,
    ledger: Ledger,
    vendor: Vendor,
    vendor_is_down: bool,
    calls: Sorted<u32, Call>,
    /// The number of the next call, and of the next claim.
    next: [u32; 2],
    outbox: Vec<OutboxRow>,
    relays: Vec<RelayState>,
    /// The jobs whose message's id the queue knows.
    windows: Sorted<JobIndex, ()>,
    /// How many sendings of the producer are still to come.
    to_send: u32,
    /// The gap before the next arrival that is not waited for yet: drawn one arrival ahead, so that
    /// what comes next need not wait for a logarithm.
    gap: Span,
    draining: Option<Box<Draining>>,
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

/// A search clones a world for every event that it tries, so a clone into one that is there
/// already takes over its memory.
impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            scenario: self.scenario.clone(),
            now: self.now,
            sequence: self.sequence,
            jobs: self.jobs.clone(),
            messages: self.messages.clone(),
            forgets: self.forgets,
            workers: self.workers.clone(),
            held: self.held.clone(),
            timers: self.timers.clone(),
            message_timers: self.message_timers.clone(),
            others: self.others.clone(),
            ledger: self.ledger.clone(),
            vendor: self.vendor.clone(),
            vendor_is_down: self.vendor_is_down,
            calls: self.calls.clone(),
            next: self.next,
            outbox: self.outbox.clone(),
            relays: self.relays.clone(),
            windows: self.windows.clone(),
            to_send: self.to_send,
            gap: self.gap,
            draining: self.draining.clone(),
            index: self.index.clone(),
            sent: self.sent,
            open: self.open,
            busy: self.busy,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self {
            scenario,
            now,
            sequence,
            jobs,
            messages,
            forgets,
            workers,
            held,
            timers,
            message_timers,
            others,
            ledger,
            vendor,
            vendor_is_down,
            calls,
            next,
            outbox,
            relays,
            windows,
            to_send,
            gap,
            draining,
            index,
            sent,
            open,
            busy,
        } = source;
        if !Arc::ptr_eq(&self.scenario, scenario) {
            self.scenario.clone_from(scenario);
        }
        clone_fields!(self: jobs, messages, message_timers, workers, held, timers, others);
        clone_fields!(self: calls, outbox, relays, windows);
        self.forgets = *forgets;
        self.now = *now;
        self.sequence = *sequence;
        self.ledger.clone_from(ledger);
        self.vendor.clone_from(vendor);
        self.vendor_is_down = *vendor_is_down;
        self.next = *next;
        self.to_send = *to_send;
        self.gap = *gap;
        self.draining.clone_from(draining);
        self.index.clone_from(index);
        self.sent = *sent;
        self.open = *open;
        self.busy = *busy;
    }
}

impl World {
    /// A world at time 0 with its workers idle, and with the jobs sent that are there at once.
    pub fn new(scenario: Arc<Scenario>, sink: &mut dyn Sink) -> Self {
        Self::at_start(scenario, false, sink)
    }

    /// A world for a run that is only counted: where all money moves in the local ledger, it
    /// forgets jobs that are over, their messages and their rows. The same happens in it.
    pub fn forgetful(scenario: Arc<Scenario>, sink: &mut dyn Sink) -> Self {
        let forgets = scenario.effect == Effect::Ledger;
        Self::at_start(scenario, forgets, sink)
    }

    fn at_start(scenario: Arc<Scenario>, forgets: bool, sink: &mut dyn Sink) -> Self {
        let workers = usize::from(scenario.crew.count);
        let prefetches = scenario.crew.prefetch > 1;
        let relay = RelayState::Idle { since: Moment::ZERO };
        // Room for every job at once: a large run is not moved as it grows.
        let jobs = scenario.workload.jobs as usize;
        let jobs = if forgets { jobs.min(FORGETFUL) } else { jobs };
        let mut world = Self {
            now: Moment::ZERO,
            sequence: 0,
            jobs: Window::with_capacity(jobs),
            messages: Window::with_capacity(jobs),
            workers: vec![WorkerState::Idle { since: Moment::ZERO }; workers],
            held: if prefetches { vec![Vec::new(); workers] } else { Vec::new() },
            timers: vec![0; workers],
            message_timers: Window::with_capacity(jobs),
            forgets,
            others: Timers::default(),
            ledger: Ledger::with_capacity(jobs),
            vendor: Vendor::default(),
            vendor_is_down: scenario.vendor.down_until > Span::ZERO,
            calls: Sorted::default(),
            next: [0, 1],
            outbox: Vec::new(),
            relays: vec![relay; usize::from(scenario.relays.count)],
            windows: Sorted::default(),
            to_send: scenario.workload.jobs,
            gap: scenario.gap_before(0),
            draining: None,
            index: None,
            sent: 0,
            open: 0,
            busy: 0,
            scenario,
        };
        world.open(&mut Listener::new(sink));
        world
    }

    fn open(&mut self, sink: &mut Listener<'_>) {
        self.schedule_acts();
        match self.scenario.workload.arrivals {
            Arrivals::AtOnce => self.arrive_all(sink),
            Arrivals::Every => self.arrive_then_wait(sink),
            Arrivals::Exponential => self.wait_for_arrival(),
        }
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

    /// The jobs, by index from the oldest that is not forgotten.
    #[must_use]
    pub fn jobs(&self) -> &[Job] {
        self.jobs.items()
    }

    /// The messages, by id from the oldest that is not forgotten.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.messages.items()
    }

    /// The workers, by id.
    #[must_use]
    pub fn workers(&self) -> &[WorkerState] {
        &self.workers
    }

    /// What a worker holds besides what it works on.
    #[must_use]
    pub fn held(&self, worker: WorkerId) -> &[Held] {
        self.held.get(usize::from(worker.0)).map_or(&[], Vec::as_slice)
    }

    /// What every worker holds besides what it works on.
    pub(super) fn all_held(&self) -> impl Iterator<Item = (WorkerId, &Held)> {
        let workers = (0..).map(WorkerId).zip(&self.held);
        workers.flat_map(|(worker, held)| held.iter().map(move |held| (worker, held)))
    }

    /// The local ledger.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The vendor.
    #[must_use]
    pub fn vendor(&self) -> &Vendor {
        &self.vendor
    }

    /// The rows of the outbox.
    #[must_use]
    pub fn outbox(&self) -> &[OutboxRow] {
        &self.outbox
    }

    /// The relays.
    #[must_use]
    pub fn relays(&self) -> &[RelayState] {
        &self.relays
    }

    /// Whether nothing is left to do: every message is acked or dead, nobody is at work, nothing
    /// is on its way.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let over = self.open == 0 && self.busy == 0 && self.to_send == 0;
        over && self.is_nothing_on_its_way()
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn is_nothing_on_its_way(&self) -> bool {
        self.calls.is_empty()
            && self.outbox.iter().all(|row| row.marked)
            && !self
                .relays
                .iter()
                .any(|relay| matches!(relay, RelayState::Busy { .. } | RelayState::Waiting { .. }))
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
        let over = self.messages.items().iter().filter(over).count();
        let open = match &self.index {
            Some(index) => index.ready() + index.timed_messages(self) + self.held_without_end(),
            None => self.messages.items().len() - over,
        };
        open + over + self.messages.forgotten() as usize
    }

    /// How many messages a worker holds whose lease starts with the work.
    fn held_without_end(&self) -> usize {
        let messages = self.messages.placed().map(|(message, held)| (MessageId(message), held));
        let held = messages.filter(|(message, held)| {
            matches!(held.state, MessageState::Leased(lease) if lease.deadline == Moment::MAX)
                && self.has_living_holder(*message)
        });
        held.count()
    }

    /// Makes a choice of [`World::choices`] happen: the clock moves to its due time or stays,
    /// whichever is later, and what was due earlier will simply happen late.
    pub fn apply(&mut self, choice: &Choice, sink: &mut dyn Sink) {
        self.tell(choice, &mut Listener::new(sink));
    }

    /// The same where many steps have one listener.
    pub(in crate::sim) fn tell(&mut self, choice: &Choice, sink: &mut Listener<'_>) {
        self.now = self.now.max(choice.due);
        if choice.pending.has_own_timer() {
            self.others.forget(choice.sequence);
        }
        match choice.pending {
            Pending::Step { worker } => self.step(worker, choice.verdict, choice.point, sink),
            Pending::Restart { worker } => {
                self.rest(worker, sink);
                sink.event(self.now, Event::Restarted { worker });
            }
            Pending::LeaseEnd { message } => self.end_lease(message, sink),
            Pending::WaitEnd { message } => {
                self.show(message);
                let job = self.message(message).job;
                sink.event(self.now, Event::Returned { job });
            }
            Pending::Receive { worker, message } => self.receive(worker, message, sink),
            Pending::Arrive => self.arrive_then_wait(sink),
            _ => self.tell_other(choice, sink),
        }
    }

    /// What comes up at few jobs, or at none. It stands apart, as do its like elsewhere: an engine
    /// optimises a function as a whole and late if it is long, and what a million jobs go through
    /// should be short. In the page's build the bytes count.
    #[cfg_attr(not(feature = "page"), inline(never))]
    #[cfg_attr(feature = "page", inline(always))]
    fn tell_other(&mut self, choice: &Choice, sink: &mut Listener<'_>) {
        match choice.pending {
            Pending::Beat { worker } => self.beat(worker, sink),
            Pending::Kill { worker } => self.kill(worker, sink),
            Pending::Answer { call } => self.finish_call(call, sink),
            Pending::KeyEnd { key } => self.forget_key(key, sink),
            Pending::ClaimEnd { key, number } => {
                if self.ledger.end_claim(key, number) {
                    sink.event(self.now, Event::ClaimEnded { job: key.job });
                }
            }
            Pending::Read { relay, row } => self.read_row(relay, row, sink),
            Pending::Relay { relay } => self.relay_step(relay, choice.verdict, choice.point, sink),
            Pending::RelayBack { relay } => self.relay_back(relay, sink),
            Pending::Deploy { first } => self.deploy(first, sink),
            Pending::GraceEnd { first } => self.end_grace(first, sink),
            Pending::TestClock => self.move_test_clock(sink),
            Pending::VendorBack => {
                self.vendor_is_down = false;
                sink.event(self.now, Event::VendorBack);
            }
            _ if !WHOLE => {}
            Pending::LateCall { call } => self.late_call(call, sink),
            Pending::CallClaimEnd { key } => self.end_call_claim(key, sink),
            Pending::WindowEnd { job } => {
                self.windows.remove(&job);
                sink.event(self.now, Event::WindowEnded { job });
            }
            Pending::Resend { job, .. } => self.resend(job, sink),
            Pending::Undo => {
                for job in (0..).map(JobIndex).take(self.jobs.len() as usize) {
                    self.vendor.undo(job);
                }
                sink.event(self.now, Event::Undone);
            }
            Pending::Step { .. }
            | Pending::Restart { .. }
            | Pending::LeaseEnd { .. }
            | Pending::WaitEnd { .. }
            | Pending::Receive { .. }
            | Pending::Arrive => {}
        }
    }

    /// What a worker has in hand.
    fn task(&self, worker: WorkerId) -> Option<Task> {
        self.task_of(worker).copied()
    }

    fn task_of(&self, worker: WorkerId) -> Option<&Task> {
        match &self.workers[usize::from(worker.0)] {
            WorkerState::Busy(task) => Some(task),
            WorkerState::Idle { .. } | WorkerState::Down { .. } => None,
        }
    }

    fn message(&self, message: MessageId) -> &Message {
        &self.messages[message.0]
    }

    /// The sequences of the timers that workers wait for, and after them messages.
    pub(super) fn timers(&self) -> impl Iterator<Item = u64> + '_ {
        self.timers.iter().chain(self.message_timers.items()).copied()
    }

    /// The number of the last timer that was set.
    pub(super) fn last_timer(&self) -> u64 {
        self.sequence
    }

    /// Every other timer, as (due, sequence, what).
    pub(super) fn other_timers(&self) -> impl Iterator<Item = (Moment, u64, Pending)> + '_ {
        self.others.iter().map(|timer| (timer.due, timer.sequence, timer.pending))
    }

    /// Whether the vendor is down.
    pub(super) fn vendor_is_down(&self) -> bool {
        self.vendor_is_down
    }

    /// Whether any worker is to stop for a new version.
    pub(super) fn is_draining(&self) -> bool {
        self.draining.as_ref().is_some_and(|draining| !draining.is_empty())
    }

    /// Whether a worker is to stop for a new version.
    pub(super) fn is_stopping(&self, worker: WorkerId) -> bool {
        self.draining.as_ref().is_some_and(|draining| draining.has(worker))
    }

    fn worker_timer(&self, worker: WorkerId) -> u64 {
        self.timers[usize::from(worker.0)]
    }

    /// None for a message that is forgotten.
    fn message_timer(&self, message: MessageId) -> Option<u64> {
        self.message_timers.get(message.0).copied()
    }
}
