//! Sorting rows: order, sort, top rows, ranks.
//!
//! Every key column is turned into unsigned integers whose order is the order asked for (the order,
//! the place of missing values and −0.0 = 0.0 are all folded in), and the range of every column
//! is compressed to the bits it needs. Columns are packed side by side into 64-bit words, so that
//! most sorts, by however many columns, are sorts of one `u64` per row:
//!
//! ```text
//! key columns ──keys.rs──▶ words of u64 ──partition.rs──▶ buckets that fit the cache
//!                                                              │ bucket.rs: radix passes on the
//!              row numbers / rows  ◀──order.rs, carry.rs──     ▼ leading bits, insertion repair
//! ```
//!
//! Rows that tie on the first word are ordered by the words after it, and by whole strings. Columns of few different
//! texts are sorted by the ranks of these (`ranked_texts.rs`).
//!
//! A GPU makes the same words in one kernel, sorts row numbers by the first of them and puts rows that tie in order
//! by whole keys (`order/cuda.rs`, `ties.rs`). Few rows are ordered by counting those before each. It is always
//! done in memory.
//!
//! **Order of values.** Integers, times and durations by value, `false` before `true`, strings by
//! their bytes (which is the order of code points), structs by their fields, the first field first, lists by their
//! elements, the first element first (a list with which another one begins comes before it), dictionaries by their
//! values. −0.0 equals 0.0. NaN is missing, like null.
//!
//! **Missing values** (null and NaN alike) come first or last in the *output* as [`NullOrder`] says,
//! whether the order is ascending or descending, and are equal among themselves.
//!
//! Tables whose sort would take more memory than [the budget](cuprum_runtime::spill::budget) are sorted by
//! parts of their rows (external.rs), with the same result.
//!
//! **Stability.** Rows with equal keys stay in the order of the input; the result does not depend on
//! the number of threads.

mod carry;
pub mod cuda;
mod external;
mod group_ranks;
mod options;
mod rank;
mod ranked_texts;
pub mod row_ranks;
pub mod segmented;
#[cfg(test)]
mod tests;
mod text_runs;
mod top;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::{Device, spill};

use crate::equality::row_limit::check_rows;
use crate::flatten;
use crate::order::cpu::sorted_rows;
use crate::order::cuda::DeviceKeys;
use crate::order::{self, flatten, prepare};
pub use crate::order::{NullOrder, Order};
pub use options::{MissingRank, RankMethod, RankOptions};
use ranked_texts::RankedKeys;
pub use segmented::segment_offsets;
pub use segmented::segmented_sorted_order;

/// The row numbers of `keys` in sorted order: row `i` of the sorted table is row `result[i]` of
/// the input.
///
/// The first column of `keys` is the most significant. `orders` has one [`Order`] per column, one
/// for all of them, or none (ascending). The sort is stable. The result is `Int32` while the row
/// count fits, `Int64` beyond, and has no nulls; for a table without columns it is `0, 1, …`.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) when `orders` has
/// another length.
///
/// ```
/// # use cuprum_keys as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
///
/// let ctx = Context::current();
/// let keys = Table::new(vec![Column::from_options(&[Some(30), None, Some(10)], &ctx)?])?;
/// let order = sorted_order(&keys, &[Order::Descending], NullOrder::First, &ctx)?;
/// assert_eq!(order.view()?.values::<i32>()?, [1, 0, 2]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn sorted_order(keys: &Table, orders: &[Order], nulls: NullOrder, ctx: &Context) -> Result<Column> {
    func_range!(c"sorting.sorted_order");
    check_device!(ctx, [keys]);
    on_device!(ctx, sorted_order_within(keys, orders, nulls, spill::budget(Device::Cpu), ctx), {
        let (keys, orders) = flatten(keys, orders, nulls, ctx)?;
        order::cuda::sorted_order(&keys, &orders, nulls, order::cuda::Tuning::DEFAULT, ctx)
    })
}

