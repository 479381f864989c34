//! The explorer's world against an independent model checker.
//!
//! The protocol: W workers, J jobs, C crashes, A attempts; a late ack is refused, and a crashed
//! worker is idle at once. A lease raises the attempt; a write adds a row unless the guard finds
//! one; checkpoint; an ack completes the job only for the holder, a stale one frees its worker. A
//! crash leaves the lease until it expires; it may expire at any time, and the job is then ready,
//! or dead when its attempts are used up. A delivery that finds the checkpoint goes on after it.
//!
//! The counts of reachable states come from a hand-written checker of that protocol. Here the
//! same states are a projection of `World` itself, so a fault in `World` makes them differ.
//!
//! The explorer takes workers for alike and so needs fewer states. The projection tells workers
//! apart, so it shows that this changes neither what is found nor after how many steps, and that
//! each of the explorer's states stands for all that differ by an exchange of workers.

use at_least_once::model::queue::MessageState;
use at_least_once::model::worker::{Step, WorkerState};
use at_least_once::sim::choice::{Choice, Choices};
use at_least_once::sim::event::Counter;
use at_least_once::sim::explore::{Bounds, Found, Goal, explore};
use at_least_once::sim::fault::Verdict;
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use at_least_once::units::JobIndex;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// How many workers, jobs, and attempts, and which guard.
type Protocol = (u16, u32, u32, &'static str);

fn scenario((workers, jobs, attempts, guard): Protocol) -> Scenario {
    let mut settings = Settings::default();
    for (path, text) in [
        ("workers.count", workers.to_string().as_str()),
        ("job.count", jobs.to_string().as_str()),
        ("queue.max_attempts", attempts.to_string().as_str()),
        ("queue.dead_letter", "eager"),
        ("queue.late_ack", "refuse"),
        ("workers.restart", "0s"),
        ("slice.think", "0s"),
        ("guard", guard),
    ] {
        settings.set(path, text).expect("allowed");
    }
    Scenario::new(&settings)
}

/// How many workers may die.
const CRASHES: u8 = 2;
/// As many workers and jobs as any protocol here has; those that it has not are all 0.
const WORKERS: usize = 3;
const JOBS: usize = 2;

/// How a lease stands: it is the worker's own; it is over; and there has been another one since.
const OWN: u8 = 2;
const OVER: u8 = 1;
const OLDER: u8 = 0;

/// The state of the protocol that a world is in, with more about stale leases than the protocol
/// asks for.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    crashes: u8,
    /// Place, holder (from 1, 0 for nobody), deliveries, checkpoint, rows.
    jobs: [[u8; 5]; JOBS],
    /// Busy, job, step, and how the lease stands.
    workers: [[u8; 4]; WORKERS],
}

fn small(number: usize) -> u8 {
    u8::try_from(number).expect("a small number")
}

impl State {
    fn of(world: &World, crashes: u8) -> Self {
        let mut state = Self { crashes, ..Self::default() };
        for (index, message) in (0..).zip(world.messages()) {
            let job = &world.jobs()[index as usize];
            let used_up = message.receives >= world.scenario().broker.max_attempts;
            let (place, holder) = match message.state {
                MessageState::Ready { .. } | MessageState::Delayed { .. } if used_up => (3, 0),
                MessageState::Ready { .. } | MessageState::Delayed { .. } => (0, 0),
                MessageState::Leased(lease) => (1, small(lease.holder.0.into()) + 1),
                MessageState::Acked => (2, 0),
                MessageState::Dead => (3, 0),
            };
            let rows = small(world.ledger().of_job(JobIndex(index)).count());
            let receives = small(message.receives as usize);
            state.jobs[index as usize] = [place, holder, receives, job.checkpoint, rows];
        }
        for (place, worker) in state.workers.iter_mut().zip(world.workers()) {
            if let WorkerState::Busy(task) = worker {
                let message = &world.messages()[task.message.0 as usize];
                let lease = match task.receipt == message.receipt {
                    true if message.is_held_by(task.receipt) => OWN,
                    true => OVER,
                    false => OLDER,
                };
                *place = [1, small(task.message.0 as usize), task.step as u8, lease];
            }
        }
        state
    }

    /// What the protocol tells apart: stale is stale.
    fn of_protocol(mut self) -> Self {
        for [_, _, _, lease] in &mut self.workers {
            *lease = if *lease == OWN { OWN } else { OLDER };
        }
        self
    }

    /// What the explorer tells apart: nobody asks how often a job was delivered that is over, nor
    /// for the holder of a lease, unless it is at work; but a queue may ask whether a stale
    /// receipt is the newest.
    fn of_explorer(mut self) -> Self {
        for [place, holder, receives, _, _] in &mut self.jobs {
            *holder = 0;
            *receives = if *place < 2 { *receives } else { 0 };
        }
        self
    }

