//! The engine beneath reductions, group-by and windows: how values are accumulated, whatever the groups of rows are.
//!
//! | module | subject |
//! |---|---|
//! | [`co_moments`] | counts, means and products of deviations of pairs |
//! | [`compensated`] | sums of floats with their rounding errors |
//! | [`cpu`] | accumulators of groups, and the order of their rows; reductions by morsels |
//! | [`cuda`] | statistics of groups, running reductions, moments of pairs |
//! | [`decimals`] | sums, extremes and means of decimals |

pub mod co_moments;
pub(crate) mod compensated;
pub mod cpu;
pub mod cuda;
pub mod decimals;
