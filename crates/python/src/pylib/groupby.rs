//! `pylibcuprum.groupby`.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather, gather_column};
use cuprum_compute::groupby::grouped_rows::{
    self, GroupedRows, fill_map, grouped_rows, numbers_in_groups, shift_map,
};
use cuprum_compute::groupby::{self as families, Grouping};
use cuprum_compute::nan_values::{self, as_keys, has_nan, keys, to_floats};
use cuprum_compute::reduce::CumulativeOp;
use cuprum_compute::replace::{self as replacing, FillDirection, nans_to_nulls};
use cuprum_compute::unary;
use cuprum_runtime::backend::OnDevice;
use pyo3::prelude::*;

use super::aggregation::{Wanted, as_type};
use super::binding::functions;
use super::choices::WithNulls;

functions! {
    "groupby":
    aggregate(keys: Table, null_handling: WithNulls, values: Vec<Column>, aggregations: Vec<Vec<Wanted>>) |ctx| {
        let mut together = Vec::new();
        for (column, aggregations) in values.iter().zip(&aggregations) {
            same_rows(column, &keys)?;
            together.push(Wanted::together(aggregations, column, ctx)?);
        }
        let requests = values.iter().zip(&together);
        let requests = requests.flat_map(|(column, hows)| hows.iter().flatten().map(move |how| (column, *how)));
        let requests: Vec<_> = requests.collect();
        let rows_of_keys = nan_values::keys(&[&keys], ctx)?.remove(0);
        let (grouping, made) =
            families::group_and_aggregate(&rows_of_keys, !null_handling.0, &requests, ctx)?;
        let mut made = made.into_iter();
        let results = values.iter().zip(aggregations.iter().zip(&together)).map(|(column, (aggregations, together))| {
            let columns = aggregations.iter().zip(together).map(|(wanted, how)| {
                match how.and_then(|_| made.next()) {
                    Some(made) => wanted.typed(made, ctx),
                    None => wanted.of_groups(column, &grouping, ctx),
                }
            });
            Table::with_rows(columns.collect::<Result<_>>()?, grouping.num_groups)
        });
        let results = results.collect::<Result<Vec<_>>>()?;
        Ok((gather(&keys, &grouping.first_rows, OutOfBoundsPolicy::Check, ctx)?, results))
    };
    scan(keys: Table, null_handling: WithNulls, values: Vec<Column>, aggregations: Vec<Vec<Wanted>>) |ctx| {
        let grouping = group(&keys, null_handling, ctx)?;
        let rows = grouped_rows(&grouping, None, ctx)?;
        let results = values.iter().zip(&aggregations).map(|(column, aggregations)| {
            same_rows(column, &keys)?;
            let columns = aggregations
                .iter()
                .map(|wanted| in_groups(&scanned(column, wanted, &grouping, &rows, ctx)?, rows.rows(ctx)?, ctx));
            Table::with_rows(columns.collect::<Result<_>>()?, rows.rows(ctx)?.len())
        });
        let results = results.collect::<Result<Vec<_>>>()?;
        Ok((by_group(&keys, rows.rows(ctx)?, ctx)?, results))
    };
    shift(
        keys: Table,
        null_handling: WithNulls,
        values: Table,
        offset: Vec<i64>,
        fill_values: Vec<Scalar>,
    ) |ctx| {
        for (name, len) in [("offset", offset.len()), ("fill_values", fill_values.len())] {
            expect_each(name, len, values.num_columns())?;
        }
        let grouping = group(&keys, null_handling, ctx)?;
        let rows = grouped_rows(&grouping, None, ctx)?;
        let columns = values.columns().iter().zip(offset.iter().zip(&fill_values));
        let columns = columns.map(|(column, (&offset, fill))| {
            same_rows(column, &keys)?;
            let map = shift_map(&rows, offset, ctx)?;
            let shifted = gather_column(column, &map, OutOfBoundsPolicy::Nullify, ctx)?;
            let shifted = if fill.is_null() { shifted } else { filled(&shifted, &map, fill, ctx)? };
            in_groups(&shifted, rows.rows(ctx)?, ctx)
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok((by_group(&keys, rows.rows(ctx)?, ctx)?, Table::with_rows(columns, rows.rows(ctx)?.len())?))
    };
    replace_nulls(
        keys: Table,
        null_handling: WithNulls,
        value: Table,
        replace_policies: Vec<FillDirection>,
    ) |ctx| {
        expect_each("replace_policies", replace_policies.len(), value.num_columns())?;
        let grouping = group(&keys, null_handling, ctx)?;
        let rows = grouped_rows(&grouping, None, ctx)?;
        let columns = value.columns().iter().zip(&replace_policies).map(|(column, direction)| {
            same_rows(column, &keys)?;
            let map = fill_map(&rows, &unary::is_null(column, ctx)?, *direction, ctx)?;
            in_groups(&gather_column(column, &map, OutOfBoundsPolicy::Nullify, ctx)?, rows.rows(ctx)?, ctx)
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok((by_group(&keys, rows.rows(ctx)?, ctx)?, Table::with_rows(columns, rows.rows(ctx)?.len())?))
    };
    get_groups(keys: Table, null_handling: WithNulls, values: Option<Table>) |ctx| {
        let grouping = group(&keys, null_handling, ctx)?;
        let rows = grouped_rows(&grouping, None, ctx)?;
        let offsets = rows.offsets(ctx)?.moved_to(&Context::on(Device::Cpu)?)?;
        let offsets = offsets.view()?;
        let offsets: Vec<usize> = offsets.values::<u32>()?.iter().map(|&offset| offset as usize).collect();
        let values = match values {
            Some(values) => by_group(&values, rows.rows(ctx)?, ctx)?,
            None => Table::with_rows(vec![], rows.rows(ctx)?.len())?,
        };
        Ok((offsets, (by_group(&keys, rows.rows(ctx)?, ctx)?, values)))
    };
}

/// The running values of every row in its group, in the order of the rows.
fn scanned(
    column: &Column,
    wanted: &Wanted,
    grouping: &Grouping,
    rows: &GroupedRows,
    ctx: &Context,
) -> Result<Column> {
    let of = column.data_type();
    let op = match wanted.kind.as_str() {
        "SUM" => CumulativeOp::Sum,
        "PRODUCT" => CumulativeOp::Product,
        "MIN" => CumulativeOp::Min,
        "MAX" => CumulativeOp::Max,
        "RANK" => return wanted.ranked(column, Some(grouping.ids(ctx)?), ctx),
        "COUNT_ALL" => return wanted.narrow(numbers_in_groups(rows, true, ctx)?, ctx),
        _ => return Err(wanted.unsupported("the scan of groups", of)),
    };
    if !(of.is_float() && has_nan(column, ctx)?) {
        return grouped_rows::scan(rows, column, op, ctx);
    }
    if matches!(op, CumulativeOp::Min | CumulativeOp::Max) {
        return to_floats(&grouped_rows::scan(rows, &as_keys(column, ctx)?, op, ctx)?, of, ctx);
    }
    // NaN from the first one of the group on.
    let flags = unary::cast(&unary::is_nan(column, ctx)?, DataType::Int8, ctx)?;
    let spoiled =
        unary::cast(&grouped_rows::scan(rows, &flags, CumulativeOp::Max, ctx)?, DataType::Bool8, ctx)?;
    let spoiled = replacing::replace_nulls(&spoiled, &Scalar::from(false), false, ctx)?;
    let running = grouped_rows::scan(rows, &nans_to_nulls(column, ctx)?, op, ctx)?;
    copy_if_else(&as_type(Scalar::from(f64::NAN), of, ctx)?, &running, &spoiled, ctx)?
        .with_mask(column.copy_mask(ctx)?, ctx)
}

fn group(table: &Table, null_handling: WithNulls, ctx: &Context) -> Result<Grouping> {
    families::group(&keys(&[table], ctx)?[0], !null_handling.0, ctx)
}

fn same_rows(column: &Column, keys: &Table) -> Result<()> {
    if column.len() == keys.num_rows() {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "the values have {} rows, the keys {}",
        column.len(),
        keys.num_rows()
    )))
}

fn expect_each(name: &str, len: usize, columns: usize) -> Result<()> {
    if len == columns {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("`{name}` has {len} entries for {columns} columns")))
}

/// The rows that are in groups, group after group.
fn in_groups(column: &Column, rows: &Column, ctx: &Context) -> Result<Column> {
    Ok(by_group(&Table::new(vec![column.clone()])?, rows, ctx)?.into_columns().remove(0))
}

fn by_group(table: &Table, rows: &Column, ctx: &Context) -> Result<Table> {
    gather(table, rows, OutOfBoundsPolicy::Check, ctx)
}

/// `column` with `fill` in the rows for which the map has none.
fn filled(column: &Column, map: &Column, fill: &Scalar, ctx: &Context) -> Result<Column> {
    // Rows for which there is none are null before: they are found as nulls of a column without any.
    let there = Column::from_scalar(&Scalar::from(true), column.len(), ctx)?;
    let there = gather_column(&there, map, OutOfBoundsPolicy::Nullify, ctx)?;
    let missing = unary::is_null(&there, ctx)?;
    copy_if_else(fill, column, &missing, ctx)
}
