//! What a run amounts to, up to a moment: its attempts, its ledger, who is doing what, and the
//! verdict in money. All of it is read off the events, so any moment can be asked for.

use super::event::{Attempt, Event};
use super::fault::Point;
use super::scenario::Scenario;
use super::trace::Entry;
use crate::json::data;
use crate::model::queue::AckOutcome;
use crate::model::worker::Step;
use crate::units::{Cents, JobIndex, Moment, Span, WorkerId};

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has not ended.
    Running,
    /// Its ack deleted the message, in time.
    Acked,
    /// Its ack came late.
    AckLate,
    /// Its ack never arrived.
    AckLost,
    /// Its worker died.
    Crashed(Point),
}

impl Outcome {
    /// The name in tables and data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Acked => "acked",
            Self::AckLate => "ack-late",
            Self::AckLost => "ack-lost",
            Self::Crashed(_) => "crashed",
        }
    }
}

/// One attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptReport {
    /// Who, which job, which attempt, which key.
    pub by: Attempt,
    /// Whether its write wrote a row; none if it never reached the write.
    pub new_write: Option<bool>,
    /// How it ended.
    pub outcome: Outcome,
    /// The wait after it; none on the last.
    pub backoff: Option<Span>,
    /// When it was delivered.
    pub started: Moment,
    /// When it ended.
    pub ended: Option<Moment>,
}

/// One row of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowReport {
    /// The row's number, from 1.
    pub row: u32,
    /// The attempt that wrote it.
    pub by: Attempt,
    /// How much.
    pub cents: Cents,
    /// When.
    pub at: Moment,
    /// Whether a row with this key was there already.
    pub again: bool,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Waiting for a message.
    Idle,
    /// Crashed.
    Down,
    /// Running a step of an attempt; `stale` once its lease is over.
    Busy {
        /// The attempt.
        by: Attempt,
        /// The step under way.
        step: Step,
        /// Whether its lease is over.
        stale: bool,
    },
}

data! {
    /// The verdict, in money.
    #[derive(Clone, Copy, Default, PartialEq, Eq)]
    pub struct Verdict {
        /// Whether nobody has been paid too much and, once the run is over, nobody too little.
        pub ok: bool,
        /// What the jobs sent are owed in all, in cents.
        pub owed_cents: u64,
        /// What the ledger paid in all, in cents.
        pub paid_cents: u64,
        /// How many rows the ledger has.
        pub ledger_rows: u32,
        /// How often the effect was executed.
        pub executions: u32,
        /// How many deliveries were not the first of their job.
        pub redeliveries: u32,
    }
}

/// What a run amounts to, up to a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The attempts, in the order of their deliveries.
    pub attempts: Vec<AttemptReport>,
    /// The ledger, in the order of its rows.
    pub ledger: Vec<RowReport>,
    /// What each worker is doing, by id.
    pub workers: Vec<Doing>,
    /// The verdict.
    pub verdict: Verdict,
    jobs: Vec<JobReport>,
    /// For each attempt, the position of its job's attempt before it.
    before: Vec<Option<usize>>,
}

/// What is kept of a job while the events are read; jobs are sent in the order of their index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct JobReport {
    /// What it was paid so far, in cents.
    paid: u64,
    /// The position of its newest attempt.
    newest: Option<usize>,
}

impl Report {
    /// Reads a report off events. `over` says that they are a whole run with nothing left to do.
    #[must_use]
    pub fn new(scenario: &Scenario, entries: &[Entry], over: bool) -> Self {
        let mut report = Self {
            attempts: Vec::new(),
            ledger: Vec::new(),
            workers: vec![Doing::Idle; usize::from(scenario.workers)],
            verdict: Verdict::default(),
            jobs: Vec::new(),
            before: Vec::new(),
        };
        for entry in entries {
            report.take(scenario, entry);
        }
        let amount = scenario.amount.as_cents();
        let fair = |job: &JobReport| if over { job.paid == amount } else { job.paid <= amount };
        report.verdict.ok = report.jobs.iter().all(fair);
        report
    }

