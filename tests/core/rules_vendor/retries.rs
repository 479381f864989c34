//! Rules 48 to 53: what is tried again, how often, after how long; the same run again.

use super::{
    NOTHING, Schedule, answers, breaks, calls, codes, end, local_rows, play, scenarios, told,
    vendor_paid,
};
use at_least_once::lesson::Session;
use at_least_once::model::backoff::{Backoff, Jitter, Kind};
use at_least_once::model::vendor::Known;
use at_least_once::random::{Address, Draws, Purpose};
use at_least_once::sim::property::Property;
use at_least_once::units::Span;
use std::collections::BTreeSet;

pub(super) const SCHEDULES: &[&[Schedule]] =
    &[&RULE_48, &UNHEARD, &FOR_EVER, &RULE_49, &RULE_50, &RULE_51, &RULE_52];

const LOST: (&str, &str) = ("faults", "0:reply-lost");
const TIMEOUT: (&str, &str) = ("client.timeout", "5s");

const RULE_48: [Schedule; 3] = [
    ("rule 48: again with the same key", &[LOST, TIMEOUT]),
    ("rule 48: again with a new key", &[LOST, TIMEOUT, ("key", "per-attempt")]),
    ("rule 48: taken for failed", &[LOST, TIMEOUT, ("retry.on_no_answer", "final")]),
];

/// Rule 48: no answer means "unknown": try again with the same key.
#[test]
fn a_request_that_landed_without_an_answer_is_tried_again_with_its_key() {
    let [right, new_key, failed] = RULE_48.map(play);
    for session in [&right, &new_key, &failed] {
        assert_eq!(codes(session, "no-answer"), told([(5_000, "no-answer")]));
        assert_eq!(codes(session, "paid")[0].0, 0, "the request landed");
    }
    assert_eq!(answers(&right), [(5_000, "replayed", 201)]);
    assert_eq!((vendor_paid(&right), local_rows(&right)), (vec![1999], vec![1999]));
    assert_eq!(vendor_paid(&new_key), [1999, 1999]);
    // The books differ: paid, and given up.
    assert_eq!(codes(&failed, "failed"), told([(5_000, "failed.no-answer")]));
    assert_eq!((vendor_paid(&failed), local_rows(&failed)), (vec![1999], vec![]));
    assert_eq!(codes(&failed, "dead").len(), 1);
}

const UNHEARD: [Schedule; 5] = [
    ("rule 48: two replies lost", &[TWICE, TIMEOUT]),
    ("rule 48: two replies lost, accounts", &[TWICE, TIMEOUT, ("job.accounts", "2")]),
    (
        "rule 48: a late call that the vendor knows",
        &[TIMEOUT, ("faults", "0:reply-lost 1:late~1s")],
    ),
    ("rule 48: a row sent twice, two replies lost", &[TWICE, TIMEOUT, ("effect", "outbox")]),
    ("rule 48: a refusal that is lost", &[TWICE, TIMEOUT, ("vendor.down_until", "1s")]),
];
const TWICE: (&str, &str) = ("faults", "0:reply-lost 1:reply-lost");

/// Rule 48: a call that is still on its way is not under way at the vendor. The retry under its key
/// is paid, and the call itself gets that answer when it comes; a row that is sent again too.
#[test]
fn a_call_that_has_not_arrived_holds_nobody_up() {
    const LATE: (&str, &str) = ("faults", "0:late~1m");
    const CASES: [Schedule; 2] = [
        ("a call that is late", &[LATE, TIMEOUT]),
        ("a row whose call is late", &[LATE, TIMEOUT, ("effect", "outbox")]),
    ];
    for case in CASES {
        let (name, _) = case;
        let session = play(case);
        let (paid, late) = (codes(&session, "paid"), codes(&session, "late-call"));
        assert_eq!((paid.len(), late.len()), (1, 1), "{name}");
        assert!(paid[0].0 < late[0].0, "{name}: paid at {} ms, late {} ms", paid[0].0, late[0].0);
        assert!(answers(&session).iter().all(|answer| answer.2 == 201), "{:?}", answers(&session));
        assert_eq!(vendor_paid(&session), [1999], "{name}");
    }
}

