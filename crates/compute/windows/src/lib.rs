//! A value for every row from the rows around it.
//!
//! | module | subject |
//! |---|---|
//! | [`rolling`] | windows: a value for every row from the rows around it. |

pub mod rolling;
