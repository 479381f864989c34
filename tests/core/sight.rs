//! What a worker can see of the run that it is in.

use crate::view::open;
use at_least_once::lesson::Session;
use at_least_once::lesson::sight::Sight;
use at_least_once::lesson::view::View;
use at_least_once::units::WorkerId;

/// What a worker sees when it is about to act, as text: what it knows, and what it does not.
fn sight(session: &Session, worker: u16, code: &str) -> String {
    let letter = WorkerId(worker).to_string();
    let here = |record: &at_least_once::sim::record::EventRecord| {
        record.event == code && record.worker.as_ref() == Some(&letter)
    };
    let found = session.records().iter().position(here);
    let event = found.unwrap_or_else(|| panic!("{letter} never reaches {code}"));
    let sight = Sight::new(session, event + 1, WorkerId(worker));
    let unseen = sight.unseen.iter().map(|it| {
        let row = it.row.map_or(String::new(), |row| format!(" {row}"));
        format!("{}#{} {}{row}", it.worker, it.attempt, it.what)
    });
    let said = sight.vendor_said.map(|status| status.to_string());
    format!(
        "{} #{} receipt {}, checkpoint {}, guard {}, vendor {}; unseen: {}",
        sight.worker,
        sight.attempt.map_or("-".to_owned(), |attempt| attempt.to_string()),
        sight.receipt.map_or("-".to_owned(), |receipt| receipt.to_string()),
        sight.checkpoint.unwrap_or("-"),
        sight.guard_saw.unwrap_or("-"),
        said.as_deref().unwrap_or("-"),
        unseen.collect::<Vec<_>>().join(", "),
    )
}