/// Rule 48: what the vendor did with a call is told whether or not its reply arrives.
#[test]
fn what_the_vendor_did_is_told_although_nobody_hears_of_it() {
    let replays = |session: &Session| {
        let payments = session.report(usize::MAX).payments;
        payments.into_iter().map(|payment| payment.replays).collect::<Vec<_>>()
    };
    let lost = |session: &Session| codes(session, "reply-lost");
    let [twice, accounts, late, rows, refused] = UNHEARD.map(play);
    let expected = told([(0, "reply-lost.ran"), (5_000, "reply-lost.replayed")]);
    for session in [&twice, &accounts] {
        assert_eq!(lost(session), expected);
        // Three calls: one payment, and two answers given again.
        assert_eq!((calls(session).len(), replays(session)), (3, vec![2]));
    }
    let expected = told([(0, "reply-lost.ran"), (6_000, "reply-lost.replayed")]);
    assert_eq!(lost(&late), expected);
    assert_eq!((calls(&late).len(), replays(&late)), (3, vec![2]));
    assert_eq!(
        lost(&rows).into_iter().map(|(_, code)| code).collect::<Vec<_>>(),
        ["reply-lost.ran", "reply-lost.replayed"]
    );
    assert_eq!(replays(&rows), [2]);
    assert_eq!(lost(&refused)[0], (0, "reply-lost.refused".to_owned()));
    assert_eq!(lost(&refused)[1], (5_000, "reply-lost.ran".to_owned()));
    // What waits for a reply that will come loses none, however long it takes.
    let slow: Schedule = ("a slow vendor", &[("vendor.time", "20s"), ("client.timeout", "5s")]);
    assert_eq!(lost(&play(slow)), []);
}

const FOR_EVER: [Schedule; 5] = [
    ("rule 48: a worker waits for ever", &[LOST, SLOW, NO_TIMEOUT]),
    ("rule 48: a relay waits for ever", &[LOST, SLOW, NO_TIMEOUT, ("effect", "outbox")]),
    ("rule 48: a late call, waited for for ever", &[A_SECOND_LATE, SLOW, NO_TIMEOUT]),
    (
        "rule 48: a late call that is refused",
        &[A_SECOND_LATE, NO_TIMEOUT, ("vendor.down_until", "2s"), ("effect", "outbox")],
    ),
    ("rule 48: a reply lost at once", &[LOST, NO_TIMEOUT]),
];
const SLOW: (&str, &str) = ("vendor.time", "1s");
const A_SECOND_LATE: (&str, &str) = ("faults", "0:late~1s");
const NO_TIMEOUT: (&str, &str) = ("client.timeout", "0s");

/// Rule 48: who waits for ever hears that a reply is lost when it is, and not before.
#[test]
fn nobody_hears_of_a_loss_before_it() {
    let heard = FOR_EVER.map(|schedule| {
        let told = codes(&play(schedule), "").into_iter();
        let since =
            told.skip_while(|(_, code)| !["paid.first", "reply-lost.refused"].contains(&&**code));
        since.take(3).collect::<Vec<_>>()
    });
    let lost =
        |at, heard: &'static str| told([(at, "paid.first"), (at, "reply-lost.ran"), (at, heard)]);
    assert_eq!(heard[0], lost(1_000, "no-answer"));
    assert_eq!(heard[1], lost(1_100, "not-published.no-answer"));
    assert_eq!(heard[2], lost(2_000, "no-answer"));
    assert_eq!(
        heard[3][..2],
        told([(1_100, "reply-lost.refused"), (1_100, "not-published.no-answer")])
    );
    assert_eq!(heard[4], lost(0, "no-answer"));
    assert_eq!(codes(&play(FOR_EVER[4]), "no-answer").len(), 1);
}

