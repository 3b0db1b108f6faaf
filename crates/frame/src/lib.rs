//! Data frames.
