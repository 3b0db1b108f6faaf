//! [`rolling_window`](super::rolling_window) on the CPU.

use cuprum_column::{Column, Context, HostUVec, Result, null_mask};

use super::spans::{Spans, Valid};
use super::{PairFunction, WindowFunction, moments, numbers, order_statistics, rows};
use cuprum_elements::elements::Operand;
use cuprum_elements::gather::gather_rows_or_null;
use cuprum_lists::lists;

/// See [`super::rolling_pairs`]; the columns are of numbers, and as long.
pub(super) fn rolling_pairs(
    columns: [&Column; 2],
    [preceding, following]: [Operand<'_>; 2],
    min_periods: usize,
    function: PairFunction,
    ctx: &Context,
) -> Result<Column> {
    let spans = Spans::new(columns[0].len(), preceding, following, ctx)?;
    moments::pairs(columns, &spans, min_periods, function, ctx)
}

/// See [`super::rolling_window`].
pub(super) fn rolling_window(
    column: &Column,
    [preceding, following]: [Operand<'_>; 2],
    min_periods: usize,
    function: WindowFunction,
    ctx: &Context,
) -> Result<Column> {
    let result = function.result_type(column.data_type())?;
    let spans = Spans::new(column.len(), preceding, following, ctx)?;
    let valid = Valid::new(&column.view()?, ctx)?;
    let enough = |row: usize| {
        let window = spans.get(row);
        min_periods <= if function.counts_rows() { window.len() } else { valid.count(window) }
    };
    let (whole, width) = spans.whole();
    let mask = |least: usize| {
        null_mask::from_words(column.len(), ctx, |w| {
            let rows = w * 64..column.len().min(w * 64 + 64);
            if valid.is_all() && whole.start <= rows.start && rows.end <= whole.end {
                return if width >= min_periods.max(least) { u64::MAX } else { 0 };
            }
            let is_there = |row: usize| enough(row) && valid.count(spans.get(row)) >= least;
            rows.fold(0, |word, row| word | u64::from(is_there(row)) << (row % 64))
        })
    };
    match function {
        WindowFunction::Sum => numbers::sums(column, &spans, &valid, mask(0)?, result, ctx),
        WindowFunction::Mean => numbers::means(column, &spans, &valid, mask(1)?, result, ctx),
        WindowFunction::Var { ddof } => numbers::spreads(column, &spans, &valid, enough, (ddof, false), ctx),
        WindowFunction::Std { ddof } => numbers::spreads(column, &spans, &valid, enough, (ddof, true), ctx),
        WindowFunction::Skewness => moments::shapes(column, &spans, &valid, enough, false, ctx),
        WindowFunction::Kurtosis => moments::shapes(column, &spans, &valid, enough, true, ctx),
        WindowFunction::Quantile { q, interpolation } => {
            order_statistics::quantiles(column, &spans, &valid, enough, (q, interpolation), ctx)
        }
        WindowFunction::Rank { method, order, percentage } => {
            order_statistics::ranks(column, &spans, &valid, enough, (method, order, percentage), ctx)
        }
        WindowFunction::Min | WindowFunction::Max => {
            let largest = function == WindowFunction::Max;
            let best = rows::extreme_rows(column, &spans, &valid, largest, enough, ctx)?;
            gather_rows_or_null(column, &best, ctx)
        }
        WindowFunction::ArgMin | WindowFunction::ArgMax => {
            let largest = function == WindowFunction::ArgMax;
            rows::as_column(rows::extreme_rows(column, &spans, &valid, largest, enough, ctx)?, ctx)
        }
        WindowFunction::CountValid | WindowFunction::CountAll | WindowFunction::RowNumber => {
            let number = |row: usize| match (spans.get(row), function) {
                (window, WindowFunction::CountValid) => valid.count(window),
                (window, WindowFunction::CountAll) => window.len(),
                (window, _) => (row + 1).saturating_sub(window.start),
            };
            let is_there =
                |row: usize| function != WindowFunction::RowNumber || spans.get(row).contains(&row);
            let mask = null_mask::from_fn(column.len(), ctx, |row| enough(row) && is_there(row))?;
            let numbers = HostUVec::from_fn(column.len(), ctx, |row| number(row) as i64)?;
            Column::from_values(numbers).with_mask(Some(mask), ctx)
        }
        WindowFunction::NUnique { with_nulls } => {
            let counts = rows::count_distinct(column, &spans, &valid, with_nulls, ctx)?;
            Column::from_values(counts).with_mask(Some(mask(0)?), ctx)
        }
        WindowFunction::Nth { n, with_nulls } => {
            let nth = rows::nth_rows(&spans, &valid, (n, with_nulls), enough, ctx)?;
            gather_rows_or_null(column, &nth, ctx)
        }
        WindowFunction::Lead(by) | WindowFunction::Lag(by) => {
            // More rows than a table has lead out of it as well.
            let by = i64::try_from(by).unwrap_or(i64::MAX);
            let by = if matches!(function, WindowFunction::Lag(_)) { -by } else { by };
            gather_rows_or_null(column, &rows::neighbours(&spans, by, enough, ctx)?, ctx)
        }
        WindowFunction::CollectList { with_nulls } => {
            rows::collected(column, &spans, &valid, with_nulls, enough, mask(0)?, ctx)
        }
        WindowFunction::CollectSet { with_nulls, nulls, nans } => {
            let lists = rows::collected(column, &spans, &valid, with_nulls, enough, mask(0)?, ctx)?;
            lists::distinct(&lists, nulls, nans, ctx)
        }
    }
}
