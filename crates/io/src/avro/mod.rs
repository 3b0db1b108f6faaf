//! Reading Avro object container files.
//!
//! | Avro | here |
//! |---|---|
//! | `int`, `long`, `float`, `double`, `boolean`, `string` | the same |
//! | `bytes`, `fixed`, `uuid` in `fixed` | lists of `UInt8` |
//! | `enum` | the texts of its symbols, which are kept as a dictionary |
//! | `date`, `timestamp-…`, `local-timestamp-…` | `Timestamp` |
//! | `decimal` to 38 digits | the same |
//! | `array`, `record`; `map` | lists, structs; lists of structs |
//! | a union of `null` and one other | that, with nulls |
//! | everything else (other unions, times of day, `duration`) | [`Unsupported`](cuprum_column::ErrorKind::Unsupported), naming the column |
//!
//! The `arrow-avro` crate decodes; blocks are found, and counted, before, and decoded in parallel. Packed by
//! deflate or Snappy, or not at all.

mod blocks;
mod read;

#[cfg(test)]
mod tests;

use cuprum_column::{Context, Result};
use cuprum_runtime::nvtx::func_range;

use crate::{Content, Source};

/// What to read of a file. The default is everything.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
    /// So many rows at the start are passed over.
    pub skip_rows: usize,
    /// At most this many rows; later blocks are not decoded.
    pub num_rows: Option<usize>,
}

/// Reads an Avro object container file. Rows are in its order.
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
