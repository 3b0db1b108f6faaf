//! What is computed from elements and columns: operators, changes from row to row, aggregations and
//! statistics, equality, rows matched by label, other labels.

pub mod aggregate;
pub mod align;
pub mod binary;
pub mod changes;
pub mod corrwith;
pub mod describe;
pub mod equality;
pub mod extremes;
pub mod fill;
pub mod hash_keys;
pub mod interpolate;
pub mod map;
pub mod mode;
pub mod reduce;
pub mod relabel;
pub mod replace;
pub mod row_reductions;
pub mod shape;
pub mod statistics;
pub mod time_of_day;
pub mod truncate;
