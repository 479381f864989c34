//! The world: a value that knows what may happen next and makes it happen.
//!
//! Two functions carry everything. [`World::choices`] lists what is pending, in a fixed order,
//! each with what may go wrong there; [`World::apply`] makes one of them happen and tells a sink.
//! Playing takes the earliest; an explorer may take any. [`World::advance`] is the same step
//! without the list: it asks a chooser and takes the earliest.

use super::choice::{Choice, Choices, Chooser, Class, Pending};
use super::event::{Attempt, Event, Sink};
use super::fault::{Point, Site, Verdict};
use super::scenario::{DeadLetter, Scenario};
use crate::model::job::Job;
use crate::model::key::IdempotencyKey;
use crate::model::ledger::{Guard, Ledger};
use crate::model::queue::{AckOutcome, Message, MessageState};
use crate::model::worker::{Step, Task, WorkerState};
use crate::random::{Address, Purpose};
use crate::units::{JobIndex, MessageId, Moment, Span, WorkerId};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

/// A timer in the calendar: an index over what the parts themselves hold, so an entry whose
/// part has moved on is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Timer {
    due: Moment,
    class: Class,
    sequence: u64,
    pending: Pending,
}

/// One state of the simulation.
#[derive(Clone, Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    now: Moment,
    /// The number of the next timer.
    sequence: u64,
    jobs: Vec<Job>,
    messages: Vec<Message>,
    /// The sequence of the timer that each message waits for.
    message_timers: Vec<u64>,
    workers: Vec<WorkerState>,
    /// The sequence of the timer that each worker waits for.
    worker_timers: Vec<u64>,
    ledger: Ledger,
    /// Ready messages by (visible since, message).
    ready: BTreeSet<(Moment, MessageId)>,
    /// Idle workers by (idle since, worker): who has waited longest takes the next message.
    idle: BTreeSet<(Moment, WorkerId)>,
    calendar: BinaryHeap<Reverse<Timer>>,
    /// How many messages are neither acked nor dead.
    open: usize,
    /// How many workers are running a slice.
    busy: usize,
}

impl World {
    /// A world at time 0 with the scenario's jobs sent and its workers idle.
    pub fn new(scenario: Arc<Scenario>, sink: &mut impl Sink) -> Self {
        let workers = (0..scenario.workers).map(WorkerId);
        let mut world = Self {
            now: Moment::ZERO,
            sequence: 0,
            jobs: Vec::new(),
            messages: Vec::new(),
            message_timers: Vec::new(),
            worker_timers: workers.clone().map(|_| 0).collect(),
            workers: workers.clone().map(|_| WorkerState::Idle { since: Moment::ZERO }).collect(),
            ledger: Ledger::default(),
            ready: BTreeSet::new(),
            idle: workers.map(|worker| (Moment::ZERO, worker)).collect(),
            calendar: BinaryHeap::new(),
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

    /// How many messages the queue can still find: those that it would hand out, those whose
    /// lease or wait will end, and those that are over. Conservation says that this is all.
    #[must_use]
    pub fn found(&self) -> usize {
        let timed = self.calendar.iter().filter(|Reverse(timer)| match timer.pending {
            Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                self.message_timers[message.0 as usize] == timer.sequence
            }
            _ => false,
        });
        let over =
            |message: &&Message| matches!(message.state, MessageState::Acked | MessageState::Dead);
        self.ready.len() + timed.count() + self.messages.iter().filter(over).count()
    }

    /// Lists what may happen next, in the order of [`Choice::order`]; nothing when settled.
    pub fn choices(&self, out: &mut Choices) {
        out.clear();
        if self.is_settled() {
            return;
        }
        for (worker, state) in (0..).map(WorkerId).zip(&self.workers) {
            let sequence = self.worker_timers[usize::from(worker.0)];
            match state {
                WorkerState::Idle { .. } => {}
                WorkerState::Down { until } => {
                    let pending = Pending::Restart { worker };
                    out.push(go(pending, *until, Class::Work, sequence));
                }
                WorkerState::Busy(task) => step_choices(worker, task, sequence, out),
            }
        }
        for (message, held) in (0..).map(MessageId).zip(&self.messages) {
            let sequence = self.message_timers[message.0 as usize];
            match held.state {
                MessageState::Leased(lease) => {
                    let pending = Pending::LeaseEnd { message };
                    out.push(go(pending, lease.deadline, Class::End, sequence));
                }
                MessageState::Delayed { until } => {
                    let pending = Pending::WaitEnd { message };
                    out.push(go(pending, until, Class::End, sequence));
                }
                MessageState::Ready { .. } | MessageState::Acked | MessageState::Dead => {}
            }
        }
        for (place, (worker, message, due)) in self.receives().enumerate() {
            let pending = Pending::Receive { worker, message };
            out.push(go(pending, due, Class::Receive, place as u64));
        }
        out.sort_unstable_by_key(Choice::order);
    }

    /// Every idle worker with every ready message, in the order in which they are served.
    fn receives(&self) -> impl Iterator<Item = (WorkerId, MessageId, Moment)> + '_ {
        self.ready.iter().flat_map(move |(visible, message)| {
            let idle = self.idle.iter();
            idle.map(move |(since, worker)| (*worker, *message, *visible.max(since)))
        })
    }

