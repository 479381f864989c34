//! How much may go wrong in a search, and what a choice uses up of it.

use crate::sim::choice::{Choice, Pending};
use crate::sim::fault::Verdict;
use crate::sim::world::World;

/// Which orders of events count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Any pending event may come next: "with some timings".
    Any,
    /// The timings are kept; only verdicts and ties within one class branch: "with my numbers".
    /// A run of this search is one of play, in which the search says what goes wrong.
    AsSet,
}

/// How much may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Which orders of events count.
    pub timing: Timing,
    /// How many workers and relays may die.
    pub crashes: u32,
    /// How many leases and claims may end under a holder that is alive; none for no bound.
    pub expiries: Option<u32>,
    /// How many keys' lives and dedup windows may end; none for no bound.
    pub forgets: Option<u32>,
    /// How many acks and answers may be lost.
    pub losses: u32,
    /// How many times the queue may deliver once more what was acked.
    pub replicas: u32,
    /// How many states may be visited before the search is cut.
    pub states: usize,
}

impl Bounds {
    /// The bounds of a search unless something else is said: two crashes, no loss, no replica.
    ///
    /// With any timing no key is forgotten: it could be at once, and no design holds against that.
    /// Where the timings are kept, a key lives as long as is set.
    #[must_use]
    pub const fn new(timing: Timing) -> Self {
        let forgets = match timing {
            Timing::Any => Some(0),
            Timing::AsSet => None,
        };
        Self {
            timing,
            crashes: 2,
            expiries: None,
            forgets,
            losses: 0,
            replicas: 0,
            states: 5_000_000,
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new(Timing::Any)
    }
}

/// How much has been used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) crashes: u32,
    pub(super) expiries: u32,
    pub(super) forgets: u32,
    pub(super) losses: u32,
    pub(super) replicas: u32,
}

impl Bounds {
    /// What is spent after a choice; none if it is not within the bounds.
    pub(super) fn spend(&self, world: &World, spent: Spent, choice: &Choice) -> Option<Spent> {
        let mut spent = spent;
        let (used, most) = match choice.verdict {
            Verdict::Crash => (&mut spent.crashes, self.crashes),
            Verdict::Lost => (&mut spent.losses, self.losses),
            Verdict::Twice | Verdict::Replica => (&mut spent.replicas, self.replicas),
            Verdict::Go
            | Verdict::Throw
            | Verdict::Pause(_)
            | Verdict::Late(_)
            | Verdict::Answer(_) => match (choice.pending, self.expiries) {
                (Pending::LeaseEnd { message }, Some(most)) if world.has_living_holder(message) => {
                    (&mut spent.expiries, most)
                }
                (Pending::CallClaimEnd { .. }, Some(most)) => (&mut spent.expiries, most),
                (Pending::ClaimEnd { key, .. }, Some(most)) if world.has_worker_at(key.job) => {
                    (&mut spent.expiries, most)
                }
                (Pending::KeyEnd { .. } | Pending::WindowEnd { .. } | Pending::TestClock, _) => {
                    match self.forgets {
                        Some(most) => (&mut spent.forgets, most),
                        None => return Some(spent),
                    }
                }
                // What has no bound is not counted either, so that it does not tell states apart.
                _ => return Some(spent),
            },
        };
        *used += 1;
        (*used <= most).then_some(spent)
    }
}
