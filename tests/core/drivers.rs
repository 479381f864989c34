//! One world under every driver: the fast path, the list of choices, any order, links.

use super::{generate, rules_queue, rules_vendor};
use at_least_once::lesson::Session;
use at_least_once::model::worker::WorkerState;
use at_least_once::sim::choice::{Choice, Choices, Chooser, Pending};
use at_least_once::sim::event::{Counter, Event};
use at_least_once::sim::fault::{Points, Site, Verdict};
use at_least_once::sim::link::Differing;
use at_least_once::sim::play::{count, differing, play, take};
use at_least_once::sim::progress::{Doing, Progress};
use at_least_once::sim::property::PROPERTIES;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::trace::Trace;
use at_least_once::sim::world::World;
use at_least_once::units::WorkerId;
use proptest::prelude::*;
use std::sync::Arc;

fn scenario(given: &generate::Given) -> Arc<Scenario> {
    let mut settings = Settings::default();
    for (path, text) in given {
        settings.set(path, text).expect("generated settings are allowed");
    }
    Arc::new(Scenario::new(&settings))
}

/// A choice at a step that no run reaches makes play read the list of choices at every step.
fn never() -> Differing {
    "4294967295:e0".parse().expect("a choice")
}

#[test]
fn the_fast_path_takes_what_stands_first_in_the_list() {
    for given in generate::all() {
        let scenario = scenario(&given);
        let (fast, listed) = (play(&scenario, &[]), play(&scenario, &[never()]));
        let pairs = fast.trace.entries().iter().zip(listed.trace.entries());
        for (place, (one, other)) in pairs.enumerate() {
            assert_eq!(one, other, "event {place}: {given:?}");
        }
        assert_eq!(fast.trace, listed.trace, "{given:?}");
        assert_eq!((fast.ended, fast.broken), (listed.ended, listed.broken));
    }
}

#[test]
fn a_run_that_is_only_counted_has_as_many_events() {
    for index in 0..generate::SCENARIOS {
        let scenario = scenario(&generate::settings(index, 1));
        let (counter, world) = count(&scenario);
        let run = play(&scenario, &[]);
        assert_eq!(counter.events, run.trace.entries().len() as u64);
        assert_eq!(counter.executions, world.ledger().rows().len() as u64);
    }
}

/// Crowds of which most is soon over, each with something that asks for what was long ago, and the
/// event that shows that it happened.
const CROWDS: [(&str, &[(&str, &str)]); 6] = [
    ("crashed", &[("guard", "off")]),
    ("checked", &[("guard", "check-then-insert")]),
    ("ack-late", &[("queue.late_ack", "refuse"), ("slice.write", "9s")]),
    ("dropped", &[("job.resends", "5s 10m"), ("queue.dedup_window", "1m")]),
    ("already-written", &[("job.resends", "30s 1h"), ("retry.how", "resend")]),
    ("began", &[("workers.prefetch", "4"), ("guard.claim_life", "1m")]),
];

/// What a world forgets of jobs that are over changes nothing of what happens.
#[test]
fn a_forgetful_world_tells_the_same() {
    let crowds = CROWDS.into_iter().flat_map(|crowd| ["1", "2", "3"].map(|seed| (seed, crowd)));
    for (seed, (occurs, more)) in crowds {
        let crowd = [
            ("seed", seed),
            ("job.count", "3000"),
            ("job.arrivals", "exponential"),
            ("job.gap", "2s"),
            ("workers.count", "6"),
            ("faults.rate", "50000"),
            ("queue.visibility_timeout", "9s"),
            ("queue.expiry_backoff", "on"),
        ];
        let given = crowd.iter().chain(more);
        let given = given.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let scenario = scenario(&given);
        let told = |forgets: bool| {
            let mut trace = Trace::default();
            let mut rules: &Scenario = &scenario;
            let make = if forgets { World::forgetful } else { World::new };
            let mut world = make(Arc::clone(&scenario), &mut trace);
            world.run(&mut rules, &mut trace, 200_000);
            (trace, world)
        };
        let ((plain, whole), (forgetful, world)) = (told(false), told(true));
        assert!(forgetful == plain, "another run: {given:?}");
        let has = |code: &str| plain.entries().iter().any(|it| it.event.code().0 == code);
        assert!(has(occurs), "{occurs} does not occur: {given:?}");
        let [all, kept] = [whole, world].map(|world| world.ledger().rows().len());
        assert!(kept < all, "nothing was forgotten: {given:?}");
    }
}

