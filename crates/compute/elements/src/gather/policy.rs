//! Row numbers outside of a table.

use cuprum_column::Error;

/// Treatments of row numbers outside of a gathered table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfBoundsPolicy {
    /// A row number outside the input gives a null row.
    Nullify,
    /// A row number outside the input is an [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) error.
    Check,
}

pub(crate) fn outside_error(position: usize, row: String, num_rows: usize) -> Error {
    Error::out_of_range(format!("`map` has row {row} at position {position}; there are {num_rows} rows"))
}
