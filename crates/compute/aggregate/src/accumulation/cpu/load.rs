//! The values of rows, block by block.
//!
//! Stored types are widened to one of three numbers, and rows that do not count lose their group, while a block is loaded;
//! so there is one plain loop per statistic and number. A block that is stored as such a number and counts as a whole is
//! taken as it is.

use std::ops::Range;

use cuprum_column::{Bitmap, Native};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_runtime::cache;

use super::block::{Accumulable, BLOCK, Stored, Unit, UnitRows};
use super::compacted_blocks::CompactedBlock;

/// The values of a unit's rows, block by block: `f(ids, values)`, where rows that are null or NaN
/// have no group.
pub(crate) fn blocks<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    own: Stored<'_, T>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    match (&unit.rows, unit.values) {
        (UnitRows::Consecutive(rows), None) => blocks_in_line(unit, rows.clone(), own, f),
        (UnitRows::Consecutive(rows), Some(moved)) => {
            moved.with::<T>(|values| blocks_in_line(unit, rows.clone(), values, f));
        }
        (UnitRows::InPlace(rows), _) => blocks_of_groups(unit, rows.clone(), own, f),
        (UnitRows::Listed(_), _) => {
            let (values, valid) = own;
            blocks_of(unit, |row| values[row], valid, f);
        }
    }
}

/// [`blocks`] of rows that lie next to each other.
fn blocks_in_line<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    rows: Range<usize>,
    (values, valid): Stored<'_, T>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    let mut block_ids = [NONE; BLOCK];
    let mut widened = [N::ZERO; BLOCK];
    for (start, ids) in rows.step_by(BLOCK).zip(unit.ids.chunks(BLOCK)) {
        let values = &values[start..start + ids.len()];
        cache::fetch_behind(bytemuck::cast_slice(values), size_of_val(values));
        let block = N::stored(values).unwrap_or_else(|| {
            let widened = &mut widened[..ids.len()];
            for (slot, value) in widened.iter_mut().zip(values) {
                *slot = N::from_native(*value);
            }
            widened
        });
        let valid = valid.map(|valid| valid.slice(start..start + ids.len()));
        let gaps = valid.filter(|valid| valid.count_set() < ids.len());
        let has_nan = T::IS_FLOAT && values.iter().fold(false, |found, value| found | value.is_nan());
        if !has_nan && gaps.is_none() {
            f(ids, block);
            continue;
        }
        let block_ids = &mut block_ids[..ids.len()];
        for ((slot, id), value) in block_ids.iter_mut().zip(ids).zip(values) {
            *slot = if value.is_nan() { NONE } else { *id };
        }
        if let Some(valid) = gaps {
            for (word, slots) in valid.words().zip(block_ids.chunks_mut(64)) {
                if word.count_ones() as usize != slots.len() {
                    for (i, slot) in slots.iter_mut().enumerate() {
                        *slot |= (word >> i & 1).wrapping_sub(1) as u32;
                    }
                }
            }
        }
        f(block_ids, block);
    }
}

/// [`blocks`] without the rows of other groups than the unit's, where these are many, and without missing values.
fn blocks_of_groups<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    rows: Range<usize>,
    (values, valid): Stored<'_, T>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    let groups = u32::try_from(unit.groups.len()).unwrap_or(NONE);
    let mut kept = CompactedBlock::new();
    for (start, ids) in rows.step_by(BLOCK).zip(unit.ids.chunks(BLOCK)) {
        let values = &values[start..start + ids.len()];
        cache::fetch_behind(bytemuck::cast_slice(values), size_of_val(values));
        let valid = valid.map(|valid| valid.slice(start..start + ids.len()));
        kept.take::<T, N>(ids, values, valid, groups);
        f(kept.ids(), kept.numbers());
    }
}

/// [`blocks`] of values that are computed or lie anywhere.
pub(crate) fn blocks_of<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    value: impl Fn(usize) -> T,
    valid: Option<Bitmap<'_>>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    let mut block_ids = [NONE; BLOCK];
    let mut block = [N::ZERO; BLOCK];
    for (start, ids) in (0..unit.ids.len()).step_by(BLOCK).zip(unit.ids.chunks(BLOCK)) {
        for (i, id) in ids.iter().enumerate() {
            let row = unit.rows.get(start + i);
            let value = value(row);
            block[i] = N::from_native(value);
            let missing = value.is_nan() || valid.is_some_and(|valid| !valid.get(row));
            block_ids[i] = if missing { NONE } else { *id };
        }
        f(&block_ids[..ids.len()], &block[..ids.len()]);
    }
}
