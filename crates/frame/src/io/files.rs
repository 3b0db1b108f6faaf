//! Files read and written step by step: `read_csv("f.csv").delimiter(b';').finish()?`.

use std::path::{Path, PathBuf};

use cuprum_column::{DataType, Error, Result};
use cuprum_io::csv::{self, ColumnRef, Header};
use cuprum_io::source::Source;
use cuprum_io::{avro, feather, json, orc, parquet};

use crate::dataframe::DataFrame;

/// A CSV file, a path or bytes, that is about to be read; see [`CsvReader`].
pub fn read_csv(source: impl Into<Source>) -> CsvReader {
    CsvReader { source: source.into(), options: csv::ReadOptions::default() }
}

/// How a CSV file is read: what is not said is as in pandas. [`finish`](Self::finish) reads it.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the file"]
pub struct CsvReader {
    source: Source,
    options: csv::ReadOptions,
}

impl CsvReader {
    /// All options at once.
    pub fn options(self, options: csv::ReadOptions) -> Self {
        Self { options, ..self }
    }

    fn with(mut self, change: impl FnOnce(&mut csv::ReadOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// The byte between fields.
    pub fn delimiter(self, delimiter: u8) -> Self {
        self.with(|options| options.separator = delimiter)
    }

    /// The byte around quoted fields.
    pub fn quote(self, quote: u8) -> Self {
        self.with(|options| options.quote = quote)
    }

    /// Where the names are.
    pub fn header(self, header: Header) -> Self {
        self.with(|options| options.header = header)
    }

    /// Names instead of those in the file.
    pub fn names<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Self {
        self.with(|options| options.names = Some(names.into_iter().map(Into::into).collect()))
    }

    /// The columns to read, by name or position, in the order of the file.
    pub fn columns<C: Into<ColumnRef>>(self, columns: impl IntoIterator<Item = C>) -> Self {
        self.with(|options| options.usecols = Some(columns.into_iter().map(Into::into).collect()))
    }

    /// The columns that are dates.
    pub fn parse_dates<C: Into<ColumnRef>>(self, columns: impl IntoIterator<Item = C>) -> Self {
        self.with(|options| options.parse_dates = columns.into_iter().map(Into::into).collect())
    }

    /// The type of one column, which else follows from what is in it.
    pub fn dtype(self, column: impl Into<ColumnRef>, data_type: DataType) -> Self {
        self.with(|options| options.dtype.push((column.into(), data_type)))
    }

    /// More texts that mean a missing value.
    pub fn na_values<S: Into<String>>(self, values: impl IntoIterator<Item = S>) -> Self {
        self.with(|options| options.na_values.extend(values.into_iter().map(Into::into)))
    }

    /// At most this many rows.
    pub fn rows(self, rows: usize) -> Self {
        self.with(|options| options.nrows = Some(rows))
    }

    /// This many lines at the start are passed over.
    pub fn skip_rows(self, lines: usize) -> Self {
        self.with(|options| options.skiprows = lines)
    }

    /// The byte between whole digits and fraction.
    pub fn decimal(self, decimal: u8) -> Self {
        self.with(|options| options.decimal = decimal)
    }

    /// A byte that makes the rest of a line a comment.
    pub fn comment(self, comment: u8) -> Self {
        self.with(|options| options.comment = Some(comment))
    }

    /// Reads the file; see [`csv::read_csv`] for how it fails.
    pub fn finish(self) -> Result<DataFrame> {
        super::csv_frame(&self.source, &self.options)
    }
}

/// Which columns a reader reads.
macro_rules! columns {
    () => {
        /// The columns to read, in this order. Row labels that the file tells of are read with them.
        pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
            self.options.columns = Some(columns.into_iter().map(Into::into).collect());
            self
        }
    };
}

/// A Parquet file, a path or bytes, that is about to be read; see [`ParquetReader`].
///
/// On the CPU, columns of a file without a filter are decoded when somebody reads them, of filtered ones only pages with
/// rows that are left. Their bytes are read with the file, so that nothing depends on what becomes of it; a page that is
/// damaged fails when it is decoded. Columns of fewer than [`late_rows`](crate::types::late_rows), categories and nested
/// ones are decoded at once, and so is everything under a memory limit.
pub fn read_parquet(source: impl Into<Source>) -> ParquetReader {
    ParquetReader { source: source.into(), options: parquet::ReadOptions::default() }
}

/// How a Parquet file is read. [`finish`](Self::finish) reads it.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the file"]
pub struct ParquetReader {
    source: Source,
    options: parquet::ReadOptions,
}

impl ParquetReader {
    /// All options at once.
    pub fn options(self, options: parquet::ReadOptions) -> Self {
        Self { options, ..self }
    }

    columns!();

    /// At most this many rows.
    pub fn rows(mut self, rows: usize) -> Self {
        self.options.nrows = Some(rows);
        self
    }

    /// The rows at the start that are passed over.
    pub fn skip_rows(mut self, rows: usize) -> Self {
        self.options.skip_rows = rows;
        self
    }

