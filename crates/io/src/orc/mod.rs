//! Reading and writing ORC files.
//!
//! | ORC | here |
//! |---|---|
//! | `boolean`, `tinyint` to `bigint`, `float`, `double` | the same |
//! | `string`, `char`, `varchar` | texts |
//! | `binary` | lists of `UInt8` |
//! | `date` | `Timestamp` in days |
//! | `timestamp` | `Timestamp`, as the clocks showed it where the file was written |
//! | `timestamp with local time zone` | `Timestamp` in UTC |
//! | `decimal` to 38 digits | the same |
//! | `array`, `struct`; `map` | lists, structs; lists of structs |
//! | `uniontype` | [`Unsupported`](cuprum_column::ErrorKind::Unsupported), naming the column |
//!
//! A decoder and an encoder of our own: every column of every stripe on its own, in parallel. The lengths in
//! a file are held against those of its streams before memory is asked for. Compressions are zlib, Snappy,
//! LZ4 and Zstandard. Files that say that their days are Julian before October 15th, 1582 are refused where
//! they have such days; of those that do not say, days are Gregorian.

mod blocks;
mod columns;
mod encode;
mod footers;
mod input;
mod instants;
mod messages;
mod options;
mod pack;
mod prune;
mod read;
mod runs;
mod schema;
mod statistics;
mod stripe;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Result, Table};
use cuprum_runtime::nvtx::func_range;

use crate::{Content, Source, appending};

pub use options::{Compression, FileStatistics, ReadOptions, WriteOptions};
pub use statistics::{ColumnStatistics, Statistic};

/// Reads an ORC file into the context's memory. Rows are in its order.
///
/// The host decodes. Where the memory is a GPU's, stripes of columns that are not nested are copied as soon as they are
/// decoded, while others are.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be read.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): it is no ORC file, or damaged.
/// - [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound): `columns` names one that is not there.
/// - [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange): `stripes` names one that is not there.
/// - [`DataType`](cuprum_column::ErrorKind::DataType): a filter compares a column with a value of another kind.
/// - [`Overflow`](cuprum_column::ErrorKind::Overflow): a timestamp is out of range in `unit`.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): a column of a type without a counterpart, another
///   compression, encryption.
pub fn read_orc(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    func_range!(c"orc.read_orc");
    read::read(source, options, ctx)
}

/// Reads only the statistics of an ORC file. Errors as [`read_orc`].
pub fn read_statistics(source: &Source) -> Result<FileStatistics> {
    read::statistics(source)
}

/// Writes an ORC file, which appears whole or not at all. It has statistics of its columns for every stripe and for
/// all of it, and no index of rows. Texts of which there are few different ones are a dictionary; categories are
/// written as their values.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be written.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): names and columns differ in number, or a
///   stripe is to have no rows or bytes.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): a type that ORC has not, such as unsigned numbers and
///   durations, naming the column.
pub fn write_orc(
    table: &Table,
    columns: &[ColumnMetadata],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"orc.write_orc");
    appending::write::<write::File>(table, columns, path, options, ctx)
}

/// An ORC file to which tables are written below each other, each as stripes of its own.
pub type ChunkedWriter = appending::ChunkedWriter<write::File>;

pub(crate) use write::File as FileEncoder;
