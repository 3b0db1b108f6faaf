//! Bits, 32 to a word, least significant bit first: the validity of columns on every device.
//!
//! New words are padded with zeros to a multiple of 64 bytes.

mod cpu;
mod cuda;
mod mask;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::backend::on_device;
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::{Error, Result};

pub(super) use cuda::BITS;
pub use mask::{Bits, BitwiseOperator};

/// Masks of one length combined, from bit `start` of the result on, and how many ones there are. All
/// other bits are 0. One mask is copied, whichever the operator.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where there is no mask, or the lengths differ. On a GPU
/// eight masks are combined at a time.
pub fn bitmask(
    masks: &[Bits],
    operator: BitwiseOperator,
    start: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let Some(first) = masks.first() else { return Err(Error::logic("`masks` is empty")) };
    if let Some((i, other)) = masks.iter().enumerate().find(|(_, mask)| mask.len() != first.len()) {
        return Err(Error::logic(format!("mask 0 has {} bits, mask {i} {}", first.len(), other.len())));
    }
    on_device!(ctx, cpu::bitmask(masks, operator, start, ctx), cuda::bitmask(masks, operator, start, ctx))
}

/// A copy of the bits from bit `start` of the result on; all other bits are 0.
pub fn copy_bits(bits: &Bits, start: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    on_device!(ctx, cpu::copy_bits(bits, start, ctx), cuda::copy_bits(bits, start, ctx))
}

/// The number of ones.
pub fn count_bits(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    on_device!(ctx, cpu::count_bits(bits, ctx), cuda::count_bits(bits, ctx))
}

/// The number of ones in each range of the bits. Fails with
/// [`OutOfRange`](crate::ErrorKind::OutOfRange) where a range leaves them.
pub fn segmented_count_bits(bits: &Bits, ranges: &[Range<usize>], ctx: &Context) -> Result<DeviceUVec<u64>> {
    for range in ranges {
        bits.slice(range.clone())?;
    }
    on_device!(ctx, cpu::segmented_count(bits, ranges, ctx), cuda::segmented_count(bits, ranges, ctx))
}

/// The position of the first one; the number of bits where there is none.
pub fn first_set_bit(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    on_device!(ctx, cpu::first_set_bit(bits, ctx), cuda::first_set_bit(bits, ctx))
}

/// Sets the bits `range` of a mask to one value. Fails with
/// [`OutOfRange`](crate::ErrorKind::OutOfRange) where the words have not as many.
pub fn set_bits(
    words: &mut DeviceSpanMut<u32>,
    range: Range<usize>,
    value: bool,
    ctx: &Context,
) -> Result<()> {
    if range.start > range.end || range.end > words.len() * 32 {
        return Err(Error::out_of_range(format!("bits {range:?} of {}", words.len() * 32)));
    }
    if range.is_empty() {
        return Ok(());
    }
    on_device!(ctx, cpu::set_bits(words, range, value, ctx), cuda::set_bits(words, range, value, ctx))
}

/// A one for each byte that is not 0, and how many ones there are.
pub fn pack_bits(bytes: &DeviceSpan<u8>, ctx: &Context) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    on_device!(ctx, cpu::pack_bits(bytes, ctx), cuda::pack_bits(bytes, ctx))
}

/// A byte for each bit, 0 or 1.
pub fn unpack_bits(bits: &Bits, ctx: &Context) -> Result<DeviceUVec<u8>> {
    on_device!(ctx, cpu::unpack_bits(bits, ctx), cuda::unpack_bits(bits, ctx))
}
