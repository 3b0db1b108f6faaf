//! Segments of rows, each sorted for itself.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::{DeviceUVec, host_vec, kernels};

use super::{NullOrder, Order, sorted_order};
use crate::order::cuda::numbers_column;
use cuprum_elements::decimals::Digits;

kernels! {
    pub static SEGMENTS: "segments.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn segment_numbers(offsets: In<u64>, num_offsets: usize, rows: usize, numbers: Out<u64>);
}

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
    check_device!(ctx, [keys, offsets]);
    let rows = keys.num_rows();
    // A few numbers for each segment, which are looked at one by one.
    let offsets = if ctx.is_on_gpu() {
        segment_offsets(&offsets.to_host()?, rows)?
    } else {
        segment_offsets(offsets, rows)?
    };
    let numbers = on_device!(ctx, numbers(rows, &offsets, ctx)?, numbers_on_gpu(rows, &offsets, ctx)?);
    let mut columns = vec![numbers];
    columns.extend(keys.columns().iter().cloned());
    let mut each = vec![Order::Ascending];
    match orders {
        [] => each.resize(columns.len(), Order::Ascending),
        [order] => each.resize(columns.len(), *order),
        _ => each.extend(orders),
    }
    sorted_order(&Table::with_rows(columns, rows)?, &each, nulls, ctx)
}

/// A number for each row that puts segments in order; those of rows that stay are their own.
fn numbers(rows: usize, offsets: &[usize], ctx: &Context) -> Result<Column> {
    let number = |row: usize| offsets.partition_point(|&offset| offset <= row) as u32;
    // Rows that stay are segments of one row each.
    let (first, last) = (offsets.first().map_or(rows, |&o| o), offsets.last().map_or(rows, |&o| o));
    let segment = |row: usize| match row {
        row if row < first => row as u64,
        row if row >= last => (row as u64) + offsets.len() as u64,
        row => first as u64 + u64::from(number(row)),
    };
    Ok(Column::from_values(HostUVec::from_fn(rows, ctx, segment)?))
}

fn numbers_on_gpu(rows: usize, offsets: &[usize], ctx: &Context) -> Result<Column> {
    let mut places = host_vec::with_capacity(offsets.len())?;
    places.extend(offsets.iter().map(|&offset| offset as u64));
    let places = DeviceUVec::from_slice(&places, &ctx.temporary()?)?;
    let mut numbers = DeviceUVec::<u64>::uninit(rows, ctx)?;
    // SAFETY: there is a number for each row.
    unsafe {
        segment_numbers(ctx, Grid::striding(rows, THREADS), &places, places.len(), rows, &mut numbers)?
    };
    numbers_column(DataType::UInt64, numbers)
}

/// The row numbers in `offsets`; see [`segmented_sorted_order`] for their requirements.
pub fn segment_offsets(offsets: &Column, rows: usize) -> Result<Vec<usize>> {
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
