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

use at_least_once::model::queue::MessageState;
use at_least_once::model::worker::{Step, WorkerState};
use at_least_once::sim::choice::{Choice, Choices};
use at_least_once::sim::event::Counter;
use at_least_once::sim::fault::Verdict;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use at_least_once::units::JobIndex;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

fn protocol(workers: u32, jobs: u32, attempts: u32, guard: &str) -> World {
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
    World::new(Arc::new(Scenario::new(&settings)), &mut Counter::default())
}

/// The state of the protocol that a world is in.
fn project(world: &World, crashes: u32) -> Vec<u32> {
    let mut state = vec![crashes];
    for (index, message) in (0..).zip(world.messages()) {
        let job = &world.jobs()[index as usize];
        let used_up = message.receives >= world.scenario().broker.max_attempts;
        let (place, holder) = match message.state {
            MessageState::Ready { .. } | MessageState::Delayed { .. } if used_up => (3, 0),
            MessageState::Ready { .. } | MessageState::Delayed { .. } => (0, 0),
            MessageState::Leased(lease) => (1, u32::from(lease.holder.0) + 1),
            MessageState::Acked => (2, 0),
            MessageState::Dead => (3, 0),
        };
        let rows = world.ledger().of_job(JobIndex(index)).count();
        state.extend([place, holder, message.receives, u32::from(job.checkpoint)]);
        state.push(u32::try_from(rows).expect("few rows"));
    }
    for worker in world.workers() {
        match worker {
            WorkerState::Busy(task) => {
                let message = &world.messages()[task.message.0 as usize];
                let fresh = message.is_held_by(task.receipt);
                state.extend([1, task.message.0, task.step as u32, u32::from(fresh)]);
            }
            WorkerState::Idle { .. } | WorkerState::Down { .. } => state.push(0),
        }
    }
    state
}

/// Visits everything within the crashes; returns how many states there are, and the length of the
/// shortest way to a second row.
fn visit(world: World, most: u32) -> (usize, Option<usize>) {
    let mut seen = BTreeSet::from([project(&world, 0)]);
    let mut open = VecDeque::from([(world, 0, 0)]);
    let mut choices = Choices::new();
    let mut twice = None;
    while let Some((world, crashes, depth)) = open.pop_front() {
        world.choices(&mut choices);
        let possible: Vec<Choice> = choices
            .iter()
            .filter(|choice| match choice.verdict {
                Verdict::Go => true,
                Verdict::Crash => crashes < most,
                _ => false,
            })
            .copied()
            .collect();
        for choice in possible {
            let mut next = world.clone();
            next.apply(&choice, &mut Counter::default());
            let crashes = crashes + u32::from(choice.verdict == Verdict::Crash);
            if seen.insert(project(&next, crashes)) {
                let rows = |job| next.ledger().of_job(JobIndex(job)).count();
                if twice.is_none() && (0..).take(next.jobs().len()).any(|job| rows(job) > 1) {
                    twice = Some(depth + 1);
                }
                open.push_back((next, crashes, depth + 1));
            }
        }
    }
    (seen.len(), twice)
}

#[test]
fn as_many_states_as_an_independent_checker_finds() {
    assert_eq!(visit(protocol(2, 1, 3, "on"), 2), (245, None));
    assert_eq!(visit(protocol(2, 2, 3, "on"), 2), (14_559, None));
}

#[test]
fn three_workers_two_jobs_four_attempts() {
    assert_eq!(visit(protocol(3, 2, 4, "on"), 2), (210_141, None));
}

/// Lease, write, the lease ends, lease, write.
#[test]
fn without_the_guard_the_shortest_double_payment_has_five_steps() {
    assert_eq!(visit(protocol(2, 1, 3, "off"), 2).1, Some(5));
}

/// The steps of the protocol are those of the program.
#[test]
fn the_program_is_write_checkpoint_ack() {
    let world = protocol(2, 1, 3, "on");
    let lines = world.scenario().program.lines();
    let steps: Vec<Step> = lines.iter().map(|line| line.step).collect();
    assert_eq!(steps, [Step::Write, Step::Checkpoint, Step::Ack]);
}
