//! Files: reading into and writing from tables.
//!
//! | module | subject |
//! |---|---|
//! | [`source`] | where bytes come from: paths, memory, elsewhere; gzip, bzip2, xz and zip |
//! | [`atomic_file`] | files that appear whole or not at all |
//! | [`csv`] | reading and writing CSV |
//! | [`parquet`] | reading and writing Parquet |
//! | [`json`] | reading JSON documents and JSON Lines |
//! | [`avro`] | reading and writing Avro object container files |
//! | [`orc`] | reading and writing ORC files |
//! | [`feather`] | reading and writing Arrow's IPC formats (Feather) |
//! | [`dataset`] | directories of files that are one table |
//!
//! Reading and writing that takes longer than two seconds shows a line of progress on standard error,
//! if that is a terminal and the environment does not say `CUPRUM_PROGRESS=0`. A [`Watch`] tells others.

mod appending;
pub mod atomic_file;
pub mod avro;
mod batches;
mod bounds;
pub mod csv;
#[cfg(test)]
mod damage;
pub mod dataset;
mod deflate;
pub mod feather;
mod file_rows;
mod filter;
pub mod json;
pub mod orc;
pub mod parquet;
mod pipeline;
mod places;
mod progress;
mod remote;
mod room;
mod rounding;
mod snappy;
pub mod source;
mod text;
mod validity;
mod watch;
mod zip;

use arrow_schema::Field;
use cuprum_column::{Column, Table};

pub use file_rows::FileRows;
pub use filter::{Condition, Filter, Operator, Value};
pub use remote::{Fetch, Remote};
pub use source::{Compression, Source};
pub use watch::Watch;

/// A table whose columns have names, as files give it.
#[derive(Clone, Debug)]
pub struct NamedTable {
    /// One name per column, in order.
    pub names: Vec<String>,
    /// The columns.
    pub table: Table,
}

/// The content of a file of a format that knows types.
#[derive(Clone, Debug)]
pub struct Content {
    /// The columns and their names.
    pub data: NamedTable,
    /// The Arrow field of every column: names of fields, zones, precisions. A dictionary of texts is read as
    /// its texts.
    pub fields: Vec<Field>,
    /// The values of every column that is a dictionary, in their order and with those that no row has; `None`
    /// where the file does not tell, and for other columns.
    pub dictionaries: Vec<Option<Column>>,
    /// The file's key-value metadata (pandas' is under `pandas`), without the encoded Arrow schema.
    pub metadata: Vec<(String, String)>,
    /// The rows of the file these are; `None` where all of it was asked for, and where a filter chose them.
    pub rows: Option<FileRows>,
}
