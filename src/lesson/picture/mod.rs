//! The timeline's bars, marks and leases, and the depth of the queue. They are made once for a
//! run; what a moment shows of them is the page's business.
//!
//! Lanes: 0 is the queue, 1 to the number of workers are the workers, then comes the vendor where
//! there is one, and the last is the local ledger.

mod marks;
mod painter;
mod queue;

use super::axis::Axis;
use crate::json::data;
use crate::sim::play::Run;
use crate::sim::scenario::{Effect, Scenario};
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
    /// A row was written, the first of its refund.
    Wrote,
    /// A row was written, again.
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
    /// A worker or a relay died.
    Crashed,
    /// A worker or a relay is back.
    Restarted,
    /// A lease ended: its message goes back to the queue.
    Expired,
    /// A message is visible again.
    Returned,
    /// A message became a dead letter.
    Dead,
    /// A heartbeat moved the deadline.
    Heartbeat,
    /// A heartbeat came too late, or asked for too long.
    HeartbeatRefused,
    /// A worker gave its message back.
    GaveBack,
    /// A call reached the vendor.
    Called,
    /// A call that was late reached the vendor.
    LateCall,
    /// The vendor paid.
    Paid,
    /// The vendor paid, again.
    PaidAgain,
    /// The vendor gave the stored answer: no money.
    Replayed,
    /// The vendor refused for good.
    Declined,
    /// The vendor refused for now: it is full, down, or at work on the same key.
    Unavailable,
    /// The worker got no answer.
    ReplyLost,
    /// The lease is over while its worker still works.
    Stale,
    /// A row was put into the outbox.
    Started,
    /// A relay sent a row.
    RelaySent,
    /// A new version was deployed.
    Deploy,
    /// A worker of the old version has stopped.
    Stopped,
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

/// A lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The lane of its holder.
    pub lane: u32,
    /// The job.
    pub job: JobIndex,
    /// The attempt.
    pub attempt: u32,
    /// Where it begins.
    pub from: Moment,
    /// Its deadline, as last extended: the lease holds before it and not at it.
    pub deadline: Moment,
    /// Where it ended: by an ack or a nack, or when the queue noticed that it was over.
    pub ended: Moment,
    /// The number of its receipt.
    pub receipt: u32,
    /// The position of the event that began it.
    pub event_from: u32,
    /// The position of the event that ended it; none if the run was cut before.
    pub event_to: Option<u32>,
}

data! {
    /// How many messages are where.
    #[derive(Clone, Copy, Default, PartialEq, Eq)]
    pub struct Depth {
        /// Visible in the queue.
        pub ready: u32,
        /// Under a lease.
        pub leased: u32,
        /// Waiting for a backoff to be over.
        pub waiting: u32,
        /// Acked.
        pub done: u32,
        /// Dead letters.
        pub dead: u32,
    }
}

/// The depth of the queue from an event on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthChange {
    /// The position of the event.
    pub event: u32,
    /// When.
    pub at: Moment,
    /// How many messages are where from then on.
    pub depth: Depth,
}

data! {
    /// Which lanes there are besides the queue's and the ledger's.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Lanes {
        /// How many workers there are.
        pub workers: u16,
        /// Whether there is a vendor.
        pub vendor: bool,
        /// Whether relays send rows of an outbox; they have no lane of their own.
        pub relay: bool,
    }
}

impl Lanes {
    /// The lanes of a scenario.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            workers: scenario.crew.count,
            vendor: scenario.effect != Effect::Ledger,
            relay: scenario.effect == Effect::Outbox,
        }
    }

    /// The lane of a worker.
    #[must_use]
    pub fn worker(worker: WorkerId) -> u32 {
        u32::from(worker.0) + 1
    }

    /// The vendor's lane, where there is one.
    #[must_use]
    pub fn vendor(self) -> Option<u32> {
        self.vendor.then_some(u32::from(self.workers) + 1)
    }

    /// The lane of the local ledger.
    #[must_use]
    pub fn ledger(self) -> u32 {
        u32::from(self.workers) + 1 + u32::from(self.vendor)
    }
}

/// The picture of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The bars, in the order in which they end.
    pub bars: Vec<Bar>,
    /// The marks, in the order in which they happen.
    pub marks: Vec<Mark>,
    /// The leases, in the order in which they begin.
    pub leases: Vec<Lease>,
    /// The depth of the queue, at each event that changes it.
    pub depth: Vec<DepthChange>,
    /// Simulated time as playing time.
    pub axis: Axis,
    /// Whether so much happens that it is drawn by kinds instead of sign by sign.
    pub crowded: bool,
}

/// A run with more than this is crowded.
const MOST: (u32, u16, usize) = (4, 8, 300);

/// Whether a run has many jobs, workers or events.
fn is_crowded(run: &Run, scenario: &Scenario) -> bool {
    let (jobs, workers, events) = MOST;
    scenario.workload.jobs > jobs
        || scenario.crew.count > workers
        || run.trace.entries().len() > events
}

impl Picture {
    /// Draws a run.
    #[must_use]
    pub fn new(run: &Run, scenario: &Scenario) -> Self {
        let picture = painter::paint(run.trace.entries(), scenario);
        let crowded = is_crowded(run, scenario);
        let axis = if crowded { Axis::of_many(run, &picture.bars) } else { Axis::of_few(run) };
        Self { axis, crowded, ..picture }
    }

    /// How many messages are where after the run's first `cursor` events.
    #[must_use]
    pub fn depth_at(&self, cursor: usize) -> Depth {
        let changes = self.depth.partition_point(|change| (change.event as usize) < cursor);
        changes.checked_sub(1).map_or(Depth::default(), |last| self.depth[last].depth)
    }
}
