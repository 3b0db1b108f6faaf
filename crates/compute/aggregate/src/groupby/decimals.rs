//! Aggregations of decimals: exact, or an error.

use cuprum_column::{Column, Context, Result, null_mask};
use cuprum_runtime::host_vec;

use crate::accumulation::decimals::{Total, for_each};
use crate::aggregation::Aggregation;
use cuprum_elements::decimals;

/// The number of rows of every group, or of its elements that are not null.
fn counts(ids: &[u32], groups: usize, column: &Column, how: Aggregation, ctx: &Context) -> Result<Column> {
    let mut counts = host_vec::with_capacity(groups)?;
    counts.resize(groups, 0i64);
    let view = column.view()?;
    let validity = view.validity().filter(|_| how == Aggregation::Count);
    for (row, &id) in ids.iter().enumerate() {
        if let Some(count) = counts.get_mut(id as usize)
            && validity.as_ref().is_none_or(|valid| valid.get(row))
        {
            *count += 1;
        }
    }
    Column::from_slice(&counts, ctx)
}

/// A sum, mean, extreme, end or count for every group.
pub(super) fn aggregate(
    ids: &[u32],
    groups: usize,
    column: &Column,
    how: Aggregation,
    ctx: &Context,
) -> Result<Column> {
    if matches!(how, Aggregation::Count | Aggregation::Size) {
        return counts(ids, groups, column, how, ctx);
    }
    let mut totals = host_vec::with_capacity(groups)?;
    totals.resize(groups, Total::default());
    for_each(&column.view()?, |row, value| {
        // Rows of no group have an id that is none.
        if let Some(total) = totals.get_mut(ids[row] as usize) {
            total.add(value, how);
        }
    })?;
    let totals = totals.into_iter().map(|total| total.finish(how)).collect::<Result<Vec<_>>>()?;
    let mask = match totals.iter().all(Option::is_some) {
        true => None,
        false => Some(null_mask::from_fn(groups, ctx, |group| totals[group].is_some())?),
    };
    decimals::column(groups, how.result_type(column.data_type())?, mask, ctx, |group| totals[group])
}
