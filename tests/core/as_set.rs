//! The explorer with the timings kept, held against play: what play does with something going
//! wrong, the search finds; what the search finds, play does once it is told what goes wrong.

use super::generate::{Given, replay_line};
use at_least_once::lesson::Session;
use at_least_once::model::outbox::{RelayState, RelayStep};
use at_least_once::sim::choice::{Choice, Choices, Pending};
use at_least_once::sim::event::Counter;
use at_least_once::sim::explore::{Bounds, Found, GOALS, Goal, Timing, Violation, explore};
use at_least_once::sim::fault::{POINTS, Point, Verdict};
use at_least_once::sim::play::{Broken, play, take};
use at_least_once::sim::property::{PROPERTIES, Property};
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a random scenario is drawn from: a setting and what it may be. Nothing in it is what a
/// search leaves out: pauses, late calls, deploys, a crash at a moment of its own.
const RANDOM: &[(&str, &[&str])] = &[
    ("broker", &["standard", "fifo", "exactly-once", "celery-redis", "bullmq"]),
    ("vendor", &["ietf", "stripe-v1", "lenient", "none"]),
    ("effect", &["ledger", "vendor", "outbox"]),
    ("guard", &["off", "on", "check-then-insert"]),
    ("guard.at", &["write", "call"]),
    ("guard.claim", &["done", "in-progress-skip", "in-progress-release"]),
    ("guard.claim_life", &["0s", "3s"]),
    ("key", &["stable", "per-attempt", "none"]),
    ("checkpoint", &["none", "after", "before-skip", "before-mint"]),
    ("fencing", &["off", "start"]),
    ("job.count", &["1", "2"]),
    ("job.arrivals", &["at-once", "every"]),
    ("job.gap", &["300ms", "1s"]),
    ("job.resends", &["none", "4s"]),
    ("workers.count", &["1", "2", "3"]),
    ("workers.restart", &["0s", "5s"]),
    ("workers.prefetch", &["1", "2"]),
    ("workers.heartbeat", &["0s", "2s"]),
    ("queue.visibility_timeout", &["1s", "2s", "6s", "30s"]),
    ("queue.lease_from", &["delivery", "start"]),
    ("queue.max_attempts", &["1", "2", "3"]),
    ("queue.expiry_counts", &["on", "off"]),
    ("queue.max_stalls", &["0", "1"]),
    ("queue.dead_letter", &["lazy", "eager"]),
    ("queue.late_ack", &["delete", "newest-receipt", "refuse"]),
    ("queue.expiry_backoff", &["on", "off"]),
    ("queue.sweep", &["0s", "3s"]),
    ("queue.dedup_window", &["0s", "3s"]),
    ("queue.ack", &["after", "before"]),
    ("slice.think", &["0s", "1s"]),
    ("slice.write", &["0s", "1s", "5s"]),
    ("slice.ack", &["0s", "500ms"]),
    ("vendor.time", &["0s", "1s", "3s"]),
    ("vendor.slots", &["0", "1"]),
    ("vendor.key_life", &["1s", "1d"]),
    ("vendor.test_clock", &["0s", "3s"]),
    ("vendor.down_until", &["0s", "4s"]),
    ("client.timeout", &["0s", "2s"]),
    ("backoff.kind", &["none", "fixed"]),
    ("relay.count", &["1", "2"]),
    ("relay.order", &["publish-then-mark", "mark-then-publish"]),
    ("relay.dedup", &["on", "off"]),
];

/// What a handler and a vendor do by rule, and what goes wrong besides.
const RULED: [&str; 4] = ["", "*:throw:before-write ", "0:throw:before-ack ", "1:answer-503 "];
const WRONG: [&str; 8] = [
    "none",
    "0/0:after-write",
    "0:before-ack",
    "0/0:during-call 0/1:before-write",
    "0:ack-lost",
    "0/0:reply-lost",
    "0/0:after-lease 0/1:after-write",
    "0/0:relay-between",
];

