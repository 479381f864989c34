//! A run as text: lines that are compared byte for byte, and a document for other programs.

#[cfg(not(target_arch = "wasm32"))]
pub mod document;
pub mod lines;
pub mod rows;