/// Who is at which step, as the events tell it, is what the world says.
pub(crate) fn assert_told(progress: &Progress, world: &World, name: &str) {
    for (doing, worker) in progress.workers().iter().zip(world.workers()) {
        let same = match (doing, worker) {
            (Doing::Idle, WorkerState::Idle { .. })
            | (Doing::Down | Doing::Stopped, WorkerState::Down { .. }) => true,
            (Doing::Busy { by, step, position, .. }, WorkerState::Busy(task)) => {
                (by.job, by.attempt) == (task.job, task.attempt)
                    && (*step, *position) == (task.step, task.position)
            }
            _ => false,
        };
        assert!(same, "{name}: {doing:?} is {worker:?}");
    }
}

/// Who is at which step is read off the events alone, and is what the world says, after every step.
#[test]
fn the_events_tell_who_is_at_which_step() {
    let mut compared = 0;
    let rules = rules_queue::scenarios().into_iter().chain(rules_vendor::scenarios());
    for (name, given) in rules {
        let scenario = Arc::new(generate::session(&given).scenario().clone());
        let mut chooser: &Scenario = &scenario;
        let mut trace = Trace::default();
        let mut world = World::new(Arc::clone(&scenario), &mut trace);
        let mut progress = Progress::new(&scenario);
        let mut taken = 0;
        for _ in 0..300 {
            if !world.advance(&mut chooser, &mut trace) {
                break;
            }
            for entry in &trace.entries()[taken..] {
                progress.take(&scenario, &entry.event);
            }
            taken = trace.entries().len();
            assert_told(&progress, &world, name);
            compared += world.workers().len();
        }
    }
    assert!(compared > 1_000, "{compared} comparisons");
}

/// What a worker holds and has not begun is its own: it stays when another one is drained, and if
/// its lease ends meanwhile, the worker begins it without one.
#[test]
fn what_is_held_stays_when_another_worker_is_drained() {
    let given = [
        ("job.count", "4"),
        ("workers.count", "2"),
        ("workers.prefetch", "2"),
        ("faults", "none"),
        ("slice.think", "40s"),
        ("queue.visibility_timeout", "30s"),
        ("deploy.at", "10s"),
        ("deploy.kind", "drain"),
        ("deploy.gap", "5m"),
    ];
    let given = given.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    let scenario = scenario(&given);
    let run = play(&scenario, &[]);
    let mut progress = Progress::new(&scenario);
    let (mut drained, mut begun) = (false, 0);
    for entry in run.trace.entries() {
        progress.take(&scenario, &entry.event);
        match entry.event {
            Event::Deployed { worker, .. } => drained |= worker == Some(WorkerId(0)),
            Event::Began(by) if drained && by.worker == WorkerId(1) && by.attempt == 0 => {
                assert!(matches!(progress.of(by.worker), Doing::Busy { stale: true, .. }));
                begun += 1;
            }
            _ => {}
        }
    }
    assert_eq!(begun, 1, "it happens");
}

/// Nothing goes wrong.
struct Calm;

impl Chooser for Calm {
    fn verdict(&mut self, _: &Site) -> Verdict {
        Verdict::Go
    }

    fn points(&self) -> Points {
        Points::NONE
    }
}

/// A world may be driven by one chooser, then by another: who stands at a point by then is asked
/// about too.
#[test]
fn another_chooser_is_asked_about_what_has_begun() {
    for quiet in 0..6 {
        let scenario = scenario(&[("faults".to_owned(), "0:before-ack".to_owned())].into());
        let mut trace = Trace::default();
        let mut world = World::new(Arc::clone(&scenario), &mut trace);
        world.run(&mut Calm, &mut trace, quiet);
        let acked = trace.entries().iter().any(|it| it.event.code().0 == "acked");
        let mut rules: &Scenario = &scenario;
        world.run(&mut rules, &mut trace, 100);
        let crashed = trace.entries().iter().any(|it| it.event.code().0 == "crashed");
        assert_eq!(crashed, !acked, "after {quiet} steps");
    }
}

/// The line that plays a path again in the terminal.
fn replay(given: &generate::Given, path: &[Choice]) -> String {
    generate::replay_line(given, &differing(&scenario(given), path))
}

