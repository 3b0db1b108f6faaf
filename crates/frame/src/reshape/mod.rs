//! Frames of other shapes: one after the other, side by side, joined, rows as columns.

pub mod concat;
pub mod cut;
pub mod dummies;
pub mod merge;
pub mod transpose;
