//! Reading and writing CSV.
//!
//! # Reading
//! [`read_csv`] follows pandas 3 (`read_csv`, C engine), with three differences: missing values are
//! nulls, so integer and boolean columns keep their type; nothing is taken as the row index; and a
//! whole number that fits no 64-bit type makes the column strings (floats if it holds floats).
//!
//! **The grammar.** Fields are separated by one byte, records by `\n`, `\r\n` or `\r`. A field that
//! starts with the quote goes on to the next single quote; a doubled quote stands for one; line ends
//! and separators inside are text. A UTF-8 byte order mark is passed over. A record with fewer
//! fields than there are columns ends in empty fields; one with more is an error. `usecols` drops what
//! is too much, but not in the first record: there it may mean that the names are those of other fields.
//!
//! **The types.** The type of a column is what all of its fields are: `int64`, else `uint64`, else
//! `float64`, else `bool` (`True`, `TRUE`, `true` and the false ones), else `str`. The fields that are
//! missing values do not count; a column of nothing else is `float64`; a column without rows `str`.
//! Blanks around numbers do not matter. The type does not depend on where in the file a field is.
//!
//! **Other dialects**, in which blanks separate, fields are escaped or lines are skipped by number, are written as plain
//! ones first ([`plain_text`]), at 500 to 1000 MB a second, faster than a thread parses.
//!
//! **Dates** are only looked for in the columns that `parse_dates` names: ISO 8601, year first, with
//! an optional time, fraction and offset, which is converted to UTC. The unit is microseconds, or
//! nanoseconds when any field has more than six digits of fraction.
//!
//! # How
//! The text is cut into chunks at line ends that lie outside quotes if the number of quotes before
//! them is a guide; every chunk is parsed by one thread straight into its place in the columns, and
//! a chunk whose start proves wrong (a stray quote before it) is parsed again. Types are guessed
//! from a sample; a column whose guess proves wrong is parsed again.

mod assemble;
mod chunk;
mod date;
mod format;
mod header;
mod infer;
mod number;
mod plain;
mod read;
mod scan;
mod split;
mod tokens;
mod words;
mod write;

pub(crate) use date::civil_from_days;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod write_tests;

use std::path::Path;

use cuprum_column::{Context, DataType, Error, Result, Table};
use cuprum_runtime::nvtx::func_range;

pub use crate::source::{Compression, Source};
pub use plain::{BadLine, OtherDialect, Passed, PlainText, TooMany, plain_text};
pub use words::DEFAULT_NA_VALUES;

use crate::NamedTable;

/// A column, by name or by position in the file (from 0).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnRef {
    /// By name, as it is after duplicates have been renamed.
    Name(String),
    /// By position.
    Position(usize),
}

impl From<&str> for ColumnRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_string())
    }
}

impl From<usize> for ColumnRef {
    fn from(position: usize) -> Self {
        Self::Position(position)
    }
}

/// Where the names of the columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// In the first record, unless `names` are given.
    #[default]
    Infer,
    /// In the record of this number, from 0, blank lines and comments not counted; what is before it
    /// is dropped.
    Row(usize),
    /// Nowhere: the columns are named by their positions ("0", "1", …) unless `names` are given.
    None,
}

/// What a CSV file holds.
#[derive(Clone, Debug)]
pub struct Content {
    /// The columns and their names.
    pub data: NamedTable,
    /// How many minutes the clock of every column's times is ahead of UTC, where a column of `parse_dates` says
    /// so; the times themselves are those of UTC. `None` for other columns.
    pub offsets: Vec<Option<i16>>,
}

