//! Aggregations that need all values of a group at once: quantiles and distinct values.

use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering};

use cuprum_column::{Bitmap, Column, Context, HostUVec, Result, Table, null_mask};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{OutputSlice, parallel};

use super::accumulate::Accumulable;
use super::{Grouped, chunked};
use crate::quantiles::cpu::ticks_between;
use crate::row_keys::factorize::{self, Keys, Tuning};
use crate::row_keys::{EncodeOptions, KeyPlan, valid_rows};
use crate::row_lists::rows_by_group;

/// Groups that one thread takes at a time.
const GROUPS: usize = 256;

/// Writes the values of rows to as many places.
pub(super) type Fetch<'f, N> = dyn Fn(&[u32], &mut [N]) + Sync + 'f;

/// The quantile `q` of each group of the values that `fetch` reads from `column`; none where no value
/// is there. Where it is given, about `rows_at_once` rows are listed by group at a time.
pub(super) fn quantile<N: Accumulable>(
    grouping: Grouped<'_>,
    column: &Column,
    q: f64,
    fetch: &Fetch<'_, N>,
    rows_at_once: Option<usize>,
    ctx: &Context,
) -> Result<HostUVec<Option<Between<N>>>> {
    let groups = grouping.groups;
    let mask = valid_rows(&[column], column.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), column.len())?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let Some(rows_at_once) = rows_at_once.filter(|&rows| rows < column.len()) else {
        let mut all = HostUVec::filled(None, groups, ctx)?;
        quantiles_of(grouping, 0, valid, q, fetch, &mut all, ctx)?;
        return Ok(all);
    };
    let windows = column.len().div_ceil(rows_at_once);
    let mut all = HostUVec::filled(None, groups, ctx)?;
    let step = groups.div_ceil(windows).max(1);
    for start in (0..groups).step_by(step) {
        let window = start..(start + step).min(groups);
        let inside = |row: usize| {
            window.contains(&(grouping.ids[row] as usize)) && valid.is_none_or(|valid| valid.get(row))
        };
        let mask = null_mask::from_fn(column.len(), ctx, inside)?;
        let bits = Bits::of(&mask.0, 0, column.len())?;
        quantiles_of(grouping, start, Some(bits.to_bitmap()?), q, fetch, &mut all[window], ctx)?;
    }
    Ok(all)
}

/// Writes the quantiles of the groups from `first` on to `out`; of their rows those in `keep` count.
fn quantiles_of<N: Accumulable>(
    grouping: Grouped<'_>,
    first: usize,
    keep: Option<Bitmap<'_>>,
    q: f64,
    fetch: &Fetch<'_, N>,
    out: &mut [Option<Between<N>>],
    ctx: &Context,
) -> Result<()> {
    let by_group = rows_by_group(grouping.ids, grouping.groups, keep, ctx)?;
    let rows_of = |g: usize| {
        let places = by_group.offsets[first + g] as usize..by_group.offsets[first + g + 1] as usize;
        &by_group.rows[places]
    };
    // Few, large groups are handed out one by one.
    let step = (out.len() / 64).clamp(1, GROUPS);
    let (groups, out) = (out.len(), OutputSlice::new(out));
    parallel::for_ranges(groups, step, ctx, &|range| {
        let longest = range.clone().map(|g| rows_of(g).len()).max().unwrap_or(0);
        let mut scratch = HostUVec::filled(N::ZERO, longest, ctx)?;
        for g in range {
            let rows = rows_of(g);
            let values = &mut scratch[..rows.len()];
            fetch(rows, values);
            // SAFETY: the ranges are disjoint and lie inside.
            unsafe { out.write(g, interpolate(values, q)) };
        }
        Ok(())
    })
}

/// A point between two neighbours in order.
#[derive(Clone, Copy)]
pub(super) struct Between<N> {
    low: N,
    high: N,
    fraction: f64,
}

