//! `pylibcuprum.rolling`.

use cuprum_column::{Column, Context, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::Operand;
use cuprum_compute::rolling::{self as families, RangeBound, range_windows};
use cuprum_compute::sorting::{NullOrder, Order};
use pyo3::prelude::*;

use super::aggregation::Wanted;
use super::binding::{Argument, ColumnOr, functions, wrong_type};

impl Argument for RangeBound {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let class = object.getattr("_bound").and_then(|class| class.extract::<String>());
        let delta = || Scalar::read(&format!("{name}.delta"), &object.getattr("delta")?);
        match class.as_deref() {
            Ok("unbounded") => Ok(Self::Unbounded),
            Ok("current_row") => Ok(Self::CurrentRow),
            Ok("closed") => delta().map(Self::Closed),
            Ok("open") => delta().map(Self::Open),
            _ => Err(wrong_type(name, "an Unbounded, CurrentRow, BoundedClosed or BoundedOpen", object)),
        }
    }
}

functions! {
    "rolling":
    rolling_window(
        source: Column,
        preceding_window: ColumnOr<i64>,
        following_window: ColumnOr<i64>,
        min_periods: usize,
        agg: Wanted,
    ) |ctx| {
        let sizes = [&preceding_window, &following_window].map(|size| match size {
            ColumnOr::Column(column) => ColumnOr::Column(column.clone()),
            ColumnOr::One(rows) => ColumnOr::One(Scalar::from(*rows)),
        });
        windowed(&source, sizes[0].operand(), sizes[1].operand(), min_periods, &agg, ctx)
    };
    make_range_windows(
        group_keys: Table,
        orderby: Column,
        order: Order,
        null_order: NullOrder,
        preceding: RangeBound,
        following: RangeBound,
    ) |ctx| {
        ranges(&group_keys, &orderby, (order, null_order), (&preceding, &following), ctx)
    };
    grouped_range_rolling_window(
        group_keys: Table,
        orderby: Column,
        order: Order,
        null_order: NullOrder,
        preceding: RangeBound,
        following: RangeBound,
        values: Vec<Column>,
        min_periods: Vec<usize>,
        aggregations: Vec<Wanted>,
    ) |ctx| {
        let (before, behind) = ranges(&group_keys, &orderby, (order, null_order), (&preceding, &following), ctx)?;
        let requests = values.iter().zip(min_periods.iter().zip(&aggregations));
        let columns = requests.map(|(values, (&min_periods, wanted))| {
            if values.len() != orderby.len() {
                return Err(Error::invalid_argument(format!(
                    "the values have {} rows, `orderby` has {}",
                    values.len(),
                    orderby.len()
                )));
            }
            windowed(values, (&before).into(), (&behind).into(), min_periods, wanted, ctx)
        });
        Table::with_rows(columns.collect::<Result<_>>()?, orderby.len())
    };
    is_valid_rolling_aggregation(source: cuprum_column::DataType, agg: Wanted) |_ctx| {
        Ok(agg.window_function().is_some_and(|function| function.result_type(source).is_ok()))
    };
}

fn windowed(
    column: &Column,
    preceding: Operand<'_>,
    following: Operand<'_>,
    min_periods: usize,
    wanted: &Wanted,
    ctx: &Context,
) -> Result<Column> {
    let of = column.data_type();
    let function = wanted.window_function().filter(|function| function.result_type(of).is_ok());
    let function = function.ok_or_else(|| wanted.unsupported("the window", of))?;
    let found = families::rolling_window(column, preceding, following, min_periods, function, ctx)?;
    wanted.narrow(found, ctx)
}

/// Windows of ranges; nulls that are smaller than all values come last in descending order.
fn ranges(
    keys: &Table,
    orderby: &Column,
    (order, nulls): (Order, NullOrder),
    (preceding, following): (&RangeBound, &RangeBound),
    ctx: &Context,
) -> Result<(Column, Column)> {
    let first = (nulls == NullOrder::First) == (order == Order::Ascending);
    let nulls = if first { NullOrder::First } else { NullOrder::Last };
    // No columns are one group, however many rows the table says it has.
    let all = Table::with_rows(vec![], orderby.len())?;
    let keys = if keys.num_columns() == 0 { &all } else { keys };
    range_windows(keys, orderby, order, nulls, preceding, following, ctx)
}