/// Takes pending events at random, late ones and faults among them.
fn wander(given: &generate::Given, turns: &[u16]) -> (Vec<Choice>, Trace) {
    let scenario = &scenario(given);
    let mut trace = Trace::default();
    let mut world = World::new(Arc::clone(scenario), &mut trace);
    let mut choices = Choices::new();
    let mut path = Vec::new();
    for turn in turns {
        world.choices(&mut choices);
        assert!(choices.is_sorted_by_key(Choice::order));
        if choices.is_empty() {
            assert!(world.is_settled());
            break;
        }
        let before = world.now();
        let choice = choices[usize::from(*turn) % choices.len()];
        trace.next_step();
        world.apply(&choice, &mut trace);
        // The clock moves to the event's due time or stays, whichever is later.
        assert_eq!(world.now(), before.max(choice.due));
        path.push(choice);
        for property in &PROPERTIES[1..] {
            assert!(property.holds(&world), "{property:?}\n{}", replay(given, &path));
        }
    }
    (path, trace)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any pending event can be chosen; the path is a timed run; what differs from play fits a
    /// link, and play takes the same path from it.
    #[test]
    fn any_order_of_events_is_a_run_that_a_link_replays(
        index in 0..generate::SCENARIOS, seed in 0..5_u64,
        turns in prop::collection::vec(any::<u16>(), 1..60),
    ) {
        let given = generate::settings(index, seed);
        let scenario = scenario(&given);
        let (path, trace) = wander(&given, &turns);
        let line = || replay(&given, &path);
        prop_assert_eq!(&take(&scenario, &path), &trace, "{}", line());
        let texts: Vec<String> =
            differing(&scenario, &path).iter().map(Differing::to_string).collect();
        let read: Vec<Differing> =
            texts.iter().map(|text| text.parse().expect("a choice")).collect();
        let replayed = play(&scenario, &read);
        prop_assert!(replayed.missed.is_empty(), "{:?}\n{}", replayed.missed, line());
        let length = trace.entries().len();
        prop_assert_eq!(&replayed.trace.entries()[..length], trace.entries(), "{}", line());
    }
}

/// The line that a failing property prints is the run: its settings and its order of events.
#[test]
fn a_replay_line_plays_the_run_that_it_is_about() {
    for number in 0..40_u16 {
        let given = generate::settings(number.into(), number.into());
        let turn = |place: u16| number.wrapping_mul(7919).wrapping_add(place * 241);
        let turns: Vec<u16> = (0..30).map(turn).collect();
        let (path, trace) = wander(&given, &turns);
        let line = replay(&given, &path);
        let (command, link) = line.split_once('#').expect("a link");
        assert_eq!(command, "at-least-once run --link '");
        let session = Session::open(link.trim_end_matches('\'')).expect("a link that fits");
        assert!(session.run().missed.is_empty(), "{line}");
        let length = trace.entries().len();
        assert_eq!(session.run().trace.entries()[..length], *trace.entries(), "{line}");
    }
}

/// A driver may take turns: what it applies itself in between is no reason for the fast path to
/// pass over a crash that a rule wants.
#[test]
fn the_fast_path_goes_on_from_whatever_was_applied() {
    for given in generate::all().step_by(7) {
        let scenario = scenario(&given);
        let mut rules: &Scenario = &scenario;
        let (mut mixed, mut listed) = (Trace::default(), Trace::default());
        let mut world = World::new(Arc::clone(&scenario), &mut mixed);
        let mut other = World::new(Arc::clone(&scenario), &mut listed);
        let mut choices = Choices::new();
        for turn in 0.. {
            other.choices(&mut choices);
            let agreed = |choice: &&Choice| match other.site(choice) {
                Some(site) => scenario.verdict(&site) == choice.verdict,
                None => true,
            };
            let Some(earliest) = choices.iter().find(agreed).copied() else { break };
            other.apply(&earliest, &mut listed);
            if turn % 2 == 0 {
                assert!(world.advance(&mut rules, &mut mixed));
            } else {
                world.apply(&earliest, &mut mixed);
            }
            assert_eq!(mixed, listed, "turn {turn}: {given:?}");
        }
    }
}

/// The check above is about something: the wanderers do take events late and do crash.
#[test]
fn wandering_takes_events_late_and_crashes() {
    let (mut late, mut crashed, mut twice) = (0, 0, 0);
    for seed in 0..200_u64 {
        let given = generate::settings(7, seed % 5);
        let scenario = scenario(&given);
        let turn = |place: u64| ((seed * 7919 + place * 104_729) % 65_521) as u16;
        let turns: Vec<u16> = (0..40).map(turn).collect();
        let (path, trace) = wander(&given, &turns);
        let mut counter = Counter::default();
        let mut world = World::new(Arc::clone(&scenario), &mut counter);
        for choice in &path {
            late += usize::from(choice.due < world.now());
            crashed += usize::from(choice.verdict == Verdict::Crash);
            world.apply(choice, &mut counter);
        }
        twice += usize::from(!PROPERTIES[0].holds(&world));
        assert_eq!(counter.events, trace.entries().len() as u64);
    }
    assert!(
        late > 100 && crashed > 100 && twice > 10,
        "{late} late, {crashed} crashed, {twice} paid twice"
    );
}

/// A choice in a link that is not pending there is passed over, and the run says so.
#[test]
fn a_link_with_a_choice_that_is_not_pending_takes_the_earliest_and_says_so() {
    let scenario = scenario(&generate::settings(0, 0));
    let odd: Differing = "2:e77".parse().expect("a choice");
    let run = play(&scenario, &[odd]);
    assert_eq!(run.missed, [odd]);
    assert_eq!(run.trace, play(&scenario, &[]).trace);
}

