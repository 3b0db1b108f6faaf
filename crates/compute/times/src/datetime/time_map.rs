//! Times of rows: each row becomes a time, or has none, or is refused.
//!
//! On a GPU all functions that make times of numbers are kernels of one source over one loop (`map_times.cu`); the first
//! row that is refused is found by an atomic minimum. What its error says the host finds out, from that row alone.

mod cpu;
pub(crate) mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Native, Result, dispatch_storage};

pub(super) use cpu::map_times;

/// The values of an integer column in host memory as 64 bits; those that do not fit saturate.
pub(super) fn integers(column: &Column, ctx: &Context) -> Result<HostUVec<i64>> {
    let view = column.view()?;
    if column.data_type() == DataType::UInt64 {
        let values = view.values::<u64>()?;
        return HostUVec::from_fn(values.len(), ctx, |i| i64::try_from(values[i]).unwrap_or(i64::MAX));
    }
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        HostUVec::from_fn(values.len(), ctx, |i| values[i].as_i64())
    }, else => Err(Error::data_type(format!("expected integers, found {}", column.data_type()))))
}

/// [`integers`] of one row of a column on any device.
pub(super) fn integer_at(column: &Column, row: usize) -> Result<i64> {
    let row = column.slice(row, 1)?.to_host()?;
    Ok(integers(&row, &row.context()?)?[0])
}
