//! One state per group of its rows, however they are spread over groups.

use std::ops::Range;

use cuprum_column::{Bitmap, Column, Context, DataType, HostUVec, Result};
use cuprum_runtime::parallel::{MORSEL, install, map_morsels};
use cuprum_runtime::{OutputSlice, host_vec};
use rayon::prelude::*;

use super::grouping::Grouping;
use cuprum_elements::row_numbers::NarrowRows;
use cuprum_elementwise::unary::cast;
use cuprum_keys::group_csr::{RowsByGroup, rows_by_group};

/// The rows of each group, of those in `keep`.
pub(crate) fn rows_of(grouping: &Grouping, keep: Option<Bitmap<'_>>, ctx: &Context) -> Result<RowsByGroup> {
    let ids = grouping.ids(ctx)?.view()?;
    let ids = NarrowRows::new("grouping.ids", &ids, ctx)?;
    rows_by_group(&ids, grouping.num_groups, keep, ctx)
}

/// The keys of the rows of each group, sorted in it. A group of many rows is shared by threads.
pub(crate) fn sorted_by_group(
    lists: &RowsByGroup,
    key: impl Fn(usize) -> u64 + Sync,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    let mut sorted = HostUVec::from_fn(lists.rows.len(), ctx, |i| key(lists.rows[i] as usize))?;
    let mut groups = host_vec::with_capacity(lists.offsets.len())?;
    let mut rest: &mut [u64] = &mut sorted;
    for ends in lists.offsets.windows(2) {
        let (keys, others) = rest.split_at_mut((ends[1] - ends[0]) as usize);
        groups.push(keys);
        rest = others;
    }
    install(|| {
        groups.par_iter_mut().for_each(|keys| {
            if keys.len() > MORSEL {
                keys.par_sort_unstable();
            } else {
                keys.sort_unstable();
            }
        });
    });
    Ok(sorted)
}

/// A state per group: `of` of at most a morsel of its rows, merged in the order of the rows by `and`. A
/// large group is shared by threads, small ones are taken together; the result does not depend on either.
pub(super) fn fold_groups<S: Copy + Default + Send + Sync>(
    grouping: &Grouping,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
    of: impl Fn(&[u32]) -> S + Sync,
    and: impl Fn(S, S) -> S,
) -> Result<Vec<S>> {
    let lists = rows_of(grouping, keep, ctx)?;
    fold_places(&lists.offsets, ctx, |_, places| of(&lists.rows[places]), and)
}

/// [`fold_groups`] of values that are next to each other, from `offsets[g]` to `offsets[g + 1]` for group `g`: `of` gets the
/// group and places.
pub(super) fn fold_places<S: Copy + Default + Send + Sync>(
    offsets: &[u32],
    ctx: &Context,
    of: impl Fn(usize, Range<usize>) -> S + Sync,
    and: impl Fn(S, S) -> S,
) -> Result<Vec<S>> {
    let groups = offsets.len().saturating_sub(1);
    let mut states = host_vec::filled(S::default(), groups)?;
    let whole = OutputSlice::new(&mut states);
    let cut = map_morsels(offsets.last().map_or(0, |&end| end as usize), ctx, |range| {
        let mut cut = Vec::new();
        let mut group = offsets.partition_point(|&offset| offset as usize <= range.start) - 1;
        let mut at = range.start;
        while at < range.end {
            let own = offsets[group] as usize..offsets[group + 1] as usize;
            let end = own.end.min(range.end);
            if at < end {
                let state = of(group, at..end);
                if own == (at..end) {
                    // SAFETY: there is a state for each group, and no other morsel has a place of this one.
                    unsafe { whole.write(group, state) };
                } else {
                    cut.push((group, state));
                }
                at = end;
            }
            group += 1;
        }
        Ok(cut)
    })?;
    for (group, state) in cut.into_iter().flatten() {
        states[group] = and(states[group], state);
    }
    Ok(states)
}

/// Numbers as floats of 64 bits in the order of `lists`; missing ones are NaN.
pub(super) fn floats_by_group(lists: &RowsByGroup, column: &Column, ctx: &Context) -> Result<HostUVec<f64>> {
    let column = cast(column, DataType::Float64, ctx)?;
    let view = column.view()?;
    let (values, valid) = (view.values::<f64>()?, view.validity());
    HostUVec::from_fn(lists.rows.len(), ctx, |i| {
        let row = lists.rows[i] as usize;
        if valid.is_none_or(|bits| bits.get(row)) { values[row] } else { f64::NAN }
    })
}
