//! Aggregations of decimals: exact, or an error.

use cuprum_column::{Column, Context, Result, null_mask};
use cuprum_runtime::host_vec;

use crate::decimals;
use crate::reduce::Aggregation;
use crate::reduce::decimals::{Total, for_each};

/// A sum, mean or extreme for every group.
pub(super) fn aggregate(
    ids: &[u32],
    groups: usize,
    column: &Column,
    how: Aggregation,
    ctx: &Context,
) -> Result<Column> {
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
