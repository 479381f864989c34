//! Small schedules with the outcome that each must have. The clock is the queue's.

use at_least_once::lesson::Session;
use at_least_once::sim::event::Event;

const DEFAULTS: [(&str, &str); 6] = [
    ("faults", "none"),
    ("guard", "off"),
    ("queue.expiry_backoff", "off"),
    ("slice.think", "0s"),
    ("slice.checkpoint", "0s"),
    ("slice.ack", "0s"),
];

fn play(given: &[(&str, &str)]) -> Session {
    Session::new("double-refund", &[&DEFAULTS[..], given].concat()).expect("allowed")
}

/// The moments of deliveries, in milliseconds.
fn deliveries(session: &Session) -> Vec<u64> {
    let entries = session.run().trace.entries().iter();
    let leased = entries.filter(|entry| matches!(entry.event, Event::Leased { .. }));
    leased.map(|entry| entry.at.as_micros() / 1000).collect()
}

/// The codes of the events with this beginning, each with its moment in milliseconds.
fn codes(session: &Session, beginning: &str) -> Vec<(u64, String)> {
    let records = session.records().into_iter();
    let named = records.map(|record| {
        let code = [Some(record.event), record.detail].into_iter().flatten().collect::<Vec<_>>();
        (record.at_us / 1000, code.join("."))
    });
    named.filter(|(_, code)| code.starts_with(beginning)).collect()
}

/// A leased message is invisible before its deadline and may be taken at it.
#[test]
fn a_lease_is_half_open() {
    let session = play(&[("faults", "0:before-write"), ("queue.visibility_timeout", "30s")]);
    assert_eq!(deliveries(&session), [0, 30_000]);
}

/// An ack at exactly the deadline still counts; one microsecond later it is late.
#[test]
fn an_ack_at_the_deadline_counts() {
    let at = |write: &str| {
        let given = [
            ("slice.write", write),
            ("queue.visibility_timeout", "10s"),
            ("queue.late_ack", "refuse"),
            ("workers.count", "1"),
            ("queue.max_attempts", "1"),
            ("queue.dead_letter", "eager"),
        ];
        codes(&play(&given), "ack")
    };
    assert_eq!(at("10s"), [(10_000, "acked".to_owned())]);
    assert_eq!(at("10000001us"), [(10_000, "ack-late.refused".to_owned())]);
}

/// A crash is no nack: the message stays hidden to its deadline.
#[test]
fn a_crash_is_not_a_nack() {
    let session = play(&[("faults", "0:before-write"), ("queue.visibility_timeout", "30m")]);
    assert_eq!(deliveries(&session), [0, 1_800_000]);
}

/// The backoff is added after the deadline, and only where the setting says so.
#[test]
fn the_backoff_comes_after_the_deadline() {
    let with = |backoff| {
        let given = [
            ("faults", "0:before-write 1:before-write"),
            ("queue.visibility_timeout", "10s"),
            ("queue.expiry_backoff", backoff),
            ("backoff.jitter", "none"),
            ("backoff.base", "1s"),
        ];
        deliveries(&play(&given))
    };
    assert_eq!(with("off"), [0, 10_000, 20_000]);
    assert_eq!(with("on"), [0, 11_000, 23_000]);
}

/// A late ack by each rule, when another worker has taken the message meanwhile.
#[test]
fn a_late_ack_is_the_profiles_business() {
    let late = |late_ack, workers| {
        let given = [
            ("slice.write", "15s"),
            ("queue.visibility_timeout", "10s"),
            ("queue.late_ack", late_ack),
            ("workers.count", workers),
            ("queue.max_attempts", "3"),
        ];
        let session = play(&given);
        (deliveries(&session), codes(&session, "ack"), session.summary().verdict.paid_cents)
    };
    let ack = |at, kind: &str| (at, format!("ack-late.{kind}"));
    // `delete`: the first ack ends it, while the second worker is still at work.
    assert_eq!(
        late("delete", "2"),
        (vec![0, 10_000], vec![ack(15_000, "deleted"), ack(25_000, "gone")], 3998)
    );
    // `newest-receipt`: the second worker's receipt is the newest, so the first ack is ignored.
    let (starts, acks, paid) = late("newest-receipt", "2");
    // The third delivery finds the checkpoint, so it writes nothing.
    assert_eq!((starts, paid), (vec![0, 10_000, 20_000], 3998));
    assert_eq!(acks[..2], [ack(15_000, "ignored"), (20_000, "acked".to_owned())]);
    // Nobody else there: the message is back in the queue, and the newest receipt still deletes.
    assert_eq!(late("newest-receipt", "1"), (vec![0], vec![ack(15_000, "deleted")], 1999));
    assert_eq!(late("refuse", "1").1[0], ack(15_000, "refused"));
}