    /// Where a choice would go wrong, for one that is a fault.
    #[must_use]
    pub fn site(&self, choice: &Choice) -> Option<Site> {
        let Pending::Step { worker } = choice.pending else { return None };
        Some(self.task(worker)?.site(choice.point?))
    }

    /// Makes a choice of [`World::choices`] happen: the clock moves to its due time or stays,
    /// whichever is later, and what was due earlier will simply happen late.
    pub fn apply(&mut self, choice: &Choice, sink: &mut impl Sink) {
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
        // The worker may now stand before a point at which it dies.
        let Some(task) = self.task(worker) else { return };
        if let Some((_, due)) = strike(&task, chooser) {
            let sequence = self.worker_timers[usize::from(worker.0)];
            self.schedule(due, Class::Crash, sequence, Pending::Step { worker });
        }
    }

    /// What a worker has in hand.
    fn task(&self, worker: WorkerId) -> Option<Task> {
        match self.workers[usize::from(worker.0)] {
            WorkerState::Busy(task) => Some(task),
            WorkerState::Idle { .. } | WorkerState::Down { .. } => None,
        }
    }

    /// The earliest timer whose part still waits for it.
    fn next_timer(&mut self) -> Option<Timer> {
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

    /// The sequence of the timer that a worker waits for, and that of a message.
    pub(super) fn timers(&self) -> (&[u64], &[u64]) {
        (&self.worker_timers, &self.message_timers)
    }

    fn message(&self, message: MessageId) -> &Message {
        &self.messages[message.0 as usize]
    }

    /// A new job and a message that asks for it.
    fn send(&mut self, sink: &mut impl Sink) {
        let job = JobIndex(self.jobs.len().try_into().unwrap_or(u32::MAX));
        let message = MessageId(self.messages.len().try_into().unwrap_or(u32::MAX));
        self.jobs.push(Job::default());
        self.messages.push(Message::ready(job, self.now));
        self.message_timers.push(0);
        self.ready.insert((self.now, message));
        self.open += 1;
        sink.event(self.now, Event::Sent { job });
    }

    fn receive(&mut self, worker: WorkerId, message: MessageId, sink: &mut impl Sink) {
        let MessageState::Ready { since } = self.message(message).state else {
            return;
        };
        self.ready.remove(&(since, message));
        let job = self.message(message).job;
        if self.message(message).receives >= self.scenario.max_attempts {
            self.bury(message, sink);
            return;
        }
        if let WorkerState::Idle { since } = self.workers[usize::from(worker.0)] {
            self.idle.remove(&(since, worker));
        }
        self.busy += 1;
        let timeout = self.scenario.visibility_timeout;
        let lease = self.messages[message.0 as usize].receive(worker, self.now, timeout);
        self.wait_message(message, lease.deadline, Pending::LeaseEnd { message });
        let attempt = self.jobs[job.0 as usize].deliver();
        let resumed = self.jobs[job.0 as usize].checkpoint;
        let step = if resumed { Step::Ack } else { self.scenario.slice.first(self.scenario.guard) };
        let task = Task {
            message,
            job,
            attempt,
            receipt: lease.receipt,
            step,
            since: self.now,
            due: self.now,
            saw: None,
        };
        let by = attempt_of(worker, &task);
        let leased = Event::Leased { by, receipt: lease.receipt, deadline: lease.deadline };
        sink.event(self.now, leased);
        if resumed {
            sink.event(self.now, Event::Resumed(by));
        }
        self.begin(worker, task, step);
    }

    /// Starts a step of a task: it takes effect when its length has passed.
    fn begin(&mut self, worker: WorkerId, task: Task, step: Step) {
        let task = Task {
            step,
            since: self.now,
            due: self.now.after(self.scenario.slice.length(step)),
            ..task
        };
        self.workers[usize::from(worker.0)] = WorkerState::Busy(task);
        self.wait_worker(worker, task.due, Pending::Step { worker });
    }

    fn step(
        &mut self,
        worker: WorkerId,
        verdict: Verdict,
        point: Option<Point>,
        sink: &mut impl Sink,
    ) {
        let WorkerState::Busy(mut task) = self.workers[usize::from(worker.0)] else {
            return;
        };
        let by = attempt_of(worker, &task);
        let now = self.now;
        if verdict == Verdict::Crash {
            let point = point.expect("a crash has its point");
            sink.event(now, Event::Crashed { by, point });
            self.crash(worker, sink);
            return;
        }
        match task.step {
            Step::Think => sink.event(now, Event::Thought(by)),
            Step::Check => {
                task.saw = self.look(by.key);
                let found = task.saw.is_some();
                sink.event(now, Event::Checked { by, found });
            }
            Step::Write => self.write(by, task.saw, sink),
            Step::Checkpoint => {
                self.jobs[task.job.0 as usize].checkpoint = true;
                sink.event(now, Event::Checkpointed(by));
            }
            Step::Ack if verdict == Verdict::Lost => sink.event(now, Event::AckLost(by)),
            Step::Ack => self.ack(by, &task, sink),
        }
        match self.scenario.slice.next(task.step, self.scenario.guard) {
            Some(next) => self.begin(worker, task, next),
            None => {
                self.busy -= 1;
                self.rest(worker);
            }
        }
    }

    /// What a guard that looks before it writes finds: the row, or nothing. The language model
    /// knows only this attempt, which has not written yet.
    fn look(&self, key: IdempotencyKey) -> Option<u32> {
        match self.scenario.guard {
            Guard::CheckThenInsert => self.ledger.find(key),
            Guard::AskTheModel | Guard::Off | Guard::AtomicInsert => None,
        }
    }

    fn write(&mut self, by: Attempt, saw: Option<u32>, sink: &mut impl Sink) {
        let found = match self.scenario.guard {
            Guard::AtomicInsert => self.ledger.find(by.key),
            Guard::Off | Guard::CheckThenInsert | Guard::AskTheModel => saw,
        };
        let event = match found {
            Some(row) => Event::AlreadyWritten { by, row },
            None => {
                let cents = self.scenario.amount;
                let written = self.ledger.insert(by.key, cents, by.attempt, self.now);
                Event::Wrote { by, row: written.row, cents, again: written.again }
            }
        };
        sink.event(self.now, event);
    }

    fn ack(&mut self, by: Attempt, task: &Task, sink: &mut impl Sink) {
        let before = self.message(task.message).state;
        let late = self.scenario.late_ack;
        let outcome = self.messages[task.message.0 as usize].ack(task.receipt, late);
        if matches!(outcome, AckOutcome::Deleted | AckOutcome::LateDeleted) {
            if let MessageState::Ready { since } = before {
                self.ready.remove(&(since, task.message));
            }
            self.message_timers[task.message.0 as usize] = self.take_sequence();
            self.open -= 1;
        }
        sink.event(self.now, Event::Acked { by, outcome });
    }

    /// The worker dies; what it had in hand is gone.
    fn crash(&mut self, worker: WorkerId, sink: &mut impl Sink) {
        self.busy -= 1;
        if self.scenario.restart == Span::ZERO {
            self.rest(worker);
            sink.event(self.now, Event::Restarted { worker });
            return;
        }
        let until = self.now.after(self.scenario.restart);
        self.workers[usize::from(worker.0)] = WorkerState::Down { until };
        self.wait_worker(worker, until, Pending::Restart { worker });
    }

    /// The worker is free, knowing nothing.
    fn rest(&mut self, worker: WorkerId) {
        self.workers[usize::from(worker.0)] = WorkerState::Idle { since: self.now };
        self.idle.insert((self.now, worker));
        self.worker_timers[usize::from(worker.0)] = self.take_sequence();
    }

    /// The end of a lease is no nack: the message was hidden until now, and comes back now or
    /// after the backoff.
    fn end_lease(&mut self, message: MessageId, sink: &mut impl Sink) {
        let job = self.message(message).job;
        let attempt = self.jobs[job.0 as usize].attempts.saturating_sub(1);
        let used_up = self.message(message).receives >= self.scenario.max_attempts;
        let given_up = used_up && self.scenario.dead_letter == DeadLetter::Eager;
        let wait = if given_up { Span::ZERO } else { self.draw_wait(job, message, attempt) };
        sink.event(self.now, Event::Expired { job, attempt, wait });
        if given_up {
            self.bury(message, sink);
        } else if wait == Span::ZERO {
            self.show(message);
        } else {
            let until = self.now.after(wait);
            self.messages[message.0 as usize].state = MessageState::Delayed { until };
            self.wait_message(message, until, Pending::WaitEnd { message });
        }
    }

    fn draw_wait(&mut self, job: JobIndex, message: MessageId, attempt: u32) -> Span {
        if !self.scenario.expiry_backoff {
            return Span::ZERO;
        }
        let address = Address {
            purpose: Purpose::Backoff,
            job: job.0,
            message: message.0,
            attempt,
            retry: 0,
            point: 0,
        };
        let row = &mut self.jobs[job.0 as usize];
        let scenario = &self.scenario;
        let wait = scenario.backoff.delay(attempt, row.last_wait, &scenario.draws, address);
        row.last_wait = Some(wait);
        wait
    }

    /// The message is visible from now on.
    fn show(&mut self, message: MessageId) {
        self.messages[message.0 as usize].state = MessageState::Ready { since: self.now };
        self.ready.insert((self.now, message));
        self.message_timers[message.0 as usize] = self.take_sequence();
    }

    fn bury(&mut self, message: MessageId, sink: &mut impl Sink) {
        let job = self.message(message).job;
        self.messages[message.0 as usize].state = MessageState::Dead;
        self.open -= 1;
        self.message_timers[message.0 as usize] = self.take_sequence();
        let attempts = self.jobs[job.0 as usize].attempts;
        sink.event(self.now, Event::Dead { job, attempts });
    }

    fn take_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn wait_worker(&mut self, worker: WorkerId, due: Moment, pending: Pending) {
        let sequence = self.take_sequence();
        self.worker_timers[usize::from(worker.0)] = sequence;
        self.schedule(due, Class::Work, sequence, pending);
    }

    fn wait_message(&mut self, message: MessageId, due: Moment, pending: Pending) {
        let sequence = self.take_sequence();
        self.message_timers[message.0 as usize] = sequence;
        self.schedule(due, Class::End, sequence, pending);
    }

    fn schedule(&mut self, due: Moment, class: Class, sequence: u64, pending: Pending) {
        self.calendar.push(Reverse(Timer { due, class, sequence, pending }));
    }
}

fn go(pending: Pending, due: Moment, class: Class, sequence: u64) -> Choice {
    Choice { pending, verdict: Verdict::Go, point: None, due, class, sequence }
}

impl Task {
    fn site(&self, point: Point) -> Site {
        Site { job: self.job, attempt: self.attempt, point }
    }
}

fn attempt_of(worker: WorkerId, task: &Task) -> Attempt {
    Attempt { worker, job: task.job, attempt: task.attempt, key: IdempotencyKey::stable(task.job) }
}

/// The point between a step and the one before it: a crash there happens as soon as the one
/// before is done.
fn point_before(step: Step) -> Option<Point> {
    match step {
        Step::Think | Step::Check => None,
        Step::Write => Some(Point::BeforeWrite),
        Step::Checkpoint => Some(Point::AfterWrite),
        Step::Ack => Some(Point::AfterCheckpoint),
    }
}

/// The first point of a task's step at which the chooser has the worker die, and when that is.
fn strike(task: &Task, chooser: &mut impl Chooser) -> Option<(Point, Moment)> {
    let before = point_before(task.step).map(|point| (point, task.since));
    let at = (task.step == Step::Ack).then_some((Point::BeforeAck, task.due));
    let mut points = before.into_iter().chain(at);
    points.find(|(point, _)| chooser.verdict(&task.site(*point)) == Verdict::Crash)
}

/// The points at the moment of the step itself, with what can go wrong there instead of it.
fn points_at(step: Step) -> impl Iterator<Item = (Point, Verdict)> {
    let ack = [(Point::BeforeAck, Verdict::Crash), (Point::Ack, Verdict::Lost)];
    ack.into_iter().filter(move |_| step == Step::Ack)
}

/// What may happen to a busy worker: its step, or a fault before or at it.
fn step_choices(worker: WorkerId, task: &Task, sequence: u64, out: &mut Choices) {
    let pending = Pending::Step { worker };
    if let Some(point) = point_before(task.step) {
        out.push(Choice {
            verdict: Verdict::Crash,
            point: Some(point),
            ..go(pending, task.since, Class::Crash, sequence)
        });
    }
    for (point, verdict) in points_at(task.step) {
        let class = match verdict {
            Verdict::Crash => Class::Crash,
            Verdict::Go | Verdict::Lost => Class::Work,
        };
        out.push(Choice { verdict, point: Some(point), ..go(pending, task.due, class, sequence) });
    }
    out.push(go(pending, task.due, Class::Work, sequence));
}