/// A search that goes further than this tells nothing here.
const STATES: usize = 5_000;

fn given(picks: &[usize], rules: &str, wrong: &str) -> Given {
    let row = |(place, (path, texts)): (usize, &(&str, &[&str]))| {
        ((*path).to_owned(), texts[picks[place] % texts.len()].to_owned())
    };
    let mut given: Given = RANDOM.iter().enumerate().map(row).collect();
    let faults = match (rules, wrong) {
        ("", wrong) => wrong.to_owned(),
        (rules, "none") => rules.trim().to_owned(),
        (rules, wrong) => format!("{rules}{wrong}"),
    };
    given.push(("faults".to_owned(), faults));
    given
}

fn settings(given: &[(String, String)]) -> Settings {
    let mut settings = Settings::default();
    for (path, text) in given {
        settings.set(path, text).expect("allowed");
    }
    settings
}

/// What play takes first.
fn earliest(world: &World, choices: &mut Choices) -> Option<Choice> {
    world.choices(choices);
    let rules = world.scenario();
    let agreed = |choice: &&Choice| {
        world.site(choice).is_none_or(|site| rules.verdict(&site) == choice.verdict)
    };
    choices.iter().find(agreed).copied()
}

/// What play does up to a step: how much went wrong that a search has bounds for.
fn spent(scenario: &Arc<Scenario>, steps: u32) -> Bounds {
    let mut world = World::new(Arc::clone(scenario), &mut Counter::default());
    let mut choices = Choices::new();
    let mut bounds = Bounds { crashes: 0, states: STATES, ..Bounds::new(Timing::AsSet) };
    for _ in 0..steps {
        let Some(choice) = earliest(&world, &mut choices) else { break };
        match choice.verdict {
            Verdict::Crash => bounds.crashes += 1,
            Verdict::Lost => bounds.losses += 1,
            Verdict::Twice | Verdict::Replica => bounds.replicas += 1,
            _ => {}
        }
        world.apply(&choice, &mut Counter::default());
    }
    bounds
}

/// Whatever play breaks, the search finds with as much going wrong, and after no more steps.
fn finds_what_play_does(given: &Given) -> Result<usize, String> {
    let scenario = Arc::new(Scenario::new(&settings(given)));
    let mut found = 0;
    let run = play(&scenario, &[]);
    for broken in &run.broken {
        let bounds = spent(&scenario, broken.step);
        let search = explore(&scenario, &[Goal::Breaks(broken.property)], &bounds);
        let is_cut = !search.complete && search.violation.is_none();
        let steps = search.violation.map(|violation| violation.path.len());
        if !is_cut && steps.is_none_or(|steps| steps > broken.step as usize) {
            return Err(format!("{broken:?}, but the search finds {steps:?} within {bounds:?}"));
        }
        found += usize::from(!is_cut);
    }
    Ok(found)
}

/// Play comes to the end of a violation by its rules alone, but for losses, which a link names,
/// and the order of ties.
fn plays_what_is_found(settings: &Settings, violation: &Violation) -> Result<(), String> {
    let path = &violation.path;
    let session = Session::on_path("double-refund", settings, path).expect("few crashes");
    let run = session.run();
    let last = u32::try_from(path.len()).expect("short");
    let is_found =
        |broken: &Broken| Goal::Breaks(broken.property) == violation.goal && broken.step == last;
    if !run.missed.is_empty() || !run.broken.iter().any(is_found) {
        return Err(format!("play breaks {:?}, missed {:?}", run.broken, run.missed));
    }
    let scenario = Arc::new(session.scenario().clone());
    let mut world = World::new(scenario, &mut Counter::default());
    let mut choices = Choices::new();
    for choice in path {
        let earliest = earliest(&world, &mut choices).expect("pending");
        if (choice.due, choice.class) != (earliest.due, earliest.class) {
            return Err(format!("{choice:?} is taken before {earliest:?}"));
        }
        world.apply(choice, &mut Counter::default());
    }
    Ok(())
}

