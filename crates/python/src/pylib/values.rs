//! `pylibcuprum.replace` and `filling`.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::nan_values::{as_keys, to_floats};
use cuprum_compute::replace::{self as families, FillDirection};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::{datetime, filling, unary};
use pyo3::prelude::*;

use super::binding::{ColumnOr, choices, functions};

choices! {
    FillDirection, "ReplacePolicy": 0 => Self::Forward, 1 => Self::Backward;
}

functions! {
    "values":
    replace_nulls(source_column: Column, replacement: ColumnOr<Scalar>) |ctx| {
        families::replace_nulls(&source_column, replacement.operand(), false, ctx)
    };
    replace_nulls_by_policy(source_column: Column, replacement: FillDirection) |ctx| {
        if !source_column.data_type().is_float() {
            return families::fill_nulls_from_neighbours(&source_column, replacement, None, ctx);
        }
        // NaN is a value here: what is filled are the numbers of rows.
        let rows = filling::sequence(0, 1, source_column.len(), ctx)?;
        let rows = rows.with_mask(source_column.copy_mask(ctx)?, ctx)?;
        let rows = families::fill_nulls_from_neighbours(&rows, replacement, None, ctx)?;
        let rows = families::replace_nulls(&rows, &Scalar::from(i64::MIN), false, ctx)?;
        gather_column(&source_column, &rows, OutOfBoundsPolicy::Nullify, ctx)
    };
    find_and_replace_all(
        source_column: Column,
        values_to_replace: Column,
        replacement_values: Column,
    ) |ctx| {
        if values_to_replace.len() != replacement_values.len() {
            return Err(Error::invalid_argument(format!(
                "`values_to_replace` has {} rows, `replacement_values` {}",
                values_to_replace.len(),
                replacement_values.len()
            )));
        }
        // The first of equal values counts.
        let first = distinct_rows(&Table::new(vec![values_to_replace.clone()])?, Keep::First, true, ctx)?;
        let chosen = |column: &Column| gather_column(column, &first, OutOfBoundsPolicy::Check, ctx);
        families::find_and_replace(
            &source_column,
            &chosen(&values_to_replace)?,
            &chosen(&replacement_values)?,
            ctx,
        )
    };
    clamp(
        source_column: Column,
        lo: Scalar,
        hi: Scalar,
        lo_replace: Option<Scalar>,
        hi_replace: Option<Scalar>,
    ) |ctx| {
        let bounds = [
            ("lo", &lo, lo_replace.as_ref().unwrap_or(&lo), BinaryOperator::Less),
            ("hi", &hi, hi_replace.as_ref().unwrap_or(&hi), BinaryOperator::Greater),
        ];
        let mut clamped = source_column.clone();
        for (name, bound, replacement, op) in bounds {
            for (of, scalar) in [("", bound), ("_replace", replacement)] {
                if scalar.data_type() != source_column.data_type() {
                    return Err(Error::data_type(format!(
                        "`{name}{of}` is {}, the column {}",
                        scalar.data_type(),
                        source_column.data_type()
                    )));
                }
            }
            if !bound.is_null() {
                let beyond = binary_operation(&source_column, bound, op, ctx)?;
                clamped = copy_if_else(replacement, &clamped, &beyond, ctx)?;
            }
        }
        Ok(clamped)
    };
    normalize_nans_and_zeros(source_column: Column) |ctx| {
        if !source_column.data_type().is_float() {
            return Err(Error::data_type(format!(
                "`source_column` is of type {}, no floats",
                source_column.data_type()
            )));
        }
        to_floats(&as_keys(&source_column, ctx)?, source_column.data_type(), ctx)
    };
    fill(destination: Column, begin: usize, end: usize, value: Scalar) |ctx| {
        filling::fill(&destination, begin, end, &value, ctx)
    };
    sequence(size: usize, init: Scalar, step: Scalar) |ctx| sequence_of(size, &init, &step, ctx);
    repeat(input_table: Table, count: ColumnOr<usize>) |ctx| match &count {
        ColumnOr::Column(counts) => filling::repeat_each(&input_table, counts, ctx),
        ColumnOr::One(count) => filling::repeat(&input_table, *count, ctx),
    };
    calendrical_month_sequence(n: usize, init: Scalar, months: i64) |ctx| {
        if init.is_null() {
            return Err(Error::invalid_argument("`init` is null"));
        }
        let offsets = filling::sequence(0, months, n, ctx)?;
        datetime::add_months_each(&Column::from_scalar(&init, n, ctx)?, &offsets, ctx)
    };
}

fn sequence_of(size: usize, init: &Scalar, step: &Scalar, ctx: &Context) -> Result<Column> {
    let data_type = init.data_type();
    if data_type != step.data_type() || !data_type.is_numeric() || data_type == DataType::Bool8 {
        return Err(Error::data_type(format!(
            "`init` is {data_type} and `step` {}; they are numbers of one type",
            step.data_type()
        )));
    }
    for (name, scalar) in [("init", init), ("step", step)] {
        if scalar.is_null() {
            return Err(Error::invalid_argument(format!("`{name}` is null")));
        }
    }
    let last =
        |init: i64, step: i64| step.checked_mul(i64::try_from(size.max(1) - 1).ok()?)?.checked_add(init);
    if let (false, Some(init), Some(step)) = (data_type.is_float(), init.as_i64(), step.as_i64())
        && (data_type != DataType::UInt64 || last(init, step).is_some())
    {
        return unary::cast(&filling::sequence(init, step, size, ctx)?, data_type, ctx);
    }
    let numbers = unary::cast(&filling::sequence(0, 1, size, ctx)?, data_type, ctx)?;
    let steps = binary_operation(&numbers, step, BinaryOperator::Mul, ctx)?;
    binary_operation(&steps, init, BinaryOperator::Add, ctx)
}
