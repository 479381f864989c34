//! Rules 34 to 41: local guards, claims, checkpoints, transactions.

use super::{
    NOTHING, Schedule, answers, breaks, calls, codes, local_rows, play, told, vendor_paid,
};
use at_least_once::lesson::Session;
use at_least_once::sim::property::Property;

pub(super) const SCHEDULES: &[&[Schedule]] =
    &[&RULE_34, &RULE_35, &RULE_36, &RULE_37, &RULE_38, &RULE_39, &RULE_40, &RULE_41];

const NO_KEY: (&str, &str) = ("key", "none");
const LOOKS: (&str, &str) = ("guard", "check-then-insert");
const AT_CALL: (&str, &str) = ("guard.at", "call");

/// Who gives a message back gets it again after so long.
const FIXED: (&str, &str) = ("backoff.kind", "fixed");
const SAME_FOR_ALL: (&str, &str) = ("backoff.jitter", "none");

const RULE_34: [Schedule; 2] = [
    (
        "rule 34: look, then act",
        &[
            LOOKS,
            AT_CALL,
            NO_KEY,
            ("queue.visibility_timeout", "10s"),
            ("faults", "0:pause:before-call~15s 1:pause:before-call~8s"),
        ],
    ),
    (
        "rule 34: insert first",
        &[
            ("guard", "on"),
            AT_CALL,
            NO_KEY,
            FIXED,
            ("backoff.base", "10s"),
            SAME_FOR_ALL,
            ("queue.visibility_timeout", "10s"),
            ("faults", "0:pause:before-call~15s 1:pause:before-call~8s"),
        ],
    ),
];

/// Rule 34: the local guard must be one atomic insert. A looks, B looks, A pays, B pays.
#[test]
fn two_may_look_before_either_acts() {
    let [wrong, right] = RULE_34.map(play);
    assert_eq!(codes(&wrong, "checked"), told([(0, "checked.absent"), (10_000, "checked.absent")]));
    assert_eq!(calls(&wrong), [15_000, 18_000]);
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
    let claims = [(0, "claim.new"), (10_000, "claim.in-progress"), (20_000, "claim.done")];
    assert_eq!(codes(&right, "claim"), told(claims));
    assert_eq!((vendor_paid(&right), local_rows(&right)), (vec![1999], vec![1999]));
}

const RULE_35: [Schedule; 2] = [
    (
        "rule 35: insert first, no vendor key",
        &[("guard", "on"), AT_CALL, ("guard.claim", "done"), NO_KEY, ("faults", "0:before-call")],
    ),
    ("rule 35: a vendor key, the row after", &[("guard", "on"), ("faults", "0:before-call")]),
];

/// Rule 35: an atomic guard without a vendor key loses the job: A inserts and dies; B sees the
/// row, skips and acks.
#[test]
fn an_atomic_guard_alone_loses_the_job() {
    let [wrong, right] = RULE_35.map(play);
    assert_eq!(codes(&wrong, "claim"), told([(0, "claim.new"), (30_000, "claim.done")]));
    assert_eq!(codes(&wrong, "acked"), told([(30_000, "acked")]));
    assert_eq!(vendor_paid(&wrong), NOTHING);
    assert!(breaks(&wrong, Property::NotLost));
    assert_eq!(codes(&right, "crashed").len(), 1);
    assert_eq!((vendor_paid(&right), local_rows(&right)), (vec![1999], vec![1999]));
}

const RULE_36: [Schedule; 2] = [
    (
        "rule 36: in progress passes for done",
        &[
            ("guard", "on"),
            AT_CALL,
            ("guard.claim", "in-progress-skip"),
            NO_KEY,
            ("faults", "0:before-call"),
        ],
    ),
    (
        "rule 36: in progress is given back",
        &[
            ("guard", "on"),
            AT_CALL,
            ("guard.claim", "in-progress-release"),
            ("guard.claim_life", "40s"),
            NO_KEY,
            FIXED,
            ("backoff.base", "20s"),
            SAME_FOR_ALL,
            ("faults", "0:before-call"),
        ],
    ),
];

