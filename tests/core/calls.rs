//! Calls of workers and relays: how often, from when on they may go wrong, and what is drawn for
//! each.

use super::vendor_side::{events, moments, play, scenario, told};
use at_least_once::sim::choice::{Choices, Pending};
use at_least_once::sim::event::Event;
use at_least_once::sim::fault::{Point, Verdict};
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::trace::Trace;
use at_least_once::sim::world::World;
use at_least_once::units::Moment;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Of a reply that gets lost nobody hears: who has a timeout waits until that.
#[test]
fn who_has_a_timeout_hears_nothing_before_it() {
    for (timeout, heard) in [("5s", 5_000), ("0s", 1_000)] {
        let session =
            play(&[("vendor.time", "1s"), ("faults", "0:reply-lost"), ("client.timeout", timeout)]);
        assert_eq!(moments(&session, "reply-lost"), [1_000]);
        assert_eq!(moments(&session, "no-answer"), [heard], "{timeout}");
    }
}

/// How often a worker calls at most is counted for each refund: the first ends with its second
/// call, and so may the other.
#[test]
fn each_refund_has_all_its_tries() {
    let session =
        play(&[("job.second_amount", "200"), ("client.tries", "2"), ("faults", "0.0:answer-503")]);
    let statuses: Vec<_> = told(&session, "answer").into_iter().map(|it| it.2).collect();
    assert_eq!(statuses, [503, 201, 503, 201].map(Some));
    assert!(moments(&session, "gave-back").is_empty());
}

/// A worker that calls again waits first, and may die from then on; in its call it may die from the
/// moment at which it made it.
#[test]
fn from_when_a_worker_may_die_around_its_second_call() {
    let scenario = scenario(&[
        ("vendor.time", "5s"),
        ("client.tries", "2"),
        ("client.wait", "10s"),
        ("faults", "0.0:answer-402"),
        ("retry.on_4xx", "retry"),
    ]);
    let mut told = Trace::default();
    let mut rules: &Scenario = &scenario;
    let mut world = World::new(Arc::clone(&scenario), &mut told);
    let mut choices = Choices::new();
    let seconds = |moment: Moment| moment.as_micros() / 1_000_000;
    let mut seen = BTreeSet::new();
    while !world.is_settled() && world.advance(&mut rules, &mut told) {
        world.choices(&mut choices);
        for choice in choices.iter().filter(|it| matches!(it.pending, Pending::Step { .. })) {
            let what = match (choice.verdict, choice.point) {
                (Verdict::Crash, Some(Point::BeforeCall)) => "dies before its call",
                (Verdict::Crash, Some(Point::DuringCall)) => "dies in its call",
                (Verdict::Go, _) => "goes on",
                _ => continue,
            };
            seen.insert((seconds(world.now()), what, seconds(choice.due)));
        }
    }
    // At 5 s it has its first answer, at 15 s it calls again.
    for expected in [
        (0, "dies in its call", 0),
        (5, "dies before its call", 5),
        (5, "goes on", 15),
        (15, "dies in its call", 15),
    ] {
        assert!(seen.contains(&expected), "{expected:?} in {seen:?}");
    }
    let early = |it: &&(u64, &str, u64)| it.0 > 0 && it.1 != "goes on" && it.2 < it.0;
    assert_eq!(seen.iter().find(early), None, "nobody dies in what is over");
}

/// It may stand still before each call and in each.
#[test]
fn a_worker_may_stand_still_at_every_call() {
    let session = play(&[
        ("client.tries", "2"),
        ("client.timeout", "10s"),
        ("faults", "0:reply-lost 0:pause:before-call~3s 0:pause:during-call~2s"),
        ("queue.visibility_timeout", "10m"),
    ]);
    let records = session.records().into_iter();
    let waits = records.filter(|it| it.event == "paused" && it.attempt == Some(0));
    let waits: Vec<_> = waits.map(|it| it.wait_us.expect("how long") / 1_000_000).collect();
    assert_eq!(waits, [3, 2, 3, 2]);
}

