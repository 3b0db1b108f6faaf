//! Radix sort as kernels: memory, plan and passes.

use std::ops::Range;

use super::key::{Payload, RadixKey};
use crate::context::Context;
use crate::device_uvec::{DeviceSpan, DeviceUVec};
use crate::error::Result;
use crate::kernel::{Grid, In, KernelName, KernelType, Out};
use crate::{kernel_names, kernels};

kernels! {
    pub static RADIX_SORT: "radix_sort.cu" where
        /// Threads of every block, one for each digit.
        THREADS = 256,
        /// Threads of the blocks that count digits.
        COUNTING_THREADS = 512,
        /// Keys of at most 4 bytes that a thread has in flight.
        KEYS_OF_4 = 32,
        /// Keys of 8 bytes that a thread has in flight.
        KEYS_OF_8 = 20,
        /// Keys with payload, both of at most 4 bytes, that a thread has in flight.
        PAIRS_OF_4 = 24,
        /// The same where one of them has 8.
        PAIRS_OF_8 = 25;

    fn count_digits<K in [u8, u16, u32, u64]>(
        keys: In<K>, n: usize, begin: u32, end: u32, counts: Out<u64>,
    );
    fn plan_passes<Count in [u64]>(
        counts: In<Count>, n: usize, passes: u32, places: Out<u64>, stride: usize, moves: Out<u32>,
    );
    fn sort_pass<K in [u8, u16, u32, u64], P in [u32, u64], What in [KeysAlone, WithPayload]>(
        keys: In<K>, payload: Option<In<P>>, result_keys: Out<K>, result_payload: Option<Out<P>>,
        spare_keys: Out<K>, spare_payload: Option<Out<P>>, first: usize, end: usize, begin_bit: u32,
        end_bit: u32, pass: u32, slot: u32, moves: In<u32>, places: Out<u64>, tickets: Out<u64>,
        words: Out<u32>,
    );
}

kernel_names! {
    struct KeysAlone;
    struct WithPayload;
}

const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 1 << DIGIT_BITS;

/// The most elements of one launch: blocks publish counts of 30 bits.
const PORTION: usize = 1 << 29;

