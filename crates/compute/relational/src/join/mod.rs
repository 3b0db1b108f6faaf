//! Pairs of rows with equal keys.
//!
//! A join gives two columns of row numbers, the gather maps of its result: row `i` of the result is
//! row `left[i]` of the left table beside row `right[i]` of the right one. A side without a partner
//! has −1, which [`gather`](cuprum_elementwise::copying) with `Nullify` turns into a row of nulls.
//!
//! ```
//! # use cuprum_relational as cuprum_compute;
//! use cuprum_column::{Column, Context, Table};
//! use cuprum_compute::join::{JoinKind, join};
//!
//! let ctx = &Context::current();
//! let left = Table::new(vec![Column::from_slice(&[1i64, 2, 3], ctx)?])?;
//! let right = Table::new(vec![Column::from_slice(&[3i64, 1, 1], ctx)?])?;
//! let (l, r) = join(&left, &right, JoinKind::Left, true, ctx)?;
//! assert_eq!(l.view()?.values::<i32>()?, [0, 0, 1, 2]);
//! assert_eq!(r.view()?.values::<i32>()?, [1, 2, -1, 0]);
//! # Ok::<(), cuprum_column::Error>(())
//! ```

mod build;
mod cpu;
pub mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::{Transform, transform};

use cuprum_keys::order::cuda::numbers_column;

/// Which rows a join gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// The pairs of rows with equal keys.
    Inner,
    /// Those, and left rows without a partner.
    Left,
    /// Those, and right rows without a partner, after all others.
    Full,
    /// Left rows with a partner, once each.
    LeftSemi,
    /// Left rows without a partner.
    LeftAnti,
}

/// The gather maps (left, right) of a join of two tables on all their columns, by position.
///
/// Order: left rows in order, and for each the right rows with equal keys in order; with `Full`,
/// the right rows without a partner follow in order, with −1 on the left. Left rows without a
/// partner have −1 on the right. For `LeftSemi` and `LeftAnti` the right map is empty. The maps are
/// `Int32` where the rows of both tables fit it, else `Int64`; they have no nulls.
///
/// −0.0 is equal to 0.0. With `nulls_equal` every missing value (null or NaN) is equal to every
/// other, as in pandas; without it a row with a missing key has no partner.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) where the types of keys differ, with
/// [`Logic`](crate::ErrorKind::Logic) where their number does, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where there are no keys, with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more in both tables, and with
/// [`Overflow`](crate::ErrorKind::Overflow) or [`OutOfMemory`](crate::ErrorKind::OutOfMemory) where
/// there are too many pairs.
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_elementwise::copying;
/// #     pub use cuprum_relational::join;
/// # }
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
/// use cuprum_compute::join::{JoinKind, join};
///
/// let ctx = Context::current();
/// let left = Table::new(vec![Column::from_slice(&[3, 1, 7], &ctx)?])?;
/// let right = Table::new(vec![Column::from_slice(&[1, 3, 3], &ctx)?])?;
/// let (l, r) = join(&left, &right, JoinKind::Left, false, &ctx)?;
/// assert_eq!(l.view()?.values::<i32>()?, [0, 0, 1, 2]);
/// assert_eq!(r.view()?.values::<i32>()?, [1, 2, 0, -1]);
/// // Rows without a partner become null.
/// let names = Column::from_strs(&["one", "three", "drei"], &ctx)?;
/// assert!(gather_column(&names, &r, OutOfBoundsPolicy::Nullify, &ctx)?.get(3)?.is_null());
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn join(
    left: &Table,
    right: &Table,
    kind: JoinKind,
    nulls_equal: bool,
    ctx: &Context,
) -> Result<(Column, Column)> {
    func_range!(c"join.join");
    check_device!(ctx, [left, right]);
    if left.num_columns() == 0 || right.num_columns() == 0 {
        return Err(Error::invalid_argument(format!(
            "a join needs keys; the left table has {} columns, the right one {}",
            left.num_columns(),
            right.num_columns()
        )));
    }
    on_device!(
        ctx,
        cpu::join(left, right, kind, nulls_equal, (None, None), ctx),
        cuda::join(left, right, kind, nulls_equal, ctx)
    )
}

/// The gather maps (left, right) of all pairs of rows: for each left row all right rows, in order.
///
/// `Int32` where the rows of both sides fit it, else `Int64`. Fails with
/// [`Overflow`](crate::ErrorKind::Overflow) or [`OutOfMemory`](crate::ErrorKind::OutOfMemory) where
/// there are too many pairs.
pub fn cross_join(left_rows: usize, right_rows: usize, ctx: &Context) -> Result<(Column, Column)> {
    func_range!(c"join.cross_join");
    check_device!(ctx, []);
    let pairs = left_rows
        .checked_mul(right_rows)
        .ok_or_else(|| Error::overflow(format!("{left_rows} × {right_rows} pairs of rows")))?;
    on_device!(ctx, cross_join(pairs, left_rows, right_rows))
}

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
fn empty_map(rows: usize) -> Column {
    Column::empty(if i32::try_from(rows).is_ok() { DataType::Int32 } else { DataType::Int64 })
}
