//! Blocks of a morsel, and loops over them that keep a result for each of several lanes.

use bytemuck::cast_slice;
use cuprum_column::{DataType, Error, Native, Result, dispatch_storage};
use cuprum_elements::elements::{CHUNK, chunk_buffer, convert, each, widened};
use std::mem::MaybeUninit;

/// Values that are looked at together, by all that are collected: the first cache holds them. Divides a morsel, a
/// multiple of 64.
pub const BLOCK: usize = CHUNK;

/// Values that are added side by side: two of the widest vectors, so that one does not wait for the other.
pub(super) const LANES: usize = 16;

/// Values of a type, as they are stored: a [`BLOCK`] at most.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    /// The type of the values.
    pub data_type: DataType,
    /// Their bytes.
    pub values: &'a [u8],
    /// The validity of the values, from bit 0 on; `None` where all are valid.
    pub valid: Option<&'a [u64]>,
}

impl Block<'_> {
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.data_type.size().unwrap_or(1)
    }

    /// The number of valid values.
    fn num_valid(&self) -> usize {
        let valid = |(w, word): (usize, &u64)| {
            (word & bits_below(self.len().saturating_sub(w * 64))).count_ones() as usize
        };
        self.valid.map_or(self.len(), |words| words.iter().enumerate().map(valid).sum())
    }

    /// Calls `f` with the values, converted to `U` as by `as`; nulls are replaced by `fill`, NaN is left to `f`.
    pub(super) fn with<U: Native, R>(&self, fill: U, f: impl FnOnce(&[U]) -> R) -> Result<R> {
        let mut converted = chunk_buffer();
        let values = if self.data_type.storage() == U::DATA_TYPE.storage() {
            cast_slice(self.values)
        } else {
            let convert: fn(&[u8], &mut [MaybeUninit<U>]) = dispatch_storage!(self.data_type, S => {
                |values, out| each(cast_slice(values), out, convert::<S, U>)
            }, else => return Err(Error::data_type(format!("cannot compute with {}", self.data_type))));
            let converted = &mut converted[..self.len()];
            convert(self.values, converted);
            // SAFETY: `each` has filled all slots.
            unsafe { converted.assume_init_ref() }
        };
        let Some(words) = self.valid else { return Ok(f(values)) };
        let mut filled = [fill; BLOCK];
        let filled = &mut filled[..values.len()];
        fill_missing(words, values, fill, filled);
        Ok(f(filled))
    }
}

