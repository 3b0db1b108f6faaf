//! Reading JSON, documents and JSON Lines, and writing records.
//!
//! The schema is inferred over all values, nested ones become lists and structs. Lines are parsed in parallel.
//! The `jiter` crate reads the text; values go straight into columns.
//!
//! | JSON | here |
//! |---|---|
//! | `true`, `false` | `Bool8` |
//! | integers | `Int64`, `UInt64` where some are beyond it and none is negative |
//! | numbers with a point or an exponent, also among integers | `Float64`, exactly rounded |
//! | strings | `String` |
//! | arrays | lists |
//! | objects | structs of all keys that occur; a key that is not there is null |
//! | `null` | null |
//!
//! Whatever else meets in one place (a string and a number, a number and a truth value, a list and an object,
//! integers that no type has all of) is refused with its line and column, or read as text where that is asked
//! for.

mod alike;
mod assemble;
mod columns;
mod document;
mod lines;
mod parse;
mod rows;
mod values;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Error, Result, Table, TimeUnit};
use cuprum_runtime::nvtx::func_range;

use crate::source::Compression;
use crate::{Content, Source};

/// How a document is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// `[{column: value, …}, …]`, `[[value, …], …]`, `[value, …]`, or an object of columns, each of which is
    /// `{row: value, …}` or `[value, …]`.
    #[default]
    Columns,
    /// `{row: {column: value, …}, …}`.
    Index,
    /// `{"columns": […], "index": […], "data": [[value, …], …]}`.
    Split,
    /// One column: `[value, …]` or `{row: value, …}`.
    Series,
    /// One column: `{"name": …, "index": […], "data": […]}`.
    SplitSeries,
}

/// What to read, and how. The default is a document of columns or records.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// How the document is laid out; of no meaning for lines.
    pub layout: Layout,
    /// A value on every line. Blank lines are passed over.
    pub lines: bool,
    /// At most this many lines; for lines only.
    pub nrows: Option<usize>,
    /// Columns of unlike values are read as texts: strings as they are, all else as it stands in the file.
    pub mixed_as_text: bool,
    /// How the text is compressed.
    pub compression: Compression,
}

/// How to write records. The default is pandas'.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct WriteOptions {
    /// A record on every line, rather than an array of records.
    pub lines: bool,
    /// At most so many digits of floats behind the point, up to 15.
    pub decimals: u8,
    /// Times as text in the notation of ISO 8601, rather than as numbers since 1970.
    pub iso: bool,
    /// What times count.
    pub unit: TimeUnit,
    /// Characters beyond ASCII are escaped.
    pub ascii: bool,
    /// Members that are null are written; else they are left out.
    pub nulls: bool,
    /// How the file is compressed; `Infer` goes by the ending of the path. Text that is returned is never
    /// compressed.
    pub compression: Compression,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            lines: false,
            decimals: 10,
            iso: false,
            unit: TimeUnit::Milliseconds,
            ascii: true,
            nulls: true,
            compression: Compression::Infer,
        }
    }
}

/// [`write_json_with`] of columns that have names and nothing else to be told.
pub fn write_json(
    table: &Table,
    names: &[String],
    target: Option<&Path>,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<Option<String>> {
    func_range!(c"json.write_json");
    let columns: Vec<ColumnMetadata> = names.iter().map(ColumnMetadata::named).collect();
    write_json_with(table, &columns, target, options, ctx)
}

/// Writes a table as JSON records, `{name: value, …}`, to a file or, without a target, to the string that is
/// returned. Lists are arrays and structs objects, whose names the metadata have. The text is that of pandas, but
/// integers and booleans stay what they are beside nulls. Nulls, NaN and infinities are `null`. A file appears whole or not at all.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be written.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): names and columns differ in number, more
///   than 15 decimals, a unit of days.
/// - [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange): a time does not fit the unit.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): columns that are not numbers, booleans, strings or
///   timestamps, or lists and structs of these; writing zip archives.
pub fn write_json_with(
    table: &Table,
    columns: &[ColumnMetadata],
    target: Option<&Path>,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<Option<String>> {
    func_range!(c"json.write_json_with");
    if columns.len() != table.num_columns() {
        return Err(Error::invalid_argument(format!(
            "{} names for {} columns",
            columns.len(),
            table.num_columns()
        )));
    }
    if options.decimals > 15 {
        return Err(Error::invalid_argument(format!("`decimals` is {}; at most 15", options.decimals)));
    }
    if options.unit == TimeUnit::Days {
        return Err(Error::invalid_argument("`unit` of times cannot be days"));
    }
    write::write(table, columns, target, options, ctx)
}

/// What a JSON text holds.
#[derive(Clone, Debug)]
pub struct JsonContent {
    /// The columns and their names.
    pub content: Content,
    /// The labels of the rows, where the text has them.
    pub index: Option<Content>,
    /// What the columns are called, where the text has a list of that.
    pub names: Option<Content>,
    /// Whether columns have no names but are numbered.
    pub numbered: bool,
}

/// Reads JSON. Rows are in the order in which their labels first occur.
///
/// # Errors
/// - [`Io`](cuprum_column::ErrorKind::Io): the file cannot be read.
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): it is not JSON, has not the layout, or
///   unlike values; the message has line and column. `nrows` without `lines`.
/// - [`Overflow`](cuprum_column::ErrorKind::Overflow): a number that is no `Int64`, `UInt64` or `Float64`.
pub fn read_json(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<JsonContent> {
    func_range!(c"json.read_json");
    document::read(source, options, ctx)
}

/// Whether `text` is one JSON value and nothing else (RFC 8259), nested at most 200 deep.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), which has line and column.
pub fn check(text: &[u8]) -> Result<()> {
    parse::check(text)
}
