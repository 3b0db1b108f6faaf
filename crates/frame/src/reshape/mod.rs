//! Frames of other shapes: one after the other, side by side, joined, rows as columns, elements and columns as rows,
//! labels of rows as labels of columns and the reverse.

pub mod concat;
pub mod cut;
pub mod dummies;
pub mod explode;
pub mod melt;
pub mod merge;
pub mod pivot;
pub mod stack;
pub mod transpose;
pub mod unstack;
