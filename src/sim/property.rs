//! What must hold in every state, checked after every step.

use super::scenario::Effect;
use super::world::World;
use crate::model::queue::{Message, MessageState};
use crate::model::worker::WorkerState;
use crate::units::{Cents, JobIndex};

/// Something that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// Nobody is paid twice.
    PaidOnce,
    /// Every message sent is ready, leased, waiting, acked or dead.
    Conserved,
    /// No message is delivered more often than its limit allows. A job that is sent again as a new
    /// message has the whole limit again.
    WithinLimit,
    /// An error that trying again will not mend is not tried again.
    NotRetried,
    /// No job is acked or dropped, unpaid, with nothing pending for it. A dead letter is given
    /// up, not lost.
    NotLost,
    /// The vendor's ledger agrees with the local one, or with the outbox, wherever nothing is pending
    /// for a job, dead letters excepted. Where all money moves in the local ledger there is no other.
    BooksAgree,
}

/// Every property of a state.
pub const PROPERTIES: [Property; 6] = [
    Property::PaidOnce,
    Property::Conserved,
    Property::WithinLimit,
    Property::NotRetried,
    Property::NotLost,
    Property::BooksAgree,
];

impl Property {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PaidOnce => "paid-once",
            Self::Conserved => "conserved",
            Self::WithinLimit => "within-limit",
            Self::NotRetried => "not-retried",
            Self::NotLost => "not-lost",
            Self::BooksAgree => "books-agree",
        }
    }

    /// Whether it holds in this state.
    #[must_use]
    pub fn holds(self, world: &World) -> bool {
        let mut jobs = (0..).map(JobIndex).take(world.jobs().len());
        match self {
            Self::Conserved => world.found() == world.sent(),
            _ => jobs.all(|job| self.holds_for(world, job)),
        }
    }

    /// Whether it holds in this state of one job. What is conserved is not a matter of one.
    #[must_use]
    pub fn holds_for(self, world: &World, job: JobIndex) -> bool {
        match self {
            Self::PaidOnce => paid_at_most_once(world, job),
            Self::Conserved => self.holds(world),
            Self::WithinLimit => {
                let limit = world.scenario().broker.max_attempts;
                world.messages().iter().all(|it| it.job != job || is_within(limit, it))
            }
            Self::NotRetried => !world.jobs()[job.0 as usize].retried,
            Self::NotLost => is_pending_or_dead(world, job) || is_paid(world, job),
            Self::BooksAgree => {
                world.scenario().effect == Effect::Ledger
                    || is_pending_or_dead(world, job)
                    || books_agree(world, job)
            }
        }
    }
}

/// Whether what counts towards the limit of attempts is within it.
fn is_within(limit: u32, message: &Message) -> bool {
    message.counted <= limit
}

/// How often a refund was paid: where the money moves.
fn payments(world: &World, job: JobIndex, refund: u8) -> usize {
    match world.scenario().effect {
        Effect::Ledger => {
            world.ledger().of_job(job).filter(|(_, row)| row.refund == refund).count()
        }
        Effect::Vendor | Effect::Outbox => world.vendor().paid(job, refund),
    }
}

fn paid_at_most_once(world: &World, job: JobIndex) -> bool {
    (0..world.scenario().refunds()).all(|refund| payments(world, job, refund) <= 1)
}

fn is_paid(world: &World, job: JobIndex) -> bool {
    (0..world.scenario().refunds()).all(|refund| payments(world, job, refund) >= 1)
}

fn books_agree(world: &World, job: JobIndex) -> bool {
    let payments = world.vendor().payments().iter().filter(|payment| payment.job == job);
    let mut unbooked: Vec<_> = payments.map(|payment| (payment.refund, payment.cents)).collect();
    let mut book = |row: (u8, Cents)| {
        let place = unbooked.iter().position(|payment| *payment == row);
        place.map(|place| unbooked.swap_remove(place)).is_some()
    };
    world.ledger().of_job(job).all(|(_, row)| book((row.refund, row.cents)))
        && world.outbox().iter().all(|row| row.job != job || book((row.refund, row.cents)))
        && unbooked.is_empty()
}

/// Whether a job was given up, or anything may still happen for it: a message that is not over, a
/// worker that has it in hand, a call under way, a row that is not sent.
fn is_pending_or_dead(world: &World, job: JobIndex) -> bool {
    let not_acked = |it: &Message| it.job == job && it.state != MessageState::Acked;
    let open = world.messages().iter().any(not_acked);
    let at_work = world
        .workers()
        .iter()
        .any(|worker| matches!(worker, WorkerState::Busy(task) if task.job == job));
    open || at_work || world.has_call_or_row(job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Moment;

    /// No scenario breaks this one, or the queue would be wrong; so it is shown here.
    #[test]
    fn a_limit_of_three_allows_three() {
        let message =
            |counted| Message { counted, ..Message::ready(JobIndex(0), 0, Moment::default()) };
        let within = [0, 2, 3, 4, u32::MAX].map(|counted| is_within(3, &message(counted)));
        assert_eq!(within, [true, true, true, false, false]);
    }
}
