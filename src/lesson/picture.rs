//! The timeline's bars and marks. They are made once for a run; what a moment shows of them is
//! the page's business.
//!
//! Lanes: 0 is the queue, 1 to the number of workers are the workers, the last is the ledger.

use super::axis::Axis;
use crate::model::queue::AckOutcome;
use crate::model::worker::Step;
use crate::sim::event::{Attempt, Event};
use crate::sim::play::Run;
use crate::sim::progress::{Doing, Progress};
use crate::sim::scenario::Scenario;
use crate::sim::trace::Entry;
use crate::units::{JobIndex, Moment, Span, WorkerId};

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
    /// A worker calls the vendor, or waits for its answer.
    Call,
    /// A worker holds a message until it is due, or waits for a connection.
    Wait,
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

struct Painter<'a> {
    scenario: &'a Scenario,
    picture: Picture,
    progress: Progress,
    segments: Vec<Option<Segment>>,
    /// Where each job's message is, while it is in the queue, by job.
    waiting: Vec<Option<Open>>,
    /// Leases whose holder has gone, by job.
    unattended: Vec<Option<Open>>,
    /// The lane of each job's newest lease.
    holder: Vec<u32>,
    at: Moment,
    event: u32,
}

impl Picture {
    /// Draws a run.
    #[must_use]
    pub fn new(run: &Run, scenario: &Scenario) -> Self {
        let jobs = scenario.workload.jobs as usize;
        let mut painter = Painter {
            scenario,
            picture: Self { axis: Axis::new(run), ..Self::default() },
            progress: Progress::new(scenario),
            segments: vec![None; usize::from(scenario.crew.count)],
            waiting: vec![None; jobs],
            unattended: vec![None; jobs],
            holder: vec![0; jobs],
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
        self.paint_queue(&entry.event);
        let Some(by) = entry.event.by() else {
            self.progress.take(self.scenario, &entry.event);
            return;
        };
        let before = self.progress.of(by.worker);
        self.progress.take(self.scenario, &entry.event);
        let after = self.progress.of(by.worker);
        self.paint_mark(&entry.event, by);
        if before != after {
            self.change(by, &entry.event, after);
        }
    }

    /// What the queue's lane shows of an event.
    fn paint_queue(&mut self, event: &Event) {
        match *event {
            Event::Sent { job, copy } => {
                self.mark(MarkKind::Sent, 0, Some(job), None, None);
                if copy == 0 || self.waiting[job.0 as usize].is_none() {
                    self.wait(job, BarKind::Ready, 0);
                }
            }
            Event::Leased { by, .. } => {
                self.close_wait(by.job);
                self.holder[by.job.0 as usize] = worker_lane(by.worker);
            }
            Event::Acked { by, outcome: AckOutcome::LateDeleted } => {
                self.close_wait(by.job);
            }
            Event::Restarted { worker } => {
                self.mark(MarkKind::Restarted, worker_lane(worker), None, None, None);
            }
            Event::Expired { job, copy, attempt, wait } => {
                self.expire(job, copy, attempt);
                if let Some(wait) = wait {
                    self.wait_after(job, attempt, wait);
                }
            }
            Event::GaveBack { by, wait: Some(wait) } => self.wait_after(by.job, by.attempt, wait),
            Event::Returned { job } => {
                let attempt = self.close_wait(job);
                self.mark(MarkKind::Returned, 0, Some(job), None, None);
                self.wait(job, BarKind::Ready, attempt);
            }
            Event::Dead { job, .. } => {
                self.close_wait(job);
                self.mark(MarkKind::Dead, 0, Some(job), None, None);
            }
            _ => {}
        }
    }

    fn paint_mark(&mut self, event: &Event, by: Attempt) {
        let ledger = Some(u32::from(self.scenario.crew.count) + 1);
        let (kind, to_lane) = match *event {
            Event::Leased { .. } => {
                let lane = worker_lane(by.worker);
                self.mark(MarkKind::Leased, 0, Some(by.job), Some(by.attempt), Some(lane));
                return;
            }
            Event::Resumed(_) => (MarkKind::Resumed, None),
            Event::Checked { .. } => (MarkKind::Checked, None),
            Event::Wrote { again: false, .. } => (MarkKind::Wrote, ledger),
            Event::Wrote { again: true, .. } => (MarkKind::WroteAgain, ledger),
            Event::AlreadyWritten { .. } => (MarkKind::AlreadyWritten, ledger),
            Event::Checkpointed(_) => (MarkKind::Checkpointed, None),
            Event::Acked { outcome: AckOutcome::Deleted, .. } => (MarkKind::Acked, Some(0)),
            Event::Acked { .. } => (MarkKind::AckLate, Some(0)),
            Event::AckLost(_) => (MarkKind::AckLost, None),
            Event::Crashed { .. } => (MarkKind::Crashed, None),
            _ => return,
        };
        self.mark(kind, worker_lane(by.worker), Some(by.job), Some(by.attempt), to_lane);
    }

    /// A worker does something else than before.
    fn change(&mut self, by: Attempt, event: &Event, after: Doing) {
        let crashed = matches!(event, Event::Crashed { .. });
        let late = self.close_segment(by.worker, crashed);
        match after {
            Doing::Busy { by, step, stale, .. } => {
                self.segments[usize::from(by.worker.0)] =
                    Some(Segment { by, kind: bar_kind(step), start: self.at, late: stale });
            }
            Doing::Idle | Doing::Down => {
                let nobody = crashed || matches!(event, Event::AckLost(_));
                if nobody && !late {
                    self.unattended[by.job.0 as usize] = Some(Open {
                        lane: worker_lane(by.worker),
                        kind: BarKind::Unattended,
                        start: self.at,
                        attempt: by.attempt,
                    });
                }
            }
        }
    }

    fn mark(
        &mut self,
        kind: MarkKind,
        lane: u32,
        job: Option<JobIndex>,
        attempt: Option<u32>,
        to_lane: Option<u32>,
    ) {
        let (at, event) = (self.at, self.event);
        self.picture.marks.push(Mark { lane, kind, at, job, attempt, event, to_lane });
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
    fn expire(&mut self, job: JobIndex, copy: u32, attempt: u32) {
        if let Some(open) = self.unattended[job.0 as usize].take() {
            self.bar(job, open, false, false);
        }
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            let Some(segment) = self.segments[usize::from(worker.0)] else { continue };
            let by = segment.by;
            if (by.job, by.copy, by.attempt) == (job, copy, attempt) {
                self.close_segment(worker, false);
                self.segments[usize::from(worker.0)] =
                    Some(Segment { start: self.at, late: true, ..segment });
            }
        }
        let lane = self.holder[job.0 as usize];
        self.mark(MarkKind::Expired, lane, Some(job), Some(attempt), Some(0));
    }

    fn wait_after(&mut self, job: JobIndex, attempt: u32, wait: Span) {
        let kind = if wait == Span::ZERO { BarKind::Ready } else { BarKind::Backoff };
        self.wait(job, kind, attempt);
    }

    fn wait(&mut self, job: JobIndex, kind: BarKind, attempt: u32) {
        let start = self.at;
        self.waiting[job.0 as usize] = Some(Open { lane: 0, kind, start, attempt });
    }

    fn close_wait(&mut self, job: JobIndex) -> u32 {
        let Some(open) = self.waiting[job.0 as usize].take() else { return 0 };
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
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            self.close_segment(worker, false);
        }
        for job in (0..self.scenario.workload.jobs).map(JobIndex) {
            self.close_wait(job);
            if let Some(open) = self.unattended[job.0 as usize].take() {
                self.bar(job, open, false, false);
            }
        }
    }
}

fn worker_lane(worker: WorkerId) -> u32 {
    u32::from(worker.0) + 1
}

fn bar_kind(step: Step) -> BarKind {
    match step {
        Step::Hold | Step::Connect => BarKind::Wait,
        Step::Think => BarKind::Think,
        Step::Check | Step::Claim | Step::CheckLease | Step::Fence => BarKind::Check,
        Step::Call | Step::Await => BarKind::Call,
        Step::Write | Step::Start => BarKind::Write,
        Step::Checkpoint => BarKind::Checkpoint,
        Step::Ack => BarKind::Ack,
    }
}
