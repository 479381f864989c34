//! The same version, seed and settings give the same run.

use super::{generate, rules_queue, rules_vendor};
use at_least_once::lesson::Session;
use at_least_once::sim::event::Event;
use at_least_once::sim::settings::Settings;
use at_least_once::units::Span;
use std::collections::BTreeSet;

/// Runs everything twice and names the first event that differs; counts what the runs reached;
/// writes the traces for the same comparison with the shipped wasm.
#[test]
fn a_run_is_the_same_again_and_the_runs_reach_everything() {
    let mut written = Vec::new();
    let mut reached = BTreeSet::new();
    let mut waits = BTreeSet::new();
    for given in generate::all() {
        let (once, again) = (generate::session(&given), generate::session(&given));
        let pairs = once.run().trace.entries().iter().zip(again.run().trace.entries());
        for (place, (one, other)) in pairs.enumerate() {
            assert_eq!(one, other, "event {place} differs when run again: {given:?}");
        }
        assert_eq!(once.trace(), again.trace(), "{given:?}");
        for entry in once.run().trace.entries() {
            match entry.event {
                Event::Crashed { point, .. } => _ = reached.insert(point.name().to_owned()),
                Event::AckLost(_) => _ = reached.insert("ack-lost".to_owned()),
                Event::Expired { wait: Some(wait), .. } if wait > Span::ZERO => {
                    let value = |path: &str| {
                        let found = given.iter().find(|(name, _)| name == path);
                        found.map(|(_, text)| text.clone()).expect("generated")
                    };
                    waits.insert((value("backoff.kind"), value("backoff.jitter")));
                }
                _ => {}
            }
            let (event, detail) = entry.event.code();
            reached.insert(format!("{event}.{}", detail.unwrap_or("")));
        }
        let settings: serde_json::Map<String, serde_json::Value> =
            given.into_iter().map(|(path, text)| (path, text.into())).collect();
        written.push(serde_json::json!({ "settings": settings, "trace": once.trace() }));
    }
    println!("{} runs; reached: {reached:?}", written.len());
    println!("{} pairs of backoff and jitter drew a wait", waits.len());
    for fault in generate::FAULTS {
        assert!(reached.contains(fault), "no run reached {fault}");
    }
    for event in [
        "checked.found",
        "checked.absent",
        "already-written.",
        "resumed.",
        "dead.",
        "ack-late.deleted",
        "ack-late.ignored",
        "ack-late.refused",
        "expired.at-once",
    ] {
        assert!(reached.contains(event), "no run has {event}");
    }
    // Every backoff but none waits, under every jitter.
    let pairs = (generate::KINDS.len() - 1) * generate::JITTERS.len();
    assert_eq!(waits.len(), pairs, "{waits:?}");
    assert!(written.len() >= 50 * 20);
    write("traces.json", &written);
}

/// The schedules of the rules, for the same comparison with the whole simulation as wasm.
#[test]
fn the_rules_are_written_for_the_whole_wasm() {
    let mut written = Vec::new();
    for (name, given) in rules_queue::scenarios().into_iter().chain(rules_vendor::scenarios()) {
        let session = generate::session(&given);
        let settings: serde_json::Map<String, serde_json::Value> =
            given.into_iter().map(|(path, text)| (path, text.into())).collect();
        let trace = session.trace();
        written.push(serde_json::json!({ "name": name, "settings": settings, "trace": trace }));
    }
    assert!(written.len() > 100, "{} schedules", written.len());
    write("rules.json", &written);
}

fn write(name: &str, cases: &[serde_json::Value]) {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let text = serde_json::to_string(cases).expect("plain data");
    std::fs::write(path, text).expect("the target folder can be written to");
}

/// Stepping event by event, running through and seeking show the same.
#[test]
fn stepping_running_and_seeking_agree() {
    for index in 0..generate::SCENARIOS {
        let session = generate::session(&generate::settings(index, 3));
        let entries = session.run().trace.entries();
        let end = session.report(entries.len());
        assert_eq!(end.verdict, session.summary().verdict);
        for cursor in 0..=entries.len() {
            let moment = session.moment_at(cursor);
            let sought = session.run().trace.count_until(moment);
            assert!(sought >= cursor && session.moment_at(sought) == moment);
            let report = session.report(cursor);
            assert!(report.attempts.len() <= end.attempts.len());
            assert_eq!(report.ledger[..], end.ledger[..report.ledger.len()]);
        }
    }
}

/// Draws are addressed: what does not ask for a draw leaves it as it was.
#[test]
fn the_guard_and_a_further_crash_leave_every_other_draw_as_it_was() {
    let waits = |given: &[(&str, &str)]| -> Vec<Option<Span>> {
        let session = Session::new("double-refund", given).expect("allowed");
        session.report(usize::MAX).attempts.iter().map(|attempt| attempt.backoff).collect()
    };
    let three = "0:after-write 1:after-write 2:after-write";
    let base = waits(&[]);
    assert_eq!(base, waits(&[("guard", "off")]));
    assert_eq!(base[..2], waits(&[("faults", three)])[..2]);
    assert_eq!(base[..2], waits(&[("workers.count", "1")])[..2]);
    assert_ne!(base, waits(&[("seed", "12")]));
}

/// A world from another seed differs, one from the same settings does not: the seed is the only
/// source of chance.
#[test]
fn settings_are_compared_by_value() {
    let mut changed = Settings::default();
    changed.set("seed", "2").expect("allowed");
    assert_ne!(changed, Settings::default());
    changed.set("seed", "1").expect("allowed");
    assert_eq!(changed, Settings::default());
}
