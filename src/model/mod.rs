//! The parts of the simulation: pure values that return what happened. They have no clock, no
//! log and no chance of their own; [`crate::sim::world`] decides when each of them is asked.

/// Clones fields into those of another value, which keep their memory. What is empty on both sides
/// is most of what a search clones, and is passed over.
macro_rules! clone_fields {
    ($into:ident: $($field:ident),+) => {
        $(if !($into.$field.is_empty() && $field.is_empty()) {
            $into.$field.clone_from($field);
        })+
    };
}
pub(crate) use clone_fields;

pub mod backoff;
pub mod job;
pub mod key;
pub mod ledger;
pub mod outbox;
pub mod queue;
pub mod vendor;
pub mod worker;