    /// Only the rows that meet the filter. What cannot have such rows is not decoded.
    pub fn filter(mut self, filter: parquet::Filter) -> Self {
        self.options.filter = Some(filter);
        self
    }

    /// Reads the file, with the row labels that pandas or Cuprum wrote; see [`parquet::read_parquet`] for how
    /// it fails.
    pub fn finish(self) -> Result<DataFrame> {
        super::parquet_frame(&self.source, &self.options, true)
    }
}

/// An Arrow IPC file (Feather) or stream, a path or bytes, that is about to be read; see [`FeatherReader`].
pub fn read_feather(source: impl Into<Source>) -> FeatherReader {
    FeatherReader { source: source.into(), options: feather::ReadOptions::default() }
}

/// How an Arrow IPC file or stream is read. [`finish`](Self::finish) reads it.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the file"]
pub struct FeatherReader {
    source: Source,
    options: feather::ReadOptions,
}

impl FeatherReader {
    columns!();

    /// Reads the file, with the row labels that pandas or Cuprum wrote; see [`feather::read_feather`] for how it fails.
    pub fn finish(self) -> Result<DataFrame> {
        super::feather_frame(&self.source, &self.options)
    }
}

/// An Avro file, a path or bytes, that is about to be read; see [`AvroReader`].
pub fn read_avro(source: impl Into<Source>) -> AvroReader {
    AvroReader { source: source.into(), options: avro::ReadOptions::default() }
}

/// How an Avro file is read. [`finish`](Self::finish) reads it.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the file"]
pub struct AvroReader {
    source: Source,
    options: avro::ReadOptions,
}

impl AvroReader {
    /// All options at once.
    pub fn options(self, options: avro::ReadOptions) -> Self {
        Self { options, ..self }
    }

    columns!();

    /// At most this many rows.
    pub fn rows(mut self, rows: usize) -> Self {
        self.options.num_rows = Some(rows);
        self
    }

    /// Reads the file; see [`avro::read_avro`] for how it fails.
    pub fn finish(self) -> Result<DataFrame> {
        super::avro_frame(&self.source, &self.options)
    }
}

/// An ORC file, a path or bytes, that is about to be read; see [`OrcReader`].
pub fn read_orc(source: impl Into<Source>) -> OrcReader {
    OrcReader { source: source.into(), options: orc::ReadOptions::default() }
}

/// How an ORC file is read. [`finish`](Self::finish) reads it.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the file"]
pub struct OrcReader {
    source: Source,
    options: orc::ReadOptions,
}

impl OrcReader {
    /// All options at once.
    pub fn options(self, options: orc::ReadOptions) -> Self {
        Self { options, ..self }
    }

    columns!();

    /// At most this many rows.
    pub fn rows(mut self, rows: usize) -> Self {
        self.options.num_rows = Some(rows);
        self
    }

    /// Reads the file, with the row labels that Cuprum or cuDF wrote; see [`orc::read_orc`] for how it fails.
    pub fn finish(self) -> Result<DataFrame> {
        super::orc_frame(&self.source, &self.options)
    }
}

/// A JSON text, at a path or bytes, that is about to be read; see [`JsonReader`].
pub fn read_json(source: impl Into<Source>) -> JsonReader {
    JsonReader { source: source.into(), options: json::ReadOptions::default() }
}

/// How a JSON text is read. [`finish`](Self::finish) reads it.
#[derive(Clone, Debug)]
#[must_use = "`finish` reads the text"]
pub struct JsonReader {
    source: Source,
    options: json::ReadOptions,
}

impl JsonReader {
    /// All options at once.
    pub fn options(self, options: json::ReadOptions) -> Self {
        Self { options, ..self }
    }

    /// A value on every line.
    pub fn lines(mut self, lines: bool) -> Self {
        self.options.lines = lines;
        self
    }

    /// How the document is laid out.
    pub fn layout(mut self, layout: json::Layout) -> Self {
        self.options.layout = layout;
        self
    }

    /// Reads the text; see [`json::read_json`] for how it fails.
    pub fn finish(self) -> Result<DataFrame> {
        super::json_frame(&self.source, &self.options)
    }
}

impl DataFrame {
    /// The frame as a CSV file that is about to be written; see [`CsvWriter`].
    pub fn write_csv(&self, path: impl Into<PathBuf>) -> CsvWriter<'_> {
        CsvWriter { path: Some(path.into()), ..self.to_csv() }
    }