/// How long a call takes is drawn for its attempt, its message, its job, and as a row for its refund
/// and its sending. (That a worker draws anew for each refund, `two_refunds` says.)
#[test]
fn a_call_draws_for_itself() {
    const SPREAD: [(&str, &str); 2] = [("vendor.time", "10s"), ("slice.spread", "uniform")];
    let lengths = |given: &[(&str, &str)], starts: fn(&Event) -> bool| {
        let (mut since, mut lengths) = (0, Vec::new());
        for (at, event) in events(&[&SPREAD[..], given].concat()) {
            if starts(&event) {
                since = at;
            }
            if matches!(event, Event::Paid { .. }) {
                lengths.push(at - since);
            }
        }
        lengths
    };
    let called = |event: &Event| matches!(event, Event::Called { .. });
    let attempts = lengths(&[("key", "none"), ("faults", "0:after-call")], called);
    let messages =
        lengths(&[("key", "none"), ("job.resends", "1s"), ("workers.count", "1")], called);
    let read = |event: &Event| matches!(event, Event::RelayRead { .. });
    let rows = lengths(&[("job.second_amount", "200"), ("effect", "outbox")], read);
    let jobs = lengths(&[("job.count", "2"), ("effect", "outbox")], read);
    // The reply to the first sending is lost, and the receiver remembers nothing.
    let sends = lengths(
        &[
            ("effect", "outbox"),
            ("key", "none"),
            ("relay.dedup", "off"),
            ("faults", "0:reply-lost"),
            ("client.timeout", "1m"),
        ],
        read,
    );
    for lengths in [attempts, messages, rows, jobs, sends] {
        let [one, other] = lengths[..] else { panic!("two calls: {lengths:?}") };
        assert_ne!(one, other);
    }
}

/// Two messages of a job that fail on the same attempt wait differently.
#[test]
fn a_wait_is_drawn_for_its_message() {
    let session = play(&[
        ("job.resends", "1s"),
        ("faults", "0:throw:before-call"),
        ("backoff.kind", "fixed"),
        ("backoff.base", "1h"),
        ("backoff.cap", "1h"),
        ("backoff.jitter", "full"),
    ]);
    let records = session.records().into_iter();
    let waits: Vec<_> = records
        .filter(|it| it.event == "gave-back" && it.attempt == Some(0))
        .map(|it| it.wait_us)
        .collect();
    let [one, other] = waits[..] else { panic!("two messages: {waits:?}") };
    assert_ne!(one, other);
}

/// A relay waits by draws of its own, not by those of the worker whose row it sends.
#[test]
fn a_relay_draws_for_itself() {
    let session = play(&[
        ("effect", "outbox"),
        ("faults", "0:throw:before-call"),
        ("vendor.down_until", "10h"),
        ("vendor.refusal_time", "0s"),
        ("backoff.kind", "fixed"),
        ("backoff.base", "1h"),
        ("backoff.cap", "1h"),
        ("backoff.jitter", "full"),
    ]);
    let records = session.records();
    let at =
        |event: &'static str| records.iter().filter(move |it| it.event == event).map(|it| it.at_us);
    let worker = records.iter().find(|it| it.event == "gave-back").and_then(|it| it.wait_us);
    let refused = at("not-published").next().expect("it is refused");
    let relay = at("relay-read").nth(1).expect("it is read again") - refused;
    assert!(relay > 0 && worker != Some(relay), "{worker:?} and {relay}");
}

/// Two calls run under one key, the second because the claim of the first was over. It is done
/// first, and paid; the first, which would have been declined, is answered as that one was.
#[test]
fn a_call_whose_work_was_taken_up_has_the_answer_of_who_was_faster() {
    let mut overtaken = 0;
    for seed in 1..=60_u32 {
        let told = events(&[
            ("seed", &seed.to_string()),
            ("vendor.time", "30s"),
            ("slice.spread", "uniform"),
            ("vendor.claim_life", "1s"),
            ("queue.visibility_timeout", "2s"),
            ("queue.max_attempts", "2"),
            ("workers.count", "2"),
            ("faults", "0:answer-402"),
        ]);
        let answers = told.iter().filter_map(|(_, event)| match event {
            Event::Answer { by, status, .. } => Some((by.attempt, *status)),
            _ => None,
        });
        match answers.collect::<Vec<_>>()[..] {
            [(1, second), (0, first)] => {
                assert_eq!((second, first), (201, 201), "seed {seed}");
                overtaken += 1;
            }
            [(0, first), ..] => assert_eq!(first, 402, "seed {seed}"),
            _ => {}
        }
    }
    assert!(overtaken > 5, "{overtaken}");
}
