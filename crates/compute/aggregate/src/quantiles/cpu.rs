//! Selection on the CPU: values become integers in the same order; a histogram of their leading bits
//! leaves the few candidates of one digit, until they are few enough to select in memory.

use cuprum_column::null_mask::SetBits;
use cuprum_column::{Column, Context, DataType, Error, HostUVec, Native, Result, Scalar, dispatch_storage};
use cuprum_runtime::parallel;
use rayon::prelude::*;

use super::{Interpolation, check_fraction};
use cuprum_elements::elements::time_scalar;
use cuprum_elements::selection::{Selection, present_words};
use cuprum_keys::ordered_bits::Ordered;

const SIGN: u64 = 1 << 63;

/// The value of a key as `f64`.
fn value_f64(data_type: DataType, key: u64) -> f64 {
    dispatch_storage!(data_type, T => T::from_ordered(key).as_f64(), else => f64::NAN)
}

/// The keys of the values that are not missing, in the order of the rows. Fails with `Unsupported` for
/// types that no key of 64 bits stands for.
pub(crate) fn present_keys(column: &Column, ctx: &Context) -> Result<HostUVec<u64>> {
    let len = column.len();
    dispatch_storage!(column.data_type(), T => {
        let view = column.view()?;
        let values = view.values::<T>()?;
        if !column.has_nulls() && !T::IS_FLOAT {
            return HostUVec::from_fn(len, ctx, |i| values[i].ordered());
        }
        let words = present_words(&[column], 1, true, len, ctx)?;
        let selection = Selection::new(words, len, ctx)?;
        let mut keys = HostUVec::<u64>::uninit(selection.count(), ctx)?;
        let out = keys.output();
        selection.for_each_morsel(ctx, &|first, words, start| {
            let mut at = start;
            for (w, word) in words.iter().enumerate() {
                for bit in SetBits(*word) {
                    // SAFETY: morsels write as many keys as they have bits, one after the other.
                    unsafe { out.write(at, values[first + w * 64 + bit].ordered()) };
                    at += 1;
                }
            }
        })?;
        // SAFETY: the morsels' counts add up to the length.
        Ok(unsafe { keys.assume_init() })
    }, else => Err(Error::unsupported(format!("values of type {} as keys", column.data_type()))))
}

/// The keys at positions `k` and `k + 1` (or `k` again, at the end) of the sorted `keys`.
fn select(keys: &[u64], k: usize, ctx: &Context) -> Result<(u64, u64)> {
    let kth = select_one(keys, k, ctx)?;
    let above = parallel::map_morsels(keys.len(), ctx, |range| {
        let mut count = 0;
        let mut least = u64::MAX;
        for &key in &keys[range] {
            count += usize::from(key <= kth);
            least = if key > kth && key < least { key } else { least };
        }
        Ok((count, least))
    })?;
    let (count, least) = above.into_iter().fold((0, u64::MAX), |(c, l), (n, m)| (c + n, l.min(m)));
    Ok((kth, if count > k + 1 || k + 1 == keys.len() { kth } else { least }))
}

fn select_one(keys: &[u64], mut k: usize, ctx: &Context) -> Result<u64> {
    const SMALL: usize = 1 << 15;
    const DIGIT: u32 = 11;
    let step = 8 * parallel::MORSEL;
    let mut owned: Vec<u64>;
    let mut keys = keys;
    while keys.len() > SMALL {
        let ends = parallel::map_ranges(keys.len(), step, ctx, |range| {
            Ok(keys[range].iter().fold((u64::MAX, 0), |(low, high), &key| (key.min(low), key.max(high))))
        })?;
        let (low, high) = ends.into_iter().fold((u64::MAX, 0), |(l, h), (a, b)| (l.min(a), h.max(b)));
        if low == high {
            return Ok(low);
        }
        let shift = (64 - (high - low).leading_zeros()).saturating_sub(DIGIT);
        let histograms = parallel::map_ranges(keys.len(), step, ctx, |range| {
            let mut counts = vec![0usize; 1 << DIGIT];
            keys[range].iter().for_each(|&key| counts[((key - low) >> shift) as usize] += 1);
            Ok(counts)
        })?;
        let mut digit = 0;
        loop {
            let count: usize = histograms.iter().map(|h| h[digit]).sum();
            if k < count {
                break;
            }
            k -= count;
            digit += 1;
        }
        let parts = parallel::map_ranges(keys.len(), step, ctx, |range| {
            let inside = |key: &u64| ((key - low) >> shift) as usize == digit;
            Ok(keys[range].iter().copied().filter(inside).collect::<Vec<_>>())
        })?;
        owned = parts.concat();
        keys = &owned;
        if shift == 0 {
            return Ok(low + digit as u64);
        }
    }
    let mut few = keys.to_vec();
    Ok(*few.select_nth_unstable(k).1)
}

/// The position of a quantile among `n` values: the lower position and the fraction beyond it.
#[inline]
pub fn position(n: usize, q: f64) -> (usize, f64) {
    let place = (n - 1) as f64 * q;
    let lower = place.floor();
    (lower as usize, place - lower)
}