/// Rule 36: "in progress" is not "done": the loser must not ack.
#[test]
fn who_finds_a_claim_in_progress_must_not_ack() {
    let [wrong, right] = RULE_36.map(play);
    assert_eq!(codes(&wrong, "claim"), told([(0, "claim.new"), (30_000, "claim.done")]));
    assert_eq!((vendor_paid(&wrong), codes(&wrong, "acked").len()), (vec![], 1));
    assert!(breaks(&wrong, Property::NotLost));
    let claims = [
        (0, "claim.new"),
        (30_000, "claim.in-progress"),
        (40_000, "claim-ended"),
        (50_000, "claim.new"),
    ];
    assert_eq!(codes(&right, "claim"), told(claims));
    assert_eq!(codes(&right, "gave-back"), told([(30_000, "gave-back.waits")]));
    assert_eq!(vendor_paid(&right), [1999]);
}

/// Rule 36: a refusal is an answer: nothing was paid, so the worker takes its own claim back, and
/// the next attempt need not wait for the claim's end. No answer is none, and the claim stays.
#[test]
fn a_refusal_takes_the_claim_back_and_silence_does_not() {
    let claims = |faults| {
        let given: &[(&str, &str)] = &[
            ("guard", "on"),
            AT_CALL,
            ("guard.claim", "in-progress-release"),
            ("faults", faults),
            ("queue.max_attempts", "2"),
        ];
        let given = [&super::GROUND[..], given].concat();
        let session = Session::new("double-refund", &given).expect("allowed");
        codes(&session, "claim").into_iter().map(|(_, code)| code).collect::<Vec<_>>()
    };
    assert_eq!(claims("0:answer-503"), ["claim.new", "claim.new"]);
    assert_eq!(claims("0:reply-lost"), ["claim.new", "claim.in-progress"]);
}

/// Rule 36: a claim's life is its own: the end of an earlier claim, which was taken back, does not
/// end the one after it.
#[test]
fn the_end_of_an_earlier_claim_leaves_the_next_alone() {
    let given: &[(&str, &str)] = &[
        ("guard", "on"),
        AT_CALL,
        ("guard.claim", "in-progress-release"),
        ("guard.claim_life", "40s"),
        ("queue.visibility_timeout", "5m"),
        FIXED,
        ("backoff.base", "30s"),
        SAME_FOR_ALL,
        ("faults", "0:answer-503 1:pause:before-call~60s"),
    ];
    let given = [&super::GROUND[..], given].concat();
    let session = Session::new("double-refund", &given).expect("allowed");
    let claims = [(0, "claim.new"), (30_000, "claim.new"), (70_000, "claim-ended")];
    assert_eq!(codes(&session, "claim"), told(claims));
}

/// A guard at the write looks after the call: what it finds keeps the row from being written
/// again, and says so.
#[test]
fn a_guard_at_the_write_finds_the_row_after_the_call() {
    let given = [LOOKS, ("guard.at", "write"), ("faults", "0:after-write")];
    let given = [&super::GROUND[..], &given].concat();
    let session = Session::new("double-refund", &given).expect("allowed");
    let expected = [(0, "checked.absent"), (30_000, "checked.found")];
    assert_eq!(codes(&session, "checked"), told(expected));
    assert_eq!(codes(&session, "already-written"), told([(30_000, "already-written")]));
    assert_eq!((vendor_paid(&session), local_rows(&session)), (vec![1999], vec![1999]));
}

