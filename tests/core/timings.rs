//! The explorer with the timings kept: "can it happen with my numbers?".

use at_least_once::model::queue::MessageState;
use at_least_once::sim::choice::{Choice, Pending};
use at_least_once::sim::event::Counter;
use at_least_once::sim::explore::{Bounds, Found, Goal, Timing, explore};
use at_least_once::sim::fault::Verdict;
use at_least_once::sim::play::{differing, play, take};
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use std::sync::Arc;

/// A lease of 30 s, one job, no guard: what a worker does takes as long as the case says.
const GROUND: [(&str, &str); 6] = [
    ("workers.count", "2"),
    ("workers.restart", "0s"),
    ("guard", "off"),
    ("checkpoint", "none"),
    ("slice.think", "0s"),
    ("slice.ack", "0s"),
];

fn scenario(given: &[(&str, &str)]) -> Scenario {
    let mut settings = Settings::default();
    settings.set_all(&[&GROUND[..], given].concat()).expect("allowed");
    Scenario::new(&settings)
}

fn search(given: &[(&str, &str)], timing: Timing, crashes: u32) -> Found {
    let bounds = Bounds { crashes, ..Bounds::new(timing) };
    explore(&scenario(given), &[Goal::Breaks(Property::PaidOnce)], &bounds)
}

/// Without a crash a job is paid for twice only if the work outlasts the lease; at the very
/// deadline the ack still counts. With any timing it can always happen.
#[test]
fn work_that_outlasts_its_lease_is_done_twice() {
    for (write, twice) in [("29s", false), ("30s", false), ("30000001us", true), ("31s", true)] {
        let given = [("slice.write", write)];
        let found = search(&given, Timing::AsSet, 0);
        assert_eq!(found.violation.is_some(), twice, "{write}");
        assert!(found.complete || twice, "{write}");
        assert!(search(&given, Timing::Any, 0).violation.is_some(), "{write}");
    }
}

/// One crash between the write and the ack is enough, whatever the numbers, and the run is one
/// that play plays: nothing in it comes at another time than it would.
#[test]
fn a_crash_after_the_write_pays_twice_at_the_end_of_the_lease() {
    let given = [("slice.write", "1s")];
    let found = search(&given, Timing::AsSet, 1);
    let path = found.violation.expect("found").path;
    // Lease, write, a crash before the ack, the end of the lease, lease, write.
    assert_eq!(path.len(), 6);
    let due: Vec<u64> = path.iter().map(|choice| choice.due.as_micros() / 1_000_000).collect();
    assert_eq!(due, [0, 1, 1, 30, 30, 31]);
    let scenario = Arc::new(scenario(&given).without_crashes());
    let differing = differing(&scenario, &path);
    assert_eq!(differing.len(), 1, "the crash, and nothing else: {differing:?}");
    let trace = take(&scenario, &path);
    let run = play(&scenario, &differing);
    assert_eq!(run.trace.entries()[..trace.entries().len()], *trace.entries());
}

/// Where timings are kept it matters when in a step a worker dies, for it may be back sooner or
/// later than something else: no such moment is left out, as it is where any timing goes.
#[test]
fn a_worker_may_die_at_each_moment_of_a_step() {
    let given = [("slice.think", "1s"), ("slice.write", "1s"), ("slice.ack", "1s")];
    let found = search(&given, Timing::AsSet, 2);
    assert_eq!((found.states, found.violation.map(|it| it.path.len())), (97, Some(8)));
}

/// What is due at one moment, in one class, may come in any order: two workers that are done at
/// once. What is due a microsecond later may not.
#[test]
fn only_ties_branch() {
    let given = |write: &'static str| [("job.count", "2"), ("slice.write", write)];
    let found = search(&given("1s"), Timing::AsSet, 0);
    assert!(found.complete && found.violation.is_none());
    // With arrivals apart there is one order, and one state after each of its steps.
    let apart = search(
        &[given("1s").as_slice(), &[("job.arrivals", "every"), ("job.gap", "300ms")]].concat(),
        Timing::AsSet,
        0,
    );
    assert!(apart.complete && apart.violation.is_none());
    assert!(found.states > apart.states, "{} and {}", found.states, apart.states);
}

/// The timed key knows how long something has been so and how long it will be, and not what time
/// it is.
#[test]
fn the_timed_key_is_relative_to_now() {
    let key = |gap: &str, write: &str| {
        let given = [
            ("workers.count", "1"),
            ("job.count", "2"),
            ("job.arrivals", "every"),
            ("job.gap", gap),
            ("slice.write", write),
        ];
        let scenario = Arc::new(scenario(&given));
        let mut rules: &Scenario = &scenario;
        let mut sink = Counter::default();
        let mut world = World::new(Arc::clone(&scenario), &mut sink);
        // Until the second job's message is leased.
        let leased = |world: &World| {
            let second = world.messages().get(1);
            second.is_some_and(|message| matches!(message.state, MessageState::Leased(_)))
        };
        while !leased(&world) {
            assert!(world.advance(&mut rules, &mut sink));
        }
        let mut key = Vec::new();
        world.timed_key(&mut key);
        key
    };
    assert_eq!(key("10s", "1s"), key("20s", "1s"), "the first job is done, however long ago");
    assert_ne!(key("10s", "1s"), key("10s", "2s"), "the second will be");
}

