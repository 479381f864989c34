//! What a search looks for, and what it finds.

use crate::sim::choice::Choice;
use crate::sim::property::{PROPERTIES, Property};

/// What a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// A state in which a property does not hold.
    Breaks(Property),
    /// A state from which, with no further crash, no path leads to an end.
    Stuck,
}

/// Every goal.
pub const GOALS: [Goal; 7] = [
    Goal::Breaks(PROPERTIES[0]),
    Goal::Breaks(PROPERTIES[1]),
    Goal::Breaks(PROPERTIES[2]),
    Goal::Breaks(PROPERTIES[3]),
    Goal::Breaks(PROPERTIES[4]),
    Goal::Breaks(PROPERTIES[5]),
    Goal::Stuck,
];

impl Goal {
    /// The name of what is broken.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaks(property) => property.name(),
            Self::Stuck => "not-stuck",
        }
    }
}

/// A run that reaches a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which goal.
    pub goal: Goal,
    /// The steps to it: none shorter reaches it.
    pub path: Vec<Choice>,
    /// For a state that is stuck: how it goes on from there.
    pub lasso: Option<Lasso>,
}

/// How it goes on from a state that is stuck, within the bounds: round in a circle, or to where
/// nothing more can happen. It is one way of many, and none of them finishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The steps.
    pub steps: Vec<Choice>,
    /// How many of them lead to the circle that the others are; none if there is no circle.
    pub circle: Option<usize>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether everything within the bounds was visited.
    pub complete: bool,
    /// How many states were visited.
    pub states: usize,
    /// How many steps the longest shortest path has.
    pub depth: u32,
    /// From how many states it only goes on with an end that is beyond the bounds. They are neither
    /// ends nor stuck: what would follow was not looked at.
    pub left: usize,
    /// The first violation, if there is one.
    pub violation: Option<Violation>,
}
