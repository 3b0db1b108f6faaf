//! Aggregations that need all values of a group at once: quantiles.

use cuprum_column::{Bitmap, Column, Context, HostUVec, Result, null_mask};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{OutputSlice, parallel};

use crate::accumulation::cpu::block::Accumulable;
use crate::accumulation::cpu::grouped::Grouped;
use crate::quantiles::cpu::ticks_between;
use cuprum_keys::equality::valid_rows;
use cuprum_keys::group_csr::{FEW_GROUPS, Fetch, InGroups, list_rows, rows_by_group, values_by_group};

/// Rows whose values are moved to their groups at a time, or three eighths of all if these are more: with a byte for each
/// row that is as much memory as a list of all rows.
const MOVED: usize = 4 << 20;

/// Groups that one thread takes at a time.
const GROUPS: usize = 256;

/// The quantile `q` of each group of the values that `fetch` reads from `column`; `None` for a group without
/// values. With `rows_at_once`, about so many rows are listed by group at a time.
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
    if groups <= FEW_GROUPS {
        let mut all = HostUVec::filled(None, groups, ctx)?;
        let out = OutputSlice::new(&mut all[..]);
        let at_once = rows_at_once.unwrap_or(usize::MAX).min((column.len() / 8 * 3).max(MOVED));
        let write = |group: usize, values: &mut [N]| {
            // SAFETY: groups are disjoint, and are numbers below that of all.
            unsafe { out.write(group, interpolate(values, q)) };
        };
        match grouping.coded {
            Some(ids) => values_by_group(InGroups { ids, groups, keep: valid }, at_once, fetch, ctx, &write),
            None => values_by_group(
                InGroups { ids: &grouping.ids, groups, keep: valid },
                at_once,
                fetch,
                ctx,
                &write,
            ),
        }?;
        return Ok(all);
    }
    let rows_at_once = rows_at_once.filter(|&rows| rows < column.len() && grouping.coded.is_none());
    let Some(rows_at_once) = rows_at_once else {
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
    let by_group = match grouping.coded {
        Some(coded) => list_rows(coded, grouping.groups, keep, ctx)?,
        None => rows_by_group(grouping.ids, grouping.groups, keep, ctx)?,
    };
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
