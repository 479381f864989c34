//! The first experiment: what the lesson shows, exactly.

use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::EXPERIMENTS;
use at_least_once::sim::event::Event;
use at_least_once::sim::fault::Point;
use at_least_once::sim::property::Property;
use at_least_once::sim::report::{Outcome, Verdict};
use at_least_once::units::Span;

fn open(given: &[(&str, &str)]) -> Session {
    Session::new("double-refund", given).expect("allowed")
}

/// The demo of the lesson: two crashes after the write.
#[test]
fn the_demo_is_what_the_lesson_says() {
    let crash = Outcome::Crashed(Point::AfterWrite);
    let mut draws = Vec::new();
    for (guard, new_write, ledger_rows, paid_cents, ok) in
        [("on", [true, false, false], 1, 1999, true), ("off", [true, true, true], 3, 5997, false)]
    {
        let session = open(&[("guard", guard)]);
        let report = session.report(usize::MAX);
        let attempts = &report.attempts;
        assert_eq!(attempts.iter().map(|it| it.by.attempt).collect::<Vec<_>>(), [0, 1, 2]);
        let outcomes: Vec<Outcome> = attempts.iter().map(|it| it.outcome).collect();
        assert_eq!(outcomes, [crash, crash, Outcome::Acked]);
        assert_eq!(attempts.iter().map(|it| it.new_write).collect::<Vec<_>>(), new_write.map(Some));
        let verdict = Verdict {
            ok,
            owed_cents: 1999,
            paid_cents,
            ledger_rows,
            executions: ledger_rows,
            redeliveries: 2,
            vendor_rows: None,
            vendor_paid_cents: None,
            books_agree: None,
        };
        assert_eq!(report.verdict, verdict, "guard {guard}");
        for row in &report.ledger {
            let scenario = session.scenario();
            assert_eq!(scenario.key_text(row.by.key), "job_17:step_3:refund");
        }
        let paid_twice = session.run().broken.iter().any(|it| it.property == Property::PaidOnce);
        assert_eq!(paid_twice, !ok, "guard {guard}");
        draws.push(attempts.iter().map(|it| it.backoff).collect::<Vec<_>>());
    }
    assert_eq!(draws[0], draws[1], "the guard changes no draw");
    let [Some(first), Some(second), None] = draws[0][..] else {
        panic!("two waits, none after the last attempt: {draws:?}");
    };
    assert_ne!(first, second);
    for (wait, ceiling) in [(first, 1), (second, 2)] {
        assert!(wait > Span::from_millis(100) && wait <= Span::from_secs(ceiling), "{wait}");
    }
}

/// The opening ticket and its two tasks, as a learner meets them.
#[test]
fn the_ticket_and_its_tasks() {
    let experiment = &EXPERIMENTS[0];
    let mut session = open(experiment.ticket);
    assert_eq!(session.summary().verdict.paid_cents, 3998);
    assert_eq!(session.tasks(), [false, false]);
    session.set("faults", "0:after-write 1:after-write").expect("allowed");
    assert_eq!(session.summary().verdict.paid_cents, 5997);
    assert_eq!(session.tasks(), [true, false]);
    session.set("guard", "on").expect("allowed");
    assert_eq!(session.summary().verdict.paid_cents, 1999);
    assert_eq!(session.tasks(), [false, true]);
    // The guard alone is no answer to the task: something has to come twice.
    session.set("faults", "none").expect("allowed");
    assert_eq!(session.tasks(), [false, false]);
}

/// One crash at each point, guard off and on: how many rows, and what each attempt's write did.
#[test]
fn each_fault_point_gives_its_rows() {
    let (yes, no, never) = (Some(true), Some(false), None);
    // (fault at attempt 0, guard off: rows, new_write; guard on: rows, new_write)
    type Expected = (u32, [Option<bool>; 2]);
    let cases: [(&str, Expected, Expected); 5] = [
        ("before-write", (1, [never, yes]), (1, [never, yes])),
        ("after-write", (2, [yes, yes]), (1, [yes, no])),
        ("after-checkpoint", (1, [yes, never]), (1, [yes, never])),
        ("before-ack", (1, [yes, never]), (1, [yes, never])),
        ("ack-lost", (1, [yes, never]), (1, [yes, never])),
    ];
    for (fault, off, on) in cases {
        for (guard, (rows, new_write)) in [("off", off), ("on", on)] {
            let session = open(&[("guard", guard), ("faults", &format!("0:{fault}"))]);
            let report = session.report(usize::MAX);
            let writes: Vec<_> = report.attempts.iter().map(|it| it.new_write).collect();
            assert_eq!(
                (report.verdict.ledger_rows, &writes[..]),
                (rows, &new_write[..]),
                "{fault}, {guard}"
            );
        }
    }
}

/// The point "after the write" is reached also where the guard found the row.
#[test]
fn a_crash_after_the_write_needs_no_new_row() {
    let session = open(&[]);
    let entries = session.run().trace.entries();
    let crash = |it: &&at_least_once::sim::trace::Entry| matches!(it.event, Event::Crashed { by, point: Point::AfterWrite } if by.attempt == 1);
    assert!(entries.iter().any(|it| crash(&it)));
    assert_eq!(session.report(usize::MAX).attempts[1].new_write, Some(false));
}

