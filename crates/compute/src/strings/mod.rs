//! Text, row by row.

pub mod convert;
