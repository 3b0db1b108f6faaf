//! Bits as kernels.

use std::ops::Range;

use super::mask::{Bits, BitwiseOperator, padded_words};
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::Result;
use crate::kernel::{Array, Grid, In, Out};
use crate::{kernel_names, kernels};

kernels! {
    pub static BITS: "bits.cu" where
        /// Threads of every block; as many as those of the other primitives.
        THREADS = 256,
        /// Words that a thread has in flight where it counts them.
        ITEMS = 16;

    fn combine_bits<O in [And, Or]>(
        masks: Array<Option<In<u32>>, MASKS>, begins: [u64; MASKS], count: u32, bits: usize, start: usize,
        out: Out<u32>, words: usize, ones: Option<Out<u64>>,
    );
    fn count_ones<Count in [u64]>(words: In<u32>, offset: usize, bits: usize, count: Out<Count>);
    fn count_segments<Count in [u64]>(
        words: In<u32>, bounds: In<u64>, segments: usize, counts: Out<Count>,
    );
    fn find_one<Position in [u64]>(words: In<u32>, offset: usize, bits: usize, first: Out<Position>);
    fn write_bits<Word in [u32]>(words: Out<Word>, begin: usize, end: usize, value: u32);
    fn pack<Half in [u16]>(bytes: In<u8>, n: usize, out: Out<Half>, halves: usize, ones: Out<u64>);
    fn unpack<Byte in [u8]>(words: In<u32>, offset: usize, bits: usize, out: Out<Byte>);
}

/// Words that a block has in flight.
const TILE: usize = (THREADS * ITEMS) as usize;

/// Masks that one launch combines.
const MASKS: usize = 8;

kernel_names! {
    struct And;
    struct Or;
}

pub(super) fn bitmask(
    masks: &[Bits],
    operator: BitwiseOperator,
    start: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let Some((first, rest)) = masks.split_at_checked(MASKS).filter(|(_, rest)| !rest.is_empty()) else {
        let mut ones = DeviceUVec::<u64>::zeroed(1, ctx)?;
        return Ok((combine(masks, operator, start, Some(&mut ones), ctx)?, DeviceScalar(ones)));
    };
    let combined = combine(first, operator, 0, None, &ctx.temporary()?)?;
    let combined = Bits::new(combined.span(), 0, masks[0].len())?;
    bitmask(&[&[combined], rest].concat(), operator, start, ctx)
}

pub(super) fn copy_bits(bits: &Bits, start: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    combine(std::slice::from_ref(bits), BitwiseOperator::And, start, None, ctx)
}

/// [`bitmask`] of at most [`MASKS`]; the number of ones is added to `ones`.
fn combine(
    masks: &[Bits],
    operator: BitwiseOperator,
    start: usize,
    ones: Option<&mut DeviceUVec<u64>>,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    let len = masks[0].len();
    let mut out = DeviceUVec::uninit(padded_words(start + len), ctx)?;
    let spans = masks.iter().map(Bits::words).collect::<Result<Vec<_>>>()?;
    let begins = std::array::from_fn(|m| masks.get(m).map_or(0, |mask| mask.offset() as u64));
    let spans = std::array::from_fn(|m| spans.get(m));
    let (count, words) = (masks.len() as u32, out.len());
    let grid = Grid::striding(words.div_ceil(4), THREADS);
    let launch = match operator {
        BitwiseOperator::And => combine_bits::<And>,
        BitwiseOperator::Or => combine_bits::<Or>,
    };
    // SAFETY: `Bits` lie inside their words, and the kernel reads no others; it looks at `count` of the
    // pointers. `out` has the words it is said to have.
    unsafe { launch(ctx, grid, spans, begins, count, len, start, &mut out, words, ones)? };
    Ok(out)
}

pub(super) fn count_bits(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    let mut count = DeviceUVec::zeroed(1, ctx)?;
    let (offset, len) = (bits.offset(), bits.len());
    let grid = Grid::resident((len / 32 + 1).div_ceil(TILE), THREADS);
    // SAFETY: `Bits` lie inside their words.
    unsafe { count_ones::<u64>(ctx, grid, &bits.words()?, offset, len, &mut count)? };
    Ok(DeviceScalar(count))
}

pub(super) fn segmented_count(
    bits: &Bits,
    ranges: &[Range<usize>],
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let bounds = ranges.iter().flat_map(|range| [range.start, range.end]);
    let bounds: Vec<u64> = bounds.map(|bound| (bits.offset() + bound) as u64).collect();
    let bounds = DeviceUVec::from_slice(&bounds, &ctx.temporary()?)?;
    let (segments, mut counts) = (ranges.len(), DeviceUVec::uninit(ranges.len(), ctx)?);
    let grid = Grid::striding(segments * 32, THREADS);
    // SAFETY: the caller has checked that the ranges lie inside the bits, two bounds for each; there is a
    // count for each.
    unsafe { count_segments::<u64>(ctx, grid, &bits.words()?, &bounds, segments, &mut counts)? };
    Ok(counts)
}

pub(super) fn first_set_bit(bits: &Bits, ctx: &Context) -> Result<DeviceScalar<u64>> {
    let mut first = DeviceUVec::from_slice(&[bits.len() as u64], ctx)?;
    let (offset, len, grid) = (bits.offset(), bits.len(), Grid::striding(bits.len() / 32 + 1, THREADS));
    // SAFETY: `Bits` lie inside their words.
    unsafe { find_one::<u64>(ctx, grid, &bits.words()?, offset, len, &mut first)? };
    Ok(DeviceScalar(first))
}

pub(super) fn set_bits(
    words: &mut DeviceSpanMut<u32>,
    range: Range<usize>,
    value: bool,
    ctx: &Context,
) -> Result<()> {
    let grid = Grid::striding(range.len() / 32 + 2, THREADS);
    // SAFETY: the caller has checked that the range lies inside the words.
    unsafe { write_bits::<u32>(ctx, grid, words, range.start, range.end, u32::from(value)) }
}

pub(super) fn pack_bits(
    bytes: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceScalar<u64>)> {
    let mut out = DeviceUVec::<u32>::uninit(padded_words(bytes.len()), ctx)?;
    let mut ones = DeviceUVec::<u64>::zeroed(1, ctx)?;
    let (len, halves) = (bytes.len(), 2 * out.len());
    let mut places = out.span_mut().elements::<u16>()?;
    let grid = Grid::striding(halves, THREADS);
    // SAFETY: `bytes` has `len` elements, `out` is as many halves of words as it is said to be.
    unsafe { pack::<u16>(ctx, grid, bytes, len, &mut places, halves, &mut ones)? };
    Ok((out, DeviceScalar(ones)))
}

pub(super) fn unpack_bits(bits: &Bits, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let (offset, len, mut out) = (bits.offset(), bits.len(), DeviceUVec::uninit(bits.len(), ctx)?);
    let grid = Grid::striding(len.div_ceil(16), THREADS);
    // SAFETY: `Bits` lie inside their words; there is a byte for each.
    unsafe { unpack::<u8>(ctx, grid, &bits.words()?, offset, len, &mut out)? };
    Ok(out)
}
