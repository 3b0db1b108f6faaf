//! Times: their parts, rounding, parsing and printing.

pub mod datetime;