/// How to read CSV. The default is pandas'.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The byte between fields: ASCII, not a letter, digit, `+`, `-` or `.`.
    pub separator: u8,
    /// The byte around quoted fields: as the separator.
    pub quote: u8,
    /// Where the names are.
    pub header: Header,
    /// Names instead of those in the file. Fewer than the fields of a record is an error.
    pub names: Option<Vec<String>>,
    /// The columns to read, in the order of the file whatever the order here; all without it.
    pub usecols: Option<Vec<ColumnRef>>,
    /// Whether fields beyond the last column are dropped: those that the first record has, and as many in the
    /// others. With `usecols` they are dropped in all records, but not in the first without this.
    pub drop_extra_fields: bool,
    /// How many fields the first record has, where the text is a piece that others come before.
    pub most_fields: Option<usize>,
    /// Types of single columns. Integers may be written `1.0`, booleans `1` and `0`; timestamps as
    /// with `parse_dates`, in the given unit, rounded down.
    pub dtype: Vec<(ColumnRef, DataType)>,
    /// The type of every column that `dtype` and `parse_dates` do not name.
    pub dtype_all: Option<DataType>,
    /// More strings that mean a missing value. One that is a number is also missing where a float
    /// column has that number in another spelling.
    pub na_values: Vec<String>,
    /// Whether [`DEFAULT_NA_VALUES`] mean missing values.
    pub keep_default_na: bool,
    /// All strings that mean a missing value in single columns, which heed neither `na_values` nor
    /// `keep_default_na`.
    pub na_values_of: Vec<(ColumnRef, Vec<String>)>,
    /// The columns that are dates.
    pub parse_dates: Vec<ColumnRef>,
    /// At most this many rows are read. Of a plain file, only about as much as that takes.
    pub nrows: Option<usize>,
    /// This many lines at the start are passed over.
    pub skiprows: usize,
    /// A byte that, outside quotes, makes the rest of the line a comment.
    pub comment: Option<u8>,
    /// Whether lines of nothing but blanks are passed over rather than being a row of nulls.
    pub skip_blank_lines: bool,
    /// A byte between the digits of numbers that has no meaning.
    pub thousands: Option<u8>,
    /// The byte between whole digits and fraction.
    pub decimal: u8,
    /// More strings that are true.
    pub true_values: Vec<String>,
    /// More strings that are false.
    pub false_values: Vec<String>,
    /// How the file is compressed.
    pub compression: Compression,
    /// Bytes of the text that a thread parses at a time, at most; the result never depends on it.
    pub chunk_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            separator: b',',
            quote: b'"',
            header: Header::Infer,
            names: None,
            usecols: None,
            drop_extra_fields: false,
            most_fields: None,
            dtype: Vec::new(),
            dtype_all: None,
            na_values: Vec::new(),
            keep_default_na: true,
            na_values_of: Vec::new(),
            parse_dates: Vec::new(),
            nrows: None,
            skiprows: 0,
            comment: None,
            skip_blank_lines: true,
            thousands: None,
            decimal: b'.',
            true_values: Vec::new(),
            false_values: Vec::new(),
            compression: Compression::Infer,
            chunk_bytes: 1 << 20,
        }
    }
}

