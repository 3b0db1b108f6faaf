//! Accumulation on a GPU: [totals of columns](column_totals), [`statistics`] of groups, [running reductions](running), sums of decimals and moments of pairs.

pub mod co_moments;
pub mod column_totals;
pub mod compact_sums;
pub mod cumulative;
pub mod decimal_sums;
mod exact_total;
mod finish;
mod limbs;
pub(crate) mod row_groups;
pub mod running;
pub mod statistics;
pub mod statistics_kernels;
mod work_units;
