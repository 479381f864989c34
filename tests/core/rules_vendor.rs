//! Rules 23 to 53 of delivery at least once: the vendor and its keys, guards, checkpoints, the
//! outbox, fencing, retries. Each test plays a schedule and gets the outcome that it must have;
//! where a setting makes the wrong design, that gets the wrong outcome.
//!
//! * `keys` – 23 to 29: what a vendor does with an idempotency key.
//! * `key_lives` – 30 to 33: how long a key lives, and how one is chosen.
//! * `guards` – 34 to 41: local guards, claims, checkpoints, transactions.
//! * `fences` – 42 to 47: the outbox and its relay, fencing, asking for the lease.
//! * `relays` – 42 once more: a relay is a client like any other.
//! * `retries` – 48 to 53: what is tried again, how often, after how long; the same run again.
//!
//! The schedules stand before their test, so that the same ones can be played elsewhere.

mod fences;
mod guards;
mod key_lives;
mod keys;
mod relays;
mod retries;

use at_least_once::lesson::Session;
use at_least_once::sim::play::count;
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Effect;
use at_least_once::sim::world::World;
use std::sync::Arc;

/// A name, and what is set on top of the ground.
type Schedule = (&'static str, &'static [(&'static str, &'static str)]);

/// The common ground: two workers, a vendor, no step takes time, nothing goes wrong. A local row
/// is written once for each key; there is no checkpoint; who gives a message back gets it at once.
const GROUND: [(&str, &str); 13] = [
    ("effect", "vendor"),
    ("faults", "none"),
    ("guard", "on"),
    ("checkpoint", "none"),
    ("workers.count", "2"),
    ("workers.restart", "0s"),
    ("queue.expiry_backoff", "off"),
    ("backoff.kind", "none"),
    ("slice.think", "0s"),
    ("slice.write", "0s"),
    ("slice.checkpoint", "0s"),
    ("slice.ack", "0s"),
    ("vendor.time", "0s"),
];

/// The schedules of every rule, with all that they set, each setting once.
pub(crate) fn scenarios() -> Vec<(&'static str, Vec<(String, String)>)> {
    let chapters = [
        keys::SCHEDULES,
        key_lives::SCHEDULES,
        guards::SCHEDULES,
        fences::SCHEDULES,
        relays::SCHEDULES,
        retries::SCHEDULES,
    ];
    let all = chapters.concat().into_iter().flatten();
    let whole = |(name, given): &Schedule| {
        let stays = |(path, _): &&(&str, &str)| given.iter().all(|(other, _)| other != path);
        let settings = GROUND.iter().filter(stays).chain(*given);
        let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        (*name, settings.map(owned).collect())
    };
    all.map(whole).collect()
}

fn play((name, given): Schedule) -> Session {
    Session::new("double-refund", &[&GROUND[..], given].concat()).expect(name)
}

/// The state at the end.
fn end(session: &Session) -> World {
    count(&Arc::new(session.scenario().clone())).1
}

/// The moments of the calls, in milliseconds.
fn calls(session: &Session) -> Vec<u64> {
    codes(session, "called").into_iter().map(|(at, _)| at).collect()
}

/// The answers that workers got: when, how it came about, with which status.
fn answers(session: &Session) -> Vec<(u64, &'static str, u16)> {
    let records = session.records().into_iter().filter(|record| record.event == "answer");
    let told = records.map(|record| Some((record.at_us / 1000, record.detail?, record.status?)));
    told.map(|answer| answer.expect("an answer has a status")).collect()
}

/// The events with this code or this beginning of it, each with its moment in milliseconds.
fn codes(session: &Session, beginning: &str) -> Vec<(u64, String)> {
    let told = session.records().into_iter().map(|record| {
        let code = [Some(record.event), record.detail].into_iter().flatten().collect::<Vec<_>>();
        (record.at_us / 1000, code.join("."))
    });
    told.filter(|(_, code)| code.starts_with(beginning)).collect()
}

/// Makes what is expected of [`codes`].
fn told<const N: usize>(codes: [(u64, &str); N]) -> Vec<(u64, String)> {
    codes.map(|(at, code)| (at, code.to_owned())).to_vec()
}

/// What the vendor paid, in cents.
fn vendor_paid(session: &Session) -> Vec<u64> {
    let payments = session.report(usize::MAX).payments;
    payments.iter().map(|payment| payment.cents.as_cents()).collect()
}

/// The rows of the local ledger, in cents.
fn local_rows(session: &Session) -> Vec<u64> {
    session.report(usize::MAX).ledger.iter().map(|row| row.cents.as_cents()).collect()
}

/// No payment, no row.
const NOTHING: [u64; 0] = [];

/// What the report says, read off the events, is what the world has at the end.
#[test]
fn the_report_and_the_world_agree() {
    for (name, given) in scenarios() {
        let given: Vec<(&str, &str)> =
            given.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let session = Session::new("double-refund", &given).expect(name);
        if session.summary().ended != "done" {
            continue;
        }
        let (world, report) = (end(&session), session.report(usize::MAX));
        let (rows, payments) = (world.ledger().rows(), world.vendor().payments());
        let told = report.ledger.iter().map(|row| (row.by.job, row.cents, row.at));
        assert!(told.eq(rows.iter().map(|row| (row.job, row.cents, row.at))), "{name}");
        let told = report.payments.iter().map(|it| (it.job, it.key, it.cents, it.at));
        assert!(told.eq(payments.iter().map(|it| (it.job, it.key, it.cents, it.at))), "{name}");
        let at_vendor = session.scenario().effect != Effect::Ledger;
        let verdict = report.verdict;
        assert_eq!(verdict.ledger_rows, u32::try_from(rows.len()).expect("few"), "{name}");
        let expected = at_vendor.then(|| u32::try_from(payments.len()).expect("few"));
        assert_eq!(verdict.vendor_rows, expected, "{name}");
        let paid: u64 = if at_vendor {
            payments.iter().map(|payment| payment.cents.as_cents()).sum()
        } else {
            rows.iter().map(|row| row.cents.as_cents()).sum()
        };
        assert_eq!(verdict.paid_cents, paid, "{name}");
        let executions = if at_vendor { payments.len() } else { rows.len() };
        assert_eq!(verdict.executions as usize, executions, "{name}");
    }
}

fn breaks(session: &Session, property: Property) -> bool {
    session.run().broken.iter().any(|broken| broken.property == property)
}
