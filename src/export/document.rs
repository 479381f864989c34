//! A run as one JSON document, for other programs. Times are microseconds from the start of the
//! run, money is cents, the seed is a decimal string.

use super::rows::{AttemptRow, LedgerRow, VendorRow};
use crate::sim::link::VERSION;
use crate::sim::play::{Broken, Ended, Run};
use crate::sim::record::EventRecord;
use crate::sim::report::{Report, Verdict};
use crate::sim::scenario::Scenario;
use crate::sim::settings::{Id, SETTINGS, Setting, Settings};
use serde::Serialize;
use std::collections::BTreeMap;

/// The document.
#[derive(Debug, Serialize)]
pub struct Document {
    /// The version of the trace: it rises when the same scenario gives another run.
    pub version: u32,
    /// The seed, in decimal.
    pub seed: String,
    /// What was played; it can be given back as a scenario file.
    pub scenario: ScenarioFile,
    /// `done`, or `cut` when the run was stopped at its budget.
    pub ended: &'static str,
    /// The verdict, in money.
    pub verdict: Verdict,
    /// The properties that the run broke, each where it first did.
    pub broken: Vec<BrokenRow>,
    /// The attempts, in the order of their deliveries.
    pub attempts: Vec<AttemptRow>,
    /// The ledger.
    pub ledger: Vec<LedgerRow>,
    /// The vendor's ledger; empty where there is no vendor.
    pub vendor_ledger: Vec<VendorRow>,
    /// Everything that happened.
    pub events: Vec<EventRecord>,
}

/// A scenario as a file: the experiment, and every setting by its path.
#[derive(Debug, Serialize)]
pub struct ScenarioFile {
    /// The experiment that it started from.
    pub experiment: String,
    /// Each setting's value as the text that `--set` takes.
    pub settings: BTreeMap<&'static str, String>,
}

/// A broken property.
#[derive(Debug, Serialize)]
pub struct BrokenRow {
    /// Its name.
    pub property: &'static str,
    /// At which step, from 1.
    pub step: u32,
    /// When.
    pub at_us: u64,
}

impl Document {
    /// The document of a run of an experiment.
    #[must_use]
    pub fn new(experiment: &str, settings: &Settings, scenario: &Scenario, run: &Run) -> Self {
        let entries = run.trace.entries();
        let report = Report::new(scenario, entries, run.ended == Ended::Done);
        let text = |setting: &'static Setting| (setting.path, settings.text(setting));
        Self {
            version: VERSION,
            seed: settings.text(&SETTINGS[Id::Seed as usize]),
            scenario: ScenarioFile {
                experiment: experiment.to_owned(),
                settings: SETTINGS.iter().map(text).collect(),
            },
            ended: run.ended.name(),
            verdict: report.verdict,
            broken: run.broken.iter().map(BrokenRow::new).collect(),
            attempts: report.attempts.iter().map(|it| AttemptRow::new(it, scenario)).collect(),
            ledger: report.ledger.iter().map(|it| LedgerRow::new(it, scenario)).collect(),
            vendor_ledger: report.payments.iter().map(|it| VendorRow::new(it, scenario)).collect(),
            events: entries.iter().map(|entry| entry.event.record(entry.at, scenario)).collect(),
        }
    }
}

impl BrokenRow {
    fn new(broken: &Broken) -> Self {
        Self { property: broken.property.name(), step: broken.step, at_us: broken.at.as_micros() }
    }
}
