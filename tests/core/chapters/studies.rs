use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::EXPERIMENTS;
use at_least_once::lesson::studies::{Series, StudyPart};

fn whole(experiment: &str, id: &str, given: &[(&str, &str)]) -> StudyPart {
    let session = Session::new(experiment, given).expect("allowed");
    session.experiment().study(id).expect("a study").whole(session.settings())
}

fn series<'a>(study: &'a StudyPart, id: &str) -> &'a Series {
    study.series.iter().find(|series| series.id == id).expect("a series")
}

/// Every retry is in a bar, once: fifty clients, six each.
#[test]
fn the_bars_have_every_retry() {
    let study = whole("backoff", "retries", &[]);
    assert_eq!(study.series.len(), 4);
    for series in &study.series {
        let sum: u64 = series.points.iter().map(|point| point[1]).sum();
        assert_eq!(sum, 300, "{}", series.id);
    }
    let together = series(&study, "exponential");
    let starts = [1_000, 3_000, 7_000, 15_000, 31_000, 61_000];
    assert_eq!(together.points, starts.map(|start| [start, 50]));
}

/// What is compared is exponential, as its names say, also where the reader has chosen otherwise.
#[test]
fn jitter_is_compared_on_the_same_backoff_whatever_is_chosen() {
    for id in ["retries", "waits", "last"] {
        let own = whole("backoff", id, &[]);
        for kind in ["none", "fixed", "list"] {
            let chosen = whole("backoff", id, &[("backoff.kind", kind)]);
            assert_eq!(chosen.series, own.series, "{id} with {kind}");
        }
        let base = whole("backoff", id, &[("backoff.base", "3s")]);
        assert_ne!(base.series, own.series, "{id} is of the base in force");
    }
}

/// The ceiling rises to the cap; what is drawn stays under it, and need not rise.
#[test]
fn only_the_ceiling_rises() {
    let study = whole("backoff", "waits", &[]);
    let ceiling = series(&study, "ceiling");
    assert_eq!(
        ceiling.points,
        [[1, 1_000], [2, 2_000], [3, 4_000], [4, 8_000], [5, 16_000], [6, 30_000]]
    );
    let mut falls = false;
    for id in ["job_17", "job_18", "job_19"] {
        let drawn = series(&study, id);
        assert_eq!(drawn.points.len(), 6);
        for (wait, most) in drawn.points.iter().zip(&ceiling.points) {
            assert!(wait[1] <= most[1], "{id} waited {wait:?}");
        }
        falls |= drawn.points.windows(2).any(|pair| pair[1][1] < pair[0][1]);
    }
    assert!(falls, "a later wait that is shorter: {study:?}");
}

/// The longer the timeout, the fewer duplicates and the longer the wait after a crash.
#[test]
fn a_timeout_has_its_price_on_either_side() {
    let study = whole("timeout-too-long", "trade-off", &[]);
    let dots: Vec<[u64; 2]> =
        study.series.iter().flat_map(|series| series.points.clone()).collect();
    assert_eq!(dots.len(), 9);
    for pair in dots.windows(2) {
        assert!(pair[0][0] < pair[1][0] && pair[0][1] >= pair[1][1], "{pair:?}");
    }
    assert!(dots[0][1] > 1_000 && dots[8][1] == 0, "{dots:?}");
}

/// The matrix: each design with a crash at each place that it has.
#[test]
fn the_checkpoints_place_by_the_place_of_the_crash() {
    let study = whole("checkpoint", "places", &[]);
    // It is the same wherever the reader has left the settings that it is about.
    let opening = whole("checkpoint", "places", EXPERIMENTS[5].ticket);
    assert_eq!(opening, study);
    let outbox = [("effect", "outbox"), ("relay.key", "send"), ("key", "none")];
    assert_eq!(whole("checkpoint", "places", &outbox), study);
    assert_eq!(
        study.places,
        ["before-call", "after-call", "after-write", "after-checkpoint", "relay-between"]
    );
    let row = |id| (0..5).map(|place| series(&study, id).at(place)).collect::<Vec<_>>();
    let (lost, once, twice, no_such_place) = (Some(0), Some(1), Some(2), None);
    assert_eq!(row("before-skip"), [lost, once, once, no_such_place, no_such_place]);
    assert_eq!(row("before-mint"), [once, twice, twice, no_such_place, no_such_place]);
    assert_eq!(row("after"), [once, twice, twice, once, no_such_place]);
    assert_eq!(row("after-key"), [once, once, once, once, no_such_place]);
    assert_eq!(row("outbox"), [once, no_such_place, no_such_place, once, once]);
}

/// A part depends on the settings and its number alone, and one that there is not says nothing.
#[test]
fn parts_can_be_played_in_any_order() {
    for experiment in EXPERIMENTS {
        let settings = experiment.settings();
        for study in experiment.studies {
            let last = study.parts - 1;
            let (late, early) = (study.part(&settings, last), study.part(&settings, 0));
            assert_eq!(late, study.part(&settings, last), "{}", study.id);
            assert_eq!(early.done, last == 0, "{}", study.id);
            assert!(late.done && !late.series.is_empty(), "{}", study.id);
            for beyond in [study.parts, u32::MAX] {
                let part = study.part(&settings, beyond);
                assert!(part.done && part.series.is_empty(), "{}", study.id);
            }
        }
    }
    let refusal = EXPERIMENTS[2].study("speed").expect_err("no such study");
    assert_eq!((refusal.field.as_str(), refusal.value.as_str()), ("study", "speed"));
}

