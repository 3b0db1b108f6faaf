//! Radix sort on the host: one scatter into ranges of keys that fit the cache, then each of them there.
//!
//! The ranges lie where a sample finds most of the keys, with one range for all keys below and one for all
//! above, so a few far-off keys cost nothing. They are equally wide, or ever wider where keys crowd at the
//! low end. A range that still has too many keys for the cache is sorted in the same way again.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Pod;

use super::super::cpu::places_of;
use super::key::{Payload, RadixKey};
use crate::context::Context;
use crate::device_uvec::{DeviceSpan, DeviceUVec};
use crate::error::{Error, Result};
use crate::host_uvec::{HostUVec, OutputSlice};
use crate::host_vec;
use crate::parallel::{self, MORSEL};
use crate::random::Random;

/// So many keys are sorted in the cache, by one thread.
const CACHED: usize = 2 * MORSEL;
/// So many keys are meant to be in one range.
const KEYS_PER_RANGE: usize = 8 << 10;
/// Enough for one of each power of two, and two at the ends.
const FEWEST_RANGES: usize = 128;
/// With more of them the scatter writes to more places than the processor keeps at hand.
const MOST_RANGES: usize = 2048;
const SAMPLED: usize = 2048;
/// So few keys are sorted by insertion.
const FEW: usize = 24;
/// The widest digit of a pass in the cache; its counts fit the first level.
const DIGIT_BITS: u32 = 11;