    fn take(&mut self, scenario: &Scenario, entry: &Entry) {
        let at = entry.at;
        match entry.event {
            Event::Sent { .. } => {
                self.verdict.owed_cents += scenario.amount.as_cents();
                self.jobs.push(JobReport::default());
            }
            Event::Leased { by, .. } => {
                self.verdict.redeliveries += u32::from(by.attempt > 0);
                let newest = &mut self.jobs[by.job.0 as usize].newest;
                self.before.push(newest.replace(self.attempts.len()));
                self.attempts.push(AttemptReport {
                    by,
                    new_write: None,
                    outcome: Outcome::Running,
                    backoff: None,
                    started: at,
                    ended: None,
                });
                self.doing(by, scenario.slice.first(scenario.guard));
            }
            Event::Resumed(by) => self.doing(by, Step::Ack),
            Event::Thought(by) => self.after(scenario, by, Step::Think),
            Event::Checked { by, .. } => self.after(scenario, by, Step::Check),
            Event::Wrote { by, row, cents, again } => {
                self.verdict.executions += 1;
                self.verdict.ledger_rows += 1;
                self.verdict.paid_cents += cents.as_cents();
                self.jobs[by.job.0 as usize].paid += cents.as_cents();
                self.ledger.push(RowReport { row, by, cents, at, again });
                self.wrote(by, true);
                self.after(scenario, by, Step::Write);
            }
            Event::AlreadyWritten { by, .. } => {
                self.wrote(by, false);
                self.after(scenario, by, Step::Write);
            }
            Event::Checkpointed(by) => self.after(scenario, by, Step::Checkpoint),
            Event::Acked { by, outcome } => {
                let outcome = match outcome {
                    AckOutcome::Deleted => Outcome::Acked,
                    _ => Outcome::AckLate,
                };
                self.end(by, at, outcome, Doing::Idle);
            }
            Event::AckLost(by) => self.end(by, at, Outcome::AckLost, Doing::Idle),
            Event::Crashed { by, point } => {
                self.end(by, at, Outcome::Crashed(point), Doing::Down);
            }
            Event::Restarted { worker } => self.workers[usize::from(worker.0)] = Doing::Idle,
            Event::Expired { job, attempt, wait } => {
                if let Some(attempt) = self.attempt(job, attempt) {
                    attempt.backoff = Some(wait);
                }
                for doing in &mut self.workers {
                    if let Doing::Busy { by, stale, .. } = doing {
                        *stale |= (by.job, by.attempt) == (job, attempt);
                    }
                }
            }
            Event::Dead { job, attempts } => {
                // Nothing came after the last attempt, so there was no wait after it.
                let last = attempts.saturating_sub(1);
                if let Some(attempt) = self.attempt(job, last) {
                    attempt.backoff = None;
                }
            }
            Event::Returned { .. } => {}
        }
    }

    /// An attempt of a job, looked for from the newest back: no older one is far from it, since
    /// each that is still running has a worker.
    fn attempt(&mut self, job: JobIndex, attempt: u32) -> Option<&mut AttemptReport> {
        let mut position = self.jobs[job.0 as usize].newest?;
        while self.attempts[position].by.attempt != attempt {
            position = self.before[position]?;
        }
        Some(&mut self.attempts[position])
    }

    fn wrote(&mut self, by: Attempt, new: bool) {
        if let Some(attempt) = self.attempt(by.job, by.attempt) {
            attempt.new_write = Some(new);
        }
    }

    fn end(&mut self, by: Attempt, at: Moment, outcome: Outcome, then: Doing) {
        if let Some(attempt) = self.attempt(by.job, by.attempt) {
            attempt.outcome = outcome;
            attempt.ended = Some(at);
        }
        self.workers[worker(by.worker)] = then;
    }

    fn after(&mut self, scenario: &Scenario, by: Attempt, done: Step) {
        if let Some(step) = scenario.slice.next(done, scenario.guard) {
            self.doing(by, step);
        }
    }

    fn doing(&mut self, by: Attempt, step: Step) {
        let place = &mut self.workers[worker(by.worker)];
        let stale = match place {
            Doing::Busy { by: before, stale, .. } => *stale && *before == by,
            Doing::Idle | Doing::Down => false,
        };
        *place = Doing::Busy { by, step, stale };
    }
}

fn worker(worker: WorkerId) -> usize {
    usize::from(worker.0)
}
