//! Segments of rows, each sorted for itself.

use cuprum_column::{Column, Context, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;

use super::{NullOrder, Order, sorted_order};
use crate::decimals::Digits;

/// The row numbers of `keys` with the rows of every segment in sorted order: segment `i` is the rows
/// `[offsets[i], offsets[i + 1])`. Rows before the first segment and behind the last stay where they are.
///
/// `offsets` are integers without nulls that do not decrease. The order is that of
/// [`sorted_order`], and stable. `Int32` while the rows fit, `Int64` beyond; no nulls.
///
/// Fails with `InvalidArgument` for offsets that decrease or have nulls, with `OutOfRange` where one is no
/// row, with `DataType` where they are no integers, and as [`sorted_order`].
pub fn segmented_sorted_order(
    keys: &Table,
    offsets: &Column,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"sorting.segmented_sorted_order");
    host_only!(ctx, [keys, offsets], segmented_sorted_order(&keys, &offsets, orders, nulls));
    let rows = keys.num_rows();
    let offsets = segment_offsets(offsets, rows)?;
    let number = |row: usize| offsets.partition_point(|&offset| offset <= row) as u32;
    // Rows that stay are segments of one row each.
    let (first, last) = (offsets.first().map_or(rows, |&o| o), offsets.last().map_or(rows, |&o| o));
    let segment = |row: usize| match row {
        row if row < first => row as u64,
        row if row >= last => (row as u64) + offsets.len() as u64,
        row => first as u64 + u64::from(number(row)),
    };
    let mut columns = vec![Column::from_values(HostUVec::from_fn(rows, ctx, segment)?)];
    columns.extend(keys.columns().iter().cloned());
    let mut each = vec![Order::Ascending];
    match orders {
        [] => each.resize(columns.len(), Order::Ascending),
        [order] => each.resize(columns.len(), *order),
        _ => each.extend(orders),
    }
    sorted_order(&Table::with_rows(columns, rows)?, &each, nulls, ctx)
}

/// The row numbers in `offsets`; see [`segmented_sorted_order`] for what they must be.
pub(crate) fn segment_offsets(offsets: &Column, rows: usize) -> Result<Vec<usize>> {
    if !offsets.data_type().is_integer() {
        return Err(Error::data_type(format!("`offsets` are {}, not integers", offsets.data_type())));
    }
    let view = offsets.view()?;
    let digits = Digits::new(&view)?;
    let mut places = host_vec::with_capacity(offsets.len())?;
    for i in 0..offsets.len() {
        if !view.is_valid(i) {
            return Err(Error::invalid_argument(format!("`offsets[{i}]` is null")));
        }
        let place = digits.get(i);
        let place = usize::try_from(place).ok().filter(|&place| place <= rows).ok_or_else(|| {
            Error::out_of_range(format!("`offsets[{i}]` is {place}, there are {rows} rows"))
        })?;
        if places.last().is_some_and(|&before| before > place) {
            return Err(Error::invalid_argument(format!("`offsets[{i}]` is {place}, below the one before")));
        }
        places.push(place);
    }
    Ok(places)
}
