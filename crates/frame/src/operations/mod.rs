//! What is computed from elements and columns: operators, summaries, ranks, equality, rows matched by label.

pub mod align;
pub mod binary;
pub mod describe;
pub mod equality;
pub mod rank;
pub mod reduce;
pub mod row_reductions;
