//! What a reader sees at a moment, and the settings as controls: flat, with texts for ids.

use super::experiments::{Experiment, Variant};
use super::session::Session;
use crate::export::rows::{AttemptRow, LedgerRow};
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
        /// The attempts so far.
        pub attempts: Vec<AttemptRow>,
        /// The ledger so far.
        pub ledger: Vec<LedgerRow>,
        /// What each worker is doing.
        pub workers: Vec<WorkerView>,
        /// The properties, and whether each has held so far.
        pub properties: Vec<PropertyView>,
    }
}

data! {
    /// What a worker is doing.
    pub struct WorkerView {
        /// The worker, by letter.
        pub worker: String,
        /// `idle`, `busy` or `down`.
        pub state: &'static str,
        /// The job in hand; null unless busy.
        pub job_id: Option<String>,
        /// The attempt in hand, from 0; null unless busy.
        pub attempt: Option<u32>,
        /// `think`, `check`, `write`, `checkpoint` or `ack`; null unless busy.
        pub step: Option<&'static str>,
        /// Whether the lease is over while it still works.
        pub stale: bool,
    }
}

data! {
    /// A property, and whether it has held so far.
    pub struct PropertyView {
        /// Its name: `paid-once`, `conserved` or `within-limit`.
        pub property: &'static str,
        /// Whether it has held in every state so far.
        pub held: bool,
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
        let step = cursor.checked_sub(1).map_or(0, |last| entries[last].step);
        let report = session.report(cursor);
        let scenario = session.scenario();
        let broken = &session.run().broken;
        let held = |property| !broken.iter().any(|it| it.property == property && it.step <= step);
        Self {
            cursor,
            at_us: session.moment_at(cursor).as_micros(),
            finished: session.is_over_at(cursor),
            verdict: report.verdict,
            attempts: report.attempts.iter().map(|it| AttemptRow::new(it, scenario)).collect(),
            ledger: report.ledger.iter().map(|it| LedgerRow::new(it, scenario)).collect(),
            workers: (0..)
                .map(WorkerId)
                .zip(report.progress.workers())
                .map(|(worker, doing)| WorkerView::new(worker, doing, session))
                .collect(),
            properties: PROPERTIES
                .iter()
                .map(|property| PropertyView { property: property.name(), held: held(*property) })
                .collect(),
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
            stale: false,
        };
        match doing {
            Doing::Idle => free("idle"),
            Doing::Down => free("down"),
            Doing::Busy { by, step, stale, .. } => Self {
                job_id: Some(session.scenario().job_id(by.job)),
                attempt: Some(by.attempt),
                step: Some(step.name()),
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
                    Kind::Spans { max } => ("list", String::new(), max.exact_text(), &[]),
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
                }
            })
            .collect()
    }
}
