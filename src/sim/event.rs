//! The vocabulary of the trace, the goldens, the timeline and the sentences.
//!
//! An [`Event`] is what the world says to its sink: small, copied, with ids for names.
//! [`super::record::EventRecord`] is the same event for a reader outside: flat, with texts for ids.

use super::fault::Point;
use crate::WHOLE;
use crate::model::key::IdempotencyKey;
use crate::model::ledger::Claimed;
use crate::model::outbox::RelayStep;
use crate::model::queue::{AckOutcome, ExtendOutcome, Receipt};
use crate::units::{Cents, JobIndex, Moment, Span, WorkerId};

/// An attempt at work: who, which job, which attempt, at which refund, under which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The worker.
    pub worker: WorkerId,
    /// The job.
    pub job: JobIndex,
    /// The number of the message among the job's.
    pub copy: u32,
    /// The attempt, from 0.
    pub attempt: u32,
    /// The refund at hand, from 0. Not every key names it.
    pub refund: u8,
    /// The key of the refund at hand.
    pub key: IdempotencyKey,
}

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It ran; what it did is told apart.
    Ran,
    /// With the stored answer of an earlier call.
    Replayed,
    /// Without running.
    Refused,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A message was sent and is visible.
    Sent {
        /// The job that it asks for.
        job: JobIndex,
        /// The number of the message among the job's.
        copy: u32,
    },
    /// The queue threw a message away whose id it knew.
    Dropped {
        /// The job.
        job: JobIndex,
    },
    /// The queue no longer knows the id of a message.
    WindowEnded {
        /// The job.
        job: JobIndex,
    },
    /// A worker received a message under a lease.
    Leased {
        /// The attempt that this delivery begins.
        by: Attempt,
        /// The receipt given out.
        receipt: Receipt,
        /// The end of the lease.
        deadline: Moment,
    },
    /// A worker begins with a message that it has held.
    Began(Attempt),
    /// The worker found the checkpoint of an attempt before, and goes on after it.
    Resumed {
        /// The attempt.
        by: Attempt,
        /// How many refunds were checkpointed.
        done: u8,
    },
    /// The worker found a checkpoint that came before the effect, and makes a new key.
    Minted {
        /// The attempt.
        by: Attempt,
        /// How many refunds were checkpointed: the effect of the last is made again.
        done: u8,
    },
    /// The job is due, and its worker stops holding it.
    Due(Attempt),
    /// The worker has a database connection.
    Connected(Attempt),
    /// The worker has decided what to do.
    Thought(Attempt),
    /// A guard that looks first has looked.
    Checked {
        /// The attempt.
        by: Attempt,
        /// Whether it found that the work was done before.
        found: bool,
    },
    /// A guard has put its row in before the call, or found one.
    Claim {
        /// The attempt.
        by: Attempt,
        /// What it came upon.
        outcome: Claimed,
    },
    /// A claim in progress has come to the end of its life.
    ClaimEnded {
        /// The job.
        job: JobIndex,
    },
    /// The worker has asked whether the message is its own.
    LeaseChecked {
        /// The attempt.
        by: Attempt,
        /// Whether it is.
        own: bool,
    },
    /// A fencing token was shown.
    Fence {
        /// The attempt.
        by: Attempt,
        /// The token.
        token: u32,
        /// Whether it was let through.
        passed: bool,
    },
    /// The job row says "started", and the outbox has a row.
    Started {
        /// The attempt.
        by: Attempt,
        /// Whether that was so before.
        again: bool,
    },
    /// A call reached the vendor.
    Called {
        /// The attempt.
        by: Attempt,
        /// How much it is to pay.
        cents: Cents,
    },
    /// The vendor paid.
    Paid {
        /// The job.
        job: JobIndex,
        /// Which of its refunds, from 0.
        refund: u8,
        /// The key.
        key: IdempotencyKey,
        /// The number of the payment, from 1.
        payment: u32,
        /// How much.
        cents: Cents,
        /// Whether this refund had been paid before.
        again: bool,
    },
    /// The worker got an answer.
    Answer {
        /// The attempt.
        by: Attempt,
        /// The status.
        status: u16,
        /// How it came about.
        how: Answered,
    },
    /// The worker got no answer.
    NoAnswer(Attempt),
    /// A call that was late reached the vendor, and nobody waits for its answer.
    LateCall {
        /// The job.
        job: JobIndex,
        /// The key.
        key: IdempotencyKey,
    },
    /// The vendor's reply to a call reaches nobody.
    ReplyLost {
        /// The job.
        job: JobIndex,
        /// Which of its refunds, from 0.
        refund: u8,
        /// The key.
        key: IdempotencyKey,
        /// The status.
        status: u16,
        /// How it came about.
        how: Answered,
    },
    /// A row was written.
    Wrote {
        /// The attempt.
        by: Attempt,
        /// The row's number, from 1.
        row: u32,
        /// How much was paid.
        cents: Cents,
        /// Whether this refund had a row already.
        again: bool,
    },
    /// The guard found the row, so nothing was written.
    AlreadyWritten {
        /// The attempt.
        by: Attempt,
        /// The row that it found.
        row: u32,
    },
    /// The checkpoint was saved on the job row.
    Checkpointed(Attempt),
    /// The queue got an ack.
    Acked {
        /// The attempt.
        by: Attempt,
        /// What it did.
        outcome: AckOutcome,
    },
    /// An ack never arrived; the worker does not know.
    AckLost(Attempt),
    /// The queue delivers once more what was acked: rare, and allowed.
    Replica {
        /// The job.
        job: JobIndex,
    },
    /// A heartbeat reached the queue.
    Beat {
        /// The attempt.
        by: Attempt,
        /// What it did.
        outcome: ExtendOutcome,
    },
    /// The worker stands still, and does not know.
    Paused {
        /// The attempt.
        by: Attempt,
        /// For how long.
        wait: Span,
    },
    /// The attempt has failed, and the worker gives its message back.
    GaveBack {
        /// The attempt.
        by: Attempt,
        /// The wait before it is visible again; none if its lease was over.
        wait: Option<Span>,
    },
    /// The attempt has failed, and the worker sends its message again as a new one.
    SentAgain(Attempt),
    /// The worker drops the message: it is not its own any more.
    Stepped(Attempt),
    /// An error that trying again will not mend.
    Failed {
        /// The attempt.
        by: Attempt,
        /// The status; none for no answer.
        status: Option<u16>,
    },
    /// The worker died.
    Crashed {
        /// The attempt.
        by: Attempt,
        /// Where in the slice.
        point: Point,
    },
    /// A crashed worker is back, knowing nothing.
    Restarted {
        /// Which.
        worker: WorkerId,
    },
    /// A lease ended with its message still in the queue.
    Expired {
        /// The job.
        job: JobIndex,
        /// The number of the message among the job's.
        copy: u32,
        /// The attempt whose lease it was.
        attempt: u32,
        /// The wait before the message is visible again; none if it was the last attempt.
        wait: Option<Span>,
    },
    /// The wait is over: the message is visible again.
    Returned {
        /// The job.
        job: JobIndex,
    },
    /// The message was moved to the dead letters.
    Dead {
        /// The job.
        job: JobIndex,
        /// The number of the message among the job's.
        copy: u32,
        /// How many attempts it had.
        attempts: u32,
    },
    /// A relay has read a row that is not marked.
    RelayRead {
        /// The relay.
        relay: u16,
        /// The job of the row.
        job: JobIndex,
    },
    /// A relay has done a step.
    Relayed {
        /// The relay.
        relay: u16,
        /// The job of the row.
        job: JobIndex,
        /// Which of its refunds, from 0.
        refund: u8,
        /// The step.
        step: RelayStep,
        /// Whether who gets the row knew it already; only for a publish.
        known: bool,
    },
    /// A relay has sent a row, and does not know it to be paid.
    NotPublished {
        /// The relay.
        relay: u16,
        /// The job of the row.
        job: JobIndex,
        /// The status; none for no answer.
        status: Option<u16>,
    },
    /// A relay died.
    RelayCrashed {
        /// The relay.
        relay: u16,
        /// The job of the row that it had read.
        job: JobIndex,
        /// Where.
        point: Point,
    },
    /// A crashed relay is back.
    RelayBack {
        /// The relay.
        relay: u16,
    },
    /// A new version was deployed.
    Deployed {
        /// Whether the old workers are drained; if not, they are killed.
        drains: bool,
        /// In whose place, if they go one by one; none for all at once.
        worker: Option<WorkerId>,
    },
    /// A worker of the old version has stopped by itself.
    Stopped {
        /// Which.
        worker: WorkerId,
    },
    /// The grace of those that were still at work is over.
    GraceEnded,
    /// A call has kept others with its key out for long enough: the next one takes its work up.
    KeyFreed {
        /// The key.
        key: IdempotencyKey,
    },
    /// The vendor no longer knows a key.
    KeyForgotten {
        /// The key.
        key: IdempotencyKey,
    },
    /// The vendor's test clock was moved.
    ClockMoved,
    /// The vendor is back.
    VendorBack,
    /// What the vendor had paid was taken back.
    Undone,
}

