//! A job with two refunds: every design, and in each of its runs one crash, wherever there can be
//! one.
//!
//! A design that is right pays both refunds once, whatever dies; each of the others fails in one of
//! these runs at least. In all of them the events, the books and the world say the same.

use super::drivers;
use at_least_once::lesson::designs::DESIGNS;
use at_least_once::model::key::{IdempotencyKey, KeyPolicy};
use at_least_once::model::worker::Step;
use at_least_once::random::{Address, Purpose};
use at_least_once::sim::choice::Choices;
use at_least_once::sim::event::{Attempt, Event};
use at_least_once::sim::explore::{GOALS, explore};
use at_least_once::sim::fault::Verdict;
use at_least_once::sim::link::Differing;
use at_least_once::sim::play::{Ended, count, play};
use at_least_once::sim::progress::Progress;
use at_least_once::sim::property::Property;
use at_least_once::sim::report::Report;
use at_least_once::sim::scenario::{Effect, Scenario};
use at_least_once::sim::settings::Settings;
use at_least_once::sim::trace::{Entry, Trace};
use at_least_once::sim::world::World;
use at_least_once::units::{JobIndex, Span};
use proptest::prelude::*;
use std::sync::Arc;

pub(super) type Given<'a> = &'a [(&'a str, &'a str)];

pub(super) const JOB: JobIndex = JobIndex(0);

const EFFECTS: [&str; 3] = ["ledger", "vendor", "outbox"];
const GUARDS: [&str; 5] = ["off", "check-then-insert", "on", "ask-the-model", "ask-the-vendor"];
const PLACES: [&str; 2] = ["write", "call"];
const CLAIMS: [&str; 3] = ["done", "in-progress-skip", "in-progress-release"];
const KEYS: [&str; 5] = ["none", "per-attempt", "stable", "job", "constant"];
const CHECKPOINTS: [&str; 4] = ["none", "before-skip", "before-mint", "after"];
/// The second refund: as much as the first, which no sum tells from it, or less.
const SECONDS: [Given; 2] = [&[("job.second_amount", "1999")], &[("job.second_amount", "200")]];
/// What else gives a slice another shape, or its worker company.
const SHAPES: [Given; 8] = [
    &[],
    &[("queue.ack", "before")],
    &[
        ("queue.ack", "before"),
        ("retry.how", "resend"),
        ("faults", "0:answer-503 1:throw:before-call"),
    ],
    &[("deploy.at", "1s"), ("deploy.kind", "drain"), ("faults", "0:pause:before-call~40s")],
    &[("slice.think", "0s"), ("transaction", "on"), ("pool", "1")],
    &[("fencing", "start"), ("lease_check", "on"), ("queue.late_ack", "refuse")],
    &[("vendor.time", "40s"), ("client.timeout", "30s"), ("client.tries", "3")],
    &[("workers.prefetch", "2"), ("job.count", "2"), ("relay.count", "2")],
];

/// Claims end, and attempts are not what runs out.
const GROUND: [(&str, &str); 5] = [
    ("guard.claim_life", "1m"),
    ("queue.max_attempts", "20"),
    ("workers.count", "2"),
    ("backoff.kind", "fixed"),
    ("backoff.base", "10s"),
];

#[derive(Clone, Copy, Debug)]
struct Design {
    effect: &'static str,
    guard: &'static str,
    at: &'static str,
    claim: &'static str,
    key: &'static str,
    checkpoint: &'static str,
}

