//! What must hold in every state, checked after every step.

use super::world::World;
use crate::units::JobIndex;

/// Something that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// Nobody is paid twice.
    PaidOnce,
    /// Every message sent is ready, leased, waiting, acked or dead.
    Conserved,
    /// No job is delivered more often than its limit allows.
    WithinLimit,
}

/// Every property.
pub const PROPERTIES: [Property; 3] =
    [Property::PaidOnce, Property::Conserved, Property::WithinLimit];

impl Property {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PaidOnce => "paid-once",
            Self::Conserved => "conserved",
            Self::WithinLimit => "within-limit",
        }
    }

    /// Whether it holds in this state.
    #[must_use]
    pub fn holds(self, world: &World) -> bool {
        match self {
            Self::PaidOnce => {
                let jobs = (0..).map(JobIndex).take(world.jobs().len());
                jobs.into_iter().all(|job| world.ledger().of_job(job).nth(1).is_none())
            }
            Self::Conserved => world.found() == world.sent(),
            Self::WithinLimit => {
                let limit = world.scenario().max_attempts;
                world.messages().iter().all(|message| message.receives <= limit)
            }
        }
    }
}
