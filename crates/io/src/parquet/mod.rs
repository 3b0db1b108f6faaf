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

mod categories;
mod chunked;
mod codes;
mod dictionary;
mod direct;
mod enums;
mod footer;
mod group;
mod hybrid;
mod input;
mod levels;
mod nested;
mod no_columns;
mod numbered;
mod pages;
mod plain;
mod prune;
mod read;
mod texts;
mod words;
mod write;
mod zones;

#[cfg(test)]
mod chunk_tests;
#[cfg(test)]
mod decode_tests;
#[cfg(test)]
mod nested_tests;
#[cfg(test)]
mod tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Error, Result, Table};
use cuprum_runtime::nvtx::func_range;
use parquet::errors::ParquetError;

use crate::{Content, Source, appending, batches};

pub use crate::filter::{Condition, Filter, Operator, Value};
pub use chunked::ChunkedReader;
pub use footer::{ColumnChunk, Footer, RowGroup, SchemaNode};

/// What to read of a file. The default is everything.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
    /// The row groups, by number, in the order in which they are wanted.
    pub row_groups: Option<Vec<usize>>,
    /// At most this many rows; later row groups are not decoded.
    pub nrows: Option<usize>,
    /// So many rows of these row groups are passed over.
    pub skip_rows: usize,
    /// Which of these rows are read. Row groups and pages in which none can be are not decoded, as far as
    /// statistics, page index and bloom filters of the file tell.
    pub filter: Option<Filter>,
    /// Whether frames take their row labels from what pandas or Cuprum wrote. Tables have none.
    pub pandas_metadata: bool,
    /// The number of the file's first row among those of several files: row labels `0, 1, …` count from there.
    pub first_row: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            columns: None,
            row_groups: None,
            nrows: None,
            skip_rows: 0,
            filter: None,
            pandas_metadata: true,
            first_row: 0,
        }
    }
}

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
    read::read(source, options, ctx)
}

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Rows of the whole file.
    pub num_rows: usize,
    /// Rows of every row group.
    pub row_group_rows: Vec<usize>,
    /// Names of the columns.
    pub names: Vec<String>,
    /// Their types, as Arrow types in words (`Int64`, `Utf8`, `Timestamp(µs)`, …).
    pub types: Vec<String>,
    /// Key-value metadata, as [`Content::metadata`].
    pub metadata: Vec<(String, String)>,
    /// Who wrote the file.
    pub created_by: Option<String>,
}

/// Reads only the footer of a Parquet file. Errors as [`read_parquet`].
pub fn read_metadata(source: &Source) -> Result<Metadata> {
    read::metadata(source)
}

/// How column chunks are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Snappy.
    #[default]
    Snappy,
    /// gzip, level 0 (fast) to 9 (small).
    Gzip {
        /// The level.
        level: u32,
    },
    /// LZ4, as `LZ4_RAW`.
    Lz4,
    /// Brotli, level 0 (fast) to 11 (small).
    Brotli {
        /// The level.
        level: u32,
    },
    /// Zstandard, level 1 (fast) to 22 (small).
    Zstd {
        /// The level.
        level: i32,
    },
}

/// Of what minima, maxima and null counts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistics {
    /// Of nothing.
    None,
    /// Of row groups.
    RowGroup,
    /// Of row groups, and of pages in the page index.
    #[default]
    Page,
}

/// How values are encoded that are not a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As they are.
    Plain,
    /// Integers and times: their differences, packed as bits.
    DeltaBinaryPacked,
    /// Texts: their lengths as differences, then their bytes.
    DeltaLengthByteArray,
    /// Texts: how much of the one before they begin with, and the rest.
    DeltaByteArray,
    /// Numbers: all first bytes, all second ones, and so on.
    ByteStreamSplit,
}

