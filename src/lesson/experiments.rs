//! The table of experiments: what each one sets, what it shows, what it claims.

use crate::sim::report::Verdict;
use crate::sim::settings::{Refusal, Settings};

/// Settings as (path, text).
pub type Given = &'static [(&'static str, &'static str)];

/// A statement about runs of an experiment, with a setting that makes it false.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// What is set on top of the experiment's defaults.
    pub given: Given,
    /// How many rows the ledger then has.
    pub ledger_rows: u32,
    /// What is then paid, in cents.
    pub paid_cents: u64,
    /// Whether that is what was owed.
    pub ok: bool,
    /// The one setting whose change breaks the claim.
    pub broken_by: (&'static str, &'static str),
}

/// What a finished run is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Its verdict.
    pub verdict: Verdict,
    /// The guard in force.
    pub guard: &'static str,
    /// How many attempts of one job died after the write; the job with the most counts.
    pub crashes_after_write: u32,
    /// How often a guard found the row.
    pub already_written: u32,
}

/// Something for the reader to bring about. It ticks itself when a run fulfils it.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name in the texts.
    pub id: &'static str,
    /// Whether a finished run fulfils it.
    pub done: fn(&Facts) -> bool,
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
    /// What the reader is asked before the run: a number that a finished run has.
    pub asks: fn(&Facts) -> u64,
    /// What the reader is asked to bring about, in order.
    pub tasks: &'static [Task],
    /// What it claims.
    pub claims: &'static [Claim],
}

/// Every experiment, in the order of the chapters.
pub static EXPERIMENTS: &[Experiment] = &[Experiment {
    id: "double-refund",
    defaults: &[
        ("seed", "11"),
        ("guard", "on"),
        ("faults", "0:after-write 1:after-write"),
        ("queue.expiry_backoff", "on"),
    ],
    ticket: &[("guard", "off"), ("faults", "0:after-write")],
    shows: &[
        "seed",
        "guard",
        "faults",
        "queue.visibility_timeout",
        "backoff.base",
        "backoff.cap",
        "workers.count",
    ],
    asks: |facts| u64::from(facts.verdict.ledger_rows),
    tasks: &[
        Task {
            id: "second-crash",
            done: |facts| facts.crashes_after_write >= 2 && facts.verdict.ledger_rows >= 3,
        },
        Task {
            id: "guard-on",
            done: |facts| facts.guard == "on" && facts.already_written > 0 && facts.verdict.ok,
        },
    ],
    claims: &[
        Claim {
            given: &[("guard", "on")],
            ledger_rows: 1,
            paid_cents: 1999,
            ok: true,
            broken_by: ("guard", "off"),
        },
        Claim {
            given: &[("guard", "off")],
            ledger_rows: 3,
            paid_cents: 5997,
            ok: false,
            broken_by: ("faults", "0:after-write"),
        },
        Claim {
            given: &[("guard", "off"), ("faults", "0:after-write")],
            ledger_rows: 2,
            paid_cents: 3998,
            ok: false,
            broken_by: ("faults", "0:after-checkpoint"),
        },
        Claim {
            given: &[("guard", "ask-the-model")],
            ledger_rows: 3,
            paid_cents: 5997,
            ok: false,
            broken_by: ("guard", "on"),
        },
    ],
}];

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
        for (path, text) in self.defaults {
            if let Err(refusal) = settings.set(path, text) {
                unreachable!("an experiment's defaults are allowed, but {refusal}");
            }
        }
        settings
    }
}
