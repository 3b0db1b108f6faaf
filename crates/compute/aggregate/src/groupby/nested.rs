//! Aggregations of nested columns: which row of a group the result is.

use cuprum_column::{Column, Context, Error, HostUVec, Result, Table};

use super::{cpu, distinct_values};
use crate::accumulation::cpu::grouped::Grouped;
use crate::accumulation::cpu::layout_tuning::LayoutTuning;
use crate::aggregation::Aggregation;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_keys::flatten;
use cuprum_keys::list_keys::MissingElements;
use cuprum_keys::order::{NullOrder, Order, sorted_order};

/// An aggregation of a nested column that [`super::result_type`] has.
pub(super) fn aggregate(
    grouping: Grouped<'_>,
    column: &Column,
    how: Aggregation,
    tuning: LayoutTuning,
    ctx: &Context,
) -> Result<Column> {
    let of = |values: &Column, how| {
        Ok::<_, Error>(cpu::aggregate(grouping, &[(values, how)], tuning, ctx)?.remove(0))
    };
    match how {
        Aggregation::NUnique => distinct_values::distinct(grouping, column, tuning.listed, ctx),
        // Numbers of rows are as missing as the values there.
        Aggregation::First | Aggregation::Last => {
            let rows = Column::from_values(HostUVec::from_fn(column.len(), ctx, |row| row as i64)?);
            let rows = of(&rows.with_mask(column.copy_mask(ctx)?, ctx)?, how)?;
            gather_column(column, &rows, OutOfBoundsPolicy::Check, ctx)
        }
        Aggregation::Min | Aggregation::Max => {
            // Missing fields are behind others either way.
            let direction = if how == Aggregation::Min { Order::Ascending } else { Order::Descending };
            let order = sorted_order(&Table::new(vec![column.clone()])?, &[direction], NullOrder::Last, ctx)?;
            // The row numbers in the order of an order are the places of the rows.
            let places = sorted_order(&Table::new(vec![order.clone()])?, &[], NullOrder::Last, ctx)?;
            let places = of(&places.with_mask(column.copy_mask(ctx)?, ctx)?, Aggregation::Min)?;
            let rows = gather_column(&order, &places, OutOfBoundsPolicy::Check, ctx)?;
            gather_column(column, &rows, OutOfBoundsPolicy::Check, ctx)
        }
        // The first leaf is as missing as the column.
        _ => of(&flatten::leaves(column, MissingElements::equal(true), ctx)?[0], how),
    }
}