const RULE_49: [Schedule; 15] = [
    ("rule 49: 400", &[("faults", "*:answer-400")]),
    ("rule 49: 401", &[("faults", "*:answer-401")]),
    ("rule 49: 402", &[("faults", "*:answer-402")]),
    ("rule 49: 404", &[("faults", "*:answer-404")]),
    ("rule 49: 422", &[("faults", "*:answer-422")]),
    ("rule 49: 409", &[("faults", "*:answer-409")]),
    ("rule 49: 408", &[("faults", "*:answer-408")]),
    ("rule 49: 425", &[("faults", "*:answer-425")]),
    ("rule 49: 429", &[("faults", "*:answer-429")]),
    ("rule 49: 500", &[("faults", "*:answer-500")]),
    ("rule 49: 502", &[("faults", "*:answer-502")]),
    ("rule 49: 503", &[("faults", "*:answer-503")]),
    ("rule 49: 504", &[("faults", "*:answer-504")]),
    ("rule 49: no answer", &[("faults", "*:reply-lost"), TIMEOUT]),
    ("rule 49: 400, tried again", &[("faults", "*:answer-400"), ("retry.on_4xx", "retry")]),
];

/// Rule 49: no answer, 408, 425, 429 and 5xx are tried again; other 4xx are final, and so is a 409
/// that is no conflict in progress (rule 26 has one that is).
#[test]
fn a_permanent_error_goes_straight_to_the_dead_letters() {
    let expected = [1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5, 5];
    for (schedule, expected) in RULE_49.into_iter().zip(expected) {
        let session = play(schedule);
        assert_eq!(calls(&session).len(), expected, "{}", schedule.0);
        assert_eq!(codes(&session, "failed").len(), usize::from(expected == 1), "{}", schedule.0);
        assert_eq!(codes(&session, "dead").len(), 1, "{}", schedule.0);
        assert_eq!(local_rows(&session), NOTHING, "{}", schedule.0);
        let useless = schedule.0.ends_with("tried again");
        assert_eq!(breaks(&session, Property::NotRetried), useless, "{}", schedule.0);
    }
}

const DOUBLING: [(&str, &str); 2] = [("backoff.kind", "exponential"), ("backoff.cap", "20s")];
const TWENTY: [(&str, &str); 3] =
    [("job.count", "20"), ("workers.count", "20"), ("faults", "0:answer-503")];

const RULE_50: [Schedule; 4] = [
    (
        "rule 50: 80 waits without jitter",
        &[
            DOUBLING[0],
            DOUBLING[1],
            ("backoff.base", "100us"),
            ("backoff.jitter", "none"),
            ("faults", "*:answer-503"),
            ("queue.max_attempts", "81"),
        ],
    ),
    (
        "rule 50: 80 waits with full jitter",
        &[
            DOUBLING[0],
            DOUBLING[1],
            ("backoff.base", "100us"),
            ("backoff.jitter", "full"),
            ("faults", "*:answer-503"),
            ("queue.max_attempts", "81"),
        ],
    ),
    (
        "rule 50: 20 fail at once, no jitter",
        &[
            DOUBLING[0],
            DOUBLING[1],
            TWENTY[0],
            TWENTY[1],
            TWENTY[2],
            ("backoff.base", "10s"),
            ("backoff.jitter", "none"),
        ],
    ),
    (
        "rule 50: 20 fail at once, full jitter",
        &[
            DOUBLING[0],
            DOUBLING[1],
            TWENTY[0],
            TWENTY[1],
            TWENTY[2],
            ("backoff.base", "10s"),
            ("backoff.jitter", "full"),
        ],
    ),
];

/// min(cap, base · 2^n) in numbers that have room for it.
fn bound(n: u32) -> u64 {
    let grown = 100_u128 << n;
    u64::try_from(grown.min(20_000_000)).expect("within the cap")
}

