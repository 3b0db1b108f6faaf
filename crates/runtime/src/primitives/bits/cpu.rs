//! Bits on the host: 64 at a time, morsels over the thread pool.

use std::ops::Range;

use super::super::cpu::places_of;
use super::{Bits, BitwiseOperator, padded_words};
use crate::bitmap::Bitmap;
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::Result;
use crate::host_uvec::OutputSlice;
use crate::parallel;

/// Words of 64 bits that are combined while they stay in the nearest cache.
const BLOCK: usize = 512;
/// Words of a morsel.
const MORSEL: usize = 16 * BLOCK;

/// A new mask of `len` bits whose words `write` fills block by block, given the number of the first, and
/// how many ones it has. Padding is zeroed here.
fn from_blocks(
    len: usize,
    ctx: &Context,
    write: impl Fn(usize, &mut [u64]) + Sync,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let mut words = DeviceUVec::<u32>::uninit(padded_words(len), ctx)?;
    // The memory is aligned to 64 bytes and as long as some of them.
    let longs: &mut [u64] = bytemuck::cast_slice_mut(words.as_host_slice_mut()?);
    let (all, used) = (longs.len(), len.div_ceil(64));
    let places = OutputSlice::new(longs);
    let ones = parallel::map_ranges(all, MORSEL, ctx, |range| {
        let mut ones = 0;
        for start in range.clone().step_by(BLOCK) {
            let end = (start + BLOCK).min(range.end);
            // SAFETY: the ranges are disjoint and below the number of words.
            let out = unsafe { places_of(&places, start..end) };
            let (inside, padding) = out.split_at_mut(used.clamp(start, end) - start);
            write(start, inside);
            padding.fill(0);
            ones += count_ones(inside);
            inside.iter_mut().for_each(|word| *word = word.to_le());
        }
        Ok(ones)
    })?;
    Ok((words, DeviceScalar::new(ones.into_iter().sum(), ctx)?))
}

fn count_ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

pub(super) fn bitmask(
    masks: &[Bits],
    operator: BitwiseOperator,
    start: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let masks: Vec<Bitmap> = masks.iter().map(Bits::to_bitmap).collect::<Result<_>>()?;
    let (zeros, shift) = (start / 64, start % 64);
    let len = masks[0].len();
    // The first word with bits has fewer of them where `start` is inside it.
    let heads: Vec<Bitmap> = masks.iter().map(|mask| mask.slice(0..len.min(64 - shift))).collect();
    let tails: Vec<Bitmap> = masks.iter().map(|mask| mask.slice(len.min(64 - shift)..len)).collect();
    from_blocks(start + len, ctx, |first, out| {
        let before = (zeros + 1).saturating_sub(first).min(out.len());
        let (front, back) = out.split_at_mut(before);
        front.fill(0);
        if let Some(word) = zeros.checked_sub(first).and_then(|i| front.get_mut(i)) {
            combine(&heads, operator, 0, std::slice::from_mut(word));
            *word <<= shift;
        }
        if !back.is_empty() {
            combine(&tails, operator, first + before - zeros - 1, back);
        }
    })
}

/// Words from `first` on of all masks combined; at most [`BLOCK`] of them.
fn combine(masks: &[Bitmap], operator: BitwiseOperator, first: usize, out: &mut [u64]) {
    masks[0].read_words(first, out);
    let mut buffer = [0; BLOCK];
    for mask in &masks[1..] {
        let words = &mut buffer[..out.len()];
        mask.read_words(first, words);
        let pairs = out.iter_mut().zip(words);
        match operator {
            BitwiseOperator::And => pairs.for_each(|(place, word)| *place &= *word),
            BitwiseOperator::Or => pairs.for_each(|(place, word)| *place |= *word),
        }
    }
}

pub(super) fn count_bits(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    let map = bits.to_bitmap()?;
    let parts = parallel::map_ranges(map.len(), 64 * MORSEL, ctx, |range| Ok(map.slice(range).count_set()))?;
    DeviceScalar::new(parts.into_iter().sum::<usize>() as u64, ctx)
}

