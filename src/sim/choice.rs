//! What may happen next: the pending events, each with what may go wrong there.

use super::fault::{Point, Site, Verdict};
use crate::units::{MessageId, Moment, WorkerId};

/// Something that is due, by what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pending {
    /// A worker's step takes effect.
    Step {
        /// Whose.
        worker: WorkerId,
    },
    /// A crashed worker is back.
    Restart {
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
}

/// The order of what falls due at one instant: lower classes first, within a class by sequence.
///
/// Crashes come first and receives last, so an arrival or a redelivery wakes a waiting worker at
/// once; what workers do comes before the ends of leases, so an ack at exactly the deadline still
/// counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// Crashes and kills.
    Crash,
    /// What else workers do: write, checkpoint, ack, come back.
    Work,
    /// Ends of leases and of waits.
    End,
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
}

/// A chooser under which nothing goes wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingFails;

impl Chooser for NothingFails {
    fn verdict(&mut self, _: &Site) -> Verdict {
        Verdict::Go
    }
}