impl ReadOptions {
    fn validate(&self) -> Result<()> {
        let bytes = [
            ("separator", Some(self.separator)),
            ("quote", Some(self.quote)),
            ("comment", self.comment),
            ("thousands", self.thousands),
            ("decimal", Some(self.decimal)),
        ];
        for (i, &(name, byte)) in bytes.iter().enumerate() {
            let Some(byte) = byte else { continue };
            let shown = char::from(byte).escape_default();
            let number_part = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-');
            let point = byte == b'.' && name != "decimal" && name != "thousands";
            if !byte.is_ascii() || matches!(byte, b'\n' | b'\r' | 0) || number_part || point {
                return Err(Error::invalid_argument(format!("`{name}` cannot be '{shown}'")));
            }
            // A separator may also be the mark of thousands: such numbers are then quoted.
            for &(other, taken) in &bytes[..i] {
                if taken == Some(byte) && !(name == "thousands" && other == "separator") {
                    return Err(Error::invalid_argument(format!(
                        "`{name}` and `{other}` are both '{shown}'"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Reads CSV text into a table. Rows are in the order of the file. Times with an offset become those of UTC.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be read.
/// - [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound): `usecols`, `dtype`, `na_values_of` or `parse_dates`
///   name a column that is not there; the message offers the closest name.
///   [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) for positions.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), with the line: no columns, too
///   many fields, a quoted field that does not end, a byte that is not UTF-8, a field that does not
///   fit the declared type; damaged gzip or zip data. Without a line: times of several offsets, or of one and of
///   none, in a column of `parse_dates`.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): durations in `dtype`, other compressions.
pub fn read_csv(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    func_range!(c"csv.read_csv");
    options.validate()?;
    read::read(source, options, ctx)
}

/// The fields of the line of names as they are in the file: empty ones are empty, and a name may be there twice.
/// None where `header` says that there is no such line.
///
/// # Errors
/// As [`read_csv`], as far as these fields go.
pub fn header_fields(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Vec<String>> {
    func_range!(c"csv.header_fields");
    options.validate()?;
    read::header_fields(source, options, ctx)
}

/// Where the first `records` records of a text without a header end: behind their line ends, blank lines and
/// comments between them not counted. `None` where the text has fewer, or the last may go on behind it.
/// Separator, quote, comment and blank lines are as the options say.
///
/// For reading a text in pieces whose rows are counted before.
///
/// # Errors
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for options that cannot be.
pub fn end_of_records(text: &[u8], records: usize, options: &ReadOptions) -> Result<Option<usize>> {
    options.validate()?;
    Ok(read::end_of_records(text, records, options))
}

/// Which fields are quoted when written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quoting {
    /// Those that hold a separator, a quote or a line end (and an empty string that is the only
    /// field of its record, which would be a blank line).
    #[default]
    Minimal,
    /// All.
    All,
    /// All but numbers.
    NonNumeric,
    /// None: what would need quotes is escaped.
    Never,
}

/// How to write CSV. The default is pandas', without the index.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// The byte between fields.
    pub separator: u8,
    /// Whether the header comes first.
    pub header: bool,
    /// What is written for nulls and NaN.
    pub na_rep: String,
    /// The byte around quoted fields.
    pub quote: u8,
    /// Whether a quote inside a quoted field is doubled; else it is escaped.
    pub double_quote: bool,
    /// The byte before what is escaped: as the separator. Escapes themselves are then escaped too.
    pub escape: Option<u8>,
    /// Which fields are quoted.
    pub quoting: Quoting,
    /// What ends a record.
    pub line_terminator: String,
    /// Digits after the decimal point; the shortest text that reads back the same without it.
    pub float_decimals: Option<usize>,
    /// The byte between whole digits and fraction.
    pub decimal: u8,
    /// How the file is compressed; `Infer` goes by the ending of the path. Text that is returned is
    /// never compressed.
    pub compression: Compression,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            separator: b',',
            header: true,
            na_rep: String::new(),
            quote: b'"',
            double_quote: true,
            escape: None,
            quoting: Quoting::Minimal,
            line_terminator: "\n".to_string(),
            float_decimals: None,
            decimal: b'.',
            compression: Compression::Infer,
        }
    }
}

/// Writes a table as CSV text, to a file or, without a target, to the string that is returned. The header
/// is a record of names, or one for each level of hierarchical ones.
///
/// Floats are written in the shortest form that reads back the same (`1.0`, `1e-07`), booleans as
/// `True` and `False`, timestamps as `2024-03-01` where every one of the column is at midnight, else
/// as `2024-03-01 12:30:15` with 3, 6 or 9 digits of fraction where the column needs them; durations
/// as pandas prints them (`1 days 02:03:04`). A file appears whole or not at all.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be written.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): a header and columns differ in
///   number, separator and quote are not usable, there are too many decimals, or something must be escaped and
///   there is no escape.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): writing zip archives.
pub fn write_csv(
    table: &Table,
    header: &[Vec<String>],
    target: Option<&Path>,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<Option<String>> {
    func_range!(c"csv.write_csv");
    if let Some(names) = header.iter().find(|names| names.len() != table.num_columns()) {
        return Err(Error::invalid_argument(format!(
            "`header` has {} names for {} columns",
            names.len(),
            table.num_columns()
        )));
    }
    if let Some(decimals) = options.float_decimals.filter(|&decimals| u16::try_from(decimals).is_err()) {
        return Err(Error::invalid_argument(format!(
            "`float_decimals` is {decimals}; at most {} can be written",
            u16::MAX
        )));
    }
    write::write(table, header, target, options, ctx)
}
