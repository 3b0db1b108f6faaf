//! Errors of partition maps.

use cuprum_column::{Column, Error, Result, ResultExt};

/// The result made for every partition; where it fails, the message says that they are too many.
pub(super) fn many_partitions<T>(num_partitions: usize, made: Result<T>) -> Result<T> {
    made.context(|| format!("`num_partitions` is {num_partitions}"))
}

pub(super) fn outside(map: &Column, row: usize, num_partitions: u32) -> Result<Error> {
    let value = map.get(row)?;
    Ok(Error::out_of_range(format!(
        "`partition_map` has {value} at row {row}; there are {num_partitions} partitions"
    )))
}