    /// Those that differ from it by an exchange of so many workers, itself among them.
    fn alike(self, workers: u16) -> impl Iterator<Item = Self> {
        const ORDERS: [[usize; WORKERS]; 6] =
            [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
        let unused = usize::from(workers)..WORKERS;
        let possible = move |order: &&[usize; WORKERS]| unused.clone().all(|it| order[it] == it);
        let exchanged = move |order: &[usize; WORKERS]| {
            let mut other = self;
            for (from, to) in order.iter().enumerate() {
                other.workers[*to] = self.workers[from];
            }
            for job in &mut other.jobs {
                if let Some(holder) = usize::from(job[1]).checked_sub(1) {
                    job[1] = small(order[holder]) + 1;
                }
            }
            other
        };
        ORDERS.iter().filter(possible).map(exchanged)
    }
}

/// What a search that tells workers apart comes upon.
struct Visited {
    states: BTreeSet<State>,
    /// The length of the longest shortest way.
    depth: usize,
    /// The length of the shortest way to a second row.
    twice: Option<usize>,
}

impl Visited {
    /// The states, as far as they are told apart.
    fn told_apart(&self, by: fn(State) -> State) -> BTreeSet<State> {
        self.states.iter().copied().map(by).collect()
    }
}

/// Visits everything within the crashes.
fn visit(protocol: Protocol) -> Visited {
    let world = World::new(Arc::new(scenario(protocol)), &mut Counter::default());
    let mut visited =
        Visited { states: BTreeSet::from([State::of(&world, 0)]), depth: 0, twice: None };
    let mut next = world.clone();
    let mut open = VecDeque::from([(world, 0, 0)]);
    let mut choices = Choices::new();
    while let Some((world, crashes, depth)) = open.pop_front() {
        visited.depth = depth;
        world.choices(&mut choices);
        let possible = |choice: &&Choice| match choice.verdict {
            Verdict::Go => true,
            Verdict::Crash => crashes < CRASHES,
            _ => false,
        };
        for choice in choices.iter().filter(possible) {
            next.clone_from(&world);
            next.apply(choice, &mut Counter::default());
            let crashes = crashes + u8::from(choice.verdict == Verdict::Crash);
            let state = State::of(&next, crashes);
            if visited.states.insert(state) {
                if visited.twice.is_none() && state.jobs.iter().any(|job| job[4] > 1) {
                    visited.twice = Some(depth + 1);
                }
                open.push_back((next.clone(), crashes, depth + 1));
            }
        }
    }
    visited
}

/// What the explorer finds in the same protocol.
fn explored(protocol: Protocol) -> Found {
    let bounds = Bounds { crashes: CRASHES.into(), ..Bounds::default() };
    explore(&scenario(protocol), &[Goal::Breaks(Property::PaidOnce)], &bounds)
}

/// How many states there are up to an exchange of workers.
fn up_to_workers(states: &BTreeSet<State>, workers: u16) -> usize {
    let first = |state: &&State| {
        let mut alike = state.alike(workers);
        alike.all(|other| **state <= other && states.contains(&other))
    };
    states.iter().filter(first).count()
}

/// Nothing is found; the protocol has so many states, and the explorer needs so many.
fn holds(protocol: Protocol, states: usize, up_to: usize) {
    let (visited, found) = (visit(protocol), explored(protocol));
    assert_eq!(visited.told_apart(State::of_protocol).len(), states, "{protocol:?}");
    assert_eq!(
        up_to_workers(&visited.told_apart(State::of_explorer), protocol.0),
        up_to,
        "{protocol:?}"
    );
    assert_eq!((found.complete, found.states), (true, up_to), "{protocol:?}");
    assert_eq!((found.violation, visited.twice), (None, None), "{protocol:?}");
    assert_eq!(found.depth as usize, visited.depth, "{protocol:?}");
}

#[test]
fn as_many_states_as_an_independent_checker_finds() {
    holds((2, 1, 3, "on"), 245, 155);
    holds((2, 2, 3, "on"), 14_559, 6_758);
}

#[test]
fn three_workers_two_jobs_four_attempts() {
    holds((3, 2, 4, "on"), 210_141, 37_107);
}

/// Lease, write, the lease ends, lease, write: whether workers are told apart or not.
#[test]
fn without_the_guard_the_shortest_double_payment_has_five_steps() {
    for protocol in [(2, 1, 3, "off"), (3, 1, 3, "off"), (2, 2, 2, "off")] {
        let violation = explored(protocol).violation.expect("it is there");
        assert_eq!(violation.path.len(), 5, "{protocol:?}");
        assert_eq!(visit(protocol).twice, Some(5), "{protocol:?}");
    }
}

/// The steps of the protocol are those of the program.
#[test]
fn the_program_is_write_checkpoint_ack() {
    let scenario = scenario((2, 1, 3, "on"));
    let steps: Vec<Step> = scenario.program.lines().iter().map(|line| line.step).collect();
    assert_eq!(steps, [Step::Write, Step::Checkpoint, Step::Ack]);
}
