//! Twenty jobs and a pool of database connections: who holds one, who waits for one, who is done.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::Given;
use crate::sim::event::{Event, Sink};
use crate::units::Moment;

/// Twenty jobs at once, a worker for each, and nothing that goes wrong.
const TWENTY: Given = &[
    ("job.count", "20"),
    ("job.arrivals", "at-once"),
    ("workers.count", "20"),
    ("faults", "none"),
    ("faults.rate", "0"),
];
const HELD: Given = &[("transaction", "on")];
const SHORT: Given = &[("transaction", "off")];

const TIME: StudyAxis = StudyAxis { name: "time", unit: "ms", scale: 1 };

/// How many connections are in use, and how many workers wait for one, with a transaction that is
/// held across the whole slice.
pub const CONNECTIONS: Study = Study {
    id: "connections",
    parts: 1,
    x: TIME,
    y: StudyAxis { name: "connections", unit: "", scale: 1 },
    places: &[],
    play: |settings, _| {
        let mut seen = Seen::default();
        play(scenario(settings, &[TWENTY, HELD]), &mut seen);
        vec![seen.in_use.series("in-use"), seen.waiting.series("waiting")]
    },
};

/// How many jobs are done by when, with the transaction held and with a short one at the end.
pub const THROUGHPUT: Study = Study {
    id: "throughput",
    parts: 2,
    x: TIME,
    y: StudyAxis { name: "done", unit: "", scale: 1 },
    places: &[],
    play: |settings, part| {
        let (id, given) = if part == 0 { ("held", HELD) } else { ("short", SHORT) };
        let mut seen = Seen::default();
        play(scenario(settings, &[TWENTY, given]), &mut seen);
        vec![seen.done.series(id)]
    },
};

/// A number that changes, and what it is from each millisecond on at which it does.
#[derive(Default)]
struct Level {
    now: u64,
    steps: Vec<[u64; 2]>,
}

impl Level {
    fn set(&mut self, at: Moment, now: u64) {
        self.now = now;
        let ms = at.as_micros() / 1000;
        match self.steps.last_mut() {
            Some([last, number]) if *last == ms => *number = now,
            _ => self.steps.push([ms, now]),
        }
    }

    fn series(self, id: &'static str) -> Series {
        Series { id, points: self.steps }
    }
}

#[derive(Default)]
struct Seen {
    in_use: Level,
    waiting: Level,
    done: Level,
}

impl Sink for Seen {
    fn event(&mut self, at: Moment, event: Event) {
        match event {
            Event::Leased { .. } => self.waiting.set(at, self.waiting.now + 1),
            Event::Connected(_) => {
                self.in_use.set(at, self.in_use.now + 1);
                self.waiting.set(at, self.waiting.now.saturating_sub(1));
            }
            Event::Acked { .. } => {
                self.in_use.set(at, self.in_use.now.saturating_sub(1));
                self.done.set(at, self.done.now + 1);
            }
            Event::GaveBack { .. } | Event::Failed { .. } => {
                self.in_use.set(at, self.in_use.now.saturating_sub(1));
            }
            _ => {}
        }
    }
}