/// A bloom filter, which tells of most values that are not in a row group that they are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bloom {
    /// How many different values it is made for; without it as many as there are, or for columns that are no
    /// dictionaries as many as a million, and it is made smaller when there are fewer.
    pub distinct_values: Option<u64>,
    /// The probability that it says of a value that is not there that it may be, above 0 and below 1.
    pub false_positives: f64,
}

impl Default for Bloom {
    fn default() -> Self {
        Self { distinct_values: None, false_positives: 0.05 }
    }
}

/// How one column is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnOptions {
    /// Whether a dictionary is written where that is likely to be smaller; [`WriteOptions::dictionary`] without it.
    pub dictionary: Option<bool>,
    /// How values are encoded; no dictionary is written then.
    pub encoding: Option<Encoding>,
    /// The bloom filter of every row group.
    pub bloom: Option<Bloom>,
    /// Whether it is not compressed, whatever the file is.
    pub uncompressed: bool,
}

/// How to write a file.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Compression of the column chunks.
    pub compression: Compression,
    /// Rows in a row group, at least 1.
    pub row_group_rows: usize,
    /// About the most bytes of a row group, before encoding and compression.
    pub row_group_bytes: Option<usize>,
    /// The most rows of a page.
    pub page_rows: Option<usize>,
    /// About the most bytes of a page, before compression.
    pub page_bytes: Option<usize>,
    /// About the most bytes of a dictionary; values beyond are written without it.
    pub dictionary_bytes: Option<usize>,
    /// Of what minima, maxima and null counts are written.
    pub statistics: Statistics,
    /// Key-value metadata.
    pub metadata: Vec<(String, String)>,
    /// Whether values are written as a dictionary where that is likely to be smaller. A column that is a
    /// dictionary is written as one in any case.
    pub dictionary: bool,
    /// How single columns are written, by their names.
    pub columns: Vec<(String, ColumnOptions)>,
    /// Whether the file carries the Arrow schema as well, which tells of durations, categories and time zones.
    pub arrow_schema: bool,
    /// Whether data pages have headers of the second version, whose levels are not compressed. Dictionaries, which are
    /// categories, are refused with them: they would lose their order.
    pub pages_v2: bool,
}

impl WriteOptions {
    /// How the column of a name is written.
    fn of(&self, name: &str) -> ColumnOptions {
        let own = self.columns.iter().find(|(own, _)| own == name);
        own.map_or_else(ColumnOptions::default, |(_, options)| options.clone())
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            compression: Compression::Snappy,
            row_group_rows: 1 << 18,
            row_group_bytes: None,
            page_rows: None,
            page_bytes: None,
            dictionary_bytes: None,
            statistics: Statistics::Page,
            metadata: Vec::new(),
            dictionary: true,
            columns: Vec::new(),
            arrow_schema: true,
            pages_v2: false,
        }
    }
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

/// Runs code of the `parquet` crate on bytes that may be damaged; a panic becomes an error.
fn guarded<R>(source: &dyn std::fmt::Display, work: impl FnOnce() -> Result<R, ParquetError>) -> Result<R> {
    batches::guarded(source, "Parquet", || work().map_err(|e| describe(source, e)))
}

/// An error about a file that does not follow the format.
fn damaged(what: &str) -> ParquetError {
    ParquetError::General(format!("the Parquet data is damaged: {what}"))
}

/// An error of the `parquet` crate about `source`.
fn describe(source: &dyn std::fmt::Display, error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) => Error::io(Path::new(&source.to_string()), *io),
            Err(inner) => match inner.downcast::<Error>() {
                Ok(error) => error.context(source.to_string()),
                Err(other) => Error::invalid_argument(format!("{source}: {other}")),
            },
        },
        ParquetError::EOF(message) => {
            Error::invalid_argument(format!("{source}: the Parquet data is truncated: {message}"))
        }
        ParquetError::NYI(message) => Error::unsupported(format!("{source}: {message}")),
        other => Error::invalid_argument(format!("{source}: {other}")),
    }
}
