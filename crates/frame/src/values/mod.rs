//! Values of Rust and record batches of Arrow as frames and series, and back.

mod from_rust;
mod record_batch;
mod typed;

pub use from_rust::{Element, IntoColumn};
pub use typed::{FromElements, Readable, Values};
