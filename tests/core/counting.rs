//! What a run that is only counted counts, when jobs arrive, and what a search takes away.

use super::generate;
use at_least_once::lesson::Session;
use at_least_once::model::queue::AckOutcome;
use at_least_once::random::{Address, Draws, Purpose};
use at_least_once::sim::event::{Counter, Event, Sink};
use at_least_once::sim::play::{count, play};
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use at_least_once::units::{Moment, Span};
use std::sync::Arc;

fn scenario(given: &[(&str, &str)]) -> Arc<Scenario> {
    let mut settings = Settings::default();
    settings.set_all(given).expect("allowed");
    Arc::new(Scenario::new(&settings))
}

/// Money once in the ledger and once at a vendor, deliveries again, acks that come late.
const COUNTED: [&[(&str, &str)]; 3] = [
    &[("faults", "0:after-write 1:after-write"), ("guard", "off")],
    &[("effect", "vendor"), ("faults", "0:after-call"), ("job.count", "4")],
    &[
        ("queue.late_ack", "refuse"),
        ("queue.visibility_timeout", "2s"),
        ("slice.write", "3s"),
        ("workers.count", "2"),
        ("job.count", "3"),
    ],
];

/// The counts, from what is told.
fn of_events(scenario: &Arc<Scenario>) -> Counter {
    let run = play(scenario, &[]);
    let events = || run.trace.entries().iter().map(|entry| &entry.event);
    let number = |is: &dyn Fn(&&Event) -> bool| events().filter(is).count() as u64;
    Counter {
        events: number(&|_| true),
        executions: number(&|event| matches!(event, Event::Wrote { .. } | Event::Paid { .. })),
        redeliveries: number(&|event| matches!(event, Event::Leased { by, .. } if by.attempt > 0)),
        refused_acks: number(&|event| {
            matches!(event, Event::Acked { outcome: AckOutcome::LateRefused, .. })
        }),
    }
}

#[test]
fn what_is_counted_is_what_is_told() {
    let mut all = Counter::default();
    for given in COUNTED {
        let scenario = scenario(given);
        let (counted, _) = count(&scenario);
        assert_eq!(counted, of_events(&scenario), "{given:?}");
        all.executions += counted.executions;
        all.redeliveries += counted.redeliveries;
        all.refused_acks += counted.refused_acks;
    }
    let Counter { executions, redeliveries, refused_acks, .. } = all;
    assert!(executions > 0 && redeliveries > 0 && refused_acks > 0, "{all:?}");
}

/// A counter may be told event by event, as any sink, and counts the same.
#[test]
fn a_counter_is_a_sink_like_any_other() {
    for given in COUNTED {
        let scenario = scenario(given);
        let mut counter = Counter::default();
        for entry in play(&scenario, &[]).trace.entries() {
            counter.event(entry.at, entry.event);
        }
        assert_eq!(counter, of_events(&scenario), "{given:?}");
        // Or be told sums alone.
        assert!(counter.counter().is_some());
    }
}

/// A run that goes on by slices, so that it can be stopped, counts what the whole run does.
#[test]
fn slices_add_up_to_the_run() {
    for given in COUNTED {
        let scenario = scenario(given);
        let mut sliced = Counter::default();
        let mut world = World::forgetful(Arc::clone(&scenario), &mut sliced);
        let mut rules: &Scenario = &scenario;
        while world.run(&mut rules, &mut sliced, 3) == 3 {}
        assert_eq!(sliced, count(&scenario).0, "{given:?}");
    }
}

/// The moments at which jobs are sent.
fn sent(scenario: &Arc<Scenario>) -> Vec<Moment> {
    let run = play(scenario, &[]);
    let sent = run.trace.entries().iter();
    sent.filter(|it| matches!(it.event, Event::Sent { .. })).map(|it| it.at).collect()
}

