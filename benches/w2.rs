//! The explorer, in states a second: the protocol of `tests/core/crosscheck.rs` with three
//! workers, two jobs, two crashes and four attempts, by the world that ships; by `stateright`;
//! and by a search written for this protocol alone, a word a state.
//!
//! The world takes workers for alike, so it needs fewer states to visit everything; both ratios
//! are printed, that of states a second and that of the whole.
//!
//! Prints medians of alternating runs; with `--json` one line that `cargo xtask bench` reads.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a benchmark reads the clock and divides; the simulation may not"
)]

mod common;
mod w2 {
    pub(crate) mod protocol;
}

use at_least_once::sim::explore::{Bounds, Found, Goal, explore};
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use w2::protocol;

/// How many states an independent checker finds.
const STATES: usize = 210_141;

fn world(scenario: &Scenario) -> Found {
    explore(scenario, &[Goal::Breaks(Property::PaidOnce)], &Bounds::default())
}

fn main() {
    let scenario = common::scenario(include_str!("w2.json"));
    let found = world(&scenario);
    assert!(found.complete && found.violation.is_none());
    assert_eq!(protocol::with_stateright(), STATES);
    assert_eq!(protocol::packed(), STATES);
    let seconds = common::alternate([
        &mut || world(&scenario).states as u64,
        &mut || protocol::with_stateright() as u64,
        &mut || protocol::packed() as u64,
    ]);
    let states = [found.states, STATES, STATES];
    let rates = [0, 1, 2].map(|side| {
        let rate = |seconds: &f64| states[side] as f64 / seconds;
        seconds[side].iter().map(rate).collect::<Vec<f64>>()
    });
    let ratio = |one: &[f64], other: &[f64]| {
        common::median(one.iter().zip(other).map(|(one, other)| one / other))
    };
    let (stateright, packed) = (ratio(&rates[0], &rates[1]), ratio(&rates[0], &rates[2]));
    let visits = ratio(&seconds[1], &seconds[0]);
    let [world, checker, words] = rates.map(common::median);
    if common::wants_json() {
        println!(
            "{}",
            serde_json::json!({
                "states": found.states, "world": world, "stateright": checker, "packed": words,
                "world_to_stateright": stateright, "world_to_packed": packed,
                "visits_to_stateright": visits,
            })
        );
        return;
    }
    println!("  World           {world:>12.0} states/s, {} states", found.states);
    println!("  stateright      {checker:>12.0} states/s, {STATES} states");
    println!("  a word a state  {words:>12.0} states/s");
    println!("  World / stateright      {stateright:>6.2}");
    println!("  World / stateright      {visits:>6.2} to visit everything");
    println!("  World / a word a state  {packed:>6.3}");
}
