//! What is computed from elements and columns: operators, changes from row to row, aggregations and
//! statistics, equality, rows matched by label, other labels.

pub mod aggregate;
pub mod align;
pub mod binary;
pub mod changes;
pub mod corrwith;
pub mod describe;
mod distinct;
mod drop_missing;
pub mod extremes;
pub mod fill;
pub mod hash_keys;
pub mod interpolate;
mod isin;
pub mod map;
pub mod mode;
mod quantiles;
pub mod reduce;
pub mod relabel;
pub mod replace;
pub mod row_reductions;
pub mod shape;
mod sorting;
pub mod statistics;
pub mod time_of_day;
pub mod truncate;
pub mod value_counts;

pub use cuprum_compute::binaryop::BinaryOperator;
pub use cuprum_compute::quantiles::Interpolation;
pub use cuprum_compute::reduce::CumulativeOp;
pub use cuprum_compute::replace::FillDirection;
pub use cuprum_compute::sorting::{MissingRank, RankMethod, RankOptions};
pub use cuprum_compute::stream_compaction::distinct::Keep;
pub use cuprum_compute::unary::UnaryOperator;