/// Rule 50: the wait is a whole number within [0, min(cap, base · 2^n)] for every n, without
/// overflow; without jitter all come back at once.
#[test]
fn no_wait_is_above_its_bound_and_jitter_spreads() {
    assert!(100_u64.checked_mul(1 << 57).is_some() && 100_u64.checked_mul(1 << 58).is_none());
    let [plain, full, together, spread] = RULE_50.map(play);
    let waits = |session: &Session| {
        let given = session.records().into_iter().filter(|record| record.event == "gave-back");
        given.filter_map(|record| record.wait_us).collect::<Vec<u64>>()
    };
    let bounds: Vec<u64> = (0..80).map(bound).collect();
    assert_eq!(waits(&plain)[..80], bounds);
    assert_eq!(codes(&plain, "dead").len(), 1);
    assert!(waits(&full)[..80].iter().zip(&bounds).all(|(wait, bound)| wait <= bound));
    assert!(waits(&full)[20..80].windows(2).any(|pair| pair[1] < pair[0]), "it need not rise");
    // What is drawn from ends at the cap: the waits do not pile up on it.
    assert!(waits(&full)[20..80].iter().all(|wait| *wait < 20_000_000));

    let again = |session: &Session| {
        let called = session.records().into_iter().filter(|record| record.event == "called");
        let later = called.filter(|record| record.attempt == Some(1));
        later.map(|record| record.at_us).collect::<Vec<u64>>()
    };
    assert_eq!(again(&together), [10_000_000; 20], "one tick with 20 calls");
    let moments: BTreeSet<u64> = again(&spread).into_iter().collect();
    assert!(moments.len() == 20 && moments.iter().all(|at| *at <= 10_000_000), "{moments:?}");
    let (first, last) = (moments.first().expect("20"), moments.last().expect("20"));
    assert!(last - first > 5_000_000, "{moments:?}");
}

/// Rule 50, for every jitter and many seeds, up to the largest attempt number there is.
#[test]
fn no_draw_is_above_the_cap() {
    let cap = Span::from_secs(20);
    let jitters = [
        Jitter::None,
        Jitter::Full,
        Jitter::Equal,
        Jitter::Decorrelated,
        Jitter::Percent(20),
        Jitter::Downward(20),
        Jitter::Additive(Span::from_secs(1)),
    ];
    for jitter in jitters {
        let base = Span::from_micros(100);
        let backoff = Backoff { kind: Kind::Exponential, base, cap, jitter, ..Backoff::default() };
        for n in (0..80).chain([u32::MAX]) {
            for seed in 0..50 {
                let at = Address { attempt: n, ..Address::new(Purpose::Backoff) };
                let wait = backoff.delay(n, Some(cap), &Draws::new(seed), at);
                assert!(wait <= cap, "{jitter:?} after {n}: {wait}");
            }
        }
    }
}

const RULE_51: [Schedule; 2] = [
    ("rule 51: 3 tries, 5 deliveries", &[("client.tries", "3"), ("vendor.down_until", "1d")]),
    ("rule 51: 1 try, 5 deliveries", &[("client.tries", "1"), ("vendor.down_until", "1d")]),
];

/// Rule 51: layers of retries multiply.
#[test]
fn three_tries_in_five_deliveries_are_fifteen_calls() {
    let [layers, one] = RULE_51.map(play);
    for (session, expected) in [(&layers, 15), (&one, 5)] {
        assert_eq!(calls(session).len(), expected);
        assert!(
            answers(session).iter().all(|(_, how, status)| (*how, *status) == ("refused", 503))
        );
        assert_eq!((codes(session, "leased").len(), codes(session, "dead").len()), (5, 1));
        assert_eq!(vendor_paid(session), NOTHING);
    }
}

