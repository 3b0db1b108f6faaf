//! Text, row by row, and texts as tokens.

pub mod strings;
pub mod tokens;
