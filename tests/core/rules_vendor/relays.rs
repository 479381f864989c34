//! Rule 42, the other side: a relay is a client like any other. Its receiver may be down, full or
//! slow, and its answer may be lost; what was not published is not marked, and is tried again.

use super::{NOTHING, Schedule, breaks, codes, end, play, told, vendor_paid};
use at_least_once::lesson::Session;
use at_least_once::sim::explore::{Bounds, Goal, explore};
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;

pub(super) const SCHEDULES: &[&[Schedule]] = &[&DOWN, &BUSY, &UNANSWERED, &SLOW, &USELESS];

const OUTBOX: (&str, &str) = ("effect", "outbox");
const NO_KEY: (&str, &str) = ("key", "none");
const FORGETS_ROWS: (&str, &str) = ("relay.dedup", "off");
const MARKS_FIRST: (&str, &str) = ("relay.order", "mark-then-publish");
const TWO_RELAYS: (&str, &str) = ("relay.count", "2");
const STEPS_OF_1_S: (&str, &str) = ("relay.time", "1s");
const AGAIN_AFTER_4_S: [(&str, &str); 3] =
    [("backoff.kind", "fixed"), ("backoff.base", "4s"), ("backoff.jitter", "none")];
const DOWN_UNTIL_10_S: [(&str, &str); 2] =
    [("vendor.down_until", "10s"), ("vendor.refusal_time", "0s")];

fn published(session: &Session) -> Vec<(u64, String)> {
    let codes = codes(session, "").into_iter();
    let kept = |code: &str| code.contains("published") || code == "marked" || code == "relay-read";
    codes.filter(|(_, code)| kept(code)).collect()
}

/// Whether each row is marked at the end.
fn marked(session: &Session) -> Vec<bool> {
    end(session).outbox().iter().map(|row| row.marked).collect()
}

const DOWN: [Schedule; 3] = [
    (
        "rule 42: publish, then mark, the receiver is down",
        &[
            OUTBOX,
            STEPS_OF_1_S,
            DOWN_UNTIL_10_S[0],
            DOWN_UNTIL_10_S[1],
            AGAIN_AFTER_4_S[0],
            AGAIN_AFTER_4_S[1],
            AGAIN_AFTER_4_S[2],
        ],
    ),
    (
        "rule 42: mark, then publish, the receiver is down",
        &[OUTBOX, STEPS_OF_1_S, DOWN_UNTIL_10_S[0], DOWN_UNTIL_10_S[1], MARKS_FIRST],
    ),
    (
        "rule 42: publish, then mark, waits that double",
        &[
            OUTBOX,
            STEPS_OF_1_S,
            DOWN_UNTIL_10_S[0],
            DOWN_UNTIL_10_S[1],
            ("backoff.kind", "exponential"),
            ("backoff.base", "1s"),
            ("backoff.jitter", "none"),
        ],
    ),
];

/// A receiver that is down takes nothing: a row that is marked afterwards stays and is sent again,
/// after the backoff, until it is back; a row that was marked first is lost.
#[test]
fn what_a_receiver_that_is_down_refuses_is_not_marked() {
    let [right, lost, doubling] = DOWN.map(play);
    let expected = told([
        (0, "relay-read"),
        (1_000, "not-published.refused"),
        (5_000, "relay-read"),
        (6_000, "not-published.refused"),
        (10_000, "relay-read"),
        (11_000, "published.new"),
        (12_000, "marked"),
    ]);
    assert_eq!(published(&right), expected);
    assert_eq!(codes(&right, "paid"), told([(11_000, "paid.first")]));
    assert_eq!(marked(&right), [true]);
    assert!(!breaks(&right, Property::NotLost));

    let expected = told([(0, "relay-read"), (1_000, "marked"), (2_000, "not-published.refused")]);
    assert_eq!(published(&lost), expected);
    assert_eq!((vendor_paid(&lost), marked(&lost)), (NOTHING.to_vec(), vec![true]));
    assert!(breaks(&lost, Property::NotLost));

    // A second to send, and then 1 s, 2 s and 4 s.
    let read: Vec<u64> = codes(&doubling, "relay-read").into_iter().map(|(at, _)| at).collect();
    assert_eq!(read, [0, 2_000, 5_000, 10_000]);
}

