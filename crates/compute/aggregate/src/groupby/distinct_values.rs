//! Counts of the distinct values of groups.
//!
//! Four ways, by how many pairs of a group and a value there may be, as the codes' bounds show:
//! - no more than some for each row: each pair has a bit, which its rows set, and groups count theirs;
//! - more, and the rows of each group are few neighbours, as in a table that is stored by key: its values are compared
//!   with each other;
//! - more, that fit 64 bits: pairs are keys, and one row of each is found;
//! - more still: the same with keys of 128 bits.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use cuprum_column::{Bitmap, Column, Context, HostUVec, Result, Table, null_mask};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{cache, host_vec};

use super::chunked;
use crate::accumulation::cpu::grouped::Grouped;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::cpu::factorize;
use cuprum_keys::equality::cpu::hash_table::{BATCH, HashKey};
use cuprum_keys::equality::cpu::key_source::KeySource;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys, valid_rows};
use cuprum_keys::group_csr::ascend;

/// Bits for pairs, for each row: they take as much memory as the numbers of the groups.
const BITS_PER_ROW: usize = 32;

/// Up to so many rows in a group, the values of one are compared with each other.
const FEW_IN_RUN: usize = 64;

/// The number of distinct values of each group. With `rows_at_once`, so many rows are read at a time.
pub(super) fn distinct(
    grouping: Grouped<'_>,
    column: &Column,
    rows_at_once: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    if let Some(rows_at_once) = rows_at_once.filter(|&rows| rows < column.len()) {
        let ids = Column::from_slice(grouping.ids, ctx)?;
        let pairs = Table::new(vec![ids, column.clone()])?;
        let rows = chunked::group(&pairs, true, rows_at_once, ctx)?.first_rows;
        return count_by_group(grouping, &[&rows], ctx);
    }
    let rows = column.len();
    let table = Table::new(vec![column.clone()])?;
    let plan = EqualityKeys::new(&[&table], EncodeOptions { nan_is_null: true }, ctx)?;
    let mask = valid_rows(&[column], rows, true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), rows)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let (ids, values, bound) = (grouping.ids, &plan, plan.bound());
    let words = usize::try_from(bound.div_ceil(64)).ok().and_then(|words| words.checked_mul(grouping.groups));
    if words.is_some_and(|words| words <= rows / 64 * BITS_PER_ROW) {
        return by_bits(grouping, values, valid, ctx);
    }
    if rows / grouping.groups.max(1) <= FEW_IN_RUN
        && ascend(ids, grouping.groups, ctx)?
        && let Some(counts) = by_runs(grouping, values, valid, ctx)?
    {
        return Ok(counts);
    }
    let tuning = Tuning::for_rows(rows);
    // Behind those of the groups, pairs of rows in none.
    let others = grouping.groups as u64;
    let lists = if others.checked_add(1).and_then(|ids| ids.checked_mul(bound)).is_some() {
        let pair = |id: u32, code: u64| u64::from(id).min(others).wrapping_mul(bound).wrapping_add(code);
        factorize::distinct(&Pairs { ids, values, pair }, valid, tuning, ctx)?
    } else {
        let pair = |id: u32, code: u64| u128::from(id) << 64 | u128::from(code);
        factorize::distinct(&Pairs { ids, values, pair }, valid, tuning, ctx)?
    };
    count_by_group(grouping, &lists.iter().map(|rows| &rows[..]).collect::<Vec<_>>(), ctx)
}

/// Group and value of every row as one key.
struct Pairs<'p, 'a, F> {
    ids: &'p [u32],
    values: &'p EqualityKeys<'a>,
    pair: F,
}

impl<K: HashKey, F: Fn(u32, u64) -> K + Sync> KeySource for Pairs<'_, '_, F> {
    type Key = K;
    type Kept = ();

    fn len(&self) -> usize {
        self.ids.len()
    }

    fn fill(&self, rows: Range<usize>, out: &mut [K]) {
        let mut codes = [0; BATCH];
        for (start, out) in rows.step_by(BATCH).zip(out.chunks_mut(BATCH)) {
            let codes = &mut codes[..out.len()];
            let rows = start..start + out.len();
            self.values.fill(rows.clone(), codes);
            for ((out, id), code) in out.iter_mut().zip(&self.ids[rows]).zip(codes) {
                *out = (self.pair)(*id, *code);
            }
        }
    }
}

