//! Reading and writing Arrow's IPC formats: files (Feather version 2) and streams.
//!
//! What is not compressed is not copied: columns share the bytes of the file. Record batches are encoded
//! and decoded in parallel, and numbers, times and texts that are compressed are unpacked into their places. Types are those that [`cuprum_column::arrow`] knows; a dictionary keeps its values.
//!
//! The `arrow-ipc` crate decodes; what it would trust a file in (places of blocks, sizes of what is unpacked)
//! is checked before.

mod direct;
mod lz4;
mod messages;
mod read;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Result, Table};
use cuprum_runtime::nvtx::func_range;

use crate::{Content, Source};

/// The end of a stream, and of the messages of a file.
const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

/// What to read of a file. The default is everything.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
}

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

/// How buffers are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// LZ4 frames.
    #[default]
    Lz4,
    /// Zstandard, level 1 (fast) to 22 (small).
    Zstd {
        /// The level.
        level: i32,
    },
}

/// How to write.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Compression of the buffers.
    pub compression: Compression,
    /// Rows in a record batch, at least 1.
    pub batch_rows: usize,
    /// Key-value metadata of the schema.
    pub metadata: Vec<(String, String)>,
    /// A stream rather than a file, which has a footer.
    pub stream: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { compression: Compression::Lz4, batch_rows: 1 << 16, metadata: Vec::new(), stream: false }
    }
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
