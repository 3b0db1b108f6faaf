//! Many values to one: reductions, group-by, quantiles.
//!
//! | module | subject |
//! |---|---|
//! | [`accumulation`] | how values are accumulated by group: the engine beneath the others |
//! | [`aggregation`] | how many values become one |
//! | [`groupby`] | aggregation of rows with equal keys. |
//! | [`nan_values`] | keys in which NaN is a value: equal to itself, larger than all others. |
//! | [`quantiles`] | quantiles of a column. |
//! | [`reduce`] | a column to one value. |
//! | [`replace`] | replacing nulls and values. |
//! | [`row_reduce`] | the rows of a table to one value each. |
//! | [`tdigest`] | digests of distributions, which quantiles are read from. |

#[doc(hidden)]
pub mod accumulation;
pub mod aggregation;
pub mod groupby;
pub mod nan_values;
pub mod quantiles;
pub mod reduce;
pub mod replace;
pub mod row_reduce;
pub mod tdigest;