/// A lease that ends under a living worker, and a loss, count against their bounds; one that ends
/// under a dead worker does not.
#[test]
fn what_a_search_may_spend_is_bounded() {
    let found = |bounds: Bounds| {
        let given = [("slice.write", "1s")];
        explore(&scenario(&given), &[Goal::Breaks(Property::PaidOnce)], &bounds)
    };
    let none = Bounds { crashes: 0, expiries: Some(0), ..Bounds::default() };
    let holds = found(none);
    assert!(holds.complete && holds.violation.is_none());
    let spent = |bounds, is: fn(&Choice) -> bool, times| {
        let path = found(bounds).violation.expect("found").path;
        assert_eq!(path.iter().filter(|choice| is(choice)).count(), times, "{path:?}");
    };
    let crash = |choice: &Choice| choice.verdict == Verdict::Crash;
    let end = |choice: &Choice| matches!(choice.pending, Pending::LeaseEnd { .. });
    let lost = |choice: &Choice| choice.verdict == Verdict::Lost;
    spent(Bounds { crashes: 1, ..none }, crash, 1);
    spent(Bounds { crashes: 1, ..none }, end, 1);
    spent(Bounds { expiries: Some(1), ..none }, end, 1);
    spent(Bounds { losses: 1, ..none }, lost, 1);
    // The queue delivers once more what was acked.
    let replica = |choice: &Choice| choice.verdict == Verdict::Replica;
    spent(Bounds { replicas: 1, ..none }, replica, 1);
}

/// The end of a claim counts as an expiry under a holder that is alive, and not when its holder
/// has died: then it is what the claim's life is for, and nothing hangs.
#[test]
fn a_claim_of_the_dead_may_end_for_nothing() {
    let given = [
        ("effect", "vendor"),
        ("vendor.time", "0s"),
        ("guard", "on"),
        ("guard.at", "call"),
        ("guard.claim_life", "40s"),
        ("queue.max_attempts", "4294967295"),
    ];
    let bounds = Bounds { crashes: 1, expiries: Some(0), ..Bounds::default() };
    let found = explore(&scenario(&given), &[Goal::Stuck], &bounds);
    assert!(found.complete && found.violation.is_none(), "{found:?}");
    let endless: Vec<(&str, &str)> =
        given.into_iter().filter(|(path, _)| *path != "guard.claim_life").collect();
    assert!(explore(&scenario(&endless), &[Goal::Stuck], &bounds).violation.is_some());
    // With two that live, their lease must end and the claim too: two expiries, and not one.
    let twice = scenario(&[&given[..5], &[("key", "none")]].concat());
    for (expiries, found) in [(0, false), (1, false), (2, true)] {
        let bounds = Bounds { crashes: 0, expiries: Some(expiries), ..Bounds::default() };
        let paid = explore(&twice, &[Goal::Breaks(Property::PaidOnce)], &bounds);
        assert!(found || paid.complete);
        assert_eq!(paid.violation.is_some(), found, "with {expiries} expiries");
    }
}

/// A state that is stuck goes on within the bounds, round in a circle or to where nothing more can
/// happen, and never to an end.
#[test]
fn a_lasso_stays_within_the_bounds() {
    // A job that always fails and is sent again as a new message; leases that end at once, which
    // would make a dead letter of it, were there more than none of them.
    let endless = [
        ("effect", "vendor"),
        ("vendor.time", "0s"),
        ("faults", "*:answer-503"),
        ("retry.how", "resend"),
        ("slice.think", "1s"),
        ("queue.visibility_timeout", "1ms"),
        ("queue.max_attempts", "1"),
        ("queue.dead_letter", "eager"),
    ];
    let calm = Bounds { crashes: 0, expiries: Some(0), ..Bounds::default() };
    let found = explore(&scenario(&endless), &[Goal::Stuck], &calm);
    let violation = found.violation.expect("stuck");
    let lasso = violation.lasso.expect("a lasso");
    let circle = lasso.circle.expect("a circle");
    assert!(circle < lasso.steps.len(), "{lasso:?}");
    let is_end = |choice: &Choice| matches!(choice.pending, Pending::LeaseEnd { .. });
    assert!(!lasso.steps.iter().any(is_end), "no lease ends under a living worker: {lasso:?}");
    let mut world =
        World::new(Arc::new(scenario(&endless).without_crashes()), &mut Counter::default());
    let (mut at_circle, mut key) = (Vec::new(), Vec::new());
    for (place, choice) in violation.path.iter().chain(&lasso.steps).enumerate() {
        if place == violation.path.len() + circle {
            world.untimed_key(&mut at_circle);
        }
        world.apply(choice, &mut Counter::default());
        assert!(!world.is_settled());
    }
    world.untimed_key(&mut key);
    assert_eq!(key, at_circle, "it comes round");
    // With no bound on ends that job is given up.
    let free = explore(&scenario(&endless), &[Goal::Stuck], &Bounds { expiries: None, ..calm });
    assert!(free.complete && free.violation.is_none(), "{free:?}");
}

/// A search that is cut says so.
#[test]
fn a_search_that_is_cut_is_not_complete() {
    let given = [("slice.write", "1s"), ("guard", "on")];
    let goals = [Goal::Breaks(Property::PaidOnce)];
    let all = explore(&scenario(&given), &goals, &Bounds::default());
    assert!(all.complete && all.violation.is_none());
    let cut = Bounds { states: all.states - 1, ..Bounds::default() };
    let cut = explore(&scenario(&given), &goals, &cut);
    assert!(!cut.complete && cut.violation.is_none());
    let just = Bounds { states: all.states, ..Bounds::default() };
    assert!(explore(&scenario(&given), &goals, &just).complete);
}
