//! The vendor's capacity, the waits of who calls it, and what is over before the work of its
//! instant.

use at_least_once::lesson::Session;
use at_least_once::sim::choice::{Choice, Choices, Pending};
use at_least_once::sim::event::Event;
use at_least_once::sim::play::play as run;
use at_least_once::sim::report::Report;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::trace::{Entry, Trace};
use at_least_once::sim::world::World;
use std::collections::BTreeSet;
use std::sync::Arc;

const GROUND: [(&str, &str); 9] = [
    ("effect", "vendor"),
    ("faults", "none"),
    ("checkpoint", "none"),
    ("queue.expiry_backoff", "off"),
    ("backoff.kind", "none"),
    ("slice.think", "0s"),
    ("slice.write", "0s"),
    ("slice.ack", "0s"),
    ("vendor.time", "0s"),
];

pub(super) fn play(given: &[(&str, &str)]) -> Session {
    Session::new("double-refund", &[&GROUND[..], given].concat()).expect("allowed")
}

/// The moments of these events, in milliseconds, with their job, and the status if they have one.
pub(super) fn told(session: &Session, event: &str) -> Vec<(u64, String, Option<u16>)> {
    let records = session.records().into_iter().filter(|record| record.event == event);
    let told = records.map(|it| (it.at_us / 1000, it.job_id.unwrap_or_default(), it.status));
    told.collect()
}

pub(super) fn moments(session: &Session, event: &str) -> Vec<u64> {
    told(session, event).into_iter().map(|(at, ..)| at).collect()
}

/// One place, calls of 10 s, refusals of 20 s. Job 18 comes at 6 s and is refused; when job 19
/// comes at 12 s the place is free again, unless the refusal takes it.
#[test]
fn a_refusal_costs_a_place_where_it_is_said_to() {
    for (cost, third) in [("free", (22_000, Some(201))), ("slot", (32_000, Some(503)))] {
        let session = play(&[
            ("job.count", "3"),
            ("job.arrivals", "every"),
            ("job.gap", "6s"),
            ("vendor.slots", "1"),
            ("vendor.time", "10s"),
            ("vendor.refusal_time", "20s"),
            ("vendor.refusal_cost", cost),
        ]);
        let answers = told(&session, "answer");
        let first_of = |job| {
            let (at, _, status) = answers.iter().find(|(_, of, _)| of == job).expect("an answer");
            (*at, *status)
        };
        assert_eq!(first_of("job_17"), (10_000, Some(201)));
        assert_eq!(first_of("job_18"), (26_000, Some(503)), "{cost}");
        assert_eq!(first_of("job_19"), third, "{cost}");
    }
}

/// It is refused with the status that is set, when the vendor is full and when it is down.
#[test]
fn a_vendor_refuses_with_the_status_that_is_set() {
    let full: [(&str, &str); 3] =
        [("vendor.slots", "1"), ("vendor.time", "10s"), ("job.count", "2")];
    let down: [(&str, &str); 1] = [("vendor.down_until", "10s")];
    for status in ["429", "503"] {
        for given in [&full[..], &down] {
            let session = play(&[given, &[("vendor.refusal_status", status)]].concat());
            let first = told(&session, "answer")[0].2.map(|status| status.to_string());
            assert_eq!(first.as_deref(), Some(status));
        }
    }
}

/// A worker waits between the calls of an attempt.
#[test]
fn a_worker_waits_between_its_calls() {
    let session = play(&[
        ("faults", "*:answer-503"),
        ("client.tries", "3"),
        ("client.wait", "2s"),
        ("queue.max_attempts", "1"),
    ]);
    assert_eq!(moments(&session, "called"), [0, 2_000, 4_000]);
}

/// A key's life that ends at the moment of a call is over before it: that call pays again. A
/// microsecond more, and it gets the answer.
#[test]
fn a_keys_life_is_over_before_a_call_at_that_instant() {
    for (life, payments) in [("20s", 2), ("20000001us", 1)] {
        // Called at 10 s; the lease ends at 20, and the next worker calls at 30.
        let session = play(&[
            ("slice.think", "10s"),
            ("faults", "0:after-call"),
            ("queue.visibility_timeout", "20s"),
            ("vendor.key_life", life),
        ]);
        assert_eq!(moments(&session, "called"), [10_000, 30_000]);
        assert_eq!(moments(&session, "paid").len(), payments, "{life}");
    }
}

