//! Runs of numbers, bytes and bits, of which the streams of columns consist.
//!
//! Every function takes the number of values. It fails, and names the byte, where the stream ends
//! before, and before it asks for memory where so few bytes cannot have so many.

use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;

/// The most values that a byte of a stream stands for: 512 in four bytes, 130 in two.
const DENSEST: usize = 130;

/// Bytes that are read from their start on.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    #[inline]
    fn byte(&mut self) -> Result<u8> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => Err(self.short()),
        }
    }

    #[inline]
    fn piece(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.bytes[self.at..].get(..len) {
            Some(piece) => {
                self.at += len;
                Ok(piece)
            }
            None => Err(self.short()),
        }
    }

    #[cold]
    fn short(&self) -> Error {
        Error::invalid_argument(format!("byte {}: the stream ends too early", self.bytes.len()))
    }

    fn damaged(&self, what: impl std::fmt::Display) -> Error {
        Error::invalid_argument(format!("byte {}: {what}", self.at))
    }

    #[inline]
    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.damaged("a number does not end"))
    }

    #[inline]
    fn varint_of(&mut self, signed: bool) -> Result<i64> {
        let value = self.varint()?;
        Ok(if signed { zigzag(value) } else { value as i64 })
    }

    /// A number of up to 128 bits with a sign.
    #[inline]
    pub(super) fn wide(&mut self) -> Result<i128> {
        let mut value = 0u128;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            value |= u128::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok((value >> 1) as i128 ^ -((value & 1) as i128));
            }
        }
        Err(self.damaged("a number does not end"))
    }

    /// `len` bytes as a number, the first of them the highest.
    fn big_endian(&mut self, len: usize) -> Result<u64> {
        Ok(self.piece(len)?.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }
}

#[inline]
fn zigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Room for `count` values, where so many can be in the bytes.
fn room<T>(bytes: &[u8], count: usize) -> Result<Vec<T>> {
    if count > bytes.len().saturating_mul(DENSEST) {
        let len = bytes.len();
        return Err(Error::invalid_argument(format!("{count} values cannot be in {len} bytes")));
    }
    host_vec::with_capacity(count)
}

/// Bytes: `0..128` before one that is repeated so often and three times more, `-n` before n of them.
pub(super) fn bytes(stream: &[u8], count: usize) -> Result<Vec<u8>> {
    let mut out = room(stream, count)?;
    let mut input = Input::of(stream);
    while out.len() < count {
        let control = input.byte()? as i8;
        let left = count - out.len();
        if control >= 0 {
            let value = input.byte()?;
            let len = (control as usize + 3).min(left);
            out.resize(out.len() + len, value);
        } else {
            let len = usize::from(control.unsigned_abs());
            let piece = input.piece(len)?;
            out.extend_from_slice(&piece[..len.min(left)]);
        }
    }
    Ok(out)
}

/// Bits, the highest of each byte first, as a bitmap whose bytes begin with the lowest.
pub(super) fn bits(stream: &[u8], count: usize) -> Result<Vec<u8>> {
    let mut bytes = bytes(stream, count.div_ceil(8))?;
    for byte in &mut bytes {
        *byte = byte.reverse_bits();
    }
    Ok(bytes)
}

/// Numbers of the first version: runs with a step from −128 to 127, or one after the other.
pub(super) fn numbers_v1(stream: &[u8], count: usize, signed: bool) -> Result<Vec<i64>> {
    let mut out = room(stream, count)?;
    let mut input = Input::of(stream);
    while out.len() < count {
        let control = input.byte()? as i8;
        let left = count - out.len();
        if control >= 0 {
            let step = i64::from(input.byte()? as i8);
            let base = input.varint_of(signed)?;
            let len = (control as usize + 3).min(left);
            out.extend((0..len as i64).map(|i| base.wrapping_add(step.wrapping_mul(i))));
        } else {
            for _ in 0..usize::from(control.unsigned_abs()).min(left) {
                out.push(input.varint_of(signed)?);
            }
        }
    }
    Ok(out)
}

/// Numbers of the second version: four kinds of runs.
pub(super) fn numbers_v2(stream: &[u8], count: usize, signed: bool) -> Result<Vec<i64>> {
    let mut out = room(stream, count)?;
    let mut input = Input::of(stream);
    while out.len() < count {
        let first = input.byte()?;
        let left = count - out.len();
        match first >> 6 {
            0 => {
                let value = input.big_endian(usize::from(first >> 3 & 7) + 1)?;
                let value = if signed { zigzag(value) } else { value as i64 };
                let len = usize::from(first & 7) + 3;
                out.resize(out.len() + len.min(left), value);
            }
            kind => {
                let len = (usize::from(first & 1) << 8 | usize::from(input.byte()?)) + 1;
                let code = first >> 1 & 31;
                match kind {
                    1 => direct(&mut input, WIDTHS[usize::from(code)], len, left, signed, &mut out)?,
                    2 => patched(&mut input, WIDTHS[usize::from(code)], len, left, &mut out)?,
                    _ => {
                        let width = if code == 0 { 0 } else { WIDTHS[usize::from(code)] };
                        delta(&mut input, width, len, left, signed, &mut out)?;
                    }
                }
            }
        }
    }
    Ok(out)
}