const BUSY: [Schedule; 1] = [(
    "rule 42: two relays, the receiver has one slot",
    &[
        OUTBOX,
        TWO_RELAYS,
        STEPS_OF_1_S,
        ("job.count", "2"),
        ("vendor.time", "3s"),
        ("vendor.slots", "1"),
        ("vendor.refusal_time", "500ms"),
        AGAIN_AFTER_4_S[0],
        AGAIN_AFTER_4_S[1],
        AGAIN_AFTER_4_S[2],
    ],
)];

/// A receiver that is full refuses, and takes its time for that. Two relays read the first row at
/// once, because neither has a lease on it; the other row waits until one of them is free.
#[test]
fn what_a_busy_receiver_refuses_is_sent_again() {
    let [session] = BUSY.map(play);
    let refused = codes(&session, "not-published.refused");
    assert_eq!(refused[0], (1_500, "not-published.refused".to_owned()), "1 s to send, 0.5 s more");
    assert_eq!(codes(&session, "paid")[0], (4_000, "paid.first".to_owned()), "3 s at the vendor");
    assert_eq!(vendor_paid(&session), [1999, 1999]);
    assert_eq!(marked(&session), [true, true]);
    // One slot: no two calls run at once.
    let paid: Vec<u64> = codes(&session, "paid").into_iter().map(|(at, _)| at).collect();
    assert!(paid[1] - paid[0] >= 3_000, "{paid:?}");
}

const LOST: (&str, &str) = ("faults", "0:reply-lost");
const TIMEOUT: (&str, &str) = ("client.timeout", "5s");

const UNANSWERED: [Schedule; 5] = [
    ("rule 42: no answer, dedup by row", &[OUTBOX, STEPS_OF_1_S, LOST, TIMEOUT, NO_KEY]),
    ("rule 42: no answer, a key in the row", &[OUTBOX, STEPS_OF_1_S, LOST, TIMEOUT, FORGETS_ROWS]),
    (
        "rule 42: no answer, nobody knows the row",
        &[OUTBOX, STEPS_OF_1_S, LOST, TIMEOUT, FORGETS_ROWS, NO_KEY],
    ),
    (
        "rule 42: no answer, marked first",
        &[OUTBOX, STEPS_OF_1_S, LOST, TIMEOUT, FORGETS_ROWS, NO_KEY, MARKS_FIRST],
    ),
    (
        "rule 42: an answer of 503",
        &[OUTBOX, STEPS_OF_1_S, ("faults", "0:answer-503"), FORGETS_ROWS, NO_KEY],
    ),
];

/// No answer means "unknown": the row is not marked, and whoever gets it a second time has to know
/// it. A status in the answer's place is a refusal.
#[test]
fn a_row_without_an_answer_is_sent_again() {
    let [by_row, by_key, twice, first, refused] = UNANSWERED.map(play);
    for (session, code) in
        [(&by_row, "published.known"), (&by_key, "published.known"), (&twice, "published.new")]
    {
        let expected = told([
            (0, "relay-read"),
            (6_000, "not-published.no-answer"),
            (6_000, "relay-read"),
            (7_000, code),
            (8_000, "marked"),
        ]);
        assert_eq!(published(session), expected);
        assert_eq!(codes(session, "paid")[0], (1_000, "paid.first".to_owned()), "it did arrive");
    }
    assert_eq!((vendor_paid(&by_row), vendor_paid(&by_key)), (vec![1999], vec![1999]));
    assert_eq!(vendor_paid(&twice), [1999, 1999]);
    // Marked first, it is never sent again, and for once that is well.
    assert_eq!(codes(&first, "relay-read").len(), 1);
    assert_eq!(vendor_paid(&first), [1999]);

    assert_eq!(codes(&refused, "not-published"), told([(1_000, "not-published.refused")]));
    assert_eq!(codes(&refused, "paid"), told([(2_000, "paid.first")]));
}

const SLOW: [Schedule; 4] = [
    (
        "rule 42: two relays, a slow receiver, dedup by row",
        &[
            OUTBOX,
            TWO_RELAYS,
            STEPS_OF_1_S,
            NO_KEY,
            ("vendor.time", "3s"),
            ("backoff.kind", "none"),
        ],
    ),
    (
        "rule 42: two relays, a slow receiver, nobody knows the row",
        &[OUTBOX, TWO_RELAYS, STEPS_OF_1_S, NO_KEY, FORGETS_ROWS, ("vendor.time", "3s")],
    ),
    (
        "rule 42: the relay dies while the receiver runs",
        &[OUTBOX, STEPS_OF_1_S, NO_KEY, ("vendor.time", "3s"), ("faults", "0:during-call")],
    ),
    (
        "rule 42: the relay gives up on a slow receiver",
        &[OUTBOX, STEPS_OF_1_S, NO_KEY, ("vendor.time", "3s"), ("client.timeout", "2s")],
    ),
];