impl Design {
    /// Every design; what makes no difference is not chosen.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        let claim = |design: Self| {
            let claims = design.effect == "vendor" && design.guard == "on" && design.at == "call";
            let choices = if claims { &CLAIMS[..] } else { &CLAIMS[..1] };
            choices.iter().map(move |claim| Self { claim, ..design })
        };
        for effect in EFFECTS {
            for guard in if effect == "outbox" { &GUARDS[..1] } else { &GUARDS[..] } {
                for at in if effect == "vendor" { &PLACES[..] } else { &PLACES[..1] } {
                    for key in KEYS {
                        for checkpoint in
                            if effect == "outbox" { &CHECKPOINTS[3..] } else { &CHECKPOINTS[..] }
                        {
                            all.extend(claim(Self {
                                effect,
                                guard,
                                at,
                                claim: "",
                                key,
                                checkpoint,
                            }));
                        }
                    }
                }
            }
        }
        all
    }

    fn settings(&self, more: Given) -> Settings {
        let mut settings = Settings::default();
        let given = [
            ("effect", self.effect),
            ("guard", self.guard),
            ("guard.at", self.at),
            ("guard.claim", self.claim),
            ("key", self.key),
            ("checkpoint", self.checkpoint),
        ];
        settings.set_all(&[&GROUND[..], &given, more].concat()).expect("allowed");
        settings
    }

    /// Whether each refund is known again by something that outlives an attempt, before or where
    /// the money moves, and by nothing that only says that the work has begun.
    fn is_right(&self) -> bool {
        let own = ["none", "stable"].contains(&self.key);
        match self.effect {
            "outbox" => own || self.key == "per-attempt",
            _ if self.checkpoint.starts_with("before") => false,
            "ledger" => own && ["check-then-insert", "on", "ask-the-vendor"].contains(&self.guard),
            _ => {
                let claims = self.guard == "on" && self.at == "call";
                self.key == "stable" && (!claims || self.claim == "in-progress-release")
            }
        }
    }
}

/// One of the runs of a scenario: where the crash is, if it has one.
pub(super) type Crash = Option<Differing>;

/// A relay that is refused for good goes on for ever: longer than this is without end.
const MOST_STEPS: u32 = 300;

/// The run without a crash, and one for each place at which somebody may die in it.
pub(super) fn runs(scenario: &Arc<Scenario>) -> Vec<Crash> {
    let mut runs = vec![None];
    let mut trace = Trace::default();
    let mut world = World::new(Arc::clone(scenario), &mut trace);
    let mut choices = Choices::new();
    for step in 1..MOST_STEPS {
        world.choices(&mut choices);
        let dies = choices.iter().filter(|choice| choice.verdict == Verdict::Crash);
        runs.extend(dies.map(|choice| Some(Differing::new(step, choice, &choices))));
        let Some(next) = choices.iter().find(|it| it.verdict == Verdict::Go) else { break };
        world.apply(next, &mut trace);
    }
    runs
}

/// A run, step by step: who is where is read off the events, and is what the world says.
pub(super) fn run(scenario: &Arc<Scenario>, crash: Crash, name: &str) -> (Trace, World) {
    let mut trace = Trace::default();
    let mut world = World::new(Arc::clone(scenario), &mut trace);
    let mut progress = Progress::new(scenario);
    let (mut choices, mut taken) = (Choices::new(), 0);
    for step in 1..MOST_STEPS {
        trace.next_step();
        world.choices(&mut choices);
        let named = crash.filter(|crash| crash.step == step).and_then(|it| it.find(&choices));
        let go = choices.iter().find(|it| it.verdict == Verdict::Go).copied();
        let Some(choice) = named.or(go) else { break };
        world.apply(&choice, &mut trace);
        for entry in &trace.entries()[taken..] {
            progress.take(scenario, &entry.event);
        }
        taken = trace.entries().len();
        drivers::assert_told(&progress, &world, name);
        for property in [Property::Conserved, Property::WithinLimit] {
            assert!(property.holds(&world), "{name}: {property:?} at step {step}");
        }
    }
    (trace, world)
}

/// How often each refund was paid.
fn payments(scenario: &Scenario, world: &World) -> [usize; 2] {
    [0, 1].map(|refund| match scenario.effect {
        Effect::Ledger => {
            world.ledger().of_job(JOB).filter(|(_, row)| row.refund == refund).count()
        }
        Effect::Vendor | Effect::Outbox => world.vendor().paid(JOB, refund),
    })
}