const RULE_37: [Schedule; 3] = [
    (
        // The waits 2, 4 and 8 times the base end at 1 000 000 s.
        "rule 37: a claim without an end",
        &[
            ("guard", "on"),
            AT_CALL,
            ("guard.claim_life", "0s"),
            ("vendor.time", "1s"),
            ("faults", "0:during-call"),
            ("queue.visibility_timeout", "1s"),
            ("backoff.kind", "exponential"),
            ("backoff.base", "71428500ms"),
            ("backoff.cap", "30d"),
            SAME_FOR_ALL,
        ],
    ),
    (
        "rule 37: a claim of 90 s",
        &[
            ("guard", "on"),
            AT_CALL,
            ("guard.claim_life", "90s"),
            ("vendor.time", "1s"),
            ("faults", "0:during-call"),
            ("queue.visibility_timeout", "89s"),
            FIXED,
            ("backoff.base", "1s"),
            SAME_FOR_ALL,
        ],
    ),
    (
        "rule 37: a claim of 90 s, a call of 120 s",
        &[
            ("guard", "on"),
            AT_CALL,
            ("guard.claim_life", "90s"),
            NO_KEY,
            ("vendor.time", "120s"),
            ("queue.visibility_timeout", "89s"),
            FIXED,
            ("backoff.base", "1s"),
            SAME_FOR_ALL,
        ],
    ),
];

/// Rule 37: a record in progress needs an end, and one that comes later than the longest call.
#[test]
fn a_claim_must_end_and_not_before_the_longest_call() {
    let [without, ninety, longer] = RULE_37.map(play);
    let claims = codes(&without, "claim");
    assert_eq!(claims[0], (0, "claim.new".to_owned()));
    assert_eq!(claims.last(), Some(&(1_000_000_000, "claim.in-progress".to_owned())));
    assert_eq!(calls(&without), [0], "in progress for ever");
    assert_eq!(local_rows(&without), NOTHING);

    let claims = [
        (0, "claim.new"),
        (89_000, "claim.in-progress"),
        (90_000, "claim-ended"),
        (90_000, "claim.new"),
    ];
    assert_eq!(codes(&ninety, "claim"), told(claims));
    assert_eq!(codes(&ninety, "crashed").len(), 1);
    assert_eq!(calls(&ninety), [0, 90_000], "then it runs");
    // The first call had landed, and the vendor's key says so.
    assert_eq!((vendor_paid(&ninety), local_rows(&ninety)), (vec![1999], vec![1999]));

    assert_eq!(codes(&longer, "claim")[..4], told(claims));
    assert!(codes(&longer, "crashed").is_empty());
    assert_eq!(calls(&longer), [0, 90_000]);
    assert_eq!(vendor_paid(&longer), [1999, 1999], "two runs");
}

const RULE_38: [Schedule; 2] = [
    ("rule 38: a local row, no vendor key", &[LOOKS, AT_CALL, NO_KEY, ("faults", "0:after-call")]),
    ("rule 38: a local row and a vendor key", &[LOOKS, AT_CALL, ("faults", "0:after-call")]),
];

/// Rule 38: the local ledger cannot tell "paid, then crashed" from "never sent"; the vendor's key
/// can.
#[test]
fn a_local_row_that_is_missing_says_nothing() {
    let [wrong, right] = RULE_38.map(play);
    for session in [&wrong, &right] {
        let looked = told([(0, "checked.absent"), (30_000, "checked.absent")]);
        assert_eq!(codes(session, "checked"), looked);
        assert_eq!(local_rows(session), [1999]);
    }
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
    assert!(breaks(&wrong, Property::BooksAgree));
    assert_eq!(answers(&right)[1], (30_000, "replayed", 201));
    assert_eq!(vendor_paid(&right), [1999]);
    assert!(!breaks(&right, Property::BooksAgree));
}

const RULE_39: [Schedule; 4] = [
    ("rule 39: skip", &[("checkpoint", "before-skip"), ("faults", "0:before-call")]),
    ("rule 39: mint", &[("checkpoint", "before-mint"), ("faults", "0:after-call")]),
    ("rule 39: after, crash before", &[("checkpoint", "after"), ("faults", "0:before-call")]),
    ("rule 39: after, crash after", &[("checkpoint", "after"), ("faults", "0:after-call")]),
];