/// The guards that are none: a look that is too early, and a model without memory.
#[test]
fn a_model_does_not_remember_and_a_check_is_not_an_insert() {
    let asked = open(&[("guard", "ask-the-model")]);
    assert_eq!(asked.summary().verdict.ledger_rows, 3);
    // One after the other, looking first is enough …
    let looked = open(&[("guard", "check-then-insert")]);
    assert_eq!(looked.summary().verdict.ledger_rows, 1);
    // … but not when two workers look before either writes: no crash, a lease that is too short.
    let race = [
        ("faults", "none"),
        ("queue.visibility_timeout", "1500ms"),
        ("queue.expiry_backoff", "off"),
        ("slice.write", "3s"),
        ("queue.late_ack", "delete"),
    ];
    let rows =
        |guard| open(&[&race[..], &[("guard", guard)]].concat()).summary().verdict.ledger_rows;
    assert!(rows("check-then-insert") > 1);
    assert_eq!(rows("on"), 1);
}

fn golden(name: &str, given: &[(&str, &str)]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, open(given).trace()));
}

/// The runs of the lesson, event by event. To accept a change: CONTRIBUTING.md.
#[test]
fn goldens() {
    golden("guard-on", &[("guard", "on")]);
    golden("guard-off", &[("guard", "off")]);
    golden("ticket", EXPERIMENTS[0].ticket);
    golden("after-checkpoint", &[("guard", "off"), ("faults", "0:after-checkpoint")]);
    golden("ack-lost", &[("guard", "off"), ("faults", "0:ack-lost")]);
    golden("before-write", &[("guard", "off"), ("faults", "0:before-write")]);
    golden(
        "poison",
        &[
            ("queue.max_attempts", "3"),
            ("guard", "off"),
            ("faults", "0:after-write 1:after-write 2:after-write"),
        ],
    );
    golden(
        "lease-too-short",
        &[
            ("guard", "off"),
            ("faults", "none"),
            ("queue.visibility_timeout", "2500ms"),
            ("queue.max_attempts", "4"),
        ],
    );
}

/// A task ticks for what it asks for, and for nothing that only looks like it.
#[test]
fn what_looks_like_a_task_done_is_none() {
    let cases: [&[(&str, &str)]; 4] = [
        // One row, delivered twice, right: but the guard is off.
        &[("guard", "off"), ("faults", "0:before-write")],
        // Three rows with one crash: a lease that is too short does that.
        &[("guard", "off"), ("faults", "0:after-write"), ("queue.visibility_timeout", "1ms")],
        // Three jobs are three rows.
        &[("guard", "off"), ("faults", "0:before-write"), ("job.count", "3")],
        // The guard is on, and had nothing to do.
        &[("guard", "on"), ("faults", "0:before-write")],
    ];
    for given in cases {
        assert_eq!(open(given).tasks(), [false, false], "{given:?}");
    }
    // Three jobs that are each caught by the guard are three rows, and no job has more than one.
    let caught =
        open(&[("guard", "on"), ("job.count", "3"), ("faults", "0:after-write 1:after-write")]);
    assert_eq!(caught.tasks(), [false, true]);
}

/// The wait after the last attempt is none, also where a late ack has deleted the message.
#[test]
fn nothing_comes_after_a_late_ack_that_deletes() {
    for backoff in ["on", "off"] {
        let given = [
            ("faults", "none"),
            ("queue.visibility_timeout", "2999999us"),
            ("queue.expiry_backoff", backoff),
            ("workers.count", "1"),
        ];
        let report = open(&given).report(usize::MAX);
        let attempts: Vec<_> = report.attempts.iter().map(|it| (it.outcome, it.backoff)).collect();
        assert_eq!(attempts, [(Outcome::AckLate, None)], "{backoff}");
    }
}

/// The last attempt waits for no other; a message that waits all the same waits for the dead
/// letters, as its events say.
#[test]
fn the_wait_after_the_last_attempt_is_for_the_dead_letters() {
    for (limit, waits) in [("lazy", true), ("eager", false)] {
        let session = open(&[
            ("faults", "*:throw:before-write"),
            ("queue.max_attempts", "2"),
            ("queue.dead_letter", limit),
            ("backoff.jitter", "none"),
        ]);
        let records = session.records();
        let told = records.iter().filter(|record| record.event == "gave-back");
        let told: Vec<_> = told.map(|record| record.wait_us.expect("a wait")).collect();
        let attempts = session.report(usize::MAX).attempts;
        let rows: Vec<_> = attempts
            .iter()
            .map(|it| [it.backoff, it.wait_to_dead].map(|wait| wait.map(Span::as_micros)))
            .collect();
        assert_eq!(rows, [[Some(told[0]), None], [None, Some(told[1])]], "{limit}");
        assert_eq!((told[0] > 0, told[1] > 0), (true, waits), "{limit}");
    }
}