/// The second sending of a row that is under way is a conflict, not a success: had it been marked,
/// a failure of the first would have lost it.
#[test]
fn a_row_that_is_under_way_is_a_conflict() {
    let [known, forgotten, dies, gives_up] = SLOW.map(play);
    let conflicts = codes(&known, "not-published");
    assert!(!conflicts.is_empty() && conflicts.iter().all(|(at, _)| (1_000..4_000).contains(at)));
    let statuses = known.records().into_iter().filter_map(|record| record.status);
    assert!(statuses.eq(conflicts.iter().map(|_| 409)));
    assert_eq!(codes(&known, "paid"), told([(4_000, "paid.first")]));
    assert_eq!(
        codes(&forgotten, "paid"),
        told([(4_000, "paid.first"), (4_000, "paid.again")]),
        "both run"
    );

    assert_eq!(codes(&dies, "relay-crashed"), told([(1_000, "relay-crashed")]));
    assert_eq!(codes(&dies, "paid"), told([(4_000, "paid.first")]), "the receiver goes on");
    assert_eq!(codes(&dies, "published").last(), Some(&(4_000, "published.known".to_owned())));
    assert_eq!(codes(&gives_up, "not-published")[0].1, "not-published.no-answer");
    assert_eq!(codes(&gives_up, "paid"), told([(4_000, "paid.first")]));
    assert_eq!((marked(&dies), marked(&gives_up)), (vec![true], vec![true]));
}

const USELESS: [Schedule; 1] = [(
    "rule 42: a row that will always be refused",
    &[OUTBOX, STEPS_OF_1_S, NO_KEY, ("vendor.key_required", "on"), ("vendor.down_until", "2s")],
)];

/// A relay has no dead letters: a row that is refused for good is sent for ever, and a property
/// says so. A refusal for a while is none of these.
#[test]
fn a_row_that_is_refused_for_good_is_sent_for_ever() {
    let [session] = USELESS.map(play);
    assert_eq!(session.summary().ended, "cut");
    assert_eq!((vendor_paid(&session), marked(&session)), (NOTHING.to_vec(), vec![false]));
    let statuses = || session.records().into_iter().filter_map(|record| record.status);
    assert_eq!(statuses().next(), Some(503));
    assert!(statuses().skip(2).all(|status| status == 400));
    let broken = session.run().broken.iter().find(|it| it.property == Property::NotRetried);
    let at = broken.expect("it is tried again").at.as_micros();
    let refused = session.records().into_iter().find(|record| record.status == Some(400));
    assert!(at > refused.expect("a 400").at_us, "the first is none too many");
}

/// In any order of events, with a receiver that is down at the start and an answer that is lost:
/// publish, then mark, with dedup, pays once and loses nothing; mark, then publish, loses a row
/// without any crash.
#[test]
fn in_any_order_only_what_was_published_is_marked() {
    let search = |order, goal, crashes| {
        let mut settings = Settings::default();
        for (path, text) in super::GROUND.into_iter().chain([
            OUTBOX,
            NO_KEY,
            TWO_RELAYS,
            ("relay.time", "0s"),
            ("relay.order", order),
            ("queue.max_attempts", "2"),
            ("vendor.down_until", "10s"),
        ]) {
            settings.set(path, text).expect("allowed");
        }
        let bounds = Bounds { crashes, losses: 1, ..Bounds::default() };
        explore(&Scenario::new(&settings), &[Goal::Breaks(goal)], &bounds)
    };
    for goal in [Property::PaidOnce, Property::NotLost] {
        let found = search("publish-then-mark", goal, 1);
        assert!(found.complete && found.violation.is_none(), "{goal:?}: {found:?}");
    }
    let found = search("mark-then-publish", Property::NotLost, 0);
    let violation = found.violation.expect("a row that was marked and refused");
    // Lease, start, ack; read, mark, publish.
    assert_eq!(violation.path.len(), 6);
}
