//! The lesson: the experiments, and the session that a page or a terminal holds.

pub mod axis;
pub mod designs;
pub mod experiments;
mod link;
pub mod picture;
pub mod program;
pub mod session;
pub mod sight;
pub mod studies;
pub mod view;

pub use session::Session;
