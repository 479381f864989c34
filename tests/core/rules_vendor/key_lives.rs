//! Rules 30 to 33: how long an idempotency key lives, and how one is chosen.

use super::{Schedule, answers, breaks, calls, codes, play, told, vendor_paid};
use at_least_once::lesson::Session;
use at_least_once::sim::property::Property;
use at_least_once::units::JobIndex;

pub(super) const SCHEDULES: &[&[Schedule]] =
    &[&RULE_30, &RULE_30_DURING_THE_CALL, &RULE_30_AFTER_AN_ERROR, &RULE_31, &RULE_32, &RULE_33];

/// The vendor has paid, and the worker dies before it has done anything else.
const TWICE: (&str, &str) = ("faults", "0:after-call");
const SLOW: (&str, &str) = ("vendor.time", "10s");

const RULE_30: [Schedule; 5] = [
    (
        "rule 30: retry at 86399 s",
        &[TWICE, ("vendor.key_life", "1d"), ("queue.visibility_timeout", "86399s")],
    ),
    (
        "rule 30: retry at 86400 s",
        &[TWICE, ("vendor.key_life", "1d"), ("queue.visibility_timeout", "86400s")],
    ),
    (
        "rule 30: retry on day 3, key of a day",
        &[("vendor.key_life", "1d"), DAYS[0], DAYS[1], DAYS[2], DAYS[3], DAYS[4]],
    ),
    (
        "rule 30: retry on day 3, key of 4 days",
        &[("vendor.key_life", "4d"), DAYS[0], DAYS[1], DAYS[2], DAYS[3], DAYS[4]],
    ),
    (
        "rule 30: the test clock is moved",
        &[TWICE, ("vendor.key_life", "1d"), ("vendor.test_clock", "29s")],
    ),
];
/// The first call lands and its answer is lost; two more attempts do not get so far.
const DAYS: [(&str, &str); 5] = [
    ("faults", "0:reply-lost 1:throw:before-call 2:throw:before-call"),
    ("backoff.kind", "fixed"),
    ("backoff.base", "1d"),
    ("backoff.cap", "1d"),
    ("backoff.jitter", "none"),
];

/// Rule 30: a key that lives shorter than retries go on pays a second time.
#[test]
fn a_key_that_is_forgotten_before_the_last_retry_pays_again() {
    let [before, at, third_day, longer, clock] = RULE_30.map(play);
    assert_eq!(answers(&before), [(0, "ran", 201), (86_399_000, "replayed", 201)]);
    assert_eq!(vendor_paid(&before), [1999]);
    assert_eq!(answers(&at), [(0, "ran", 201), (86_400_000, "ran", 201)]);
    assert_eq!(vendor_paid(&at), [1999, 1999]);
    assert_eq!(codes(&at, "key-forgotten")[0].0, 86_400_000);

    assert_eq!(calls(&third_day), [0, 3 * 86_400_000]);
    assert_eq!(vendor_paid(&third_day), [1999, 1999]);
    assert_eq!(answers(&longer), [(3 * 86_400_000, "replayed", 201)]);
    assert_eq!(vendor_paid(&longer), [1999]);

    assert_eq!(codes(&clock, "key-forgotten"), told([(29_000, "key-forgotten")]));
    assert_eq!(answers(&clock), [(0, "ran", 201), (30_000, "ran", 201)]);
}

const RULE_30_DURING_THE_CALL: [Schedule; 2] = [
    ("rule 30: the life ends while the call runs", &[TWICE, SLOW, ("vendor.key_life", "5s")]),
    (
        "rule 30: the test clock is moved while the call runs",
        &[TWICE, SLOW, ("vendor.key_life", "1d"), ("vendor.test_clock", "5s")],
    ),
];

/// Rule 30, where the life counts from the first use and the call outlasts it: the call keeps its
/// key, and once it has ended the key is not known any more.
#[test]
fn a_key_whose_life_ends_under_its_call_does_not_outlive_it() {
    for session in RULE_30_DURING_THE_CALL.map(play) {
        assert_eq!(calls(&session), [0, 30_000]);
        assert_eq!(answers(&session), [(10_000, "ran", 201), (40_000, "ran", 201)]);
        assert_eq!(vendor_paid(&session), [1999, 1999]);
    }
}

const RULE_30_AFTER_AN_ERROR: [Schedule; 1] = [(
    "rule 30: used again after an error that is not stored",
    &[
        ("vendor.key_life", "60s"),
        ("faults", "0:answer-500 1:after-call 2:throw:after-call"),
        ("queue.visibility_timeout", "50s"),
        ("backoff.kind", "list"),
        ("backoff.list", "20s 1s 20s"),
        ("backoff.jitter", "none"),
    ],
)];

