//! Moments of a run: what is read from a checkpoint is what the whole way gives; who works without a
//! lease; the link of a moment; where a changed run leaves the one before.

use crate::{generate, rules_queue, rules_vendor};
use at_least_once::lesson::Session;
use at_least_once::lesson::program::ProgramLine;
use at_least_once::lesson::view::View;
use at_least_once::sim::event::Event;
use at_least_once::sim::history::MOST_ROWS;
use at_least_once::sim::property::{PROPERTIES, Property};
use at_least_once::sim::trace::Trace;
use at_least_once::sim::world::World;
use std::sync::Arc;

pub(crate) fn open(given: &[(&str, &str)]) -> Session {
    Session::new("double-refund", given).expect("allowed")
}

fn newest<T: Clone>(rows: &[T]) -> Vec<T> {
    rows[rows.len().saturating_sub(MOST_ROWS)..].to_vec()
}

/// A moment read from a checkpoint, and the same read from the start.
fn agree(name: &str, session: &Session, cursor: usize) {
    let (now, whole) = (session.snapshot(cursor), session.report(cursor));
    assert_eq!(now.verdict, whole.verdict, "{name} at {cursor}");
    assert_eq!(now.progress, whole.progress, "{name} at {cursor}");
    assert_eq!(session.progress(cursor), whole.progress, "{name} at {cursor}");
    assert_eq!(now.attempts, newest(&whole.attempts), "{name} at {cursor}");
    assert_eq!(now.ledger, newest(&whole.ledger), "{name} at {cursor}");
    assert_eq!(now.payments, newest(&whole.payments), "{name} at {cursor}");
    let totals = (now.attempts_total, now.ledger_total, now.payments_total);
    let expected = (whole.attempts.len(), whole.ledger.len(), whole.payments.len());
    assert_eq!(totals, expected, "{name} at {cursor}");
}

#[test]
fn a_moment_is_what_the_whole_way_gives() {
    let rules = rules_queue::scenarios().into_iter().chain(rules_vendor::scenarios());
    for (name, given) in rules {
        let session = generate::session(&given);
        let events = session.run().trace.entries().len();
        for cursor in (0..=events).step_by(1 + events / 100) {
            agree(name, &session, cursor);
        }
    }
    for index in 0..generate::SCENARIOS {
        let session = generate::session(&generate::settings(index, 5));
        for cursor in 0..=session.run().trace.entries().len() {
            agree("generated", &session, cursor);
        }
    }
}

#[test]
fn a_moment_of_a_long_run_is_what_the_whole_way_gives() {
    let vendor = [("effect", "vendor"), ("key", "per-attempt"), ("job.accounts", "3")];
    for (name, more) in [("ledger", &[][..]), ("vendor", &vendor[..])] {
        let mut given = vec![
            ("workers.count", "20"),
            ("job.count", "400"),
            ("guard", "off"),
            ("faults", "0/0:after-write 5/0:ack-lost 250/0:before-ack 251/0:after-write"),
        ];
        given.extend(more);
        let session = open(&given);
        let events = session.run().trace.entries().len();
        assert!(events > 2000, "{events}");
        for cursor in (0..=events).step_by(307).chain([499, 500, 501, 1000, events]) {
            agree(name, &session, cursor);
        }
        let view = View::new(&session, events);
        assert_eq!((view.attempts.len(), view.ledger.len()), (MOST_ROWS, MOST_ROWS));
        assert!(view.attempts_total > 400 && view.ledger_total > 400);
        assert_eq!(view.queue.done, 400);
    }
}

/// Every row knows its events, and the events know the row.
#[test]
fn rows_name_their_events() {
    let session = open(&[("effect", "vendor"), ("key", "none"), ("faults", "0:after-call")]);
    let records = session.records();
    let view = View::new(&session, records.len());
    assert_eq!((view.attempts.len(), view.ledger.len(), view.vendor.len()), (2, 1, 2));
    for row in &view.attempts {
        let leased = &records[row.event_from as usize];
        assert_eq!((leased.event, leased.attempt), ("leased", Some(row.attempt)));
        let ended = &records[row.event_to.expect("it has ended") as usize];
        assert_eq!(Some(ended.at_us), row.ended_us);
    }
    for row in &view.ledger {
        let wrote = &records[row.event as usize];
        assert_eq!((wrote.event, wrote.row), ("wrote", Some(row.row)));
    }
    for row in &view.vendor {
        let paid = &records[row.event as usize];
        assert_eq!((paid.event, paid.row), ("paid", Some(row.row)));
    }
    let verdict = view.verdict;
    assert_eq!((verdict.vendor_rows, verdict.vendor_paid_cents), (Some(2), Some(3998)));
    assert_eq!(verdict.books_agree, Some(false));
    assert_eq!(session.records_between(2, 4), records[2..4]);
    assert_eq!(session.records_between(4, 2), []);
}

