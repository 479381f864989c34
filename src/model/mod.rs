//! The parts of the simulation: pure values that return what happened. They have no clock, no
//! log and no chance of their own; [`crate::sim::world`] decides when each of them is asked.

pub mod backoff;
pub mod job;
pub mod key;
pub mod ledger;
pub mod outbox;
pub mod queue;
pub mod vendor;
pub mod worker;
