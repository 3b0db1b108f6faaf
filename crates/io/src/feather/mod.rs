//! Reading and writing Arrow's IPC formats: files (Feather version 2) and streams.
//!
//! Buffers that are not compressed are not copied: columns share the bytes of the file. Record batches are
//! encoded and decoded in parallel, and numbers, times and texts that are compressed are unpacked into their
//! places. Types are those that [`cuprum_column::arrow`] knows; a dictionary keeps its values.
//!
//! The `arrow-ipc` crate decodes; what it would trust a file in (places of blocks, sizes of what is unpacked)
//! is checked before.

mod direct;
mod lz4;
mod messages;
mod options;
mod read;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Result, Table};
use cuprum_runtime::nvtx::func_range;

use crate::{Content, Source};
use options::END;
pub use options::{Compression, ReadOptions, WriteOptions};

/// Reads an Arrow IPC file or stream, whichever it is. Rows are in the order of the record batches.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be read.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): it is none of both, or damaged.
/// - [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound): `columns` names one that is not there.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): a column of a type without a counterpart, or
///   Feather version 1.
pub fn read_feather(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    func_range!(c"feather.read_feather");
    read::read(source, options, ctx)
}

/// Writes an Arrow IPC file or stream, which appears whole or not at all, with what Arrow knows of every column
/// beyond its storage.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be written.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): names and columns differ in number,
///   `batch_rows` is 0, or a compression level that does not exist.
pub fn write_feather(
    table: &Table,
    columns: &[ColumnMetadata],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"feather.write_feather");
    write::write(table, columns, path, options, ctx)
}