/// A property is broken by the payment that pays twice, and not before.
#[test]
fn a_broken_property_says_where() {
    let session = open(&[("guard", "off"), ("faults", "0:after-write")]);
    let entries = session.run().trace.entries();
    let again = entries.iter().position(|it| matches!(it.event, Event::Wrote { again: true, .. }));
    let at = |cursor| {
        let view = View::new(&session, cursor);
        let paid_once = view.properties.iter().find(|it| it.property == "paid-once");
        let paid_once = paid_once.expect("it is a property");
        (paid_once.held, paid_once.broken_at)
    };
    let again = again.expect("it is paid twice");
    assert_eq!(at(again), (true, None));
    assert_eq!(at(again + 1), (false, Some(again)));
    assert_eq!(at(entries.len()), (false, Some(again)));
    let view = View::new(&session, entries.len());
    let others = view.properties.iter().filter(|it| it.property != "paid-once");
    assert!(others.into_iter().all(|it| it.held && it.broken_at.is_none()));
}

/// A run looks only at the jobs that a step names; that misses nothing which a look at all of them
/// after each step would find.
#[test]
fn a_property_breaks_where_a_look_at_everything_says() {
    let rules = rules_queue::scenarios().into_iter().chain(rules_vendor::scenarios());
    let generated =
        (0..generate::SCENARIOS).map(|index| ("generated", generate::settings(index, 9)));
    let mut found = 0;
    for (name, given) in rules.chain(generated) {
        let session = generate::session(&given);
        let scenario = Arc::new(session.scenario().clone());
        let (mut rules, mut trace) = (&*scenario, Trace::default());
        let mut world = World::new(Arc::clone(&scenario), &mut trace);
        let mut broken: Vec<(Property, u32)> = Vec::new();
        for step in 1..=2000 {
            if !world.advance(&mut rules, &mut trace) {
                break;
            }
            for property in PROPERTIES {
                let known = broken.iter().any(|(other, _)| *other == property);
                if !known && !property.holds(&world) {
                    broken.push((property, step));
                }
            }
        }
        let told = session.run().broken.iter().filter(|it| it.step <= 2000);
        assert_eq!(told.map(|it| (it.property, it.step)).collect::<Vec<_>>(), broken, "{name}");
        found += broken.len();
    }
    assert!(found > 50, "{found}");
}

#[test]
fn the_program_is_told_with_what_it_is_made_of() {
    let lines = |given: &[(&str, &str)]| -> Vec<String> {
        let line = |it: &ProgramLine| {
            let detail = it.detail.unwrap_or("-");
            let key = it.key.unwrap_or("-");
            format!("{} {} {} {detail} {key}", it.step, it.us, it.refund)
        };
        ProgramLine::all(&open(given)).iter().map(line).collect()
    };
    assert_eq!(
        lines(&[("guard", "off"), ("slice.think", "250ms")]),
        [
            "think 250000 1 - -",
            "write 1000000 1 off stable",
            "checkpoint 500000 1 after -",
            "ack 500000 1 after -",
        ]
    );
    let vendor = [
        ("effect", "vendor"),
        ("guard.at", "call"),
        ("key", "per-attempt"),
        ("checkpoint", "none"),
        ("job.second_amount", "5"),
    ];
    assert_eq!(
        lines(&vendor),
        [
            "think 1000000 1 - -",
            "claim 0 1 in-progress-release per-attempt",
            "call 1000000 1 ietf per-attempt",
            "write 1000000 1 on per-attempt",
            "claim 0 2 in-progress-release per-attempt",
            "call 1000000 2 ietf per-attempt",
            "write 1000000 2 on per-attempt",
            "ack 500000 2 after -",
        ]
    );
}

/// A worker's position is a line of the program, and its step is that line's.
#[test]
fn a_worker_stands_at_a_line_of_the_program() {
    let mut busy = 0;
    for (name, given) in rules_vendor::scenarios() {
        let session = generate::session(&given);
        let program = ProgramLine::all(&session);
        for cursor in 0..=session.run().trace.entries().len() {
            for worker in View::new(&session, cursor).workers {
                let Some(position) = worker.position else { continue };
                let line = program[position as usize].step;
                let step = worker.step.expect("it is busy");
                assert!(
                    step == line || (step, line) == ("await", "call"),
                    "{name}: {step}, {line}"
                );
                busy += 1;
            }
        }
    }
    assert!(busy > 300, "{busy}");
}

