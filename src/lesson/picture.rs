//! The timeline's bars and marks. They are made once for a run; what a moment shows of them is
//! the page's business.
//!
//! Lanes: 0 is the queue, 1 to the number of workers are the workers, the last is the ledger.

use super::axis::Axis;
use crate::model::queue::AckOutcome;
use crate::model::worker::Step;
use crate::sim::event::{Attempt, Event};
use crate::sim::play::Run;
use crate::sim::scenario::Scenario;
use crate::sim::trace::Entry;
use crate::units::{JobIndex, Moment, WorkerId};

/// What a bar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen::prelude::wasm_bindgen)]
pub enum BarKind {
    /// A worker thinks.
    Think,
    /// A guard looks.
    Check,
    /// A worker writes.
    Write,
    /// A worker saves its checkpoint.
    Checkpoint,
    /// A worker acks.
    Ack,
    /// Leased, and nobody home: from a crash, or an ack that was lost, to the end of the lease.
    Unattended,
    /// A message is visible in the queue.
    Ready,
    /// A message waits for its backoff to be over.
    Backoff,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen::prelude::wasm_bindgen)]
pub enum MarkKind {
    /// A message was sent.
    Sent,
    /// A message went from the queue to a worker.
    Leased,
    /// A worker found a checkpoint.
    Resumed,
    /// A guard looked.
    Checked,
    /// Money left, for the first time under its key.
    Wrote,
    /// Money left, again.
    WroteAgain,
    /// The guard found the row: nothing was written.
    AlreadyWritten,
    /// A checkpoint was saved.
    Checkpointed,
    /// An ack arrived in time.
    Acked,
    /// An ack was lost.
    AckLost,
    /// An ack arrived late.
    AckLate,
    /// A worker died.
    Crashed,
    /// A worker is back.
    Restarted,
    /// A lease ended: its message goes back to the queue.
    Expired,
    /// A message is visible again.
    Returned,
    /// A message became a dead letter.
    Dead,
}

/// A bar. Its event is the one that ends it, or the last of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The lane.
    pub lane: u32,
    /// What it stands for.
    pub kind: BarKind,
    /// Where it begins.
    pub start: Moment,
    /// Where it ends.
    pub end: Moment,
    /// The job.
    pub job: JobIndex,
    /// The attempt.
    pub attempt: u32,
    /// The position of its event in the run.
    pub event: u32,
    /// Whether the lease was over.
    pub late: bool,
    /// Whether a crash cut it short.
    pub cut: bool,
}

/// A mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The lane where it happens.
    pub lane: u32,
    /// What it stands for.
    pub kind: MarkKind,
    /// When.
    pub at: Moment,
    /// The job, where there is one.
    pub job: Option<JobIndex>,
    /// The attempt, where there is one.
    pub attempt: Option<u32>,
    /// The position of its event in the run.
    pub event: u32,
    /// The lane where something goes, if something goes.
    pub to_lane: Option<u32>,
}

/// The picture of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The bars, in the order in which they end.
    pub bars: Vec<Bar>,
    /// The marks, in the order in which they happen.
    pub marks: Vec<Mark>,
    /// Simulated time as playing time.
    pub axis: Axis,
}

/// What a worker has under way.
#[derive(Clone, Copy)]
struct Segment {
    by: Attempt,
    kind: BarKind,
    start: Moment,
    late: bool,
}

/// A bar on a lane whose end is still to come.
#[derive(Clone, Copy)]
struct Open {
    lane: u32,
    kind: BarKind,
    start: Moment,
    attempt: u32,
}

/// What is open about a job.
#[derive(Clone, Copy, Default)]
struct Lines {
    /// Where its message is, while it is in the queue.
    waiting: Option<Open>,
    /// A lease whose holder has gone.
    unattended: Option<Open>,
    /// The lane of its newest lease.
    holder: u32,
}

struct Painter<'a> {
    scenario: &'a Scenario,
    picture: Picture,
    segments: Vec<Option<Segment>>,
    /// By job; they are sent in the order of their index.
    jobs: Vec<Lines>,
    at: Moment,
    event: u32,
}

