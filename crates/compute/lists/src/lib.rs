//! Lists, row by row.
//!
//! | module | subject |
//! |---|---|
//! | [`lists`] | lists, row by row: explode, elements, finding, sorting, sets. |

pub mod lists;
