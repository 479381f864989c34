//! A session: an experiment, the settings in force, and the run that they give.

use super::experiments::{Experiment, facts::Facts};
use super::link;
use super::picture::{Lanes, Picture};
use super::studies::StudyPart;
use crate::export::lines;
use crate::json::data;
use crate::random::Draws;
use crate::sim::choice::{Choice, Pending};
use crate::sim::event::{Counter, Event};
use crate::sim::fault::{Fault, Rule, Site, Verdict, When};
use crate::sim::history::{History, Snapshot};
use crate::sim::link::Differing;
use crate::sim::play::{Ended, Run, count, differing, play};
use crate::sim::progress::Progress;
use crate::sim::property::Property;
use crate::sim::record::EventRecord;
use crate::sim::report::{self, Report};
use crate::sim::scenario::Scenario;
use crate::sim::settings::{Refusal, Settings};
use crate::sim::world::World;
use crate::units::Moment;
use std::sync::Arc;

/// How many runs a sweep may have at most.
pub const MOST_RUNS: u32 = 1_000_000;

data! {
    /// What a whole run amounts to.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct RunSummary {
        /// The experiment's id.
        pub experiment: &'static str,
        /// How many events it has.
        pub events: usize,
        /// When the last one happened, in microseconds.
        pub end_us: u64,
        /// How long it plays, in milliseconds of the reader's time.
        pub play_ms: u32,
        /// How many workers there are.
        pub workers: u16,
        /// How many jobs there are.
        pub jobs: u32,
        /// The lanes of its picture.
        pub lanes: Lanes,
        /// Whether so much happens that its picture shows it by kinds.
        pub crowded: bool,
        /// `done`, or `cut` when it was stopped at its budget.
        pub ended: &'static str,
        /// The verdict at its end.
        pub verdict: report::Verdict,
    }
}

data! {
    /// What many runs amount to.
    #[derive(Clone, Copy, Default, PartialEq, Eq)]
    pub struct SweepTotals {
        /// How many runs there were, each from a seed of its own.
        pub runs: u32,
        /// How many events in all.
        pub events: u64,
        /// How many executions of the effect in all.
        pub executions: u64,
        /// How many of the runs paid somebody twice.
        pub overpaid_runs: u32,
    }
}

/// An experiment with its settings and the run that they give.
///
/// ```
/// use at_least_once::lesson::Session;
///
/// let mut session = Session::new("double-refund", &[("guard", "off")])?;
/// assert_eq!(session.summary().verdict.ledger_rows, 3);
/// session.set("guard", "on")?;
/// assert_eq!(session.summary().verdict.ledger_rows, 1);
/// # Ok::<(), at_least_once::sim::settings::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    experiment: &'static Experiment,
    settings: Settings,
    differing: Vec<Differing>,
    scenario: Arc<Scenario>,
    run: Run,
    picture: Picture,
    history: History,
    /// The cursor that its link named.
    opened_at: Option<usize>,
    /// How many events the run has in common with the one before.
    forked_at: Option<usize>,
}

impl Session {
    /// Opens an experiment with some settings other than its defaults, and plays it.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for an experiment or a setting that is not known, and for a value that is
    /// not allowed.
    pub fn new(experiment: &str, given: &[(&str, &str)]) -> Result<Self, Refusal> {
        let experiment = Experiment::find(experiment)?;
        let mut settings = experiment.settings();
        settings.set_all(given)?;
        Ok(Self::play(experiment, settings, Vec::new()))
    }

    /// The session whose run takes a path that an explorer has found in `settings`: its crashes
    /// become fault rules, and where its order differs from the earliest it is told so.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for an experiment that is not known, and for a path with more crashes than a
    /// scenario may have rules.
    pub fn on_path(
        experiment: &str,
        settings: &Settings,
        path: &[Choice],
    ) -> Result<Self, Refusal> {
        let experiment = Experiment::find(experiment)?;
        let explored = Arc::new(Scenario::new(settings).without_crashes());
        let mut rules: Vec<String> = explored.faults.iter().map(Rule::to_string).collect();
        rules.extend(crashes(&explored, path).iter().map(Rule::to_string));
        let faults = if rules.is_empty() { "none".to_owned() } else { rules.join(" ") };
        let mut settings = settings.clone();
        settings.set("faults", &faults)?;
        settings.set("faults.rate", "0")?;
        settings.set("deploy.at", "0s")?;
        let differing = differing(&Arc::new(Scenario::new(&settings)), path);
        Ok(Self::play(experiment, settings, differing))
    }

    fn play(
        experiment: &'static Experiment,
        settings: Settings,
        differing: Vec<Differing>,
    ) -> Self {
        let scenario = Arc::new(Scenario::new(&settings));
        let run = play(&scenario, &differing);
        let picture = Picture::new(&run, &scenario);
        let history = History::new(&scenario, run.trace.entries(), run.ended == Ended::Done);
        let (opened_at, forked_at) = (None, None);
        Self {
            experiment,
            settings,
            differing,
            scenario,
            run,
            picture,
            history,
            opened_at,
            forked_at,
        }
    }

