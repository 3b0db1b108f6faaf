//! CSV and Parquet: reading into and writing from tables.
//!
//! | module | subject |
//! |---|---|
//! | [`source`] | where bytes come from: paths, memory; gzip and zip |
//! | [`atomic_file`] | files that appear whole or not at all |
//! | [`csv`] | reading and writing CSV |
//! | [`parquet`] | reading and writing Parquet |

pub mod atomic_file;
pub mod csv;
pub mod parquet;
mod pipeline;
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
