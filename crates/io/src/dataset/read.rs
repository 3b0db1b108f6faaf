//! Reading the files of a data set one after the other, as tables of any form.

use cuprum_column::{Error, ErrorKind, Result};
use cuprum_runtime::nvtx::func_range;

use super::files::Dataset;
use super::lacked::Lacked;
use super::prune::Rest;
use crate::filter::Filter;
use crate::source::Source;

/// What is read of one file.
#[derive(Clone, Debug, Default)]
pub struct FileRequest {
    /// The columns, in the order in which they are wanted; all without it.
    pub columns: Option<Vec<String>>,
    /// The row groups or stripes, by number, in the order in which they are wanted; all without it.
    pub pieces: Option<Vec<usize>>,
    /// So many rows of these pieces are passed over.
    pub skip_rows: usize,
    /// At most this many rows.
    pub num_rows: Option<usize>,
    /// Which of these rows.
    pub filter: Option<Filter>,
    /// The number of the file's first row among those of all files; 0 where that was not asked for.
    pub first_row: usize,
}

/// What a file says of itself before it is read.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    /// How many rows it has.
    pub num_rows: usize,
    /// The names of its columns.
    pub names: Vec<String>,
    /// Those of them that have no type, as they have no values.
    pub untyped: Vec<String>,
}

/// How the files of a format are read, as tables of some form.
pub trait FileReader {
    /// What is read of a file.
    type Table;

    /// Reads a file. Fails with [`KeyNotFound`](ErrorKind::KeyNotFound) for a column that it lacks, and with
    /// [`DataType`](ErrorKind::DataType) for a condition on a column of another type.
    fn read(&self, source: &Source, request: &FileRequest) -> Result<Self::Table>;

    /// What a file says of itself.
    fn facts(&self, source: &Source) -> Result<FileFacts>;

    /// The number of rows of a table.
    fn num_rows(&self, table: &Self::Table) -> usize;

    /// The names of the columns of a table.
    fn names(&self, table: &Self::Table) -> Vec<String>;
}

/// What is read of a data set. The default is everything.
#[derive(Clone, Debug, Default)]
pub struct DatasetOptions {
    /// The columns, keys among them, in the order in which they are wanted; all without it, and the keys last. A column
    /// need not be in every file.
    pub columns: Option<Vec<String>>,
    /// The row groups or stripes of each file, by number; all without it.
    pub pieces: Option<Vec<Vec<usize>>>,
    /// So many rows are passed over; of several files without `pieces`.
    pub skip_rows: usize,
    /// At most this many rows.
    pub num_rows: Option<usize>,
    /// Which rows, by columns and keys, without `skip_rows` and `num_rows`. Files that their keys rule out are not opened.
    pub filter: Option<Filter>,
    /// Columns that need be in no file: the reader makes them.
    pub made: Vec<String>,
}

/// Tables of files, in the order of their rows.
#[derive(Clone, Debug)]
pub struct FilesRead<T> {
    /// One for each file that was opened.
    pub tables: Vec<T>,
    /// The numbers of these files, and how many rows were read of each.
    pub rows: Vec<(usize, usize)>,
    /// Whether a file was opened that lacks columns that were asked for, so that the order of the columns of all is
    /// not theirs.
    pub lacked: bool,
}

/// Reads the files of a data set.
///
/// - A column or a condition on it need not be in every file: where it is not, its values are missing. It has to be in
///   one of them, which for conditions may be one whose rows are not wanted.
/// - Keys are asked first; files that they rule out are not opened. Where none are left, the first one is read without
///   rows, for its columns.
///
/// Fails with [`KeyNotFound`](ErrorKind::KeyNotFound) for a column that no file has, with
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a file with a column that is called as a key, and where there
/// are not as many lists of pieces as files, with [`DataType`](ErrorKind::DataType) for conditions that compare with
/// values of another kind, with [`Unsupported`](ErrorKind::Unsupported) where rows are counted (`skip_rows`, `num_rows`)
/// and filtered, or those of pieces of several files passed over, and as the reader.
pub fn read_files<R: FileReader>(
    dataset: &Dataset,
    options: &DatasetOptions,
    reader: &R,
) -> Result<FilesRead<R::Table>> {
    func_range!(c"dataset.read_files");
    let mut reading = Reading::new(dataset, options, reader)?;
    reading.wanted_rows()?;
    reading.columns_of_others()?;
    reading.lacked.check()?;
    let lacked = reading.lacked.is_any();
    Ok(FilesRead { tables: reading.tables, rows: reading.rows, lacked })
}

/// A data set that is being read.
struct Reading<'a, R: FileReader> {
    dataset: &'a Dataset,
    options: &'a DatasetOptions,
    reader: &'a R,
    /// The columns that are in files, of those that are asked for.
    in_files: Option<Vec<String>>,
    lacked: Lacked,
    tables: Vec<R::Table>,
    rows: Vec<(usize, usize)>,
}

impl<'a, R: FileReader> Reading<'a, R> {
    fn new(dataset: &'a Dataset, options: &'a DatasetOptions, reader: &'a R) -> Result<Self> {
        let files = dataset.parts().len();
        if let Some(pieces) = &options.pieces
            && pieces.len() != files
        {
            return Err(Error::invalid_argument(format!(
                "{} lists of pieces for {files} files",
                pieces.len()
            )));
        }
        let counted = options.skip_rows > 0 || options.num_rows.is_some();
        if options.filter.is_some() && counted {
            return Err(Error::unsupported("rows of a data set are filtered or counted, not both"));
        }
        if options.pieces.is_some() && options.skip_rows > 0 && files > 1 {
            return Err(Error::unsupported("rows of pieces of several files are not passed over"));
        }
        let in_files = options
            .columns
            .as_ref()
            .map(|columns| columns.iter().filter(|name| !dataset.has_key(name)).cloned().collect());
        let mut lacked = Lacked::default();
        lacked.found(options.made.iter().map(String::as_str), None);
        Ok(Self { dataset, options, reader, in_files, lacked, tables: Vec::new(), rows: Vec::new() })
    }

