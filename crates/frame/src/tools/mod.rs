//! What is made from arguments rather than from frames: regular times.

pub mod frequency;
pub mod ranges;
