//! A job: the work that a message asks for, and what has to outlive each attempt at it.

use crate::units::{Moment, Span};

/// The job row. It survives the crash of any worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// How many times the job has been delivered since it was last sent as new. The next
    /// delivery has this number: attempts count from 0.
    pub attempts: u32,
    /// How many of its refunds are checkpointed.
    pub checkpoint: u8,
    /// The wait drawn after the attempt before, which decorrelated jitter starts from.
    pub last_wait: Option<Span>,
    /// How many messages have been made for it: the next one has this number.
    pub copies: u32,
    /// When it was first sent.
    pub sent: Moment,
    /// Which of its refunds the vendor has refused for good: a bit for each, the first lowest.
    pub refused: u8,
    /// Whether one of them was tried again after that.
    pub retried: bool,
}

impl Job {
    /// Counts a delivery and returns its attempt number, from 0.
    ///
    /// The count stops at `u32::MAX`; limits are at most that.
    pub fn deliver(&mut self) -> u32 {
        let attempt = self.attempts;
        self.attempts = self.attempts.saturating_add(1);
        attempt
    }

    /// Notes that the vendor is asked for refund `refund`, from 0.
    pub fn ask(&mut self, refund: u8) {
        self.retried |= self.refused >> refund & 1 > 0;
    }

    /// Notes whether the vendor has refused refund `refund`, from 0, for good. A job has fewer
    /// than eight.
    pub fn refuse(&mut self, refund: u8, for_good: bool) {
        self.refused |= u8::from(for_good) << refund;
    }

    /// Notes that refund `refund`, from 0, is finished. An older attempt's note takes nothing
    /// back.
    pub fn save(&mut self, refund: u8) {
        self.checkpoint = self.checkpoint.max(refund.saturating_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_count_from_zero_and_never_wrap() {
        let mut job = Job::default();
        assert_eq!([job.deliver(), job.deliver(), job.deliver()], [0, 1, 2]);
        job.attempts = u32::MAX;
        assert_eq!(job.deliver(), u32::MAX);
        assert_eq!(job.attempts, u32::MAX);
    }

    #[test]
    fn a_refund_is_tried_again_that_was_refused_itself() {
        for (refused, other) in [(0, 1), (1, 0)] {
            let mut job = Job::default();
            job.ask(refused);
            job.refuse(refused, true);
            job.refuse(other, false);
            job.ask(other);
            assert!(!job.retried, "the other one was refused");
            job.ask(refused);
            assert!(job.retried);
        }
    }

    #[test]
    fn a_checkpoint_is_never_taken_back() {
        let mut job = Job::default();
        job.save(1);
        assert_eq!(job.checkpoint, 2);
        job.save(0);
        assert_eq!(job.checkpoint, 2);
    }
}
