//! Sorted tables as one sorted table.

pub mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use cuprum_aggregate::nan_values::sort_keys;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather};
use cuprum_elements::row_numbers::{NarrowRows, row_column};
use cuprum_elementwise::copying::scatter;
use cuprum_keys::concatenate::concatenate_tables;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::search::{lower_bound, upper_bound};
use cuprum_keys::sorting::{NullOrder, Order, is_sorted};

/// The rows of tables that are sorted by their columns `keys`, sorted. Rows with equal keys are in the order
/// of the tables, and in each in their order.
///
/// `orders` and `precedences` are those of [`nan_values`](cuprum_aggregate::nan_values): with [`NullOrder::First`] nulls are smaller than all
/// values; NaN is larger than every other. Columns of one position have one type.
///
/// Two neighbouring tables at a time: the place of each row is its own number and that of the rows of the
/// other table before it, found by binary search, all in parallel. On a GPU each thread finds where its rows begin in both
/// and merges these; of more than 16 tables all rows are sorted.
///
/// Fails with `InvalidArgument` without tables or keys and for a table that is not sorted, naming it, with
/// `OutOfRange` for a key that is no column, with `DataType` or `Logic` where columns do not fit, and with
/// `Unsupported` for 2³² − 1 rows or more.
pub fn merge(
    tables: &[&Table],
    keys: &[usize],
    orders: &[Order],
    precedences: &[NullOrder],
    ctx: &Context,
) -> Result<Table> {
    func_range!(c"merge.merge");
    check_device!(ctx, [tables]);
    if tables.is_empty() || keys.is_empty() {
        return Err(Error::invalid_argument(format!(
            "a merge needs tables and keys; there are {} and {}",
            tables.len(),
            keys.len()
        )));
    }
    let chosen = tables.iter().map(|table| table.select(keys)).collect::<Result<Vec<_>>>()?;
    let (keys, (orders, nulls)) = sort_keys(&chosen.iter().collect::<Vec<_>>(), orders, precedences, ctx)?;
    for (i, keys) in keys.iter().enumerate() {
        if !is_sorted(keys, &orders, nulls, ctx)? {
            return Err(Error::invalid_argument(format!("table {i} is not sorted by its keys")));
        }
    }
    if ctx.is_on_gpu() {
        return cuda::merged(tables, &keys.iter().collect::<Vec<_>>(), &orders, nulls, ctx);
    }
    // Keys and rows go through the rounds together; half as many tables are left after each.
    let mut round: Vec<(Table, Table)> =
        keys.into_iter().zip(tables.iter().map(|&table| table.clone())).collect();
    while round.len() > 1 {
        let mut next = Vec::with_capacity(round.len().div_ceil(2));
        let mut waiting = round.into_iter();
        while let Some((left_keys, left)) = waiting.next() {
            let Some((right_keys, right)) = waiting.next() else {
                next.push((left_keys, left));
                break;
            };
            let map = merged_rows(&left_keys, &right_keys, &orders, nulls, ctx)?;
            let merged = |a: &Table, b: &Table| {
                gather(&concatenate_tables(&[a, b], ctx)?, &map, OutOfBoundsPolicy::Check, ctx)
            };
            next.push((merged(&left_keys, &right_keys)?, merged(&left, &right)?));
        }
        round = next;
    }
    round.pop().map(|(_, table)| table).ok_or_else(|| Error::logic("one table is left"))
}

/// The rows of both tables, those of the right one numbered behind those of the left one, in sorted order.
fn merged_rows(
    left: &Table,
    right: &Table,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Column> {
    let (first, rows) = (left.num_rows(), left.num_rows() + right.num_rows());
    check_rows("sorted tables", rows)?;
    let before_left = lower_bound(right, left, orders, nulls, ctx)?;
    let before_right = upper_bound(left, right, orders, nulls, ctx)?;
    let (before_left, before_right) = (before_left.view()?, before_right.view()?);
    let before_left = NarrowRows::new("places", &before_left, ctx)?;
    let before_right = NarrowRows::new("places", &before_right, ctx)?;
    let place = |row: usize| match row.checked_sub(first) {
        None => row as u32 + before_left[row],
        Some(right) => right as u32 + before_right[right],
    };
    let places = row_column(HostUVec::from_fn(rows, ctx, place)?, rows, ctx)?;
    let numbers = row_column(HostUVec::from_fn(rows, ctx, |row| row as u32)?, rows, ctx)?;
    scatter(&numbers, &places, &numbers, ctx)
}