pub(super) fn segmented_count(
    bits: &Bits,
    ranges: &[Range<usize>],
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let map = bits.to_bitmap()?;
    let mut counts = DeviceUVec::uninit(ranges.len(), ctx)?;
    let places = OutputSlice::new(counts.as_host_slice_mut()?);
    parallel::for_ranges(ranges.len(), 1024, ctx, &|segments| {
        // SAFETY: the ranges are disjoint and below the number of segments.
        let out = unsafe { places_of(&places, segments.clone()) };
        for (place, range) in out.iter_mut().zip(&ranges[segments]) {
            *place = map.slice(range.clone()).count_set() as u64;
        }
        Ok(())
    })?;
    Ok(counts)
}

pub(super) fn first_set_bit(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    let map = bits.to_bitmap()?;
    DeviceScalar::new(map.set_bits().next().unwrap_or(map.len()) as u64, ctx)
}

pub(super) fn set_bits(
    words: &mut DeviceSpanMut<u32>,
    range: Range<usize>,
    value: bool,
    ctx: &Context,
) -> Result<()> {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(words.as_host_slice_mut()?);
    let mut set = |byte: usize, mask: u8| {
        if value {
            bytes[byte] |= mask;
        } else {
            bytes[byte] &= !mask;
        }
    };
    let (first, last) = (range.start / 8, range.end / 8);
    let (from, before) = (u8::MAX << (range.start % 8), (1 << (range.end % 8)) - 1);
    if first == last {
        set(first, from & before);
        return Ok(());
    }
    set(first, from);
    if before != 0 {
        set(last, before);
    }
    let inner = &mut bytes[first + 1..last];
    let (len, places) = (inner.len(), OutputSlice::new(inner));
    parallel::for_ranges(len, 8 * MORSEL, ctx, &|range| {
        // SAFETY: the ranges are disjoint and below `len`.
        unsafe { places_of(&places, range) }.fill(if value { u8::MAX } else { 0 });
        Ok(())
    })
}

pub(super) fn pack_bits(
    bytes: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let bytes = bytes.as_host_slice()?;
    from_blocks(bytes.len(), ctx, |first, out| {
        let (whole, rest) = bytes[first * 64..].as_chunks::<64>();
        let (inside, last) = out.split_at_mut(whole.len().min(out.len()));
        for (place, bytes) in inside.iter_mut().zip(whole) {
            *place = pack_word(bytes);
        }
        if let [last] = last {
            let mut bytes = [0; 64];
            bytes[..rest.len()].copy_from_slice(rest);
            *last = pack_word(&bytes);
        }
    })
}

/// A bit for each byte that is not 0.
fn pack_word(bytes: &[u8; 64]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (eights, _) = bytes.as_chunks::<8>();
    let mut word = 0;
    for (i, &eight) in eights.iter().enumerate() {
        let eight = u64::from_le_bytes(eight);
        // The highest bit of each byte says whether any of its bits is set.
        let any = (((eight & LOW) + LOW) | eight) & !LOW;
        // Byte k moves to bit k of the highest byte; no two of the products' bits meet.
        word |= ((any >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    word
}

pub(super) fn unpack_bits(bits: &Bits, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let map = bits.to_bitmap()?;
    let mut out = DeviceUVec::<u8>::uninit(map.len(), ctx)?;
    let places = OutputSlice::new(out.as_host_slice_mut()?);
    parallel::for_ranges(map.len(), 64 * BLOCK, ctx, &|range| {
        let mut buffer = [0; BLOCK];
        let words = &mut buffer[..range.len().div_ceil(64)];
        map.read_words(range.start / 64, words);
        // SAFETY: the ranges are disjoint and below the number of bits.
        let out = unsafe { places_of(&places, range) };
        for (out, &word) in out.chunks_mut(64).zip(&*words) {
            for (out, byte) in out.chunks_mut(8).zip(word.to_le_bytes()) {
                out.copy_from_slice(&unpack_byte(byte)[..out.len()]);
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// The bits of a byte as bytes.
fn unpack_byte(byte: u8) -> [u8; 8] {
    // A copy of the byte in each place, of which bit k stays in place k.
    let own_bits = u64::from(byte).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (((own_bits + 0x7F7F_7F7F_7F7F_7F7F) >> 7) & 0x0101_0101_0101_0101).to_le_bytes()
}
