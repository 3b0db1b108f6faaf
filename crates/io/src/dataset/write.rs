//! [`DatasetWriter`]: tables as files in directories of their keys, which appear together or not at all.

use std::collections::HashMap;
use std::path::PathBuf;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Error, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};

use super::commit::Commit;
use super::groups::{KeyColumn, groups};
use crate::appending::{ChunkedWriter, Encoder};

/// Files below a directory to which tables are written, [Parquet](ParquetDatasetWriter) or [ORC](OrcDatasetWriter).
///
/// No reader sees any of them before all are whole: their names are hidden, or they have none. [`finish`](Self::finish) gives
/// all of them their names, or none; [`place_all`](crate::atomic_file::place_all) says what is guaranteed then. After an
/// error, or where the writer is dropped, nothing of them is left, nor of the directories that were made for them.
/// Files that are there already stay, but for those of the same name, which are replaced.
///
/// ```
/// use cuprum_column::arrow::ColumnMetadata;
/// use cuprum_column::{Column, Context, Table};
/// use cuprum_io::dataset::{Dataset, DatasetOptions, ParquetDatasetWriter};
/// use cuprum_io::parquet::WriteOptions;
///
/// let (root, ctx) = (tempfile::tempdir().unwrap(), Context::current());
/// let columns = ["year", "distance"].map(ColumnMetadata::named);
/// let mut writer = ParquetDatasetWriter::new(root.path(), "part-0.parquet", &ctx);
/// for year in [2023, 2024] {
///     let years = Column::from_slice(&[year, 2022], &ctx)?;
///     let table = Table::new(vec![years, Column::from_slice(&[5i64, 8], &ctx)?])?;
///     writer.write_by(&table, &columns, &["year"], &WriteOptions::default())?;
/// }
/// writer.finish()?;
/// assert!(root.path().join("year=2022/part-0.parquet").exists());
/// let all = Dataset::open(root.path())?.read_parquet(&DatasetOptions::default(), &ctx)?;
/// assert_eq!(all.data.names, ["distance", "year"]);
/// assert_eq!(all.data.table.columns()[1].view()?.values::<i32>()?, [2022, 2022, 2023, 2024]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub struct DatasetWriter<E: Encoder> {
    root: PathBuf,
    file_name: String,
    ctx: Context,
    /// The files that are being written, in the order in which they were begun.
    open: Vec<ChunkedWriter<E>>,
    /// The number of the open file of each directory; `None` where it is whole already.
    numbers: HashMap<String, Option<usize>>,
    failed: bool,
    // After the files: its directories are empty only when those are gone.
    commit: Commit,
}

/// Files of Parquet.
pub type ParquetDatasetWriter = DatasetWriter<crate::parquet::FileEncoder>;
/// Files of ORC.
pub type OrcDatasetWriter = DatasetWriter<crate::orc::FileEncoder>;

impl<E: Encoder> DatasetWriter<E> {
    /// A data set below `root`, whose files are called `file_name` in each directory. Nothing is there yet.
    pub fn new(root: impl Into<PathBuf>, file_name: impl Into<String>, ctx: &Context) -> Self {
        Self {
            root: root.into(),
            file_name: file_name.into(),
            ctx: ctx.clone(),
            open: Vec::new(),
            numbers: HashMap::new(),
            failed: false,
            commit: Commit::default(),
        }
    }

    /// Writes a table below the others in the file of a directory, whose name is that below the root, joined by `/`. The
    /// file stays open until the writer is finished. `options` are those of the file, which its first table begins.
    ///
    /// Fails as a writer of one file does, with [`Io`](cuprum_column::ErrorKind::Io) where a directory cannot be made, and
    /// with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) after another error in writing: nothing of
    /// the files is left then.
    pub fn write(
        &mut self,
        directory: &str,
        table: &Table,
        columns: &[ColumnMetadata],
        options: impl FnOnce() -> E::Options,
    ) -> Result<()> {
        self.check()?;
        let written = self.append(directory, table, columns, options);
        self.noted(written)
    }

    /// Writes a table as the whole file of a directory, which is closed at once: of many directories no more than one
    /// file is open at a time. Fails as [`write`](Self::write), and with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a directory that has a file of this writer.
    pub fn write_whole(
        &mut self,
        directory: &str,
        table: &Table,
        columns: &[ColumnMetadata],
        options: &E::Options,
    ) -> Result<()> {
        self.check()?;
        let written = self.one_file(directory, table, columns, options);
        self.noted(written)
    }

