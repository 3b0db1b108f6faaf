//! Distinct rows on the CPU: the rows that are kept as a set, marked by all threads.

use std::sync::atomic::{AtomicU32, Ordering};

use cuprum_column::{Column, Context, DataType, HostUVec, Result, Table};
use cuprum_runtime::parallel::{MORSEL, for_ranges};

use super::Keep;
use cuprum_aggregate::groupby;
use cuprum_elements::row_numbers::{NarrowRows, row_column};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::marked_rows::MarkedRows;
use cuprum_keys::equality::cpu::renumber::atomic;

/// See [`super::distinct_rows`].
pub(super) fn distinct_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    let kept = kept_rows(keys, keep, nulls_equal, ctx)?;
    row_column(kept.rank(ctx)?.rows(ctx)?, keys.num_rows(), ctx)
}

/// See [`super::duplicated`].
pub(super) fn duplicated(keys: &Table, keep: Keep, ctx: &Context) -> Result<Column> {
    let kept = kept_rows(keys, keep, true, ctx)?;
    let repeats = HostUVec::from_fn(keys.num_rows(), ctx, |row| u8::from(!kept.contains(row as u32)))?;
    Column::new(DataType::Bool8, repeats, None)
}

fn kept_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<MarkedRows> {
    let grouping = groupby::group(keys, !nulls_equal, ctx)?;
    let (first, ids) = (grouping.first_rows.view()?, grouping.ids(ctx)?.view()?);
    let first = NarrowRows::new("first rows", &first, ctx)?;
    let ids = NarrowRows::new("ids", &ids, ctx)?;
    let kept = MarkedRows::new(ids.len(), ctx)?;
    let groups = grouping.num_groups;
    match keep {
        Keep::First => mark_groups(&kept, groups, ctx, &|g| Some(first[g]))?,
        Keep::Last => {
            let mut last = HostUVec::<u32>::zeroed(groups, ctx)?;
            let last: &[AtomicU32] = atomic(&mut last);
            for_ranges(ids.len(), MORSEL, ctx, &|range| {
                // From the end, so that nearly always a later row is there already.
                for row in range.rev() {
                    if let Some(last) = last.get(ids[row] as usize)
                        && last.load(Ordering::Relaxed) < row as u32
                    {
                        last.fetch_max(row as u32, Ordering::Relaxed);
                    }
                }
                Ok(())
            })?;
            mark_groups(&kept, groups, ctx, &|g| Some(last[g].load(Ordering::Relaxed)))?;
        }
        Keep::None => {
            let repeated = MarkedRows::new(groups, ctx)?;
            for_ranges(ids.len(), MORSEL, ctx, &|range| {
                for row in range {
                    let id = ids[row];
                    if id != NONE && first[id as usize] != row as u32 {
                        repeated.mark_again(id);
                    }
                }
                Ok(())
            })?;
            mark_groups(&kept, groups, ctx, &|g| (!repeated.contains(g as u32)).then_some(first[g]))?;
        }
    }
    if !nulls_equal {
        for_ranges(ids.len(), MORSEL, ctx, &|range| {
            range.filter(|&row| ids[row] == NONE).for_each(|row| kept.mark(row as u32));
            Ok(())
        })?;
    }
    Ok(kept)
}

fn mark_groups(
    kept: &MarkedRows,
    groups: usize,
    ctx: &Context,
    row: &(dyn Fn(usize) -> Option<u32> + Sync),
) -> Result<()> {
    for_ranges(groups, MORSEL, ctx, &|range| {
        range.filter_map(row).for_each(|row| kept.mark(row));
        Ok(())
    })
}
