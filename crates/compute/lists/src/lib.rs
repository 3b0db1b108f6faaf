//! Lists, row by row.

pub mod lists;
