//! Quantiles of a column.