/// Takes what happens as it happens.
pub trait Sink {
    /// Called once for each event, in order.
    fn event(&mut self, at: Moment, event: Event);

    /// What it has counted, if it does nothing but count. It may then be told sums alone.
    fn counter(&mut self) -> Option<&mut Counter> {
        None
    }
}

/// A sink that only counts: what a sweep uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// How many events.
    pub events: u64,
    /// How many of them moved money.
    pub executions: u64,
    /// How many were deliveries of a job after its first.
    pub redeliveries: u64,
    /// How many were late acks that the queue refused.
    pub refused_acks: u64,
}

impl Counter {
    // Inlined where an event is told, it leaves nothing of the event but a sum or two.
    #[inline(always)]
    fn count(&mut self, event: &Event) {
        self.events += 1;
        match event {
            Event::Wrote { .. } | Event::Paid { .. } => self.executions += 1,
            Event::Leased { by, .. } => self.redeliveries += u64::from(by.attempt > 0),
            Event::Acked { outcome, .. } => {
                self.refused_acks += u64::from(*outcome == AckOutcome::LateRefused);
            }
            _ => {}
        }
    }

    fn add(&mut self, other: &Self) {
        self.events += other.events;
        self.executions += other.executions;
        self.redeliveries += other.redeliveries;
        self.refused_acks += other.refused_acks;
    }
}