/// Each message is sent once, so that a rule about an attempt is about one delivery.
fn search(given: &Given, goal: Goal) -> (Settings, Found) {
    let mut settings = settings(given);
    settings.set("job.resends", "none").expect("allowed");
    let bounds = Bounds { crashes: 1, losses: 1, states: STATES, ..Bounds::new(Timing::AsSet) };
    let found = explore(&Scenario::new(&settings), &[goal], &bounds);
    (settings, found)
}

const PAID: Goal = Goal::Breaks(Property::PaidOnce);
const OFF: [(&str, &str); 2] = [("guard", "off"), ("checkpoint", "none")];
/// A handler that always throws before its write, and leases that end long before it.
const THROWS: [(&str, &str); 8] = [
    ("faults", "*:throw:before-write"),
    ("job.count", "2"),
    ("queue.max_attempts", "3"),
    ("queue.visibility_timeout", "1s"),
    ("slice.write", "3s"),
    ("slice.think", "0s"),
    ("backoff.kind", "none"),
    ("workers.count", "3"),
];
/// A retry after a day and more, with a key of its own.
const NEXT_DAY: [(&str, &str); 7] = [
    ("effect", "vendor"),
    ("key", "per-attempt"),
    ("backoff.kind", "fixed"),
    ("backoff.base", "1d"),
    ("backoff.cap", "30d"),
    ("backoff.jitter", "none"),
    ("queue.expiry_backoff", "on"),
];
const STABLE: [(&str, &str); 1] = [("key", "stable")];
const FIFO: [(&str, &str); 2] = [("broker", "fifo"), ("queue.visibility_timeout", "6m")];
const LONG: [(&str, &str); 2] = [("slice.write", "10m"), ("queue.visibility_timeout", "30m")];
const CLOCK: [(&str, &str); 3] =
    [("vendor.test_clock", "1s"), ("effect", "vendor"), ("slice.write", "0s")];