    /// Writes the rows of a table into the directories of the values of columns, without these columns, below what was
    /// written there. Rows keep their order.
    ///
    /// Fails as [`write`](Self::write) and [`groups`], with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for a
    /// column that is not there, and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where no other
    /// columns are left.
    pub fn write_by(
        &mut self,
        table: &Table,
        columns: &[ColumnMetadata],
        by: &[&str],
        options: &E::Options,
    ) -> Result<()> {
        let place = |name: &&str| {
            let found = columns.iter().position(|column| column.name == **name);
            found
                .ok_or_else(|| Error::key_not_found(format!("`partition_cols`: there is no column '{name}'")))
        };
        let places = by.iter().map(place).collect::<Result<Vec<_>>>()?;
        let key = |&place: &usize| {
            let (metadata, values) = (&columns[place], table.column(place)?);
            Ok(KeyColumn {
                name: &metadata.name,
                values,
                metadata,
                type_name: values.data_type().to_string(),
            })
        };
        let keys = places.iter().map(key).collect::<Result<Vec<_>>>()?;
        let rest: Vec<usize> = (0..columns.len()).filter(|i| !places.contains(i)).collect();
        if rest.is_empty() {
            return Err(no_columns_left());
        }
        let (rows, names) =
            (table.select(&rest)?, rest.iter().map(|&i| columns[i].clone()).collect::<Vec<_>>());
        for group in groups(&keys, &self.ctx)? {
            let part = gather(&rows, &group.rows, OutOfBoundsPolicy::Check, &self.ctx)?;
            self.write(&group.directory, &part, &names, || options.clone())?;
        }
        Ok(())
    }

    /// Ends all files and gives them their names, all or none.
    ///
    /// Fails with [`Io`](cuprum_column::ErrorKind::Io) where the end of a file cannot be written or a file cannot get its
    /// name, and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) after an error in writing. Nothing
    /// of the files is left then, and files that they would have replaced are there.
    pub fn finish(self) -> Result<()> {
        self.check()?;
        let Self { open, mut commit, .. } = self;
        for file in open {
            commit.add(file.whole()?);
        }
        commit.finish()
    }

    fn check(&self) -> Result<()> {
        if self.failed {
            let root = self.root.display();
            return Err(Error::invalid_argument(format!("{root}: a table could not be written whole")));
        }
        Ok(())
    }

    /// After an error nothing of the files is kept.
    fn noted(&mut self, written: Result<()>) -> Result<()> {
        if written.is_err() {
            self.failed = true;
            self.open.clear();
            self.commit = Commit::default();
        }
        written
    }

    fn append(
        &mut self,
        directory: &str,
        table: &Table,
        columns: &[ColumnMetadata],
        options: impl FnOnce() -> E::Options,
    ) -> Result<()> {
        let number = match self.numbers.get(directory) {
            Some(&Some(number)) => number,
            Some(None) => return Err(self.twice(directory)),
            None => {
                let file = self.begun(directory, &options())?;
                self.open.push(file);
                self.numbers.insert(directory.to_owned(), Some(self.open.len() - 1));
                self.open.len() - 1
            }
        };
        self.open[number].write(table, columns)
    }

    fn one_file(
        &mut self,
        directory: &str,
        table: &Table,
        columns: &[ColumnMetadata],
        options: &E::Options,
    ) -> Result<()> {
        if self.numbers.contains_key(directory) {
            return Err(self.twice(directory));
        }
        let mut file = self.begun(directory, options)?;
        file.write(table, columns)?;
        self.commit.add(file.whole()?);
        self.numbers.insert(directory.to_owned(), None);
        Ok(())
    }

    /// The file of a directory, which is made where it is not there.
    fn begun(&mut self, directory: &str, options: &E::Options) -> Result<ChunkedWriter<E>> {
        let place = self.root.join(directory);
        self.commit.make(&place)?;
        Ok(ChunkedWriter::new(&place.join(&self.file_name), options, &self.ctx))
    }

    fn twice(&self, directory: &str) -> Error {
        let place = self.root.join(directory);
        Error::invalid_argument(format!("{}: the file of this directory is written already", place.display()))
    }
}