/// Each job comes so long after the one before it as was drawn for it, and no other.
#[test]
fn jobs_arrive_after_their_own_gaps() {
    const JOBS: u32 = 12;
    let count = JOBS.to_string();
    for seed in ["1", "2", "77"] {
        let of = |arrivals| {
            let given = [
                ("seed", seed),
                ("job.count", &*count),
                ("job.arrivals", arrivals),
                ("job.gap", "1500ms"),
                ("workers.count", "3"),
            ];
            sent(&scenario(&given))
        };
        let gap = Span::from_millis(1500);
        let draws = Draws::new(seed.parse().expect("a number"));
        let drawn = (0..JOBS).scan(Moment::ZERO, |at, job| {
            *at =
                at.after(draws.exponential(Address { job, ..Address::new(Purpose::Arrival) }, gap));
            Some(*at)
        });
        assert_eq!(of("exponential"), drawn.collect::<Vec<_>>(), "seed {seed}");
        let every = (0..u64::from(JOBS)).map(|job| Moment::ZERO.after(gap.saturating_mul(job)));
        assert_eq!(of("every"), every.collect::<Vec<_>>());
        assert_eq!(of("at-once"), vec![Moment::ZERO; JOBS as usize]);
    }
}

/// What a search decides about is taken out of a scenario, and nothing else.
#[test]
fn a_search_takes_crashes_rates_and_deploys_away_and_leaves_answers() {
    let whole = scenario(&[
        ("effect", "vendor"),
        ("faults", "0:after-write 0:throw:before-write 1:answer-503 2:ack-lost"),
        ("faults.rate", "1000000"),
        ("faults.rate_of", "before-write"),
        ("deploy.at", "5s"),
    ]);
    assert_eq!(whole.faults.len(), 4);
    assert!(whole.rate.is_some() && whole.deploy.is_some());
    let left = whole.without_crashes();
    let names: Vec<String> = left.faults.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["0:throw:before-write", "1:answer-503"]);
    assert!(left.rate.is_none() && left.deploy.is_none());
    // Nothing else is lost on the way: the rest of a scenario is its program.
    assert_eq!(
        (left.effect, left.lengths, left.owed()),
        (whole.effect, whole.lengths, whole.owed())
    );
    let events: Vec<Event> =
        play(&Arc::new(left), &[]).trace.entries().iter().map(|it| it.event).collect();
    assert!(!events.iter().any(|event| matches!(event, Event::Crashed { .. })));
}

/// The generated scenarios are counted as they are told, too.
#[test]
fn whatever_the_settings_the_counts_are_the_events() {
    let (mut again, mut refused) = (0, 0);
    for index in 0..generate::SCENARIOS {
        let given = generate::settings(index, 3);
        let given: Vec<(&str, &str)> =
            given.iter().map(|(path, text)| (&**path, &**text)).collect();
        let scenario = scenario(&given);
        let counted = count(&scenario).0;
        assert_eq!(counted, of_events(&scenario), "{given:?}");
        again += counted.redeliveries;
        refused += counted.refused_acks;
    }
    assert!(again > 0 && refused > 0, "{again} deliveries again, {refused} acks refused");
}

/// A deploy that goes from worker to worker says whose turn it is; one that strikes all names none.
#[test]
fn a_deploy_names_the_worker_whose_turn_it_is() {
    let workers = |gap| -> Vec<Option<String>> {
        let given = [
            ("faults", "none"),
            ("workers.count", "3"),
            ("slice.write", "20s"),
            ("deploy.at", "1s"),
            ("deploy.gap", gap),
        ];
        let session = Session::new("double-refund", &given).expect("allowed");
        let deployed = session.records().into_iter().filter(|it| it.event.starts_with("deployed"));
        deployed.map(|it| it.worker).collect()
    };
    assert_eq!(workers("0s"), [None]);
    assert_eq!(workers("2s"), ["A", "B", "C"].map(|worker| Some(worker.to_owned())));
}
