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
mod dialect;
mod format;
mod header;
mod infer;
mod number;
mod options;
mod read;
mod record_chunks;
mod scan;
mod tokens;
mod words;
mod write;

pub(crate) use date::civil_from_days;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod write_tests;

use std::path::Path;

use cuprum_column::{Context, Error, Result, Table};
use cuprum_runtime::nvtx::func_range;

pub use crate::source::{Compression, Source};
pub use dialect::{BadLine, OtherDialect, Passed, PlainText, TooMany, plain_text};
pub use words::DEFAULT_NA_VALUES;

pub use options::{ColumnRef, Content, Header, Quoting, ReadOptions, WriteOptions};

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

/// The end of the first `records` records of a text without a header: behind their line ends, blank lines and
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
