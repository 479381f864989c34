//! Where the checkpoint is and where the worker dies: how often the vendor pays.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::{Given, Variant, checkpoint::DESIGNS};
use crate::sim::event::{Event, Sink};
use crate::units::Moment;

/// The places of a crash, in the order of a slice.
const PLACES_OF_CRASHES: &[&str] =
    &["before-call", "after-call", "after-write", "after-checkpoint", "relay-between"];
const CRASHES: [Given; 5] = [
    &[("faults", "0:before-call")],
    &[("faults", "0:after-call")],
    &[("faults", "0:after-write")],
    &[("faults", "0:after-checkpoint")],
    &[("faults", "0:relay-between")],
];

/// The payments of each design with a crash at each place. Where a design has no such place there
/// is no point.
pub const PLACES: Study = Study {
    id: "places",
    parts: 1,
    x: StudyAxis { name: "crash", unit: "", scale: 1 },
    y: StudyAxis { name: "payments", unit: "", scale: 1 },
    places: PLACES_OF_CRASHES,
    play: |settings, _| {
        let row = |design: &Variant| {
            let mut series = Series::new(design.id);
            for (place, crash) in (0..).zip(CRASHES) {
                let mut seen = Seen::default();
                play(scenario(settings, &[PLAIN, design.given, crash]), &mut seen);
                if seen.crashed {
                    series.add([place, seen.payments]);
                }
            }
            series
        };
        DESIGNS.iter().map(row).collect()
    },
};

/// What no design sets, however the reader has left it.
const PLAIN: Given = &[("effect", "vendor"), ("relay.dedup", "on"), ("relay.key", "row")];

#[derive(Default)]
struct Seen {
    crashed: bool,
    payments: u64,
}

impl Sink for Seen {
    fn event(&mut self, _: Moment, event: Event) {
        match event {
            Event::Crashed { .. } | Event::RelayCrashed { .. } => self.crashed = true,
            Event::Paid { .. } => self.payments += 1,
            _ => {}
        }
    }
}
