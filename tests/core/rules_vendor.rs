//! Rules 23 to 53 of delivery at least once: the vendor and its keys, guards, checkpoints, the
//! outbox, fencing, retries. Each test plays a schedule and gets the outcome that it must have;
//! where a setting makes the wrong design, that gets the wrong outcome.
//!
//! The schedules stand before their test, so that the same ones can be played elsewhere.

use at_least_once::lesson::Session;
use at_least_once::model::backoff::{Backoff, Jitter, Kind};
use at_least_once::model::ledger::Ledger;
use at_least_once::model::vendor::Known;
use at_least_once::random::{Address, Draws, Purpose};
use at_least_once::sim::play::count;
use at_least_once::sim::property::Property;
use at_least_once::sim::world::World;
use at_least_once::units::{Cents, JobIndex, Span};
use std::sync::Arc;

/// A name, and what is set on top of the ground.
type Schedule = (&'static str, &'static [(&'static str, &'static str)]);

/// The common ground: two workers, a vendor, no step takes time, nothing goes wrong. A local row
/// is written once for each key; there is no checkpoint; who gives a message back gets it at once.
const GROUND: [(&str, &str); 12] = [
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
    ("slice.ack", "0s"),
    ("vendor.time", "0s"),
];

/// The schedules of every rule, with all that they set.
pub(crate) fn scenarios() -> Vec<(&'static str, Vec<(String, String)>)> {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let all = EVERY_RULE.iter().flat_map(|schedules| schedules.iter());
    all.map(|(name, given)| (*name, GROUND.iter().chain(*given).map(owned).collect())).collect()
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

fn breaks(session: &Session, property: Property) -> bool {
    session.run().broken.iter().any(|broken| broken.property == property)
}

// ---- The vendor's keys ------------------------------------------------------------------------

const RULE_23: [Schedule; 2] = [
    ("rule 23: the same key again", &[("faults", "0:after-call 1:answer-500")]),
    ("rule 23: no key", &[("faults", "0:after-call 1:answer-500"), ("key", "none")]),
];

/// Rule 23: the first use of a key runs and stores its answer; the same key and payload get that
/// answer, whatever the endpoint would say by now.
#[test]
fn the_same_key_and_payload_get_the_first_answer_and_nothing_runs() {
    let [right, wrong] = RULE_23.map(play);
    assert_eq!(answers(&right), [(0, "ran", 201), (30_000, "replayed", 201)][..][1..]);
    assert_eq!(vendor_paid(&right), [1999]);
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
}
