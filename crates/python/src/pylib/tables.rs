//! `pylibcuprum.quantiles`, `reshape`, `transpose`, `transform`, `table_equality`, `labeling`.

use cuprum_column::null_mask::{self, MaskState};
use cuprum_column::{Column, DataType, Error, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
use cuprum_compute::expression::evaluate;
use cuprum_compute::labeling::{self, Edges};
use cuprum_compute::nan_values::{keys, sort_keys};
use cuprum_compute::quantiles::{self as families, Interpolation};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::{equality, filling, replace, reshape, search};
use pyo3::prelude::*;

use super::binding::functions;
use super::choices::{IsSorted, NullsEqual};
use super::expressions::Formula;
use super::memory_view::MemoryView;

functions! {
    "tables":
    quantile(input: Column, q: Vec<f64>, interp: Interpolation) |ctx| {
        if !input.data_type().is_numeric() {
            return Err(Error::data_type(format!("`input` is of type {}, no numbers", input.data_type())));
        }
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
    nans_to_nulls(input: Column) |ctx| {
        if !input.data_type().is_float() {
            return Err(Error::data_type(format!("`input` is of type {}, no floats", input.data_type())));
        }
        let column = replace::nans_to_nulls(&input, ctx)?;
        if let Some((mask, nulls)) = column.copy_mask(ctx)? {
            return Ok((MemoryView::of(mask), nulls));
        }
        let mask = null_mask::create_null_mask(column.len(), MaskState::AllValid, ctx)?;
        Ok((MemoryView::of(mask), 0))
    };
    bools_to_mask(input: Column) |ctx| {
        let (mask, nulls) = null_mask::bools_to_mask(&input, ctx)?;
        Ok((MemoryView::of(mask), nulls))
    };
    transform(inputs: Vec<Column>, transform_udf: String, output_type: DataType) |ctx| {
        let inputs = Table::new(inputs)?;
        // SAFETY: `transform_udf` is a part of the program, as its documentation says.
        unsafe { cuprum_compute::transform::transform(&inputs, &transform_udf, output_type, ctx) }
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
    one_hot_encode(input: Column, categories: Column) |ctx| reshape::one_hot_encode(&input, &categories, ctx);
    tables_equal(left: Table, right: Table, nulls_equal: NullsEqual) |ctx| {
        equality::tables_equal(&left, &right, nulls_equal.0, ctx)
    };
    label_bins(
        input: Column,
        left_edges: Column,
        left_inclusive: bool,
        right_edges: Column,
        right_inclusive: bool,
    ) |ctx| {
        let left = Edges { values: left_edges, inclusive: left_inclusive };
        labeling::label_bins(&input, &left, &Edges { values: right_edges, inclusive: right_inclusive }, ctx)
    };
}
