//! Text, row by row.
