//! One state per group of its rows, however they are spread over groups.

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{MORSEL, install, map_morsels};
use rayon::prelude::*;

use super::Grouping;
use crate::row_lists::{RowsByGroup, rows_by_group};
use crate::row_numbers::NarrowRows;

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

/// A state per group: `of` of at most a morsel of its rows, put together in the order of the rows by `and`. A
/// large group is shared by threads, small ones are taken together; the result does not depend on either.
pub(super) fn fold_groups<S: Clone + Default + Send>(
    grouping: &Grouping,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
    of: impl Fn(&[u32]) -> S + Sync,
    and: impl Fn(S, S) -> S,
) -> Result<Vec<S>> {
    let lists = rows_of(grouping, keep, ctx)?;
    let (offsets, rows) = (&lists.offsets, &lists.rows);
    let parts = map_morsels(rows.len(), ctx, |range| {
        let mut found = Vec::new();
        let mut group = offsets.partition_point(|&offset| offset as usize <= range.start) - 1;
        let mut at = range.start;
        while at < range.end {
            let end = (offsets[group + 1] as usize).min(range.end);
            if at < end {
                found.push((group, of(&rows[at..end])));
                at = end;
            }
            group += 1;
        }
        Ok(found)
    })?;
    let mut states = host_vec::filled(S::default(), grouping.num_groups)?;
    for (group, state) in parts.into_iter().flatten() {
        states[group] = and(std::mem::take(&mut states[group]), state);
    }
    Ok(states)
}
