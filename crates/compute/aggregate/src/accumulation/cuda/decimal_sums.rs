//! Sums and means of decimals in groups on a GPU, and sums of durations: exact, or an error.
//!
//! The halves of integers of 128 bits are added apart, as [`statistics`](super::statistics) adds integers.

use cuprum_column::types::Storage;
use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Error, ErrorKind, Result,
};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::row_groups::Ids;
use super::statistics::IntegerSums;
use crate::aggregation::Aggregation;

kernels! {
    pub static DECIMAL_SUMS: "decimal_sums.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn split_decimals(column: ColumnDeviceView, low: Out<u64>, high: Out<i64>);
    fn finish_decimals(
        state: In<u64>, high: Option<In<u64>>, groups: usize, means: bool, out: Out<u64>, failed: Out<u32>,
    );
    fn finish_durations(
        state: In<u64>, groups: usize, out: Option<Out<i64>>, narrow: Option<Out<i32>>, failed: Out<u32>,
    );
}

/// The sums of durations of each group. Waits to know whether they fit.
pub(crate) fn sum_durations(
    ids: Ids<'_>,
    column: &Column,
    groups: usize,
    to: DataType,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let sums = IntegerSums::new(ids, column, groups, temporary)?;
    let mut failed = DeviceUVec::<u32>::zeroed(1, temporary)?;
    let (mut out, mut narrow) = (None, None);
    if to.size() == Some(4) {
        narrow = Some(DeviceUVec::<i32>::uninit(groups, ctx)?);
    } else {
        out = Some(DeviceUVec::<i64>::uninit(groups, ctx)?);
    }
    let grid = Grid::striding(groups, THREADS);
    // SAFETY: there are a count and two sums for each group, and a result.
    unsafe {
        finish_durations(ctx, grid, sums.words(), groups, out.as_mut(), narrow.as_mut(), &mut failed)?;
    }
    if failed.element(0)? != 0 {
        return Err(Error::overflow(format!("a sum of a group does not fit {to}")));
    }
    let data: Buffer = match (out, narrow) {
        (Some(out), _) => out.into_buffer().try_into()?,
        (_, Some(narrow)) => narrow.into_buffer().try_into()?,
        _ => return Column::nulls(to, groups, ctx),
    };
    Column::from_buffer(to, groups, data, None)
}

/// The sums of decimals of each group, or their means, as `to`, decimals of 128 bits. A sum of nothing is 0, a mean of
/// nothing null. Waits to know whether they fit.
pub(crate) fn aggregate(
    ids: Ids<'_>,
    column: &Column,
    groups: usize,
    how: Aggregation,
    to: DataType,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let is_wide = column.data_type().storage() == Storage::I128;
    let halves = if is_wide { Some(halves_of(column, temporary)?) } else { None };
    let (low, high) = match &halves {
        Some((low, high)) => (low, Some(IntegerSums::new(ids, high, groups, temporary)?)),
        None => (column, None),
    };
    let low = IntegerSums::new(ids, low, groups, temporary)?;
    let mut out = DeviceUVec::<u64>::uninit(2 * groups, ctx)?;
    let mut failed = DeviceUVec::<u32>::zeroed(1, temporary)?;
    let means = how == Aggregation::Mean;
    let (state, high) = (low.words(), high.as_ref().map(IntegerSums::words));
    let grid = Grid::striding(groups, THREADS);
    // SAFETY: there are a count and two sums for each group, and two words of a result.
    unsafe { finish_decimals(ctx, grid, state, high, groups, means, &mut out, &mut failed)? };
    if failed.element(0)? != 0 {
        let message = format!("{how} of decimals does not fit 128 bits");
        return Err(Error::new(ErrorKind::Overflow, message));
    }
    let mask = if means { low.mask(ctx)? } else { None };
    Column::from_buffer(to, groups, out.into_buffer().try_into()?, mask)
}

/// The lower and the upper halves of integers of 128 bits, null where these are.
fn halves_of(column: &Column, ctx: &Context) -> Result<(Column, Column)> {
    let (rows, view) = (column.len(), DeviceView::new(column)?);
    let mut low = DeviceUVec::<u64>::uninit(rows, ctx)?;
    let mut high = DeviceUVec::<i64>::uninit(rows, ctx)?;
    // SAFETY: the column has 16 bytes for each row, and so have both halves together.
    unsafe { split_decimals(ctx, Grid::striding(rows, THREADS), &view, &mut low, &mut high)? };
    let half = |data_type, data: Buffer| Column::from_buffer(data_type, rows, data, column.copy_mask(ctx)?);
    let low = half(DataType::UInt64, low.into_buffer().try_into()?)?;
    Ok((low, half(DataType::Int64, high.into_buffer().try_into()?)?))
}