/// [`sorted_order`] in so many bytes of memory.
fn sorted_order_within(
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    budget: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    let (keys, orders) = &flatten(keys, orders, nulls, ctx)?;
    if let Some(rows_at_once) = external::rows_at_once(keys, &[], budget) {
        return external::sorted_order(keys, orders, nulls, rows_at_once, ctx);
    }
    let ranked = RankedKeys::new(keys, ctx)?;
    let keys = ranked.as_ref().map_or(&**keys, |ranked| &ranked.keys);
    let (len, views) = (keys.num_rows(), keys.views()?);
    let keys = prepare(&views, len, orders, nulls, ctx)?;
    sorted_rows::sorted_order(&keys, ctx)
}

/// The rows of `values` in the order of `keys`: row `i` of both tables belongs together.
///
/// See [`sorted_order`] for `orders`, `nulls` and stability. The columns of `values` keep their
/// types and their nulls; the keys may be among them.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) when the tables differ in rows, and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) when `orders` has another length.
///
/// ```
/// # use cuprum_keys as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::sorting::{NullOrder, sort_by_key};
///
/// let ctx = Context::current();
/// let names = Column::from_strs(&["b", "c", "a"], &ctx)?;
/// let table = Table::new(vec![names.clone(), Column::from_slice(&[2, 3, 1], &ctx)?])?;
/// let sorted = sort_by_key(&table, &Table::new(vec![names])?, &[], NullOrder::Last, &ctx)?;
/// assert_eq!(sorted.columns()[1].view()?.values::<i32>()?, [1, 2, 3]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn sort_by_key(
    values: &Table,
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Table> {
    func_range!(c"sorting.sort_by_key");
    check_device!(ctx, [values, keys]);
    if values.num_rows() != keys.num_rows() {
        let (values, keys) = (values.num_rows(), keys.num_rows());
        return Err(Error::logic(format!("`values` has {values} rows, `keys` has {keys}")));
    }
    on_device!(ctx, sort_by_key_within(values, keys, orders, nulls, spill::budget(Device::Cpu), ctx), {
        let (keys, orders) = flatten(keys, orders, nulls, ctx)?;
        cuda::sort_by_key(values, &keys, &orders, nulls, ctx)
    })
}

/// [`sort_by_key`] in so many bytes of memory.
fn sort_by_key_within(
    values: &Table,
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    budget: Option<usize>,
    ctx: &Context,
) -> Result<Table> {
    let (keys, orders) = &flatten(keys, orders, nulls, ctx)?;
    if let Some(rows_at_once) = external::rows_at_once(keys, values.columns(), budget) {
        return external::sort_by_key(values, keys, orders, nulls, rows_at_once, ctx);
    }
    if let Some(ranked) = RankedKeys::new(keys, ctx)? {
        return ranked.sort(values, orders, nulls, ctx);
    }
    let views = keys.views()?;
    let prepared = prepare(&views, keys.num_rows(), orders, nulls, ctx)?;
    carry::sort_by_key(values, keys, &prepared, ctx)
}

/// Whether the rows of `keys` are sorted already: no row comes before its predecessor in the order
/// that [`sorted_order`] makes with the same arguments. Fails as that does.
pub fn is_sorted(keys: &Table, orders: &[Order], nulls: NullOrder, ctx: &Context) -> Result<bool> {
    func_range!(c"sorting.is_sorted");
    check_device!(ctx, [keys]);
    let (keys, orders) = &flatten(keys, orders, nulls, ctx)?;
    if ctx.is_on_gpu() {
        return order::cuda::is_sorted(&DeviceKeys::new(keys, orders, nulls, ctx)?, ctx);
    }
    // Most tables show disorder at once: their first rows show it before the range of all keys is found.
    if keys.num_rows() > FIRST_ROWS && !is_sorted(&keys.slice(0, FIRST_ROWS)?, orders, nulls, ctx)? {
        return Ok(false);
    }
    let (len, views) = (keys.num_rows(), keys.views()?);
    let keys = prepare(&views, len, orders, nulls, ctx)?;
    sorted_rows::is_sorted(&keys, ctx)
}