/// A claim's life that ends at the moment of the next claim is over before it.
#[test]
fn a_claims_life_is_over_before_a_claim_at_that_instant() {
    for (life, second) in [("20s", "new"), ("20000001us", "in-progress")] {
        let session = play(&[
            ("guard.at", "call"),
            ("guard.claim_life", life),
            ("slice.think", "10s"),
            ("faults", "0:before-call"),
            ("queue.visibility_timeout", "20s"),
        ]);
        let claims = session.records().into_iter().filter(|it| it.event == "claim");
        let claims: Vec<_> = claims.map(|it| (it.at_us / 1000, it.detail)).take(2).collect();
        assert_eq!(claims, [(10_000, Some("new")), (30_000, Some(second))], "{life}");
    }
}

/// Even between 0 and twice the mean: a length of a write is now and then beyond the mean, never
/// beyond twice of it, and on the whole about the mean.
#[test]
fn an_even_spread_goes_up_to_twice_the_mean() {
    let session = Session::new(
        "double-refund",
        &[
            ("job.count", "400"),
            ("workers.count", "1"),
            ("faults", "none"),
            ("slice.think", "0s"),
            ("slice.checkpoint", "0s"),
            ("slice.ack", "0s"),
            ("slice.write", "1s"),
            ("slice.spread", "uniform"),
        ],
    )
    .expect("allowed");
    let records = session.records();
    let of = |event: &str| -> Vec<u64> {
        records.iter().filter(|it| it.event == event).map(|it| it.at_us).collect()
    };
    let lengths: Vec<u64> =
        of("leased").iter().zip(of("wrote")).map(|(from, to)| to - from).collect();
    assert_eq!(lengths.len(), 400);
    assert!(lengths.iter().all(|length| *length <= 2_000_000));
    let beyond = lengths.iter().filter(|length| **length > 1_000_000).count();
    assert!((140..=260).contains(&beyond), "{beyond} of 400 beyond the mean");
    let mean = lengths.iter().sum::<u64>() / 400;
    assert!((900_000..=1_100_000).contains(&mean), "{mean}");
}

/// A claim that lasts three days, as a field report has it: refused for 71 hours, then free.
#[test]
fn a_claim_may_last_for_days() {
    let session = play(&[
        ("guard.at", "call"),
        ("guard.claim_life", "72h"),
        ("faults", "0:before-call"),
        ("queue.visibility_timeout", "1m"),
        ("backoff.kind", "exponential"),
        ("backoff.base", "1d"),
        ("backoff.cap", "30d"),
        ("backoff.jitter", "none"),
    ]);
    let claims = session.records().into_iter().filter(|it| it.event == "claim");
    let claims: Vec<_> = claims.map(|it| (it.at_us / 60_000_000, it.detail)).collect();
    let day = 24 * 60;
    let expected =
        [(0, "new"), (1, "in-progress"), (2 * day + 1, "in-progress"), (6 * day + 1, "new")];
    assert_eq!(claims, expected.map(|(at, how)| (at, Some(how))));
}

pub(super) fn scenario(given: &[(&str, &str)]) -> Arc<Scenario> {
    let mut settings = Settings::default();
    settings.set_all(&[&GROUND[..], given].concat()).expect("allowed");
    Arc::new(Scenario::new(&settings))
}

/// What happens, with its moments in microseconds: rounded, two draws look different that are one.
pub(super) fn events(given: &[(&str, &str)]) -> Vec<(u64, Event)> {
    let run = run(&scenario(given), &[]);
    let told = run.trace.entries().iter();
    told.map(|entry| (entry.at.as_micros(), entry.event)).collect()
}

/// A claim of the vendor's ends once after its key's first use: a call that meets it does not
/// start another.
#[test]
fn a_call_that_is_refused_starts_no_claim() {
    let scenario = scenario(&[
        ("vendor.time", "1m"),
        ("vendor.claim_life", "10m"),
        ("queue.visibility_timeout", "10s"),
    ]);
    let mut sink = Trace::default();
    let mut rules: &Scenario = &scenario;
    let mut world = World::new(Arc::clone(&scenario), &mut sink);
    let mut most = 0;
    let mut choices = Choices::new();
    while !sink.entries().iter().any(|it| matches!(it.event, Event::Paid { .. })) {
        assert!(world.advance(&mut rules, &mut sink), "it is paid");
        world.choices(&mut choices);
        let ends = |choice: &&Choice| matches!(choice.pending, Pending::CallClaimEnd { .. });
        most = most.max(choices.iter().filter(ends).count());
    }
    let refused = |it: &&Entry| matches!(it.event, Event::Answer { status: 409, .. });
    assert!(sink.entries().iter().filter(refused).count() > 1, "it is met");
    assert_eq!(most, 1);
}

