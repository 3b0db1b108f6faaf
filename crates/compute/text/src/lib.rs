//! Text, row by row, and texts as tokens.
//!
//! | module | subject |
//! |---|---|
//! | [`strings`] | text, row by row. |
//! | [`tokens`] | texts as words, letters and runs of characters: tokens, n-grams, distances, sketches. |

pub mod strings;
pub mod tokens;
