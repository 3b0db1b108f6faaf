//! Reductions on a GPU: the statistics of one group, and the number of distinct keys.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_runtime::primitives;

use super::cumulative::cumulative as cumulative_on_host;
use super::decimals;
use super::options::ScanRows;
use super::pieces;
use crate::accumulation::cuda::running::{self, Segments};
use crate::accumulation::cuda::{column_totals, decimal_sums, statistics};
use crate::aggregation::{Aggregation, CumulativeOp};
use crate::float_keys::as_integers;
use crate::quantiles::cuda as quantiles;
use cuprum_elements::elements::{duration_sum, time_scalar};
use cuprum_elements::fused::by_cpu;
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::gather_one;
use cuprum_keys::equality::cuda::{MissingKeys, number_rows};
use cuprum_keys::equality::row_limit::most_rows;
use cuprum_keys::flatten::{self, is_flattened_type};
use cuprum_keys::order::cuda::extremes::best_row;
use cuprum_keys::order::cuda::numbers_column;
use cuprum_keys::order::{NullOrder, Order};

/// See [`super::reduce`].
pub(super) fn reduce_rows(
    column: &Column,
    agg: Aggregation,
    result: DataType,
    ctx: &Context,
) -> Result<Scalar> {
    let of = column.data_type();
    if of == DataType::Empty {
        let is_count = matches!(agg, Aggregation::Count | Aggregation::NUnique);
        return Ok(if is_count { Scalar::from(0i64) } else { Scalar::null(result) });
    }
    if agg == Aggregation::NUnique && is_flattened_type(of) && !flatten::tells_nan_from_null(column) {
        // NaN and null are one key to a GPU, fields and elements that are either are two values.
        return reduce_rows(&as_integers(column, &ctx.temporary()?)?, agg, result, ctx);
    }
    if let (Aggregation::Std { .. }, true) = (agg, of.is_duration()) {
        // That of the ticks, towards zero as on the CPU.
        let ticks = if of.size() == Some(4) { DataType::Int32 } else { DataType::Int64 };
        let deviation = reduce_rows(&column.bit_cast(ticks)?, agg, DataType::Float64, ctx)?;
        return deviation.as_f64().map_or(Ok(Scalar::null(of)), |ticks| time_scalar(of, ticks as i128));
    }
    let is_sorted = matches!(agg, Aggregation::Median | Aggregation::Quantile(_));
    if column.len() > most_rows() && !is_sorted {
        let of_piece = |piece: &Column, agg, to| reduce_rows(piece, agg, to, ctx);
        return pieces::reduce_rows(column, agg, result, &of_piece, ctx);
    }
    if agg == Aggregation::NUnique {
        let keys = Table::new(vec![column.clone()])?;
        let numbers = number_rows(&keys, MissingKeys::LeftOut, ctx)?;
        return Ok(Scalar::from(numbers.first_rows.len() as i64));
    }
    if is_flattened_type(of) {
        return of_nested(column, agg, ctx);
    }
    match agg {
        Aggregation::Sum | Aggregation::Mean if of.is_decimal() => {
            return decimal_sums::aggregate(None, column, 1, agg, result, ctx)?.get(0);
        }
        Aggregation::Product => return product(column, result, ctx),
        Aggregation::BitAnd | Aggregation::BitOr | Aggregation::BitXor => {
            let data = running::combined_bits(column, &Segments::ALL, agg, 1, ctx)?;
            let mask = statistics::groups_with_values(None, column, 1, ctx)?;
            return Column::from_buffer(result, 1, data, mask)?.get(0);
        }
        Aggregation::Median => return quantiles::one_of_sorted(column, 0.5, ctx),
        Aggregation::Quantile(q) => return quantiles::one_of_sorted(column, q, ctx),
        Aggregation::Min | Aggregation::Max if !statistics::has_kernel(of, agg) => {
            return extreme(column, agg == Aggregation::Max, ctx);
        }
        _ => {}
    }
    if agg == Aggregation::Sum && of.is_duration() {
        return duration_sum(result, column_totals::exact_sum(column, ctx)?);
    }
    let wanted = [(agg, result)];
    if column_totals::make(of, agg) {
        return Ok(column_totals::aggregate(column, &wanted, column_totals::MANY_ROWS, ctx)?.remove(0));
    }
    statistics::aggregate(None, column, 1, &wanted, ctx)?.remove(0).get(0)
}

