//! Files to which tables are written below each other.

use std::ffi::CStr;
use std::path::{Path, PathBuf};

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Error, Result, Table};
use cuprum_runtime::nvtx;

use crate::atomic_file::{AtomicFile, WholeFile};
use crate::progress::Progress;

/// A file of one format, begun with its first table.
pub trait Encoder: Sized {
    /// The options of writing.
    type Options: Clone;
    /// A table as the format stores it.
    type Stored;
    /// The function that users call.
    const OPERATION: &str;
    /// Names, for profilers, of the ranges in which a table is written and the file is ended.
    const RANGES: [&CStr; 2];

    /// Fails where the format cannot store the table; nothing of it is written then.
    fn store(
        table: &Table,
        columns: &[ColumnMetadata],
        options: &Self::Options,
        ctx: &Context,
    ) -> Result<Self::Stored>;

    /// Begins a file of such tables.
    fn begin(path: &Path, first: &Self::Stored, options: &Self::Options) -> Result<Self>;

    /// Fails where the columns of a table are not those of the first one.
    fn check(&self, next: &Self::Stored) -> Result<()>;

    /// Writes a table below the others.
    fn append(
        &mut self,
        table: Self::Stored,
        options: &Self::Options,
        progress: &Progress,
        ctx: &Context,
    ) -> Result<()>;

    /// Ends the content of the file, which is not where it belongs yet.
    fn finish(self, options: &Self::Options) -> Result<AtomicFile>;
}

/// A file to which tables are written below each other; it appears whole, when it is finished, or not at all.
pub struct ChunkedWriter<E: Encoder> {
    path: PathBuf,
    options: E::Options,
    ctx: Context,
    /// From the first table on.
    begun: Option<E>,
    /// Whether a table could not be written whole.
    failed: bool,
}

impl<E: Encoder> ChunkedWriter<E> {
    /// A file at `path`, of which nothing is there yet.
    pub fn new(path: &Path, options: &E::Options, ctx: &Context) -> Self {
        let (path, options) = (path.to_path_buf(), options.clone());
        Self { path, options, ctx: ctx.clone(), begun: None, failed: false }
    }

    /// Writes a table below the others, as row groups or stripes of its own.
    ///
    /// Fails as the function that writes one table, and with [`DataType`](cuprum_column::ErrorKind::DataType) or
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a table whose columns are not those of
    /// the first one. The file cannot be finished after an error in writing.
    pub fn write(&mut self, table: &Table, columns: &[ColumnMetadata]) -> Result<()> {
        let _range = nvtx::Range::new(E::RANGES[0]);
        self.append(table, columns, &Progress::silent())
    }

    fn append(&mut self, table: &Table, columns: &[ColumnMetadata], progress: &Progress) -> Result<()> {
        let stored = E::store(table, columns, &self.options, &self.ctx)?;
        let begun = match &mut self.begun {
            Some(begun) => {
                begun.check(&stored)?;
                begun
            }
            none => none.insert(E::begin(&self.path, &stored, &self.options)?),
        };
        let appended = begun.append(stored, &self.options, progress, &self.ctx);
        self.failed |= appended.is_err();
        appended
    }

    /// Ends the file. Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where no table was
    /// written, as it would have no columns, or one not whole.
    pub fn finish(self) -> Result<()> {
        self.end()?.finish()
    }

    /// Ends the file, which is not where it belongs until it is [placed](crate::atomic_file::place_all). Fails as
    /// [`finish`](Self::finish).
    pub fn whole(self) -> Result<WholeFile> {
        self.end()?.whole()
    }

    fn end(self) -> Result<AtomicFile> {
        let _range = nvtx::Range::new(E::RANGES[1]);
        let path = self.path.display();
        if self.failed {
            return Err(Error::invalid_argument(format!("{path}: a table could not be written whole")));
        }
        match self.begun {
            Some(begun) => begun.finish(&self.options),
            None => Err(Error::invalid_argument(format!("{path}: no table was written"))),
        }
    }
}

/// Writes a file of one table.
pub(crate) fn write<E: Encoder>(
    table: &Table,
    columns: &[ColumnMetadata],
    path: &Path,
    options: &E::Options,
    ctx: &Context,
) -> Result<()> {
    let progress = Progress::of_table(E::OPERATION, path, table);
    let mut writer = ChunkedWriter::<E>::new(path, options, ctx);
    writer.append(table, columns, &progress)?;
    writer.finish()
}
