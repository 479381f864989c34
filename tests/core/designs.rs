//! Each wrong design fails with its shortest run, each right one holds.

use at_least_once::lesson::designs::{DESIGNS, Design};
use at_least_once::sim::explore::{GOALS, explore};
use at_least_once::sim::play::{differing, play, take};
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

/// A violation that was found is replayed by play, from what a link says of it.
#[test]
fn every_violation_is_replayed() {
    for design in DESIGNS {
        let scenario = Arc::new(design.scenario().without_crashes());
        for fails in design.fails {
            let found = explore(&design.scenario(), &[fails.goal()], &design.bounds());
            let path = found.violation.expect("found").path;
            let trace = take(&scenario, &path);
            let run = play(&scenario, &differing(&scenario, &path));
            assert!(run.missed.is_empty(), "{}", design.id);
            let length = trace.entries().len();
            assert_eq!(run.trace.entries()[..length], *trace.entries(), "{}", design.id);
        }
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
