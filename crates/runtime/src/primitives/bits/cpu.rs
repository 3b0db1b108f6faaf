//! Bits on the host: 64 at a time, morsels over the thread pool.

use std::ops::Range;

use super::super::cpu::places_of;
use super::mask::{Bits, BitwiseOperator, padded_words};
use crate::bitmap::Bitmap;
use crate::cache;
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::Result;
use crate::host_uvec::OutputSlice;
use crate::parallel;

/// Words of 64 bits that are combined while they stay in the nearest cache. So few that the masks take
/// turns before the memory that was asked for ahead of one is there.
const BLOCK: usize = 128;
/// Words of a morsel.
const MORSEL: usize = 64 * BLOCK;

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
        let (mut ones, mut block, writer) = (0, [0; BLOCK], cache::Writer::new(all * 8));
        for start in range.clone().step_by(BLOCK) {
            let end = (start + BLOCK).min(range.end);
            let block = &mut block[..end - start];
            let (inside, padding) = block.split_at_mut(used.clamp(start, end) - start);
            write(start, inside);
            padding.fill(0);
            ones += count_ones(inside);
            for word in inside {
                *word = word.to_le();
            }
            // SAFETY: the ranges are disjoint and below the number of words.
            let out = unsafe { places_of(&places, start..end) };
            writer.copy(bytemuck::cast_slice(block), bytemuck::cast_slice_mut(out));
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

pub(super) fn copy_bits(bits: &Bits, start: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    Ok(bitmask(std::slice::from_ref(bits), BitwiseOperator::And, start, ctx)?.0)
}

/// Words from `first` on of all masks combined.
fn combine(masks: &[Bitmap], operator: BitwiseOperator, first: usize, out: &mut [u64]) {
    masks[0].read_words(first, out);
    for mask in &masks[1..] {
        match operator {
            BitwiseOperator::And => mask.combine_words(first, out, |a, b| a & b),
            BitwiseOperator::Or => mask.combine_words(first, out, |a, b| a | b),
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
        let out = unsafe { places_of(&places, range) };
        cache::Writer::new(len).fill(if value { u8::MAX } else { 0 }, out);
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
    cache::fetch_ahead(bytes);
    #[cfg(target_feature = "sse2")]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_setzero_si128};
        let zeros = |sixteen: &[u8; 16]| {
            // SAFETY: there are 16 bytes to load, and the processor has SSE2.
            unsafe {
                let vector = _mm_loadu_si128(sixteen.as_ptr().cast());
                _mm_movemask_epi8(_mm_cmpeq_epi8(vector, _mm_setzero_si128())) as u64
            }
        };
        let (sixteens, _) = bytes.as_chunks();
        !sixteens.iter().rev().fold(0, |word, sixteen| word << 16 | zeros(sixteen))
    }
    #[cfg(not(target_feature = "sse2"))]
    bytes.iter().rev().fold(0, |word, &byte| word << 1 | u64::from(byte != 0))
}

pub(super) fn unpack_bits(bits: &Bits, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let map = bits.to_bitmap()?;
    let mut out = DeviceUVec::<u8>::uninit(map.len(), ctx)?;
    let places = OutputSlice::new(out.as_host_slice_mut()?);
    parallel::for_ranges(map.len(), 64 * 4 * BLOCK, ctx, &|range| {
        let mut buffer = [0; 4 * BLOCK];
        let words = &mut buffer[..range.len().div_ceil(64)];
        map.read_words(range.start / 64, words);
        let writer = cache::Writer::new(map.len());
        // SAFETY: the ranges are disjoint and below the number of bits.
        let out = unsafe { places_of(&places, range) };
        for (out, words) in out.chunks_mut(64 * 16).zip(words.chunks(16)) {
            let mut block = [[0; 64]; 16];
            for (place, &word) in block.iter_mut().zip(words) {
                *place = unpack_word(word);
            }
            writer.copy(&block.as_flattened()[..out.len()], out);
        }
        Ok(())
    })?;
    Ok(out)
}

/// The bits of a word as bytes.
#[inline(always)]
fn unpack_word(word: u64) -> [u8; 64] {
    #[cfg(target_feature = "ssse3")]
    {
        use std::arch::x86_64::{
            _mm_and_si128, _mm_min_epu8, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi64x, _mm_shuffle_epi8,
            _mm_storeu_si128,
        };
        /// The same byte eight times.
        const EACH: i64 = 0x0101_0101_0101_0101;
        let mut bytes = [0; 64];
        for (i, sixteen) in (0..).zip(bytes.as_chunks_mut::<16>().0) {
            // SAFETY: there are 16 bytes to store, and the processor has SSSE3.
            unsafe {
                let copies = _mm_shuffle_epi8(
                    _mm_set1_epi64x(word as i64),
                    _mm_set_epi64x((2 * i + 1) * EACH, 2 * i * EACH),
                );
                // Of the copies of a byte, bit k stays in place k.
                let own_bits = _mm_and_si128(copies, _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64));
                let bools = _mm_min_epu8(own_bits, _mm_set1_epi8(1));
                _mm_storeu_si128(sixteen.as_mut_ptr().cast(), bools);
            }
        }
        bytes
    }
    #[cfg(not(target_feature = "ssse3"))]
    std::array::from_fn(|i| (word >> i & 1) as u8)
}
