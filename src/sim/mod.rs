//! The world that the parts live in, and what drives it.
//!
//! In reading order: [`settings`] is the one table of what can be set; a [`scenario`] is those
//! settings, checked and typed. A [`world`] says what may happen ([`choice`]) and makes it
//! happen, telling a sink in [`event`]s. [`fault`] rules say where it goes wrong. [`play`] is
//! the driver that takes the earliest; [`link`] is a run as a line of text. A [`trace`] is a
//! recorded run, a [`report`] what it amounts to, a [`history`] the same at any moment, a [`property`]
//! what must hold after each step.

mod books;
pub mod choice;
pub mod event;
pub mod explore;
pub mod fault;
pub mod history;
mod key;
pub mod link;
pub mod play;
pub mod profiles;
mod program;
pub mod progress;
pub mod property;
pub mod record;
pub mod report;
pub mod scenario;
pub mod settings;
pub mod trace;
pub mod value;
pub mod world;