impl Sink for Counter {
    fn event(&mut self, _: Moment, event: Event) {
        self.count(&event);
    }

    fn counter(&mut self) -> Option<&mut Counter> {
        Some(self)
    }
}

/// A sink as the world tells it: each event, or to one that only counts the sums at the end.
pub(super) struct Listener<'a> {
    sink: &'a mut dyn Sink,
    counts: Option<Counter>,
}

impl<'a> Listener<'a> {
    pub(super) fn new(sink: &'a mut dyn Sink) -> Self {
        let counts = if WHOLE { sink.counter().map(|_| Counter::default()) } else { None };
        Self { sink, counts }
    }

    #[inline(always)]
    pub(super) fn event(&mut self, at: Moment, event: Event) {
        match &mut self.counts {
            Some(counts) if WHOLE => counts.count(&event),
            _ => self.sink.event(at, event),
        }
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        if let Some((counter, counts)) = self.sink.counter().zip(self.counts) {
            counter.add(&counts);
        }
    }
}

impl Event {
    /// The job that the event is about, if it is about one.
    #[must_use]
    pub fn job(&self) -> Option<JobIndex> {
        match *self {
            Self::Sent { job, .. }
            | Self::Dropped { job }
            | Self::WindowEnded { job }
            | Self::ClaimEnded { job }
            | Self::Paid { job, .. }
            | Self::LateCall { job, .. }
            | Self::ReplyLost { job, .. }
            | Self::Replica { job }
            | Self::Expired { job, .. }
            | Self::Returned { job }
            | Self::Dead { job, .. }
            | Self::RelayRead { job, .. }
            | Self::Relayed { job, .. }
            | Self::NotPublished { job, .. }
            | Self::RelayCrashed { job, .. } => Some(job),
            _ => self.by().map(|by| by.job),
        }
    }

    /// The attempt that the event belongs to, if it belongs to one.
    #[must_use]
    pub fn by(&self) -> Option<Attempt> {
        match *self {
            Self::Began(by)
            | Self::Due(by)
            | Self::Connected(by)
            | Self::Thought(by)
            | Self::NoAnswer(by)
            | Self::Checkpointed(by)
            | Self::AckLost(by)
            | Self::SentAgain(by)
            | Self::Stepped(by)
            | Self::Leased { by, .. }
            | Self::Resumed { by, .. }
            | Self::Minted { by, .. }
            | Self::Checked { by, .. }
            | Self::Claim { by, .. }
            | Self::LeaseChecked { by, .. }
            | Self::Fence { by, .. }
            | Self::Started { by, .. }
            | Self::Called { by, .. }
            | Self::Answer { by, .. }
            | Self::Wrote { by, .. }
            | Self::AlreadyWritten { by, .. }
            | Self::Acked { by, .. }
            | Self::Beat { by, .. }
            | Self::Paused { by, .. }
            | Self::GaveBack { by, .. }
            | Self::Failed { by, .. }
            | Self::Crashed { by, .. } => Some(by),
            _ => None,
        }
    }
}
