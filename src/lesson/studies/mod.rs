//! Studies: many runs at once, in parts that are short enough for a page to stay awake.
//!
//! Every part is made of the settings and its own number alone, so parts can be played in any
//! order, stopped, and played again. What they say is added up: points of one series with the same
//! x are one point. All of it is whole numbers; a value is its sum divided by the axis' scale.

pub mod answers;
pub mod checks;
pub mod places;
pub mod pool;
pub mod replays;
pub mod retries;
pub mod storm;
pub mod timeouts;

use super::experiments::Given;
use crate::json::data;
use crate::sim::event::Sink;
use crate::sim::scenario::Scenario;
use crate::sim::settings::Settings;
use crate::sim::world::World;
use std::sync::Arc;

/// More steps than any run of a study has; one without an end is left here.
const MOST_STEPS: u64 = 400_000;

data! {
    /// What is laid along one side of a study's picture.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct StudyAxis {
        /// Its name in the texts.
        pub name: &'static str,
        /// `ms`, or empty for what is counted.
        pub unit: &'static str,
        /// What every value is divided by.
        pub scale: u32,
    }
}

data! {
    /// One line, or one row of bars.
    #[derive(Clone, PartialEq, Eq)]
    pub struct Series {
        /// Its name in the texts.
        pub id: &'static str,
        /// Pairs of x and y.
        pub points: Vec<[u64; 2]>,
    }
}

data! {
    /// What one part of a study says.
    #[derive(Clone, PartialEq, Eq)]
    pub struct StudyPart {
        /// The study.
        pub id: &'static str,
        /// How many parts it has.
        pub parts: u32,
        /// Which part this is, from 0.
        pub part: u32,
        /// Whether it is the last.
        pub done: bool,
        /// What lies along the bottom.
        pub x: StudyAxis,
        /// What rises.
        pub y: StudyAxis,
        /// The names of the places along the bottom, x = 0, 1, …; empty where x is a quantity.
        pub places: Vec<&'static str>,
        /// The series.
        pub series: Vec<Series>,
    }
}

/// A study.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// Its name.
    pub id: &'static str,
    /// How many parts it has.
    pub parts: u32,
    /// What lies along the bottom.
    pub x: StudyAxis,
    /// What rises.
    pub y: StudyAxis,
    /// The names of the places along the bottom.
    pub places: &'static [&'static str],
    /// Plays a part.
    play: fn(&Settings, u32) -> Vec<Series>,
}

impl Study {
    /// Plays a part, starting from these settings. A part that there is not says nothing.
    #[must_use]
    pub fn part(&self, settings: &Settings, part: u32) -> StudyPart {
        StudyPart {
            id: self.id,
            parts: self.parts,
            part,
            done: part.saturating_add(1) >= self.parts,
            x: self.x,
            y: self.y,
            places: self.places.to_vec(),
            series: if part < self.parts { (self.play)(settings, part) } else { Vec::new() },
        }
    }

    /// Plays every part and adds up what they say.
    #[must_use]
    pub fn whole(&self, settings: &Settings) -> StudyPart {
        let mut whole = self.part(settings, 0);
        for part in 1..self.parts {
            let StudyPart { part, done, series, .. } = self.part(settings, part);
            (whole.part, whole.done) = (part, done);
            for from in series {
                match whole.series.iter_mut().find(|series| series.id == from.id) {
                    Some(into) => from.points.iter().for_each(|point| into.add(*point)),
                    None => whole.series.push(from),
                }
            }
        }
        whole
    }
}

impl Series {
    /// No points yet.
    #[must_use]
    pub fn new(id: &'static str) -> Self {
        Self { id, points: Vec::new() }
    }

    /// Adds a point to what is there at its x.
    pub fn add(&mut self, [x, y]: [u64; 2]) {
        match self.points.binary_search_by_key(&x, |point| point[0]) {
            Ok(place) => self.points[place][1] += y,
            Err(place) => self.points.insert(place, [x, y]),
        }
    }

    /// The value at x, if there is one.
    #[must_use]
    pub fn at(&self, x: u64) -> Option<u64> {
        let place = self.points.binary_search_by_key(&x, |point| point[0]).ok()?;
        Some(self.points[place][1])
    }
}

/// A scenario from settings with a study's own on top.
fn scenario(settings: &Settings, given: &[Given]) -> Scenario {
    let mut settings = settings.clone();
    for given in given {
        settings.give(given);
    }
    Scenario::new(&settings)
}

/// Plays a scenario to its end, telling a sink.
fn play(scenario: Scenario, sink: &mut dyn Sink) {
    let scenario = Arc::new(scenario);
    let mut rules: &Scenario = &scenario;
    let mut world = World::new(Arc::clone(&scenario), sink);
    world.run(&mut rules, sink, MOST_STEPS);
}
