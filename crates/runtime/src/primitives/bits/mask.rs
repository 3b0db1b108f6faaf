//! [`Bits`]: consecutive bits of a mask on any device, and how masks are combined.

use std::ops::Range;

use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::device_uvec::DeviceSpan;
use crate::error::{Error, Result};

/// Operators that combine bitmasks.
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

    /// The offset of the first bit in the memory.
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
pub(super) fn padded_words(len: usize) -> usize {
    len.div_ceil(512) * 16
}
