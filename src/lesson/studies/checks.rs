//! The five tests that a consumer of a queue needs, each a run under the settings in force with
//! one thing that goes wrong. A test in which that thing did not happen says nothing.

use super::{Series, Study, StudyAxis, scenario};
use crate::lesson::experiments::Given;
use crate::sim::event::{Event, Sink};
use crate::sim::scenario::{Effect, Scenario};
use crate::sim::settings::Settings;
use crate::sim::world::World;
use crate::units::Moment;
use std::sync::Arc;

/// More steps than a run of a test has that comes to an end.
const MOST_STEPS: u64 = 20_000;

/// A test.
struct Check {
    given: Given,
    /// The event that shows that what it is about has happened.
    happened: fn(&Event) -> bool,
    /// How many jobs are to be given up: the first ones.
    dead: usize,
}

const IDS: &[&str] = &["ack-lost", "crash-between", "slow-worker", "reply-lost", "poison"];

const ALL: [Check; 5] = [
    Check {
        given: &[("faults", "0:ack-lost")],
        happened: |event| matches!(event, Event::AckLost(_)),
        dead: 0,
    },
    Check {
        given: &[("faults", "0:after-call 0:after-write 0:relay-between")],
        happened: |event| matches!(event, Event::Crashed { .. } | Event::RelayCrashed { .. }),
        dead: 0,
    },
    // It stands still past the end of its lease, and then goes on.
    Check {
        given: &[
            ("faults", "0:pause:before-call~45s 0:pause:before-write~45s"),
            ("queue.visibility_timeout", "30s"),
            ("workers.heartbeat", "0s"),
        ],
        happened: |event| matches!(event, Event::Expired { .. }),
        dead: 0,
    },
    // A message that is sent again is at attempt 0 again, and would meet the same fault.
    Check {
        given: &[("faults", "0:reply-lost"), ("client.timeout", "5s"), ("retry.how", "nack")],
        happened: |event| {
            matches!(event, Event::NoAnswer(_) | Event::NotPublished { status: None, .. })
        },
        dead: 0,
    },
    Check {
        given: &[("faults", "0/*:throw:before-call 0/*:throw:before-write"), ("job.count", "3")],
        happened: |event| matches!(event, Event::GaveBack { .. } | Event::SentAgain(_)),
        dead: 1,
    },
];

/// What every test has in common.
const COMMON: Given = &[
    ("job.count", "1"),
    ("job.arrivals", "at-once"),
    ("workers.count", "3"),
    ("faults.rate", "0"),
    ("deploy.at", "0s"),
];

/// Which of the tests hold. One in which nothing happened has no point.
pub const CHECKS: Study = Study {
    id: "checks",
    parts: 5,
    x: StudyAxis { name: "check", unit: "", scale: 1 },
    y: StudyAxis { name: "holds", unit: "", scale: 1 },
    places: IDS,
    play: |settings, part| {
        let mut series = Series::new("holds");
        if let Some(holds) = ALL[part as usize].holds(settings) {
            series.add([part.into(), holds.into()]);
        }
        vec![series]
    },
};

/// Whether every test holds.
#[must_use]
pub fn all_hold(settings: &Settings) -> bool {
    ALL.iter().all(|check| check.holds(settings) == Some(true))
}

impl Check {
    /// Whether the run comes to an end, gives up whom it should and nobody else, and pays everybody
    /// else what is owed and no more; none if nothing happened.
    fn holds(&self, settings: &Settings) -> Option<bool> {
        let scenario = Arc::new(scenario(settings, &[COMMON, self.given]));
        let mut seen = Seen {
            check: self,
            effect: scenario.effect,
            paid: vec![0; scenario.workload.jobs as usize],
            happened: false,
            dead: 0,
        };
        let mut rules: &Scenario = &scenario;
        let mut world = World::new(Arc::clone(&scenario), &mut seen);
        let ended = world.run(&mut rules, &mut seen, MOST_STEPS) < MOST_STEPS;
        let owed = scenario.owed().as_cents();
        let paid = seen.paid.iter().skip(self.dead).all(|cents| *cents == owed);
        seen.happened.then_some(ended && paid && seen.dead == self.dead)
    }
}

/// What happened in a test, and what each job was paid where the money moves.
struct Seen<'a> {
    check: &'a Check,
    effect: Effect,
    paid: Vec<u64>,
    happened: bool,
    dead: usize,
}

impl Sink for Seen<'_> {
    fn event(&mut self, _: Moment, event: Event) {
        self.happened |= (self.check.happened)(&event);
        let (job, cents) = match event {
            Event::Paid { job, cents, .. } => (job, cents),
            Event::Wrote { by, cents, .. } if self.effect == Effect::Ledger => (by.job, cents),
            Event::Dead { .. } => {
                self.dead += 1;
                return;
            }
            _ => return,
        };
        if let Some(paid) = self.paid.get_mut(job.0 as usize) {
            *paid += cents.as_cents();
        }
    }
}
