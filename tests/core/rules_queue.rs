//! The rules of the queue, 1 to 22: each plays the schedule that tells a right queue from a wrong
//! one, and gets the outcome that it must have.
//!
//! * `leases` – 1 to 4: a lease, its end, and the acks that come too late for it.
//! * `acks` – 5 and 6: what an ack does not promise.
//! * `heartbeats` – 7 to 9: heartbeats, and how long a lease may last.
//! * `attempts` – 10 to 15: crashes, failures, lost acks, and what counts as an attempt.
//! * `waits` – 16 to 18: messages in the hands of a worker, and ids that are known for a while.
//! * `limits` – 19 to 21: limits apart from each other, deploys, what is due at once.
//! * `conservation` – 22: nothing is lost and nothing comes from nowhere.
//!
//! Times are the queue's; attempts count from 0, so the second delivery is `#1`. Worker B is kept
//! away from the queue until its moment by a job of its own.

mod acks;
mod attempts;
mod conservation;
mod heartbeats;
mod leases;
mod limits;
mod waits;

use at_least_once::lesson::Session;
use at_least_once::sim::link::Differing;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::trace::Trace;
use at_least_once::sim::world::World;
use conservation::{RANDOM_NAMES, random};
use std::sync::Arc;

type Given = &'static [(&'static str, &'static str)];

/// A schedule, as settings on top of [`BASE`].
struct Case {
    /// The rule that it is about.
    rule: u32,
    /// Its name. One with `wrong` in it goes wrong, as its rule says.
    name: &'static str,
    /// What it sets.
    given: &'static [Given],
}

const fn case(rule: u32, name: &'static str, given: &'static [Given]) -> Case {
    Case { rule, name, given }
}

/// Two workers, a lease of 30 s, no lengths, no waits, no guard: what a schedule takes, it names.
const BASE: Given = &[
    ("seed", "1"),
    ("faults", "none"),
    ("guard", "off"),
    ("checkpoint", "none"),
    ("workers.count", "2"),
    ("queue.visibility_timeout", "30s"),
    ("queue.expiry_backoff", "off"),
    ("backoff.kind", "none"),
    ("slice.think", "0s"),
    ("slice.write", "1s"),
    ("slice.ack", "0s"),
    ("vendor.time", "0s"),
];
/// One worker, whose first ack comes at second 31.
const ALONE: Given = &[("workers.count", "1"), ("faults", "0:pause:before-write~30s")];
/// A vendor that is called at once, and a local row that does no harm.
const VENDOR: Given = &[("effect", "vendor"), ("guard", "on"), ("slice.write", "0s")];
const NO_KEY: Given = &[("key", "none")];
const POISON: Given = &[("faults", "*:before-write")];
const FIFO: Given = &[("broker", "fifo")];
const BULLMQ: Given = &[("broker", "bullmq"), ("queue.max_attempts", "5")];

/// Every schedule, rule by rule.
fn cases() -> impl Iterator<Item = &'static Case> {
    let files = [
        leases::CASES,
        acks::CASES,
        heartbeats::CASES,
        attempts::CASES,
        waits::CASES,
        limits::CASES,
    ];
    files.into_iter().flatten()
}