/// A bit for each pair of a group and a code; those of a group are whole words of their own.
fn by_bits(
    grouping: Grouped<'_>,
    values: &EqualityKeys<'_>,
    valid: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<Column> {
    let Grouped { ids, groups, .. } = grouping;
    let words_of_group = (values.bound() as usize).div_ceil(64).max(1);
    let mut words = HostUVec::<u64>::zeroed(groups.saturating_mul(words_of_group), ctx)?;
    let bits = atomic_words(&mut words);
    // The place of a row that leaves no bit.
    const NOWHERE: usize = usize::MAX;
    for_ranges(ids.len(), MORSEL, ctx, &|range| {
        let (mut codes, mut places) = ([0u64; BATCH], [NOWHERE; BATCH]);
        for start in range.clone().step_by(BATCH) {
            let rows = start..(start + BATCH).min(range.end);
            let (ids, codes) = (&ids[rows.clone()], &mut codes[..rows.len()]);
            values.fill(rows.clone(), codes);
            let places = &mut places[..rows.len()];
            for i in 0..rows.len() {
                let (id, code) = (ids[i] as usize, codes[i] as usize);
                let there =
                    id < groups && code < words_of_group * 64 && valid.is_none_or(|v| v.get(start + i));
                places[i] = if there { id * words_of_group * 64 + code } else { NOWHERE };
                // The words of a batch are on their way before the first is looked at.
                cache::fetch(bits, places[i] / 64);
            }
            for &place in &*places {
                let bit = 1 << (place % 64);
                if let Some(word) = bits.get(place / 64)
                    && word.load(Ordering::Relaxed) & bit == 0
                {
                    word.fetch_or(bit, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    })?;
    let mut counts = HostUVec::<i64>::zeroed(groups, ctx)?;
    let of_group = atomic_counts(&mut counts);
    let words = &words[..];
    for_ranges(words.len(), MORSEL, ctx, &|range| {
        let mut at = range.start;
        while at < range.end {
            let group = at / words_of_group;
            let end = range.end.min((group + 1) * words_of_group);
            let count = words[at..end].iter().fold(0, |count, word| count + i64::from(word.count_ones()));
            of_group[group].fetch_add(count, Ordering::Relaxed);
            at = end;
        }
        Ok(())
    })?;
    Ok(Column::from_values(counts))
}

/// Counts of neighbouring rows of one group, whose values are compared; `None` where a group has very many rows.
fn by_runs(
    grouping: Grouped<'_>,
    values: &EqualityKeys<'_>,
    valid: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<Option<Column>> {
    let Grouped { ids, groups, .. } = grouping;
    let mut counts = HostUVec::<i64>::zeroed(groups, ctx)?;
    let of_group = atomic_counts(&mut counts);
    let are_few = AtomicBool::new(true);
    for_ranges(ids.len(), MORSEL, ctx, &|range| {
        // A run is counted where it begins, with its rows behind the end.
        let is_next = |row: &usize| *row == 0 || ids[*row] != ids[*row - 1];
        let Some(start) = range.clone().find(is_next) else { return Ok(()) };
        let end = (range.end..ids.len()).take(MORSEL).find(is_next).unwrap_or(ids.len());
        if end - range.end >= MORSEL {
            are_few.store(false, Ordering::Relaxed);
            return Ok(());
        }
        let mut codes = host_vec::filled(0u64, end - start)?;
        for (at, codes) in (start..end).step_by(BATCH).zip(codes.chunks_mut(BATCH)) {
            values.fill(at..at + codes.len(), codes);
        }
        let (mut rest, mut row) = (&mut codes[..], start);
        for run in ids[start..end].chunk_by(PartialEq::eq) {
            let (these, others) = rest.split_at_mut(run.len());
            let mut there = run.len();
            if let Some(valid) = valid {
                there = 0;
                for at in (0..run.len()).filter(|at| valid.get(row + at)) {
                    these[there] = these[at];
                    there += 1;
                }
            }
            if let Some(count) = of_group.get(run[0] as usize) {
                count.fetch_add(num_distinct(&mut these[..there]) as i64, Ordering::Relaxed);
            }
            (rest, row) = (others, row + run.len());
        }
        Ok(())
    })?;
    Ok(are_few.into_inner().then(|| Column::from_values(counts)))
}

/// How many of some codes differ; many are sorted.
fn num_distinct(codes: &mut [u64]) -> usize {
    /// Up to so many codes, comparing all with all takes less time than sorting them.
    const FEW: usize = 16;
    if codes.len() <= FEW {
        return (0..codes.len()).filter(|&i| !codes[..i].contains(&codes[i])).count();
    }
    codes.sort_unstable();
    1 + codes.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The same words, for threads to change.
fn atomic_words(words: &mut [u64]) -> &[AtomicU64] {
    // SAFETY: AtomicU64 has the size and alignment of u64, and the exclusive borrow means that all
    // access goes through the result while it lives.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
}

/// The same counts, for threads to change.
fn atomic_counts(counts: &mut [i64]) -> &[AtomicI64] {
    // SAFETY: as of words.
    unsafe { &*(std::ptr::from_mut(counts) as *const [AtomicI64]) }
}

/// The number of the rows in `lists` of each group: threads count few groups apart and many together.
fn count_by_group(grouping: Grouped<'_>, lists: &[&[u32]], ctx: &Context) -> Result<Column> {
    /// Up to so many groups, counters of one's own are in the cache and merging them costs nothing.
    const APART: usize = 1 << 12;
    let groups = grouping.groups;
    let mut counts = HostUVec::<i64>::zeroed(groups, ctx)?;
    if groups <= APART {
        // Fewer counters than rows.
        let rows: usize = lists.iter().map(|rows| rows.len()).sum();
        let step = MORSEL.max(rows.div_ceil(256));
        let pieces: Vec<&[u32]> = lists.iter().flat_map(|rows| rows.chunks(step)).collect();
        let parts = parallel::map_ranges(pieces.len(), 1, ctx, |piece| {
            let mut counts = vec![0i64; groups];
            for &row in pieces[piece.start] {
                if let Some(count) = counts.get_mut(grouping.ids[row as usize] as usize) {
                    *count += 1;
                }
            }
            Ok(counts)
        })?;
        for part in parts {
            counts.iter_mut().zip(part).for_each(|(count, more)| *count += more);
        }
    } else {
        let counts = atomic_counts(&mut counts);
        let pieces: Vec<&[u32]> = lists.iter().flat_map(|rows| rows.chunks(MORSEL)).collect();
        for_ranges(pieces.len(), 1, ctx, &|piece| {
            for &row in pieces[piece.start] {
                if let Some(count) = counts.get(grouping.ids[row as usize] as usize) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
    }
    Ok(Column::from_values(counts))
}
