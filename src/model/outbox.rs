//! The outbox: rows written in the same transaction as the job row, and relays that send them.

use super::key::IdempotencyKey;
use crate::units::{Cents, JobIndex, Moment, Span};

/// A row of the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// For which job.
    pub job: JobIndex,
    /// The key, chosen when the row was written.
    pub key: IdempotencyKey,
    /// How much to pay.
    pub cents: Cents,
    /// For which of the job's refunds.
    pub refund: u8,
    /// Since when a relay may read it: since it is there, or once the wait after a sending that
    /// failed is over.
    pub since: Moment,
    /// How often a relay has read it.
    pub reads: u32,
    /// Whether it is marked as sent.
    pub marked: bool,
    /// How often it was sent, whatever came of it.
    pub sends: u32,
    /// The last wait after a sending that failed.
    pub last_wait: Option<Span>,
}

/// In which order a relay does its two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayOrder {
    /// Send, then mark: a crash between sends twice.
    PublishThenMark,
    /// Mark, then send: a crash between sends never.
    MarkThenPublish,
}

/// What a relay does next with the row that it has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelayStep {
    /// Send it.
    Publish,
    /// Mark it as sent.
    Mark,
}

/// What a relay is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayState {
    /// Looking for a row that is not marked.
    Idle {
        /// Since when.
        since: Moment,
    },
    /// It has read a row and is about to do a step.
    Busy {
        /// The row, from 0.
        row: usize,
        /// The step under way.
        step: RelayStep,
        /// When the step began.
        since: Moment,
        /// When the step takes effect.
        due: Moment,
    },
    /// It has sent a row and waits for the answer.
    Waiting {
        /// The row, from 0.
        row: usize,
        /// The number of the sending, from 1.
        send: u32,
        /// Since when.
        since: Moment,
        /// When it gives up on the answer.
        due: Moment,
    },
    /// Crashed.
    Down {
        /// When it is back.
        until: Moment,
    },
}

impl RelayOrder {
    /// The first step.
    #[must_use]
    pub fn first(self) -> RelayStep {
        match self {
            Self::PublishThenMark => RelayStep::Publish,
            Self::MarkThenPublish => RelayStep::Mark,
        }
    }

    /// The step that follows; none after the second.
    #[must_use]
    pub fn next(self, step: RelayStep) -> Option<RelayStep> {
        let second = match self {
            Self::PublishThenMark => RelayStep::Mark,
            Self::MarkThenPublish => RelayStep::Publish,
        };
        (step != second).then_some(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_does_both_in_its_order() {
        use RelayStep::*;
        for (order, steps) in [
            (RelayOrder::PublishThenMark, [Publish, Mark]),
            (RelayOrder::MarkThenPublish, [Mark, Publish]),
        ] {
            let done: Vec<RelayStep> =
                std::iter::successors(Some(order.first()), |step| order.next(*step)).collect();
            assert_eq!(done, steps);
        }
    }
}
