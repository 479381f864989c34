//! A job: the work that a message asks for, and what has to outlive each attempt at it.

use crate::units::Span;

/// The job row. It survives the crash of any worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// How many times the job has been delivered. The next delivery has this number: attempts
    /// count from 0.
    pub attempts: u32,
    /// Whether some attempt has saved that its step is finished.
    pub checkpoint: bool,
    /// The wait drawn after the attempt before, which decorrelated jitter starts from.
    pub last_wait: Option<Span>,
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
}
