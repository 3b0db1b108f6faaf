//! Bits as kernels.

use std::ops::Range;

use super::super::cuda::{striding, temporary};
use super::super::number::names;
use super::{Bits, BitwiseOperator, padded_words};
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::Result;
use crate::kernel::{Argument, Kernel, KernelName};
use crate::{kernel_struct, kernels};

kernels! {
    static BITS: "bits.cu" where
        /// Threads of every block; as many as those of the other primitives.
        THREADS = 256,
        /// Words that a thread has in flight where it combines or counts them.
        ITEMS = 16;

    fn combine_bits<O: KernelName>(
        a: &[u32], b: Option<&[u32]>, c: Option<&[u32]>, d: Option<&[u32]>, e: Option<&[u32]>,
        f: Option<&[u32]>, g: Option<&[u32]>, h: Option<&[u32]>, offsets: BitOffsets, count: u32, bits: u64,
        start: u64, out: &mut [u32], words: u64, ones: &mut [u64],
    );
    fn count_ones<Count: KernelType>(words: &[u32], offset: u64, bits: u64, count: &mut [Count]);
    fn count_segments<Count: KernelType>(
        words: &[u32], bounds: &[u64], segments: u64, counts: &mut [Count],
    );
    fn find_one<Position: KernelType>(words: &[u32], offset: u64, bits: u64, first: &mut [Position]);
    fn write_bits<Word: KernelType>(words: &mut [Word], begin: u64, end: u64, value: u32);
    fn pack<Half: KernelType>(bytes: &[u8], n: u64, out: &mut [Half], halves: u64, ones: &mut [u64]);
    fn unpack<Byte: KernelType>(words: &[u32], offset: u64, bits: u64, out: &mut [Byte]);
}

kernel_struct! {
    /// Where the bits of each mask begin.
    struct BitOffsets {
        a: u64,
        b: u64,
        c: u64,
        d: u64,
        e: u64,
        f: u64,
        g: u64,
        h: u64,
    }
}

/// Words that a block has in flight.
const TILE: usize = (THREADS * ITEMS) as usize;

/// Masks that one launch combines.
const MASKS: usize = 8;

struct And;
struct Or;
names!(And, Or);

pub(in super::super) fn kernels() -> Vec<Kernel> {
    vec![
        combine_bits::<And>(),
        combine_bits::<Or>(),
        count_ones::<u64>(),
        count_segments::<u64>(),
        find_one::<u64>(),
        write_bits::<u32>(),
        pack::<u16>(),
        unpack::<u8>(),
    ]
}

/// Blocks for so many words, one for each thread.
fn blocks(words: usize) -> usize {
    words.div_ceil(THREADS as usize)
}

pub(super) fn bitmask(
    masks: &[Bits],
    operator: BitwiseOperator,
    start: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let Some((first, rest)) = masks.split_at_checked(MASKS).filter(|(_, rest)| !rest.is_empty()) else {
        return combine(masks, operator, start, ctx);
    };
    let (combined, _) = combine(first, operator, 0, &temporary(ctx)?)?;
    let combined = Bits::new(combined.span(), 0, masks[0].len())?;
    bitmask(&[&[combined], rest].concat(), operator, start, ctx)
}

/// [`bitmask`] of at most [`MASKS`].
fn combine(
    masks: &[Bits],
    operator: BitwiseOperator,
    start: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let kernel = match operator {
        BitwiseOperator::And => combine_bits::<And>(),
        BitwiseOperator::Or => combine_bits::<Or>(),
    };
    let len = masks[0].len();
    let mut out = DeviceUVec::uninit(padded_words(start + len), ctx)?;
    let mut ones = DeviceUVec::<u64>::zeroed(1, ctx)?;
    let words = masks.iter().map(Bits::words).collect::<Result<Vec<_>>>()?;
    let offset = |m: usize| masks.get(m).map_or(0, |mask| mask.offset() as u64);
    let offsets = BitOffsets {
        a: offset(0),
        b: offset(1),
        c: offset(2),
        d: offset(3),
        e: offset(4),
        f: offset(5),
        g: offset(6),
        h: offset(7),
    };
    let shape = striding(&kernel, out.len().div_ceil(TILE), 0, ctx)?;
    let out_words = out.len() as u64;
    let mut arguments: Vec<Argument> = vec![(&words[0]).into()];
    arguments.extend((1..MASKS).map(|m| Argument::from(words.get(m))));
    arguments.extend([
        offsets.into(),
        (masks.len() as u32).into(),
        (len as u64).into(),
        (start as u64).into(),
        (&mut out).into(),
        out_words.into(),
        (&mut ones).into(),
    ]);
    // SAFETY: `Bits` lie inside their words, and the kernel reads no others; it looks at `masks.len()` of
    // the pointers. `out` has the words it is said to have.
    unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    Ok((out, DeviceScalar(ones)))
}

