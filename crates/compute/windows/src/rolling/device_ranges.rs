//! [`grouped_windows`](super::grouped_windows) and [`range_windows`](super::range_windows) on a GPU: every row looks for
//! its group among the starts of all, and for its window in the group.

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, DeviceView, Native, Result, Table};
use cuprum_runtime::DeviceUVec;

use super::cuda::{FloatKeys, NarrowKeys, Valid, WideKeys, grid, windows_of_groups, windows_of_ranges};
use super::ranges::{RangeBound, Reach, unsorted_at};
use cuprum_aggregate::nan_values::as_keys;
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::cuda::numbers_column;
use cuprum_keys::sorting::{RankMethod, RankOptions, rank};
use cuprum_relational::stream_compaction::distinct::Keep;
use cuprum_relational::stream_compaction::neighbours;

/// The starts of the runs of equal rows, at least one.
fn starts_of(keys: &Table, ctx: &Context) -> Result<DeviceUVec<u64>> {
    if keys.num_columns() == 0 {
        return DeviceUVec::zeroed(1, ctx);
    }
    neighbours::of_runs(keys, Keep::First, true, ctx)?.rows::<u64>(ctx)
}

/// Runs code with `$I` bound to the type of the sizes of windows of so many rows.
macro_rules! dispatch_sizes {
    ($rows:expr, $I:ident => $body:expr) => {
        if rows_fit_32_bits($rows) {
            type $I = i32;
            $body
        } else {
            type $I = i64;
            $body
        }
    };
}

fn size_columns<I: Native>(before: DeviceUVec<I>, behind: DeviceUVec<I>) -> Result<(Column, Column)> {
    let data_type = if size_of::<I>() == 4 { DataType::Int32 } else { DataType::Int64 };
    Ok((numbers_column(data_type, before)?, numbers_column(data_type, behind)?))
}

/// See [`super::grouped_windows`].
pub(super) fn grouped_windows(keys: &Table, sizes: [i64; 2], ctx: &Context) -> Result<(Column, Column)> {
    let (rows, temporary) = (keys.num_rows(), &ctx.temporary()?);
    check_rows("windows", rows)?;
    let starts = starts_of(keys, temporary)?;
    dispatch_sizes!(rows, I => {
        let (mut before, mut behind) = (DeviceUVec::<I>::uninit(rows, ctx)?, DeviceUVec::<I>::uninit(rows, ctx)?);
        // SAFETY: the first group begins at row 0, and there are two sizes for each row.
        unsafe {
            windows_of_groups::<I>(ctx, grid(rows), &starts, starts.len(), rows, sizes, &mut before, &mut behind)?;
        }
        size_columns(before, behind)
    })
}

/// The bound of a window on one side, as the kernels number it.
enum Bound {
    Unbounded = 0,
    Closed = 1,
    Open = 2,
}

impl Bound {
    fn of(bound: &RangeBound) -> u32 {
        (match bound {
            RangeBound::Unbounded => Self::Unbounded,
            RangeBound::CurrentRow | RangeBound::Closed(_) => Self::Closed,
            RangeBound::Open(_) => Self::Open,
        }) as u32
    }
}

/// See [`super::range_windows`].
pub(super) fn range_windows(
    keys: &Table,
    orderby: &Column,
    [descending, nulls_first]: [bool; 2],
    bounds: [&RangeBound; 2],
    reach: Reach,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let (rows, temporary) = (orderby.len(), &ctx.temporary()?);
    check_rows("windows", rows)?;
    let (starts, valid) = (starts_of(keys, temporary)?, Valid::new(orderby, temporary)?);
    let ranks;
    let by_order = matches!(reach, Reach::SameValue);
    let column = match orderby.data_type().storage() {
        // Types without words of their own are ranked.
        Storage::I128 | Storage::Bytes | Storage::Children if by_order => {
            let options = RankOptions { method: RankMethod::Dense, ..RankOptions::default() };
            ranks = rank(&as_keys(orderby, temporary)?, options, temporary)?;
            &ranks
        }
        _ => orderby,
    };
    let halves = |number: i128| [number as u64, (number >> 64) as u64];
    let is_wide = match (orderby.data_type().storage(), &reach) {
        (Storage::I128 | Storage::U64, Reach::Integers(_)) => true,
        (_, Reach::Integers(reach)) => reach.iter().any(|&delta| {
            delta == i128::MIN || i64::try_from(-delta).is_err() || i64::try_from(delta).is_err()
        }),
        _ => false,
    };
    let (is_float, reach) = match reach {
        Reach::SameValue => (false, [[0, 0], [0, 0]]),
        Reach::Floats([before, behind]) => (true, [[(-before).to_bits(), 0], [behind.to_bits(), 0]]),
        Reach::Integers([before, behind]) => (false, [halves(before.saturating_neg()), halves(behind)]),
    };
    let reach = [reach[0][0], reach[0][1], reach[1][0], reach[1][1]];
    let mut unsorted = DeviceUVec::<u64>::from_slice(&[u64::MAX], temporary)?;
    let [start, end] = bounds.map(Bound::of);
    let view = DeviceView::new(column)?;
    let windows = dispatch_sizes!(rows, I => {
        let (mut before, mut behind) = (DeviceUVec::<I>::uninit(rows, ctx)?, DeviceUVec::<I>::uninit(rows, ctx)?);
        let launch = match (is_float, is_wide) {
            (true, _) => windows_of_ranges::<I, FloatKeys>,
            (_, true) => windows_of_ranges::<I, WideKeys>,
            _ => windows_of_ranges::<I, NarrowKeys>,
        };
        // SAFETY: each row of the column has two sizes; there is a bit for each row and one behind the last.
        unsafe {
            launch(
                ctx,
                grid(rows),
                &view,
                valid.words(),
                valid.ranks(),
                &starts,
                starts.len(),
                nulls_first,
                descending,
                by_order,
                start,
                end,
                reach,
                &mut before,
                &mut behind,
                &mut unsorted,
            )?;
        }
        size_columns(before, behind)?
    });
    match unsorted.element(0)? {
        u64::MAX => Ok(windows),
        row => Err(unsorted_at(row as usize)),
    }
}