/// The key of a refund on an attempt: made anew where the effect was begun before.
fn key(scenario: &Scenario, by: Attempt, mints: bool) -> IdempotencyKey {
    let policy = if mints { KeyPolicy::PerAttempt } else { scenario.key };
    IdempotencyKey::chosen(policy, by.job, by.refund, by.attempt)
}

/// Every event of an attempt says which refund is at hand and under which key, and a payment has
/// the key of the call.
fn assert_keys(scenario: &Scenario, trace: &Trace, name: &str) {
    let (mut minted, mut called, mut at) = (None, None, [0; 20]);
    for entry in trace.entries() {
        if let Event::Minted { by, done } = entry.event {
            assert_eq!(by.refund, done - 1, "{name}: the effect that was begun last");
            minted = Some((by.attempt, by.refund));
        }
        if let Some(by) = entry.event.by() {
            let mints = minted == Some((by.attempt, by.refund));
            assert_eq!(by.key, key(scenario, by, mints), "{name}: {:?}", entry.event);
            let at = &mut at[by.attempt as usize];
            assert!(*at <= by.refund, "{name}: {:?} goes back", entry.event);
            *at = by.refund;
        }
        match entry.event {
            Event::Resumed { by, done } if u32::from(done) < 2 => {
                assert_eq!(by.refund, done, "{name}: the next refund");
            }
            Event::Called { by, cents } => {
                assert_eq!(cents, scenario.planned(by.refund, by.attempt), "{name}");
                called = Some((by.refund, by.key));
            }
            Event::Paid { refund, key, .. } if scenario.effect == Effect::Vendor => {
                assert_eq!(Some((refund, key)), called, "{name}");
            }
            _ => {}
        }
    }
}

/// What the report says of the money is what was paid.
fn assert_books(scenario: &Scenario, trace: &Trace, world: &World, name: &str) {
    let paid = payments(scenario, world);
    let verdict = Report::new(scenario, trace.entries(), true).verdict;
    assert_eq!(verdict.ok, paid == [1, 1], "{name}: paid {paid:?}");
    let cents = [0, 1].map(|refund| scenario.planned(refund, 0).as_cents());
    let sum: u64 = paid.iter().zip(cents).map(|(times, cents)| *times as u64 * cents).sum();
    assert_eq!(verdict.paid_cents, sum, "{name}");
    assert_eq!(verdict.executions as usize, paid.iter().sum::<usize>(), "{name}");
    if scenario.effect == Effect::Vendor {
        let agree = [0, 1].iter().all(|refund| {
            let rows = world.ledger().of_job(JOB).filter(|(_, row)| row.refund == *refund);
            rows.count() == world.vendor().paid(JOB, *refund)
        });
        assert_eq!(verdict.books_agree, Some(agree), "{name}");
    }
}

/// Whether both refunds are paid once in every run of this design.
fn holds(design: &Design, second: Given) -> bool {
    let scenario = Arc::new(Scenario::new(&design.settings(second)));
    let all = runs(&scenario).into_iter().map(|crash| {
        let name = format!(
            "{design:?}, {second:?}, {}",
            crash.map_or_else(String::new, |it| it.to_string())
        );
        let (trace, world) = run(&scenario, crash, &name);
        assert_keys(&scenario, &trace, &name);
        assert_books(&scenario, &trace, &world, &name);
        if world.is_settled() {
            let played = play(&scenario, crash.as_slice());
            assert_eq!((played.ended, played.missed), (Ended::Done, Vec::new()), "{name}");
            assert_eq!(played.trace.entries(), trace.entries(), "{name}: a link tells another run");
        }
        world.is_settled() && payments(&scenario, &world) == [1, 1]
    });
    all.fold(true, |holds, paid| holds & paid)
}

#[test]
fn a_right_design_pays_both_refunds_once_whoever_dies() {
    let designs = Design::all();
    for second in SECONDS {
        for design in &designs {
            assert_eq!(holds(design, second), design.is_right(), "{design:?}, {second:?}");
        }
    }
}

