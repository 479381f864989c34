//! Forty workers under a deploy: how many calls are made again, and when.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::{Given, Variant};
use crate::random::Draws;
use crate::sim::event::{Event, Sink};
use crate::sim::scenario::Scenario;
use crate::sim::settings::Settings;
use crate::units::Moment;

/// The width of a bar, in milliseconds.
const BUCKET_MS: u64 = 100;
const SEEDS: u32 = 100;
const WORKERS: u64 = 40;

/// Forty calls that began together and are still under way at the deploy.
const BUSY: Given = &[
    ("effect", "vendor"),
    ("key", "stable"),
    ("job.count", "40"),
    ("job.arrivals", "at-once"),
    ("workers.count", "40"),
    ("slice.think", "0s"),
    ("slice.write", "1s"),
    ("vendor.time", "15s"),
    ("vendor.slots", "0"),
    ("queue.visibility_timeout", "30s"),
    ("queue.expiry_backoff", "off"),
    ("workers.heartbeat", "0s"),
    ("deploy.at", "10s"),
    ("deploy.stop", "ack"),
    ("deploy.grace", "0s"),
];

const WAYS: &[Variant] = &[
    Variant { id: "kill", given: &[("deploy.kind", "kill")] },
    Variant {
        id: "kill-jitter",
        given: &[
            ("deploy.kind", "kill"),
            ("queue.expiry_backoff", "on"),
            ("backoff.kind", "exponential"),
            ("backoff.base", "10s"),
            ("backoff.jitter", "full"),
        ],
    },
    Variant { id: "grace", given: &[("deploy.kind", "drain"), ("deploy.grace", "3s")] },
    Variant { id: "drain", given: &[("deploy.kind", "drain")] },
];

/// The calls that are made again in each 100 ms, from the seed in force.
pub const STORM: Study = Study {
    id: "storm",
    parts: 4,
    x: StudyAxis { name: "time", unit: "ms", scale: 1 },
    y: StudyAxis { name: "calls", unit: "", scale: 1 },
    places: &[],
    play: |settings, part| {
        let way = &WAYS[part as usize];
        let mut series = Series::new(way.id);
        for (bucket, calls) in buckets(settings, way, 0) {
            series.add([bucket * BUCKET_MS, calls]);
        }
        vec![series]
    },
};

/// The most calls that are made again in one 100 ms: the mean of many seeds.
pub const PEAK: Study = Study {
    id: "peak",
    parts: 4,
    x: StudyAxis { name: "workers", unit: "", scale: 1 },
    y: StudyAxis { name: "peak", unit: "", scale: SEEDS },
    places: &[],
    play: |settings, part| {
        let way = &WAYS[part as usize];
        let mut series = Series::new(way.id);
        for seed in 0..SEEDS {
            let highest = buckets(settings, way, seed).into_iter().map(|(_, calls)| calls).max();
            series.add([WORKERS, highest.unwrap_or(0)]);
        }
        vec![series]
    },
};

/// The buckets with calls that are made again, and how many.
fn buckets(settings: &Settings, way: &Variant, seed: u32) -> Vec<(u64, u64)> {
    let mut seen = Again::default();
    play(from_seed(scenario(settings, &[BUSY, way.given]), seed), &mut seen);
    seen.buckets
}

/// The scenario with a seed that is so many after its own.
fn from_seed(mut scenario: Scenario, seed: u32) -> Scenario {
    scenario.draws = Draws::new(scenario.draws.seed().wrapping_add(seed.into()));
    scenario
}

#[derive(Default)]
struct Again {
    buckets: Vec<(u64, u64)>,
}

impl Sink for Again {
    fn event(&mut self, at: Moment, event: Event) {
        let Event::Called { by, .. } = event else { return };
        if by.attempt == 0 {
            return;
        }
        let bucket = at.as_micros() / 1000 / BUCKET_MS;
        match self.buckets.last_mut() {
            Some((last, calls)) if *last == bucket => *calls += 1,
            _ => self.buckets.push((bucket, 1)),
        }
    }
}