#[test]
fn a_changed_run_leaves_the_one_before_at_an_event() {
    let mut session = open(&[("guard", "off"), ("faults", "0:after-write")]);
    assert_eq!(session.forked_at(), None);
    // (what is changed, the first event that is not as before)
    let cases = [
        ("guard", "on", "already-written"),
        ("faults", "0:after-write 1:after-checkpoint", "crashed"),
        ("seed", "4", "expired"),
    ];
    for (path, text, first) in cases {
        let before = session.records();
        session.set(path, text).expect("allowed");
        let (after, same) = (session.records(), session.forked_at().expect("a run before"));
        assert_eq!(after[..same], before[..same], "{path}");
        assert_ne!(after[same], before[same], "{path}");
        assert_eq!(after[same].event, first, "{path}");
    }
    assert!(session.set("guard", "maybe").is_err());
    assert!(session.forked_at() < Some(session.records().len()));
    session.set("seed", "4").expect("allowed");
    assert_eq!(session.forked_at(), Some(session.records().len()));
}

#[test]
fn a_link_leads_back_to_its_moment() {
    let session = open(&[("guard", "off"), ("seed", "7")]);
    for cursor in [0, 3, session.records().len()] {
        let link = session.link_at(cursor);
        assert_eq!(link, format!("{}&m={cursor}", session.link()));
        let again = Session::open(&link).expect("a link");
        assert_eq!((again.opened_at(), again.trace()), (Some(cursor), session.trace()));
        assert_eq!(again.forked_at(), None);
    }
    assert_eq!(Session::open(&session.link()).expect("a link").opened_at(), None);
}

#[test]
fn the_question_has_its_answer() {
    for (guard, rows) in [("off", 3), ("on", 1)] {
        assert_eq!(open(&[("guard", guard)]).asked(), rows);
    }
}

/// Who works without a lease is told apart: from the moment that it ends, and at once where it
/// ended while the message was still held.
#[test]
fn a_worker_whose_lease_is_over_is_told_so() {
    // The write takes longer than the lease; the next worker's is fresh.
    let one = open(&[("faults", "none"), ("slice.write", "40s"), ("workers.count", "2")]);
    // Of two messages that are held, the second waits out its lease.
    let prefetch = open(&[
        ("faults", "none"),
        ("job.count", "2"),
        ("workers.count", "1"),
        ("workers.prefetch", "2"),
        ("slice.write", "40s"),
    ]);
    // The second came later, and has its lease still when the first one's is over.
    let later = open(&[
        ("faults", "none"),
        ("job.count", "2"),
        ("job.arrivals", "every"),
        ("job.gap", "20s"),
        ("workers.count", "1"),
        ("workers.prefetch", "2"),
        ("slice.think", "0s"),
        ("slice.write", "40s"),
    ]);
    // A pause, and nobody else who asks: a late heartbeat leases the message again.
    let again_leased = open(&[
        ("workers.count", "1"),
        ("faults", "0:pause:before-write~30s"),
        ("slice.write", "3s"),
        ("workers.heartbeat", "2s"),
        ("queue.late_extend", "extend"),
    ]);
    let stale = |session: &Session, cursor: usize| -> Vec<bool> {
        View::new(session, cursor).workers.iter().map(|worker| worker.stale).collect()
    };
    let after = |session: &Session, is: &dyn Fn(&Event) -> bool| -> usize {
        let entries = session.run().trace.entries();
        1 + entries.iter().position(|entry| is(&entry.event)).expect("it happens")
    };
    let leased = after(&one, &|event| matches!(event, Event::Leased { .. }));
    let expired = after(&one, &|event| matches!(event, Event::Expired { .. }));
    let again = after(&one, &|event| matches!(event, Event::Leased { by, .. } if by.attempt == 1));
    assert_eq!(stale(&one, leased), [false, false]);
    assert_eq!(stale(&one, expired), [true, false]);
    assert_eq!(stale(&one, again), [true, false], "the second worker has a lease of its own");
    let began = after(&prefetch, &|event| matches!(event, Event::Began(_)));
    let first = after(&prefetch, &|event| matches!(event, Event::Leased { .. }));
    assert_eq!((stale(&prefetch, first), stale(&prefetch, began)), (vec![false], vec![true]));
    let expired = after(&later, &|event| matches!(event, Event::Expired { .. }));
    let began = after(&later, &|event| matches!(event, Event::Began(_)));
    assert!(expired < began, "the first one's lease ends before the second is begun");
    assert_eq!((stale(&later, expired), stale(&later, began)), (vec![true], vec![false]));
    let expired = after(&again_leased, &|event| matches!(event, Event::Expired { .. }));
    let beat = after(&again_leased, &|event| matches!(event, Event::Beat { .. }));
    assert!(expired < beat, "the heartbeat is late");
    assert_eq!(
        (stale(&again_leased, expired), stale(&again_leased, beat)),
        (vec![true], vec![false])
    );
}
