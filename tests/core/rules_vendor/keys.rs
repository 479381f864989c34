//! Rules 23 to 29: what a vendor does with an idempotency key.

use super::{NOTHING, Schedule, answers, calls, codes, end, local_rows, play, told, vendor_paid};
use at_least_once::model::vendor::Known;
use at_least_once::units::Cents;

pub(super) const SCHEDULES: &[&[Schedule]] =
    &[&RULE_23, &RULE_24, &RULE_25, &RULE_26, &RULE_27, &RULE_28, &RULE_29];

const RULE_23: [Schedule; 2] = [
    ("rule 23: the same key", &[("faults", "0:after-call 1:answer-500")]),
    ("rule 23: no key", &[("faults", "0:after-call 1:answer-500"), ("key", "none")]),
];

/// Rule 23: the first use of a key runs and stores its answer; the same key and payload get that
/// answer, although the endpoint would now say 500.
#[test]
fn the_same_key_and_payload_get_the_first_answer_and_nothing_runs() {
    let [right, wrong] = RULE_23.map(play);
    assert_eq!(answers(&right), [(0, "ran", 201), (30_000, "replayed", 201)]);
    assert_eq!((vendor_paid(&right), local_rows(&right)), (vec![1999], vec![1999]));
    assert_eq!(answers(&wrong)[..2], [(0, "ran", 201), (30_000, "ran", 500)]);
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
}

const RULE_24: [Schedule; 5] = [
    ("rule 24: ietf", &[("vendor", "ietf"), FIVE, DRIFT, ("faults", "0:after-call")]),
    ("rule 24: stripe-v1", &[("vendor", "stripe-v1"), FIVE, DRIFT, ("faults", "0:after-call")]),
    (
        "rule 24: rocket-rides",
        &[("vendor", "rocket-rides"), FIVE, DRIFT, ("faults", "0:after-call")],
    ),
    ("rule 24: lenient", &[("vendor", "lenient"), FIVE, DRIFT, ("faults", "0:after-call")]),
    ("rule 24: no keys", &[("vendor", "none"), FIVE, DRIFT, ("faults", "0:after-call")]),
];
const FIVE: (&str, &str) = ("job.amount", "5");
/// The next attempt means to pay a cent more.
const DRIFT: (&str, &str) = ("job.drift", "1");

/// Rule 24: the same key with another payload is an error; nothing runs, the stored record stays.
#[test]
fn the_same_key_with_another_payload_pays_nothing() {
    let [ietf, stripe, rides, lenient, wrong] = RULE_24.map(play);
    for (strict, status) in [(&ietf, 422), (&stripe, 400), (&rides, 409)] {
        assert_eq!(answers(strict), [(0, "ran", 201), (30_000, "refused", status)]);
        assert_eq!(codes(strict, "failed"), told([(30_000, "failed.status")]), "and it is final");
    }
    assert_eq!(answers(&lenient), [(0, "ran", 201), (30_000, "replayed", 201)]);
    for session in [&ietf, &stripe, &rides, &lenient] {
        assert_eq!(vendor_paid(session), [5]);
        let stored = Known::Stored { cents: Cents::from_cents(5), status: 201 };
        assert!(end(session).vendor().keys().map(|(_, known)| *known).eq([stored]));
    }
    // The worker takes the first answer for its own: the local row says 6.
    assert_eq!(local_rows(&lenient), [6]);
    assert_eq!(vendor_paid(&wrong), [5, 6]);
}

const RULE_25: [Schedule; 2] = [
    ("rule 25: key required", &[("vendor.key_required", "on"), ("key", "none"), TWICE]),
    ("rule 25: key not required", &[("vendor.key_required", "off"), ("key", "none"), TWICE]),
];
const TWICE: (&str, &str) = ("faults", "0:after-call");

/// Rule 25: a missing key where one is required is a 400, not a call without protection.
#[test]
fn a_missing_key_is_refused_where_one_is_required() {
    let [right, wrong] = RULE_25.map(play);
    assert_eq!(answers(&right), [(0, "refused", 400)]);
    assert_eq!(codes(&right, "dead"), told([(0, "dead")]));
    assert_eq!((vendor_paid(&right), local_rows(&right)), (vec![], vec![]));
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
}

/// The lease ends at 4 s under a worker whose call takes 10 s; who is told "in progress" comes
/// back 7 s later.
const SLOW: (&str, &str) = ("vendor.time", "10s");
const SHORT: (&str, &str) = ("queue.visibility_timeout", "4s");
const COMES_BACK: [(&str, &str); 3] =
    [("backoff.kind", "fixed"), ("backoff.base", "7s"), ("backoff.jitter", "none")];

