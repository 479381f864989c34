//! What a worker makes of each kind of answer: a row for each, under the settings in force.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::Given;
use crate::sim::event::{Event, Sink};
use crate::units::Moment;

/// An answer, and how it comes about.
struct Case {
    id: &'static str,
    given: Given,
}

const CASES: &[Case] = &[
    Case { id: "answer-503", given: &[("faults", "0:answer-503 1:answer-503")] },
    Case { id: "answer-429", given: &[("faults", "0:answer-429")] },
    // The vendor takes longer than the worker waits: its second call meets the first.
    Case {
        id: "in-progress",
        given: &[
            ("vendor.time", "8s"),
            ("client.timeout", "5s"),
            ("backoff.kind", "fixed"),
            ("backoff.base", "1s"),
            ("backoff.jitter", "none"),
        ],
    },
    Case { id: "silence", given: &[("faults", "0:reply-lost"), ("client.timeout", "5s")] },
    Case { id: "answer-400", given: &[("faults", "*:answer-400")] },
    Case { id: "answer-402", given: &[("faults", "*:answer-402")] },
];

/// One job and a vendor that is well, but for what a case has go wrong.
const PLAIN: Given = &[
    ("effect", "vendor"),
    ("job.count", "1"),
    ("faults", "none"),
    ("vendor.time", "1s"),
    ("vendor.slots", "0"),
    ("vendor.down_until", "0s"),
];

/// How many calls an answer costs, how often the vendor pays, and whether the job is given up.
pub const ANSWERS: Study = Study {
    id: "answers",
    parts: 6,
    x: StudyAxis { name: "outcome", unit: "", scale: 1 },
    y: StudyAxis { name: "count", unit: "", scale: 1 },
    places: &["calls", "payments", "dead"],
    play: |settings, part| {
        let case = &CASES[part as usize];
        let mut seen = Seen::default();
        play(scenario(settings, &[PLAIN, case.given]), &mut seen);
        let mut series = Series::new(case.id);
        for (place, count) in (0..).zip([seen.calls, seen.payments, seen.dead]) {
            series.add([place, count]);
        }
        vec![series]
    },
};

#[derive(Default)]
struct Seen {
    calls: u64,
    payments: u64,
    dead: u64,
}

impl Sink for Seen {
    fn event(&mut self, _: Moment, event: Event) {
        match event {
            Event::Called { .. } => self.calls += 1,
            Event::Paid { .. } => self.payments += 1,
            Event::Dead { .. } => self.dead += 1,
            _ => {}
        }
    }
}
