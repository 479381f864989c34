//! The lesson: the experiments, and the session that a page or a terminal holds.

pub mod axis;
pub mod designs;
pub mod experiments;
pub mod picture;
pub mod session;
pub mod studies;
pub mod view;

pub use session::Session;
