//! A recorded run: every event with its moment and its step.

use super::event::{Event, Sink};
use crate::units::Moment;

/// An event in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When it happened.
    pub at: Moment,
    /// At which step of the world, from 1; what is there at the start has 0.
    pub step: u32,
    /// What happened.
    pub event: Event,
}

/// A sink that keeps everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    entries: Vec<Entry>,
    step: u32,
}

impl Trace {
    /// The events, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The events that come belong to the next step.
    pub fn next_step(&mut self) {
        self.step += 1;
    }

    /// The step that events belong to now.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The moment of the last event; 0 before the first.
    #[must_use]
    pub fn end(&self) -> Moment {
        self.entries.last().map_or(Moment::ZERO, |entry| entry.at)
    }

    /// How many events have happened at `moment` or before.
    #[must_use]
    pub fn count_until(&self, moment: Moment) -> usize {
        self.entries.partition_point(|entry| entry.at <= moment)
    }
}

impl Sink for Trace {
    fn event(&mut self, at: Moment, event: Event) {
        let step = self.step;
        self.entries.push(Entry { at, step, event });
    }
}
