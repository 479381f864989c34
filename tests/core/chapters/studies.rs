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

/// The ceiling rises to the cap; what is drawn stays under it, and need not rise.
#[test]
fn only_the_ceiling_rises() {
    let study = whole("backoff", "waits", &[("backoff.jitter", "full")]);
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
