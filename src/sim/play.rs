//! Play: the driver that takes the earliest, with the verdict that the fault rules give, unless
//! a link says that another event came there.

use super::choice::{Choice, Choices, Chooser};
use super::event::{Counter, Event};
use super::link::Differing;
use super::property::{PROPERTIES, Property};
use super::scenario::Scenario;
use super::trace::Trace;
use super::world::World;
use crate::units::{Moment, Span};
use std::sync::Arc;

/// A recorded run stops here, finished or not.
pub const MOST_STEPS: u32 = 20_000;
/// A run stops once the clock has passed this: 100 years, well within what a script's number
/// holds exactly.
pub const HORIZON: Span = Span::from_secs(100 * 365 * 86_400);

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing was left to do.
    Done,
    /// It was cut at [`MOST_STEPS`] or [`HORIZON`].
    Cut,
}

impl Ended {
    /// The name in data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Cut => "cut",
        }
    }
}

/// A property that a run broke, and where it first did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which.
    pub property: Property,
    /// At which step.
    pub step: u32,
    /// When.
    pub at: Moment,
}

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happened.
    pub trace: Trace,
    /// How it ended.
    pub ended: Ended,
    /// The properties it broke, each where it first did.
    pub broken: Vec<Broken>,
    /// The differing choices that were not pending at their step; the earliest was taken.
    pub missed: Vec<Differing>,
}

/// Plays a scenario to its end and records it.
///
/// `differing` names the steps at which another event is taken than the earliest.
#[must_use]
pub fn play(scenario: &Arc<Scenario>, differing: &[Differing]) -> Run {
    let mut recorder = Recorder::new(scenario);
    let mut rules: &Scenario = scenario;
    let mut choices = Choices::new();
    let mut missed = Vec::new();
    let ended = loop {
        if recorder.is_over_budget() {
            break Ended::Cut;
        }
        recorder.trace.next_step();
        let step = recorder.trace.step();
        if differing.is_empty() {
            if !recorder.world.advance(&mut rules, &mut recorder.trace) {
                break Ended::Done;
            }
        } else {
            recorder.world.choices(&mut choices);
            let Some(mut choice) = earliest(&choices, &mut rules, &recorder.world) else {
                break Ended::Done;
            };
            for other in differing.iter().filter(|other| other.step == step) {
                match other.find(&choices) {
                    Some(named) => choice = named,
                    None => missed.push(*other),
                }
            }
            recorder.world.apply(&choice, &mut recorder.trace);
        }
        recorder.check();
    };
    Run { trace: recorder.trace, ended, broken: recorder.broken, missed }
}

/// Takes exactly these choices, and records what happens.
#[must_use]
pub fn take(scenario: &Arc<Scenario>, path: &[Choice]) -> Trace {
    let mut trace = Trace::default();
    let mut world = World::new(Arc::clone(scenario), &mut trace);
    for choice in path {
        trace.next_step();
        world.apply(choice, &mut trace);
    }
    trace
}

/// What a link has to say so that play takes this path: the steps at which it differs from what
/// play would have taken there.
#[must_use]
pub fn differing(scenario: &Arc<Scenario>, path: &[Choice]) -> Vec<Differing> {
    let mut sink = Counter::default();
    let mut world = World::new(Arc::clone(scenario), &mut sink);
    let mut rules: &Scenario = scenario;
    let mut choices = Choices::new();
    let mut out = Vec::new();
    for (step, choice) in (1..).zip(path) {
        world.choices(&mut choices);
        let earliest = earliest(&choices, &mut rules, &world);
        if !earliest.is_some_and(|earliest| earliest.is_same(choice)) {
            out.push(Differing::new(step, choice, &choices));
        }
        world.apply(choice, &mut sink);
    }
    out
}

/// The first of the choices that the chooser agrees to.
fn earliest(choices: &[Choice], chooser: &mut impl Chooser, world: &World) -> Option<Choice> {
    let agreed = |choice: &&Choice| match world.site(choice) {
        Some(site) => chooser.verdict(&site) == choice.verdict,
        None => true,
    };
    choices.iter().find(agreed).copied()
}

/// Plays one seed without recording, and counts.
pub fn count(scenario: &Arc<Scenario>) -> (Counter, World) {
    let mut counter = Counter::default();
    let mut rules: &Scenario = scenario;
    let mut world = World::new(Arc::clone(scenario), &mut counter);
    world.run(&mut rules, &mut counter, u64::from(MOST_STEPS));
    (counter, world)
}

struct Recorder {
    world: World,
    trace: Trace,
    broken: Vec<Broken>,
}

impl Recorder {
    fn new(scenario: &Arc<Scenario>) -> Self {
        let mut trace = Trace::default();
        let world = World::new(Arc::clone(scenario), &mut trace);
        Self { world, trace, broken: Vec::new() }
    }

    fn is_over_budget(&self) -> bool {
        self.trace.step() >= MOST_STEPS || self.world.now() > Moment::ZERO.after(HORIZON)
    }

    /// Checks what the step that was just taken may have broken: of a large run, that is what
    /// holds of the jobs that it names.
    fn check(&mut self) {
        let step = self.trace.step();
        let entries = self.trace.entries().iter().rev();
        let events: Vec<&Event> =
            entries.take_while(|it| it.step == step).map(|it| &it.event).collect();
        let is_of_jobs = !events.is_empty() && events.iter().all(|it| is_of_one_job(it));
        for property in PROPERTIES {
            let known = self.broken.iter().any(|broken| broken.property == property);
            let holds = || {
                if property == Property::Conserved || !is_of_jobs {
                    return property.holds(&self.world);
                }
                let mut jobs = events.iter().filter_map(|it| it.job());
                jobs.all(|job| property.holds_for(&self.world, job))
            };
            if !known && !holds() {
                self.broken.push(Broken { property, step, at: self.world.now() });
            }
        }
    }
}

/// Whether an event says nothing of other jobs than the one that it names. That somebody is back
/// is about none.
fn is_of_one_job(event: &Event) -> bool {
    let is_back = matches!(event, Event::Restarted { .. } | Event::RelayBack { .. });
    is_back || event.job().is_some()
}
