//! The points that the strip of a slice offers: each of them happens when it is set, and no other.

use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::EXPERIMENTS;
use at_least_once::lesson::program::ProgramLine;
use at_least_once::sim::event::Event;
use at_least_once::sim::fault::{POINTS, Point};
use std::collections::BTreeSet;

const EFFECTS: [&str; 3] = ["ledger", "vendor", "outbox"];
const GUARDS: [&str; 5] = ["off", "check-then-insert", "on", "ask-the-model", "ask-the-vendor"];
const CHECKPOINTS: [&str; 4] = ["none", "before-skip", "before-mint", "after"];
/// What else gives a slice another shape.
const SHAPES: [&[(&str, &str)]; 6] = [
    &[],
    &[("queue.ack", "before")],
    &[("slice.think", "0s")],
    &[("guard.at", "call"), ("transaction", "on")],
    &[("job.second_amount", "200"), ("fencing", "start")],
    &[("job.eta", "1s"), ("relay.order", "mark-then-publish")],
];

/// What the strip offers. The points of what is sent, and those of a relay, are no lines' own.
fn offered(program: &[ProgramLine]) -> BTreeSet<&'static str> {
    let of_step = |step| -> &[&str] {
        match step {
            "call" => &["call"],
            "ack" => &["before-ack", "ack"],
            "start" => &["relay-before", "call", "relay-between"],
            _ => &[],
        }
    };
    let points = program.iter().flat_map(|line| line.point.iter().chain(of_step(line.step)));
    points.copied().collect()
}

/// Whether what was planned at a point for attempt 0 has happened to any job.
fn happened(session: &Session, point: Point) -> bool {
    session.run().trace.entries().iter().any(|entry| match entry.event {
        Event::Crashed { by, point: at } => (by.attempt, at) == (0, point),
        Event::RelayCrashed { point: at, .. } => at == point,
        Event::AckLost(by) => (by.attempt, point) == (0, Point::Ack),
        Event::NoAnswer(by) => (by.attempt, point) == (0, Point::Call),
        Event::NotPublished { status: None, .. } => point == Point::Call,
        _ => false,
    })
}

/// A run with this fault alone: a deploy may kill an attempt before it comes to its point.
fn open(experiment: &str, given: &[(&str, &str)], faults: &str) -> Session {
    let alone = [("deploy.at", "0s"), ("faults", faults)];
    Session::new(experiment, &[given, &alone].concat()).expect("allowed")
}

#[test]
fn what_the_strip_offers_happens_and_nothing_else_does() {
    let (mut wrong, mut reached) = (Vec::new(), BTreeSet::new());
    let points = || {
        // A call is under way wherever there is one; the strip has no place for that.
        let unplaced = [Point::DuringCall, Point::Deploy, Point::Anywhere];
        POINTS.into_iter().filter(move |(_, point)| !unplaced.contains(point))
    };
    let mut check = |experiment: &str, given: &[(&str, &str)]| {
        let offered = offered(&ProgramLine::all(&open(experiment, given, "none")));
        for (name, point) in points() {
            let fault = match point {
                Point::Call => "0:reply-lost".to_owned(),
                Point::Ack => "0:ack-lost".to_owned(),
                _ => format!("0:{name}"),
            };
            let happens = happened(&open(experiment, given, &fault), point);
            if happens != offered.contains(name) {
                wrong.push(format!("{experiment} {given:?}: {fault}, happens: {happens}"));
            }
            if happens {
                reached.insert(name);
            }
        }
    };
    for effect in EFFECTS {
        for guard in GUARDS {
            for checkpoint in CHECKPOINTS {
                let given = [("effect", effect), ("guard", guard), ("checkpoint", checkpoint)];
                EXPERIMENTS.iter().for_each(|experiment| check(experiment.id, &given));
                for shape in SHAPES {
                    check("double-refund", &[&given, shape].concat());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(reached.into_iter().eq(BTreeSet::from_iter(points().map(|(name, _)| name))));
}
