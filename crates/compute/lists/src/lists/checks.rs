//! Checks of columns of lists.

use cuprum_column::{Column, DataType, Error, Result};

/// Fails with `DataType` unless the column called `name` is of lists.
pub(super) fn check_lists(name: &str, column: &Column) -> Result<()> {
    if column.data_type() == DataType::List {
        return Ok(());
    }
    Err(Error::data_type(format!("`{name}` must hold lists, not {}", column.data_type())))
}

/// Fails with `Logic` unless two columns have as many rows.
pub(super) fn check_rows(name: &str, column: &Column, other: &str, expected: &Column) -> Result<()> {
    if column.len() == expected.len() {
        return Ok(());
    }
    Err(Error::logic(format!("`{name}` has {} rows, `{other}` has {}", column.len(), expected.len())))
}
