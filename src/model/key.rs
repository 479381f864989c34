//! The idempotency key: the name of one effect, the same on every attempt.

use crate::units::JobIndex;

/// Names the effect that a write is meant to have, so that a repeat can be recognised.
///
/// The key is chosen before the first attempt and belongs to the job's step; it does not depend
/// on the attempt, the receipt or the worker. Its text, `job_17:step_3:refund`, is made by
/// [`crate::sim::scenario::Scenario::key_text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey {
    /// The job whose step this is the key of.
    pub job: JobIndex,
}

impl IdempotencyKey {
    /// The stable key of a job's step.
    #[must_use]
    pub fn stable(job: JobIndex) -> Self {
        Self { job }
    }
}
