//! The join on the CPU: index the right rows, look every left row up once, then write the pairs of
//! each morsel into place.

use std::ops::Range;

use cuprum_column::{Bitmap, Column, Context, Error, HostUVec, Result, Table, null_mask};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};
use cuprum_runtime::primitives::Bits;

use super::build::{Index, Lookup};
use super::{JoinKind, empty_map};
use crate::row_keys::factorize::{Tuning, check_rows};
use crate::row_keys::hash_table::{AHEAD, HashKey, NONE, prefetch, zeroed_slice};
use crate::row_keys::marked_rows::MarkedRows;
use crate::row_keys::{EncodeOptions, KeyPlan};
use crate::row_numbers::row_column;

/// Left rows that are looked up together.
const BATCH: usize = 1024;

/// The number that the index has for each left row, and the pairs that the rows of each morsel give.
struct Probed {
    numbers: HostUVec<u32>,
    pairs: Vec<usize>,
}

pub(super) fn join(
    left: &Table,
    right: &Table,
    kind: JoinKind,
    nulls_equal: bool,
    tuning: Option<Tuning>,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let (left_rows, right_rows) = (left.num_rows(), right.num_rows());
    check_rows(left_rows.max(right_rows))?;
    let rows = left_rows.max(right_rows);
    let tuning = tuning.unwrap_or_else(|| {
        let base = Tuning::for_rows(left_rows.saturating_add(right_rows));
        Tuning { direct_bound: base.direct_bound.max(right_rows as u64 * 2), ..base }
    });
    let plan = KeyPlan::with_tuning(&[left, right], EncodeOptions { nan_is_null: true }, Some(tuning), ctx)?;
    let (left_valid, right_valid) =
        if nulls_equal { (None, None) } else { (plan.valid_rows(0, ctx)?, plan.valid_rows(1, ctx)?) };
    let left_valid = null_mask::bits(left_valid.as_ref(), left_rows)?;
    let left_valid = left_valid.as_ref().map(Bits::to_bitmap).transpose()?;
    let right_valid = null_mask::bits(right_valid.as_ref(), right_rows)?;
    let right_valid = right_valid.as_ref().map(Bits::to_bitmap).transpose()?;
    let index = {
        // SAFETY: the closure writes the whole slice it gets.
        let codes = unsafe {
            HostUVec::from_morsels(right_rows, ctx, |range, out| {
                plan.fill(left_rows + range.start..left_rows + range.end, zeroed_slice(out));
                Ok(())
            })?
        };
        Index::new(&codes, plan.bound(), right_valid, tuning, ctx)?
    };
    let probed = probe(&plan, &index, kind, left_rows, left_valid, ctx)?;

    match kind {
        JoinKind::LeftSemi | JoinKind::LeftAnti => {
            let wanted = |number: u32| (number == NONE) == (kind == JoinKind::LeftAnti);
            let map = selected(&probed, wanted, ctx)?;
            Ok((row_column(map, rows, ctx)?, empty_map(rows)))
        }
        JoinKind::Inner | JoinKind::Left | JoinKind::Full => {
            let unmatched = if kind == JoinKind::Full {
                Some(unmatched_right(&probed, &index, right_rows, ctx)?)
            } else {
                None
            };
            let (left, right) = pairs(probed, &index, kind, unmatched, ctx)?;
            Ok((row_column(left, rows, ctx)?, row_column(right, rows, ctx)?))
        }
    }
}

