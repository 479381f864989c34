//! Each wrong design fails with its shortest run, each right one holds.

use at_least_once::lesson::Session;
use at_least_once::lesson::designs::{DESIGNS, Design, Fails};
use at_least_once::sim::event::Event;
use at_least_once::sim::explore::{GOALS, Goal, explore};
use at_least_once::sim::play::{Ended, differing, play, take};
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use std::sync::Arc;

fn story(design: &Design, path: &[at_least_once::sim::choice::Choice]) -> Vec<String> {
    let scenario = Arc::new(design.scenario().without_crashes());
    let trace = take(&scenario, path);
    let record = |entry: &at_least_once::sim::trace::Entry| {
        let record = entry.event.record(entry.at, &scenario);
        format!("{} {}", record.event, record.worker.unwrap_or_default())
    };
    trace.entries().iter().map(record).collect()
}

#[test]
fn every_wrong_design_fails_with_its_shortest_run() {
    for design in DESIGNS {
        for fails in design.fails {
            let found = explore(&design.scenario(), &[fails.goal()], &design.bounds());
            let Some(violation) = found.violation else {
                panic!("{}: {fails:?} was not found in {} states", design.id, found.states);
            };
            let told = story(design, &violation.path);
            assert_eq!(violation.path.len(), fails.steps(), "{}: {told:?}", design.id);
        }
    }
}

/// Nothing else goes wrong within the bounds than what is listed, and everything was visited.
#[test]
fn what_is_not_listed_is_not_found() {
    for design in DESIGNS {
        for goal in GOALS {
            let listed = design.fails.iter().any(|fails| fails.goal() == goal);
            // The books may differ, and a job may be given up, in a design that is wrong.
            if listed
                || (!design.fails.is_empty()
                    && goal.name() != "paid-once"
                    && goal.name() != "not-lost")
            {
                continue;
            }
            let found = explore(&design.scenario(), &[goal], &design.bounds());
            let told = found.violation.map(|violation| story(design, &violation.path));
            assert_eq!(told, None, "{}: {}", design.id, goal.name());
            assert!(found.complete, "{}: {} states", design.id, found.states);
        }
    }
}

/// A violation that was found is replayed by play, from what a link says of it: the same events,
/// and the same verdict at the same step. In a run that hangs nothing comes after.
#[test]
fn every_violation_is_replayed() {
    for design in DESIGNS {
        let scenario = Arc::new(design.scenario().without_crashes());
        for fails in design.fails {
            let found = explore(&design.scenario(), &[fails.goal()], &design.bounds());
            let path = found.violation.expect("found").path;
            let trace = take(&scenario, &path);
            let by_order = play(&scenario, &differing(&scenario, &path));
            let session = Session::on_path("double-refund", &design.settings(), &path);
            let link = session.expect("few crashes").link();
            let by_link = Session::open(&link).expect("a link");
            for run in [&by_order, by_link.run()] {
                assert!(run.missed.is_empty(), "{}", design.id);
                let length = trace.entries().len();
                assert_eq!(run.trace.entries()[..length], *trace.entries(), "{}", design.id);
                let broken = run.broken.iter().find(|it| Goal::Breaks(it.property) == fails.goal());
                let step = broken.map(|broken| broken.step as usize);
                let verdict = match fails {
                    Fails::PaysTwice(steps) | Fails::Loses(steps) => (Some(*steps), Ended::Done),
                    Fails::Hangs(_) => (None, Ended::Cut),
                };
                assert_eq!((step, run.ended), verdict, "{}: {link}", design.id);
            }
            // What it amounts to, in money, once it is over.
            let paid = by_link.summary().verdict.paid_cents;
            let owed = by_link.summary().verdict.owed_cents;
            match fails {
                Fails::PaysTwice(_) => assert!(paid > owed, "{}: {paid}", design.id),
                Fails::Loses(_) => assert!(paid < owed, "{}: {paid}", design.id),
                Fails::Hangs(_) => {}
            }
        }
    }
}

