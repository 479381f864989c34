//! A leased queue in sweep mode: a million jobs, eight workers, one execution in a hundred dies
//! after its write. `World::run` with a sink that only counts, against a hand-written loop
//! over a heap that does the same work with the same draws and nothing else. Both must count the
//! same, or it is not the same work.
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
mod w1 {
    pub(crate) mod by_hand;
}

use at_least_once::sim::event::Counter;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::world::World;
use std::sync::Arc;
use w1::by_hand;

fn world(scenario: &Arc<Scenario>) -> Counter {
    let mut tally = Counter::default();
    let mut rules: &Scenario = scenario;
    let mut world = World::forgetful(Arc::clone(scenario), &mut tally);
    world.run(&mut rules, &mut tally, u64::MAX);
    tally
}

fn main() {
    let scenario = common::scenario(include_str!("w1.json"));
    let (expected, found) = (by_hand::run(&scenario), world(&scenario));
    assert_eq!(found, expected, "not the same work");
    assert!(found.redeliveries > 0 && found.refused_acks > 0);
    let [world, hand] = common::alternate([&mut || world(&scenario).events, &mut || {
        by_hand::run(&scenario).events
    }]);
    let ratio = common::median(world.iter().zip(&hand).map(|(world, hand)| world / hand));
    let (world, hand) = (common::median(world), common::median(hand));
    if common::wants_json() {
        let Counter { events, executions, redeliveries, .. } = found;
        println!(
            "{}",
            serde_json::json!({
                "events": events, "executions": executions, "redeliveries": redeliveries,
                "world_s": world, "hand_s": hand, "ratio": ratio,
            })
        );
        return;
    }
    println!("{found:?}");
    println!("  World           {world:>8.3} s");
    println!("  by hand         {hand:>8.3} s");
    println!("  World / by hand {ratio:>8.2}");
}