/// Rule 39: a checkpoint before the effect loses it if retries skip, and doubles it if they mint
/// a key.
#[test]
fn a_checkpoint_before_the_effect_loses_it_or_doubles_it() {
    let [skip, mint, before, after] = RULE_39.map(play);
    assert_eq!(codes(&skip, "checkpointed"), told([(0, "checkpointed")]));
    assert_eq!(codes(&skip, "resumed"), told([(30_000, "resumed")]));
    assert_eq!((vendor_paid(&skip), codes(&skip, "acked").len()), (vec![], 1));
    assert!(breaks(&skip, Property::NotLost));

    assert_eq!(codes(&mint, "checkpointed"), told([(0, "checkpointed")]));
    assert_eq!(codes(&mint, "minted"), told([(30_000, "minted")]));
    assert_eq!(vendor_paid(&mint), [1999, 1999]);

    for right in [&before, &after] {
        assert_eq!(codes(right, "crashed").len(), 1);
        assert_eq!(vendor_paid(right), [1999]);
        assert!(right.summary().verdict.ok);
    }
}

const RULE_40: [Schedule; 2] = [
    (
        "rule 40: a checkpoint after, no key",
        &[
            ("checkpoint", "after"),
            ("slice.checkpoint", "15s"),
            ("queue.visibility_timeout", "10s"),
            NO_KEY,
        ],
    ),
    (
        "rule 40: a checkpoint after, and a key",
        &[
            ("checkpoint", "after"),
            ("slice.checkpoint", "15s"),
            ("queue.visibility_timeout", "10s"),
        ],
    ),
];

/// Rule 40: a checkpoint after the effect doubles it without a key. No crash is needed.
#[test]
fn a_lease_that_ends_before_the_checkpoint_pays_twice_without_a_key() {
    let [wrong, right] = RULE_40.map(play);
    for session in [&wrong, &right] {
        assert!(codes(session, "crashed").is_empty());
        assert_eq!(calls(session), [0, 10_000]);
        assert_eq!(codes(session, "checkpointed")[0].0, 15_000);
    }
    assert_eq!(vendor_paid(&wrong), [1999, 1999]);
    assert_eq!(vendor_paid(&right), [1999]);
}

const RULE_41: [Schedule; 3] = [
    (
        "rule 41: a transaction across the call",
        &[("transaction", "on"), LOOKS, AT_CALL, NO_KEY, ("faults", "0:after-call")],
    ),
    (
        "rule 41: a transaction across the call, and another job",
        &[
            ("transaction", "on"),
            ("pool", "1"),
            ("job.count", "2"),
            ("vendor.time", "10s"),
            LOOKS,
            AT_CALL,
        ],
    ),
    (
        "rule 41: no transaction, and another job",
        &[
            ("transaction", "off"),
            ("pool", "1"),
            ("job.count", "2"),
            ("vendor.time", "10s"),
            LOOKS,
            AT_CALL,
        ],
    ),
];

/// Rule 41: an open transaction cannot undo the call, and holds what it has for as long.
#[test]
fn a_rollback_does_not_take_the_payment_back_and_others_wait_the_whole_call() {
    let [alone, held, free] = RULE_41.map(play);
    assert_eq!(codes(&alone, "connected"), told([(0, "connected"), (30_000, "connected")]));
    assert_eq!((vendor_paid(&alone), local_rows(&alone)), (vec![1999, 1999], vec![1999]));
    assert!(breaks(&alone, Property::BooksAgree));

    assert_eq!(codes(&held, "leased"), told([(0, "leased"), (0, "leased")]));
    assert_eq!(codes(&held, "connected"), told([(0, "connected"), (10_000, "connected")]));
    assert_eq!(calls(&held), [0, 10_000]);
    assert_eq!(calls(&free), [0, 0]);
}