impl Picture {
    /// Draws a run.
    #[must_use]
    pub fn new(run: &Run, scenario: &Scenario) -> Self {
        let mut painter = Painter {
            scenario,
            picture: Self { axis: Axis::new(run), ..Self::default() },
            segments: vec![None; usize::from(scenario.workers)],
            jobs: Vec::new(),
            at: Moment::ZERO,
            event: 0,
        };
        for (event, entry) in (0..).zip(run.trace.entries()) {
            painter.event = event;
            painter.paint(entry);
        }
        painter.close_all();
        painter.picture
    }
}

impl Painter<'_> {
    fn paint(&mut self, entry: &Entry) {
        self.at = entry.at;
        match entry.event {
            Event::Sent { job } => {
                self.mark(MarkKind::Sent, 0, Some(job), None, None);
                self.jobs.push(Lines::default());
                self.wait(job, BarKind::Ready, 0);
            }
            Event::Leased { by, .. } => {
                self.close_wait(by.job);
                let lane = worker_lane(by.worker);
                self.mark(MarkKind::Leased, 0, Some(by.job), Some(by.attempt), Some(lane));
                self.lines(by.job).holder = lane;
                self.begin(by, self.scenario.slice.first(self.scenario.guard), false);
            }
            Event::Resumed(by) => {
                self.mark_by(MarkKind::Resumed, by, None);
                self.begin(by, Step::Ack, false);
            }
            Event::Thought(by) => self.finish(by, Step::Think),
            Event::Checked { by, .. } => {
                self.mark_by(MarkKind::Checked, by, None);
                self.finish(by, Step::Check);
            }
            Event::Wrote { by, again, .. } => {
                let kind = if again { MarkKind::WroteAgain } else { MarkKind::Wrote };
                self.mark_by(kind, by, Some(self.ledger_lane()));
                self.finish(by, Step::Write);
            }
            Event::AlreadyWritten { by, .. } => {
                self.mark_by(MarkKind::AlreadyWritten, by, Some(self.ledger_lane()));
                self.finish(by, Step::Write);
            }
            Event::Checkpointed(by) => {
                self.mark_by(MarkKind::Checkpointed, by, None);
                self.finish(by, Step::Checkpoint);
            }
            Event::Acked { by, outcome } => {
                let kind = match outcome {
                    AckOutcome::Deleted => MarkKind::Acked,
                    _ => MarkKind::AckLate,
                };
                self.mark_by(kind, by, Some(0));
                if outcome == AckOutcome::LateDeleted {
                    self.close_wait(by.job);
                }
                self.finish(by, Step::Ack);
            }
            Event::AckLost(by) => {
                self.mark_by(MarkKind::AckLost, by, None);
                self.leave(by, false);
            }
            Event::Crashed { by, .. } => {
                self.mark_by(MarkKind::Crashed, by, None);
                self.leave(by, true);
            }
            Event::Restarted { worker } => {
                self.mark(MarkKind::Restarted, worker_lane(worker), None, None, None);
            }
            Event::Expired { job, attempt, wait } => {
                self.expire(job, attempt);
                let kind = if wait == crate::units::Span::ZERO {
                    BarKind::Ready
                } else {
                    BarKind::Backoff
                };
                self.wait(job, kind, attempt);
            }
            Event::Returned { job } => {
                let attempt = self.close_wait(job);
                self.mark(MarkKind::Returned, 0, Some(job), None, None);
                self.wait(job, BarKind::Ready, attempt);
            }
            Event::Dead { job, .. } => {
                self.close_wait(job);
                self.mark(MarkKind::Dead, 0, Some(job), None, None);
            }
        }
    }

    fn lines(&mut self, job: JobIndex) -> &mut Lines {
        &mut self.jobs[job.0 as usize]
    }

    fn ledger_lane(&self) -> u32 {
        u32::from(self.scenario.workers) + 1
    }

    fn mark(
        &mut self,
        kind: MarkKind,
        lane: u32,
        job: Option<JobIndex>,
        attempt: Option<u32>,
        to_lane: Option<u32>,
    ) {
        self.picture.marks.push(Mark {
            lane,
            kind,
            at: self.at,
            job,
            attempt,
            event: self.event,
            to_lane,
        });
    }

    fn mark_by(&mut self, kind: MarkKind, by: Attempt, to_lane: Option<u32>) {
        self.mark(kind, worker_lane(by.worker), Some(by.job), Some(by.attempt), to_lane);
    }

    fn begin(&mut self, by: Attempt, step: Step, late: bool) {
        self.segments[usize::from(by.worker.0)] =
            Some(Segment { by, kind: bar_kind(step), start: self.at, late });
    }

    /// A step has taken effect: its bar ends and the next one's begins.
    fn finish(&mut self, by: Attempt, step: Step) {
        let late = self.close_segment(by.worker, false);
        if let Some(next) = self.scenario.slice.next(step, self.scenario.guard) {
            self.begin(by, next, late);
        }
    }

    /// A worker is gone, or believes that it is done. If its lease is not over, nobody is home.
    fn leave(&mut self, by: Attempt, cut: bool) {
        let late = self.close_segment(by.worker, cut);
        if !late {
            let open = Open {
                lane: worker_lane(by.worker),
                kind: BarKind::Unattended,
                start: self.at,
                attempt: by.attempt,
            };
            self.lines(by.job).unattended = Some(open);
        }
    }

    fn close_segment(&mut self, worker: WorkerId, cut: bool) -> bool {
        let Some(segment) = self.segments[usize::from(worker.0)].take() else {
            return false;
        };
        let open = Open {
            lane: worker_lane(worker),
            kind: segment.kind,
            start: segment.start,
            attempt: segment.by.attempt,
        };
        self.bar(segment.by.job, open, segment.late, cut);
        segment.late
    }

    /// A lease is over: if its holder still works, what it does from here on is late.
    fn expire(&mut self, job: JobIndex, attempt: u32) {
        if let Some(open) = self.lines(job).unattended.take() {
            self.bar(job, open, false, false);
        }
        for worker in (0..self.scenario.workers).map(WorkerId) {
            let Some(segment) = self.segments[usize::from(worker.0)] else { continue };
            if (segment.by.job, segment.by.attempt) == (job, attempt) {
                self.close_segment(worker, false);
                self.segments[usize::from(worker.0)] =
                    Some(Segment { start: self.at, late: true, ..segment });
            }
        }
        let lane = self.lines(job).holder;
        self.mark(MarkKind::Expired, lane, Some(job), Some(attempt), Some(0));
    }

    fn wait(&mut self, job: JobIndex, kind: BarKind, attempt: u32) {
        let start = self.at;
        self.lines(job).waiting = Some(Open { lane: 0, kind, start, attempt });
    }

    fn close_wait(&mut self, job: JobIndex) -> u32 {
        let Some(open) = self.lines(job).waiting.take() else { return 0 };
        self.bar(job, open, false, false);
        open.attempt
    }

    fn bar(&mut self, job: JobIndex, open: Open, late: bool, cut: bool) {
        if open.start < self.at || open.kind == BarKind::Ready {
            self.picture.bars.push(Bar {
                lane: open.lane,
                kind: open.kind,
                start: open.start,
                end: self.at,
                job,
                attempt: open.attempt,
                event: self.event,
                late,
                cut,
            });
        }
    }

    /// Ends what a run that was cut, or a lease that nobody waited for, has left open.
    fn close_all(&mut self) {
        for worker in (0..self.scenario.workers).map(WorkerId) {
            self.close_segment(worker, false);
        }
        let jobs = std::mem::take(&mut self.jobs);
        for open in [|job: &Lines| job.waiting, |job: &Lines| job.unattended] {
            for (job, lines) in (0..).map(JobIndex).zip(&jobs) {
                if let Some(open) = open(lines) {
                    self.bar(job, open, false, false);
                }
            }
        }
    }
}

fn worker_lane(worker: WorkerId) -> u32 {
    u32::from(worker.0) + 1
}

fn bar_kind(step: Step) -> BarKind {
    match step {
        Step::Think => BarKind::Think,
        Step::Check => BarKind::Check,
        Step::Write => BarKind::Write,
        Step::Checkpoint => BarKind::Checkpoint,
        Step::Ack => BarKind::Ack,
    }
}