/// The lanes folded into one, in a fixed order.
#[inline(always)]
pub(super) fn fold_all<U: Copy>(mut lanes: [U; LANES], f: impl Fn(U, U) -> U) -> U {
    let mut half = LANES / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = f(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
pub(super) fn fold_lanes_plain<U: Native>(block: &[U], identity: U, f: impl Fn(U, U) -> U) -> U {
    if !U::IS_FLOAT {
        // In any order, which the compiler knows; lanes keep it from vectors.
        return block.iter().fold(identity, |folded, &value| f(folded, value));
    }
    let mut lanes = [identity; LANES];
    let (packs, rest) = block.as_chunks::<LANES>();
    for values in packs {
        // Into new lanes: what is changed in its place stays in memory, where it is waited for.
        let mut next = lanes;
        for lane in 0..LANES {
            let value = if values[lane].is_nan() { identity } else { values[lane] };
            next[lane] = f(lanes[lane], value);
        }
        lanes = next;
    }
    for (lane, &value) in lanes.iter_mut().zip(rest) {
        *lane = f(*lane, if value.is_nan() { identity } else { value });
    }
    fold_all(lanes, f)
}

widened! {
    /// Folds a block so that the loop can be vectorised, floats in lanes of a fixed order; NaN is `identity`.
    pub(super) fold_lanes is fold_lanes_plain [U: Native] (block: &[U], identity: U, f: impl Fn(U, U) -> U) -> U
}

#[inline(always)]
pub(super) fn sum_present_plain(block: &[f64], term: impl Fn(f64) -> f64) -> (u64, f64) {
    let (mut counts, mut sums) = ([0u64; LANES], [0.0; LANES]);
    let (packs, rest) = block.as_chunks::<LANES>();
    for values in packs {
        let mut next = (counts, sums);
        for lane in 0..LANES {
            let x = values[lane];
            next.0[lane] = counts[lane] + u64::from(!x.is_nan());
            next.1[lane] = sums[lane] + if x.is_nan() { 0.0 } else { term(x) };
        }
        (counts, sums) = next;
    }
    for ((count, sum), &x) in counts.iter_mut().zip(&mut sums).zip(rest) {
        *count += u64::from(!x.is_nan());
        *sum += if x.is_nan() { 0.0 } else { term(x) };
    }
    (counts.iter().sum(), fold_all(sums, |a, b| a + b))
}

widened! {
    /// The number of values of a block that are not NaN, and the sum of `term` of them, in the lanes of
    /// [`fold_lanes`].
    pub(super) sum_present is sum_present_plain [] (block: &[f64], term: impl Fn(f64) -> f64) -> (u64, f64)
}

#[inline(always)]
pub(super) fn sum_valid_plain(block: &[f64], words: &[u64]) -> (u64, f64) {
    let (mut counts, mut sums) = ([0u64; LANES], [0.0; LANES]);
    let (blocks, rest) = block.as_chunks::<64>();
    for (values, &word) in blocks.iter().zip(words) {
        // As in `fill_missing`; the values stay in registers.
        let mut filled = [f64::NAN; 64];
        for row in 0..64 {
            filled[row] = if word & (1 << row) != 0 { values[row] } else { f64::NAN };
        }
        for values in filled.as_chunks::<LANES>().0 {
            let mut next = (counts, sums);
            for lane in 0..LANES {
                let x = values[lane];
                next.0[lane] = counts[lane] + u64::from(!x.is_nan());
                next.1[lane] = sums[lane] + if x.is_nan() { 0.0 } else { x };
            }
            (counts, sums) = next;
        }
    }
    if let Some(&word) = words.get(blocks.len()) {
        for (row, &x) in rest.iter().enumerate() {
            let is_there = word >> row & 1 != 0 && !x.is_nan();
            counts[row % LANES] += u64::from(is_there);
            sums[row % LANES] += if is_there { x } else { 0.0 };
        }
    }
    (counts.iter().sum(), fold_all(sums, |a, b| a + b))
}

widened! {
    /// [`sum_present`] of the values themselves, of those under the set bits of `words`.
    pub(super) sum_valid is sum_valid_plain [] (block: &[f64], words: &[u64]) -> (u64, f64)
}

#[inline(always)]
pub(super) fn fill_missing_plain<U: Native>(words: &[u64], values: &[U], fill: U, out: &mut [U]) {
    // A loop of a constant length over the bits of one word: others become gathers.
    let (blocks, rest) = out.as_chunks_mut::<64>();
    let (blocks_of_values, rest_of_values) = values.as_chunks::<64>();
    for ((slots, values), &word) in blocks.iter_mut().zip(blocks_of_values).zip(words) {
        for lane in 0..64 {
            slots[lane] = if word & (1 << lane) != 0 { values[lane] } else { fill };
        }
    }
    if let Some(&word) = words.get(blocks.len()) {
        for (lane, (slot, value)) in rest.iter_mut().zip(rest_of_values).enumerate() {
            *slot = if word & (1 << lane) != 0 { *value } else { fill };
        }
    }
}

widened! {
    /// The values where the bits of `words` are set, `fill` elsewhere.
    pub(super) fill_missing is fill_missing_plain [U: Native] (words: &[u64], values: &[U], fill: U, out: &mut [U])
}

/// The number of values that are neither null nor NaN.
pub(super) fn count(block: &Block<'_>) -> Result<usize> {
    if !block.data_type.is_float() {
        return Ok(block.num_valid());
    }
    let count = |values: &[f64]| values.iter().map(|x| u64::from(!x.is_nan())).sum::<u64>();
    Ok(block.with(f64::NAN, count)? as usize)
}

/// As many low bits, all of them from 64 on.
pub(super) fn bits_below(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
