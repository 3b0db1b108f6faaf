//! Bits, 32 to a word, least significant bit first: the validity of columns on every device.
//!
//! New words are padded with zeros to a multiple of 64 bytes.

mod cpu;
mod cuda;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::backend::on_device;
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::context::Context;
use crate::device::Device;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::{Error, Result};

pub(super) use cuda::BITS;

/// How bitmasks become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitwiseOperator {
    /// Ones where all have ones.
    And,
    /// Ones where any has a one.
    Or,
}

/// Consecutive bits of a mask; bit `i` is bit `i % 32` of word `i / 32`.
#[derive(Clone)]
pub struct Bits<'a> {
    bytes: DeviceSpan<'a, u8>,
    offset: usize,
    len: usize,
}

impl<'a> Bits<'a> {
    /// The `len` bits from bit `offset` on; an error where the words have not as many.
    pub fn new(words: DeviceSpan<'a, u32>, offset: usize, len: usize) -> Result<Self> {
        Self::of_bytes(words.to_bytes(), offset, len)
    }

    /// The `len` bits from bit `offset` of a mask on; an error where it has not as many. In host memory a
    /// mask may begin at any byte and end with any; on a GPU it is made of whole words.
    pub fn of(mask: &'a Buffer, offset: usize, len: usize) -> Result<Self> {
        Self::of_bytes(mask.span()?, offset, len)
    }

    fn of_bytes(bytes: DeviceSpan<'a, u8>, offset: usize, len: usize) -> Result<Self> {
        let unit = if bytes.device() == Device::Cpu { 8 } else { 32 };
        if offset.checked_add(len).is_none_or(|end| end.div_ceil(unit) > bytes.len() / (unit / 8)) {
            let there = bytes.len() * 8;
            return Err(Error::out_of_range(format!("bits [{offset}, {offset} + {len}) of {there} bits")));
        }
        Ok(Self { bytes, offset, len })
    }

    /// Where in the memory the bits begin.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bits `range` of these.
    pub fn slice(&self, range: Range<usize>) -> Result<Self> {
        if range.start > range.end || range.end > self.len {
            return Err(Error::out_of_range(format!("bits {range:?} of {}", self.len)));
        }
        Ok(Self { bytes: self.bytes.clone(), offset: self.offset + range.start, len: range.len() })
    }

    /// The words that hold the bits; fails where they begin inside of one.
    pub fn words(&self) -> Result<DeviceSpan<'a, u32>> {
        self.bytes.elements()
    }

    /// The bits, where they are in host memory. They borrow from these, which keep them there.
    pub fn to_bitmap(&self) -> Result<Bitmap<'_>> {
        Ok(Bitmap::new(self.bytes.as_host_slice()?, self.offset, self.len))
    }
}

/// Words of a mask of `len` bits, padded to 64 bytes.
fn padded_words(len: usize) -> usize {
    len.div_ceil(512) * 16
}

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
