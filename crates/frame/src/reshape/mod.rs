//! Frames of other shapes: one after the other, side by side, joined, rows as columns, elements and columns as rows,
//! labels of rows as labels of columns and the reverse.

pub mod concat;
pub mod crosstab;
pub mod cut;
pub mod dummies;
pub mod explode;
pub mod melt;
pub mod merge;
pub mod merge_asof;
pub mod merge_ordered;
pub mod pivot;
pub mod pivot_table;
pub mod stack;
pub mod transpose;
pub mod unstack;
