//! A worker that goes on behind a checkpoint: in a transaction of its own, and with the key of the
//! refund that is left.

use super::two_refunds::{JOB, run, runs, scenario};
use at_least_once::model::key::{IdempotencyKey, KeyPolicy};
use at_least_once::model::worker::{Step, WorkerState};
use at_least_once::sim::choice::Choices;
use at_least_once::sim::event::{Attempt, Event};
use at_least_once::sim::fault::Verdict;
use at_least_once::sim::play::play;
use at_least_once::sim::report::Report;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::trace::{Entry, Trace};
use at_least_once::sim::world::World;
use std::sync::Arc;

/// A worker that dies behind the first refund's checkpoint leaves the second to another one. That
/// one opens a transaction of its own before it goes on, and waits for a connection if it must.
#[test]
fn who_goes_on_behind_a_checkpoint_opens_a_transaction() {
    let second = |by: &Attempt| (by.attempt, by.refund) == (1, 1);
    for (guard, checkpoint, given) in [
        ("on", "after", "0:after-checkpoint"),
        ("on", "before-mint", "0:before-call"),
        ("check-then-insert", "after", "0:after-checkpoint"),
    ] {
        let scenario = scenario(&[
            ("effect", "vendor"),
            ("transaction", "on"),
            ("pool", "1"),
            ("guard", guard),
            ("guard.at", "call"),
            ("checkpoint", checkpoint),
            ("job.count", "2"),
            ("workers.count", "2"),
            ("vendor.time", "1s"),
            ("faults", given),
        ]);
        let mut resumed = 0;
        for crash in runs(&scenario) {
            let name = format!("{guard} {checkpoint} {crash:?}");
            let (trace, _) = run(&scenario, crash, &name);
            let mut open: [Option<Attempt>; 2] = [None; 2];
            let mut found = [None; 2];
            for entry in trace.entries() {
                let Some(by) = entry.event.by() else { continue };
                let worker = usize::from(by.worker.0);
                let own = |it: &Attempt| (it.job, it.attempt) == (by.job, by.attempt);
                match entry.event {
                    Event::Leased { .. } => (open[worker], found[worker]) = (None, None),
                    Event::Connected(by) => {
                        resumed += usize::from(found[worker].is_some() && second(&by));
                        open[worker] = Some(by);
                        assert!(!open.iter().all(Option::is_some), "{name}: there is one");
                    }
                    Event::Resumed { .. } | Event::Minted { .. } => found[worker] = Some(by),
                    Event::Checked { .. }
                    | Event::Claim { .. }
                    | Event::Called { .. }
                    | Event::Wrote { .. }
                    | Event::AlreadyWritten { .. } => {
                        assert!(
                            open[worker].as_ref().is_some_and(own),
                            "{name}: {:?}",
                            entry.event
                        );
                    }
                    Event::Acked { .. } | Event::Crashed { .. } | Event::GaveBack { .. } => {
                        open[worker] = None;
                    }
                    _ => {}
                }
            }
        }
        assert!(resumed > 0, "{guard} {checkpoint}: it happens");
    }
}

/// Who waits for a connection in order to go on has not come to the step before which it may die.
#[test]
fn nobody_dies_at_a_step_before_it_is_connected() {
    let scenario = scenario(&[
        ("effect", "vendor"),
        ("transaction", "on"),
        ("slice.think", "0s"),
        ("vendor.time", "5s"),
        ("faults", "0:crash@8s"),
    ]);
    let mut rules: &Scenario = &scenario;
    let mut trace = Trace::default();
    let mut world = World::new(Arc::clone(&scenario), &mut trace);
    let (mut choices, mut waits) = (Choices::new(), 0);
    while world.advance(&mut rules, &mut trace) {
        for worker in world.workers() {
            let WorkerState::Busy(task) = worker else { continue };
            if task.step == Step::Connect {
                world.choices(&mut choices);
                let dies = choices.iter().any(|choice| choice.verdict == Verdict::Crash);
                assert_eq!(dies, task.position == 0, "only right after the lease");
                waits += usize::from(task.position > 0);
            }
        }
    }
    assert_eq!(waits, 1, "it happens");
}

/// The row of an attempt has the key that it used: of the refund with which it went on, or a new
/// one.
#[test]
fn an_attempt_has_the_key_with_which_it_went_on() {
    // It dies in its second call.
    for (checkpoint, expected) in
        [("after", KeyPolicy::Stable), ("before-mint", KeyPolicy::PerAttempt)]
    {
        let scenario = scenario(&[
            ("effect", "vendor"),
            ("checkpoint", checkpoint),
            ("slice.think", "0s"),
            ("slice.write", "0s"),
            ("slice.checkpoint", "0s"),
            ("vendor.time", "5s"),
            ("faults", "0:crash@8s"),
        ]);
        let run = play(&scenario, &[]);
        let went_on = run.trace.entries().iter().find_map(|entry| match entry.event {
            Event::Resumed { by, .. } | Event::Minted { by, .. } => Some(by),
            _ => None,
        });
        let by = went_on.expect("it goes on");
        let report = Report::new(&scenario, run.trace.entries(), true);
        let row = report.attempts.iter().find(|row| row.by.attempt == by.attempt);
        let row = row.expect("a row").by;
        assert_eq!(row.refund, 1);
        assert_eq!(row.key, IdempotencyKey::chosen(expected, JOB, by.refund, by.attempt));
        let called = |entry: &Entry| matches!(entry.event, Event::Called { by, .. } if by == row);
        assert!(run.trace.entries().iter().any(called), "{checkpoint}: it calls with it");
    }
}
