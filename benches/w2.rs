//! The explorer, in states a second: the protocol of `tests/core/crosscheck.rs` with three
//! workers, two jobs, two crashes and four attempts, by the world that ships; by `stateright`;
//! and by a search written for this protocol alone, a word a state.
//!
//! Prints medians of alternating runs; with `--json` one line that `cargo xtask bench` reads.
#![allow(clippy::disallowed_types, reason = "a benchmark reads the clock; the simulation may not")]

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
        seconds[side].iter().map(|seconds| states[side] as f64 / seconds).collect::<Vec<f64>>()
    });
    let against = |side: usize| {
        common::median(rates[0].iter().zip(&rates[side]).map(|(world, other)| world / other))
    };
    let (stateright, packed) = (against(1), against(2));
    let [world, checker, words] = rates.map(common::median);
    if common::wants_json() {
        println!(
            "{}",
            serde_json::json!({
                "states": found.states, "world": world, "stateright": checker, "packed": words,
                "world_to_stateright": stateright, "world_to_packed": packed,
            })
        );
        return;
    }
    println!("  World           {world:>12.0} states/s, {} states", found.states);
    println!("  stateright      {checker:>12.0} states/s, {STATES} states");
    println!("  a word a state  {words:>12.0} states/s");
    println!("  World / stateright      {stateright:>6.2}");
    println!("  World / a word a state  {packed:>6.3}");
}
