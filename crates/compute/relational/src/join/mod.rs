//! Pairs of rows with equal keys; in [`conditional`] those for which a formula is true.
//!
//! A join gives two columns of row numbers, the gather maps of its result: row `i` of the result is
//! row `left[i]` of the left table with row `right[i]` of the right one. A side without a partner
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

pub mod conditional;
mod cpu;
pub mod cuda;
mod gather_maps;
mod hash_table;
mod options;
mod pieces;
#[cfg(test)]
mod pieces_tests;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_keys::equality::row_limit::most_rows;
pub use gather_maps::unmatched_as_minimum;
pub use options::JoinKind;

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
/// [`Unsupported`](crate::ErrorKind::Unsupported) where the right table of a `LeftSemi` or `LeftAnti` join has
/// nearly 2³² distinct keys, and with
/// [`Overflow`](crate::ErrorKind::Overflow) or [`OutOfMemory`](crate::ErrorKind::OutOfMemory) where
/// there are too many pairs. Tables of 2³² − 1 rows or more together are joined in pieces.
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
    if left.num_rows().saturating_add(right.num_rows()) > most_rows() {
        return pieces::join(left, right, kind, nulls_equal, ctx);
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