impl<N: Accumulable> Between<N> {
    pub(super) fn to_f64(self) -> f64 {
        // One zero: which of the two comes first among equals is nobody's decision.
        let (low, high) = (self.low.to_f64() + 0.0, self.high.to_f64() + 0.0);
        // Equal neighbours may be infinite, and their difference is then no number.
        if low == high || self.fraction == 0.0 { low } else { low + (high - low) * self.fraction }
    }

    /// Rounded towards zero.
    pub(super) fn to_i64(self) -> i64 {
        ticks_between(self.low.to_i128(), self.high.to_i128(), self.fraction) as i64
    }
}

fn interpolate<N: Accumulable>(values: &mut [N], q: f64) -> Option<Between<N>> {
    if values.is_empty() {
        return None;
    }
    let position = q * (values.len() - 1) as f64;
    let at = (position as usize).min(values.len() - 1);
    let fraction = position - at as f64;
    // No NaN is among them.
    let compare = |a: &N, b: &N| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal);
    let (_, low, above) = values.select_nth_unstable_by(at, compare);
    let low = *low;
    let high = if fraction > 0.0 {
        above.iter().copied().reduce(|a, b| if b < a { b } else { a }).unwrap_or(low)
    } else {
        low
    };
    Some(Between { low, high, fraction })
}

/// Group and value of every row as one key.
struct GroupValues<'p, 'a> {
    ids: &'p [u32],
    values: &'p KeyPlan<'a>,
}

impl Keys for GroupValues<'_, '_> {
    type Key = u128;
    type Kept = ();

    fn len(&self) -> usize {
        self.ids.len()
    }

    fn fill(&self, rows: Range<usize>, out: &mut [u128]) {
        const BATCH: usize = 512;
        let mut codes = [0; BATCH];
        for (start, out) in rows.step_by(BATCH).zip(out.chunks_mut(BATCH)) {
            let codes = &mut codes[..out.len()];
            let rows = start..start + out.len();
            self.values.fill(rows.clone(), codes);
            for ((out, id), code) in out.iter_mut().zip(&self.ids[rows]).zip(codes) {
                *out = u128::from(*id) << 64 | u128::from(*code);
            }
        }
    }
}

/// The number of distinct values of each group. Where it is given, `rows_at_once` rows are looked at at a
/// time.
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
    let plan = KeyPlan::new(&[&table], EncodeOptions { nan_is_null: true }, ctx)?;
    let mask = valid_rows(&[column], rows, true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), rows)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let pairs = GroupValues { ids: grouping.ids, values: &plan };
    let lists = factorize::distinct(&pairs, valid, Tuning::for_rows(rows), ctx)?;
    count_by_group(grouping, &lists.iter().map(|rows| &rows[..]).collect::<Vec<_>>(), ctx)
}

/// How many of the rows in `lists` each group has: threads count few groups apart and many together.
fn count_by_group(grouping: Grouped<'_>, lists: &[&[u32]], ctx: &Context) -> Result<Column> {
    /// Up to so many groups, counters of one's own are in the cache and merging them costs nothing.
    const APART: usize = 1 << 12;
    let groups = grouping.groups;
    let mut counts = HostUVec::<i64>::zeroed(groups, ctx)?;
    if groups <= APART {
        // Fewer counters than rows.
        let rows: usize = lists.iter().map(|rows| rows.len()).sum();
        let step = parallel::MORSEL.max(rows.div_ceil(256));
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
        // SAFETY: AtomicI64 has the size and alignment of i64, and the exclusive borrow means that all
        // access goes through the result while it lives.
        let counts = unsafe { &*(std::ptr::from_mut(&mut *counts) as *const [AtomicI64]) };
        let pieces: Vec<&[u32]> = lists.iter().flat_map(|rows| rows.chunks(parallel::MORSEL)).collect();
        parallel::for_ranges(pieces.len(), 1, ctx, &|piece| {
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