const LATE: (&str, &str) = ("faults", "0:late~60s");
const UNDONE: (&str, &str) = ("vendor.undo", "50s");

const RULE_52: [Schedule; 3] = [
    ("rule 52: a late original", &[LATE, TIMEOUT, UNDONE]),
    ("rule 52: a late original, no key", &[LATE, TIMEOUT, UNDONE, ("key", "none")]),
    ("rule 52: a late original, forgotten", &[LATE, TIMEOUT, UNDONE, ("vendor.key_life", "30s")]),
];

/// Rule 52: an original that comes late must not revive what was since undone.
#[test]
fn a_late_original_does_not_bring_back_what_was_undone() {
    let [right, no_key, forgotten] = RULE_52.map(play);
    for session in [&right, &no_key, &forgotten] {
        assert_eq!(calls(session), [0, 5_000]);
        assert_eq!(codes(session, "paid")[0], (5_000, "paid.first".to_owned()), "the retry");
        assert_eq!(codes(session, "undone"), told([(50_000, "undone")]));
        assert_eq!(codes(session, "late-call"), told([(60_000, "late-call")]));
    }
    let undone = |session: &Session| {
        end(session).vendor().payments().iter().map(|payment| payment.undone).collect::<Vec<_>>()
    };
    assert_eq!(undone(&right), [true], "nothing is made again");
    let answer = |known: &Known| matches!(known, Known::Stored { status: 201, .. });
    assert!(end(&right).vendor().keys().all(|(_, known)| answer(known)), "an equivalent answer");
    assert_eq!(undone(&no_key), [true, false]);
    assert_eq!(undone(&forgotten), [true, false]);
}

/// A call whose answer is lost, or that is late, takes as long as it would have taken: a fault
/// leaves every draw as it was.
#[test]
fn a_call_that_nobody_hears_of_takes_its_drawn_time() {
    for spread in ["uniform", "exponential"] {
        let paid = |seed: &str, faults| {
            let given: &[(&str, &str)] = &[
                ("vendor.time", "10s"),
                ("slice.spread", spread),
                ("seed", seed),
                ("faults", faults),
                ("client.timeout", "1h"),
                ("queue.visibility_timeout", "1d"),
            ];
            let session = Session::new("double-refund", &[&super::GROUND[..], given].concat());
            let records = session.expect("allowed").records();
            let paid = records.into_iter().find(|record| record.event == "paid");
            paid.expect("it arrives").at_us
        };
        let seeds = ["1", "2", "3"];
        let taken = seeds.map(|seed| paid(seed, "none"));
        assert!(taken[0] != taken[1] && taken[1] != taken[2], "{spread}: {taken:?}");
        assert_eq!(seeds.map(|seed| paid(seed, "0:reply-lost")), taken, "{spread}");
        let late = taken.map(|us| us + 60_000_000);
        assert_eq!(seeds.map(|seed| paid(seed, "0:late~60s")), late, "{spread}");
    }
}

/// Rule 53: the same version, seed and settings give the same trace, byte for byte. That it is so
/// on every engine is shown where the shipped build runs.
#[test]
fn the_same_settings_give_the_same_trace() {
    let mut names = BTreeSet::new();
    for (name, given) in scenarios() {
        let given: Vec<(&str, &str)> =
            given.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let trace = || Session::new("double-refund", &given).expect(name).trace();
        assert_eq!(trace(), trace(), "{name}");
        assert!(names.insert(name), "{name} is there twice");
    }
    let rules = |name: &&str| name.split_once(':').expect("rule N: ...").0.to_owned();
    assert_eq!(names.iter().map(rules).collect::<BTreeSet<_>>().len(), 30, "rules 23 to 52");
    // And another seed gives another one, where something is drawn.
    let [.., spread] = RULE_50;
    let (one, mut other) = (play(spread), play(spread));
    other.set("seed", "12").expect("allowed");
    assert_ne!(one.trace(), other.trace());
}