/// The decision table follows the settings: what is taken for a no costs one call.
#[test]
fn what_an_answer_costs_is_what_the_settings_make_of_it() {
    let row = |given: &[(&str, &str)], id: &str| {
        let study = whole("errors", "answers", given);
        (0..3).map(|place| series(&study, id).at(place).expect("a count")).collect::<Vec<_>>()
    };
    // Calls, payments, dead letters.
    assert_eq!(row(&[], "answer-503"), [3, 1, 0]);
    assert_eq!(row(&[], "answer-429"), [2, 1, 0]);
    assert_eq!(row(&[], "in-progress"), [3, 1, 0]);
    assert_eq!(row(&[], "silence"), [2, 1, 0]);
    assert_eq!(row(&[], "answer-400"), [1, 0, 1]);
    assert_eq!(row(&[], "answer-402"), [1, 0, 1]);
    assert_eq!(row(&[("retry.on_4xx", "retry")], "answer-400"), [5, 0, 1]);
    assert_eq!(row(&[("retry.on_no_answer", "final")], "silence"), [1, 1, 1]);
    assert_eq!(row(&[("key", "per-attempt")], "silence"), [2, 2, 0]);
}

/// Leases that began together end together; a random wait spreads what follows.
#[test]
fn a_killed_crew_comes_back_at_once_and_a_drained_one_need_not() {
    let study = whole("drain", "storm", &[]);
    assert_eq!(series(&study, "kill").points, [[30_000, 40]]);
    assert_eq!(series(&study, "grace").points, [[30_000, 40]]);
    assert!(series(&study, "drain").points.is_empty());
    let spread = &series(&study, "kill-jitter").points;
    assert_eq!(spread.iter().map(|point| point[1]).sum::<u64>(), 40, "everybody comes back");
    assert!(spread.iter().all(|point| point[0] < 40_000 && point[1] < 8), "{spread:?}");
}

/// Nobody has a connection that is not there, and whoever waits for one has a lease that runs.
#[test]
fn a_pool_is_never_more_than_full() {
    for pool in ["1", "5", "20"] {
        let study = whole("open-transaction", "connections", &[("pool", pool)]);
        let (in_use, waiting) = (series(&study, "in-use"), series(&study, "waiting"));
        let most: u64 = pool.parse().expect("a number");
        assert!(in_use.points.iter().all(|point| point[1] <= most), "{in_use:?}");
        assert_eq!(in_use.at(0), Some(most));
        assert_eq!(waiting.at(0), Some(20 - most));
        assert_eq!(in_use.points.last().map(|point| point[1]), Some(0), "all are given back");
    }
}

/// A test in which its fault did not happen is neither green nor red.
#[test]
fn a_check_that_did_not_happen_says_nothing() {
    let holds = |given: &[(&str, &str)]| {
        let study = whole("runs-twice", "checks", given);
        (0..5).map(|place| series(&study, "holds").at(place)).collect::<Vec<_>>()
    };
    let (yes, no) = (Some(1), Some(0));
    assert_eq!(holds(&[("key", "stable")]), [yes; 5]);
    assert_eq!(holds(&[]), [no, no, no, no, yes]);
    // No call is made to the vendor, so no reply can be lost.
    let ledger = holds(&[("effect", "ledger"), ("guard", "on")]);
    assert_eq!(ledger, [yes, yes, yes, None, yes]);
    let unguarded = holds(&[("effect", "ledger"), ("guard", "off")]);
    assert_eq!(unguarded, [no, no, no, None, yes]);
    // A check and an insert in two steps stand a crash, but not two workers at once.
    let racy = holds(&[("guard", "check-then-insert"), ("retry.how", "nack")]);
    assert_eq!(racy[2], no, "{racy:?}");
    assert_eq!(holds(&[("key", "stable"), ("queue.max_attempts", "4294967295")])[4], no);
}

/// A look before the call is about the refund whose turn it is: the second is no repeat of the
/// first.
#[test]
fn who_asks_the_vendor_asks_for_each_refund() {
    let two = [("key", "stable"), ("job.second_amount", "500"), ("guard", "ask-the-vendor")];
    let calm = Session::new("two-ledgers", &[&two[..], &[("faults", "none")]].concat());
    let verdict = calm.expect("allowed").summary().verdict;
    assert_eq!((verdict.vendor_rows, verdict.paid_cents, verdict.ok), (Some(2), 2499, true));
    let forgotten = [("vendor.test_clock", "20s")];
    let torn = Session::new("two-ledgers", &[&two[..], &forgotten].concat());
    let verdict = torn.expect("allowed").summary().verdict;
    assert_eq!((verdict.vendor_rows, verdict.books_agree, verdict.ok), (Some(2), Some(true), true));
}

/// What the chapter sets by hand is what such a broker does.
#[test]
fn exactly_once_on_a_label_pays_twice_without_a_key() {
    let run = |key, broker| {
        let given = [("transaction", "off"), ("key", key), ("broker", broker)];
        Session::new("open-transaction", &given).expect("allowed").summary().verdict
    };
    for broker in ["standard", "fifo", "exactly-once", "bullmq"] {
        assert_eq!(run("none", broker).vendor_rows, Some(2), "{broker}");
        assert_eq!(run("stable", broker).vendor_rows, Some(1), "{broker}");
    }
}
