//! Many values to one: reductions, group-by, quantiles.

use cuprum_runtime::kernel::Family;

#[doc(hidden)]
pub mod accumulation;
pub mod aggregation;
#[cfg(test)]
mod every_type_tests;
mod float_keys;
pub mod groupby;
pub mod nan_values;
pub mod quantiles;
pub mod reduce;
pub mod replace;
pub mod row_reduce;
pub mod tdigest;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[
    &accumulation::cuda::co_moments::CO_MOMENTS,
    &accumulation::cuda::compact_sums::COMPACT_SUMS,
    &accumulation::cuda::decimal_sums::DECIMAL_SUMS,
    &accumulation::cuda::cumulative::CUMULATIVE,
    &accumulation::cuda::running::RUNNING,
    &accumulation::cuda::column_totals::COLUMN_TOTALS,
    &accumulation::cuda::statistics_kernels::STATISTICS,
    &groupby::group_scan::GROUP_SCAN,
    &groupby::m2_merge::M2_MERGE,
    &groupby::sorted_groups::SORTED_GROUPS,
    &reduce::kendall::cuda::KENDALL,
    &reduce::running_texts::RUNNING_TEXTS,
    &row_reduce::cuda::ROW_REDUCE,
    &tdigest::cuda::TDIGEST,
];
