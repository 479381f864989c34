//! The timeline's data, held against the world step by step, and as small pictures.

use crate::{generate, rules_queue, rules_vendor};
use at_least_once::lesson::Session;
use at_least_once::lesson::picture::{Bar, BarKind, Depth, Lanes, Lease, MarkKind};
use at_least_once::model::queue::MessageState;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::trace::Trace;
use at_least_once::sim::world::World;
use at_least_once::units::Moment;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn open(given: &[(&str, &str)]) -> Session {
    Session::new("double-refund", given).expect("allowed")
}

/// Every schedule of the rules, and the generated scenarios.
fn sessions() -> impl Iterator<Item = (String, Session)> {
    let rules = rules_queue::scenarios().into_iter().chain(rules_vendor::scenarios());
    let rules = rules.map(|(name, given)| (name.to_owned(), generate::session(&given)));
    let generated = (0..generate::SCENARIOS)
        .map(|index| (index.to_string(), generate::session(&generate::settings(index, 3))));
    rules.chain(generated)
}

fn depth(world: &World) -> Depth {
    let mut depth = Depth::default();
    for message in world.messages() {
        *match message.state {
            MessageState::Ready { .. } => &mut depth.ready,
            MessageState::Leased(_) => &mut depth.leased,
            MessageState::Delayed { .. } => &mut depth.waiting,
            MessageState::Acked => &mut depth.done,
            MessageState::Dead => &mut depth.dead,
        } += 1;
    }
    depth
}

/// The leases that are held: lane, job, receipt, start and deadline. One whose clock has not
/// started has no deadline to compare.
fn held(world: &World) -> BTreeSet<(u32, u32, u32, Option<Moment>)> {
    let leases = world.messages().iter().filter_map(|message| match message.state {
        MessageState::Leased(lease) => Some((message, lease)),
        _ => None,
    });
    leases
        .map(|(message, lease)| {
            let deadline = Some(lease.deadline).filter(|deadline| *deadline < Moment::MAX);
            (Lanes::worker(lease.holder), message.job.0, message.receipt.0, deadline)
        })
        .collect()
}

/// After every step, as many messages are where as in the world itself, and at the end of each
/// run cut short the same leases are held until the same deadlines.
#[test]
fn depth_and_leases_are_the_worlds_own() {
    let (mut steps, mut leases) = (0, 0);
    for (name, session) in sessions() {
        let scenario = Arc::new(session.scenario().clone());
        let mut rules: &Scenario = &scenario;
        let mut trace = Trace::default();
        let mut world = World::new(Arc::clone(&scenario), &mut trace);
        while trace.step() < 2000 && {
            trace.next_step();
            world.advance(&mut rules, &mut trace)
        } {
            let events = trace.entries().len();
            assert_eq!(session.picture().depth_at(events), depth(&world), "{name} at {events}");
            steps += 1;
            let open = session.picture().leases.iter().filter(|lease| {
                (lease.event_from as usize) < events
                    && lease.event_to.is_none_or(|to| to as usize >= events)
            });
            let held = held(&world);
            let drawn: BTreeSet<_> = open.map(|it| (it.lane, it.job.0, it.receipt)).collect();
            let there: BTreeSet<_> = held.iter().map(|it| (it.0, it.1, it.2)).collect();
            assert_eq!(drawn, there, "{name} at {events}");
            leases += held.len();
        }
    }
    assert!(steps > 3000 && leases > 3000, "{steps} steps, {leases} leases");
}

fn text(us: Moment) -> String {
    at_least_once::units::span_text(us.as_micros()).replace(' ', "")
}

/// The marks of some kinds: when, which, from which lane to which.
fn marks(session: &Session, kinds: &[MarkKind]) -> Vec<String> {
    let marks = session.picture().marks.iter().filter(|mark| kinds.contains(&mark.kind));
    marks
        .map(|mark| {
            let to = mark.to_lane.map_or(String::new(), |lane| format!(">{lane}"));
            format!("{} {:?} {}{to}", text(mark.at), mark.kind, mark.lane)
        })
        .collect()
}

/// The leases: lane, job, attempt, start, deadline, end, receipt.
fn leases(session: &Session) -> Vec<String> {
    let line = |it: &Lease| {
        let times = [it.from, it.deadline, it.ended].map(text).join(" ");
        format!("{} {}/{} {times} #{}", it.lane, it.job.0, it.attempt, it.receipt)
    };
    session.picture().leases.iter().map(line).collect()
}

/// A schedule of the rules, by name.
fn rule(name: &str) -> Session {
    let found = sessions().find(|(other, _)| other == name);
    found.unwrap_or_else(|| panic!("no schedule {name}")).1
}