#[test]
fn no_two_designs_are_the_same() {
    for (place, design) in DESIGNS.iter().enumerate() {
        for other in &DESIGNS[..place] {
            let same = design.settings() == other.settings();
            // Two designs of one kind differ in what the search may forget.
            assert!(!same || design.forgets != other.forgets, "{} = {}", design.id, other.id);
        }
    }
}

/// What a guard that looks first is about: both look before either pays. Where it pays at a vendor,
/// it is enough that the first has not written its row.
#[test]
fn two_look_before_either_pays() {
    let looks_before_a_payment = |id: &str| {
        let design = Design::find(id).expect("known");
        let goal = Goal::Breaks(Property::PaidOnce);
        let found = explore(&design.scenario(), &[goal], &design.bounds());
        let path = found.violation.expect("found").path;
        let trace = take(&Arc::new(design.scenario().without_crashes()), &path);
        let mut events = trace.entries().iter().map(|entry| &entry.event);
        let pays = |event: &&Event| matches!(event, Event::Paid { .. } | Event::Wrote { .. });
        let before = events.by_ref().take_while(|event| !pays(event));
        before.filter(|event| matches!(event, Event::Checked { found: false, .. })).count()
    };
    assert_eq!(looks_before_a_payment("check-then-insert"), 2);
    assert_eq!(looks_before_a_payment("row-after-call"), 1);
}

/// What each right design is right by, and what goes wrong without it.
#[test]
fn a_right_design_fails_without_what_it_is_about() {
    let paid = Goal::Breaks(Property::PaidOnce);
    let lost = Goal::Breaks(Property::NotLost);
    for (id, path, text, goal) in [
        ("vendor-key", "key", "per-attempt", paid),
        ("vendor-key", "vendor", "none", paid),
        ("vendor-key", "queue.ack", "before", lost),
        ("fenced-with-key", "key", "per-attempt", paid),
        ("fenced-with-key", "queue.late_ack", "delete", lost),
        ("outbox", "relay.dedup", "off", paid),
        ("outbox", "relay.order", "mark-then-publish", lost),
    ] {
        let design = Design::find(id).expect("known");
        let mut settings: Settings = design.settings();
        settings.set(path, text).expect("allowed");
        let found = explore(&Scenario::new(&settings), &[goal], &design.bounds());
        assert!(found.violation.is_some(), "{id} with {path}={text}: {}", goal.name());
    }
}

/// The books of an outbox are its rows: one that is sent twice, or marked and never sent, is in one
/// of the two only.
#[test]
fn the_books_of_an_outbox_are_its_rows() {
    for (id, agree) in [("outbox", true), ("outbox-no-dedup", false), ("mark-then-publish", false)]
    {
        let design = Design::find(id).expect("known");
        let goal = Goal::Breaks(Property::BooksAgree);
        let found = explore(&design.scenario(), &[goal], &design.bounds());
        assert_eq!(found.violation.is_none(), agree, "{id}");
        assert!(found.complete || !agree, "{id}");
    }
}

/// The designs that hold, with how many states there are, for the same search as wasm.
#[test]
fn the_right_designs_are_written_for_the_whole_wasm() {
    let mut written = Vec::new();
    for design in DESIGNS.iter().filter(|design| design.fails.is_empty()) {
        let goal = [at_least_once::sim::explore::GOALS[0]];
        let found = explore(&design.scenario(), &goal, &design.bounds());
        let settings = design.settings();
        let base = at_least_once::sim::settings::Settings::default();
        let pairs = settings.differing(&base);
        let settings: Vec<String> =
            pairs.flat_map(|(setting, text)| [setting.path.to_owned(), text]).collect();
        let states = found.states;
        written
            .push(serde_json::json!({ "id": design.id, "settings": settings, "states": states }));
    }
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/designs.json");
    let text = serde_json::to_string(&written).expect("plain data");
    std::fs::write(path, text).expect("the target folder can be written to");
}
