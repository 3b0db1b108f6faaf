//! Null masks: bit `i` is 1 where element `i` is valid, least significant bit first.
//!
//! A mask is a [`Buffer`] of any device. Masks made here are padded to a multiple of 64 bytes with zero bits;
//! masks that are read may begin at any bit, and in host memory at any byte. Functions that work on a mask
//! want a context of the device that it is on.
//!
//! - Masks of every device: [`create_null_mask`], [`copy_bitmask`], [`set_null_mask`], counting
//!   ([`null_count`], [`segmented_null_count`], …), combining ([`bitmask_and`], [`bitmask_or`]), and to and
//!   from booleans ([`bools_to_mask`], [`mask_to_bools`]).
//! - Nulls of columns inside columns: [`has_nonempty_nulls`], [`purge_nonempty_nulls`],
//!   [`superimpose_nulls`], [`push_down_nulls`].
//! - For algorithms of the CPU: [`bits`] keeps a mask, [`Bitmap`] reads it; [`from_words`], [`from_fn`] and [`MaskBuilder`]
//!   make one.

mod host;
pub(crate) mod mask_buffer;
mod sanitize;
mod state;

use std::ops::Range;

use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::{self, Bits, BitwiseOperator};
use cuprum_runtime::{Buffer, Context, DeviceUVec, Error, Result};

use crate::column::Column;
use crate::types::DataType;
use mask_buffer::{bits_of, copied, to_count, with_null_count};

pub use cuprum_runtime::bitmap::{Bitmap, SetBits};
pub use host::{MaskBuilder, and, bits, concatenated, from_fn, from_words, uniform};
pub use mask_buffer::bitmask_allocation_size_bytes;
pub use sanitize::{
    SANITIZE, has_nonempty_nulls, may_have_nonempty_nulls, purge_nonempty_nulls, push_down_nulls,
    superimpose_nulls,
};
pub use state::{MaskState, state_null_count};

/// A mask for `size` elements; without any bytes where it is [`Unallocated`](MaskState::Unallocated).
pub fn create_null_mask(size: usize, state: MaskState, ctx: &Context) -> Result<Buffer> {
    func_range!(c"null_mask.create_null_mask");
    if state == MaskState::Unallocated {
        return DeviceUVec::<u32>::uninit(0, ctx)?.into_buffer().try_into();
    }
    let mut mask = DeviceUVec::<u32>::uninit(bitmask_allocation_size_bytes(size) / 4, ctx)?;
    let padding = size..mask.len() * 32;
    if state != MaskState::Uninitialized {
        let valid = state == MaskState::AllValid;
        primitives::set_bits(&mut mask.span_mut(), 0..size, valid, ctx)?;
    }
    primitives::set_bits(&mut mask.span_mut(), padding, false, ctx)?;
    mask.into_buffer().try_into()
}

/// The mask of a column, cut to its rows, as one of its own that begins at bit 0; no bytes where it has
/// none. [`Column::copy_mask`] shares memory where it can.
pub fn copy_bitmask(column: &Column, ctx: &Context) -> Result<Buffer> {
    func_range!(c"null_mask.copy_bitmask");
    check_device!(ctx, [column]);
    match column.mask() {
        Some(mask) => copied(mask, column.offset()..column.offset() + column.len(), 0, ctx),
        None => create_null_mask(0, MaskState::Unallocated, ctx),
    }
}

/// The bits `[begin_bit, end_bit)` of a mask as one of its own that begins at bit 0.
///
/// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where the mask has not as many.
pub fn copy_bitmask_from_bitmask(
    mask: &Buffer,
    begin_bit: usize,
    end_bit: usize,
    ctx: &Context,
) -> Result<Buffer> {
    func_range!(c"null_mask.copy_bitmask_from_bitmask");
    copied(mask, begin_bit..end_bit, 0, ctx)
}

/// Marks the elements `[begin_bit, end_bit)` as valid or as null. A mask that shares its memory with
/// others, or is another library's, becomes a copy of its own first.
///
/// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where the mask has not as many.
pub fn set_null_mask(
    mask: &mut Buffer,
    begin_bit: usize,
    end_bit: usize,
    valid: bool,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"null_mask.set_null_mask");
    bits_of(mask, begin_bit, end_bit, ctx)?;
    if !mask.len().is_multiple_of(4) || !(mask.as_ptr() as usize).is_multiple_of(4) {
        *mask = copied(mask, 0..mask.len() * 8, 0, ctx)?;
    }
    primitives::set_bits(&mut mask.make_mut(ctx)?, begin_bit..end_bit, valid, ctx)
}

/// The number of nulls among the elements `[start, stop)`; none where there is no mask.
///
/// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where the mask has not as many elements.
pub fn null_count(mask: Option<&Buffer>, start: usize, stop: usize, ctx: &Context) -> Result<usize> {
    func_range!(c"null_mask.null_count");
    mask.map_or(Ok(0), |mask| count_unset_bits(mask, start, stop, ctx))
}

/// The number of ones among the bits `[start, stop)`; fails as [`null_count`].
pub fn count_set_bits(mask: &Buffer, start: usize, stop: usize, ctx: &Context) -> Result<usize> {
    func_range!(c"null_mask.count_set_bits");
    to_count(primitives::count_bits(&bits_of(mask, start, stop, ctx)?, ctx)?)
}

/// The number of zeros among the bits `[start, stop)`; fails as [`null_count`].
pub fn count_unset_bits(mask: &Buffer, start: usize, stop: usize, ctx: &Context) -> Result<usize> {
    func_range!(c"null_mask.count_unset_bits");
    Ok(stop - count_set_bits(mask, start, stop, ctx)? - start)
}

