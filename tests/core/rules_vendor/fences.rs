//! Rules 42 to 47: the outbox and its relay, fencing, asking for the lease.

use super::{NOTHING, Schedule, breaks, calls, codes, local_rows, play, told, vendor_paid};
use at_least_once::lesson::Session;
use at_least_once::model::ledger::Ledger;
use at_least_once::sim::property::Property;
use at_least_once::units::JobIndex;

pub(super) const SCHEDULES: &[&[Schedule]] =
    &[&RULE_42, &RULE_43, &RULE_44, &RULE_45, &RULE_46, &RULE_47];

const OUTBOX: (&str, &str) = ("effect", "outbox");
const RELAY_DIES: (&str, &str) = ("faults", "0:relay-between");
const NO_KEY: (&str, &str) = ("key", "none");

const RULE_42: [Schedule; 3] = [
    (
        "rule 42: publish, then mark, no dedup",
        &[OUTBOX, RELAY_DIES, NO_KEY, ("relay.dedup", "off")],
    ),
    (
        "rule 42: publish, then mark, dedup by row",
        &[OUTBOX, RELAY_DIES, NO_KEY, ("relay.dedup", "on")],
    ),
    (
        "rule 42: mark, then publish",
        &[OUTBOX, RELAY_DIES, NO_KEY, ("relay.order", "mark-then-publish")],
    ),
];

/// Rule 42: a relay that publishes and then marks sends twice, one that marks first may send
/// never; whoever gets the rows must know those that it has had.
#[test]
fn a_relay_that_dies_between_its_steps_sends_twice_or_never() {
    let [twice, once, never] = RULE_42.map(play);
    for session in [&twice, &once, &never] {
        assert_eq!(codes(session, "relay-crashed").len(), 1);
        assert_eq!(codes(session, "started"), told([(0, "started.first")]));
    }
    let published = |session| codes(session, "published").into_iter().map(|(_, code)| code);
    assert!(published(&twice).eq(["published.new", "published.new"]));
    assert_eq!(vendor_paid(&twice), [1999, 1999]);
    assert!(published(&once).eq(["published.new", "published.known"]));
    assert_eq!(vendor_paid(&once), [1999]);
    assert_eq!((codes(&never, "marked").len(), published(&never).count()), (1, 0));
    assert_eq!(vendor_paid(&never), NOTHING);
    assert!(breaks(&never, Property::NotLost));
}

const RULE_43: [Schedule; 2] = [
    (
        "rule 43: the key in the row",
        &[OUTBOX, RELAY_DIES, ("relay.dedup", "off"), ("relay.key", "row")],
    ),
    (
        "rule 43: a key for each send",
        &[OUTBOX, RELAY_DIES, ("relay.dedup", "off"), ("relay.key", "send")],
    ),
];

/// Rule 43: the key lives in the outbox row; one that the relay makes as it sends is a new one
/// after a restart.
#[test]
fn a_relay_that_makes_the_key_as_it_sends_pays_twice() {
    let [right, wrong] = RULE_43.map(play);
    for session in [&right, &wrong] {
        assert_eq!(codes(session, "relay-crashed").len(), 1);
        assert_eq!(codes(session, "published").len(), 2);
    }
    assert_eq!(vendor_paid(&right), [1999]);
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
}

// ---- Fencing ----------------------------------------------------------------------------------

/// The tokens shown to the resource: when, which, whether it passed.
fn tokens(session: &Session) -> Vec<(u64, u32, bool)> {
    let records = session.records().into_iter();
    let shown = records.filter_map(|record| {
        Some((record.at_us / 1000, record.token?, record.detail == Some("passed")))
    });
    shown.collect()
}

/// A stands still from 0 s to 45 s; its lease ends at 30 s.
const A_SLEEPS: (&str, &str) = ("faults", "0:pause:before-write~45s");
/// Every write appends a row.
const APPENDS: [(&str, &str); 2] = [("effect", "ledger"), ("guard", "off")];

const RULE_44: [Schedule; 3] = [
    ("rule 44: fenced", &[APPENDS[0], APPENDS[1], A_SLEEPS, ("fencing", "write")]),
    ("rule 44: not fenced", &[APPENDS[0], APPENDS[1], A_SLEEPS, ("fencing", "off")]),
    (
        "rule 44: the same token twice",
        &[APPENDS[0], APPENDS[1], ("fencing", "write"), ("job.second_amount", "200")],
    ),
];

/// Rule 44: the resource refuses a token below the highest that it has seen; an equal one passes.
#[test]
fn a_fenced_resource_refuses_an_older_token() {
    let [right, wrong, equal] = RULE_44.map(play);
    assert_eq!(tokens(&right), [(30_000, 2, true), (45_000, 1, false)]);
    assert_eq!(codes(&right, "wrote"), told([(30_000, "wrote.first")]), "B's value stays");
    assert_eq!(
        codes(&wrong, "wrote"),
        told([(30_000, "wrote.first"), (45_000, "wrote.again")]),
        "A writes over it"
    );
    assert_eq!(tokens(&equal), [(0, 1, true), (0, 1, true)]);
    assert_eq!(local_rows(&equal), [1999, 200]);

    let (mut resource, job) = (Ledger::default(), JobIndex(0));
    let passed = [33, 34, 33, 34].map(|token| resource.fence(job, token));
    assert_eq!(passed, [true, true, false, true]);
}

