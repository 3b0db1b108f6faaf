//! Replacement on the CPU.

use std::collections::HashMap;
use std::hash::Hash;

use cuprum_column::{
    Column, ColumnView, Context, DataType, HostUVec, Native, Result, dispatch_storage, null_mask,
};
use cuprum_runtime::parallel::{self, MORSEL};

use super::FillDirection;
use cuprum_elements::decimals::Digits;
use cuprum_elements::elements::Operand;
use cuprum_elements::gather::gather_rows_or_null;
use cuprum_elements::row_numbers::{RowIndex, rows_fit_32_bits};
use cuprum_elements::selection::present_words;
use cuprum_elementwise::copying::{choose_rows, copy_if_else};

/// See [`super::replace_nulls`]; types and lengths agree.
pub(super) fn replace_nulls(
    column: &Column,
    with: Operand<'_>,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Column> {
    let has_nans = nan_is_null && column.data_type().is_float();
    if !column.has_nulls() && !has_nans {
        return Ok(column.clone());
    }
    copy_if_else(column, with, &present(column, nan_is_null, ctx)?, ctx)
}

/// Whether each row has a value, as booleans without nulls.
fn present(column: &Column, nan_is_null: bool, ctx: &Context) -> Result<Column> {
    let words = present_words(&[column], 1, nan_is_null, column.len(), ctx)?;
    let words: &[u64] = &words;
    let values = HostUVec::from_fn(column.len(), ctx, |i| (words[i / 64] >> (i % 64)) as u8 & 1)?;
    Column::new(DataType::Bool8, values, None)
}

pub(super) fn nans_to_nulls(column: &Column, ctx: &Context) -> Result<Column> {
    let words = present_words(&[column], 1, true, column.len(), ctx)?;
    let mask = null_mask::from_words(column.len(), ctx, |w| words[w])?;
    column.with_mask(Some(mask), ctx)
}

pub(super) fn fill_from_neighbours(
    column: &Column,
    direction: FillDirection,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    let (words, len) = (present_words(&[column], 1, true, column.len(), ctx)?, column.len());
    let limit = limit.unwrap_or(len);
    if rows_fit_32_bits(len) {
        gather_rows_or_null(column, &nearest::<i32>(&words, len, direction, limit, ctx)?, ctx)
    } else {
        gather_rows_or_null(column, &nearest::<i64>(&words, len, direction, limit, ctx)?, ctx)
    }
}

/// For every row the nearest row with a value on one side, itself included; `NONE` where there is no such row, or it is more
/// than `limit` rows away.
fn nearest<I: RowIndex>(
    words: &[u64],
    len: usize,
    direction: FillDirection,
    limit: usize,
    ctx: &Context,
) -> Result<HostUVec<I>> {
    let forward = direction == FillDirection::Forward;
    let in_words = |range: std::ops::Range<usize>| range.start / 64..range.end.div_ceil(64);
    // The last (or first) row with a value of every morsel, then of all morsels up to it.
    let mut carried = parallel::map_morsels(len, ctx, |range| {
        let mut words = in_words(range).map(|w| (w, words[w])).filter(|(_, word)| *word != 0);
        Ok(if forward {
            words.next_back().map(|(w, word)| w * 64 + 63 - word.leading_zeros() as usize)
        } else {
            words.next().map(|(w, word)| w * 64 + word.trailing_zeros() as usize)
        })
    })?;
    let carry = |last: &mut Option<usize>, own: &mut Option<usize>| {
        let incoming = *last;
        *last = own.or(*last);
        *own = incoming;
    };
    let mut last = None;
    if forward {
        for own in &mut carried {
            carry(&mut last, own);
        }
    } else {
        for own in carried.iter_mut().rev() {
            carry(&mut last, own);
        }
    }
    // SAFETY: both loops write every row of the morsel.
    unsafe {
        HostUVec::<I>::from_morsels(len, ctx, |range, out| {
            let mut nearest = carried.get(range.start / MORSEL).copied().flatten();
            let mut fill = |row: usize, slot: &mut std::mem::MaybeUninit<I>| {
                if words[row / 64] >> (row % 64) & 1 != 0 {
                    nearest = Some(row);
                }
                let near = nearest.filter(|at| row.abs_diff(*at) <= limit);
                slot.write(near.map_or(I::NONE, I::from_row));
            };
            if forward {
                range.zip(out).for_each(|(row, slot)| fill(row, slot));
            } else {
                range.zip(out).rev().for_each(|(row, slot)| fill(row, slot));
            }
            Ok(())
        })
    }
}

pub(super) fn find_and_replace(column: &Column, old: &Column, new: &Column, ctx: &Context) -> Result<Column> {
    let (view, old) = (column.view()?, old.view()?);
    let chosen = dispatch_storage!(column.data_type(), T => {
        let (values, old_values) = (view.values::<T>()?, old.values::<T>()?);
        lookup(&view, &old, ctx, |row| canonical(values[row]), |row| canonical(old_values[row]))?
    }, else => if let DataType::Decimal128(_) = column.data_type() {
        let (digits, old_digits) = (Digits::new(&view)?, Digits::new(&old)?);
        lookup(&view, &old, ctx, |row| digits.get(row), |row| old_digits.get(row))?
    } else {
        let (texts, old_texts) = (view.strings()?, old.strings()?);
        lookup(&view, &old, ctx, |row| texts.bytes(row), |row| old_texts.bytes(row))?
    });
    choose_rows(new, &chosen, column, ctx)
}

/// Bits that are equal exactly when the values are.
fn canonical<T: Native>(value: T) -> u64 {
    if !T::IS_FLOAT {
        value.as_i64() as u64
    } else if value.is_nan() {
        f64::NAN.to_bits()
    } else {
        (value.as_f64() + 0.0).to_bits()
    }
}

/// For every row one more than the row of `old` it equals; 0 where there is none.
fn lookup<K: Hash + Eq + Sync + Send>(
    column: &ColumnView<'_>,
    old: &ColumnView<'_>,
    ctx: &Context,
    key: impl Fn(usize) -> K + Sync,
    old_key: impl Fn(usize) -> K,
) -> Result<HostUVec<usize>> {
    let (validity, old_validity) = (column.validity(), old.validity());
    let mut null = 0;
    let mut rows = HashMap::new();
    for row in 0..old.len() {
        if old_validity.is_none_or(|bits| bits.get(row)) {
            rows.insert(old_key(row), row + 1);
        } else {
            null = row + 1;
        }
    }
    HostUVec::from_fn(column.len(), ctx, |row| {
        if validity.is_none_or(|bits| bits.get(row)) {
            rows.get(&key(row)).copied().unwrap_or(0)
        } else {
            null
        }
    })
}
