//! Many rows numbered by the first of them, on a GPU.
//!
//! Where the first rows have few keys, so have all, mostly. Their numbers stay what they are, since later keys
//! have later numbers: all rows look theirs up in a small table that nobody writes to. The rows that are missed are
//! numbered among themselves behind those. Where the first rows have many keys, their number says how many there are in
//! all, and so how many more of the rows have nearly all keys, if these are few of all rows; else, or where others have
//! other keys, how large a table of all is to be.

use std::borrow::Cow;

use cuprum_column::{Context, Result};
use cuprum_runtime::DeviceUVec;

use super::cuda::{
    Leaves, MISSED, Numbers, Plan, Tuning, Way, fill, number_missed, roomy_bits, striding, take_rows,
};
use crate::gather::cuda::GatherMap;
use crate::gather::gather_table;
use crate::selection::cuda::Selection;

/// What the first rows tell.
pub(super) enum Known {
    /// The numbers of all rows.
    Numbers(Numbers),
    /// With how many slots, as a power of two, a hash table of all rows is to begin.
    Bits(u32),
}

/// Two to this power slots are what the table of the first rows begins with.
const HEAD_BITS: u32 = 12;
/// Few keys are those that have so many rows of the first ones on average.
const ROWS_OF_KEY: usize = 8;
/// Of the rows in the middle and at the end one in so many may be missed.
const ROWS_OF_MISSED: usize = 16;
/// The first rows are one in so many of all at most.
const LEAST_HEADS: usize = 8;

/// Numbers rows by the first ones where these have few keys. Waits for what they have.
pub(super) fn number(keys: &Leaves<'_>, plan: &Plan, tuning: Tuning, ctx: &Context) -> Result<Known> {
    let rows = keys.table.num_rows();
    let too_wide = |bound: usize| bound > tuning.head / 4;
    if rows < tuning.many
        || rows < 2 * tuning.head
        || matches!(plan.way, Way::Direct(bound) if too_wide(bound))
    {
        return Ok(Known::Bits(tuning.first_bits));
    }
    let mut head = part_of(keys, 0, tuning.head)?;
    let (mut numbers, mut filled) =
        fill(&head, plan, HEAD_BITS, tuning, true, ctx)?.numbered(&head, plan, ctx)?;
    let known = numbers.first_rows.len();
    let all = estimate(tuning.head, known, rows);
    let bits = roomy_bits(all);
    if known > tuning.head / ROWS_OF_KEY {
        let more = all.saturating_mul(ROWS_OF_KEY);
        if more > rows / LEAST_HEADS {
            return Ok(Known::Bits(bits));
        }
        head = part_of(keys, 0, more)?;
        (numbers, filled) = fill(&head, plan, bits, tuning, true, ctx)?.numbered(&head, plan, ctx)?;
    }
    let sample = tuning.head / 64;
    let mut missed = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
    for first in [rows / 2, rows - sample] {
        let piece = part_of(keys, first, sample)?;
        filled.find(&head, &piece, plan, Some(&numbers.first_rows), Some(&mut missed), ctx)?;
    }
    if missed.element(0)? as usize > 2 * sample / ROWS_OF_MISSED {
        return Ok(Known::Bits(bits));
    }
    let mut missed = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
    let ids = filled.find(&head, keys, plan, Some(&numbers.first_rows), Some(&mut missed), ctx)?;
    let known = Numbers { ids, first_rows: numbers.first_rows };
    Ok(Known::Numbers(match missed.element(0)? {
        0 => known,
        _ => with_missed(known, keys, plan, tuning, ctx)?,
    }))
}

/// Numbers the rows that are marked as missed behind the others.
fn with_missed(
    mut known: Numbers,
    keys: &Leaves<'_>,
    plan: &Plan,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Numbers> {
    let temporary = &ctx.temporary()?;
    let selection = Selection::of_number(&known.ids, MISSED, temporary)?;
    let rows = selection.rows::<u32>(temporary)?;
    let table = gather_table(&keys.table, &GatherMap::from(selection.rows::<u32>(temporary)?), temporary)?;
    let missed = Leaves { table: Cow::Owned(table), drops: keys.drops.clone() };
    let bits = tuning.first_bits.min(roomy_bits(rows.len()));
    let (own, _) = fill(&missed, plan, bits, tuning, true, temporary)?.numbered(&missed, plan, temporary)?;
    let (first, behind) = (known.first_rows.len(), own.first_rows.len());
    let mut own_first = DeviceUVec::<u32>::uninit(behind, temporary)?;
    // SAFETY: the missed rows are rows of the keys, each with a number of its own.
    unsafe {
        number_missed(ctx, striding(rows.len()), &rows, &own.ids, rows.len(), first as u32, &mut known.ids)?;
        take_rows(ctx, striding(behind), &rows, &own.first_rows, behind, &mut own_first)?;
    }
    let mut first_rows = DeviceUVec::<u32>::uninit(first + behind, ctx)?;
    let (before, after) = (known.first_rows.buffer(), own_first.buffer());
    first_rows.buffer_mut().copy_range_from(0, before, 0..before.len())?;
    first_rows.buffer_mut().copy_range_from(before.len(), after, 0..after.len())?;
    Ok(Numbers { ids: known.ids, first_rows })
}

/// Some of the rows of keys.
fn part_of<'a>(keys: &'a Leaves<'_>, first: usize, len: usize) -> Result<Leaves<'a>> {
    Ok(Leaves { table: Cow::Owned(keys.table.slice(first, len)?), drops: keys.drops.clone() })
}

/// How many keys there are where `known` are among the first `head` of `rows` rows: as many as would give so many
/// if all came equally often, and no more than there are rows.
fn estimate(head: usize, known: usize, rows: usize) -> usize {
    let seen = |keys: f64| keys * (1.0 - (-(head as f64) / keys).exp());
    let (mut low, mut high) = (known.max(1) as f64, rows as f64);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if seen(middle) < known as f64 { low = middle } else { high = middle }
    }
    high as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_keys_is_estimated_by_the_first_rows() {
        for keys in [1usize, 10, 1000, 100_000, 1_000_000, 10_000_000] {
            let head = 1 << 20;
            let known = keys as f64 * (1.0 - (-(head as f64) / keys as f64).exp());
            let found = estimate(head, known as usize, 100_000_000);
            assert!(found + keys / 50 >= keys && found <= keys + keys / 50 + 2, "{found} for {keys}");
        }
        assert_eq!(estimate(64, 64, 1000), 1001);
    }
}