/// The error where all columns are keys.
pub fn no_columns_left() -> Error {
    Error::invalid_argument("`partition_cols` has all columns: none are left for the files")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, DatasetOptions};
    use crate::parquet::WriteOptions;
    use cuprum_column::{Column, Device, ErrorKind};
    use std::path::Path;

    fn host() -> Context {
        Context::beside(Device::Cpu).unwrap()
    }

    fn table(rows: &[(i32, i64)]) -> (Table, [ColumnMetadata; 2]) {
        let (keys, values): (Vec<i32>, Vec<i64>) = rows.iter().copied().unzip();
        let columns = [Column::from_slice(&keys, &host()), Column::from_slice(&values, &host())];
        let table = Table::new(columns.map(Result::unwrap).into()).unwrap();
        (table, ["k", "a"].map(ColumnMetadata::named))
    }

    fn writer(root: &Path, rows: &[(i32, i64)]) -> ParquetDatasetWriter {
        let mut writer = ParquetDatasetWriter::new(root, "f", &host());
        let (table, columns) = table(rows);
        writer.write_by(&table, &columns, &["k"], &WriteOptions::default()).unwrap();
        writer
    }

    /// Everything below a directory.
    fn names(root: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut directories = vec![root.to_path_buf()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).into_iter().flatten() {
                let path = entry.unwrap().path();
                found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
                if path.is_dir() {
                    directories.push(path);
                }
            }
        }
        found.sort();
        found
    }

    fn values(root: &Path) -> Vec<i64> {
        let content = Dataset::open(root).unwrap().read_parquet(&DatasetOptions::default(), &host()).unwrap();
        content.data.table.columns()[0].view().unwrap().values::<i64>().unwrap().to_vec()
    }

    #[test]
    fn tables_below_each_other_in_directories() {
        let root = tempfile::tempdir().unwrap();
        let mut writer = writer(root.path(), &[(1, 10), (2, 20), (1, 11)]);
        let (more, columns) = table(&[(2, 21), (3, 30)]);
        writer.write_by(&more, &columns, &["k"], &WriteOptions::default()).unwrap();
        assert!(names(root.path()).iter().all(|name| !name.ends_with("/f")));
        writer.finish().unwrap();
        assert_eq!(names(root.path()), ["k=1", "k=1/f", "k=2", "k=2/f", "k=3", "k=3/f"]);
        assert_eq!(values(root.path()), [10, 11, 20, 21, 30]);
    }

    #[test]
    fn nothing_is_left_of_what_is_not_finished() {
        let root = tempfile::tempdir().unwrap();
        drop(writer(&root.path().join("new/set"), &[(1, 10), (2, 20)]));
        assert_eq!(names(root.path()), <[&str; 0]>::default());
        let mut failed = writer(root.path(), &[(1, 10)]);
        let other = Table::new(vec![Column::from_slice(&[0.5], &host()).unwrap()]).unwrap();
        let columns = [ColumnMetadata::named("a")];
        assert_eq!(
            failed.write("k=1", &other, &columns, WriteOptions::default).unwrap_err().kind(),
            ErrorKind::DataType
        );
        assert_eq!(names(root.path()), <[&str; 0]>::default());
        assert_eq!(failed.finish().unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(names(root.path()), <[&str; 0]>::default());
    }

    #[test]
    fn a_name_that_cannot_be_given_takes_all_back() {
        let root = tempfile::tempdir().unwrap();
        writer(root.path(), &[(1, 10), (2, 20)]).finish().unwrap();
        let again = writer(root.path(), &[(1, 11), (0, 1), (3, 30)]);
        std::fs::create_dir(root.path().join("k=3/f")).unwrap();
        assert_eq!(again.finish().unwrap_err().kind(), ErrorKind::Io);
        assert_eq!(names(root.path()), ["k=1", "k=1/f", "k=2", "k=2/f", "k=3", "k=3/f"]);
        std::fs::remove_dir_all(root.path().join("k=3")).unwrap();
        assert_eq!(values(root.path()), [10, 20]);
    }

    #[test]
    fn one_file_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let mut writer = ParquetDatasetWriter::new(root.path(), "f", &host());
        let (table, columns) = table(&[(1, 10)]);
        for directory in ["k=1", "k=2"] {
            writer.write_whole(directory, &table, &columns, &WriteOptions::default()).unwrap();
        }
        assert_eq!(names(root.path()).iter().filter(|name| name.ends_with("/f")).count(), 0);
        writer.finish().unwrap();
        assert_eq!(names(root.path()), ["k=1", "k=1/f", "k=2", "k=2/f"]);
        let mut writer = ParquetDatasetWriter::new(root.path(), "g", &host());
        writer.write_whole("k=1", &table, &columns, &WriteOptions::default()).unwrap();
        let twice = writer.write_whole("k=1", &table, &columns, &WriteOptions::default());
        assert_eq!(twice.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn what_is_no_column_is_refused() {
        let (table, columns) = table(&[(1, 10)]);
        let mut writer = ParquetDatasetWriter::new("never", "f", &host());
        for (by, kind) in [
            (&["nope"][..], ErrorKind::KeyNotFound),
            (&["k", "a"], ErrorKind::InvalidArgument),
            (&[], ErrorKind::InvalidArgument),
        ] {
            let error = writer.write_by(&table, &columns, by, &WriteOptions::default()).unwrap_err();
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains("`partition_cols`"), "{error}");
        }
        drop(writer);
        assert!(!Path::new("never").exists());
    }
}
