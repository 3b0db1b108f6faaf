//! Pairs of rows with equal keys.