/// Looks up the left rows.
fn probe(
    plan: &KeyPlan<'_>,
    index: &Index,
    kind: JoinKind,
    left_rows: usize,
    valid: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<Probed> {
    let mut numbers = HostUVec::<u32>::uninit(left_rows, ctx)?;
    let out = numbers.output();
    let pairs = parallel::map_morsels(left_rows, ctx, |range| {
        // SAFETY: the morsels are disjoint.
        let numbers = zeroed_slice(unsafe { out.slice(range.clone()) });
        let mut codes = [0u64; BATCH];
        for (start, numbers) in range.clone().step_by(BATCH).zip(numbers.chunks_mut(BATCH)) {
            let codes = &mut codes[..numbers.len()];
            plan.fill(start..start + numbers.len(), codes);
            match &index.lookup {
                Lookup::Direct(table) => probe_direct(table, codes, numbers),
                Lookup::Hash(table) => {
                    let mut homes = [0usize; BATCH + AHEAD];
                    for (home, code) in homes.iter_mut().zip(&*codes) {
                        *home = table.home(code.hash());
                    }
                    homes[..AHEAD].iter().for_each(|&home| table.prefetch(home));
                    for (i, (number, &code)) in numbers.iter_mut().zip(&*codes).enumerate() {
                        table.prefetch(homes[i + AHEAD]);
                        *number = table.find(code, homes[i]);
                    }
                }
            }
            if let Some(valid) = valid {
                for (i, number) in numbers.iter_mut().enumerate() {
                    if !valid.get(start + i) {
                        *number = NONE;
                    }
                }
            }
        }
        let pairs: usize = match (kind, &index.sets) {
            (JoinKind::LeftAnti, _) => numbers.iter().filter(|n| **n == NONE).count(),
            (JoinKind::LeftSemi, _) | (JoinKind::Inner, None) => {
                numbers.iter().filter(|n| **n != NONE).count()
            }
            (JoinKind::Left | JoinKind::Full, None) => numbers.len(),
            (_, Some(sets)) => {
                let alone = usize::from(kind != JoinKind::Inner);
                let offsets = &sets.rows.offsets;
                let pairs_of = |number: u32| match number {
                    NONE => alone,
                    set => (offsets[set as usize + 1] - offsets[set as usize]) as usize,
                };
                numbers.iter().map(|&number| pairs_of(number)).sum()
            }
        };
        Ok(pairs)
    })?;
    // SAFETY: the morsels cover all rows, and each was zeroed and then filled.
    Ok(Probed { numbers: unsafe { numbers.assume_init() }, pairs })
}

fn probe_direct(table: &[u32], codes: &[u64], numbers: &mut [u32]) {
    if size_of_val(table) <= 1 << 20 {
        for (number, &code) in numbers.iter_mut().zip(codes) {
            *number = table[code as usize];
        }
        return;
    }
    for (i, (number, &code)) in numbers.iter_mut().zip(codes).enumerate() {
        if let Some(&next) = codes.get(i + AHEAD) {
            prefetch(table, next as usize);
        }
        *number = table[code as usize];
    }
}

/// The first place of each morsel's pairs, and the number of pairs.
fn starts(pairs: &[usize], extra: usize) -> Result<(Vec<usize>, usize)> {
    let mut starts = Vec::with_capacity(pairs.len());
    let mut sum = 0usize;
    for &n in pairs {
        starts.push(sum);
        sum = sum.checked_add(n).ok_or_else(too_many)?;
    }
    sum.checked_add(extra).ok_or_else(too_many).map(|_| (starts, sum))
}

fn too_many() -> Error {
    Error::overflow("the join has more pairs of rows than an address space of 64 bits can count")
}

/// The left rows whose number is wanted, which `probed.pairs` has counted.
fn selected(probed: &Probed, wanted: impl Fn(u32) -> bool + Sync, ctx: &Context) -> Result<HostUVec<u32>> {
    let (starts, total) = starts(&probed.pairs, 0)?;
    let mut map = HostUVec::<u32>::uninit(total, ctx)?;
    let out = map.output();
    for_ranges(probed.numbers.len(), MORSEL, ctx, &|range| {
        let mut at = starts[range.start / MORSEL];
        for row in range {
            if wanted(probed.numbers[row]) {
                // SAFETY: the morsels have places of their own, as many as rows were counted.
                unsafe { out.write(at, row as u32) };
                at += 1;
            }
        }
        Ok(())
    })?;
    // SAFETY: every counted row was written.
    Ok(unsafe { map.assume_init() })
}

/// The right rows that no left row has found, ascending.
fn unmatched_right(
    probed: &Probed,
    index: &Index,
    right_rows: usize,
    ctx: &Context,
) -> Result<HostUVec<u32>> {
    // Rows, or sets of rows: there are not more sets than rows.
    let found = MarkedRows::new(right_rows, ctx)?;
    for_ranges(probed.numbers.len(), MORSEL, ctx, &|range| {
        probed.numbers[range].iter().filter(|n| **n != NONE).for_each(|&number| found.mark_again(number));
        Ok(())
    })?;
    let alone = MarkedRows::new(right_rows, ctx)?;
    for_ranges(right_rows, MORSEL, ctx, &|range| {
        for row in range {
            let number = index.sets.as_ref().map_or(row as u32, |sets| sets.ids[row]);
            if number == NONE || !found.contains(number) {
                alone.mark(row as u32);
            }
        }
        Ok(())
    })?;
    alone.rank(ctx)?.rows(ctx)
}

/// Left and right rows of all pairs, those of `unmatched` right rows last.
fn pairs(
    probed: Probed,
    index: &Index,
    kind: JoinKind,
    unmatched: Option<HostUVec<u32>>,
    ctx: &Context,
) -> Result<(HostUVec<u32>, HostUVec<u32>)> {
    let left_rows = probed.numbers.len();
    let extra = unmatched.as_ref().map_or(0, |rows| rows.len());
    let (starts, matched) = starts(&probed.pairs, extra)?;
    if index.sets.is_none() && extra == 0 && matched == left_rows {
        // One pair for every left row: what was looked up is the right map.
        return Ok((HostUVec::from_fn(left_rows, ctx, |row| row as u32)?, probed.numbers));
    }
    let total = matched + extra;
    let mut left = HostUVec::<u32>::uninit(total, ctx)?;
    let mut right = HostUVec::<u32>::uninit(total, ctx)?;
    let (left_out, right_out) = (left.output(), right.output());
    let numbers = &probed.numbers;
    let inner = kind == JoinKind::Inner;
    for_ranges(left_rows, MORSEL, ctx, &|range: Range<usize>| {
        let mut at = starts[range.start / MORSEL];
        let mut pair = |l: usize, r: u32| {
            // SAFETY: the morsels have places of their own, as many as pairs were counted from the
            // same numbers.
            unsafe {
                left_out.write(at, l as u32);
                right_out.write(at, r);
            }
            at += 1;
        };
        for row in range {
            match (numbers[row], &index.sets) {
                (NONE, _) if inner => (),
                (number, None) => pair(row, number),
                (NONE, Some(_)) => pair(row, NONE),
                (set, Some(sets)) => {
                    let offsets = &sets.rows.offsets;
                    let places = offsets[set as usize] as usize..offsets[set as usize + 1] as usize;
                    sets.rows.rows[places].iter().for_each(|&r| pair(row, r));
                }
            }
        }
        Ok(())
    })?;
    if let Some(rows) = &unmatched {
        for_ranges(extra, MORSEL, ctx, &|range| {
            for i in range {
                // SAFETY: these places follow those of all morsels.
                unsafe {
                    left_out.write(matched + i, NONE);
                    right_out.write(matched + i, rows[i]);
                }
            }
            Ok(())
        })?;
    }
    // SAFETY: all counted pairs and all unmatched rows were written.
    Ok(unsafe { (left.assume_init(), right.assume_init()) })
}
