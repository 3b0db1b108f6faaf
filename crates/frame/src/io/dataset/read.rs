//! Data sets as frames.

use arrow_schema::TimeUnit;
use cuprum_column::{Context, Error, ErrorKind, Result};
use cuprum_io::dataset::{
    Dataset, DatasetOptions, FileFacts, FileReader, FileRequest, FilesRead, Key, OrcFiles, ParquetFiles,
    read_files,
};
use cuprum_io::{Filter, Source, parquet};

use super::predicate;
use super::schema::{exactly, of_another_dtype, with_dtypes};
use super::unify::below_each_other;
use crate::dataframe::DataFrame;
use crate::expression::Expr;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::types::{Categorical, Categories, Dtype};

/// Files of Parquet that are about to be read as one frame; see [`DatasetReader`].
///
/// ```
/// use cuprum::io::{Dataset, read_parquet_dataset};
/// use cuprum::prelude::*;
///
/// # fn main() -> cuprum::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let root = folder.path().join("trips");
/// let trips = df! { "year" => [2023, 2024, 2024], "distance" => [5.0, 8.5, 2.0] }?;
/// trips.write_parquet_dataset(&root, ["year"]).finish()?;
///
/// let all = read_parquet_dataset(Dataset::open(&root)?).finish()?;
/// assert_eq!(all.shape(), (3, 2));
/// assert_eq!(all.labels(), ["distance".into(), "year".into()]);
/// let long = read_parquet_dataset(Dataset::open(&root)?)
///     .filter(col("year").gt(2023) & col("distance").gt(5.0))
///     .columns(["distance"])
///     .finish()?;
/// assert_eq!(long.shape(), (1, 1));
/// # Ok(())
/// # }
/// ```
pub fn read_parquet_dataset(dataset: Dataset) -> DatasetReader {
    DatasetReader::new(dataset, Format::Parquet { row_labels: true })
}

/// Files of ORC that are about to be read as one frame; see [`DatasetReader`].
pub fn read_orc_dataset(dataset: Dataset) -> DatasetReader {
    DatasetReader::new(dataset, Format::Orc { unit: TimeUnit::Nanosecond })
}

/// How the files of a data set are read as one frame: the rows of all below each other, keys as last columns.
/// [`finish`](Self::finish) reads them.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the files"]
pub struct DatasetReader {
    dataset: Dataset,
    format: Format,
    options: DatasetOptions,
    dtypes: Option<Vec<(String, Dtype)>>,
    categories: bool,
    predicate: Option<Expr>,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Parquet { row_labels: bool },
    Orc { unit: TimeUnit },
}

impl DatasetReader {
    fn new(dataset: Dataset, format: Format) -> Self {
        let (options, dtypes) = (DatasetOptions::default(), None);
        Self { dataset, format, options, dtypes, categories: true, predicate: None }
    }

    /// All options at once, but those of single methods below.
    pub fn options(self, options: DatasetOptions) -> Self {
        Self { options, ..self }
    }

    /// The columns to read, keys among them, in this order. They need not be in every file. Row labels that the files
    /// tell of are read with them.
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.options.columns = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// At most this many rows.
    pub fn rows(mut self, rows: usize) -> Self {
        self.options.num_rows = Some(rows);
        self
    }

    /// The rows at the start that are passed over.
    pub fn skip_rows(mut self, rows: usize) -> Self {
        self.options.skip_rows = rows;
        self
    }

    /// Only the rows for which an expression is true, by columns and keys, as [`DataFrame::filter`](crate::DataFrame::filter)
    /// has them: the rows are those that reading all and filtering then would give, of
    /// [conditions](Self::conditions) those that meet these as well. What comparisons with values rule out is not decoded,
    /// by the statistics of files, and files that their keys rule out are not opened. Labels `0, 1, …` are those of the rows
    /// that are left.
    pub fn filter(mut self, predicate: impl Into<Expr>) -> Self {
        self.predicate = Some(predicate.into());
        self
    }

    /// Only the rows that meet conditions as files have them, of which missing values meet few; what cannot have such rows is
    /// not decoded.
    pub fn conditions(mut self, filter: Filter) -> Self {
        self.options.filter = Some(filter);
        self
    }