/// The position of the element that a quantile is: the one above where an interpolation goes up.
pub(crate) fn place(n: usize, q: f64, interpolation: Interpolation) -> usize {
    let (k, fraction) = position(n, q);
    let up = match interpolation {
        Interpolation::Higher => fraction > 0.0,
        Interpolation::Nearest => goes_up(k, fraction),
        _ => false,
    };
    (k + usize::from(up)).min(n - 1)
}

/// Whether the nearer of two neighbours is the upper one.
fn goes_up(k: usize, fraction: f64) -> bool {
    fraction > 0.5 || (fraction == 0.5 && k % 2 == 1)
}

/// See [`super::quantile`]; the fractions are in range.
pub(super) fn quantile(
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Column> {
    let mut keys = present_keys(column, ctx)?;
    if keys.is_empty() {
        return Column::nulls(DataType::Float64, q.len(), ctx);
    }
    // A selection reads the keys several times: a sort serves many fractions better.
    let sorted = q.len() > 3;
    if sorted {
        let keys: &mut [u64] = &mut keys;
        parallel::install(|| keys.par_sort_unstable());
    }
    let data_type = column.data_type();
    let mut results = Vec::with_capacity(q.len());
    for &q in q {
        let (k, fraction) = position(keys.len(), q);
        let ends = if sorted { (keys[k], keys[(k + 1).min(keys.len() - 1)]) } else { select(&keys, k, ctx)? };
        results.push(interpolated(data_type, ends, (k, fraction), interpolation));
    }
    Column::from_slice(&results, ctx)
}

/// The quantile so far behind position `k` as the fraction says, between the keys there and behind.
pub(crate) fn interpolated(
    data_type: DataType,
    (low, high): (u64, u64),
    (k, fraction): (usize, f64),
    interpolation: Interpolation,
) -> f64 {
    let (low, high) = (value_f64(data_type, low), value_f64(data_type, high));
    match interpolation {
        Interpolation::Linear => between(low, high, fraction),
        _ if fraction == 0.0 => low,
        Interpolation::Lower => low,
        Interpolation::Higher => high,
        Interpolation::Midpoint => between(low, high, 0.5),
        Interpolation::Nearest if goes_up(k, fraction) => high,
        Interpolation::Nearest => low,
    }
}

/// [`interpolated`] of times, in ticks, rounded towards zero.
#[inline]
pub fn tick((low, high): (u64, u64), (k, fraction): (usize, f64), interpolation: Interpolation) -> i64 {
    let (low, high) = ((low ^ SIGN) as i64, (high ^ SIGN) as i64);
    match interpolation {
        _ if fraction == 0.0 => low,
        Interpolation::Lower => low,
        Interpolation::Higher => high,
        Interpolation::Nearest if goes_up(k, fraction) => high,
        Interpolation::Nearest => low,
        Interpolation::Midpoint => ticks_between(low.into(), high.into(), 0.5) as i64,
        Interpolation::Linear => ticks_between(low.into(), high.into(), fraction) as i64,
    }
}

/// `low + (high - low) * fraction`, from the nearer end, as `NumPy` does it.
#[inline]
pub fn between(low: f64, high: f64, fraction: f64) -> f64 {
    if low == high || fraction == 0.0 {
        low
    } else if low.is_infinite() || high.is_infinite() {
        // The infinite one, or NaN between the two infinities.
        low + high
    } else if fraction < 0.5 {
        low + (high - low) * fraction
    } else {
        high - (high - low) * (1.0 - fraction)
    }
}

/// One quantile with linear interpolation as a scalar: `Float64` for numbers; times keep their type, see
/// [`ticks_between`].
pub(crate) fn one(column: &Column, q: f64, ctx: &Context) -> Result<Scalar> {
    check_fraction(q)?;
    let data_type = column.data_type();
    let time = data_type.is_timestamp() || data_type.is_duration();
    let keys = present_keys(column, ctx)?;
    if keys.is_empty() {
        return Ok(Scalar::null(if time { data_type } else { DataType::Float64 }));
    }
    let (k, fraction) = position(keys.len(), q);
    scalar_between(data_type, select(&keys, k, ctx)?, fraction)
}

/// The value at a fraction between two neighbours, see [`one`].
pub(super) fn scalar_between(data_type: DataType, (low, high): (u64, u64), fraction: f64) -> Result<Scalar> {
    if !(data_type.is_timestamp() || data_type.is_duration()) {
        return Ok(Scalar::from(between(value_f64(data_type, low), value_f64(data_type, high), fraction)));
    }
    let (low, high) = (i128::from((low ^ SIGN) as i64), i128::from((high ^ SIGN) as i64));
    time_scalar(data_type, ticks_between(low, high, fraction))
}

/// A tick between two others, rounded towards zero: as `NumPy` has it where floats hold all ticks, of larger ones
/// exact but for the rounding of the fraction, which is in [0, 1].
#[inline]
pub fn ticks_between(low: i128, high: i128, fraction: f64) -> i128 {
    const EXACT: u128 = 1 << 53;
    if low.unsigned_abs().max(high.unsigned_abs()) < EXACT {
        return between(low as f64, high as f64, fraction) as i128;
    }
    if fraction == 0.5 {
        return (low + high) / 2;
    }
    let part = (high - low) as f64 * fraction;
    let whole = part.round();
    let part = if (part - whole).abs() <= 4.0 * f64::EPSILON * whole { whole } else { part.floor() };
    (low + part as i128).clamp(low, high)
}
