//! The idempotency key: the name of one effect, the same on every attempt.

use crate::units::JobIndex;

/// How a key is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPolicy {
    /// No key is sent.
    None,
    /// A new key for every attempt. The most common wrong fix.
    PerAttempt,
    /// One key for a job's step and action: the same on every attempt.
    Stable,
    /// One key for the whole job, however many refunds it makes: too coarse.
    PerJob,
    /// One key for everybody: what two accounts may both happen to use.
    Constant,
}

/// Names the effect that a write is meant to have, so that a repeat can be recognised.
///
/// Its text, `job_17:step_3:refund`, is made by
/// [`crate::sim::scenario::Scenario::key_text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey {
    /// The job whose step this is the key of.
    pub job: JobIndex,
    /// Which of the job's refunds.
    pub refund: u8,
    /// What else the key was made of.
    pub minted: Minted,
}

/// What a key was made of besides the job and the refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Minted {
    /// Nothing: it can be made again.
    Stable,
    /// The attempt, or for a relay its sends: it cannot.
    By(u32),
    /// It is no key: nothing is sent, and nothing is recognised.
    Missing,
    /// It names the job alone.
    Job,
    /// It names nothing.
    Constant,
}

impl IdempotencyKey {
    /// The stable key of a job's first refund.
    #[must_use]
    pub fn stable(job: JobIndex) -> Self {
        Self { job, refund: 0, minted: Minted::Stable }
    }

    /// The key that a policy chooses for a refund of a job, on some attempt.
    #[must_use]
    pub fn chosen(policy: KeyPolicy, job: JobIndex, refund: u8, attempt: u32) -> Self {
        match policy {
            KeyPolicy::None => Self { job, refund, minted: Minted::Missing },
            KeyPolicy::PerAttempt => Self { job, refund, minted: Minted::By(attempt) },
            KeyPolicy::Stable => Self { job, refund, minted: Minted::Stable },
            KeyPolicy::PerJob => Self { job, refund: 0, minted: Minted::Job },
            KeyPolicy::Constant => Self { job: JobIndex(0), refund: 0, minted: Minted::Constant },
        }
    }

    /// Whether there is a key at all.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        self.minted != Minted::Missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_keys_are_the_same() {
        let chosen = |policy, job, refund, attempt| {
            IdempotencyKey::chosen(policy, JobIndex(job), refund, attempt)
        };
        // (policy, same on another attempt, same for another refund, same for another job)
        for (policy, attempt, refund, job) in [
            (KeyPolicy::PerAttempt, false, false, false),
            (KeyPolicy::Stable, true, false, false),
            (KeyPolicy::PerJob, true, true, false),
            (KeyPolicy::Constant, true, true, true),
        ] {
            let key = chosen(policy, 1, 0, 0);
            assert!(key.is_sent());
            assert_eq!(key == chosen(policy, 1, 0, 1), attempt, "{policy:?}");
            assert_eq!(key == chosen(policy, 1, 1, 0), refund, "{policy:?}");
            assert_eq!(key == chosen(policy, 2, 0, 0), job, "{policy:?}");
        }
        assert!(!chosen(KeyPolicy::None, 1, 0, 0).is_sent());
        assert_eq!(IdempotencyKey::stable(JobIndex(1)), chosen(KeyPolicy::Stable, 1, 0, 7));
    }
}
