//! The buffers of masks: their size, the bits in them, and counts of those. Beneath columns.

use std::ops::Range;

use cuprum_runtime::backend::check_device;
use cuprum_runtime::primitives::{self, Bits};
use cuprum_runtime::{Buffer, Context, DeviceScalar, DeviceUVec, Error, Result};

/// Bytes of a mask for so many elements: padded to 64.
pub const fn bitmask_allocation_size_bytes(number_of_bits: usize) -> usize {
    number_of_bits.div_ceil(512) * 64
}

/// The bits `range` of a mask, from bit `start` of the result on; those before are 0.
pub(crate) fn copied(mask: &Buffer, range: Range<usize>, start: usize, ctx: &Context) -> Result<Buffer> {
    let bits = bits_of(mask, range.start, range.end, ctx)?;
    primitives::copy_bits(&bits, start, ctx)?.into_buffer().try_into()
}

/// The bits `[begin, end)` of a mask on the device of the context.
pub(crate) fn bits_of<'a>(mask: &'a Buffer, begin: usize, end: usize, ctx: &Context) -> Result<Bits<'a>> {
    check_device!(ctx, [mask]);
    let there = mask.len() * 8;
    let len = end
        .checked_sub(begin)
        .filter(|_| end <= there)
        .ok_or_else(|| Error::out_of_range(format!("bits [{begin}, {end}) of a mask of {there} bits")))?;
    Bits::of(mask, begin, len)
}

/// A number of bits, waited for.
pub(super) fn to_count(count: DeviceScalar<u64>) -> Result<usize> {
    Ok(count.value()? as usize)
}

/// A mask of `len` bits with its null count.
pub(super) fn with_null_count(
    (words, ones): (DeviceUVec<u32>, DeviceScalar<u64>),
    len: usize,
) -> Result<(Buffer, usize)> {
    Ok((words.into_buffer().try_into()?, len - to_count(ones)?))
}
