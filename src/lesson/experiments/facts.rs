//! What a finished run is judged by: its tasks, its question, its claims.

use crate::sim::event::Event;
use crate::sim::fault::Point;
use crate::sim::play::{Ended, Run};
use crate::sim::report::Verdict;
use crate::sim::settings::Settings;
use crate::units::{JobIndex, Moment};

/// A finished run, and what it was played with.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The settings in force.
    pub settings: &'a Settings,
    /// What happened.
    pub run: &'a Run,
    /// What it amounts to.
    pub verdict: Verdict,
}

impl Facts<'_> {
    /// Whether a setting has this value, as text.
    #[must_use]
    pub fn is(&self, path: &str, text: &str) -> bool {
        let setting = Settings::find(path);
        setting.is_ok_and(|setting| self.settings.text(setting) == text)
    }

    /// How many events have this code: `answer.replayed`, or `answer` for every kind of it.
    #[must_use]
    pub fn count(&self, code: &str) -> u32 {
        let (code, detail) = match code.split_once('.') {
            Some((code, detail)) => (code, Some(detail)),
            None => (code, None),
        };
        let named = |event: &Event| {
            let (of_event, kind) = event.code();
            of_event == code && (detail.is_none() || kind == detail)
        };
        let entries = self.run.trace.entries().iter();
        entries.fold(0, |count, entry| count + u32::from(named(&entry.event)))
    }

    /// When messages were delivered.
    #[must_use]
    pub fn starts(&self) -> Vec<Moment> {
        let entries = self.run.trace.entries().iter();
        let leased = entries.filter(|entry| matches!(entry.event, Event::Leased { .. }));
        leased.map(|entry| entry.at).collect()
    }

    /// When the work was started for the second time, in whole seconds; 0 if it never was.
    #[must_use]
    pub fn second_start(&self) -> u64 {
        self.starts().get(1).map_or(0, |start| start.as_micros() / 1_000_000)
    }

    /// How many attempts died after the write; of the job with the most.
    #[must_use]
    pub fn crashes_after_write(&self) -> u32 {
        self.most_of_a_job(|event| match event {
            Event::Crashed { by, point: Point::AfterWrite } => Some(by.job),
            _ => None,
        })
    }

    /// How many rows were written; of the job with the most.
    #[must_use]
    pub fn rows_of_a_job(&self) -> u32 {
        self.most_of_a_job(|event| match event {
            Event::Wrote { by, .. } => Some(by.job),
            _ => None,
        })
    }

    fn most_of_a_job(&self, counted: fn(&Event) -> Option<JobIndex>) -> u32 {
        let mut counts = Vec::new();
        for job in self.run.trace.entries().iter().filter_map(|entry| counted(&entry.event)) {
            let place = job.0 as usize;
            counts.resize(counts.len().max(place + 1), 0);
            counts[place] += 1;
        }
        counts.into_iter().max().unwrap_or(0)
    }

    /// Whether the run was cut, having no end within its budget.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.run.ended == Ended::Cut
    }
}
