//! *What happens if this runs twice?*
//!
//! Queues deliver at least once: a worker takes a message under a lease, does its work,
//! crashes before the ack, and the same work comes back to another worker. This crate is a
//! deterministic simulation of such a queue, its workers and the ledger that they write to.
//! It runs natively and, compiled to WebAssembly, in the reader's browser.
//!
//! # The double refund in ten lines
//!
//! ```
//! use at_least_once::lesson::Session;
//!
//! // Two crashes after the write, nothing that catches the repeat: three refunds for one.
//! let off = Session::new("double-refund", &[("guard", "off")])?;
//! assert_eq!(off.summary().verdict.paid_cents, 5997);
//! assert_eq!(off.summary().verdict.owed_cents, 1999);
//!
//! // The same seed, the same crashes, one key that the ledger checks: one refund.
//! let on = Session::new("double-refund", &[("guard", "on")])?;
//! assert_eq!(on.summary().verdict.ledger_rows, 1);
//! # Ok::<(), at_least_once::sim::settings::Refusal>(())
//! ```
//!
//! # Where to start reading
//!
//! In reading order; a module imports only from those above it.
//!
//! * [`units`] – moments, spans, cents and ids. A time is an integer of microseconds.
//! * [`random`] – draws that are addressed, not consumed, from one seed.
//! * [`json`] – data for a reader outside, declared once.
//! * [`model`] – the parts: message, lease, job, worker, backoff, ledger. No clock, no log.
//! * [`sim`] – the world that the parts live in, and what drives it. Start at
//!   [`sim::world::World`]: `choices` says what may happen, `apply` makes it happen.
//! * [`export`] – a run as text.
//! * [`lesson`] – the experiments, and a session that a page or a terminal holds.

/// Whether this is the whole simulation. The page's own build leaves out what its chapter cannot
/// set: the compiler then drops the code behind this.
pub(crate) const WHOLE: bool = cfg!(not(feature = "page"));

pub mod export;
pub mod json;
pub mod lesson;
pub mod model;
pub mod random;
pub mod sim;
mod sorted;
pub mod units;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
#[cfg(all(target_arch = "wasm32", feature = "explorer"))]
pub mod wasm_explorer;
mod window;
