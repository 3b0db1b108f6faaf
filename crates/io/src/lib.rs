//! CSV and Parquet: reading into and writing from tables.
//!
//! | module | subject |
//! |---|---|
//! | [`source`] | where bytes come from: paths, memory; gzip and zip |
//! | [`atomic_file`] | files that appear whole or not at all |
//! | [`csv`] | reading and writing CSV |
//! | [`parquet`] | reading and writing Parquet |
//!
//! Reading and writing that takes longer than two seconds shows a line of progress on standard error,
//! if that is a terminal and the environment does not say `CUPRUM_PROGRESS=0`.

pub mod atomic_file;
pub mod csv;
pub mod parquet;
mod pipeline;
mod progress;
pub mod source;
mod validity;
mod zip;

use cuprum_column::Table;

pub use source::{Compression, Source};

/// A table whose columns have names, as files give it.
#[derive(Clone, Debug)]
pub struct NamedTable {
    /// One name per column, in order.
    pub names: Vec<String>,
    /// The columns.
    pub table: Table,
}
