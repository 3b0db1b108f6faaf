//! What is made from arguments rather than from frames, and conversions of whole columns: regular times, times
//! and numbers from texts.

pub mod datetimes;
pub mod frequency;
pub mod numeric;
pub mod ranges;