/// Settings, how many crashes, what is looked for, and whether it can happen with these numbers:
/// what ends when the numbers say so is no obstacle and no trap.
type Case = (&'static str, &'static [&'static [(&'static str, &'static str)]], u32, Goal, bool);
const CASES: [Case; 9] = [
    // The window of 5 min is over before the lease of 6 min is; both come.
    ("a dedup window that ends first", &[&FIFO, &OFF], 1, PAID, true),
    ("nobody dies", &[&FIFO, &OFF], 0, PAID, false),
    ("a key that ends before the retry", &[&NEXT_DAY, &OFF], 1, PAID, true),
    // The key lives for a day from its first use; the retry comes a day after the lease's end.
    ("a stable key that ends before the retry", &[&NEXT_DAY, &STABLE, &OFF], 1, PAID, true),
    ("work that outlasts the window", &[&FIFO, &LONG], 0, Goal::Stuck, false),
    ("a test clock in the middle of the work", &[&CLOCK], 0, Goal::Stuck, false),
    ("a key that ends while nothing else can come", &[&NEXT_DAY, &OFF], 2, Goal::Stuck, false),
    // Play writes no row at all: each handler throws at the moment its step begins.
    ("a throw that is due is not passed by", &[&THROWS, &OFF], 0, PAID, false),
    ("nor where somebody dies", &[&THROWS, &OFF], 2, PAID, false),
];

fn of_case(given: &[&[(&str, &str)]]) -> Scenario {
    let mut settings = Settings::default();
    settings.set_all(&given.concat()).expect("allowed");
    Scenario::new(&settings)
}

#[test]
fn what_can_happen_with_these_numbers() {
    for (name, given, crashes, goal, happens) in CASES {
        let bounds = Bounds { crashes, ..Bounds::new(Timing::AsSet) };
        let found = explore(&of_case(given), &[goal], &bounds);
        assert_eq!(found.violation.is_some(), happens, "{name}");
        assert!((found.complete || happens) && found.left == 0, "{name}: {found:?}");
    }
}

/// One worker, so that no two may take a message, and jobs that are never ready at once: without a
/// tie, the states of a search with one crash are those that play passes with each rule there is.
/// The second job arrives at the instant at which the first one's ack begins; whoever dies then dies
/// before it arrives, as by a rule.
#[test]
fn the_states_are_those_of_play_with_each_crash() {
    let alone: &[(&str, &str)] = &[
        ("workers.count", "1"),
        ("workers.restart", "0s"),
        ("job.count", "3"),
        ("job.arrivals", "every"),
        ("job.gap", "2s"),
    ];
    let bounds = Bounds { crashes: 1, ..Bounds::new(Timing::AsSet) };
    let found = explore(&of_case(&[alone, &OFF]), &[Goal::Breaks(Property::Conserved)], &bounds);
    let between = POINTS.iter().filter(|(_, point)| point.is_between());
    let rules = between.flat_map(|(name, _)| {
        let attempts = ["0/0", "0/1", "1/0", "1/1", "2/0", "2/1"];
        attempts.map(|attempt| format!("{attempt}:{name}"))
    });
    let mut passed = BTreeSet::new();
    let (mut choices, mut key) = (Choices::new(), Vec::new());
    for rule in rules.chain(["none".to_owned()]) {
        let scenario = Arc::new(of_case(&[alone, &OFF, &[("faults", &rule)]]));
        let mut world = World::new(scenario, &mut Counter::default());
        let mut crashed = false;
        loop {
            world.timed_key(&mut key);
            passed.insert((key.clone(), crashed));
            let Some(choice) = earliest(&world, &mut choices) else { break };
            crashed |= choice.verdict == Verdict::Crash;
            world.apply(&choice, &mut Counter::default());
        }
    }
    assert!(found.complete && found.violation.is_none());
    assert_eq!(found.states, passed.len());
}

/// Of two relays that both have marked a row one dies: the rule says which, and the other sends.
#[test]
fn a_rule_says_which_relay_dies() {
    let mut settings = Settings::default();
    let relays = [("effect", "outbox"), ("relay.count", "2"), ("relay.order", "mark-then-publish")];
    settings.set_all(&[&relays[..], &OFF].concat()).expect("allowed");
    let scenario = Arc::new(Scenario::new(&settings).without_crashes());
    for dies in [0, 1] {
        let mut world = World::new(Arc::clone(&scenario), &mut Counter::default());
        let (mut choices, mut path) = (Choices::new(), Vec::new());
        loop {
            let dying = |choice: &&Choice| {
                (choice.pending, choice.point, choice.verdict)
                    == (Pending::Relay { relay: dies }, Some(Point::RelayBetween), Verdict::Crash)
            };
            let Some(next) = earliest(&world, &mut choices) else { break };
            let is_between = |relay: &RelayState| {
                matches!(relay, RelayState::Busy { step: RelayStep::Publish, .. })
            };
            let crash = choices.iter().find(dying).copied();
            let crash = crash.filter(|_| world.relays().iter().all(is_between));
            let choice = crash.unwrap_or(next);
            world.apply(&choice, &mut Counter::default());
            path.push(choice);
        }
        assert!(path.iter().any(|choice| choice.verdict == Verdict::Crash));
        assert_eq!(world.vendor().payments().len(), 1, "the other one sends");
        let session = Session::on_path("double-refund", &settings, &path).expect("one crash");
        let rule = session.scenario().faults.first().map(ToString::to_string);
        assert_eq!(rule, Some(format!("0/1.{dies}:relay-between")));
        assert_eq!(session.trace().matches(" relay-crashed ").count(), 1, "{}", session.link());
        assert_eq!(*session.run().trace.entries(), *take(&scenario, &path).entries());
    }
}

/// An end beyond a bound is where a run leaves the bounds: it is not passed by, nothing is said of
/// what would follow, and it is no state that is stuck.
#[test]
fn a_run_leaves_the_bounds_at_an_end_beyond_them() {
    let usual = Bounds::new(Timing::AsSet);
    let forgets = |most| Bounds { crashes: 1, forgets: Some(most), ..usual };
    for (given, bounds) in [
        (&[&FIFO[..], &OFF], forgets(0)),
        (&[&NEXT_DAY[..], &OFF], forgets(0)),
        // The write takes 40 s, the lease 30.
        (&[&[("slice.write", "40s")], &OFF], Bounds { crashes: 0, expiries: Some(0), ..usual }),
    ] {
        let more = Bounds {
            forgets: bounds.forgets.map(|most| most + 1),
            expiries: bounds.expiries.map(|most| most + 2),
            ..bounds
        };
        let scenario = of_case(given);
        let found = explore(&scenario, &[PAID, Goal::Stuck], &bounds);
        assert!(found.complete && found.violation.is_none() && found.left > 0, "{given:?}");
        let found = explore(&scenario, &[PAID], &more);
        assert!(found.violation.is_some(), "{given:?} with more");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn what_play_does_is_found(
        picks in prop::collection::vec(0..60_usize, RANDOM.len()),
        rules in 0..RULED.len(), wrong in 0..WRONG.len(),
    ) {
        let given = given(&picks, RULED[rules], WRONG[wrong]);
        let found = finds_what_play_does(&given);
        prop_assert!(found.is_ok(), "{}\n{}", found.unwrap_err(), replay_line(&given, &[]));
    }

    #[test]
    fn what_is_found_is_what_play_does(
        picks in prop::collection::vec(0..60_usize, RANDOM.len()),
        rules in 0..RULED.len(), goal in 0..PROPERTIES.len(),
    ) {
        let given = given(&picks, RULED[rules], "none");
        let (settings, found) = search(&given, GOALS[goal]);
        if let Some(violation) = found.violation {
            let played = plays_what_is_found(&settings, &violation);
            let run = Session::on_path("double-refund", &settings, &violation.path);
            let link = run.expect("few crashes").link();
            prop_assert!(played.is_ok(), "{}\nat-least-once run --link '#{link}'", played.unwrap_err());
        }
    }
}

/// A ledger that is two rows behind does not agree after one more row, however often the job was
/// paid: a search that counted only to two took the two for the same.
#[test]
fn how_far_one_ledger_is_ahead_is_counted_out() {
    let given: Given = [
        ("effect", "vendor"),
        ("guard", "off"),
        ("guard.claim", "done"),
        ("checkpoint", "before-mint"),
        ("job.gap", "300ms"),
        ("job.resends", "4s"),
        ("workers.count", "1"),
        ("workers.restart", "0s"),
        ("queue.visibility_timeout", "6s"),
        ("queue.max_attempts", "2"),
        ("queue.late_ack", "delete"),
        ("slice.think", "0s"),
        ("slice.write", "0s"),
        ("slice.ack", "0s"),
        ("vendor.key_life", "1s"),
        ("backoff.kind", "none"),
        ("faults", "0/0:during-call 0/1:before-write"),
        ("seed", "1"),
    ]
    .map(|(path, text)| (path.to_owned(), text.to_owned()))
    .to_vec();
    assert!(finds_what_play_does(&given).expect("found") > 1);
}

/// The checks above are about something: play breaks things, and the search finds them.
#[test]
fn something_is_found_both_ways() {
    let (mut by_play, mut by_search) = (0, 0);
    for number in 0..120_usize {
        let picks: Vec<usize> =
            (0..RANDOM.len()).map(|row| number * 7 + row * number / 3).collect();
        let given = given(&picks, RULED[number % 4], WRONG[number % 8]);
        by_play += finds_what_play_does(&given).expect("found");
        let (settings, found) = search(&given, Goal::Breaks(Property::PaidOnce));
        if let Some(violation) = &found.violation {
            plays_what_is_found(&settings, violation).expect("played");
            by_search += 1;
        }
    }
    assert!(by_play > 20 && by_search > 10, "{by_play} by play, {by_search} by the search");
}