#[test]
fn what_a_worker_can_see() {
    type Case = (&'static [(&'static str, &'static str)], u16, &'static str, &'static str);
    const VENDOR: (&str, &str) = ("effect", "vendor");
    const CRASH: (&str, &str) = ("faults", "0:after-write");
    const CALLED: (&str, &str) = ("faults", "0:after-call");
    const LATER: [(&str, &str); 2] = [("client.timeout", "5s"), ("client.tries", "2")];
    let cases: &[Case] = &[
        // A has written row 1 and died. B has its message, and no trace of that.
        (
            &[("guard", "off"), CRASH],
            1,
            "leased",
            "B #1 receipt 2, checkpoint -, guard -, vendor -; unseen: A#0 wrote 1",
        ),
        (
            &[("guard", "off"), CRASH],
            1,
            "wrote",
            "B #1 receipt 2, checkpoint -, guard -, vendor -; unseen: A#0 wrote 1",
        ),
        // The guard finds the row: now B knows.
        (
            &[("guard", "on"), CRASH],
            1,
            "thought",
            "B #1 receipt 2, checkpoint -, guard -, vendor -; unseen: A#0 wrote 1",
        ),
        (
            &[("guard", "on"), CRASH],
            1,
            "already-written",
            "B #1 receipt 2, checkpoint -, guard row, vendor -; unseen: ",
        ),
        // The language model knows this attempt alone.
        (
            &[("guard", "ask-the-model"), CRASH],
            1,
            "checked",
            "B #1 receipt 2, checkpoint -, guard nothing, vendor -; unseen: A#0 wrote 1",
        ),
        // The checkpoint tells of the work; that the ack was lost nobody can tell.
        (
            &[("guard", "off"), ("faults", "0:ack-lost")],
            1,
            "resumed",
            "B #1 receipt 2, checkpoint found, guard -, vendor -; unseen: A#0 ack-lost",
        ),
        // A still works when its lease is over.
        (
            &[("guard", "off"), ("faults", "none"), ("queue.visibility_timeout", "500ms")],
            1,
            "leased",
            "B #1 receipt 2, checkpoint -, guard -, vendor -; unseen: A#0 working",
        ),
        // Paid at the vendor, and dead before the row.
        (
            &[VENDOR, CALLED, ("key", "none")],
            1,
            "thought",
            "B #1 receipt 2, checkpoint -, guard -, vendor -; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, CALLED, ("key", "none")],
            1,
            "wrote",
            "B #1 receipt 2, checkpoint -, guard nothing, vendor 201; unseen: A#0 paid 1",
        ),
        // The vendor knows the key, and gives its stored answer.
        (
            &[VENDOR, CALLED],
            1,
            "answer",
            "B #1 receipt 2, checkpoint -, guard -, vendor 201; unseen: ",
        ),
        // A checkpoint that was saved before the payment says nothing of it, and one that was saved
        // after it does.
        (
            &[VENDOR, CALLED, ("checkpoint", "before-mint")],
            1,
            "minted",
            "B #1 receipt 2, checkpoint found, guard -, vendor -; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, CALLED, ("checkpoint", "before-mint")],
            1,
            "answer",
            "B #1 receipt 2, checkpoint found, guard -, vendor 201; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, CALLED, ("checkpoint", "before-skip")],
            1,
            "resumed",
            "B #1 receipt 2, checkpoint found, guard -, vendor -; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, ("faults", "0:after-checkpoint")],
            1,
            "resumed",
            "B #1 receipt 2, checkpoint found, guard -, vendor -; unseen: ",
        ),
        // What a relay does for whoever put the row into the outbox, that one is not told.
        (
            &[("effect", "outbox"), ("faults", "0:after-checkpoint")],
            1,
            "resumed",
            "B #1 receipt 2, checkpoint found, guard -, vendor -; unseen: A#0 paid 1",
        ),
        // Who has asked the vendor knows that it has paid, and who finds the row that it was for.
        (
            &[VENDOR, CALLED, ("guard", "ask-the-vendor")],
            1,
            "thought",
            "B #1 receipt 2, checkpoint -, guard -, vendor -; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, CALLED, ("guard", "ask-the-vendor")],
            1,
            "checked",
            "B #1 receipt 2, checkpoint -, guard payment, vendor -; unseen: ",
        ),
        (
            &[VENDOR, CRASH, ("guard", "check-then-insert"), ("guard.at", "call")],
            1,
            "checked",
            "B #1 receipt 2, checkpoint -, guard row, vendor -; unseen: ",
        ),
        (
            &[VENDOR, CRASH, ("guard.at", "call")],
            1,
            "claim",
            "B #1 receipt 2, checkpoint -, guard row, vendor -; unseen: ",
        ),
        // A claim tells of no payment.
        (
            &[VENDOR, CALLED, ("guard.at", "call"), ("guard.claim", "done")],
            1,
            "claim",
            "B #1 receipt 2, checkpoint -, guard claim, vendor -; unseen: A#0 paid 1",
        ),
        // Its own call has paid, and it has not heard of that; nor of an ack that was lost.
        (
            &[VENDOR, ("faults", "0:reply-lost"), ("client.timeout", "5s")],
            0,
            "no-answer",
            "A #0 receipt 1, checkpoint -, guard -, vendor -; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, LATER[0], LATER[1], ("faults", "0.0:reply-lost"), ("key", "none")],
            0,
            "answer",
            "A #0 receipt 1, checkpoint -, guard -, vendor 201; unseen: A#0 paid 1",
        ),
        (
            &[VENDOR, LATER[0], LATER[1], ("faults", "0.0:reply-lost")],
            0,
            "answer",
            "A #0 receipt 1, checkpoint -, guard -, vendor 201; unseen: ",
        ),
        (
            &[("queue.ack", "before"), ("faults", "0:ack-lost")],
            0,
            "wrote",
            "A #0 receipt 1, checkpoint -, guard nothing, vendor -; unseen: A#0 ack-lost",
        ),
        // Who saves a checkpoint knows it.
        (
            &[("faults", "none")],
            0,
            "checkpointed",
            "A #0 receipt 1, checkpoint saved, guard nothing, vendor -; unseen: ",
        ),
        (
            &[("faults", "none")],
            0,
            "acked",
            "A #- receipt -, checkpoint -, guard -, vendor -; unseen: ",
        ),
    ];
    for (given, worker, code, expected) in cases {
        assert_eq!(sight(&open(given), *worker, code), *expected, "{given:?} at {code}");
    }
}

/// Who stops for a new version was not killed: the picture and its own sight say so.
#[test]
fn who_stops_was_not_killed() {
    let states = |how: &str, code: &str| {
        let session = Session::new("drain", &[("deploy.kind", how)]).expect("allowed");
        let down = session.records().into_iter().position(|record| record.event == code);
        let cursor = down.expect("there is a deploy") + 1;
        let workers = View::new(&session, cursor).workers;
        let seen = (0..).map(WorkerId).zip(&workers).map(|(worker, view)| {
            let sight = Sight::new(&session, cursor, worker);
            assert_eq!((&sight.worker, sight.state), (&view.worker, view.state));
            view.state
        });
        seen.filter(|state| !["idle", "busy"].contains(state)).collect::<Vec<_>>()
    };
    assert_eq!(states("drain", "stopped"), ["stopped"]);
    assert_eq!(states("kill", "crashed")[0], "down");
}

/// The lease that a worker believes in: its first deadline, moved by its heartbeats.
#[test]
fn a_worker_knows_its_lease() {
    let session = open(&[
        ("faults", "none"),
        ("slice.write", "20s"),
        ("queue.visibility_timeout", "10s"),
        ("workers.heartbeat", "4s"),
    ]);
    let until = |code: &str| {
        let found = session.records().iter().position(|record| record.event == code);
        let cursor = found.expect("it happens") + 1;
        Sight::new(&session, cursor, WorkerId(0)).lease_until_us
    };
    assert_eq!((until("leased"), until("beat")), (Some(10_000_000), Some(14_000_000)));
}