/// The numbers of bits that five bits stand for.
pub(super) const WIDTHS: [u32; 32] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 28, 30, 32,
    40, 48, 56, 64,
];

fn direct(
    input: &mut Input<'_>,
    width: u32,
    len: usize,
    left: usize,
    signed: bool,
    out: &mut Vec<i64>,
) -> Result<()> {
    let packed = input.piece((len * width as usize).div_ceil(8))?;
    if signed {
        unpack(packed, width, len.min(left), |value| out.push(zigzag(value)));
    } else {
        unpack(packed, width, len.min(left), |value| out.push(value as i64));
    }
    Ok(())
}

/// Numbers above a base, some with higher bits that follow behind all.
fn patched(input: &mut Input<'_>, width: u32, len: usize, left: usize, out: &mut Vec<i64>) -> Result<()> {
    let (third, fourth) = (input.byte()?, input.byte()?);
    let base_bytes = usize::from(third >> 5) + 1;
    let patch_width = WIDTHS[usize::from(third & 31)];
    let gap_width = u32::from(fourth >> 5) + 1;
    let patches = usize::from(fourth & 31);
    let base = input.big_endian(base_bytes)?;
    // The highest bit is the sign.
    let sign = 1 << (base_bytes * 8 - 1);
    let base = if base & sign == 0 { base as i64 } else { ((base & !sign) as i64).wrapping_neg() };
    let packed = input.piece((len * width as usize).div_ceil(8))?;
    let mut values = [0; 512];
    let mut next = 0;
    unpack(packed, width, len, |value| {
        values[next] = value;
        next += 1;
    });
    let bits = patch_width + gap_width;
    let Some(&bits) = WIDTHS.iter().find(|&&width| width >= bits) else {
        return Err(input.damaged(format_args!("patches of {bits} bits")));
    };
    let packed = input.piece((patches * bits as usize).div_ceil(8))?;
    let mask = u64::MAX >> (64 - patch_width);
    let (mut at, mut outside) = (0, false);
    unpack(packed, bits, patches, |entry| {
        at += entry.checked_shr(patch_width).unwrap_or(0) as usize;
        match values[..len].get_mut(at) {
            Some(value) => *value |= (entry & mask).checked_shl(width).unwrap_or(0),
            None => outside = true,
        }
    });
    if outside {
        return Err(input.damaged(format_args!("a patch of value {at} of {len}")));
    }
    out.extend(values[..len.min(left)].iter().map(|&value| base.wrapping_add(value as i64)));
    Ok(())
}

/// Numbers by their differences, all of which go in one direction.
fn delta(
    input: &mut Input<'_>,
    width: u32,
    len: usize,
    left: usize,
    signed: bool,
    out: &mut Vec<i64>,
) -> Result<()> {
    let base = input.varint_of(signed)?;
    let step = zigzag(input.varint()?);
    let wanted = len.min(left);
    if width == 0 {
        out.extend((0..wanted as i64).map(|i| base.wrapping_add(step.wrapping_mul(i))));
        return Ok(());
    }
    let packed = input.piece((len.saturating_sub(2) * width as usize).div_ceil(8))?;
    let mut value = base.wrapping_add(step);
    out.push(base);
    if wanted > 1 {
        out.push(value);
    }
    let down = step < 0;
    unpack(packed, width, wanted.saturating_sub(2), |difference| {
        let difference = difference as i64;
        value = if down { value.wrapping_sub(difference) } else { value.wrapping_add(difference) };
        out.push(value);
    });
    Ok(())
}

/// The first `count` numbers of `width` bits, the highest bit first; there are bytes enough.
#[inline]
fn unpack(packed: &[u8], width: u32, count: usize, mut each: impl FnMut(u64)) {
    let width = width as usize;
    match width {
        8 => packed[..count].iter().for_each(|&byte| each(u64::from(byte))),
        16 => packed[..count * 2]
            .as_chunks::<2>()
            .0
            .iter()
            .for_each(|&bytes| each(u64::from(u16::from_be_bytes(bytes)))),
        64 => {
            packed[..count * 8].as_chunks::<8>().0.iter().for_each(|&bytes| each(u64::from_be_bytes(bytes)));
        }
        // Eight bytes have the number and the up to seven bits before it.
        ..=56 => {
            let mask = u64::MAX >> (64 - width);
            // As long as there are eight bytes to be read.
            let whole = if packed.len() < 8 { 0 } else { ((packed.len() - 8) * 8 / width + 1).min(count) };
            for i in 0..whole {
                let bit = i * width;
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&packed[bit / 8..bit / 8 + 8]);
                each(u64::from_be_bytes(bytes) >> (64 - width - bit % 8) & mask);
            }
            for i in whole..count {
                let bit = i * width;
                let rest = &packed[bit / 8..];
                let mut bytes = [0; 8];
                let len = rest.len().min(8);
                bytes[..len].copy_from_slice(&rest[..len]);
                each(u64::from_be_bytes(bytes) >> (64 - width - bit % 8) & mask);
            }
        }
        _ => unreachable!("there is no such width"),
    }
}
