//! The simulation from a terminal.
//!
//! ```text
//! at-least-once run --experiment double-refund --set guard=off
//! at-least-once run --scenario incident.json --format json
//! at-least-once settings
//! ```
//!
//! What is unknown, of a wrong type or out of range is refused with field, value, limit and
//! unit, and exit status 2.

mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal::main()
}
