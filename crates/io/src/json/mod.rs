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
mod options;
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

use crate::Source;
pub use options::{JsonContent, Layout, ReadOptions, WriteOptions};

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
