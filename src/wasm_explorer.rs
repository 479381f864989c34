//! The larger build's own boundary: the explorer, and a run of any size that is only counted.
//!
//! The page fetches it on demand; feature `explorer`.

use crate::sim::event::Counter;
use crate::sim::explore::{Bounds, Goal, explore};
use crate::sim::property::{PROPERTIES, Property};
use crate::sim::scenario::Scenario;
use crate::sim::settings::Settings;
use crate::sim::world::World;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A run without a record, a slice of it at a call, so that a long one can be stopped.
#[wasm_bindgen]
pub struct Count {
    scenario: Arc<Scenario>,
    world: World,
    counter: Counter,
}

#[wasm_bindgen]
impl Count {
    /// A run from its start. Takes paths and texts in turn.
    ///
    /// # Errors
    ///
    /// Throws an Error for a setting that is not known or not allowed.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: Vec<String>) -> Result<Self, JsError> {
        let scenario = scenario(&settings)?;
        let mut counter = Counter::default();
        let world = World::forgetful(Arc::clone(&scenario), &mut counter);
        Ok(Self { scenario, world, counter })
    }

    /// Goes on by at most so many steps; says how many there were. Fewer than asked for is the end.
    pub fn advance(&mut self, steps: u32) -> u32 {
        let mut rules: &Scenario = &self.scenario;
        let taken = self.world.run(&mut rules, &mut self.counter, u64::from(steps));
        u32::try_from(taken).unwrap_or(u32::MAX)
    }

    /// How many events there were.
    #[must_use]
    pub fn events(&self) -> u32 {
        u32::try_from(self.counter.events).unwrap_or(u32::MAX)
    }

    /// How many of them moved money.
    #[must_use]
    pub fn executions(&self) -> u32 {
        u32::try_from(self.counter.executions).unwrap_or(u32::MAX)
    }
}

/// Visits everything that two crashes and any timing can lead to; returns how many states there
/// are. Takes paths and texts in turn, and a property by its name.
///
/// # Errors
///
/// Throws an Error for a setting or a property that is not known, for a value that is not
/// allowed, and where the property does not hold or the search was cut.
#[wasm_bindgen]
pub fn explore_all(settings: Vec<String>, property: &str) -> Result<u32, JsError> {
    let scenario = scenario(&settings)?;
    let named = |other: &&Property| other.name() == property;
    let property = PROPERTIES.iter().find(named).ok_or_else(|| JsError::new("no such property"))?;
    let found = explore(&scenario, &[Goal::Breaks(*property)], &Bounds::default());
    if !found.complete {
        return Err(JsError::new("not everything was visited"));
    }
    Ok(u32::try_from(found.states).unwrap_or(u32::MAX))
}

fn scenario(given: &[String]) -> Result<Arc<Scenario>, JsError> {
    let mut settings = Settings::default();
    for pair in given.chunks(2) {
        let [path, text] = pair else { return Err(JsError::new("a path without a text")) };
        settings.set(path, text).map_err(|refusal| JsError::new(&refusal.to_string()))?;
    }
    Ok(Arc::new(Scenario::new(&settings)))
}
