//! What is made from arguments rather than from frames, and conversions of whole columns: regular times, times
//! and numbers from texts.

pub mod datetimes;
pub mod frequency;
mod grid;
pub mod numeric;
pub mod offsets;
pub mod ranges;