pub(super) fn count_bits(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    let kernel = count_ones::<u64>();
    let mut count = DeviceUVec::<u64>::zeroed(1, ctx)?;
    let shape = striding(&kernel, (bits.len() / 32 + 1).div_ceil(TILE), 0, ctx)?;
    let (offset, len) = (bits.offset() as u64, bits.len() as u64);
    let words = bits.words()?;
    // SAFETY: `Bits` lie inside their words.
    unsafe {
        let arguments = [(&words).into(), offset.into(), len.into(), (&mut count).into()];
        kernel.launch(ctx.stream(), shape, &arguments)?;
    }
    Ok(DeviceScalar(count))
}

pub(super) fn segmented_count(
    bits: &Bits,
    ranges: &[Range<usize>],
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let kernel = count_segments::<u64>();
    let offset = bits.offset();
    let bounds = ranges.iter().flat_map(|range| [range.start, range.end]);
    let bounds: Vec<u64> = bounds.map(|bound| (offset + bound) as u64).collect();
    let bounds = DeviceUVec::from_slice(&bounds, &temporary(ctx)?)?;
    let mut counts = DeviceUVec::uninit(ranges.len(), ctx)?;
    let shape = striding(&kernel, ranges.len().div_ceil((THREADS / 32) as usize), 0, ctx)?;
    let segments = ranges.len() as u64;
    let words = bits.words()?;
    // SAFETY: the caller has checked that the ranges lie inside the bits, two bounds for each; there is a
    // count for each.
    unsafe {
        let arguments = [(&words).into(), (&bounds).into(), segments.into(), (&mut counts).into()];
        kernel.launch(ctx.stream(), shape, &arguments)?;
    }
    Ok(counts)
}

pub(super) fn first_set_bit(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    let kernel = find_one::<u64>();
    let mut first = DeviceUVec::from_slice(&[bits.len() as u64], ctx)?;
    let shape = striding(&kernel, blocks(bits.len() / 32 + 1), 0, ctx)?;
    let (offset, len) = (bits.offset() as u64, bits.len() as u64);
    let words = bits.words()?;
    // SAFETY: `Bits` lie inside their words.
    unsafe {
        let arguments = [(&words).into(), offset.into(), len.into(), (&mut first).into()];
        kernel.launch(ctx.stream(), shape, &arguments)?;
    }
    Ok(DeviceScalar(first))
}

pub(super) fn set_bits(
    words: &mut DeviceSpanMut<u32>,
    range: Range<usize>,
    value: bool,
    ctx: &Context,
) -> Result<()> {
    let kernel = write_bits::<u32>();
    let shape = striding(&kernel, blocks(range.len() / 32 + 2), 0, ctx)?;
    let (begin, end) = (range.start as u64, range.end as u64);
    // SAFETY: the caller has checked that the range lies inside the words.
    unsafe {
        let arguments = [words.into(), begin.into(), end.into(), u32::from(value).into()];
        kernel.launch(ctx.stream(), shape, &arguments)
    }
}

pub(super) fn pack_bits(
    bytes: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let kernel = pack::<u16>();
    let mut out = DeviceUVec::<u32>::uninit(padded_words(bytes.len()), ctx)?;
    let mut ones = DeviceUVec::<u64>::zeroed(1, ctx)?;
    let halves = 2 * out.len();
    let shape = striding(&kernel, blocks(halves), 0, ctx)?;
    let mut places = out.span_mut().elements::<u16>()?;
    // SAFETY: `bytes` has `len` elements, `out` is as many halves of words as it is said to be.
    unsafe {
        let len = bytes.len() as u64;
        let arguments =
            [bytes.into(), len.into(), (&mut places).into(), (halves as u64).into(), (&mut ones).into()];
        kernel.launch(ctx.stream(), shape, &arguments)?;
    }
    Ok((out, DeviceScalar(ones)))
}

pub(super) fn unpack_bits(bits: &Bits, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let kernel = unpack::<u8>();
    let mut out = DeviceUVec::<u8>::uninit(bits.len(), ctx)?;
    let shape = striding(&kernel, blocks(bits.len().div_ceil(16)), 0, ctx)?;
    let (offset, len) = (bits.offset() as u64, bits.len() as u64);
    let words = bits.words()?;
    // SAFETY: `Bits` lie inside their words; there is a byte for each.
    unsafe {
        let arguments = [(&words).into(), offset.into(), len.into(), (&mut out).into()];
        kernel.launch(ctx.stream(), shape, &arguments)?;
    }
    Ok(out)
}
