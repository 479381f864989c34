//! What a tool that an agent may call does when its call is replayed.

use super::{Series, Study, StudyAxis, play, scenario};
use crate::lesson::experiments::Given;
use crate::sim::event::{Event, Sink};
use crate::units::Moment;

/// A tool, by what decides about a replay.
struct Tool {
    id: &'static str,
    /// Whether whoever runs it knows idempotency keys.
    knows_keys: bool,
    /// Whether a call changes anything; if not, it reads.
    writes: bool,
}

const TOOLS: &[Tool] = &[
    Tool { id: "refund", knows_keys: true, writes: true },
    // A mail server takes what it is given: there is no key in SMTP.
    Tool { id: "email", knows_keys: false, writes: true },
    Tool { id: "balance", knows_keys: false, writes: false },
    Tool { id: "stock", knows_keys: true, writes: true },
    Tool { id: "chat", knows_keys: true, writes: true },
];

/// The worker dies after the call and before it has noted it: the most ordinary replay.
const REPLAYED: Given = &[
    ("effect", "vendor"),
    ("job.count", "1"),
    ("faults", "0:after-call"),
    ("guard", "ask-the-model"),
    ("retry.how", "nack"),
    ("checkpoint", "after"),
];
const KEYS: [Given; 2] = [&[("key", "none")], &[("key", "stable")]];

/// How often each tool is called, and how often that has an effect, without a key and with one.
pub const REPLAYS: Study = Study {
    id: "replays",
    parts: 1,
    x: StudyAxis { name: "key", unit: "", scale: 1 },
    y: StudyAxis { name: "times", unit: "", scale: 1 },
    places: &["calls-without", "effects-without", "calls-with", "effects-with"],
    play: |settings, _| {
        let row = |tool: &Tool| {
            let vendor: Given =
                if tool.knows_keys { &[("vendor", "ietf")] } else { &[("vendor", "none")] };
            let mut series = Series::new(tool.id);
            for (place, key) in (0..).step_by(2).zip(KEYS) {
                let mut seen = Seen::default();
                play(scenario(settings, &[REPLAYED, vendor, key]), &mut seen);
                series.add([place, seen.calls]);
                series.add([place + 1, if tool.writes { seen.effects } else { 0 }]);
            }
            series
        };
        TOOLS.iter().map(row).collect()
    },
};

#[derive(Default)]
struct Seen {
    calls: u64,
    effects: u64,
}

impl Sink for Seen {
    fn event(&mut self, _: Moment, event: Event) {
        match event {
            Event::Called { .. } => self.calls += 1,
            Event::Paid { .. } => self.effects += 1,
            _ => {}
        }
    }
}
