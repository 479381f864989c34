//! What the benchmarks share.

use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// How often each side runs. They take turns, so that what else the machine does hits all.
const TURNS: usize = 5;

/// The scenario of a table of settings.
pub(crate) fn scenario(json: &str) -> Arc<Scenario> {
    let given: BTreeMap<String, String> = serde_json::from_str(json).expect("a table of texts");
    let mut settings = Settings::default();
    for (path, text) in &given {
        settings.set(path, text).expect("allowed");
    }
    Arc::new(Scenario::new(&settings))
}

/// The seconds that each side took, turn by turn. A side returns what it has counted, so that
/// none of its work can be left out.
pub(crate) fn alternate<const SIDES: usize>(
    mut sides: [&mut dyn FnMut() -> u64; SIDES],
) -> [Vec<f64>; SIDES] {
    let mut seconds = [const { Vec::new() }; SIDES];
    for _ in 0..TURNS {
        for (side, seconds) in sides.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            black_box(side());
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    seconds
}

pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Whether another program reads the result.
pub(crate) fn wants_json() -> bool {
    std::env::args().any(|arg| arg == "--json")
}
