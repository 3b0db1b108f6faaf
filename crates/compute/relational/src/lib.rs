//! Tables from tables: expressions, joins, filters, distinct rows.

use cuprum_runtime::kernel::Family;

pub mod expression;
pub mod join;
pub mod labeling;
pub mod merge;
pub mod stream_compaction;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[
    &join::cuda::JOIN,
    &merge::cuda::MERGE,
    &stream_compaction::approximate::APPROXIMATE,
    &stream_compaction::distinct::cuda::DISTINCT,
    &stream_compaction::neighbours::NEIGHBOURS,
];
