//! Simulated events per second, natively, with nothing recorded: prints one number,
//! the median of seven sweeps. `tests/www/bench/sweep.js` is the same in wasm, and
//! `cargo xtask bench` compares the two.
#![allow(clippy::disallowed_types, reason = "a benchmark reads the clock; the simulation may not")]

use std::time::Instant;

use at_least_once::lesson::Session;

const RUNS: u32 = 20_000;

fn main() {
    let session = Session::new("double-refund", &[]).expect("its defaults are valid");
    let mut rates: Vec<u128> = (0..7)
        .map(|_| {
            let start = Instant::now();
            let totals = session.sweep(RUNS).expect("so many runs are allowed");
            u128::from(totals.events) * 1_000_000_000 / start.elapsed().as_nanos().max(1)
        })
        .collect();
    rates.sort_unstable();
    println!("{}", rates[rates.len() / 2]);
}
