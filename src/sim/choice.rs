//! What may happen next: the pending events, each with what may go wrong there.

use super::fault::{Point, Points, Site, Verdict};
use crate::model::key::IdempotencyKey;
use crate::model::vendor::Scoped;
use crate::units::{JobIndex, MessageId, Moment, WorkerId};

/// Something that is due, by what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pending {
    /// A worker's step takes effect.
    Step {
        /// Whose.
        worker: WorkerId,
    },
    /// A worker sends a heartbeat.
    Beat {
        /// Which.
        worker: WorkerId,
    },
    /// A worker that is down is back.
    Restart {
        /// Which.
        worker: WorkerId,
    },
    /// A worker dies, because a rule says so, wherever it is.
    Kill {
        /// Which.
        worker: WorkerId,
    },
    /// A lease is over: its message comes back.
    LeaseEnd {
        /// Whose.
        message: MessageId,
    },
    /// A wait is over: its message is visible.
    WaitEnd {
        /// Whose.
        message: MessageId,
    },
    /// An idle worker takes a ready message.
    Receive {
        /// Who.
        worker: WorkerId,
        /// What.
        message: MessageId,
    },
    /// The vendor is done with a call: it has run, and the answer is on its way.
    Answer {
        /// Which call.
        call: u32,
    },
    /// A call that was late reaches the vendor.
    LateCall {
        /// Which call.
        call: u32,
    },
    /// A key's life is over.
    KeyEnd {
        /// The key.
        key: Scoped,
    },
    /// The life of a claim in progress is over.
    ClaimEnd {
        /// The key.
        key: IdempotencyKey,
        /// Which claim of it.
        number: u32,
    },
    /// A call under way has kept others with its key out for long enough.
    CallClaimEnd {
        /// The key.
        key: Scoped,
    },
    /// The window in which the queue knows the id of a job's message is over.
    WindowEnd {
        /// The job.
        job: JobIndex,
    },
    /// A job arrives.
    Arrive,
    /// The producer sends a job's message again.
    Resend {
        /// The job.
        job: JobIndex,
        /// Which sending, from 1.
        time: u32,
    },
    /// An idle relay reads a row that is not marked.
    Read {
        /// Who.
        relay: u16,
        /// Which row, from 0.
        row: u32,
    },
    /// A relay's step takes effect.
    Relay {
        /// Whose.
        relay: u16,
    },
    /// A crashed relay is back.
    RelayBack {
        /// Which.
        relay: u16,
    },
    /// A new version is deployed.
    Deploy {
        /// Where: at all workers from this one on, or at this one if they go one by one.
        first: WorkerId,
    },
    /// The grace that draining workers had is over.
    GraceEnd {
        /// Which: those whose turn began with this one.
        first: WorkerId,
    },
    /// The vendor's test clock is moved to the end of every key's life.
    TestClock,
    /// The vendor is back.
    VendorBack,
    /// Support takes back what the vendor has paid.
    Undo,
}

impl Pending {
    /// The job that it names, if it has a timer of its own and names one.
    #[must_use]
    pub fn job(self) -> Option<JobIndex> {
        match self {
            Self::WindowEnd { job } | Self::Resend { job, .. } => Some(job),
            Self::ClaimEnd { key, .. } => Some(key.job),
            Self::KeyEnd { key } | Self::CallClaimEnd { key } => Some(key.key.job),
            _ => None,
        }
    }

    /// Whether it has a timer of its own in the world, which its sequence names. The others come
    /// of what a worker, a message or a relay is doing.
    #[must_use]
    pub fn has_own_timer(self) -> bool {
        !matches!(
            self,
            Self::Step { .. }
                | Self::Restart { .. }
                | Self::LeaseEnd { .. }
                | Self::WaitEnd { .. }
                | Self::Receive { .. }
                | Self::Read { .. }
        )
    }
}

/// The order of what falls due at one instant: lower classes first, within a class by sequence.
///
/// Crashes come first and receives last, so an arrival or a redelivery wakes a waiting worker at
/// once; what workers do comes before the ends of leases, so an ack at exactly the deadline still
/// counts; a vendor's slot is free before a call at the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// Crashes, kills, deploys.
    Crash,
    /// Ends of key lives, claims, windows, vendor slots.
    Limit,
    /// What else workers and the vendor do.
    Work,
    /// Ends of leases and of waits.
    End,
    /// Arrivals.
    Arrival,
    /// Receives.
    Receive,
}

/// One thing that may happen next, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The event.
    pub pending: Pending,
    /// What goes wrong there; [`Verdict::Go`] for nothing.
    pub verdict: Verdict,
    /// The point where it goes wrong, for a verdict other than [`Verdict::Go`].
    pub point: Option<Point>,
    /// When it is due. Taking it moves the clock to here, or leaves it where it is if that is
    /// later.
    pub due: Moment,
    /// Its class at that instant.
    pub class: Class,
    /// Its place within the class.
    pub sequence: u64,
}

impl Choice {
    /// The fixed order of a list of choices: due time, class, sequence, and last the verdict.
    #[must_use]
    pub fn order(&self) -> (Moment, Class, u64, Pending, Verdict, Option<Point>) {
        (self.due, self.class, self.sequence, self.pending, self.verdict, self.point)
    }

    /// Whether two choices make the same thing happen.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        (self.pending, self.verdict, self.point) == (other.pending, other.verdict, other.point)
    }
}

/// A list of choices that is used again for each step.
pub type Choices = Vec<Choice>;

/// Says what happens at a site. Asked twice about the same site it says the same.
pub trait Chooser {
    /// The verdict at a site; one that is not possible there counts as [`Verdict::Go`].
    fn verdict(&mut self, site: &Site) -> Verdict;

    /// Where it may say anything but [`Verdict::Go`]: at other points it need not be asked.
    fn points(&self) -> Points {
        Points::ALL
    }
}