/// The key for any order has no times in it; the timed key has, but only relative to now.
#[test]
fn keys_compare_states_not_clocks() {
    let at = |think: &str, steps: usize, shift: bool| {
        let mut settings = Settings::default();
        settings.set("slice.think", think).expect("allowed");
        settings.set("faults", "0:before-write").expect("allowed");
        let scenario = Arc::new(Scenario::new(&settings));
        let mut sink = Counter::default();
        let mut world = World::new(scenario, &mut sink);
        let mut choices = Choices::new();
        for _ in 0..steps {
            world.choices(&mut choices);
            // With `shift`, the lease ends first and its message is taken again.
            let choice = if shift { choices[choices.len() - 1] } else { choices[0] };
            world.apply(&choice, &mut sink);
        }
        let (mut untimed, mut timed) = (Vec::new(), Vec::new());
        world.untimed_key(&mut untimed);
        world.timed_key(&mut timed);
        (untimed, timed)
    };
    let (quick, slow) = (at("1s", 1, false), at("2s", 1, false));
    assert_eq!(quick.0, slow.0, "only the times differ");
    assert_ne!(quick.1, slow.1);
    assert_eq!(at("1s", 1, false), at("1s", 1, false));
    assert_ne!(at("1s", 1, false).0, at("1s", 2, true).0);
}

/// A link gives the same run back, and a damaged one is refused with field, value and limit.
#[test]
fn links_are_read_as_they_are_written() {
    let given = [
        ("guard", "off"),
        ("faults", "0:after-write 1:ack-lost"),
        ("seed", "99"),
        ("backoff.list", "1s 2s"),
        ("queue.visibility_timeout", "1500ms"),
    ];
    let session = Session::new("double-refund", &given).expect("allowed");
    let link = session.link();
    assert!(link.starts_with("v=1&x=double-refund&seed=99&guard=off&"), "{link}");
    let again = Session::open(&link).expect("a link");
    assert_eq!((again.link(), again.trace()), (link.clone(), session.trace()));
    let chosen = format!("{link}&choices=2:e0");
    let other = Session::open(&chosen).expect("a link");
    assert_eq!(other.link(), chosen);
    assert_ne!(other.trace(), session.trace());
    for (damaged, value) in [
        ("", ""),
        ("v=1", "v=1"),
        ("x=double-refund", "x=double-refund"),
        ("v=2&x=double-refund", "v=2&x=double-refund"),
        ("v=0&x=double-refund", "v=0&x=double-refund"),
        ("v=1&x=triple-refund", "x=triple-refund"),
        ("v=1&x=double-refund&guard=maybe", "guard=maybe"),
        ("v=1&x=double-refund&gard=on", "gard=on"),
        ("v=1&x=double-refund&guard", "guard"),
        ("v=1&x=double-refund&guard=on&guard=off", "guard=off"),
        ("v=1&x=double-refund&m=2&m=3", "m=3"),
        ("v=1&x=double-refund&choices=x", "choices=x"),
        ("v=1&x=double-refund&m=now", "m=now"),
        ("v=1&x=double-refund&m=-1", "m=-1"),
        ("v=1&x=double-refund&m=999", "m=999"),
    ] {
        let refusal = Session::open(damaged).expect_err(damaged);
        assert_eq!((&*refusal.field, &*refusal.value), ("link", value), "{damaged}: {refusal}");
        assert!(!refusal.limit.is_empty());
    }
    let long = format!("v=1&x=double-refund&faults={}", "0:after-write+".repeat(200));
    assert_eq!(Session::open(&long).expect_err("too long").unit, "bytes");
}

/// A receive has no timer: its place in the list is not the number of one. Whichever worker takes
/// the message, what else is pending stays pending.
#[test]
fn a_receive_takes_no_other_event_away() {
    let mut settings = Settings::default();
    for (path, text) in [("job.count", "3"), ("job.arrivals", "every"), ("deploy.at", "10s")] {
        settings.set(path, text).expect("allowed");
    }
    let scenario = Arc::new(Scenario::new(&settings));
    let start = World::new(scenario, &mut Counter::default());
    let mut choices = Choices::new();
    start.choices(&mut choices);
    let receives: Vec<Choice> = choices
        .iter()
        .filter(|choice| matches!(choice.pending, Pending::Receive { .. }))
        .copied()
        .collect();
    assert_eq!(receives.len(), 3, "one message, three workers");
    for receive in receives {
        let mut world = start.clone();
        world.apply(&receive, &mut Counter::default());
        world.choices(&mut choices);
        for pending in [Pending::Arrive, Pending::Deploy { first: WorkerId(0) }] {
            let there = choices.iter().any(|choice| choice.pending == pending);
            assert!(there, "{pending:?} after {receive:?}");
        }
    }
}
