//! The experiments, a file for each: what it sets, what it shows, what it claims.

mod attempts;
pub(super) mod backoff;
pub(super) mod checkpoint;
pub mod claim;
mod double_refund;
mod drain;
mod errors;
pub mod facts;
mod keys;
mod open_transaction;
mod runs_twice;
mod timeout_too_long;
mod timeout_too_short;
mod two_ledgers;

use super::studies::Study;
use crate::sim::settings::{Refusal, Settings};
use claim::Claim;
use facts::Facts;

/// Settings as (path, text).
pub type Given = &'static [(&'static str, &'static str)];

/// Something for the reader to bring about. It ticks itself when a run fulfils it.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name in the texts.
    pub id: &'static str,
    /// Whether a finished run fulfils it.
    pub done: fn(&Facts<'_>) -> bool,
}

/// One of several runs that are shown side by side, from one seed.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name in the texts.
    pub id: &'static str,
    /// What it sets on top of the experiment's defaults.
    pub given: Given,
}

/// One experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name in links, attributes and flags.
    pub id: &'static str,
    /// Where it differs from the table's defaults.
    pub defaults: Given,
    /// What the page's opening ticket sets on top of that.
    pub ticket: Given,
    /// The settings that it shows; the rest stay as they are.
    pub shows: &'static [&'static str],
    /// What its question is about: a number that a finished run has.
    pub asks: fn(&Facts<'_>) -> u64,
    /// What it puts side by side.
    pub variants: &'static [Variant],
    /// What it plays many runs for.
    pub studies: &'static [Study],
    /// What the reader is asked to bring about, in order.
    pub tasks: &'static [Task],
}

/// Every experiment, in the order of the chapters.
pub static EXPERIMENTS: &[Experiment] = &[
    double_refund::EXPERIMENT,
    keys::EXPERIMENT,
    backoff::EXPERIMENT,
    timeout_too_short::EXPERIMENT,
    timeout_too_long::EXPERIMENT,
    checkpoint::EXPERIMENT,
    errors::EXPERIMENT,
    attempts::EXPERIMENT,
    drain::EXPERIMENT,
    two_ledgers::EXPERIMENT,
    open_transaction::EXPERIMENT,
    runs_twice::EXPERIMENT,
];

/// What they claim, in the same order. A table of its own: nobody on the page reads it, so it
/// adds nothing to what the page fetches.
static CLAIMS: &[&[Claim]] = &[
    double_refund::CLAIMS,
    keys::CLAIMS,
    backoff::CLAIMS,
    timeout_too_short::CLAIMS,
    timeout_too_long::CLAIMS,
    checkpoint::CLAIMS,
    errors::CLAIMS,
    attempts::CLAIMS,
    drain::CLAIMS,
    two_ledgers::CLAIMS,
    open_transaction::CLAIMS,
    runs_twice::CLAIMS,
];

impl Experiment {
    /// The experiment with this name.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that lists the names there are.
    pub fn find(id: &str) -> Result<&'static Self, Refusal> {
        EXPERIMENTS.iter().find(|experiment| experiment.id == id).ok_or_else(|| {
            let ids: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
            Refusal::new("experiment", id, ids.join(", "), "")
        })
    }

    /// The settings that the experiment starts from.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.give(self.defaults);
        settings
    }

    /// What it claims.
    #[must_use]
    pub fn claims(&self) -> &'static [Claim] {
        let place = EXPERIMENTS.iter().position(|experiment| experiment.id == self.id);
        place.and_then(|place| CLAIMS.get(place)).copied().unwrap_or(&[])
    }

    /// The study with this name.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that lists the names there are.
    pub fn study(&self, id: &str) -> Result<&'static Study, Refusal> {
        self.studies.iter().find(|study| study.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.studies.iter().map(|study| study.id).collect();
            Refusal::new("study", id, ids.join(", "), "")
        })
    }
}
