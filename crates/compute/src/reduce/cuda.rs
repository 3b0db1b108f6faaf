//! Reductions on a GPU: the statistics of one group, and the number of distinct keys.

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Result, Scalar, Table};

use super::{Aggregation, statistics};
use crate::elements::time_scalar;
use crate::row_keys::cuda::{Missing, number_rows};

/// Whether [`reduce_rows`] takes a column; also where there is no such reduction.
pub(super) fn has_kernel(of: DataType, agg: Aggregation) -> bool {
    if agg.result_type(of).is_err() {
        return true;
    }
    match agg {
        Aggregation::NUnique => of.storage() != Storage::Children,
        Aggregation::Std { .. } => of.is_numeric(),
        _ => statistics::has_kernel(of, agg),
    }
}

/// See [`super::reduce`].
pub(super) fn reduce_rows(
    column: &Column,
    agg: Aggregation,
    result: DataType,
    ctx: &Context,
) -> Result<Scalar> {
    crate::row_keys::factorize::check_rows(column.len())?;
    let of = column.data_type();
    if agg == Aggregation::NUnique {
        let keys = Table::new(vec![column.clone()])?;
        let numbers = number_rows(&keys, Missing::LeftOut, ctx)?;
        return Ok(Scalar::from(numbers.first_rows.len() as i64));
    }
    let one = |agg, result| Ok(statistics::aggregate(None, column, 1, &[(agg, result)], ctx)?.remove(0));
    if agg == Aggregation::Sum && of.is_duration() {
        return time_scalar(result, statistics::exact_sum(column, ctx)?);
    }
    one(agg, result)?.get(0)
}