/// Limit N means that the handler sees N deliveries; eager or lazy, none is paid for after that.
#[test]
fn a_limit_of_three_is_three_deliveries() {
    for (dead_letter, buried) in [("lazy", 30_000), ("eager", 30_000)] {
        let session = play(&[
            ("faults", "0:before-write 1:before-write 2:before-write"),
            ("queue.visibility_timeout", "10s"),
            ("queue.max_attempts", "3"),
            ("queue.dead_letter", dead_letter),
        ]);
        assert_eq!(deliveries(&session), [0, 10_000, 20_000]);
        assert_eq!(codes(&session, "dead"), [(buried, "dead".to_owned())]);
        assert_eq!(session.report(usize::MAX).attempts[2].backoff, None);
        assert!(!session.summary().verdict.ok, "nobody was paid");
    }
    // Lazily means at a receive: with nobody to receive, nothing moves.
    let busy = play(&[
        ("faults", "0:before-write"),
        ("queue.visibility_timeout", "10s"),
        ("queue.max_attempts", "1"),
        ("workers.count", "1"),
        ("workers.restart", "60s"),
    ]);
    assert_eq!(codes(&busy, "dead"), [(60_000, "dead".to_owned())]);
}

/// An ack that was lost is a redelivery of finished work.
#[test]
fn a_lost_ack_comes_back_and_resumes_after_the_checkpoint() {
    let session = play(&[
        ("faults", "0:ack-lost"),
        ("slice.write", "1s"),
        ("queue.visibility_timeout", "10s"),
    ]);
    assert_eq!(deliveries(&session), [0, 10_000]);
    assert_eq!(codes(&session, "resumed"), [(10_000, "resumed".to_owned())]);
    assert_eq!(session.summary().verdict.ledger_rows, 1);
}

/// Several jobs go to the workers in the order in which they became visible; ties go by number.
#[test]
fn ties_have_a_fixed_order() {
    let session = play(&[("job.count", "3"), ("workers.count", "2"), ("slice.write", "1s")]);
    let rows: Vec<(u64, String, String)> = session
        .records()
        .into_iter()
        .filter(|record| record.event == "leased")
        .map(|record| {
            (record.at_us, record.worker.unwrap_or_default(), record.job_id.unwrap_or_default())
        })
        .collect();
    let expected = [(0, "A", "job_17"), (0, "B", "job_18"), (1_000_000, "A", "job_19")];
    let expected = expected.map(|(at, worker, job)| (at, worker.to_owned(), job.to_owned()));
    assert_eq!(rows, expected);
}

/// A lease that ends under a worker that is alive pays twice without any crash.
#[test]
fn no_crash_is_needed_to_pay_twice() {
    let given =
        [("slice.write", "3s"), ("slice.checkpoint", "1s"), ("queue.visibility_timeout", "3500ms")];
    let session = play(&given);
    assert!(codes(&session, "crashed").is_empty());
    assert!(session.summary().verdict.paid_cents > 1999);
    let guarded = play(&[&given[..], &[("guard", "on")]].concat());
    assert_eq!(guarded.summary().verdict.paid_cents, 1999);
}

/// A run without an end is cut at its budget and says so.
#[test]
fn a_run_without_end_is_cut() {
    let session = play(&[
        ("slice.ack", "3s"),
        ("queue.visibility_timeout", "1s"),
        ("queue.late_ack", "refuse"),
        ("queue.max_attempts", "4294967295"),
    ]);
    assert_eq!(session.summary().ended, "cut");
    assert!(!session.is_over_at(usize::MAX));
    assert!(session.trace().ends_with("ended=cut\n"));
}
