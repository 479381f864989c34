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
/// nobody else has received the message, SQS FIFO and BullMQ answer with an error, Celery on Redis
/// acks a delivery of which the restored message knows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateAck {
    /// Any receipt deletes the message.
    Delete,
    /// The newest receipt deletes while nobody else has taken the message; others are ignored.
    NewestReceipt,
    /// A late ack is an error and changes nothing.
    Refuse,
    /// A late ack is no error and changes nothing: it is about a delivery that is over.
    Ignore,
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

/// What the queue does with a heartbeat whose lease is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateExtend {
    /// It is an error and changes nothing.
    Refuse,
    /// While nobody else has taken the message, its newest receipt leases it again.
    Extend,
}

/// What a heartbeat did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtendOutcome {
    /// The lease now ends at this moment.
    Until(Moment),
    /// The lease is over; another holder's is not touched.
    TooLate,
    /// The lease would last longer in all than the queue allows; the deadline stays.
    TooLong,
}

/// One message: one request for a job, with its own receipts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The job that it asks for.
    pub job: JobIndex,
    /// Its number among the job's messages: re-enqueues and replicas count up.
    pub copy: u32,
    /// How many receives there have been.
    pub receives: u32,
    /// What counts towards the limit of attempts: receives, or failures.
    pub counted: u32,
    /// How many leases have ended without an ack.
    pub stalls: u32,
    /// When the newest lease began.
    pub leased_at: Moment,
    /// The newest receipt given out, which is that of a lease; 0 before the first receive.
    pub receipt: Receipt,
    /// Where the message is.
    pub state: MessageState,
}

impl Message {
    /// A message that became visible at `since`.
    #[must_use]
    pub fn ready(job: JobIndex, copy: u32, since: Moment) -> Self {
        Self {
            job,
            copy,
            receives: 0,
            counted: 0,
            stalls: 0,
            leased_at: since,
            receipt: Receipt(0),
            state: MessageState::Ready { since },
        }
    }

    /// Leases the message to `holder`: a new receipt, a deadline `timeout` from now.
    pub fn receive(&mut self, holder: WorkerId, now: Moment, timeout: Span) -> Lease {
        debug_assert!(matches!(self.state, MessageState::Ready { .. }));
        self.receives = self.receives.saturating_add(1);
        self.receipt = Receipt(self.receipt.0.saturating_add(1));
        let lease = Lease { holder, deadline: now.after(timeout) };
        self.state = MessageState::Leased(lease);
        self.leased_at = now;
        lease
    }

    /// Sets the end of the lease to `value` from now: a heartbeat. It counts from the call, so it
    /// may also shorten; 0 gives the message back at once.
    ///
    /// `longest` is how long a lease may last in all, from the receive; asking for more is an
    /// error, not a clamp (SQS: 12 h, `InvalidParameterValue`).
    pub fn extend(
        &mut self,
        holder: WorkerId,
        receipt: Receipt,
        now: Moment,
        value: Span,
        longest: Span,
        late: LateExtend,
    ) -> ExtendOutcome {
        let untaken =
            matches!(self.state, MessageState::Ready { .. } | MessageState::Delayed { .. });
        let again = untaken && receipt == self.receipt && late == LateExtend::Extend;
        if !self.is_held_by(receipt) && !again {
            return ExtendOutcome::TooLate;
        }
        let deadline = now.after(value);
        if deadline.since(self.leased_at) > longest {
            return ExtendOutcome::TooLong;
        }
        self.state = MessageState::Leased(Lease { holder, deadline });
        ExtendOutcome::Until(deadline)
    }

    /// Whether `receipt` is that of a lease which is not over.
    #[must_use]
    pub fn is_held_by(&self, receipt: Receipt) -> bool {
        matches!(self.state, MessageState::Leased(_)) && receipt == self.receipt
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
            (MessageState::Acked, LateAck::Refuse) if receipt != self.receipt => {
                AckOutcome::LateRefused
            }
            (MessageState::Acked, _) => AckOutcome::Gone,
            (MessageState::Dead, LateAck::Refuse) | (_, LateAck::Refuse) => AckOutcome::LateRefused,
            (MessageState::Dead, _) => AckOutcome::LateIgnored,
            (_, LateAck::Ignore) => AckOutcome::LateIgnored,
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
        let mut message = Message::ready(JobIndex(0), 0, Moment::ZERO);
        let lease = message.receive(A, at(0), Span::from_secs(30));
        assert_eq!(lease.deadline, at(30));
        (message, message.receipt)
    }

