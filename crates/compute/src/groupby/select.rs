//! Aggregations that need all values of a group at once: quantiles and distinct values.

use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering};

use cuprum_column::{
    Bitmap, Column, Context, Error, HostUVec, Native, Result, Table, dispatch_storage, null_mask,
};
use cuprum_runtime::parallel;
use cuprum_runtime::primitives::Bits;

use super::accumulate::Accumulable;
use super::{Grouping, chunked};
use crate::row_keys::factorize::{Keys, Tuning, factorize};
use crate::row_keys::{EncodeOptions, KeyPlan, valid_rows};
use crate::row_lists::rows_by_group;

/// Groups that one thread takes at a time.
const GROUPS: usize = 256;

/// Appends the values of rows to a scratch vector.
pub(super) type Fetch<'f, N> = dyn Fn(&[u32], &mut Vec<N>) + Sync + 'f;

/// The quantile `q` of each group of the values that `fetch` reads from `column`; none where no value
/// is there. Where it is given, about `rows_at_once` rows are listed by group at a time.
pub(super) fn quantile<N: Accumulable>(
    grouping: &Grouping,
    column: &Column,
    q: f64,
    fetch: &Fetch<'_, N>,
    rows_at_once: Option<usize>,
    ctx: &Context,
) -> Result<Vec<Option<Between<N>>>> {
    let groups = grouping.num_groups;
    let mask = valid_rows(&[column], column.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), column.len())?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let Some(rows_at_once) = rows_at_once.filter(|&rows| rows < column.len()) else {
        return quantile_of(grouping, 0..groups, valid, q, fetch, ctx);
    };
    let windows = column.len().div_ceil(rows_at_once);
    let mut all = Vec::with_capacity(groups);
    let step = groups.div_ceil(windows).max(1);
    for start in (0..groups).step_by(step) {
        let window = start..(start + step).min(groups);
        let inside = |row: usize| {
            window.contains(&(grouping.ids[row] as usize)) && valid.is_none_or(|valid| valid.get(row))
        };
        let mask = null_mask::from_fn(column.len(), ctx, inside)?;
        let bits = Bits::of(&mask.0, 0, column.len())?;
        all.extend(quantile_of(grouping, window, Some(bits.to_bitmap()?), q, fetch, ctx)?);
    }
    Ok(all)
}

/// The quantiles of some groups, of whose rows those in `keep` count.
fn quantile_of<N: Accumulable>(
    grouping: &Grouping,
    window: Range<usize>,
    keep: Option<Bitmap<'_>>,
    q: f64,
    fetch: &Fetch<'_, N>,
    ctx: &Context,
) -> Result<Vec<Option<Between<N>>>> {
    let by_group = rows_by_group(&grouping.ids, grouping.num_groups, keep, ctx)?;
    // Few, large groups are handed out one by one.
    let step = (window.len() / 64).clamp(1, GROUPS);
    let parts = parallel::map_ranges(window.len(), step, ctx, |range| {
        let mut scratch: Vec<N> = Vec::new();
        Ok(range
            .map(|g| {
                let g = window.start + g;
                scratch.clear();
                fetch(
                    &by_group.rows[by_group.offsets[g] as usize..by_group.offsets[g + 1] as usize],
                    &mut scratch,
                );
                interpolate(&mut scratch, q)
            })
            .collect::<Vec<_>>())
    })?;
    Ok(parts.into_iter().flatten().collect())
}

/// A point between two neighbours in order.
pub(super) struct Between<N> {
    low: N,
    high: N,
    fraction: f64,
}

impl<N: Accumulable> Between<N> {
    pub(super) fn to_f64(&self) -> f64 {
        let (low, high) = (self.low.to_f64(), self.high.to_f64());
        // Equal neighbours may be infinite, and their difference is then no number.
        if low == high || self.fraction == 0.0 { low } else { low + (high - low) * self.fraction }
    }

    /// Rounded towards zero. Exact: the difference of two integers of 64 bits fits 128.
    pub(super) fn to_i64(&self) -> i64 {
        let (low, high) = (self.low.to_i128(), self.high.to_i128());
        let part = if self.fraction == 0.5 {
            let sum = low + high;
            return (sum / 2) as i64;
        } else {
            ((high - low) as f64 * self.fraction) as i128
        };
        (low + part).clamp(low, high) as i64
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
    grouping: &Grouping,
    column: &Column,
    rows_at_once: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    if let Some(rows_at_once) = rows_at_once.filter(|&rows| rows < column.len()) {
        let ids = Column::from_slice(&grouping.ids, ctx)?;
        let pairs = Table::new(vec![ids, column.clone()])?;
        let first_rows = chunked::group(&pairs, true, rows_at_once, ctx)?.first_rows;
        let view = first_rows.view()?;
        return dispatch_storage!(first_rows.data_type(), T => {
            let rows = view.values::<T>()?;
            count_by_group(grouping, rows.len(), |i| rows[i].as_i64() as usize, ctx)
        }, else => Err(Error::logic("row numbers are integers")));
    }
    let rows = column.len();
    let table = Table::new(vec![column.clone()])?;
    let plan = KeyPlan::new(&[&table], EncodeOptions { nan_is_null: true }, ctx)?;
    let mask = valid_rows(&[column], rows, true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), rows)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let pairs = GroupValues { ids: &grouping.ids, values: &plan };
    let distinct = factorize(&pairs, valid, Tuning::for_rows(rows), ctx)?;
    let rows = &distinct.first_rows[..];
    count_by_group(grouping, rows.len(), |i| rows[i] as usize, ctx)
}

/// How many of the rows `row(0)`, `row(1)`, … each group has: threads count few groups apart and many
/// together.
fn count_by_group(
    grouping: &Grouping,
    rows: usize,
    row: impl Fn(usize) -> usize + Sync,
    ctx: &Context,
) -> Result<Column> {
    /// Up to so many groups, counters of one's own are in the cache and merging them costs nothing.
    const APART: usize = 1 << 12;
    let groups = grouping.num_groups;
    let mut counts = HostUVec::<i64>::zeroed(groups, ctx)?;
    if groups <= APART {
        // Fewer counters than rows.
        let step = parallel::MORSEL.max(rows.div_ceil(256));
        let parts = parallel::map_ranges(rows, step, ctx, |range| {
            let mut counts = vec![0i64; groups];
            for i in range {
                if let Some(count) = counts.get_mut(grouping.ids[row(i)] as usize) {
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
        parallel::for_ranges(rows, parallel::MORSEL, ctx, &|range| {
            for i in range {
                if let Some(count) = counts.get(grouping.ids[row(i)] as usize) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
    }
    Ok(Column::from_values(counts))
}
