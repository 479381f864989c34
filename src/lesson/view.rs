//! What a reader sees at a moment, and the settings as controls: flat, with texts for ids.

use super::experiments::{Experiment, Variant};
use super::picture::Depth;
use super::session::Session;
use crate::WHOLE;
use crate::export::rows::{AttemptRow, LedgerRow, VendorRow};
use crate::json::data;
use crate::sim::progress::Doing;
use crate::sim::property::PROPERTIES;
use crate::sim::report::Verdict;
use crate::sim::settings::{Kind, SETTINGS};
use crate::units::WorkerId;

data! {
    /// The state after some number of events.
    pub struct View {
        /// How many events have happened.
        pub cursor: usize,
        /// When the last of them happened, in microseconds.
        pub at_us: u64,
        /// Whether the run has ended, with nothing left to do.
        pub finished: bool,
        /// The verdict so far.
        pub verdict: Verdict,
        /// The attempts so far; the newest 200, as of every table here.
        pub attempts: Vec<AttemptRow>,
        /// How many there are.
        pub attempts_total: usize,
        /// The ledger so far.
        pub ledger: Vec<LedgerRow>,
        /// How many rows it has.
        pub ledger_total: usize,
        /// The vendor's ledger so far.
        pub vendor: Vec<VendorRow>,
        /// How many rows it has.
        pub vendor_total: usize,
        /// What each worker is doing.
        pub workers: Vec<WorkerView>,
        /// The properties, and whether each has held so far.
        pub properties: Vec<PropertyView>,
        /// How many messages are where.
        pub queue: Depth,
    }
}

data! {
    /// What a worker is doing.
    pub struct WorkerView {
        /// The worker, by letter.
        pub worker: String,
        /// `idle`, `busy`, `down` once killed, or `stopped` for a new version.
        pub state: &'static str,
        /// The job in hand; null unless busy.
        pub job_id: Option<String>,
        /// The attempt in hand, from 0; null unless busy.
        pub attempt: Option<u32>,
        /// The step under way: `think`, `write`, `await` and so on; null unless busy.
        pub step: Option<&'static str>,
        /// The line of the program that it belongs to, from 0; null unless busy.
        pub position: Option<u32>,
        /// Whether the lease is over while it still works.
        pub stale: bool,
    }
}

data! {
    /// A property, and whether it has held so far.
    pub struct PropertyView {
        /// Its name: `paid-once`, `conserved`, `within-limit` and so on.
        pub property: &'static str,
        /// Whether it has held in every state so far.
        pub held: bool,
        /// The position of the event that broke it; null if it has held.
        pub broken_at: Option<usize>,
    }
}

data! {
    /// A setting with its value, as a control shows it.
    pub struct SettingInfo {
        /// Its name: `queue.visibility_timeout`.
        pub path: &'static str,
        /// The element attribute: `queue-visibility-timeout`.
        pub attribute: String,
        /// `switch`, `number`, `span`, `choice`, `seed`, `rules` or `list`.
        pub kind: &'static str,
        /// The unit of its values; empty where there is none.
        pub unit: &'static str,
        /// What it allows, in words.
        pub limit: String,
        /// The least, as text; empty where there is none.
        pub min: String,
        /// The most, as text; empty where there is none.
        pub max: String,
        /// The names to choose from; empty unless it is a choice.
        pub choices: Vec<&'static str>,
        /// The experiment's default, as text.
        pub default: String,
        /// The value in force, as text.
        pub value: String,
        /// Who owns it: `runtime`, `domain tool` or `on-call`.
        pub owner: &'static str,
        /// Whether the experiment shows it.
        pub shown: bool,
        /// Whether this build leaves it at its default.
        pub fixed: bool,
    }
}

data! {
    /// One of several runs that an experiment shows side by side.
    pub struct VariantInfo {
        /// Its name.
        pub id: &'static str,
        /// What it sets, as pairs of path and text.
        pub settings: Vec<Vec<&'static str>>,
    }
}

