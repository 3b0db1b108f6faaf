//! Quantiles on a GPU: the values are sorted, and those that are asked for are copied to the host.

use cuprum_column::{Column, Context, DataType, Result};

use super::Interpolation;
use super::cpu::{interpolated, position};
use crate::row_order::cuda::SortedValues;

/// See [`super::quantile`]; the fractions are in range, the column is of numbers or times.
pub(super) fn quantile(
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Column> {
    let values = SortedValues::new(column, ctx)?;
    if values.len == 0 {
        return Column::nulls(DataType::Float64, q.len(), ctx);
    }
    let places: Vec<(usize, f64)> = q.iter().map(|&q| position(values.len, q)).collect();
    let positions = places.iter().flat_map(|&(k, _)| [k, (k + 1).min(values.len - 1)]);
    let ends = values.at(&positions.map(|k| k as u64).collect::<Vec<_>>(), ctx)?;
    let ends = ends.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let results = ends.zip(places);
    let results = results.map(|(ends, place)| interpolated(column.data_type(), ends, place, interpolation));
    Column::from_slice(&results.collect::<Vec<_>>(), ctx)
}
