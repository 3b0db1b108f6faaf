//! `pylibcuprum.reduce`.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{copy_if_else, shift};
use cuprum_compute::nan_values::{as_keys, has_nan, keys, to_floats};
use cuprum_compute::reduce::{CumulativeOp, cumulative};
use cuprum_compute::replace::{FillDirection, fill_nulls_from_neighbours, nans_to_nulls, replace_nulls};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::unary;
use pyo3::prelude::*;

use super::aggregation::{Wanted, as_type};
use super::binding::functions;
use super::choices::{NanIsNull, NullsEqual, WithNulls};

functions! {
    "reduce":
    reduce(col: Column, agg: Wanted, data_type: DataType) |ctx| agg.of_column(&col, data_type, ctx);
    scan(col: Column, agg: Wanted, exclusive: bool) |ctx| {
        let of_order = matches!(agg.kind.as_str(), "RANK" | "EWMA");
        match agg.kind.as_str() {
            kind if of_order && exclusive => {
                Err(Error::unsupported(format!("an exclusive scan with {kind} does not exist")))
            }
            "RANK" => agg.ranked(&col, None, ctx),
            "EWMA" => agg.weighted(&col, ctx),
            kind => scanned(&col, kind, exclusive, ctx),
        }
    };
    is_valid_reduce_aggregation(source: DataType, agg: Wanted) |_ctx| Ok(agg.is_valid_reduction(source));
    is_valid_aggregation(source: DataType, agg: Wanted) |_ctx| Ok(agg.is_valid_of_groups(source));
    unique_count(source: Column, null_handling: WithNulls, nan_handling: NanIsNull) |ctx| {
        let column = if nan_handling.0 { nans_to_nulls(&source, ctx)? } else { source };
        let runs = cuprum_compute::stream_compaction::unique_count(&Table::new(vec![column.clone()])?, true, ctx)?;
        if null_handling.0 || !column.has_nulls() {
            return Ok(runs);
        }
        // Runs of nulls are those of the flags in which the flag is set.
        let nulls = unary::is_null(&column, ctx)?;
        let flags = unary::cast(&nulls, DataType::Int8, ctx)?;
        let before = shift(&flags, 1, &Scalar::from_native(DataType::Int8, 0i8), ctx)?;
        let starts = binary_operation(&flags, &before, BinaryOperator::Greater, ctx)?;
        Ok(runs - cuprum_compute::stream_compaction::mask_to_rows(&starts, ctx)?.len())
    };
    distinct_count(source: Column, null_handling: WithNulls, nan_handling: NanIsNull) |ctx| {
        let column = if nan_handling.0 { nans_to_nulls(&source, ctx)? } else { as_keys(&source, ctx)? };
        cuprum_compute::stream_compaction::distinct::distinct_count(&column, null_handling.0, ctx)
    };
    unique_count_table(source: Table, nulls_equal: NullsEqual) |ctx| {
        cuprum_compute::stream_compaction::unique_count(&source, nulls_equal.0, ctx)
    };
    distinct_count_table(source: Table, nulls_equal: NullsEqual) |ctx| {
        let keys = keys(&[&source], ctx)?;
        Ok(distinct_rows(&keys[0], Keep::First, nulls_equal.0, ctx)?.len())
    };
}

/// The running reduction in the type of the column; without the row itself where it is exclusive.
fn scanned(column: &Column, kind: &str, exclusive: bool, ctx: &Context) -> Result<Column> {
    let of = column.data_type();
    let op = match kind {
        "SUM" => CumulativeOp::Sum,
        "PRODUCT" => CumulativeOp::Product,
        "MIN" => CumulativeOp::Min,
        "MAX" => CumulativeOp::Max,
        _ => return Err(Error::unsupported(format!("the scan of {of} with {kind} does not exist"))),
    };
    let nan = of.is_float() && has_nan(column, ctx)?;
    let running = if !nan {
        cumulative(column, op, ctx)?
    } else if matches!(op, CumulativeOp::Min | CumulativeOp::Max) {
        to_floats(&cumulative(&as_keys(column, ctx)?, op, ctx)?, of, ctx)?
    } else {
        // NaN from the first one on.
        let flags = unary::cast(&unary::is_nan(column, ctx)?, DataType::Int8, ctx)?;
        let spoiled = unary::cast(&cumulative(&flags, CumulativeOp::Max, ctx)?, DataType::Bool8, ctx)?;
        let running = cumulative(&nans_to_nulls(column, ctx)?, op, ctx)?;
        copy_if_else(&as_type(Scalar::from(f64::NAN), of, ctx)?, &running, &spoiled, ctx)?
            .with_mask(column.copy_mask(ctx)?, ctx)?
    };
    let running = if running.data_type() == of || of == DataType::Bool8 {
        running
    } else {
        unary::cast(&running, of, ctx)?
    };
    if !exclusive {
        return Ok(running);
    }
    let result = running.data_type();
    let start = identity(op, result, ctx)?;
    // Nulls among floats with NaN are filled as keys, in which NaN is a value.
    let before = if nan {
        let filled = fill_nulls_from_neighbours(&as_keys(&running, ctx)?, FillDirection::Forward, None, ctx)?;
        to_floats(&filled, of, ctx)?
    } else {
        fill_nulls_from_neighbours(&running, FillDirection::Forward, None, ctx)?
    };
    let before = shift(&before, 1, &start, ctx)?;
    replace_nulls(&before, &start, false, ctx)?.with_mask(column.copy_mask(ctx)?, ctx)
}

/// The identity of an operator: a value that leaves every other one as it is.
fn identity(op: CumulativeOp, data_type: DataType, ctx: &Context) -> Result<Scalar> {
    let refuse = || Err(Error::unsupported(format!("the exclusive scan of {data_type} with {op:?}")));
    let number = match op {
        CumulativeOp::Sum => 0i64,
        CumulativeOp::Product => 1,
        CumulativeOp::Min | CumulativeOp::Max => {
            let largest = op == CumulativeOp::Min;
            let (low, high) = match data_type {
                _ if data_type.is_float() => {
                    let extreme = if largest { f64::INFINITY } else { f64::NEG_INFINITY };
                    return as_type(Scalar::from(extreme), data_type, ctx);
                }
                DataType::Int8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
                DataType::Int16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
                DataType::Int32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
                DataType::Int64 => (i64::MIN, i64::MAX),
                DataType::UInt8 => (0, i64::from(u8::MAX)),
                DataType::UInt16 => (0, i64::from(u16::MAX)),
                DataType::UInt32 => (0, i64::from(u32::MAX)),
                DataType::UInt64 if largest => return Ok(Scalar::from(u64::MAX)),
                DataType::UInt64 => (0, 0),
                _ => return refuse(),
            };
            if largest { high } else { low }
        }
    };
    as_type(Scalar::from(number), data_type, ctx)
}