/// Every schedule by name with all of its settings, on top of the experiment's own.
pub(crate) fn scenarios() -> Vec<(&'static str, Vec<(String, String)>)> {
    let owned = |given: &[(&str, &str)]| {
        given.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let ruled = cases().map(|case| (case.name, owned(&settings(case))));
    let drawn = RANDOM_NAMES.iter().enumerate();
    let drawn = drawn.map(|(number, name)| (*name, owned(&random(|place| number * 7 + place))));
    ruled.chain(drawn).collect()
}

/// All of a schedule's settings, each once. A broker comes first, since it brings others along.
fn settings(case: &Case) -> Vec<(&'static str, &'static str)> {
    let mut settings: Vec<(&str, &str)> = Vec::new();
    for (path, text) in [BASE, &case.given.concat()].concat() {
        settings.retain(|(known, _)| *known != path);
        let place = if path == "broker" { 0 } else { settings.len() };
        settings.insert(place, (path, text));
    }
    settings
}

fn play(name: &str) -> Session {
    play_with(name, &[])
}

fn play_with(name: &str, more: &[(&str, &str)]) -> Session {
    let case = cases().find(|case| case.name == name).expect("a case");
    let given = [&settings(case), more].concat();
    Session::new("double-refund", &given).expect("allowed")
}

/// A moment in seconds, exactly.
fn at(us: u64) -> String {
    if us.is_multiple_of(1_000_000) { format!("{}s", us / 1_000_000) } else { format!("{us}us") }
}

/// The deliveries of a job: when, to whom, which attempt.
fn deliveries(session: &Session, job: &str) -> Vec<String> {
    let records = session.records().into_iter();
    let leased = records
        .filter(|it| it.event == "leased" && it.job_id.as_deref() == Some(job))
        .map(|it| (it.at_us, it.worker.unwrap_or_default(), it.attempt.unwrap_or_default()));
    leased.map(|(us, worker, attempt)| format!("{} {worker} #{attempt}", at(us))).collect()
}

/// When which event happened, by codes that begin so; of one job, or of all for an empty name.
fn codes(session: &Session, job: &str, beginnings: &[&str]) -> Vec<String> {
    let records = session.records().into_iter();
    let records = records.filter(|it| job.is_empty() || it.job_id.as_deref() == Some(job));
    let coded = records.map(|it| (it.at_us, [it.event, it.detail.unwrap_or_default()].join(".")));
    let named = coded.filter(|(_, code)| beginnings.iter().any(|it| code.starts_with(it)));
    named.map(|(us, code)| format!("{} {}", at(us), code.trim_end_matches('.'))).collect()
}

/// How often money was moved for a job: at the vendor if there is one, else in the ledger.
fn paid(session: &Session, job: &str) -> usize {
    let vendor = session.summary().verdict.vendor_rows.is_some();
    codes(session, job, &[if vendor { "paid" } else { "wrote" }]).len()
}

/// How many messages are ready, leased, delayed, acked and dead.
fn places(world: &World) -> [usize; 5] {
    use at_least_once::model::queue::MessageState::{Acked, Dead, Delayed, Leased, Ready};
    let mut places = [0; 5];
    for message in world.messages() {
        places[match message.state {
            Ready { .. } => 0,
            Leased(_) => 1,
            Delayed { .. } => 2,
            Acked => 3,
            Dead => 4,
        }] += 1;
    }
    places
}

/// The world right after the step in which the event with this code happened for the `nth` time.
fn after(name: &str, code: &str, nth: usize) -> World {
    let session = play(name);
    let mut rules: &Scenario = session.scenario();
    let mut trace = Trace::default();
    let mut world = World::new(Arc::new(rules.clone()), &mut trace);
    loop {
        let entries = trace.entries().iter();
        let codes = entries.map(|entry| entry.event.code());
        let found = codes.filter(|(event, detail)| {
            detail.map_or_else(|| (*event).to_owned(), |detail| format!("{event}.{detail}")) == code
        });
        if found.count() >= nth {
            return world;
        }
        assert!(world.advance(&mut rules, &mut trace), "{code} never came in {name}");
    }
}

/// What the fast path does with a schedule, the list of choices does too.
#[test]
fn every_schedule_is_the_same_run_by_the_list_of_choices() {
    let never: Differing = "4294967295:e0".parse().expect("a choice");
    for case in cases() {
        let session = play(case.name);
        let scenario = Arc::new(session.scenario().clone());
        let listed = at_least_once::sim::play::play(&scenario, &[never]);
        assert!(listed.trace == session.run().trace, "{}", case.name);
    }
}

/// The table has every rule, in order, and no name twice.
#[test]
fn every_rule_has_its_schedules() {
    assert!(cases().is_sorted_by_key(|case| case.rule));
    for rule in 1..=21 {
        assert!(cases().any(|case| case.rule == rule), "rule {rule}");
    }
    let names: Vec<&str> = scenarios().into_iter().map(|(name, _)| name).collect();
    assert!(names.is_sorted_by(|one, other| one[..2] <= other[..2]));
    for case in cases() {
        assert!(case.name.starts_with(&format!("{:02}-", case.rule)), "{}", case.name);
        assert_eq!(names.iter().filter(|name| **name == case.name).count(), 1, "{}", case.name);
    }
}
