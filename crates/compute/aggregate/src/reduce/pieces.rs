//! Reductions of more rows than a GPU [counts at once](cuprum_keys::equality::row_limit): those of pieces, put together.

use cuprum_column::{Column, Context, DataType, Result, Scalar, Table, Value};
use cuprum_elements::elements::{duration_sum, time_scalar};
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::cuda::{MissingKeys, number_rows, row_column};
use cuprum_keys::equality::row_limit::pieces;

use super::distinct_in_pieces::distinct;
use crate::accumulation::compensated::Compensated;
use crate::accumulation::cuda::column_totals::exact_sum;
use crate::accumulation::decimals::Total;
use crate::aggregation::Aggregation;

/// See [`super::reduce`]; all but quantiles. `of_piece` is the reduction of few enough rows to a type: of floats it may be
/// `Float64` also where it is `Float32` else.
pub(super) fn reduce_rows(
    column: &Column,
    agg: Aggregation,
    result: DataType,
    of_piece: &dyn Fn(&Column, Aggregation, DataType) -> Result<Scalar>,
    ctx: &Context,
) -> Result<Scalar> {
    let of = column.data_type();
    let pieces = pieces(column.len()).map(|rows| column.slice(rows.start, rows.len()));
    let pieces = pieces.collect::<Result<Vec<_>>>()?;
    let each = |agg, to| pieces.iter().map(|piece| of_piece(piece, agg, to)).collect::<Result<Vec<_>>>();
    let counts = || {
        let counts = each(Aggregation::Count, DataType::Int64)?;
        Ok(counts.iter().map(|count| count.as_i64().unwrap_or(0)).collect::<Vec<_>>())
    };
    let exact = || pieces.iter().map(|piece| exact_sum(piece, ctx)).sum::<Result<i128>>();
    match agg {
        Aggregation::NUnique => {
            let first_rows = |keys: &Table| {
                let numbers = number_rows(keys, MissingKeys::LeftOut, ctx)?;
                row_column(numbers.first_rows, keys.num_rows(), ctx)
            };
            let distinct = distinct(column, &first_rows, ctx)?;
            Ok(Scalar::from(distinct.len() as i64))
        }
        Aggregation::Count => Ok(Scalar::from(counts()?.iter().sum::<i64>())),
        Aggregation::Sum if of.is_duration() => duration_sum(result, exact()?),
        Aggregation::Mean if of.is_decimal() => {
            let sums = each(Aggregation::Sum, Aggregation::Sum.result_type(of)?)?;
            let mut total = Total::default();
            for sum in sums {
                if let Value::Decimal(sum) = sum.value() {
                    total.add(*sum, Aggregation::Sum);
                }
            }
            total.count = counts()?.iter().sum::<i64>() as u64;
            match total.finish(agg)? {
                Some(value) => Scalar::new(result, Value::Decimal(value)),
                None => Ok(Scalar::null(result)),
            }
        }
        Aggregation::Mean if !of.is_float() => match counts()?.iter().sum::<i64>() {
            0 => Ok(Scalar::null(result)),
            // Towards zero, as pandas.
            count if !result.is_float() => time_scalar(result, exact()? / i128::from(count)),
            count => Ok(Scalar::from(exact()? as f64 / count as f64)),
        },
        Aggregation::Sum | Aggregation::Mean if result.is_float() => {
            let mut sum = Compensated::ZERO;
            each(Aggregation::Sum, DataType::Float64)?.iter().for_each(|of| sum.add(float(of)));
            if agg == Aggregation::Sum {
                return Scalar::new(result, Value::Float(rounded(sum.total(), result)));
            }
            match counts()?.iter().sum::<i64>() {
                0 => Ok(Scalar::null(result)),
                count => Ok(Scalar::from(sum.total() / count as f64)),
            }
        }
        Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof } => {
            let means = each(Aggregation::Mean, DataType::Float64)?;
            let variances = each(Aggregation::Var { ddof: 0 }, DataType::Float64)?;
            let moments = counts()?.into_iter().zip(means.iter().map(float)).zip(variances.iter().map(float));
            let moments: Vec<_> = moments.filter(|((count, _), _)| *count > 0).collect();
            let (count, variance) = spread(&moments, ddof);
            Ok(match (variance, agg) {
                (None, _) => Scalar::null(result),
                (Some(variance), Aggregation::Var { .. }) => Scalar::from(variance),
                (Some(variance), Aggregation::Sem { .. }) => Scalar::from((variance / count as f64).sqrt()),
                (Some(variance), _) => Scalar::from(variance.sqrt()),
            })
        }
        Aggregation::Product if result.is_float() => {
            let product: f64 = each(agg, DataType::Float64)?.iter().map(float).product();
            Scalar::new(result, Value::Float(rounded(product, result)))
        }
        // Extremes, integers, truth values and bits: the results of the pieces are reduced like rows.
        _ => {
            let there = each(agg, result)?.into_iter().filter(|value| !value.is_null());
            let there = there.map(|value| match value.row() {
                Some(row) => Ok(row.clone()),
                None => Column::from_scalar(&value, 1, ctx),
            });
            let there = there.collect::<Result<Vec<_>>>()?;
            if there.is_empty() {
                return Ok(Scalar::null(result));
            }
            of_piece(&concatenate(&there.iter().collect::<Vec<_>>(), ctx)?, agg, result)
        }
    }
}

fn float(value: &Scalar) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn rounded(value: f64, to: DataType) -> f64 {
    if to == DataType::Float32 { f64::from(value as f32) } else { value }
}

/// The number of values and their variance, from those of parts and their means (Chan, Golub and LeVeque 1979).
fn spread(parts: &[((i64, f64), f64)], ddof: i64) -> (i64, Option<f64>) {
    let (mut sum, mut squares) = (Compensated::ZERO, Compensated::ZERO);
    parts.iter().for_each(|((count, mean), _)| sum.add(*count as f64 * mean));
    let all: i64 = parts.iter().map(|((count, _), _)| count).sum();
    let middle = sum.total() / all as f64;
    for &((count, mean), variance) in parts {
        squares.add(variance * count as f64);
        squares.add(count as f64 * (mean - middle) * (mean - middle));
    }
    let freedom = i128::from(all) - i128::from(ddof);
    (all, (all > 0 && freedom > 0).then(|| squares.total() / freedom as f64))
}