/// Rule 30, after a first use that failed and was not stored: calls at 0, 20, 70 and 90 s. Whether
/// the life of 60 s counts from 0 (then 70 s pays and 90 s is a replay) or from 20 (then 70 s is a
/// replay and 90 s pays), there are two payments: a life that is over ends no later one.
#[test]
fn the_end_of_one_life_of_a_key_does_not_end_the_next() {
    let [session] = RULE_30_AFTER_AN_ERROR.map(play);
    assert_eq!(calls(&session), [0, 20_000, 70_000, 90_000]);
    assert_eq!(answers(&session)[..2], [(0, "ran", 500), (20_000, "ran", 201)]);
    assert_eq!(vendor_paid(&session), [1999, 1999]);
}

const RULE_31: [Schedule; 2] = [
    ("rule 31: a key per step", &[("key", "stable"), ("faults", "0:after-call 1:after-call")]),
    (
        "rule 31: a key per attempt",
        &[("key", "per-attempt"), ("faults", "0:after-call 1:after-call")],
    ),
];

/// Rule 31: the key is chosen before the first attempt; one made of the attempt is another one.
#[test]
fn a_key_per_attempt_pays_for_each() {
    let [right, wrong] = RULE_31.map(play);
    let keys = |session: &Session| {
        let called = session.records().into_iter().filter(|record| record.event == "called");
        called.filter_map(|record| record.key).collect::<Vec<_>>()
    };
    assert_eq!(keys(&right), ["job_17:step_3:refund"; 3]);
    assert_eq!(vendor_paid(&right), [1999]);
    let each = [0, 1, 2].map(|attempt| format!("job_17:step_3:refund:{attempt}"));
    assert_eq!(keys(&wrong), each);
    assert_eq!(vendor_paid(&wrong), [1999; 3]);
}

const RULE_32: [Schedule; 3] = [
    (
        "rule 32: one key for two refunds",
        &[("key", "job"), ("job.amount", "100"), ("job.second_amount", "200")],
    ),
    (
        "rule 32: one key for two equal refunds",
        &[("key", "job"), ("job.amount", "100"), ("job.second_amount", "100")],
    ),
    (
        "rule 32: a key for each refund",
        &[("key", "stable"), ("job.amount", "100"), ("job.second_amount", "100")],
    ),
];

/// Rule 32: a key for the whole job is too coarse for two refunds.
#[test]
fn a_key_that_is_too_coarse_swallows_the_second_refund() {
    let [unequal, equal, right] = RULE_32.map(play);
    assert_eq!(answers(&unequal), [(0, "ran", 201), (0, "refused", 422)]);
    assert_eq!(vendor_paid(&unequal), [100]);
    // Silently: the second call looks like a success.
    assert_eq!(answers(&equal), [(0, "ran", 201), (0, "replayed", 201)]);
    assert_eq!(vendor_paid(&equal), [100]);
    assert_eq!(codes(&equal, "acked"), told([(0, "acked")]));
    assert!(breaks(&equal, Property::NotLost), "one payment where two were due");
    assert_eq!(vendor_paid(&right), [100, 100]);
    assert!(right.summary().verdict.ok);
}

const RULE_33: [Schedule; 2] = [
    (
        "rule 33: keys per account",
        &[
            ("key", "constant"),
            ("job.count", "2"),
            ("job.accounts", "2"),
            ("vendor.key_scoped", "on"),
        ],
    ),
    (
        "rule 33: keys of all accounts",
        &[
            ("key", "constant"),
            ("job.count", "2"),
            ("job.accounts", "2"),
            ("vendor.key_scoped", "off"),
        ],
    ),
];

/// Rule 33: a key means something within its account only.
#[test]
fn two_accounts_may_use_the_same_key() {
    let [right, wrong] = RULE_33.map(play);
    assert_eq!(answers(&right), [(0, "ran", 201), (0, "ran", 201)]);
    assert_eq!(vendor_paid(&right), [1999, 1999]);
    assert!(right.summary().verdict.ok);
    // The second account reads the first one's answer, and takes itself for paid.
    assert_eq!(answers(&wrong), [(0, "ran", 201), (0, "replayed", 201)]);
    assert_eq!(vendor_paid(&wrong), [1999]);
    assert!(breaks(&wrong, Property::NotLost));
}

/// The jobs take turns: with two accounts the third job is again the first one's.
#[test]
fn jobs_belong_to_the_accounts_in_turn() {
    let of = |job| play(RULE_33[0]).scenario().account(JobIndex(job));
    assert_eq!([0, 1, 2, 3].map(of), [0, 1, 0, 1]);
}
