//! What an experiment states, as data. A test plays every claim, and then breaks it.

use super::Given;

/// A statement about runs of an experiment, with a setting that makes it false.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// What is set on top of the experiment's defaults.
    pub given: Given,
    /// What then holds.
    pub expect: &'static [Expect],
    /// The code of an event that proves that what the claim is about has happened in the run.
    pub sometimes: &'static str,
    /// The one setting whose change breaks it.
    pub broken_by: (&'static str, &'static str),
}

/// Something that holds of a run, or of a study that starts from its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The local ledger has so many rows.
    LedgerRows(u32),
    /// The vendor has made so many payments.
    Payments(u32),
    /// So much is paid, in cents.
    PaidCents(u64),
    /// Whether that is what was owed.
    Ok(bool),
    /// The work was started at these moments, in milliseconds, and at no other.
    Starts(&'static [u64]),
    /// The same, but these are only the first, and the run has no end within its budget.
    StartsWithoutEnd(&'static [u64]),
    /// So many events have this code.
    Count(&'static str, u32),
    /// A value of a study lies between two others.
    InStudy {
        /// The study.
        id: &'static str,
        /// Which of its series.
        series: &'static str,
        /// Where.
        x: u64,
        /// The least, in hundredths.
        from: u64,
        /// The most, in hundredths.
        to: u64,
    },
}