/// What each world leaves on its lanes: two workers are lanes 1 and 2, then the vendor, the ledger
/// is the last.
#[test]
fn each_world_leaves_its_marks() {
    use MarkKind::*;
    let cases: &[(&str, &[MarkKind], &[&str])] = &[
        (
            "rule 23: the same key",
            &[Called, Paid, PaidAgain, Replayed, Wrote],
            &["0s Called 1>3", "0s Paid 3", "30s Called 1>3", "30s Replayed 1>3", "30s Wrote 1>4"],
        ),
        (
            "rule 23: no key",
            &[Called, Paid, PaidAgain, Replayed],
            &["0s Called 1>3", "0s Paid 3", "30s Called 1>3", "30s Called 2>3", "30s PaidAgain 3"],
        ),
        (
            "rule 48: two replies lost",
            &[Called, Paid, ReplyLost, Replayed],
            &[
                "0s Called 1>3",
                "0s Paid 3",
                "5s ReplyLost 1>3",
                "5s Called 2>3",
                "5s Replayed 3",
                "10s ReplyLost 2>3",
                "10s Called 1>3",
                "10s Replayed 1>3",
            ],
        ),
        (
            "rule 26: while the first runs",
            &[Called, Paid, Unavailable, GaveBack, Replayed],
            &[
                "0s Called 1>3",
                "4s Called 2>3",
                "4s Unavailable 2>3",
                "4s GaveBack 2>0",
                "10s Paid 3",
                "11s Called 2>3",
                "11s Replayed 2>3",
            ],
        ),
        (
            "rule 27: ietf",
            &[Called, Paid, Declined, Unavailable, Dead],
            &["0s Called 1>3", "4s Called 2>3", "4s Declined 2>3", "4s Dead 0", "10s Paid 3"],
        ),
        (
            "rule 42: publish, then mark, no dedup",
            &[Started, RelaySent, Crashed, Paid, PaidAgain],
            &[
                "0s Started 1>4",
                "100ms Paid 3",
                "100ms RelaySent 4>3",
                "100ms Crashed 4",
                "200ms PaidAgain 3",
                "200ms RelaySent 4>3",
            ],
        ),
        (
            "rule 42: publish, then mark, dedup by row",
            &[RelaySent, Crashed, Paid, Replayed],
            &["100ms Paid 3", "100ms RelaySent 4>3", "100ms Crashed 4", "200ms Replayed 4>3"],
        ),
        (
            "08-refuse",
            &[Heartbeat, HeartbeatRefused, Stale, AckLate],
            &[
                "30s Heartbeat 2",
                "30s Stale 1",
                "32s HeartbeatRefused 1",
                "33s AckLate 1>0",
                "1min3s Heartbeat 1",
            ],
        ),
        (
            "20-drain",
            &[Deploy, Stopped, Restarted],
            &[
                "10s Deploy 0",
                "15s Stopped 1",
                "16s Stopped 2",
                "17s Stopped 3",
                "18s Stopped 4",
                "20s Restarted 1",
                "21s Restarted 2",
                "22s Restarted 3",
                "23s Restarted 4",
            ],
        ),
    ];
    for (name, kinds, expected) in cases {
        assert_eq!(marks(&rule(name), kinds), *expected, "{name}");
    }
    let lost = open(&[
        ("effect", "vendor"),
        ("faults", "0.0:reply-lost"),
        ("client.timeout", "2s"),
        ("client.tries", "2"),
    ]);
    assert_eq!(
        marks(&lost, &[Called, Paid, ReplyLost, Replayed]),
        ["1s Called 1>4", "2s Paid 4", "3s ReplyLost 1>4", "3s Called 1>4", "3s Replayed 1>4"]
    );
}

/// A worker is dead from second 2, and its lease goes on until its end; B takes the message over.
#[test]
fn a_crash_leaves_a_lease_unattended() {
    let session = open(&[("guard", "off"), ("faults", "0:after-write")]);
    let back = session.report(usize::MAX).attempts[0].backoff.expect("a wait").as_micros();
    let (crash, end) = (Moment::from_micros(2_000_000), Moment::from_micros(30_000_000));
    let again = Moment::from_micros(30_000_000 + back);
    let bars = session.picture().bars.iter();
    let waits: Vec<_> = bars
        .filter(|bar| matches!(bar.kind, BarKind::Unattended | BarKind::Backoff))
        .map(|bar| (bar.kind, bar.lane, bar.start, bar.end))
        .collect();
    assert_eq!(waits, [(BarKind::Unattended, 1, crash, end), (BarKind::Backoff, 0, end, again)]);
    assert_eq!(leases(&session)[0], "1 0/0 0s 30s 30s #1");
    let second = &session.picture().leases[1];
    assert_eq!((second.lane, second.attempt, second.receipt, second.from), (2, 1, 2, again));
    assert!(second.ended < second.deadline && second.event_to.is_some());
}

/// Fifty workers and a thousand jobs: no worker does two things at once, and every message ends.
#[test]
fn many_workers_and_jobs() {
    let session = open(&[
        ("workers.count", "50"),
        ("job.count", "1000"),
        ("guard", "off"),
        ("faults", "0/0:after-write 7/0:ack-lost 9/0:before-write"),
    ]);
    let picture = session.picture();
    let mut lanes: BTreeMap<u32, Vec<&Bar>> = BTreeMap::new();
    for bar in picture.bars.iter().filter(|bar| bar.kind != BarKind::Unattended) {
        lanes.entry(bar.lane).or_default().push(bar);
    }
    assert_eq!(lanes.len(), 51);
    for (lane, bars) in lanes.iter().filter(|(lane, _)| **lane > 0) {
        assert!(bars.windows(2).all(|pair| pair[0].end <= pair[1].start), "lane {lane}");
    }
    assert_eq!(picture.leases.len(), 1003);
    assert!(picture.leases.iter().all(|lease| lease.event_to.is_some()));
    let end = picture.depth_at(usize::MAX);
    assert_eq!((end.done, end.ready + end.leased + end.waiting + end.dead), (1000, 0));
    // Fifty at work, and the three leases that nobody works on.
    let most = picture.depth.iter().map(|change| change.depth.leased).max();
    assert_eq!(most, Some(53));
    let summary = session.summary();
    assert_eq!(
        (summary.lanes.workers, summary.lanes.vendor, summary.lanes.relay),
        (50, false, false)
    );
}
