//! A value for every row from the rows around it.
//!
//! | module | subject |
//! |---|---|
//! | [`ewm`] | exponentially weighted statistics of the values up to each row. |
//! | [`rolling`] | windows: a value for every row from the rows around it. |

pub mod ewm;
pub mod rolling;
