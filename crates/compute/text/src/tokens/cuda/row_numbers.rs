//! Integers beside texts: see [`detokenize`](super::super::tokenize::detokenize).

use cuprum_column::{Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Result};
use cuprum_elements::device_pieces::RowPieces;
use cuprum_elements::gather::cuda::{GatherMap, Numbers, numbers_below, sorted_with_positions};
use cuprum_elements::gather::gather_one;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::{self, Reduction};
use cuprum_runtime::{DeviceUVec, kernels};

kernels! {
    pub static ROW_NUMBERS: "row_numbers.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn ordered_numbers(numbers: ColumnDeviceView, out: Out<u64>);
    fn flag_new_numbers(numbers: In<u64>, n: usize, flags: Out<u8>);
}

/// Whether a column of integers has one that 63 bits do not hold.
pub(in super::super) fn are_too_large(numbers: &Column, ctx: &Context) -> Result<bool> {
    let Some(data) =
        numbers.data().filter(|_| numbers.data_type() == DataType::UInt64 && !numbers.is_empty())
    else {
        return Ok(false);
    };
    let rows = numbers.offset()..numbers.offset() + numbers.len();
    let largest = primitives::reduce(&data.span::<u64>()?.slice(rows)?, Reduction::Max, &ctx.temporary()?)?;
    Ok(i64::try_from(largest.value()?).is_err())
}

/// A list for every different number of a column of integers, in their order: the rows of `column` beside it.
pub(in super::super) fn lists_by_number(column: &Column, numbers: &Column, ctx: &Context) -> Result<Column> {
    let (len, temporary) = (numbers.len(), ctx.temporary()?);
    let mut keys = DeviceUVec::<u64>::uninit(len, &temporary)?;
    // SAFETY: there is a place for each number.
    unsafe { ordered_numbers(ctx, Grid::striding(len, THREADS), &DeviceView::new(numbers)?, &mut keys)? };
    let sorted;
    let rows = numbers_below!(len, Row => {
        let (keys, rows) = sorted_with_positions::<u64, Row>(&keys.span(), 0..64, &temporary)?;
        sorted = keys;
        rows
    });
    let mut flags = DeviceUVec::<u8>::uninit(len + 1, &temporary)?;
    // SAFETY: there is one flag more than numbers.
    unsafe { flag_new_numbers(ctx, Grid::striding(len + 1, THREADS), &sorted, len, &mut flags)? };
    let places = primitives::sequence::<u64>(0, 1, len + 1, &temporary)?;
    let starts = primitives::compact(&places.span(), &flags.span(), &temporary)?;
    let texts = gather_one(column, &GatherMap::from(rows), ctx)?;
    let offsets = RowPieces::of_starts(starts)?.into_offsets(ctx)?;
    // SAFETY: the offsets ascend from 0 to the number of rows.
    unsafe { Column::lists_unchecked(offsets, texts, None::<(Buffer, usize)>) }
}
