//! The length of a lease: what a short one costs, and what a long one.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::Given;
use crate::sim::event::{Event, Sink};
use crate::sorted::Sorted;
use crate::units::{JobIndex, Moment};

/// A thousand jobs of about 20 s, of which one in fifty loses its worker.
const MANY: Given = &[
    ("job.count", "1000"),
    ("job.arrivals", "exponential"),
    ("job.gap", "2s"),
    ("workers.count", "50"),
    ("workers.heartbeat", "0s"),
    ("guard", "off"),
    ("faults", "none"),
    ("faults.rate", "20000"),
    ("faults.rate_of", "before-write"),
    ("checkpoint", "none"),
    ("queue.max_attempts", "4294967295"),
    ("slice.think", "0s"),
    ("slice.write", "20s"),
    ("slice.spread", "exponential"),
    ("slice.ack", "0s"),
];

const TIMEOUTS: [&str; 9] = ["10s", "20s", "30s", "1m", "90s", "2m", "5m", "10m", "30m"];

/// Duplicates against the wait after a crash, for timeouts from 10 s to half an hour.
pub const TRADE_OFF: Study = Study {
    id: "trade-off",
    parts: 9,
    x: StudyAxis { name: "recovery", unit: "ms", scale: 1 },
    y: StudyAxis { name: "duplicates", unit: "", scale: 1 },
    places: &[],
    play: |settings, part| {
        let timeout = TIMEOUTS[part as usize];
        let mut seen = Seen::default();
        let mut settings = settings.clone();
        settings.give(&[("queue.visibility_timeout", timeout)]);
        play(scenario(&settings, &[MANY]), &mut seen);
        let mut series = Series::new(timeout);
        series.add([seen.waited_ms / seen.recoveries.max(1), seen.duplicates]);
        vec![series]
    },
};

#[derive(Default)]
struct Seen {
    duplicates: u64,
    crashed: Sorted<JobIndex, Moment>,
    recoveries: u64,
    waited_ms: u64,
}

impl Sink for Seen {
    fn event(&mut self, at: Moment, event: Event) {
        match event {
            Event::Wrote { again: true, .. } => self.duplicates += 1,
            Event::Crashed { by, .. } => _ = self.crashed.insert(by.job, at),
            Event::Leased { by, .. } => {
                if let Some(crash) = self.crashed.remove(&by.job) {
                    self.recoveries += 1;
                    self.waited_ms += at.since(crash).as_micros() / 1000;
                }
            }
            _ => {}
        }
    }
}