/// A has paid and stands still from 0 s to 45 s; its lease ends at 30 s.
const A_PAYS_AND_SLEEPS: (&str, &str) = ("faults", "0:pause:after-call~45s");

const RULE_45: [Schedule; 2] = [
    ("rule 45: fencing alone", &[("fencing", "write"), NO_KEY, A_PAYS_AND_SLEEPS]),
    ("rule 45: fencing and a key", &[("fencing", "write"), A_PAYS_AND_SLEEPS]),
];

/// Rule 45: fencing does not deduplicate: two holders in turn may both append, each with a good
/// token.
#[test]
fn two_valid_holders_in_turn_both_pay() {
    let [wrong, right] = RULE_45.map(play);
    for session in [&wrong, &right] {
        assert_eq!(tokens(session), [(0, 1, true), (30_000, 2, true)], "no stale token anywhere");
        assert!(codes(session, "crashed").is_empty());
    }
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
    assert_eq!(vendor_paid(&right), [1999]);
}

const RULE_46: [Schedule; 5] = [
    ("rule 46: check, pay, the lease ends", &[("lease_check", "on"), NO_KEY, A_PAYS_AND_SLEEPS]),
    (
        "rule 46: a pause between check and pay",
        &[("lease_check", "on"), NO_KEY, ("faults", "0:pause:before-call~45s")],
    ),
    (
        "rule 46: the same pause, fenced",
        &[("fencing", "write"), NO_KEY, ("faults", "0:pause:before-call~45s")],
    ),
    (
        "rule 46: a pause before the check",
        &[("lease_check", "on"), NO_KEY, ("faults", "0:pause:after-lease~45s")],
    ),
    ("rule 46: check, and a key", &[("lease_check", "on"), A_PAYS_AND_SLEEPS]),
];

/// Rule 46: asking for the lease just before the effect is no fence.
#[test]
fn a_check_of_the_lease_is_not_a_fence() {
    let [paid, paused, fenced, in_time, key] = RULE_46.map(play);
    for session in [&paid, &paused] {
        let own = told([(0, "lease-checked.own"), (30_000, "lease-checked.own")]);
        assert_eq!(codes(session, "lease-checked"), own);
        assert_eq!(vendor_paid(session), [1999, 1999]);
    }
    assert_eq!(calls(&paid), [0, 30_000]);
    assert_eq!(calls(&paused), [30_000, 45_000]);
    assert_eq!(tokens(&fenced), [(30_000, 2, true), (45_000, 1, false)]);
    // It does see what has happened before it.
    let looked = [(30_000, "lease-checked.own"), (45_000, "lease-checked.lost")];
    assert_eq!(codes(&in_time, "lease-checked"), told(looked));
    assert_eq!(vendor_paid(&in_time), [1999]);
    assert_eq!((vendor_paid(&fenced), vendor_paid(&key)), (vec![1999], vec![1999]));
}

/// A sleeps past B's start; B sleeps too, and dies 20 s after its lease began.
const BOTH_START: (&str, &str) =
    ("faults", "0:pause:before-call~45s 1:pause:before-call~25s 1:crash@20s");

const RULE_47: [Schedule; 3] = [
    (
        "rule 47: ack by message id",
        &[("fencing", "start"), BOTH_START, ("queue.late_ack", "delete")],
    ),
    (
        "rule 47: ack by receipt",
        &[("fencing", "start"), BOTH_START, ("queue.late_ack", "newest-receipt")],
    ),
    (
        "rule 47: a late ack is an error",
        &[("fencing", "start"), BOTH_START, ("queue.late_ack", "refuse")],
    ),
];

/// Rule 47: a worker that was refused must not ack by message id.
#[test]
fn a_refused_worker_that_acks_by_message_id_loses_the_job() {
    let [by_id, by_receipt, refused] = RULE_47.map(play);
    for session in [&by_id, &by_receipt, &refused] {
        assert_eq!(tokens(session)[..3], [(0, 1, true), (30_000, 2, true), (45_000, 1, false)]);
        assert_eq!(codes(session, "crashed"), told([(50_000, "crashed")]));
    }
    assert_eq!(codes(&by_id, "ack"), told([(45_000, "ack-late.deleted")]));
    assert_eq!(vendor_paid(&by_id), NOTHING);
    assert!(breaks(&by_id, Property::NotLost));
    for (session, late) in [(&by_receipt, "ack-late.ignored"), (&refused, "ack-late.refused")] {
        assert_eq!(codes(session, "ack"), told([(45_000, late), (60_000, "acked")]));
        assert_eq!(vendor_paid(session), [1999]);
        assert!(!breaks(session, Property::NotLost));
    }
}
