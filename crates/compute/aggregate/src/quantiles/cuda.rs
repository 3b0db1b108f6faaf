//! Quantiles on a GPU: the values are sorted, and those that are asked for are copied to the host.

use cuprum_column::{Column, Context, DataType, Result, Scalar};

use super::cpu::{interpolated, position, scalar_between};
use super::{Interpolation, check_fraction};
use cuprum_keys::order::cuda::SortedValues;

/// The number of an interpolation in `cuprum/quantiles.cuh`.
pub fn kind_of(interpolation: Interpolation) -> u32 {
    match interpolation {
        Interpolation::Linear => 0,
        Interpolation::Lower => 1,
        Interpolation::Higher => 2,
        Interpolation::Midpoint => 3,
        Interpolation::Nearest => 4,
    }
}

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

/// See [`super::cpu::one`]; the column is of numbers or times.
pub(crate) fn one_of_sorted(column: &Column, q: f64, ctx: &Context) -> Result<Scalar> {
    check_fraction(q)?;
    let data_type = column.data_type();
    let values = SortedValues::new(column, ctx)?;
    if values.len == 0 {
        let is_time = data_type.is_timestamp() || data_type.is_duration();
        return Ok(Scalar::null(if is_time { data_type } else { DataType::Float64 }));
    }
    let (k, fraction) = position(values.len, q);
    let ends = values.at(&[k as u64, (k + 1).min(values.len - 1) as u64], ctx)?;
    scalar_between(data_type, (ends[0], ends[1]), fraction)
}
