//! Reading and writing Parquet.
//!
//! Reading decodes every column chunk of every row group as a task of its own: plain and
//! dictionary-encoded values straight into the memory of the column, with offsets and nulls of lists
//! and structs from the levels of what is inside of them, all else with the `parquet` crate, in
//! pieces that are joined. Writing encodes column chunks with the
//! `parquet` crate, many at once, and appends them to the file in order meanwhile. Columns that are
//! dictionaries are written as they are, and the file tells their values when it is read.
//!
//! | Parquet (or Arrow, where the file carries an Arrow schema) | here |
//! |---|---|
//! | integers, floats, booleans | the same |
//! | strings, also as dictionary or view; `ENUM` | `String` |
//! | `DATE` | `Timestamp(Days)` |
//! | timestamps in ms, µs, ns, UTC or without a zone; `INT96` | `Timestamp` |
//! | Arrow durations | `Duration` |
//! | decimals to 128 bits, lists, maps, structs | the same, a map as a list of structs |
//! | binary data | lists of `UInt8` |
//! | everything else (half floats, times of day, larger decimals) | [`Unsupported`](cuprum_column::ErrorKind::Unsupported), naming the column |
//!
//! Columns that are not asked for may have any type. Timestamps in seconds are written in
//! milliseconds, durations in days in seconds: Parquet and Arrow know no others.

mod bit_packing;
mod categories;
mod chunked;
mod coded;
mod codes;
mod dictionary;
mod direct;
mod encoded;
mod enums;
mod errors;
mod footer;
mod group;
mod hybrid;
mod input;
mod levels;
mod nested;
mod no_columns;
mod numbered;
mod options;
mod pages;
mod plain;
mod prune;
mod read;
mod strings;
mod words;
mod write;
mod zones;

#[cfg(test)]
mod chunk_tests;
#[cfg(test)]
mod decode_tests;
#[cfg(test)]
mod encoded_tests;
#[cfg(test)]
mod nested_tests;
#[cfg(test)]
mod tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Result, Table};
use cuprum_runtime::nvtx::func_range;

use crate::{Content, Source, appending};

pub use crate::filter::{Condition, Filter, Operator, Value};
pub use chunked::ChunkedReader;
pub use coded::CodedTexts;
pub use encoded::{EncodedColumn, EncodedContent, OpenedFile};
use errors::{damaged, describe, guarded};
pub use footer::{ColumnChunk, Footer, RowGroup, SchemaNode};
pub use options::{
    Bloom, ColumnOptions, Compression, Encoding, Metadata, ReadOptions, Statistics, WriteOptions,
};

/// Reads a Parquet file into the context's memory. Rows are in the order of the row groups.
///
/// The host decodes. Where the memory is a GPU's, a column is copied as soon as it is decoded, while others are.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be read.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): it is not a Parquet file, or
///   damaged.
/// - [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound): `columns` names one that is not there;
///   the message offers the closest name.
/// - [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange): a row group that is not there.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): a column of a type without a counterpart.
/// - [`DataType`](cuprum_column::ErrorKind::DataType): a filter compares a column with a value of another kind.
pub fn read_parquet(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    func_range!(c"parquet.read_parquet");
    OpenedFile::new(source, options)?.read(ctx)
}

/// Reads only the footer of a Parquet file. Errors as [`read_parquet`].
pub fn read_metadata(source: &Source) -> Result<Metadata> {
    read::metadata(source)
}

/// Writes a Parquet file, which appears whole or not at all.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be written.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): names and columns differ in
///   number, a name occurs twice, `row_group_rows` is 0, a compression level that does not exist, or
///   a table of rows without columns.
/// - [`Overflow`](cuprum_column::ErrorKind::Overflow): a timestamp in seconds that does not fit
///   milliseconds.
pub fn write_parquet(
    table: &Table,
    names: &[String],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"parquet.write_parquet");
    let named: Vec<_> = names.iter().map(ColumnMetadata::named).collect();
    appending::write::<write::File>(table, &named, path, options, ctx)
}

/// [`write_parquet`] with what Arrow knows of every column beyond its storage: names of fields, zones,
/// precisions. Dictionaries are written as such.
pub fn write_parquet_with(
    table: &Table,
    columns: &[ColumnMetadata],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"parquet.write_parquet_with");
    appending::write::<write::File>(table, columns, path, options, ctx)
}

/// A Parquet file to which tables are written below each other, each as row groups of its own.
pub type ChunkedWriter = appending::ChunkedWriter<write::File>;

pub(crate) use write::File as FileEncoder;