/// A slice of two refunds has the steps of one twice, or the table says nothing of the second.
#[test]
fn the_table_has_every_step_of_a_refund_twice() {
    for design in Design::all() {
        let scenario = Scenario::new(&design.settings(SECONDS[1]));
        let lines = scenario.program.lines();
        let steps = |refund| {
            let own = |step| !matches!(step, Step::Think | Step::Ack);
            let lines = lines.iter().filter(move |line| line.refund == refund && own(line.step));
            lines.map(|line| line.step).collect::<Vec<_>>()
        };
        assert_eq!(steps(0), steps(1), "{design:?}");
        assert!(!steps(0).is_empty(), "{design:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// In any order of events, with whatever goes wrong, the events tell who is at which step, and
    /// no message is lost.
    #[test]
    fn the_events_tell_who_is_at_which_step_in_any_order(
        design in prop::sample::select(Design::all()),
        shape in prop::sample::select(&SHAPES[..]),
        second in prop::sample::select(&SECONDS[..]),
        turns in prop::collection::vec(any::<u16>(), 1..80),
    ) {
        let scenario = Scenario::new(&design.settings(&[second, shape].concat()));
        let scenario = Arc::new(scenario);
        let mut trace = Trace::default();
        let mut world = World::new(Arc::clone(&scenario), &mut trace);
        let mut progress = Progress::new(&scenario);
        let (mut choices, mut taken) = (Choices::new(), 0);
        for turn in turns {
            world.choices(&mut choices);
            let Some(choice) = choices.get(usize::from(turn) % choices.len().max(1)) else { break };
            world.apply(choice, &mut trace);
            for entry in &trace.entries()[taken..] {
                progress.take(&scenario, &entry.event);
            }
            taken = trace.entries().len();
            drivers::assert_told(&progress, &world, &format!("{design:?} {shape:?} {choice:?}"));
            prop_assert!(Property::Conserved.holds(&world));
        }
    }
}

/// The designs that hold for one refund hold for two, in any order of events.
#[test]
fn the_explorer_finds_nothing_in_a_right_design_with_two_refunds() {
    for design in DESIGNS.iter().filter(|design| design.fails.is_empty()) {
        let mut settings = design.settings();
        settings.set("job.second_amount", "200").expect("allowed");
        let found = explore(&Scenario::new(&settings), &GOALS, &design.bounds());
        assert_eq!(found.violation, None, "{}", design.id);
        assert!(found.complete, "{}: {} states", design.id, found.states);
    }
}

/// The reply to each row is lost, and both are sent again: whoever gets a row twice knows which of
/// the job's it is.
#[test]
fn a_row_that_is_sent_again_is_a_replay_of_its_own_payment() {
    let design = [("effect", "outbox"), ("faults", "0:reply-lost")];
    let mut settings = Settings::default();
    settings.set_all(&[&design[..], SECONDS[0]].concat()).expect("allowed");
    let scenario = Arc::new(Scenario::new(&settings));
    let run = play(&scenario, &[]);
    let report = Report::new(&scenario, run.trace.entries(), true);
    let told: Vec<_> = report.payments.iter().map(|it| (it.refund, it.replays)).collect();
    assert_eq!(told, [(0, 1), (1, 1)]);
    // At the first of the two it is that one's.
    let entries = run.trace.entries();
    let known = |entry: &Entry| match entry.event {
        Event::Relayed { refund, known: true, .. } => Some(refund),
        _ => None,
    };
    let first = entries.iter().position(|entry| known(entry).is_some()).expect("it is known");
    let report = Report::new(&scenario, &entries[..=first], false);
    let replayed = report.payments.iter().filter(|it| it.replays > 0).map(|it| it.refund);
    assert_eq!(replayed.collect::<Vec<_>>(), [known(&entries[first]).expect("it is known")]);
}

pub(super) fn scenario(given: Given) -> Arc<Scenario> {
    let mut settings = Settings::default();
    settings.set_all(&[&GROUND[..], SECONDS[1], given].concat()).expect("allowed");
    Arc::new(Scenario::new(&settings))
}

/// The vendor may be done with a call that its worker has given up while the worker waits for its
/// next one: the answer is about the call that was made last, not about an earlier try and not
/// about the other refund.
#[test]
fn an_answer_is_about_the_call_that_was_made_last() {
    let mut meanwhile = [0, 0];
    for seed in 1..=60_u32 {
        let scenario = scenario(&[
            ("seed", &seed.to_string()),
            ("effect", "vendor"),
            ("key", "none"),
            ("vendor.time", "30s"),
            ("slice.spread", "uniform"),
            ("client.timeout", "30s"),
            ("client.tries", "3"),
            ("queue.visibility_timeout", "10m"),
        ]);
        // The calls given up, and the last one: of which refund, and when the vendor is done.
        let (mut given_up, mut last, mut tries) = (Vec::new(), None, 0);
        for entry in play(&scenario, &[]).trace.entries() {
            match entry.event {
                Event::Called { by, .. } => {
                    let at = Address {
                        job: by.job.0,
                        message: by.copy,
                        attempt: by.attempt,
                        retry: tries,
                        point: by.refund.into(),
                        ..Address::new(Purpose::Service)
                    };
                    let time = scenario.spread(Span::from_micros(30_000_000), at);
                    last = Some((by.refund, entry.at.after(time)));
                }
                Event::NoAnswer(_) => {
                    given_up.extend(last);
                    tries += 1;
                }
                Event::Answer { by, .. } => {
                    assert_eq!(last, Some((by.refund, entry.at)), "seed {seed}");
                    tries = 0;
                }
                Event::Paid { .. } => {
                    let waits = last.filter(|(_, due)| *due > entry.at);
                    let done = given_up.iter().find(|(_, due)| *due == entry.at);
                    if let Some(((refund, _), (other, _))) = waits.zip(done) {
                        meanwhile[usize::from(refund != *other)] += 1;
                    }
                }
                Event::GaveBack { .. } => tries = 0,
                _ => {}
            }
        }
    }
    assert!(meanwhile.iter().all(|times| *times > 5), "it happens: {meanwhile:?}");
}

/// What the vendor has refused for good is one refund. The job's other one may still be asked for.
#[test]
fn a_refusal_is_about_its_own_refund() {
    for (order, holds) in [("mark-then-publish", true), ("publish-then-mark", false)] {
        let scenario =
            scenario(&[("effect", "outbox"), ("relay.order", order), ("faults", "0:answer-400")]);
        let trace = play(&scenario, &[]).trace;
        let refused = |entry: &&Entry| matches!(entry.event, Event::NotPublished { .. });
        let refused = trace.entries().iter().filter(refused).count();
        assert_eq!(refused, 2, "{order}");
        let world = count(&scenario).1;
        assert_eq!(Property::NotRetried.holds(&world), holds, "{order}");
    }
}

/// Each refund draws for itself: how long its call takes, and whether something goes wrong there.
#[test]
fn a_refund_has_draws_of_its_own() {
    let slow =
        scenario(&[("effect", "vendor"), ("slice.spread", "uniform"), ("vendor.time", "5s")]);
    let crashes = scenario(&[
        ("effect", "vendor"),
        ("job.count", "50"),
        ("faults.rate", "300000"),
        ("faults.rate_of", "before-call"),
    ]);
    let mut calls = Vec::new();
    for entry in play(&slow, &[]).trace.entries() {
        match entry.event {
            Event::Called { .. } => calls.push((entry.at, entry.at)),
            Event::Paid { .. } => calls.last_mut().expect("a call").1 = entry.at,
            _ => {}
        }
    }
    let [one, other] = calls[..] else { panic!("two calls: {calls:?}") };
    assert_ne!(one.1.since(one.0), other.1.since(other.0));
    let died = |refund| {
        let run = play(&crashes, &[]);
        let crashes = |entry: &&Entry| matches!(entry.event, Event::Crashed { by, .. } if (by.attempt, by.refund) == (0, refund));
        run.trace.entries().iter().filter(crashes).count()
    };
    assert!(died(0) > 0 && died(1) > 0, "{} and {}", died(0), died(1));
}
