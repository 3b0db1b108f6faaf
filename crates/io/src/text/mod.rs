//! Common parts of writers of texts (CSV, JSON): rows become text in parallel pieces, which go to memory or
//! to a file, packed or not; and the values of columns, whatever their type.

mod values;

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use bzip2::write::BzEncoder;
use cuprum_column::{Context, Error, Result, Table};
use cuprum_runtime::parallel;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;

use crate::atomic_file;
use crate::pipeline::in_order;
use crate::progress::Progress;
use crate::source::Compression;

pub(crate) use values::{Values, integer};

/// Rows of a piece of text.
const PIECE_ROWS: usize = 4096;

/// So many pieces are made at a time for every thread.
const PIECES_PER_THREAD: usize = 8;

/// Output of pieces of text, each with the number of its rows.
pub(crate) type Put<'a> = dyn FnMut(&[u8], usize) -> Result<()> + Send + 'a;

/// A table as text.
pub(crate) trait Text: Sync {
    /// The text before the rows.
    fn head(&self) -> Result<Vec<u8>>;

    /// Some of the rows.
    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>>;

    /// The text behind the rows.
    fn tail(&self) -> &[u8];
}

/// Writes the rows of `table` as `text` has them: to a file, which appears whole or not at all, or without a target to
/// the string that is returned. `operation` names it where progress is shown.
///
/// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for zip archives.
pub(crate) fn write(
    text: &impl Text,
    operation: &'static str,
    table: &Table,
    target: Option<&Path>,
    compression: Compression,
    ctx: &Context,
) -> Result<Option<String>> {
    let rows = table.num_rows();
    let Some(path) = target else {
        let mut whole = Vec::new();
        put_all(text, rows, ctx, &mut |piece, _| {
            whole.extend_from_slice(piece);
            Ok(())
        })?;
        let whole =
            String::from_utf8(whole).map_err(|e| Error::logic(format!("the text is not UTF-8: {e}")))?;
        return Ok(Some(whole));
    };
    let compression = compression.of_path(path)?;
    if compression == Compression::Zip {
        return Err(Error::unsupported(format!("{}: writing zip archives", path.display())));
    }
    let io_error = |e: io::Error| Error::io(path, e);
    let progress = Progress::of_table(operation, path, table);
    let into = |out: &mut (dyn Write + Send)| {
        put_all(text, rows, ctx, &mut |piece, rows| {
            progress.advance_rows(rows);
            out.write_all(piece).map_err(io_error)
        })
    };
    atomic_file::write(path, |out| {
        // Levels are those of Python's modules.
        match compression {
            Compression::Gzip => {
                let mut packer = GzEncoder::new(out, flate2::Compression::default());
                into(&mut packer)?;
                packer.finish().map_err(io_error)?;
            }
            Compression::Bzip2 => {
                let mut packer = BzEncoder::new(out, bzip2::Compression::best());
                into(&mut packer)?;
                packer.finish().map_err(io_error)?;
            }
            Compression::Xz => {
                let mut packer = XzEncoder::new(out, 6);
                into(&mut packer)?;
                packer.finish().map_err(io_error)?;
            }
            Compression::Infer | Compression::None | Compression::Zip => into(out)?,
        }
        Ok(())
    })?;
    Ok(None)
}

fn put_all(text: &impl Text, num_rows: usize, ctx: &Context, put: &mut Put<'_>) -> Result<()> {
    put(&text.head()?, 0)?;
    in_order(
        (0..num_rows).step_by(PIECE_ROWS),
        PIECES_PER_THREAD * parallel::num_threads(),
        ctx,
        |start| {
            let rows = start..num_rows.min(start + PIECE_ROWS);
            Ok((text.rows(rows.clone())?, rows.len()))
        },
        |(piece, rows): (Vec<u8>, usize)| put(&piece, rows),
    )?;
    put(text.tail(), 0)
}