/// The number of rows that [`is_sorted`] looks at before all.
const FIRST_ROWS: usize = 1024;

/// The row numbers of the `k` largest (`Descending`) or smallest (`Ascending`) values, best first;
/// equal values in the order of their rows.
///
/// Nulls and NaN are left out, so the result may be shorter than `k`. `Int32` while the row count
/// fits, `Int64` beyond; no nulls. Takes one pass over the column unless `k` is a large part of it.
pub fn top_k(column: &Column, k: usize, order: Order, ctx: &Context) -> Result<Column> {
    func_range!(c"sorting.top_k");
    check_device!(ctx, [column]);
    let leaves = flatten::leaves(column, NullOrder::Last.of_elements(order), ctx)?;
    if ctx.is_on_gpu() {
        return cuda::top_k(&Table::with_rows(leaves, column.len())?, k, order, ctx);
    }
    let views = leaves.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let keys = prepare(&views, column.len(), &[order], NullOrder::Last, ctx)?;
    top::top_k(&keys, k, ctx)
}

/// The rank of every element, from 1, as `Float64`: its place in the order of all elements. Missing elements
/// (null and NaN alike) have the rank that the options say; null for none.
///
/// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for 2³² − 1 rows or more.
///
/// ```
/// # use cuprum_keys as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::sorting::{RankOptions, rank};
///
/// let ctx = Context::current();
/// let column = Column::from_slice(&[30, 10, 10], &ctx)?;
/// let ranks = rank(&column, RankOptions::default(), &ctx)?;
/// assert_eq!(ranks.view()?.values::<f64>()?, [3.0, 1.5, 1.5]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn rank(column: &Column, options: RankOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"sorting.rank");
    check_device!(ctx, [column]);
    check_rows("ranks", column.len())?;
    on_device!(ctx, rank::rank(column, None, options, ctx), cuda::rank(column, options, ctx))
}

/// [`rank`] of every element among those of its row, equal ones from left to right: a column of ranks for each column.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns of several types and for those without a
/// fixed width.
///
/// ```
/// # use cuprum_keys as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::sorting::{RankOptions, rank_rows};
///
/// let ctx = Context::current();
/// let columns = vec![Column::from_slice(&[30, 10], &ctx)?, Column::from_slice(&[20, 10], &ctx)?];
/// let ranks = rank_rows(&Table::new(columns)?, RankOptions::default(), &ctx)?;
/// assert_eq!(ranks.columns()[0].view()?.values::<f64>()?, [2.0, 1.5]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn rank_rows(table: &Table, options: RankOptions, ctx: &Context) -> Result<Table> {
    func_range!(c"sorting.rank_rows");
    check_device!(ctx, [table]);
    row_ranks::rank_rows(table, options, ctx)
}

/// [`rank`] among the elements with the same number in `groups`, integers of 32 or 64 bits without nulls.
/// Elements with a negative number are in no group and have no rank.
///
/// Fails as [`rank`], with [`Logic`](cuprum_column::ErrorKind::Logic) where the columns differ in length,
/// with [`DataType`](cuprum_column::ErrorKind::DataType) for groups of other types and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for nulls among them.
pub fn rank_within(column: &Column, groups: &Column, options: RankOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"sorting.rank_within");
    check_device!(ctx, [column, groups]);
    check_rows("ranks", column.len())?;
    if column.len() != groups.len() {
        return Err(Error::logic(format!(
            "`column` has {} rows, `groups` has {}",
            column.len(),
            groups.len()
        )));
    }
    let of = groups.data_type();
    if !matches!(of, DataType::Int32 | DataType::Int64) {
        return Err(Error::data_type(format!("`groups` must be of int32 or int64, not {of}")));
    }
    on_device!(
        ctx,
        rank::rank(column, Some(groups), options, ctx),
        cuda::rank_within(column, groups, options, ctx)
    )
}