/// See [`super::reduce_all`]: totals of one pass, and others one by one.
pub(super) fn reduce_several(
    column: &Column,
    requests: &[(Aggregation, DataType)],
    ctx: &Context,
) -> Result<Vec<Scalar>> {
    let of = column.data_type();
    let is_together = |agg: Aggregation| {
        column.len() <= most_rows()
            && !is_flattened_type(of)
            && column_totals::make(of, agg)
            && !(of.is_duration() && matches!(agg, Aggregation::Sum | Aggregation::Std { .. }))
    };
    let together: Vec<_> = requests.iter().copied().filter(|(agg, _)| is_together(*agg)).collect();
    let found = match together.is_empty() {
        true => Vec::new(),
        false => column_totals::aggregate(column, &together, column_totals::MANY_ROWS, ctx)?,
    };
    let mut found = found.into_iter();
    let one = |&(agg, result): &(Aggregation, DataType)| match agg {
        Aggregation::Size => Ok(Scalar::from(column.len() as i64)),
        agg if is_together(agg) => match found.next() {
            Some(found) => Ok(found),
            None => Err(Error::logic("a result for each statistic")),
        },
        agg => reduce_rows(column, agg, result, ctx),
    };
    requests.iter().map(one).collect()
}

/// The product of all values, 1 where there is none.
fn product(column: &Column, result: DataType, ctx: &Context) -> Result<Scalar> {
    let products = running::products(column, &Segments::ALL, 1, ctx)?;
    if result == DataType::Float32 {
        let single = statistics::singles(&products.span().elements::<f64>()?, ctx)?;
        return numbers_column(result, single)?.get(0);
    }
    numbers_column(result, products)?.get(0)
}

/// The smallest or the largest value of types without words of their own; null where there is none.
fn extreme(column: &Column, largest: bool, ctx: &Context) -> Result<Scalar> {
    if column.is_empty() {
        return Ok(Scalar::null(column.data_type()));
    }
    let order = if largest { Order::Descending } else { Order::Ascending };
    let temporary = &ctx.temporary()?;
    let leaves = flatten::leaves(column, NullOrder::Last.of_elements(order), temporary)?;
    let best = best_row(&leaves, order, temporary)?;
    let found = gather_one(column, &GatherMap::or_null(best), ctx)?;
    scalar_of(found)
}

/// Aggregations of nested columns, without the number of distinct ones: extremes, the first or the last, the count.
fn of_nested(column: &Column, agg: Aggregation, ctx: &Context) -> Result<Scalar> {
    let nulls = column.null_count()?;
    match agg {
        Aggregation::Count => return Ok(Scalar::from((column.len() - nulls) as i64)),
        _ if nulls == column.len() => return Ok(Scalar::null(column.data_type())),
        Aggregation::Min | Aggregation::Max => return extreme(column, agg == Aggregation::Max, ctx),
        _ => {}
    }
    let temporary = &ctx.temporary()?;
    let rows = primitives::sequence(0i64, 1, column.len(), temporary)?;
    let rows = numbers_column(DataType::Int64, rows)?.with_mask(column.copy_mask(temporary)?, temporary)?;
    let row = reduce_rows(&rows, agg, DataType::Int64, temporary)?.as_i64();
    let row = row.ok_or_else(|| Error::logic("a value that is there has a row"))?;
    scalar_of(column.slice(row as usize, 1)?)
}

/// The value of the only row: a list or a struct stays where the column is.
fn scalar_of(row: Column) -> Result<Scalar> {
    if row.data_type().is_nested() { Scalar::nested(row) } else { row.get(0) }
}

/// The running reduction of all rows.
pub(super) fn cumulative(
    column: &Column,
    op: CumulativeOp,
    rows: ScanRows,
    to: DataType,
    ctx: &Context,
) -> Result<Column> {
    match running::cumulative(column, op, rows == ScanRows::BeforeEach, to, ctx)? {
        Some(column) => Ok(column),
        // The CPU says which row does not fit.
        None => by_cpu(column, ctx, |column, host| cumulative_on_host(&column, op, rows, to, host)),
    }
}

/// The running reduction of all decimals, which is no product.
pub(super) fn cumulative_decimals(
    column: &Column,
    op: CumulativeOp,
    rows: ScanRows,
    to: DataType,
    ctx: &Context,
) -> Result<Column> {
    let sums = match op {
        CumulativeOp::Sum => running::decimals(column, rows == ScanRows::BeforeEach, to, ctx)?,
        _ if column.data_type().size() == Some(16) => {
            return running::decimal_extremes(column, op == CumulativeOp::Min, ctx);
        }
        _ => running::cumulative(column, op, false, to, ctx)?,
    };
    match sums {
        Some(column) => Ok(column),
        None => by_cpu(column, ctx, |column, host| decimals::cumulative(&column, op, rows, to, host)),
    }
}
