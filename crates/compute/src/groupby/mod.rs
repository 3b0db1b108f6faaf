//! Aggregation of rows with equal keys.
