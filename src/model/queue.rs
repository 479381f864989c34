//! A message in a queue, the lease under which a worker holds it, and what an ack does.

use crate::units::{JobIndex, Moment, Span, WorkerId};

/// The handle that a receive gives out. Every receive gives a new one; only the newest is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Receipt(pub u32);

/// Who holds a message, and until when.
///
/// The span is half-open: at the deadline the lease is over. Whether it *is* over is not read
/// off a clock, though: it is over once the queue has applied its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The worker that received the message.
    pub holder: WorkerId,
    /// The receipt which that receive gave out.
    pub receipt: Receipt,
    /// When the message may be taken by somebody else.
    pub deadline: Moment,
}

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageState {
    /// Visible: any worker may receive it.
    Ready {
        /// Since when.
        since: Moment,
    },
    /// Received, invisible to others.
    Leased(Lease),
    /// Invisible until a wait is over.
    Delayed {
        /// The end of the wait.
        until: Moment,
    },
    /// Deleted by an ack.
    Acked,
    /// Moved to the dead letters.
    Dead,
}

/// What the queue does with an ack whose lease is over.
///
/// Real queues differ: pgmq and NATS delete by message, an SQS standard queue deletes while
/// nobody else has received the message, SQS FIFO and BullMQ answer with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateAck {
    /// Any receipt deletes the message.
    Delete,
    /// The newest receipt deletes while nobody else has taken the message; others are ignored.
    NewestReceipt,
    /// A late ack is an error and changes nothing.
    Refuse,
}

/// What an ack did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckOutcome {
    /// In time: the message is deleted.
    Deleted,
    /// Late, and the message is deleted all the same.
    LateDeleted,
    /// Late, answered without an error, without effect.
    LateIgnored,
    /// Late, answered with an error, without effect.
    LateRefused,
    /// The message had gone already: a second ack is no error and touches nobody else.
    Gone,
}

/// One message: one request for a job, with its own receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The job that it asks for.
    pub job: JobIndex,
    /// How many receives there have been.
    pub receives: u32,
    /// The newest receipt given out; 0 before the first receive.
    pub receipt: Receipt,
    /// Where the message is.
    pub state: MessageState,
}

impl Message {
    /// A message that became visible at `since`.
    #[must_use]
    pub fn ready(job: JobIndex, since: Moment) -> Self {
        Self { job, receives: 0, receipt: Receipt(0), state: MessageState::Ready { since } }
    }

    /// Leases the message to `holder`: a new receipt, a deadline `timeout` from now.
    pub fn receive(&mut self, holder: WorkerId, now: Moment, timeout: Span) -> Lease {
        debug_assert!(matches!(self.state, MessageState::Ready { .. }));
        self.receives = self.receives.saturating_add(1);
        self.receipt = Receipt(self.receipt.0.saturating_add(1));
        let lease = Lease { holder, receipt: self.receipt, deadline: now.after(timeout) };
        self.state = MessageState::Leased(lease);
        lease
    }

    /// Whether `receipt` is that of a lease which is not over.
    #[must_use]
    pub fn is_held_by(&self, receipt: Receipt) -> bool {
        matches!(self.state, MessageState::Leased(lease) if lease.receipt == receipt)
    }

    /// Deletes the message if `receipt` still may.
    pub fn ack(&mut self, receipt: Receipt, late: LateAck) -> AckOutcome {
        if self.is_held_by(receipt) {
            self.state = MessageState::Acked;
            return AckOutcome::Deleted;
        }
        let untaken =
            matches!(self.state, MessageState::Ready { .. } | MessageState::Delayed { .. });
        match (self.state, late) {
            (MessageState::Acked, _) => AckOutcome::Gone,
            (MessageState::Dead, LateAck::Refuse) | (_, LateAck::Refuse) => AckOutcome::LateRefused,
            (MessageState::Dead, _) => AckOutcome::LateIgnored,
            (_, LateAck::NewestReceipt) if !untaken || receipt != self.receipt => {
                AckOutcome::LateIgnored
            }
            (_, LateAck::Delete | LateAck::NewestReceipt) => {
                self.state = MessageState::Acked;
                AckOutcome::LateDeleted
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: WorkerId = WorkerId(0);
    const B: WorkerId = WorkerId(1);

    fn at(seconds: u64) -> Moment {
        Moment::ZERO.after(Span::from_secs(seconds))
    }

    fn leased_to_a() -> (Message, Receipt) {
        let mut message = Message::ready(JobIndex(0), Moment::ZERO);
        let lease = message.receive(A, at(0), Span::from_secs(30));
        assert_eq!(lease.deadline, at(30));
        (message, lease.receipt)
    }

    #[test]
    fn a_receive_gives_a_new_receipt_each_time() {
        let (mut message, first) = leased_to_a();
        message.state = MessageState::Ready { since: at(30) };
        let second = message.receive(B, at(30), Span::from_secs(30)).receipt;
        assert_ne!(first, second);
        assert!(message.is_held_by(second) && !message.is_held_by(first));
        assert_eq!(message.receives, 2);
    }

    #[test]
    fn what_an_ack_does() {
        use AckOutcome::*;
        // (where the message is when A's ack arrives, late ack, what the ack does)
        let held = |m: &mut Message| assert!(matches!(m.state, MessageState::Leased(_)));
        let returned = |m: &mut Message| m.state = MessageState::Ready { since: at(30) };
        let waiting = |m: &mut Message| m.state = MessageState::Delayed { until: at(40) };
        let taken = |m: &mut Message| {
            m.state = MessageState::Ready { since: at(30) };
            m.receive(B, at(30), Span::from_secs(30));
        };
        let acked = |m: &mut Message| m.state = MessageState::Acked;
        let dead = |m: &mut Message| m.state = MessageState::Dead;
        type Case = (&'static str, fn(&mut Message), [AckOutcome; 3]);
        let cases: [Case; 6] = [
            ("held by A", held, [Deleted, Deleted, Deleted]),
            ("returned", returned, [LateDeleted, LateDeleted, LateRefused]),
            ("waiting", waiting, [LateDeleted, LateDeleted, LateRefused]),
            ("taken by B", taken, [LateDeleted, LateIgnored, LateRefused]),
            ("acked before", acked, [Gone, Gone, Gone]),
            ("dead", dead, [LateIgnored, LateIgnored, LateRefused]),
        ];
        for (name, arrange, expected) in cases {
            for (late, expected) in
                [LateAck::Delete, LateAck::NewestReceipt, LateAck::Refuse].into_iter().zip(expected)
            {
                let (mut message, receipt) = leased_to_a();
                arrange(&mut message);
                let before = message.state;
                assert_eq!(message.ack(receipt, late), expected, "{name}, {late:?}");
                match expected {
                    Deleted | LateDeleted => assert_eq!(message.state, MessageState::Acked),
                    _ => assert_eq!(message.state, before, "{name}, {late:?}"),
                }
            }
        }
    }
}