    /// Whether row labels are taken from what pandas or Cuprum wrote into files of Parquet; they are columns without.
    pub fn row_labels(mut self, row_labels: bool) -> Self {
        if let Format::Parquet { row_labels: own } = &mut self.format {
            *own = row_labels;
        }
        self
    }

    /// What timestamps of ORC are counted in: nanoseconds without it.
    pub fn time_unit(mut self, unit: TimeUnit) -> Self {
        if let Format::Orc { unit: own } = &mut self.format {
            *own = unit;
        }
        self
    }

    /// Whether keys are categories, as in pandas, else `int32` or texts.
    pub fn keys_as_categories(mut self, categories: bool) -> Self {
        self.categories = categories;
        self
    }

    /// The columns to read of all files and their dtypes, those of keys too. What a file lacks is missing there.
    pub fn dtypes<S: Into<String>>(mut self, dtypes: impl IntoIterator<Item = (S, Dtype)>) -> Self {
        self.dtypes = Some(dtypes.into_iter().map(|(name, dtype)| (name.into(), dtype)).collect());
        self
    }

    /// Reads the files.
    ///
    /// Fails as [`read_files`] and [`below_each_other`], as [`DataFrame::filter`](crate::DataFrame::filter), and as the
    /// reader of the format. A value that is not of the [dtype](Self::dtypes) asked for is
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument).
    pub fn finish(mut self) -> Result<DataFrame> {
        let Some(predicate) = self.predicate.take() else { return self.whole(None) };
        if self.options.num_rows.is_some() || self.options.skip_rows > 0 {
            return Err(Error::unsupported("rows of a data set are filtered or counted, not both"));
        }
        if let Some(told) = predicate::implied(&predicate) {
            let conditions = self.options.filter.clone();
            self.options.filter = Some(predicate::both(conditions.as_ref(), told.clone()));
            match self.whole(Some((&predicate, &told))) {
                // Where files and formulas compare otherwise, the formula has the say.
                Err(e) if matches!(e.kind(), ErrorKind::DataType | ErrorKind::KeyNotFound) => {}
                read => return read,
            }
            self.options.filter = conditions;
        }
        self.whole(Some((&predicate, &Filter(Vec::new()))))
    }

    /// The rows for which a formula is true, with the columns that are asked for. Of these rows readers have been told
    /// the conditions beside it.
    fn whole(&self, predicate: Option<(&Expr, &Filter)>) -> Result<DataFrame> {
        let Self { dataset, dtypes, .. } = self;
        let is_key = |name: &str| dataset.keys().iter().any(|key| key.name() == name);
        let mut options = self.options.clone();
        if let Some(dtypes) = dtypes {
            let names = || dtypes.iter().map(|(name, _)| name.clone());
            options.columns.get_or_insert_with(|| names().collect());
            options.made.extend(names());
        }
        let asked = options.columns.clone();
        if let (Some(columns), Some((predicate, _))) = (&mut options.columns, predicate) {
            for label in predicate.columns() {
                if let Some(name) = label.as_str().filter(|name| !columns.iter().any(|own| own == name)) {
                    columns.push(name.to_owned());
                }
            }
        }
        let in_files: Option<Vec<Label>> = options
            .columns
            .as_ref()
            .map(|columns| columns.iter().filter(|name| !is_key(name)).map(Label::from).collect());
        let of_files = dtypes.as_ref().map(|dtypes| -> Result<Vec<_>> {
            let of = |label: &Label| {
                let found = dtypes.iter().find(|(name, _)| Label::from(name) == *label);
                found.cloned().ok_or_else(|| {
                    Error::key_not_found(format!("`columns`: the schema has no column '{label}'"))
                })
            };
            in_files.iter().flatten().map(of).collect()
        });
        let is_one = dataset.parts().len() == 1;
        let reader = Files { format: self.format, dtypes: of_files.transpose()?, is_one };
        let FilesRead { tables, rows, lacked } = read_files(dataset, &options, &reader)?;
        let name = |&(file, _): &(usize, usize)| dataset.parts()[file].source.to_string();
        let mut frame = below_each_other(tables, &rows.iter().map(name).collect::<Vec<_>>())?;
        if let Some(in_files) = in_files.filter(|_| lacked) {
            frame = frame.select_labels(&in_files)?;
        }
        let ctx = Context::current();
        for key in dataset.keys() {
            let asked = dtypes.iter().flatten().find(|(name, _)| name == key.name());
            let column = match asked {
                Some((name, dtype)) => {
                    let own = key.column(&rows, &ctx)?.into();
                    exactly(&own, dtype).map_err(|e| of_another_dtype("the data set", name, dtype, e))?
                }
                // A formula compares their values.
                None if self.categories && predicate.is_none() => {
                    categories_of(key, &ctx)?.from_codes(&key.codes(&rows, &ctx)?)?
                }
                None => key.column(&rows, &ctx)?.into(),
            };
            frame = frame.with_column(key.name(), column)?;
        }
        if let Some((predicate, told)) = predicate {
            if predicate::compares_ordered_categories(told, &frame) {
                return Err(Error::data_type("the files do not know the order of categories"));
            }
            frame = self.where_true(predicate, &frame, &ctx)?;
        }
        match asked.filter(|_| predicate.is_some() || !dataset.keys().is_empty()) {
            // Keys stand behind columns that are asked for by their dtypes alone.
            Some(mut columns) => {
                if self.options.columns.is_none() {
                    let keys = dataset.keys().iter().map(|key| key.name().to_owned());
                    columns.retain(|name| !is_key(name));
                    columns.extend(keys);
                }
                // Others are row labels.
                let labels = columns.iter().map(Label::from).filter(|label| frame.contains(label));
                frame.select_labels(&labels.collect::<Vec<_>>())
            }
            None => Ok(frame),
        }
    }

    /// The rows of a frame for which a formula is true. Labels `0, 1, …` become such of these rows: what was not read has
    /// none. Keys become categories.
    fn where_true(&self, predicate: &Expr, frame: &DataFrame, ctx: &Context) -> Result<DataFrame> {
        let mut rows = frame.filter(predicate.clone())?;
        if frame.index().is_default() && frame.index().name().is_none() {
            rows = rows.with_index(Index::range(rows.num_rows()))?;
        }
        let has_dtype =
            |key: &Key| self.dtypes.iter().flatten().any(|(name, _)| Label::from(name) == key.name().into());
        for key in self.dataset.keys().iter().filter(|key| self.categories && !has_dtype(key)) {
            let label = Label::from(key.name());
            let column = categories_of(key, ctx)?.encode(rows.accessor().get(&label)?)?;
            rows = rows.with_column(label, column)?;
        }
        Ok(rows)
    }
}

