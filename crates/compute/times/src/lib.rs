//! Times: their parts, rounding, parsing and printing.
//!
//! | module | subject |
//! |---|---|
//! | [`datetime`] | parts, rounding, parsing and printing of times. |

pub mod datetime;
