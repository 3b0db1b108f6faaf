//! Gather maps of joins.

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_keys::order::cuda::numbers_column;
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::{Transform, transform};

/// A gather map with the smallest number where it is negative: what stands for no row where −1 is the last row of
/// a table.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) where it is not of `Int32` or `Int64`.
pub fn unmatched_as_minimum(map: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"join.unmatched_as_minimum");
    check_device!(ctx, [map]);
    let Some(data) = map.data() else { return Ok(map.clone()) };
    let rows = map.offset()..map.offset() + map.len();
    match map.data_type() {
        DataType::Int32 => {
            let least = Transform {
                expression: "x < 0 ? i32(1u << 31) : x",
                function: |row: i32| if row < 0 { i32::MIN } else { row },
            };
            numbers_column(DataType::Int32, transform(&data.span::<i32>()?.slice(rows)?, &least, ctx)?)
        }
        DataType::Int64 => {
            let least = Transform {
                expression: "x < 0 ? i64(1ull << 63) : x",
                function: |row: i64| if row < 0 { i64::MIN } else { row },
            };
            numbers_column(DataType::Int64, transform(&data.span::<i64>()?.slice(rows)?, &least, ctx)?)
        }
        other => Err(Error::data_type(format!("`map` is of type {other}, not of row numbers"))),
    }
}

/// An empty gather map.
pub(super) fn empty_map(rows: usize) -> Column {
    Column::empty(if i32::try_from(rows).is_ok() { DataType::Int32 } else { DataType::Int64 })
}
