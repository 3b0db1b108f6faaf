//! The least and the greatest value of key columns in their ordered form, and where NaN is.

use std::ops::Range;

use bytemuck::Zeroable;
use cuprum_column::{Buffer, Column, Context, DataType, Error, Native, Result, dispatch_storage, null_mask};
use cuprum_elements::elements::widened;
use cuprum_runtime::{cache, parallel};

use super::cpu::hash_table::BATCH;
use crate::ordered_bits::Ordered;

/// The ordered form, for booleans too: any byte but 0 is true.
#[inline(always)]
pub(super) fn code_bits<T: Ordered>(value: T, is_bool: bool) -> u64 {
    let bits = value.ordered_with_nan();
    if is_bool { bits.min(1) } else { bits }
}

/// Smallest and largest ordered form of the valid values (but NaN where it is missing).
#[derive(Clone, Copy)]
pub(crate) struct Stats {
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) has_nan: bool,
}

impl Stats {
    pub(super) const NONE: Self = Self { min: u64::MAX, max: 0, has_nan: false };

    pub(super) fn merge(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            has_nan: self.has_nan || other.has_nan,
        }
    }
}

pub(super) fn stats(column: &Column, ctx: &Context) -> Result<Stats> {
    let view = column.view()?;
    let valid = view.validity();
    let is_bool = column.data_type() == DataType::Bool8;
    let parts = dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        let morsel: &(dyn Fn(Range<usize>) -> Result<Stats> + Sync) = &|range| {
            Ok(match valid {
                None => range_of_all(&values[range], is_bool),
                Some(valid) => {
                    let values = &values[range.clone()];
                    let bits = valid.slice(range);
                    let mut stats = Stats::NONE;
                    let mut there = [T::zeroed(); 64];
                    for (word, values) in bits.words().zip(values.chunks(64)) {
                        let part = if word.count_ones() as usize == values.len() {
                            range_of_all(values, is_bool)
                        } else {
                            for (slot, i) in there.iter_mut().zip(null_mask::SetBits(word)) {
                                *slot = values[i];
                            }
                            range_of(&there[..word.count_ones() as usize], is_bool)
                        };
                        stats = stats.merge(part);
                    }
                    stats
                }
            })
        };
        parallel::map_morsels(values.len(), ctx, morsel)?
    }, else => Vec::new());
    Ok(parts.into_iter().fold(Stats::NONE, Stats::merge))
}

#[inline(always)]
fn range_of<T: Ordered>(values: &[T], is_bool: bool) -> Stats {
    // By number: an iterator that is compiled elsewhere is called for each element.
    let mut at = 0;
    while at < values.len() && values[at].is_nan() {
        at += 1;
    }
    let mut has_nan = at > 0;
    if at == values.len() {
        // NaN has the largest code of all, whatever else there is.
        let nan = T::NAN_ORDERED;
        return if has_nan { Stats { min: nan, max: nan, has_nan } } else { Stats::NONE };
    }
    // Comparing values, not their bits, lets the compiler use vector minimum and maximum.
    let (mut min, mut max) = (values[at], values[at]);
    for &value in &values[at..] {
        min = if value < min { value } else { min };
        max = if value > max { value } else { max };
        has_nan |= value.is_nan();
    }
    let max = if has_nan { T::NAN_ORDERED } else { code_bits(max, is_bool) };
    Stats { min: code_bits(min, is_bool), max, has_nan }
}

#[inline(always)]
fn range_of_all_plain<T: Ordered>(values: &[T], is_bool: bool) -> Stats {
    let mut stats = Stats::NONE;
    for block in values.chunks(BATCH) {
        cache::fetch_behind(bytemuck::cast_slice(block), size_of_val(block));
        stats = stats.merge(range_of(block, is_bool));
    }
    stats
}

widened! {
    /// [`range_of`] values that are all there.
    range_of_all is range_of_all_plain [T: Ordered] (values: &[T], is_bool: bool) -> Stats
}

/// The rows of a float column that are not NaN, as a mask with the number of NaNs; nulls count as
/// whatever is stored under them.
pub(super) fn not_nan_words(column: &Column, ctx: &Context) -> Result<(Buffer, usize)> {
    dispatch_storage!(column.data_type(), T => {
        let view = column.view()?;
        let values = view.values::<T>()?;
        null_mask::from_words(values.len(), ctx, |w| {
            let values = &values[w * 64..values.len().min(w * 64 + 64)];
            values.iter().enumerate().fold(0, |bits, (i, v)| bits | u64::from(!v.is_nan()) << i)
        })
    }, else => Err(Error::data_type(format!("a float column was expected, found {}", column.data_type()))))
}