pub(super) fn sort_keys<K: RadixKey>(
    keys: &DeviceSpan<K>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<DeviceUVec<K>> {
    let keys = keys.as_host_slice()?;
    let mut sorted = DeviceUVec::uninit(keys.len(), ctx)?;
    // A payload without bytes: nothing is moved for it.
    let (nothing, mut moved) = (vec![(); keys.len()], vec![(); keys.len()]);
    sort((keys, &nothing), (sorted.as_host_slice_mut()?, &mut moved), Field::of_bits(&bits), ctx)?;
    Ok(sorted)
}

pub(super) fn sort_pairs<K: RadixKey, P: Payload>(
    keys: &DeviceSpan<K>,
    payload: &DeviceSpan<P>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<(DeviceUVec<K>, DeviceUVec<P>)> {
    let mut sorted_keys = DeviceUVec::uninit(keys.len(), ctx)?;
    let mut sorted_payload = DeviceUVec::uninit(keys.len(), ctx)?;
    let from = (keys.as_host_slice()?, payload.as_host_slice()?);
    let to = (sorted_keys.as_host_slice_mut()?, sorted_payload.as_host_slice_mut()?);
    sort(from, to, Field::of_bits(&bits), ctx)?;
    Ok((sorted_keys, sorted_payload))
}

/// The bits of a key that count.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    mask: u64,
}

impl Field {
    fn of_bits(bits: &Range<u32>) -> Self {
        match 64 - bits.len() as u32 {
            // No bits: all keys are equal.
            64 => Self { shift: 0, mask: 0 },
            unused => Self { shift: bits.start, mask: u64::MAX >> unused },
        }
    }

    #[inline(always)]
    fn of<K: RadixKey>(self, key: K) -> u64 {
        key.into() >> self.shift & self.mask
    }
}

/// Keys and payload from one place, sorted, to another.
fn sort<K: RadixKey, P: Pod + Send + Sync>(
    from: (&[K], &[P]),
    to: (&mut [K], &mut [P]),
    field: Field,
    ctx: &Context,
) -> Result<()> {
    let len = from.0.len();
    if is_sorted(from.0, field, ctx)? {
        return copy(from, to, ctx);
    }
    if len <= CACHED {
        to.0.copy_from_slice(from.0);
        to.1.copy_from_slice(from.1);
        let mut scratch = Scratch::new(len, ctx)?;
        sort_cached(to.0, to.1, &mut scratch.keys, &mut scratch.payload, field);
        return Ok(());
    }
    let ranges = KeyRanges::sampled(from.0, field);
    let to = (OutputSlice::new(to.0), OutputSlice::new(to.1));
    let bounds = scatter(from, to, field, &ranges, ctx)?;
    // Neighbouring ranges that are worth a task together.
    let tasks = groups(&bounds, CACHED.max(len / (16 * parallel::num_threads())));
    parallel::for_ranges(tasks.len(), 1, ctx, &|task| {
        let mut scratch = None;
        for range in tasks[task.start].clone().filter(|&range| !ranges.is_one_value(range)) {
            let places = bounds[range]..bounds[range + 1];
            // SAFETY: each range is in one task, and its places are its own.
            let (keys, payload) =
                unsafe { (places_of(&to.0, places.clone()), places_of(&to.1, places.clone())) };
            if places.len() <= CACHED {
                let scratch = match &mut scratch {
                    Some(scratch) => scratch,
                    none => none.insert(Scratch::new(CACHED, ctx)?),
                };
                sort_cached(keys, payload, &mut scratch.keys, &mut scratch.payload, field);
            } else {
                let copies = (HostUVec::from_slice(keys, ctx)?, HostUVec::from_slice(payload, ctx)?);
                sort((&*copies.0, &*copies.1), (keys, payload), field, ctx)?;
            }
        }
        Ok(())
    })
}

/// Whether keys ascend already, equal ones among them. Costs next to nothing where they do not.
fn is_sorted<K: RadixKey>(keys: &[K], field: Field, ctx: &Context) -> Result<bool> {
    let is_sorted = AtomicBool::new(true);
    parallel::for_ranges(keys.len(), MORSEL, ctx, &|range| {
        // With the last key of the morsel before.
        let keys = &keys[range.start.saturating_sub(1)..range.end];
        if is_sorted.load(Ordering::Relaxed) && !keys.is_sorted_by_key(|&key| field.of(key)) {
            is_sorted.store(false, Ordering::Relaxed);
        }
        Ok(())
    })?;
    Ok(is_sorted.into_inner())
}

fn copy<K: RadixKey, P: Pod + Send + Sync>(
    from: (&[K], &[P]),
    to: (&mut [K], &mut [P]),
    ctx: &Context,
) -> Result<()> {
    let to = (OutputSlice::new(to.0), OutputSlice::new(to.1));
    parallel::for_ranges(from.0.len(), MORSEL, ctx, &|range| {
        // SAFETY: the ranges are disjoint and lie inside both.
        unsafe {
            to.0.slice(range.clone()).write_copy_of_slice(&from.0[range.clone()]);
            to.1.slice(range.clone()).write_copy_of_slice(&from.1[range]);
        }
        Ok(())
    })
}

/// Ranges of keys, ascending: one below `low`, then those of the scale, and the last one for the rest.
struct KeyRanges {
    low: u64,
    scale: Scale,
    count: usize,
}

/// The width of ranges, in order of the distance from the lowest one.
#[derive(Clone, Copy)]
enum Scale {
    /// All of `2^shift` values.
    Even { shift: u32 },
    /// `2^bits` ranges for each power of two: fine for near values, coarse for far ones.
    Logarithmic { bits: u32 },
}

impl Scale {
    #[inline(always)]
    fn range_of(self, distance: u64) -> u64 {
        match self {
            Self::Even { shift } => distance >> shift,
            Self::Logarithmic { bits } => {
                let shift = (distance | 1 << bits).ilog2() - bits;
                (u64::from(shift) << bits) + (distance >> shift)
            }
        }
    }

    /// The number of the first ranges that have one value each.
    fn ranges_of_one_value(self) -> u64 {
        match self {
            Self::Even { shift: 0 } => u64::MAX,
            Self::Even { .. } => 0,
            Self::Logarithmic { bits } => 2 << bits,
        }
    }

    /// The number of values of a sorted sample in the fullest range that could have been divided.
    fn fullest(self, sample: &[u64], low: u64) -> usize {
        let range_of = |value: u64| self.range_of(value.saturating_sub(low));
        let ranges = sample.chunk_by(|&a, &b| range_of(a) == range_of(b));
        let divisible = ranges.filter(|values| range_of(values[0]) >= self.ranges_of_one_value());
        divisible.map(<[u64]>::len).max().unwrap_or(0)
    }
}

impl KeyRanges {
    fn sampled<K: RadixKey>(keys: &[K], field: Field) -> Self {
        let mut random = Random(keys.len() as u64);
        let mut sample: Vec<u64> =
            (0..SAMPLED).map(|_| field.of(keys[random.below(keys.len() as u64) as usize])).collect();
        sample.sort_unstable();
        let (mut low, mut high) = (sample[0], sample[SAMPLED - 1]);
        // Long tails are left to the ranges at the ends.
        let (most_low, most_high) = (sample[SAMPLED / 128], sample[SAMPLED - 1 - SAMPLED / 128]);
        if most_high - most_low < (high - low) / 4 {
            (low, high) = (most_low, most_high);
        }
        let count = (keys.len() / KEYS_PER_RANGE).next_power_of_two().clamp(FEWEST_RANGES, MOST_RANGES);
        let fits = |scale: &Scale| scale.range_of(high - low) <= count as u64 - 3;
        let even = (0..64).map(|shift| Scale::Even { shift }).find(fits);
        let logarithmic = (0..DIGIT_BITS).rev().map(|bits| Scale::Logarithmic { bits }).find(fits);
        let scales = even.into_iter().chain(logarithmic);
        let scale = scales.min_by_key(|scale| scale.fullest(&sample, low) / (SAMPLED / 8));
        Self { low, scale: scale.unwrap_or(Scale::Even { shift: 63 }), count }
    }

    #[inline(always)]
    fn range_of(&self, value: u64) -> usize {
        let (distance, is_below) = value.overflowing_sub(self.low);
        let range = self.scale.range_of(distance).min(self.count as u64 - 2) as usize + 1;
        if is_below { 0 } else { range }
    }

    /// Whether all keys of a range are equal.
    fn is_one_value(&self, range: usize) -> bool {
        0 < range && range < self.count - 1 && range as u64 <= self.scale.ranges_of_one_value()
    }
}

/// Moves everything to its range, in order within each; returns where the ranges begin, and the end.
fn scatter<K: RadixKey, P: Pod + Send + Sync>(
    from: (&[K], &[P]),
    to: (OutputSlice<K>, OutputSlice<P>),
    field: Field,
    ranges: &KeyRanges,
    ctx: &Context,
) -> Result<Vec<usize>> {
    // More parts than threads, so that a thread that is kept waiting does not hold up the rest.
    let len = from.0.len();
    let step = len.div_ceil(4 * parallel::num_threads()).next_multiple_of(MORSEL);
    let mut counts = parallel::map_ranges(len, step, ctx, |part| {
        let mut counts = [0usize; MOST_RANGES];
        for &key in &from.0[part] {
            counts[ranges.range_of(field.of(key)) % MOST_RANGES] += 1;
        }
        Ok(counts)
    })?;
    let mut bounds = Vec::with_capacity(ranges.count + 1);
    let mut place = 0;
    for range in 0..ranges.count {
        bounds.push(place);
        for counts in &mut counts {
            place += std::mem::replace(&mut counts[range], place);
        }
    }
    bounds.push(place);
    assert_eq!(place, len, "every key has one range");
    parallel::for_ranges(len, step, ctx, &|part| {
        // Others may write to the keys meanwhile: each range has the places that were counted for it here.
        let block = part.start / step;
        let mut places = host_vec::filled((0, 0), MOST_RANGES)?;
        for (range, places) in places[..ranges.count].iter_mut().enumerate() {
            let end = counts.get(block + 1).map_or(bounds[range + 1], |counts| counts[range]);
            *places = (counts[block][range], end);
        }
        let (keys, payload) = (&from.0[part.clone()], &from.1[part]);
        for (&key, &value) in keys.iter().zip(payload) {
            let (next, end) = &mut places[ranges.range_of(field.of(key)) % MOST_RANGES];
            if *next < *end {
                // SAFETY: ends are below or at `len`, and no place is in the ranges of two.
                unsafe {
                    to.0.write(*next, key);
                    to.1.write(*next, value);
                }
                *next += 1;
            }
        }
        if places.iter().all(|(next, end)| next == end) {
            Ok(())
        } else {
            Err(Error::logic("`keys` were written to while they were being sorted"))
        }
    })?;
    Ok(bounds)
}

/// Consecutive ranges that have at least `enough` keys together.
fn groups(bounds: &[usize], enough: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut first = 0;
    for end in 1..bounds.len() {
        if bounds[end] - bounds[first] >= enough || end == bounds.len() - 1 {
            groups.push(first..end);
            first = end;
        }
    }
    groups
}

/// Room for as much again as is sorted in the cache.
struct Scratch<K: RadixKey, P: Pod> {
    keys: HostUVec<K>,
    payload: HostUVec<P>,
}

impl<K: RadixKey, P: Pod + Send + Sync> Scratch<K, P> {
    fn new(len: usize, ctx: &Context) -> Result<Self> {
        Ok(Self { keys: HostUVec::zeroed(len, ctx)?, payload: HostUVec::zeroed(len, ctx)? })
    }
}

/// Sorts in place; the scratch is at least as long.
///
/// One or two counting passes over the highest bits in which keys differ, as many as separate almost all
/// keys; ties in these are sorted on their own.
fn sort_cached<K: RadixKey, P: Pod>(
    keys: &mut [K],
    payload: &mut [P],
    scratch_keys: &mut [K],
    scratch_payload: &mut [P],
    field: Field,
) {
    let len = keys.len();
    if len <= FEW {
        return insert(keys, payload, field);
    }
    let first = field.of(keys[0]);
    let differing = keys.iter().fold(0, |bits, &key| bits | (field.of(key) ^ first));
    if differing == 0 {
        return;
    }
    let high = u64::BITS - differing.leading_zeros();
    let telling = usize::BITS - len.leading_zeros() + 3;
    let low = high.saturating_sub(telling.min(2 * DIGIT_BITS)).max(differing.trailing_zeros());
    let (scratch_keys, scratch_payload) = (&mut scratch_keys[..len], &mut scratch_payload[..len]);
    let bits = high - low;
    if bits <= 8 {
        let digit = Digit { field, shift: low, bits };
        digit.pass(keys, payload, scratch_keys, scratch_payload);
        keys.copy_from_slice(scratch_keys);
        payload.copy_from_slice(scratch_payload);
    } else {
        let lower = Digit { field, shift: low, bits: bits / 2 };
        let upper = Digit { field, shift: low + bits / 2, bits: bits.div_ceil(2) };
        lower.pass(keys, payload, scratch_keys, scratch_payload);
        upper.pass(scratch_keys, scratch_payload, keys, payload);
    }
    if differing & ((1 << low) - 1) == 0 {
        return;
    }
    let mut start = 0;
    while start < len {
        let ties =
            keys[start..].iter().take_while(|&&key| field.of(key) >> low == field.of(keys[start]) >> low);
        let end = start + ties.count();
        if end - start > 1 {
            let (keys, payload) = (&mut keys[start..end], &mut payload[start..end]);
            sort_cached(keys, payload, scratch_keys, scratch_payload, field);
        }
        start = end;
    }
}

/// Some of the bits that count.
#[derive(Clone, Copy)]
struct Digit {
    field: Field,
    shift: u32,
    bits: u32,
}

impl Digit {
    #[inline(always)]
    fn of<K: RadixKey>(self, key: K) -> usize {
        (self.field.of(key) >> self.shift) as usize & ((1 << self.bits) - 1)
    }

    /// Moves everything to where its digit belongs, in order within each digit.
    fn pass<K: RadixKey, P: Pod>(self, keys: &[K], payload: &[P], to_keys: &mut [K], to_payload: &mut [P]) {
        const MASK: usize = (1 << DIGIT_BITS) - 1;
        let mut places = [0u32; 1 << DIGIT_BITS];
        for &key in keys {
            places[self.of(key) & MASK] += 1;
        }
        let mut place = 0;
        for count in &mut places[..1 << self.bits] {
            place += std::mem::replace(count, place);
        }
        for (&key, &value) in keys.iter().zip(payload) {
            let place = &mut places[self.of(key) & MASK];
            to_keys[*place as usize] = key;
            to_payload[*place as usize] = value;
            *place += 1;
        }
    }
}

/// Insertion sort, for few keys.
fn insert<K: RadixKey, P: Pod>(keys: &mut [K], payload: &mut [P], field: Field) {
    for i in 1..keys.len() {
        let (key, value) = (keys[i], payload[i]);
        let mut hole = i;
        while hole > 0 && field.of(keys[hole - 1]) > field.of(key) {
            keys[hole] = keys[hole - 1];
            payload[hole] = payload[hole - 1];
            hole -= 1;
        }
        keys[hole] = key;
        payload[hole] = value;
    }
}
