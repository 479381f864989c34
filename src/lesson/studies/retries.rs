//! How clients that failed together come back: when, how many at once, at what cost.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::{Given, Variant, backoff::WAYS};
use crate::random::Draws;
use crate::sim::event::{Event, Sink};
use crate::sim::scenario::Scenario;
use crate::sim::settings::Settings;
use crate::units::{JobIndex, Moment};

/// The width of a bar, in milliseconds.
const BUCKET_MS: u64 = 100;
/// How many seeds a part plays.
const SEEDS_A_PART: u32 = 25;
const PEAK_SEEDS: u32 = 400;
const SEEDS: u32 = 100;
/// How many clients the picture of the waits follows.
const FOLLOWED: [&str; 3] = ["job_17", "job_18", "job_19"];

/// Six instant retries that all fail.
const ALL_FAIL: Given = &[
    ("faults", "*:answer-503"),
    ("queue.max_attempts", "7"),
    ("vendor.time", "0s"),
    ("vendor.slots", "0"),
];
/// A wait from nothing to the ceiling.
const FULL: Given = &[("backoff.kind", "exponential"), ("backoff.jitter", "full")];
/// A vendor that is down for a minute, and then has room for everybody.
const DOWN: Given =
    &[("vendor.down_until", "60s"), ("vendor.slots", "0"), ("queue.max_attempts", "4294967295")];

const fn axis(name: &'static str, unit: &'static str, scale: u32) -> StudyAxis {
    StudyAxis { name, unit, scale }
}

/// How many retries come in each 100 ms, from the seed in force.
pub const RETRIES: Study = Study {
    id: "retries",
    parts: 4,
    x: axis("time", "ms", 1),
    y: axis("retries", "", 1),
    places: &[],
    play: |settings, part| {
        let way = retrying(part);
        let mut series = Series::new(way.id);
        for (bucket, retries) in buckets(settings, way, 0) {
            series.add([bucket * BUCKET_MS, retries]);
        }
        vec![series]
    },
};

/// The most retries that come in one 100 ms: the mean of many seeds.
pub const PEAK: Study = Study {
    id: "peak",
    parts: 4 * PEAK_SEEDS / SEEDS_A_PART,
    x: axis("clients", "", 1),
    y: axis("peak", "", PEAK_SEEDS),
    places: &[],
    play: |settings, part| {
        let way = retrying(part % 4);
        let mut series = Series::new(way.id);
        let clients = scenario(settings, &[]).workload.jobs;
        for seed in seeds(part / 4) {
            let highest = buckets(settings, way, seed).into_iter().map(|(_, retries)| retries);
            series.add([clients.into(), highest.max().unwrap_or(0)]);
        }
        vec![series]
    },
};

/// A vendor with little room: how many calls it gets, and how many jobs are given up.
pub const CAPACITY: Study = Study {
    id: "capacity",
    parts: 5 * SEEDS / SEEDS_A_PART,
    x: axis("outcome", "", 1),
    y: axis("count", "", SEEDS),
    places: &["calls", "dead"],
    play: |settings, part| {
        let way = &WAYS[part as usize % WAYS.len()];
        let mut series = Series::new(way.id);
        for seed in seeds(part / 5) {
            let mut seen = Seen::default();
            play(from_seed(settings, &[way.given], seed), &mut seen);
            series.add([0, seen.calls]);
            series.add([1, seen.dead]);
        }
        vec![series]
    },
};

/// A vendor that is back after a minute: when the last client finds out, with the cap and without.
pub const LAST: Study = Study {
    id: "last",
    parts: 8,
    x: axis("cap", "", 1),
    y: axis("last", "ms", SEEDS),
    places: &["capped", "uncapped"],
    play: |settings, part| {
        let way = retrying(part % 4);
        let uncapped = part / 4;
        let cap: Given = if uncapped > 0 { &[("backoff.cap", "30d")] } else { &[] };
        let mut series = Series::new(way.id);
        for seed in 0..SEEDS {
            let mut seen = Seen::default();
            play(from_seed(settings, &[way.given, DOWN, cap], seed), &mut seen);
            series.add([uncapped.into(), seen.last.as_micros() / 1000]);
        }
        vec![series]
    },
};

/// How long a few clients wait before each retry under full jitter, and the most that they may.
pub const WAITS: Study = Study {
    id: "waits",
    parts: 1,
    x: axis("retry", "", 1),
    y: axis("wait", "ms", 1),
    places: &[],
    play: |settings, _| {
        let scenario = scenario(settings, &[FULL, ALL_FAIL]);
        let backoff = scenario.backoff.clone();
        let mut waits = Waits { series: FOLLOWED.map(Series::new) };
        play(scenario, &mut waits);
        let mut ceiling = Series::new("ceiling");
        for (attempt, [retry, _]) in (0..).zip(&waits.series[0].points) {
            ceiling.add([*retry, backoff.ceiling(attempt, None).as_micros() / 1000]);
        }
        let mut series = vec![ceiling];
        series.extend(waits.series);
        series
    },
};

/// The ways that wait at all.
fn retrying(part: u32) -> &'static Variant {
    &WAYS[1 + part as usize]
}

fn seeds(chunk: u32) -> std::ops::Range<u32> {
    chunk * SEEDS_A_PART..(chunk + 1) * SEEDS_A_PART
}

/// A scenario whose seed is so many after the one in force.
fn from_seed(settings: &Settings, given: &[Given], seed: u32) -> Scenario {
    let mut scenario = scenario(settings, given);
    scenario.draws = Draws::new(scenario.draws.seed().wrapping_add(seed.into()));
    scenario
}

/// The retries of one run in which all fail: the buckets that have some, and how many.
fn buckets(settings: &Settings, way: &Variant, seed: u32) -> Vec<(u64, u64)> {
    let mut seen = Seen::default();
    play(from_seed(settings, &[way.given, ALL_FAIL], seed), &mut seen);
    seen.buckets
}

/// What a run's calls come to.
#[derive(Default)]
struct Seen {
    calls: u64,
    dead: u64,
    last: Moment,
    buckets: Vec<(u64, u64)>,
}

impl Sink for Seen {
    fn event(&mut self, at: Moment, event: Event) {
        match event {
            Event::Called { by, .. } => {
                self.calls += 1;
                self.last = at;
                if by.attempt == 0 {
                    return;
                }
                let bucket = at.as_micros() / 1000 / BUCKET_MS;
                match self.buckets.last_mut() {
                    Some((last, retries)) if *last == bucket => *retries += 1,
                    _ => self.buckets.push((bucket, 1)),
                }
            }
            Event::Dead { .. } => self.dead += 1,
            _ => {}
        }
    }
}

struct Waits {
    series: [Series; FOLLOWED.len()],
}

impl Sink for Waits {
    fn event(&mut self, _: Moment, event: Event) {
        let Event::GaveBack { by, wait: Some(wait) } = event else { return };
        let JobIndex(job) = by.job;
        if let Some(series) = self.series.get_mut(job as usize).filter(|_| by.attempt < 6) {
            series.add([u64::from(by.attempt) + 1, wait.as_micros() / 1000]);
        }
    }
}