    /// Whether a file may lack what is asked for.
    fn may_lack(&self) -> bool {
        self.dataset.parts().len() > 1 || !self.options.made.is_empty()
    }

    /// Reads the files whose rows may be wanted.
    fn wanted_rows(&mut self) -> Result<()> {
        let (dataset, options) = (self.dataset, self.options);
        let parts = dataset.parts();
        let rest = options.filter.as_ref().map(|filter| dataset.prune(filter)).transpose()?;
        let (mut left, mut skip, mut first) = (options.num_rows, options.skip_rows, 0usize);
        // Where rows are numbered across files.
        let counts = parts.len() > 1 && (skip > 0 || options.pieces.is_some());
        for (file, part) in parts.iter().enumerate() {
            let filter = match rest.as_ref().map(|rest| &rest[file]) {
                Some(Rest::Nothing) => continue,
                Some(Rest::Filtered(filter)) => Some(filter.clone()),
                Some(Rest::Everything) | None => None,
            };
            let own = if counts { self.reader.facts(&part.source)?.num_rows } else { 0 };
            if skip > 0 && counts && own <= skip {
                (skip, first) = (skip - own, first.saturating_add(own));
                continue;
            }
            let pieces = options.pieces.as_ref().map(|pieces| pieces[file].clone());
            let columns = self.in_files.clone();
            let request =
                FileRequest { columns, pieces, skip_rows: skip, num_rows: left, filter, first_row: first };
            let read = self.file(file, request)?;
            left = left.map(|left| left.saturating_sub(read));
            (skip, first) = (0, first.saturating_add(own));
        }
        if self.tables.is_empty() {
            // No rows are left, but their columns; what is asked of these has to be right all the same.
            let lists = options.filter.iter().flat_map(|filter| &filter.0);
            let of_rows = lists.map(|all| all.iter().filter(|one| !dataset.has_key(&one.column)).cloned());
            let of_rows: Vec<Vec<_>> =
                of_rows.map(Iterator::collect).filter(|all: &Vec<_>| !all.is_empty()).collect();
            let filter = (!of_rows.is_empty()).then_some(Filter(of_rows));
            self.file(0, FileRequest { filter, ..self.nothing() })?;
        }
        Ok(())
    }

    /// Reads the columns of files whose rows are not wanted while some are asked for that no other file has.
    fn columns_of_others(&mut self) -> Result<()> {
        for file in 0..self.dataset.parts().len() {
            if self.lacked.is_settled() {
                break;
            }
            if self.rows.iter().any(|(read, _)| *read == file) {
                continue;
            }
            match self.file(file, self.nothing()) {
                // It says nothing; that of its rows which is wanted has been read.
                Err(e) if matches!(e.kind(), ErrorKind::InvalidArgument | ErrorKind::Io) => {}
                read => {
                    read?;
                }
            }
        }
        Ok(())
    }

    /// A request for columns and no rows.
    fn nothing(&self) -> FileRequest {
        FileRequest {
            columns: self.in_files.clone(),
            pieces: Some(Vec::new()),
            num_rows: Some(0),
            ..FileRequest::default()
        }
    }

    /// Reads a file, which may lack columns that others have; how many rows that are.
    fn file(&mut self, file: usize, mut request: FileRequest) -> Result<usize> {
        let source = &self.dataset.parts()[file].source;
        let table = loop {
            let error = match self.reader.read(source, &request) {
                Ok(table) => break table,
                Err(error) if !self.may_lack() => return Err(error),
                Err(error) => error,
            };
            let rest = match (error.kind(), &request.filter) {
                (ErrorKind::KeyNotFound, _) => {
                    let own = self.reader.facts(source)?.names;
                    self.lacked.note(error, &own, &request)?;
                    if let Some(columns) = &mut request.columns {
                        columns.retain(|name| own.contains(name));
                    }
                    request
                        .filter
                        .as_ref()
                        .map(|f| Rest::of_columns(f, |name| own.iter().any(|own| own == name)))
                }
                // What a column without a type is compared with may be of the type that it has in other files.
                (ErrorKind::DataType, Some(filter)) => {
                    let untyped = self.reader.facts(source)?.untyped;
                    let is_untyped = |name: &str| untyped.iter().any(|own| own == name);
                    if !filter.0.iter().flatten().any(|one| is_untyped(&one.column)) {
                        return Err(error);
                    }
                    Some(Rest::of_columns(filter, |name| !is_untyped(name)))
                }
                _ => return Err(error),
            };
            request.filter = match rest {
                Some(Rest::Filtered(filter)) => Some(filter),
                Some(Rest::Nothing) => {
                    request = FileRequest { columns: request.columns, ..self.nothing() };
                    None
                }
                Some(Rest::Everything) | None => None,
            };
        };
        let names = self.reader.names(&table);
        if let Some(key) = self.dataset.keys().iter().find(|key| names.iter().any(|name| name == key.name()))
        {
            return Err(Error::invalid_argument(format!(
                "{source} has a column '{}', which its directory names as well",
                key.name()
            )));
        }
        self.lacked.found(names.iter().map(String::as_str), request.filter.as_ref());
        let rows = self.reader.num_rows(&table);
        self.tables.push(table);
        self.rows.push((file, rows));
        Ok(rows)
    }
}
