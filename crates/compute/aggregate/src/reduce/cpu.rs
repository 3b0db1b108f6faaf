//! Reductions on the CPU: by [morsels](crate::accumulation::cpu::morsels), or by looking at all values.

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_column::{Column, Context, DataType, Result, Scalar};
use cuprum_runtime::parallel;

use super::{decimals, order};
use crate::accumulation::cpu::morsels::{Morsels, of_one_block};
use crate::aggregation::Aggregation;

/// See [`super::reduce`].
pub(super) fn reduce_rows(
    column: &Column,
    agg: Aggregation,
    result: DataType,
    ctx: &Context,
) -> Result<Scalar> {
    match of_one_block(column, agg, result)? {
        Some(value) => Ok(value),
        None => Ok(reduce_several(column, &[(agg, result)], ctx)?.remove(0)),
    }
}

/// Several reductions of a column, which is read once for all that are by morsels.
pub(super) fn reduce_several(
    column: &Column,
    aggregations: &[(Aggregation, DataType)],
    ctx: &Context,
) -> Result<Vec<Scalar>> {
    let mut morsels = Morsels::new(column.data_type());
    // Nulls are counted already, or once for all that ask.
    let is_known = |agg| agg == Aggregation::Count && !column.data_type().is_float();
    let add = |&(agg, result): &(Aggregation, DataType)| {
        if is_known(agg) { None } else { morsels.add(agg, result) }
    };
    let places: Vec<Option<usize>> = aggregations.iter().map(add).collect();
    let mut finished = Vec::new();
    if !morsels.is_empty() {
        let decided = AtomicBool::new(false);
        let collected = parallel::map_morsels(column.len(), ctx, |rows| {
            if decided.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let some = morsels.collect(column, rows)?;
            decided.fetch_or(morsels.is_decided(&some), Ordering::Relaxed);
            Ok(Some(some))
        })?;
        finished = morsels.finish(collected.iter().flatten().map(Vec::as_slice))?;
    }
    let value = |(&(agg, result), place): (&(Aggregation, DataType), Option<usize>)| match place {
        Some(place) => Ok(finished[place].clone()),
        None => whole(column, agg, result, ctx),
    };
    aggregations.iter().zip(places).map(value).collect()
}

/// Aggregations that are not merged from morsels.
fn whole(column: &Column, agg: Aggregation, result: DataType, ctx: &Context) -> Result<Scalar> {
    match agg {
        Aggregation::Size => Ok(Scalar::from(column.len() as i64)),
        Aggregation::Count => Ok(Scalar::from((column.len() - column.null_count()?) as i64)),
        Aggregation::First | Aggregation::Last => order::end(column, agg == Aggregation::First),
        Aggregation::NUnique if column.data_type() == DataType::Empty => Ok(Scalar::from(0i64)),
        Aggregation::NUnique => order::count_distinct(column, ctx),
        Aggregation::Median => crate::quantiles::cpu::one(column, 0.5, ctx),
        Aggregation::Quantile(q) => crate::quantiles::cpu::one(column, q, ctx),
        Aggregation::Min | Aggregation::Max if !column.data_type().is_decimal() => {
            order::extreme(column, agg == Aggregation::Min, ctx)
        }
        _ => decimals::reduce(column, agg, result),
    }
}
