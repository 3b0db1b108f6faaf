//! `pylibcuprum.quantiles`, `reshape`, `transpose`, `transform`, `table_equality`, `labeling`.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
use cuprum_compute::expression::evaluate;
use cuprum_compute::nan_values::{keys, sort_keys};
use cuprum_compute::quantiles::{self as families, Interpolation};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::{filling, replace, reshape, row_keys, search, unary};
use pyo3::prelude::*;

use super::binding::functions;
use super::choices::{IsSorted, NullsEqual};
use super::expressions::Formula;

functions! {
    "tables":
    quantile(input: Column, q: Vec<f64>, interp: Interpolation) |ctx| {
        families::quantile(&input, &q, interp, ctx)
    };
    quantiles(
        input: Table,
        q: Vec<f64>,
        interp: Interpolation,
        is_input_sorted: IsSorted,
        column_order: Vec<Order>,
        null_precedence: Vec<NullOrder>,
    ) |ctx| {
        let rows = input.num_rows();
        if rows == 0 {
            return Err(Error::invalid_argument("`input` has no rows"));
        }
        let position = |q: f64| -> Result<i64> {
            if !(0.0..=1.0).contains(&q) {
                return Err(Error::invalid_argument(format!("`q` has {q}, which is not in [0, 1]")));
            }
            let place = q * (rows - 1) as f64;
            match interp {
                Interpolation::Lower => Ok(place.floor() as i64),
                Interpolation::Higher => Ok(place.ceil() as i64),
                Interpolation::Nearest => Ok(place.round_ties_even() as i64),
                _ => Err(Error::invalid_argument(format!(
                    "`interp` is {interp:?}; rows are taken as they are (LOWER, HIGHER, NEAREST)"
                ))),
            }
        };
        let places = q.iter().map(|&q| position(q)).collect::<Result<Vec<_>>>()?;
        let places = Column::from_slice(&places, ctx)?;
        let rows = if is_input_sorted.0 {
            places
        } else {
            let (keys, (orders, nulls)) = sort_keys(&[&input], &column_order, &null_precedence, ctx)?;
            let order = sorted_order(&keys[0], &orders, nulls, ctx)?;
            cuprum_compute::copying::gather_column(&order, &places, OutOfBoundsPolicy::Check, ctx)?
        };
        gather(&input, &rows, OutOfBoundsPolicy::Check, ctx)
    };
    interleave_columns(source_table: Table) |ctx| reshape::interleave_columns(&source_table, ctx);
    tile(source_table: Table, count: usize) |ctx| filling::tile(&source_table, count, ctx);
    transpose(input_table: Table) |ctx| reshape::transpose(&input_table, ctx);
    column_nans_to_nulls(input: Column) |ctx| {
        if !input.data_type().is_float() {
            return Err(Error::data_type(format!("`input` is of type {}, no floats", input.data_type())));
        }
        replace::nans_to_nulls(&input, ctx)
    };
    compute_column(input: Table, expr: Formula) |ctx| {
        let formula = expr.over(&[&input])?;
        evaluate(&[formula], &input, ctx).map(|mut columns| columns.remove(0))
    };
    encode(input: Table) |ctx| {
        let (keys, (orders, nulls)) =
            sort_keys(&[&input], &[], &vec![NullOrder::Last; input.num_columns()], ctx)?;
        let first = distinct_rows(&self::keys(&[&input], ctx)?[0], Keep::First, true, ctx)?;
        let distinct = gather(&keys[0], &first, OutOfBoundsPolicy::Check, ctx)?;
        let order = sorted_order(&distinct, &orders, nulls, ctx)?;
        let sorted = gather(&distinct, &order, OutOfBoundsPolicy::Check, ctx)?;
        let places = search::lower_bound(&sorted, &keys[0], &orders, nulls, ctx)?;
        let first = cuprum_compute::copying::gather_column(&first, &order, OutOfBoundsPolicy::Check, ctx)?;
        Ok((gather(&input, &first, OutOfBoundsPolicy::Check, ctx)?, places))
    };
    one_hot_encode(input: Column, categories: Column) |ctx| {
        if input.data_type() != categories.data_type() {
            return Err(Error::data_type(format!(
                "`input` is of type {}, `categories` of {}",
                input.data_type(),
                categories.data_type()
            )));
        }
        let (input, categories) = (Table::new(vec![input])?, Table::new(vec![categories])?);
        let encoded = row_keys::encode(&[&input, &categories], ctx)?;
        let (rows, wanted) = (encoded[0].codes.view()?, encoded[1].codes.view()?);
        let (rows, wanted) = (rows.values::<u64>()?, wanted.values::<u64>()?);
        let column = |code: &u64| -> Result<Column> {
            Column::new(DataType::Bool8, HostUVec::from_fn(rows.len(), ctx, |row| u8::from(rows[row] == *code))?, None)
        };
        Table::with_rows(wanted.iter().map(column).collect::<Result<_>>()?, rows.len())
    };
    tables_equal(left: Table, right: Table, nulls_equal: NullsEqual) |ctx| {
        let types = |table: &Table| table.columns().iter().map(Column::data_type).collect::<Vec<_>>();
        if left.num_rows() != right.num_rows() || types(&left) != types(&right) {
            return Ok(false);
        }
        if !nulls_equal.0 && left.columns().iter().any(Column::has_nulls) {
            return Ok(false);
        }
        same_rows(&left, &right, ctx)
    };
    label_bins(
        input: Column,
        left_edges: Column,
        left_inclusive: bool,
        right_edges: Column,
        right_inclusive: bool,
    ) |ctx| labels(&input, (&left_edges, left_inclusive), (&right_edges, right_inclusive), ctx);
}

