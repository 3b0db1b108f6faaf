//! CSV and Parquet: reading into and writing from tables.

pub mod csv;
pub mod parquet;