    /// The frame as a CSV text that is about to be made; see [`CsvWriter`].
    pub fn to_csv(&self) -> CsvWriter<'_> {
        CsvWriter { frame: self, path: None, index: true, options: csv::WriteOptions::default() }
    }

    /// The frame as an Avro file that is about to be written; see [`AvroWriter`].
    pub fn write_avro(&self, path: impl Into<PathBuf>) -> AvroWriter<'_> {
        AvroWriter { frame: self, path: path.into(), index: true, options: avro::WriteOptions::default() }
    }

    /// Writes the rows as JSON records, without row labels, to `path`, or gives the text where there is none; see
    /// [`json::write_json`] for what is written and how it fails.
    pub fn write_json(&self, path: Option<&Path>, options: &json::WriteOptions) -> Result<Option<String>> {
        super::json_text(self, path, options)
    }

    /// The frame as an Arrow IPC file (Feather) that is about to be written; see [`FeatherWriter`].
    pub fn write_feather(&self, path: impl Into<PathBuf>) -> FeatherWriter<'_> {
        FeatherWriter {
            frame: self,
            path: path.into(),
            index: true,
            options: feather::WriteOptions::default(),
        }
    }

    /// The frame as an ORC file that is about to be written; see [`OrcWriter`].
    pub fn write_orc(&self, path: impl Into<PathBuf>) -> OrcWriter<'_> {
        OrcWriter { frame: self, path: path.into(), index: true, options: orc::WriteOptions::default() }
    }

    /// The frame as a Parquet file that is about to be written; see [`ParquetWriter`].
    pub fn write_parquet(&self, path: impl Into<PathBuf>) -> ParquetWriter<'_> {
        ParquetWriter {
            frame: self,
            path: path.into(),
            index: true,
            options: parquet::WriteOptions::default(),
        }
    }
}

/// How a CSV file is written: with row labels, separated by commas, unless said otherwise.
/// [`finish`](Self::finish) writes it.
#[derive(Clone, Debug)]
#[must_use = "`finish` writes the file"]
pub struct CsvWriter<'a> {
    frame: &'a DataFrame,
    path: Option<PathBuf>,
    index: bool,
    options: csv::WriteOptions,
}

impl CsvWriter<'_> {
    /// All options at once.
    pub fn options(self, options: csv::WriteOptions) -> Self {
        Self { options, ..self }
    }

    /// The byte between fields.
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.options.separator = delimiter;
        self
    }

    /// Whether row labels are written.
    pub fn index(mut self, index: bool) -> Self {
        self.index = index;
        self
    }

    /// Writes the file, or gives the text where there is none; see [`csv::write_csv`] for how it fails.
    pub fn finish(self) -> Result<Option<String>> {
        super::csv_text(self.frame, self.path.as_deref(), self.index, &self.options)
    }
}

/// A Parquet file to which frames are written below each other; it appears whole when it is finished, or not at all.
pub struct ParquetAppender {
    path: PathBuf,
    index: bool,
    options: parquet::WriteOptions,
    writer: Option<parquet::ChunkedWriter>,
}

impl ParquetAppender {
    /// A file at `path`, of which nothing is there yet, with row labels if `index` is true.
    pub fn new(path: impl Into<PathBuf>, index: bool, options: parquet::WriteOptions) -> Self {
        Self { path: path.into(), index, options, writer: None }
    }

    /// Writes a frame below the others; see [`parquet::ChunkedWriter::write`] for how it fails.
    pub fn write(&mut self, frame: &DataFrame) -> Result<()> {
        super::parquet_rows(frame, &self.path, self.index, &self.options, &mut self.writer)
    }

    /// Ends the file; see [`parquet::ChunkedWriter::finish`] for how it fails.
    pub fn finish(self) -> Result<()> {
        match self.writer {
            Some(writer) => writer.finish(),
            None => Err(Error::invalid_argument(format!("{}: no frame was written", self.path.display()))),
        }
    }
}

/// Builders of files of formats that know types, which differ in nothing but the format.
macro_rules! writers {
    ($($(#[$doc:meta])* $name:ident: $format:ident, $unit:literal, $see:literal, $write:ident;)*) => {$(
        $(#[$doc])*
        /// [`finish`](Self::finish) writes it.
        #[derive(Clone, Debug)]
        #[must_use = "`finish` writes the file"]
        pub struct $name<'a> {
            frame: &'a DataFrame,
            path: PathBuf,
            index: bool,
            options: $format::WriteOptions,
        }

        impl $name<'_> {
            /// All options at once.
            pub fn options(self, options: $format::WriteOptions) -> Self {
                Self { options, ..self }
            }

            #[doc = concat!("Compression of the ", $unit, ".")]
            pub fn compression(mut self, compression: $format::Compression) -> Self {
                self.options.compression = compression;
                self
            }

            /// Whether row labels are written.
            pub fn index(mut self, index: bool) -> Self {
                self.index = index;
                self
            }

            #[doc = concat!("Writes the file; see [`", $see, "`] for how it fails.")]
            pub fn finish(self) -> Result<()> {
                super::$write(self.frame, &self.path, self.index, &self.options)
            }
        }
    )*};
}

writers! {
    /// How a Parquet file is written: with row labels, compressed with Snappy, unless said otherwise.
    ParquetWriter: parquet, "columns", "parquet::write_parquet", parquet_file;
    /// How an Arrow IPC file is written: with row labels, compressed with LZ4, unless said otherwise.
    FeatherWriter: feather, "buffers", "feather::write_feather", feather_file;
    /// How an ORC file is written: with row labels, compressed with Snappy, unless said otherwise.
    OrcWriter: orc, "streams", "orc::write_orc", orc_file;
    /// How an Avro file is written: with row labels, compressed with Snappy, unless said otherwise.
    AvroWriter: avro, "blocks", "avro::write_avro", avro_file;
}
