//! Frames as files in directories of the values of columns.

use std::path::PathBuf;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Column, Context, Device, Error, Result};
use cuprum_io::dataset::{self, KeyColumn, groups, no_columns_left};
use cuprum_io::parquet;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::io::stored_frames;
use crate::label::Label;

/// What files are called unless that is said.
const FILE_NAME: &str = "part-0.parquet";

impl DataFrame {
    /// The frame as a data set of Parquet files that is about to be written below `root`: the rows of each combination of
    /// values of the columns `by` in a directory of its own, `year=2024/month=1`; see [`ParquetDatasetWriter`].
    pub fn write_parquet_dataset<L: Into<Label>>(
        &self,
        root: impl Into<PathBuf>,
        by: impl IntoIterator<Item = L>,
    ) -> ParquetDatasetWriter<'_> {
        let by = by.into_iter().map(Into::into).collect();
        ParquetDatasetWriter { frame: self, to: ParquetDatasetAppender::new(root, by) }
    }
}

/// How a frame is written as a data set: with row labels other than a range, compressed with Snappy, in files
/// `part-0.parquet`, unless said otherwise. [`finish`](Self::finish) writes it.
#[must_use = "`finish` writes the files"]
pub struct ParquetDatasetWriter<'a> {
    frame: &'a DataFrame,
    to: ParquetDatasetAppender,
}

impl ParquetDatasetWriter<'_> {
    /// All options of files at once.
    pub fn options(mut self, options: parquet::WriteOptions) -> Self {
        self.to.options = options;
        self
    }

    /// Compression of the columns.
    pub fn compression(mut self, compression: parquet::Compression) -> Self {
        self.to.options.compression = compression;
        self
    }

    /// Whether row labels are written. Ranges never are: rows of a directory have some of their numbers.
    pub fn index(mut self, index: bool) -> Self {
        self.to.index = index;
        self
    }

    /// What the file of each directory is called.
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.to = self.to.file_name(name);
        self
    }

    /// Writes the files, all of them or none: see [`cuprum_io::atomic_file::place_all`] for what is guaranteed. Files that are
    /// there stay, but for those of the same name.
    ///
    /// Fails as [`ParquetDatasetAppender::write_whole`].
    pub fn finish(self) -> Result<()> {
        self.to.write_whole(self.frame)
    }
}

/// A data set of Parquet files to which frames are written below each other, in directories of the values of columns. No
/// reader sees any of its files before it is finished; without that nothing of them is left.
///
/// ```
/// use cuprum::io::{Dataset, ParquetDatasetAppender, read_parquet_dataset};
/// use cuprum::prelude::*;
///
/// # fn main() -> cuprum::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let root = folder.path().join("trips");
/// let mut trips = ParquetDatasetAppender::new(&root, vec!["city".into()]);
/// trips.write(&df! { "city" => ["Kyoto", "Oslo"], "distance" => [5, 8] }?)?;
/// trips.write(&df! { "city" => ["Oslo"], "distance" => [2] }?)?;
/// trips.finish()?;
/// let oslo = read_parquet_dataset(Dataset::open(root.join("city=Oslo"))?).finish()?;
/// assert_eq!(oslo.num_rows(), 2);
/// # Ok(())
/// # }
/// ```
pub struct ParquetDatasetAppender {
    by: Vec<Label>,
    index: bool,
    options: parquet::WriteOptions,
    root: PathBuf,
    file_name: String,
    /// From the first frame on.
    writer: Option<dataset::ParquetDatasetWriter>,
}

impl ParquetDatasetAppender {
    /// A data set below `root` by the columns `by`, with row labels other than a range.
    pub fn new(root: impl Into<PathBuf>, by: Vec<Label>) -> Self {
        let (options, file_name) = (parquet::WriteOptions::default(), FILE_NAME.to_owned());
        Self { by, index: true, options, root: root.into(), file_name, writer: None }
    }

    /// All options of files at once.
    #[must_use]
    pub fn options(mut self, options: parquet::WriteOptions) -> Self {
        self.options = options;
        self
    }

    /// Whether row labels are written. Ranges never are: rows of a directory have some of their numbers.
    #[must_use]
    pub fn index(mut self, index: bool) -> Self {
        self.index = index;
        self
    }

    /// What the file of each directory is called.
    #[must_use]
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.file_name = name.into();
        self
    }

    /// Writes the rows of a frame below those that are in the files of their directories.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for a column that is not there, with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where no columns are left for the files or the name
    /// of one cannot be in that of a directory, with [`DataType`](cuprum_column::ErrorKind::DataType) for keys that are no
    /// integers, truth values, texts, dates or times without a zone, and as [`dataset::DatasetWriter::write`]. After
    /// an error in writing nothing of the files is left.
    pub fn write(&mut self, frame: &DataFrame) -> Result<()> {
        self.put(frame, false)
    }

    /// Writes a frame that is the whole data set: of many directories no more than one file is open at a time. Fails as
    /// [`write`](Self::write) and [`finish`](Self::finish), and where another frame was written before into a directory.
    pub fn write_whole(mut self, frame: &DataFrame) -> Result<()> {
        self.put(frame, true)?;
        self.finish()
    }

    /// Gives all files their names, or none; see [`dataset::DatasetWriter::finish`]. Without a frame there are none.
    pub fn finish(self) -> Result<()> {
        self.writer.map_or(Ok(()), dataset::ParquetDatasetWriter::finish)
    }

    /// Writes a frame; `whole` where no other one follows, so that files need not stay open.
    fn put(&mut self, frame: &DataFrame, whole: bool) -> Result<()> {
        let of_rows = self.directories(frame)?;
        let rest: Vec<usize> =
            (0..frame.num_columns()).filter(|&i| !self.by.contains(&frame.labels()[i])).collect();
        if rest.is_empty() {
            return Err(no_columns_left());
        }
        let rows = frame.select_positions(&rest)?;
        let index = self.index && frame.index().as_range().is_none();
        let options = &self.options;
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let host = Context::beside(Device::Cpu)?;
                none.insert(dataset::ParquetDatasetWriter::new(&self.root, &self.file_name, &host))
            }
        };
        for group in of_rows {
            let stored = stored_frames::of(&rows.take(&group.rows)?, index, "Parquet")?;
            let with_metadata = || {
                let mut options = options.clone();
                options.metadata.push(stored.metadata.clone());
                options
            };
            if whole {
                writer.write_whole(&group.directory, &stored.table, &stored.columns, &with_metadata())?;
            } else {
                writer.write(&group.directory, &stored.table, &stored.columns, with_metadata)?;
            }
        }
        Ok(())
    }

    /// The rows of each combination of values of the key columns.
    fn directories(&self, frame: &DataFrame) -> Result<Vec<dataset::Group>> {
        let mut keys = Vec::new();
        for label in &self.by {
            if !frame.contains(label) {
                return Err(Error::key_not_found(format!("`partition_cols`: there is no column '{label}'")));
            }
            let column = frame.accessor().get(label)?.decoded()?;
            let (dtype, values): (_, Column) = (column.dtype(), column.rows()?.clone());
            keys.push((label.to_string(), values, dtype.metadata(""), dtype.name()));
        }
        let keys: Vec<KeyColumn<'_>> =
            keys.iter()
                .map(|(name, values, metadata, type_name): &(String, Column, ColumnMetadata, String)| {
                    KeyColumn { name, values, metadata, type_name: type_name.clone() }
                })
                .collect();
        groups(&keys, &frame.context()?)
    }
}