/// A worker takes its claim back when it gives the message back and knows that nothing was paid:
/// not between its calls, and not where another call is in progress.
#[test]
fn a_claim_is_released_with_the_last_refusal() {
    let claims = |given: &[(&str, &str)]| {
        let claims = [
            ("guard.at", "call"),
            ("guard.claim", "in-progress-release"),
            ("guard.claim_life", "20s"),
            ("workers.count", "2"),
            ("queue.max_attempts", "4"),
        ];
        let session = play(&[&claims, given].concat());
        let claims = session.records().into_iter().filter(|it| it.event == "claim");
        claims.map(|it| (it.at_us / 1000, it.detail.expect("how"))).collect::<Vec<_>>()
    };
    // Two calls, 15 s apart; the lease is over after 10.
    let between = claims(&[
        ("client.tries", "2"),
        ("client.wait", "15s"),
        ("faults", "0.0:answer-503"),
        ("queue.visibility_timeout", "10s"),
        ("backoff.kind", "fixed"),
        ("backoff.base", "1h"),
    ]);
    assert_eq!(between[..2], [(0, "new"), (10_000, "in-progress")]);
    // After the only call it is free.
    let refused = claims(&[("faults", "0:answer-503")]);
    assert_eq!(refused, [(0, "new"), (0, "new")]);
    // The first call takes a minute; its worker is dead, and its claim over after 20 s.
    let meets = claims(&[
        ("vendor.time", "1m"),
        ("faults", "0:during-call"),
        ("queue.visibility_timeout", "30s"),
    ]);
    assert_eq!(meets[..3], [(0, "new"), (30_000, "new"), (30_000, "in-progress")]);
}

/// A replay counts at the payment that has its key, whichever job and whoever's it was; a row of an
/// outbox at its own, or where the vendor has one key for the whole job, at the job's.
#[test]
fn a_replay_counts_at_the_payment_that_it_repeats() {
    type Replays = Vec<(u32, u8, u32)>;
    let replays = |given: &[(&str, &str)]| -> Replays {
        let scenario = scenario(given);
        let run = run(&scenario, &[]);
        let report = Report::new(&scenario, run.trace.entries(), true);
        report.payments.iter().map(|it| (it.job.0, it.refund, it.replays)).collect()
    };
    let cases: [(&[(&str, &str)], Replays); 3] = [
        (&[("job.count", "2"), ("key", "constant")], vec![(0, 0, 1)]),
        (
            &[("job.count", "2"), ("faults", "0/0:reply-lost"), ("client.timeout", "5s")],
            vec![(0, 0, 1), (1, 0, 0)],
        ),
        (
            &[
                ("effect", "outbox"),
                ("key", "job"),
                ("relay.dedup", "off"),
                ("job.second_amount", "1999"),
            ],
            vec![(0, 0, 1)],
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(replays(given), expected, "{given:?}");
    }
}

/// Relays count from 1, in all that they do.
#[test]
fn a_relay_is_named_by_its_number() {
    let session = play(&[
        ("effect", "outbox"),
        ("relay.count", "2"),
        ("job.count", "2"),
        ("relay.time", "1s"),
        ("vendor.down_until", "3s"),
        ("vendor.refusal_time", "0s"),
        ("backoff.kind", "fixed"),
        ("backoff.base", "4s"),
        ("faults", "2:relay-between 3:relay-between 4:relay-between"),
        ("workers.restart", "1s"),
    ]);
    for event in
        ["relay-read", "not-published", "relay-crashed", "relay-back", "published", "marked"]
    {
        let named = session.records().into_iter().filter(|it| it.event == event);
        let named: BTreeSet<_> = named.map(|it| it.relay.expect("a relay")).collect();
        assert_eq!(named, BTreeSet::from([1, 2]), "{event}");
    }
}

/// A countdown inside a worker runs from when its own job was sent.
#[test]
fn a_countdown_runs_from_when_the_job_was_sent() {
    let session = play(&[
        ("job.count", "2"),
        ("job.arrivals", "every"),
        ("job.gap", "10s"),
        ("job.eta", "5s"),
    ]);
    assert_eq!(moments(&session, "due"), [5_000, 15_000]);
}
