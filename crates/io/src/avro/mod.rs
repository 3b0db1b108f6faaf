//! Reading and writing Avro object container files, packed by deflate, Snappy or Zstandard, or not at all.
//!
//! | Avro | read |
//! |---|---|
//! | `int`, `long`, `float`, `double`, `boolean`, `string` | the same; `uuid` in `string` is text |
//! | `bytes`, `fixed`, `uuid` in `fixed` | lists of `UInt8` |
//! | `enum` | the texts of its symbols, which are kept as a dictionary |
//! | `date`, `timestamp-…`, `local-timestamp-…` | `Timestamp` |
//! | `decimal` to 38 digits | the same |
//! | `array`, `record`; `map` | lists, structs; lists of structs |
//! | a union of one type; of `null` and one other | that type; with nulls |
//! | everything else (other unions, times of day, `duration`, types inside of themselves) | [`Unsupported`](cuprum_column::ErrorKind::Unsupported), naming the column or the type |
//!
//! Blocks are found, counted and unpacked, and decoded in parallel: records of nothing but numbers, truths, times and
//! texts by our own code, straight into columns, all others by the `arrow-avro` crate. Branches and symbols that there are
//! not, lengths that are wrong and bytes behind the last record are refused. A block that unpacks to more than 256 MiB is
//! refused.
//!
//! | here | written |
//! |---|---|
//! | `Bool8`, `Float32`, `Float64`, `String` | `boolean`, `float`, `double`, `string` |
//! | `Int8` to `Int32`, `UInt8`, `UInt16`; `Int64`, `UInt32` | `int`; `long` |
//! | lists of `UInt8` that are bytes | `bytes` |
//! | `Timestamp` of days | `date` |
//! | `Timestamp` of ms (and s), µs, ns | `local-timestamp-…`, with a zone `timestamp-…`, which is of UTC |
//! | decimals to 38 digits, of a scale from 0 on | `decimal` in `bytes` |
//! | lists, structs | `array`, `record` |
//! | dictionaries of texts that are names of Avro | `enum` |
//! | other dictionaries | their values |
//! | nulls of no type | `null` |
//! | everything else (`UInt64`, durations) | [`Unsupported`](cuprum_column::ErrorKind::Unsupported), naming the column |
//!
//! Every value is in a union with `null`, so that the schema does not depend on which are. Records are encoded by
//! our own code, in blocks of 256 KiB and in parallel.

mod blocks;
mod check;
mod codec;
mod decoder_schema;
mod direct;
mod encode;
mod options;
mod read;
mod schema;
mod write;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod write_tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Result, Table};
use cuprum_runtime::nvtx::func_range;

use crate::{Content, Source, appending};
pub use options::{Compression, ReadOptions, WriteOptions};

/// Reads an Avro object container file into the context's memory. Rows are in its order.
///
/// The host decodes. Where the memory is a GPU's, runs of blocks whose records are not nested are copied as soon as they
/// are decoded, while others are.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be read.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): it is no Avro file, or damaged.
/// - [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound): `columns` names one that is not there.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): a column of a type without a counterpart, or
///   another compression.
pub fn read_avro(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    func_range!(c"avro.read_avro");
    read::read(source, options, ctx)
}

/// Writes an Avro object container file, which appears whole or not at all. The same table is the same file: the
/// mark between blocks is a hash of the schema.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be written.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): names and columns differ in number.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): a type or a name that Avro has not, naming the column,
///   or rows of no columns.
pub fn write_avro(
    table: &Table,
    columns: &[ColumnMetadata],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"avro.write_avro");
    appending::write::<write::File>(table, columns, path, options, ctx)
}

/// An Avro file to which tables are written below each other, each as blocks of its own.
pub type ChunkedWriter = appending::ChunkedWriter<write::File>;