impl VariantInfo {
    /// The variants of an experiment.
    #[must_use]
    pub fn all(experiment: &Experiment) -> Vec<Self> {
        let pair = |(path, text): &(&'static str, &'static str)| vec![*path, *text];
        let info = |variant: &Variant| Self {
            id: variant.id,
            settings: variant.given.iter().map(pair).collect(),
        };
        experiment.variants.iter().map(info).collect()
    }
}

impl View {
    /// The state of a session's run after its first `cursor` events.
    #[must_use]
    pub fn new(session: &Session, cursor: usize) -> Self {
        let entries = session.run().trace.entries();
        let cursor = cursor.min(entries.len());
        let scenario = session.scenario();
        let now = session.snapshot(cursor);
        let broken_at =
            |property| session.broken_at(property).filter(|event: &usize| *event < cursor);
        Self {
            cursor,
            at_us: session.moment_at(cursor).as_micros(),
            finished: session.is_over_at(cursor),
            verdict: now.verdict,
            attempts: now.attempts.iter().map(|it| AttemptRow::new(it, scenario)).collect(),
            attempts_total: now.attempts_total,
            ledger: now.ledger.iter().map(|it| LedgerRow::new(it, scenario)).collect(),
            ledger_total: now.ledger_total,
            vendor: now.payments.iter().map(|it| VendorRow::new(it, scenario)).collect(),
            vendor_total: now.payments_total,
            workers: (0..)
                .map(WorkerId)
                .zip(now.progress.workers())
                .map(|(worker, doing)| WorkerView::new(worker, doing, session))
                .collect(),
            properties: PROPERTIES
                .iter()
                .map(|property| {
                    let broken_at = broken_at(*property);
                    let held = broken_at.is_none();
                    PropertyView { property: property.name(), held, broken_at }
                })
                .collect(),
            queue: session.picture().depth_at(cursor),
        }
    }
}

impl WorkerView {
    fn new(worker: WorkerId, doing: &Doing, session: &Session) -> Self {
        let free = |state| Self {
            worker: worker.to_string(),
            state,
            job_id: None,
            attempt: None,
            step: None,
            position: None,
            stale: false,
        };
        match doing {
            Doing::Idle => free("idle"),
            Doing::Down => free("down"),
            Doing::Stopped => free("stopped"),
            Doing::Busy { by, step, position, stale } => Self {
                job_id: Some(session.scenario().job_id(by.job)),
                attempt: Some(by.attempt),
                step: Some(step.name()),
                position: Some(u32::from(*position)),
                stale: *stale,
                ..free("busy")
            },
        }
    }
}

impl SettingInfo {
    /// Every setting of the table, as this session has it.
    #[must_use]
    pub fn table(session: &Session) -> Vec<Self> {
        let defaults = session.experiment().settings();
        let shows = session.experiment().shows;
        SETTINGS
            .iter()
            .map(|setting| {
                let (kind, min, max, choices): (_, _, _, &[&'static str]) = match setting.kind {
                    Kind::Switch => ("switch", String::new(), String::new(), &[]),
                    Kind::Choice(names) => ("choice", String::new(), String::new(), names),
                    Kind::Number { min, max, .. } => {
                        let seed = setting.path == "seed";
                        let kind = if seed { "seed" } else { "number" };
                        (kind, min.to_string(), max.to_string(), &[])
                    }
                    Kind::Span { min, max } => ("span", min.exact_text(), max.exact_text(), &[]),
                    Kind::Spans { max, .. } => ("list", String::new(), max.exact_text(), &[]),
                    Kind::Rules => ("rules", String::new(), String::new(), &[]),
                };
                Self {
                    path: setting.path,
                    attribute: setting.attribute(),
                    kind,
                    unit: setting.unit(),
                    limit: setting.limit(),
                    min,
                    max,
                    choices: choices.to_vec(),
                    default: defaults.text(setting),
                    value: session.settings().text(setting),
                    owner: setting.owner.name(),
                    shown: shows.contains(&setting.path),
                    fixed: !WHOLE && !setting.id.is_in_page(),
                }
            })
            .collect()
    }
}
