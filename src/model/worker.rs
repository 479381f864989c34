//! A worker, the slice of work that it runs for a message, and what it knows.

use super::ledger::Guard;
use super::queue::Receipt;
use crate::units::{JobIndex, MessageId, Moment, Span};

/// The steps of a slice, in order. Each takes effect at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The language model decides what to do. Left out when its length is 0.
    Think,
    /// A guard that looks before it writes. Only there for such a guard; takes no time.
    Check,
    /// The row is written: the effect.
    Write,
    /// The job row learns that the step is finished.
    Checkpoint,
    /// The message is given back as done.
    Ack,
}

/// How long each step of a slice takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Length of [`Step::Think`].
    pub think: Span,
    /// Length of [`Step::Write`].
    pub write: Span,
    /// Length of [`Step::Checkpoint`].
    pub checkpoint: Span,
    /// Length of [`Step::Ack`].
    pub ack: Span,
}

impl Slice {
    /// How long a step takes.
    #[must_use]
    pub fn length(&self, step: Step) -> Span {
        match step {
            Step::Think => self.think,
            Step::Check => Span::ZERO,
            Step::Write => self.write,
            Step::Checkpoint => self.checkpoint,
            Step::Ack => self.ack,
        }
    }

    /// The first step of a slice that starts from the beginning.
    #[must_use]
    pub fn first(&self, guard: Guard) -> Step {
        if self.think > Span::ZERO { Step::Think } else { self.after_think(guard) }
    }

    fn after_think(&self, guard: Guard) -> Step {
        match guard {
            Guard::CheckThenInsert | Guard::AskTheModel => Step::Check,
            Guard::Off | Guard::AtomicInsert => Step::Write,
        }
    }

    /// The step that follows; none after the ack.
    #[must_use]
    pub fn next(&self, step: Step, guard: Guard) -> Option<Step> {
        match step {
            Step::Think => Some(self.after_think(guard)),
            Step::Check => Some(Step::Write),
            Step::Write => Some(Step::Checkpoint),
            Step::Checkpoint => Some(Step::Ack),
            Step::Ack => None,
        }
    }
}

/// What a worker has in hand: its message and what it has read. Nothing of another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The message received.
    pub message: MessageId,
    /// The job that it asks for.
    pub job: JobIndex,
    /// The attempt number that this delivery has.
    pub attempt: u32,
    /// The receipt of the lease.
    pub receipt: Receipt,
    /// The step under way.
    pub step: Step,
    /// When the step began: the moment of the one before.
    pub since: Moment,
    /// When the step takes effect.
    pub due: Moment,
    /// The row that a guard which looks first has found, once it has looked.
    pub saw: Option<u32>,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// Waiting for a message.
    Idle {
        /// Since when.
        since: Moment,
    },
    /// Running a slice.
    Busy(Task),
    /// Crashed; a supervisor starts it again.
    Down {
        /// When it is back.
        until: Moment,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(slice: &Slice, guard: Guard) -> Vec<Step> {
        std::iter::successors(Some(slice.first(guard)), |step| slice.next(*step, guard)).collect()
    }

    #[test]
    fn the_guard_decides_whether_there_is_a_look_before_the_write() {
        use Step::*;
        let slice = Slice {
            think: Span::from_secs(1),
            write: Span::from_secs(1),
            checkpoint: Span::ZERO,
            ack: Span::ZERO,
        };
        let short = Slice { think: Span::ZERO, ..slice };
        for guard in [Guard::Off, Guard::AtomicInsert] {
            assert_eq!(steps(&slice, guard), [Think, Write, Checkpoint, Ack]);
            assert_eq!(steps(&short, guard), [Write, Checkpoint, Ack]);
        }
        for guard in [Guard::CheckThenInsert, Guard::AskTheModel] {
            assert_eq!(steps(&slice, guard), [Think, Check, Write, Checkpoint, Ack]);
            assert_eq!(steps(&short, guard), [Check, Write, Checkpoint, Ack]);
        }
    }
}