/// The values of a key as categories.
fn categories_of(key: &Key, ctx: &Context) -> Result<Categorical> {
    Ok(Categorical::of(Categories::new(key.distinct(ctx)?, false)?))
}

/// Files that are read as frames.
struct Files {
    format: Format,
    /// The columns of files and their dtypes, where these are asked for.
    dtypes: Option<Vec<(String, Dtype)>>,
    /// Whether there is one file: the rows of several are read at once, to be put below each other.
    is_one: bool,
}

impl FileReader for Files {
    type Table = DataFrame;

    fn read(&self, source: &Source, request: &FileRequest) -> Result<DataFrame> {
        let frame = match self.format {
            Format::Parquet { row_labels } => {
                let options = ParquetFiles::options_of(request);
                let options = parquet::ReadOptions { pandas_metadata: row_labels, ..options };
                crate::io::parquet_frame(source, &options, self.is_one)?
            }
            Format::Orc { unit } => crate::io::orc_frame(source, &OrcFiles::options_of(request, unit))?,
        };
        match &self.dtypes {
            Some(dtypes) => with_dtypes(&frame, dtypes, &source.to_string()),
            None => Ok(frame),
        }
    }

    fn facts(&self, source: &Source) -> Result<FileFacts> {
        match self.format {
            Format::Parquet { .. } => ParquetFiles::facts_of(source),
            Format::Orc { unit } => OrcFiles::facts_of(source, unit, &Context::current()),
        }
    }

    fn num_rows(&self, frame: &DataFrame) -> usize {
        frame.num_rows()
    }

    fn names(&self, frame: &DataFrame) -> Vec<String> {
        frame.labels().iter().map(ToString::to_string).collect()
    }
}