/// The number of ones in each range of bits; fails as [`null_count`].
pub fn segmented_count_set_bits(mask: &Buffer, ranges: &[Range<usize>], ctx: &Context) -> Result<Vec<usize>> {
    func_range!(c"null_mask.segmented_count_set_bits");
    for range in ranges {
        bits_of(mask, range.start, range.end, ctx)?;
    }
    let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let counts = primitives::segmented_count_bits(&bits_of(mask, 0, end, ctx)?, ranges, ctx)?;
    Ok(counts.to_vec()?.into_iter().map(|count| count as usize).collect())
}

/// The number of zeros in each range of bits; fails as [`null_count`].
pub fn segmented_count_unset_bits(
    mask: &Buffer,
    ranges: &[Range<usize>],
    ctx: &Context,
) -> Result<Vec<usize>> {
    func_range!(c"null_mask.segmented_count_unset_bits");
    let ones = segmented_count_set_bits(mask, ranges, ctx)?;
    Ok(ranges.iter().zip(ones).map(|(range, ones)| range.len() - ones).collect())
}

/// The number of nulls in each range of elements; none where there is no mask. Fails as [`null_count`].
pub fn segmented_null_count(
    mask: Option<&Buffer>,
    ranges: &[Range<usize>],
    ctx: &Context,
) -> Result<Vec<usize>> {
    func_range!(c"null_mask.segmented_null_count");
    mask.map_or_else(|| Ok(vec![0; ranges.len()]), |mask| segmented_count_unset_bits(mask, ranges, ctx))
}

/// The position of the first valid element of `[start, stop)`, counted from `start`; `None` where all are
/// null. Fails as [`null_count`].
pub fn index_of_first_set_bit(
    mask: &Buffer,
    start: usize,
    stop: usize,
    ctx: &Context,
) -> Result<Option<usize>> {
    func_range!(c"null_mask.index_of_first_set_bit");
    let first = to_count(primitives::first_set_bit(&bits_of(mask, start, stop, ctx)?, ctx)?)?;
    Ok(Some(first).filter(|&first| first < stop - start))
}

/// The rows that are valid in all columns, as a mask with its null count; `None` where no column has a
/// mask.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the columns differ in length.
pub fn bitmask_and(columns: &[&Column], ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    func_range!(c"null_mask.bitmask_and");
    check_device!(ctx, [columns]);
    let len = common_len(columns)?;
    if columns.iter().any(|column| column.data_type() == DataType::Empty) {
        return Ok(Some((create_null_mask(len, MaskState::AllNull, ctx)?, len)));
    }
    combined(columns, len, BitwiseOperator::And, ctx)
}

/// The rows that are valid in any column, as a mask with its null count; `None` where a column has no mask,
/// and so is all valid. Fails as [`bitmask_and`].
pub fn bitmask_or(columns: &[&Column], ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    func_range!(c"null_mask.bitmask_or");
    check_device!(ctx, [columns]);
    let len = common_len(columns)?;
    let with_values = |column: &&&Column| column.data_type() != DataType::Empty;
    let some: Vec<&Column> = columns.iter().filter(with_values).copied().collect();
    if some.is_empty() && !columns.is_empty() {
        return Ok(Some((create_null_mask(len, MaskState::AllNull, ctx)?, len)));
    }
    if some.iter().any(|column| column.mask().is_none()) {
        return Ok(None);
    }
    combined(&some, len, BitwiseOperator::Or, ctx)
}

fn common_len(columns: &[&Column]) -> Result<usize> {
    let len = columns.first().map_or(0, |column| column.len());
    match columns.iter().enumerate().find(|(_, column)| column.len() != len) {
        Some((i, other)) => {
            Err(Error::logic(format!("column 0 has {len} rows, column {i} has {}", other.len())))
        }
        None => Ok(len),
    }
}

/// The masks of the columns that have one.
fn combined(
    columns: &[&Column],
    len: usize,
    operator: BitwiseOperator,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    let masks = columns.iter().filter_map(|column| column.validity(ctx).transpose());
    let masks = masks.collect::<Result<Vec<_>>>()?;
    if masks.is_empty() {
        return Ok(None);
    }
    with_null_count(primitives::bitmask(&masks, operator, 0, ctx)?, len).map(Some)
}

/// A mask that is valid where a column of booleans is true, with the number of rows where it is false or
/// null.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for columns of other types.
pub fn bools_to_mask(column: &Column, ctx: &Context) -> Result<(Buffer, usize)> {
    func_range!(c"null_mask.bools_to_mask");
    check_device!(ctx, [column]);
    if column.data_type() != DataType::Bool8 {
        return Err(Error::data_type(format!("expected a bool column, found {}", column.data_type())));
    }
    let (offset, len) = (column.offset(), column.len());
    let Some(data) = column.data().filter(|_| len > 0) else {
        return Ok((create_null_mask(0, MaskState::AllNull, ctx)?, 0));
    };
    let packed = primitives::pack_bits(&data.span()?.slice(offset..offset + len)?, ctx)?;
    let Some(valid) = column.validity(ctx)? else { return with_null_count(packed, len) };
    let masks = [Bits::new(packed.0.span(), 0, len)?, valid];
    with_null_count(primitives::bitmask(&masks, BitwiseOperator::And, 0, ctx)?, len)
}

/// The bits `[begin_bit, end_bit)` of a mask as a column of booleans without nulls.
///
/// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where the mask has not as many.
pub fn mask_to_bools(mask: &Buffer, begin_bit: usize, end_bit: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"null_mask.mask_to_bools");
    let bools = primitives::unpack_bits(&bits_of(mask, begin_bit, end_bit, ctx)?, ctx)?;
    Column::from_buffer(DataType::Bool8, bools.len(), bools.into_buffer().try_into()?, None)
}
