//! Conversion between strings and other types.

use cuprum_column::{Column, Context, DataType, Error, Result};

/// Parses every row; not available in this build.
pub fn from_strings(_column: &Column, to: DataType, _ctx: &Context) -> Result<Column> {
    Err(Error::unsupported(format!("parsing strings as {to}")))
}

/// Prints every row; not available in this build.
pub fn to_strings(column: &Column, _ctx: &Context) -> Result<Column> {
    Err(Error::unsupported(format!("printing {} as strings", column.data_type())))
}