pub(super) fn sort_keys<K: RadixKey>(
    keys: &DeviceSpan<K>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<DeviceUVec<K>> {
    Ok(sort::<K, u32, KeysAlone>(keys, None, bits, PORTION, ctx)?.0)
}

pub(super) fn sort_pairs<K: RadixKey, P: Payload>(
    keys: &DeviceSpan<K>,
    payload: &DeviceSpan<P>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<(DeviceUVec<K>, DeviceUVec<P>)> {
    sort_in_portions(keys, payload, bits, PORTION, ctx)
}

/// [`sort_pairs`] with at most so many elements in a launch.
pub(super) fn sort_in_portions<K: RadixKey, P: Payload>(
    keys: &DeviceSpan<K>,
    payload: &DeviceSpan<P>,
    bits: Range<u32>,
    most: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<K>, DeviceUVec<P>)> {
    let payload = payload.cast();
    let (keys, payload) = sort::<K, P::Bits, WithPayload>(keys, Some(&payload), bits, most, ctx)?;
    Ok((keys, payload.map_or_else(|| DeviceUVec::uninit(0, ctx), |payload| Ok(payload.cast()))?))
}

/// Elements of one tile, and bytes of each that pass through shared memory.
fn tile<K, P>(has_payload: bool) -> (usize, usize) {
    let bytes = if has_payload { size_of::<K>().max(size_of::<P>()) } else { size_of::<K>() };
    let items = match (has_payload, bytes) {
        (false, 8) => KEYS_OF_8,
        (false, _) => KEYS_OF_4,
        (true, 8) => PAIRS_OF_8,
        (true, _) => PAIRS_OF_4,
    };
    ((THREADS * items) as usize, bytes)
}

/// The elements of each launch of a pass: whole tiles, and no more than `most` elements unless one tile
/// has more.
fn portions(len: usize, tile: usize, most: usize) -> impl ExactSizeIterator<Item = Range<usize>> + Clone {
    let step = (most / tile).max(1) * tile;
    (0..len.div_ceil(step)).map(move |i| i * step..len.min((i + 1) * step))
}

/// The sorted keys, and the sorted payload where there is one.
fn sort<K: RadixKey, P: KernelType, What: KernelName>(
    keys: &DeviceSpan<K>,
    payload: Option<&DeviceSpan<P>>,
    bits: Range<u32>,
    most: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<K>, Option<DeviceUVec<P>>)> {
    let (len, passes) = (keys.len(), bits.len().div_ceil(DIGIT_BITS as usize));
    if len == 0 || passes == 0 {
        return Ok((keys.copy(ctx)?, payload.map(|payload| payload.copy(ctx)).transpose()?));
    }
    let temporary = ctx.temporary()?;
    let vector = |len, ctx| payload.map(|_| DeviceUVec::<P>::uninit(len, ctx)).transpose();
    let (mut result_keys, mut result_payload) = (DeviceUVec::<K>::uninit(len, ctx)?, vector(len, ctx)?);
    // A single pass goes straight to the result.
    let spare_len = if passes == 1 { 0 } else { len };
    let mut spare_keys = DeviceUVec::<K>::uninit(spare_len, &temporary)?;
    let mut spare_payload = vector(spare_len, &temporary)?;

    let (tile, bytes) = tile::<K, P>(payload.is_some());
    // The elements of a tile, and two numbers of each warp for each digit.
    let shared_bytes = (tile * bytes + THREADS as usize / 32 * DIGITS * 2 * 4) as u32;
    let portions = portions(len, tile, most);
    // Slots of one pass: one for each launch, and one for the final places of the last launch.
    let slots = portions.len() + 1;
    let mut moves = DeviceUVec::<u32>::uninit(2 * passes, &temporary)?;
    let mut places = DeviceUVec::<u64>::uninit(passes * slots * DIGITS, &temporary)?;
    let mut tickets = DeviceUVec::<u64>::zeroed(passes * slots, &temporary)?;
    plan(keys, &bits, slots, &mut places, &mut moves, ctx)?;
    for pass in 0..passes {
        for (i, portion) in portions.clone().enumerate() {
            let blocks = portion.len().div_ceil(tile);
            let mut words = DeviceUVec::<u32>::zeroed(blocks * DIGITS, &temporary)?;
            // SAFETY: keys, payload, results and, where there are two passes, spares have `len`
            // elements; the plan made of these keys leads to distinct places among them; words and
            // tickets are zero.
            unsafe {
                sort_pass::<K, P, What>(
                    ctx,
                    Grid::of(blocks, THREADS).with_shared_bytes(shared_bytes),
                    keys,
                    payload,
                    &mut result_keys,
                    result_payload.as_mut(),
                    &mut spare_keys,
                    spare_payload.as_mut(),
                    portion.start,
                    portion.end,
                    bits.start,
                    bits.end,
                    pass as u32,
                    (pass * slots + i) as u32,
                    &moves,
                    &mut places,
                    &mut tickets,
                    &mut words,
                )?;
            }
        }
    }
    Ok((result_keys, result_payload))
}

/// Counts the digits of all passes at once, and plans each pass: the first places of digits in
/// the first slot of a pass, and the buffers it reads and writes. Decided on the GPU, so nobody waits.
fn plan<K: RadixKey>(
    keys: &DeviceSpan<K>,
    bits: &Range<u32>,
    slots: usize,
    places: &mut DeviceUVec<u64>,
    moves: &mut DeviceUVec<u32>,
    ctx: &Context,
) -> Result<()> {
    let passes = moves.len() / 2;
    let mut counts = DeviceUVec::<u64>::zeroed(passes * DIGITS, &ctx.temporary()?)?;
    let (len, stride) = (keys.len(), slots * DIGITS);
    let grid =
        Grid::resident(len.div_ceil(COUNTING_THREADS as usize * 64 / size_of::<K>()), COUNTING_THREADS)
            .with_shared_bytes((passes * DIGITS * 4) as u32);
    // SAFETY: `counts` and the bins have as many digits as the bits make passes, `places` has `slots` for each
    // pass, `moves` two buffers.
    unsafe {
        count_digits::<K>(ctx, grid, keys, len, bits.start, bits.end, &mut counts)?;
        plan_passes::<u64>(ctx, Grid::of(1, THREADS), &counts, len, passes as u32, places, stride, moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches stay within the counts of blocks, and cover everything, where 32 bits would not hold
    /// the length.
    #[test]
    fn portions_of_lengths_beyond_31_bits() {
        let (tile, _) = tile::<u64, u32>(true);
        for len in [1, PORTION, PORTION + 1, (1usize << 31) + 1, (1 << 33) - 5, 1 << 40] {
            let mut end = 0;
            for portion in portions(len, tile, PORTION) {
                assert_eq!(portion.start, end, "{len}");
                assert!(portion.len() <= PORTION && portion.start % tile == 0, "{len}: {portion:?}");
                end = portion.end;
            }
            assert_eq!(end, len);
        }
    }
}