    fn play_again(&mut self) {
        let differing = std::mem::take(&mut self.differing);
        let now = Self::play(self.experiment, self.settings.clone(), differing);
        let pairs = self.run.trace.entries().iter().zip(now.run.trace.entries());
        let same = pairs.take_while(|(left, right)| left == right);
        let forked_at = Some(same.count());
        *self = Self { forked_at, ..now };
    }

    /// How many of the run's first events are those of the run before the last change of a
    /// setting; none if there was no run before.
    #[must_use]
    pub fn forked_at(&self) -> Option<usize> {
        self.forked_at
    }

    /// The cursor that the session's link named; none if it named none.
    #[must_use]
    pub fn opened_at(&self) -> Option<usize> {
        self.opened_at
    }

    /// The experiment.
    #[must_use]
    pub fn experiment(&self) -> &'static Experiment {
        self.experiment
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The scenario that they make.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The run that they give.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The run as bars, marks, leases and an axis.
    #[must_use]
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Changes a setting and plays again.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]; the session is then as it was.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        self.settings.set(path, text)?;
        self.play_again();
        Ok(())
    }

    /// The same session with several settings changed, in the order of [`Settings::set_all`].
    ///
    /// # Errors
    ///
    /// The [`Refusal`] of the first that is not taken.
    pub fn with(mut self, given: &[(&str, &str)]) -> Result<Self, Refusal> {
        if !given.is_empty() {
            self.settings.set_all(given)?;
            self.play_again();
        }
        Ok(self)
    }

    /// Gives a setting the experiment's default back and plays again.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for a setting that is not known.
    pub fn reset(&mut self, path: &str) -> Result<(), Refusal> {
        let setting = Settings::find(path)?;
        let text = self.experiment.settings().text(setting);
        self.set(path, &text)
    }

    /// What the whole run amounts to.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        RunSummary {
            experiment: self.experiment.id,
            events: self.run.trace.entries().len(),
            end_us: self.run.trace.end().as_micros(),
            play_ms: self.picture.axis.play_ms(),
            workers: self.scenario.crew.count,
            jobs: self.scenario.workload.jobs,
            lanes: Lanes::new(&self.scenario),
            crowded: self.picture.crowded,
            ended: self.run.ended.name(),
            verdict: self.history.whole().verdict,
        }
    }

    /// What the run amounts to after its first `cursor` events, with the newest rows of its
    /// tables.
    #[must_use]
    pub fn snapshot(&self, cursor: usize) -> Snapshot {
        let entries = self.run.trace.entries();
        let cursor = cursor.min(entries.len());
        self.history.at(&self.scenario, entries, cursor, self.is_over_at(cursor))
    }

    /// What each worker is doing after the run's first `cursor` events.
    #[must_use]
    pub fn progress(&self, cursor: usize) -> Progress {
        let entries = self.run.trace.entries();
        self.history.progress(&self.scenario, entries, cursor.min(entries.len()))
    }

    /// The position of the event that first broke a property; none if the run keeps it.
    #[must_use]
    pub fn broken_at(&self, property: Property) -> Option<usize> {
        let broken = self.run.broken.iter().find(|it| it.property == property)?;
        let entries = self.run.trace.entries();
        let last = entries.partition_point(|entry| entry.step <= broken.step).checked_sub(1)?;
        // Of the events of one step, the payment is the one that pays twice.
        let pays = |place: &usize| {
            matches!(
                entries[*place].event,
                Event::Wrote { again: true, .. } | Event::Paid { again: true, .. }
            )
        };
        let of_step = (0..=last).rev().take_while(|place| entries[*place].step == broken.step);
        let payment = of_step.into_iter().find(pays);
        payment.filter(|_| property == Property::PaidOnce).or(Some(last))
    }

    /// What the run amounts to after its first `cursor` events, with every row. It goes through
    /// the run from its start.
    #[must_use]
    pub fn report(&self, cursor: usize) -> Report {
        let entries = self.run.trace.entries();
        let cursor = cursor.min(entries.len());
        Report::new(&self.scenario, &entries[..cursor], self.is_over_at(cursor))
    }

    /// Whether the run has ended, with nothing left to do, after its first `cursor` events.
    #[must_use]
    pub fn is_over_at(&self, cursor: usize) -> bool {
        self.run.ended == Ended::Done && cursor >= self.run.trace.entries().len()
    }

    /// The moment of the last of the first `cursor` events; 0 for none.
    #[must_use]
    pub fn moment_at(&self, cursor: usize) -> Moment {
        let entries = self.run.trace.entries();
        let last = cursor.min(entries.len()).checked_sub(1);
        last.map_or(Moment::ZERO, |last| entries[last].at)
    }

    /// Every event of the run.
    #[must_use]
    pub fn records(&self) -> Vec<EventRecord> {
        self.records_between(0, usize::MAX)
    }

    /// The events from one position to before another; those that there are.
    #[must_use]
    pub fn records_between(&self, from: usize, to: usize) -> Vec<EventRecord> {
        let entries = self.run.trace.entries();
        let to = to.min(entries.len());
        let entries = entries[from.min(to)..to].iter();
        entries.map(|entry| entry.event.record(entry.at, &self.scenario)).collect()
    }

    /// The canonical text of the run.
    #[must_use]
    pub fn trace(&self) -> String {
        lines::text(&self.run, &self.scenario)
    }

    /// Which of the experiment's tasks the whole run fulfils, in order.
    #[must_use]
    pub fn tasks(&self) -> Vec<bool> {
        let facts = self.facts();
        self.experiment.tasks.iter().map(|task| (task.done)(&facts)).collect()
    }

    /// The answer of this run to the experiment's question.
    #[must_use]
    pub fn asked(&self) -> u64 {
        (self.experiment.asks)(&self.facts())
    }

    /// Plays a part of one of the experiment's studies, starting from the settings in force.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for a study that the experiment does not have.
    pub fn study(&self, id: &str, part: u32) -> Result<StudyPart, Refusal> {
        Ok(self.experiment.study(id)?.part(&self.settings, part))
    }

    /// What the whole run is judged by.
    #[must_use]
    pub fn facts(&self) -> Facts<'_> {
        Facts { settings: &self.settings, run: &self.run, verdict: self.summary().verdict }
    }

    /// Plays `runs` seeds, counted up from the one in force, without recording.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for more than [`MOST_RUNS`] runs.
    pub fn sweep(&self, runs: u32) -> Result<SweepTotals, Refusal> {
        if runs > MOST_RUNS {
            let limit = format!("a whole number from 0 to {MOST_RUNS} runs");
            return Err(Refusal::new("runs", &runs.to_string(), limit, "runs"));
        }
        let mut totals = SweepTotals { runs, ..SweepTotals::default() };
        let mut scenario = Arc::new(Scenario::new(&self.settings));
        for run in 0..u64::from(runs) {
            let seed = self.scenario.draws.seed().wrapping_add(run);
            let own = Arc::get_mut(&mut scenario).expect("the world of the run before is gone");
            own.draws = Draws::new(seed);
            let (counter, world) = count(&scenario);
            totals.events += counter.events;
            totals.executions += counter.executions;
            totals.overpaid_runs += u32::from(!Property::PaidOnce.holds(&world));
        }
        Ok(totals)
    }

    /// What is played, as a line of text: version, experiment, the settings that differ from the
    /// experiment's defaults, the choices that differ from the earliest.
    ///
    /// It is for the fragment of an address; a blank in a value is written `+`.
    #[must_use]
    pub fn link(&self) -> String {
        link::write(self.experiment, &self.settings, &self.differing, None)
    }

    /// The same with a moment of it: after the run's first `cursor` events.
    #[must_use]
    pub fn link_at(&self, cursor: usize) -> String {
        let cursor = cursor.min(self.run.trace.entries().len());
        link::write(self.experiment, &self.settings, &self.differing, Some(cursor))
    }

    /// Opens a link.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] of the field `link` for one that is too long, damaged, of a newer version, or
    /// with a value that is not allowed.
    pub fn open(text: &str) -> Result<Self, Refusal> {
        let link::Opened { experiment, settings, differing, cursor } = link::read(text)?;
        let session = Self::play(experiment, settings, differing);
        let events = session.run.trace.entries().len();
        match cursor {
            Some(cursor) if cursor > events => Err(link::refuse_moment(cursor, events)),
            opened_at => Ok(Self { opened_at, ..session }),
        }
    }
}

/// Whether a rule has to say at which call of an attempt, or which relay: without it, another would
/// die as well, or before.
fn is_one_of_several(scenario: &Scenario, choice: &Choice, site: &Site) -> bool {
    let is_relay = matches!(choice.pending, Pending::Relay { .. });
    site.retry > 0 || (is_relay && scenario.relays.count > 1)
}

/// The crashes of a path, as rules about the sites where they happen.
fn crashes(scenario: &Arc<Scenario>, path: &[Choice]) -> Vec<Rule> {
    let mut world = World::new(Arc::clone(scenario), &mut Counter::default());
    let mut rules = Vec::new();
    for choice in path {
        if let (Verdict::Crash, Some(site)) = (choice.verdict, world.site(choice)) {
            rules.push(Rule {
                job: Some(site.job),
                attempt: Some(site.attempt),
                retry: is_one_of_several(scenario, choice, &site).then_some(site.retry),
                when: When::At(Fault { point: site.point, verdict: choice.verdict }),
            });
        }
        world.apply(choice, &mut Counter::default());
    }
    rules
}