    #[test]
    fn a_receive_gives_a_new_receipt_each_time() {
        let (mut message, first) = leased_to_a();
        message.state = MessageState::Ready { since: at(30) };
        message.receive(B, at(30), Span::from_secs(30));
        let second = message.receipt;
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
        let lost_by_b = |m: &mut Message| {
            m.state = MessageState::Ready { since: at(30) };
            m.receive(B, at(30), Span::from_secs(30));
            m.state = MessageState::Ready { since: at(60) };
        };
        let acked = |m: &mut Message| m.state = MessageState::Acked;
        let dead = |m: &mut Message| m.state = MessageState::Dead;
        type Case = (&'static str, fn(&mut Message), [AckOutcome; 4]);
        let cases: [Case; 7] = [
            ("held by A", held, [Deleted, Deleted, Deleted, Deleted]),
            ("returned", returned, [LateDeleted, LateDeleted, LateRefused, LateIgnored]),
            ("waiting", waiting, [LateDeleted, LateDeleted, LateRefused, LateIgnored]),
            ("taken by B", taken, [LateDeleted, LateIgnored, LateRefused, LateIgnored]),
            ("returned by B", lost_by_b, [LateDeleted, LateIgnored, LateRefused, LateIgnored]),
            ("acked before", acked, [Gone, Gone, Gone, Gone]),
            ("dead", dead, [LateIgnored, LateIgnored, LateRefused, LateIgnored]),
        ];
        for (name, arrange, expected) in cases {
            for (late, expected) in
                [LateAck::Delete, LateAck::NewestReceipt, LateAck::Refuse, LateAck::Ignore]
                    .into_iter()
                    .zip(expected)
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

    #[test]
    fn a_heartbeat_counts_from_the_call() {
        let value = Span::from_secs(10);
        let longest = Span::from_secs(43_200);
        let beat = |message: &mut Message, receipt, at_s| {
            message.extend(A, receipt, at(at_s), value, longest, LateExtend::Refuse)
        };
        let (mut message, receipt) = leased_to_a();
        // It shortens a lease of 30 s.
        assert_eq!(beat(&mut message, receipt, 15), ExtendOutcome::Until(at(25)));
        // Exactly the longest is allowed; a second more is an error and changes nothing.
        assert_eq!(beat(&mut message, receipt, 43_190), ExtendOutcome::Until(at(43_200)));
        let before = message;
        assert_eq!(beat(&mut message, receipt, 43_191), ExtendOutcome::TooLong);
        assert_eq!(message, before);
    }

    #[test]
    fn a_late_heartbeat_leaves_the_new_holder_alone() {
        let extend = |message: &mut Message, receipt, late| {
            let (value, longest) = (Span::from_secs(3000), Span::from_secs(43_200));
            message.extend(A, receipt, at(32), value, longest, late)
        };
        for late in [LateExtend::Refuse, LateExtend::Extend] {
            let (mut message, receipt) = leased_to_a();
            message.state = MessageState::Ready { since: at(30) };
            message.receive(B, at(31), Span::from_secs(30));
            let before = message;
            assert_eq!(extend(&mut message, receipt, late), ExtendOutcome::TooLate);
            assert_eq!(message, before, "{late:?}");
        }
        let (mut message, receipt) = leased_to_a();
        message.state = MessageState::Ready { since: at(30) };
        assert_eq!(extend(&mut message, receipt, LateExtend::Refuse), ExtendOutcome::TooLate);
        let again = extend(&mut message, receipt, LateExtend::Extend);
        assert_eq!(again, ExtendOutcome::Until(at(3032)));
        assert!(message.is_held_by(receipt));
    }
}
