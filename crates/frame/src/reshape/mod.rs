//! Frames of other shapes: one after the other, side by side, joined, rows as columns, elements as rows.

pub mod concat;
pub mod dummies;
pub mod explode;
pub mod merge;
pub mod transpose;