fn same_rows(left: &Table, right: &Table, ctx: &Context) -> Result<bool> {
    let encoded = row_keys::encode(&[left, right], ctx)?;
    let (a, b) = (encoded[0].codes.view()?, encoded[1].codes.view()?);
    Ok(a.values::<u64>()? == b.values::<u64>()?)
}

/// The bin of each value: the only one whose edges are around it; null where there is none.
fn labels(
    input: &Column,
    (left, left_inclusive): (&Column, bool),
    (right, right_inclusive): (&Column, bool),
    ctx: &Context,
) -> Result<Column> {
    if left.len() != right.len() {
        return Err(Error::invalid_argument(format!(
            "there are {} left edges and {} right ones",
            left.len(),
            right.len()
        )));
    }
    for (name, edges) in [("left_edges", left), ("right_edges", right)] {
        if edges.data_type() != input.data_type() {
            return Err(Error::data_type(format!(
                "`{name}` are of type {}, `input` of {}",
                edges.data_type(),
                input.data_type()
            )));
        }
        if edges.has_nulls() {
            return Err(Error::invalid_argument(format!("`{name}` has nulls")));
        }
    }
    let tables = [input, left, right].map(|column| Table::new(vec![column.clone()]));
    let [input_table, left, right] = tables;
    let (tables, (orders, nulls)) =
        sort_keys(&[&input_table?, &left?, &right?], &[Order::Ascending], &[NullOrder::Last], ctx)?;
    for (name, edges) in [("left_edges", &tables[1]), ("right_edges", &tables[2])] {
        if !cuprum_compute::sorting::is_sorted(edges, &orders, nulls, ctx)? {
            return Err(Error::invalid_argument(format!("`{name}` is not sorted")));
        }
    }
    // The last bin that begins before the value, and the first that ends behind it.
    let begun = if left_inclusive {
        search::upper_bound(&tables[1], &tables[0], &orders, nulls, ctx)?
    } else {
        search::lower_bound(&tables[1], &tables[0], &orders, nulls, ctx)?
    };
    let ended = if right_inclusive {
        search::lower_bound(&tables[2], &tables[0], &orders, nulls, ctx)?
    } else {
        search::upper_bound(&tables[2], &tables[0], &orders, nulls, ctx)?
    };
    let (begun, ended) = (begun.view()?, ended.view()?);
    let (begun, ended) = (begun.values::<i32>()?, ended.values::<i32>()?);
    let valid = unary::is_valid(input, ctx)?;
    let valid = valid.view()?;
    let valid = valid.values::<u8>()?;
    let inside = |row: usize| valid[row] != 0 && ended[row] < begun[row];
    let mask = cuprum_column::null_mask::from_fn(input.len(), ctx, inside)?;
    let label = HostUVec::from_fn(input.len(), ctx, |row| if inside(row) { begun[row] - 1 } else { 0 })?;
    Column::new(DataType::Int32, label, Some(mask))
}