const RULE_26: [Schedule; 2] = [
    ("rule 26: while the first runs", &[SLOW, SHORT, COMES_BACK[0], COMES_BACK[1], COMES_BACK[2]]),
    (
        "rule 26: no key while the first runs",
        &[SLOW, SHORT, COMES_BACK[0], COMES_BACK[1], COMES_BACK[2], ("key", "none")],
    ),
];

/// Rule 26: a duplicate while the first runs is a 409, and the same request later a replay.
#[test]
fn a_duplicate_while_the_first_runs_is_told_so_and_later_gets_its_answer() {
    let [right, wrong] = RULE_26.map(play);
    let expected = [(4_000, "refused", 409), (10_000, "ran", 201), (11_000, "replayed", 201)];
    assert_eq!(answers(&right), expected);
    assert_eq!(codes(&right, "gave-back"), told([(4_000, "gave-back.waits")]), "it is not acked");
    assert_eq!((vendor_paid(&right), local_rows(&right)), (vec![1999], vec![1999]));
    assert_eq!(calls(&wrong)[..2], [0, 4_000]);
    assert!(vendor_paid(&wrong).len() > 1, "a second run");
}

const RULE_27: [Schedule; 2] = [
    ("rule 27: ietf", &[FIVE, DRIFT, SLOW, SHORT, COMES_BACK[0], COMES_BACK[1], COMES_BACK[2]]),
    (
        "rule 27: lenient",
        &[
            FIVE,
            DRIFT,
            SLOW,
            SHORT,
            COMES_BACK[0],
            COMES_BACK[1],
            COMES_BACK[2],
            ("vendor", "lenient"),
        ],
    ),
];

/// Rule 27: another payload is judged before "in progress".
#[test]
fn another_payload_is_refused_even_while_the_first_runs() {
    let [strict, lenient] = RULE_27.map(play);
    assert_eq!(answers(&strict), [(4_000, "refused", 422), (10_000, "ran", 201)]);
    assert_eq!(codes(&strict, "failed"), told([(4_000, "failed.status")]));
    // Who does not mind the payload has only "in progress" to say.
    assert_eq!(answers(&lenient)[0], (4_000, "refused", 409));
    assert_eq!(answers(&lenient)[2], (11_000, "replayed", 201));
    assert_eq!((vendor_paid(&strict), vendor_paid(&lenient)), (vec![5], vec![5]));
}

const RULE_28: [Schedule; 3] = [
    ("rule 28: stripe-v1", &[("vendor", "stripe-v1"), ("faults", "0:answer-500")]),
    ("rule 28: success-only", &[("vendor", "success-only"), ("faults", "0:answer-500")]),
    (
        "rule 28: stripe-v1, another key",
        &[("vendor", "stripe-v1"), ("faults", "0:answer-500"), ("key", "per-attempt")],
    ),
];

/// Rule 28: where every answer is stored, an error is replayed, for ever for this key.
#[test]
fn a_stored_error_is_replayed_and_one_that_is_not_stored_is_not() {
    let [all, successes, other_key] = RULE_28.map(play);
    let replayed = (0, "replayed", 500);
    assert_eq!(answers(&all), [(0, "ran", 500), replayed, replayed, replayed, replayed]);
    assert_eq!((vendor_paid(&all), codes(&all, "dead").len()), (vec![], 1));
    for session in [&successes, &other_key] {
        assert_eq!(answers(session), [(0, "ran", 500), (0, "ran", 201)]);
        assert_eq!(vendor_paid(session), [1999]);
    }
}

const RULE_29: [Schedule; 2] = [
    (
        "rule 29: a bad body, then a good one",
        &[
            ("vendor", "stripe-v1"),
            FIVE,
            DRIFT,
            ("faults", "0:answer-400"),
            ("retry.on_4xx", "retry"),
        ],
    ),
    (
        "rule 29: an error that was stored, then another body",
        &[
            ("vendor", "stripe-v1"),
            FIVE,
            DRIFT,
            ("faults", "0:answer-500"),
            ("retry.on_4xx", "retry"),
        ],
    ),
];

/// Rule 29: nothing is stored before execution begins: a bad body is refused, and a good one
/// under the same key runs, even where every error of an execution is stored.
#[test]
fn what_was_refused_before_it_ran_is_not_stored() {
    let [right, stored] = RULE_29.map(play);
    assert_eq!(answers(&right), [(0, "refused", 400), (0, "ran", 201)]);
    assert_eq!(vendor_paid(&right), [6]);
    assert_eq!(answers(&stored)[..2], [(0, "ran", 500), (0, "refused", 400)]);
    assert_eq!(vendor_paid(&stored), NOTHING);
}
