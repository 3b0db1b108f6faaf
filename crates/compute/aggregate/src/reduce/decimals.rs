//! Reductions of decimals: exact, or an error.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Value};
use cuprum_elements::decimals;

use super::options::ScanRows;
use crate::accumulation::decimals::{Total, for_each};
use crate::aggregation::{Aggregation, CumulativeOp};

pub(super) fn reduce(column: &Column, how: Aggregation, result: DataType) -> Result<Scalar> {
    let mut total = Total::default();
    for_each(&column.view()?, |_, value| total.add(value, how))?;
    match total.finish(how)? {
        Some(value) => Scalar::new(result, Value::Decimal(value)),
        None => Ok(Scalar::null(result)),
    }
}

pub(super) fn cumulative(
    column: &Column,
    op: CumulativeOp,
    of: ScanRows,
    result: DataType,
    ctx: &Context,
) -> Result<Column> {
    let how = match op {
        CumulativeOp::Sum => Aggregation::Sum,
        CumulativeOp::Min => Aggregation::Min,
        CumulativeOp::Max => Aggregation::Max,
        CumulativeOp::Product => return Err(Error::logic("products of decimals")),
    };
    let mut values = cuprum_runtime::host_vec::with_capacity(column.len())?;
    values.resize(column.len(), None);
    let mut total = Total::default();
    for_each(&column.view()?, |row, value| {
        let before = total;
        total.add(value, how);
        let total = if of == ScanRows::BeforeEach { before } else { total };
        values[row] = (total.overflows == 0).then_some(total.value);
    })?;
    decimals::column(column.len(), result, column.copy_mask(ctx)?, ctx, |row| values[row])
}
