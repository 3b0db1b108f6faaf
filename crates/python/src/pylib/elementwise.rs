//! `pylibcuprum.unary`, `binaryop` and `round`.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::expression::{Expression, evaluate};
use cuprum_compute::unary::{self as families, Halves};
use pyo3::prelude::*;

use super::binding::{ColumnOr, choices, functions};
use super::operators::{self, Binary, Unary, check_cast};

choices! {
    Halves, "RoundingMethod": 0 => Self::Up, 1 => Self::Even;
}

functions! {
    "elementwise":
    unary_operation(input: Column, op: Unary) |ctx| {
        let operand = Expression::column(0, input.data_type());
        let formula = operators::unary(&op.0, operand)?;
        one(formula, vec![input], ctx)
    };
    is_null(input: Column) |ctx| families::is_null(&input, ctx);
    is_valid(input: Column) |ctx| families::is_valid(&input, ctx);
    is_nan(input: Column) |ctx| {
        expect_float(&input)?;
        families::is_nan(&input, ctx)
    };
    is_not_nan(input: Column) |ctx| {
        expect_float(&input)?;
        families::unary_operation(&families::is_nan(&input, ctx)?, families::UnaryOperator::Not, ctx)
    };
    cast(input: Column, data_type: DataType) |ctx| {
        check_cast(input.data_type(), data_type)?;
        families::cast(&input, data_type, ctx)
    };
    bit_cast(input: Column, data_type: DataType) |_ctx| input.bit_cast(data_type);
    is_supported_cast(from_: DataType, to: DataType) |ctx| {
        Ok(check_cast(from_, to).is_ok()
            && !from_.is_nested()
            && !to.is_nested()
            && families::cast(&Column::empty(from_), to, ctx).is_ok())
    };
    binary_operation(
        lhs: ColumnOr<Scalar>,
        rhs: ColumnOr<Scalar>,
        op: Binary,
        output_type: DataType,
    ) |ctx| {
        let mut columns = vec![];
        let mut operand = |operand: ColumnOr<Scalar>| match operand {
            ColumnOr::One(scalar) => Expression::literal(scalar),
            ColumnOr::Column(column) => {
                columns.push(column);
                Expression::column(columns.len() - 1, columns[columns.len() - 1].data_type())
            }
        };
        let (left, right) = (operand(lhs), operand(rhs));
        if columns.is_empty() {
            return Err(Error::invalid_argument("`lhs` and `rhs` are both scalars"));
        }
        if let [a, b] = columns.as_slice()
            && a.len() != b.len()
        {
            return Err(Error::invalid_argument(format!("`lhs` has {} rows, `rhs` {}", a.len(), b.len())));
        }
        one(operators::binary_as(&op.0, left, right, output_type)?, columns, ctx)
    };
    is_supported_operation(out: DataType, lhs: DataType, rhs: DataType, op: Binary) |_ctx| {
        let (left, right) = (Expression::column(0, lhs), Expression::column(1, rhs));
        Ok(operators::binary_as(&op.0, left, right, out).is_ok())
    };
    round(source: Column, decimal_places: i32, round_method: Halves) |ctx| {
        families::round_halves(&source, decimal_places, round_method, ctx)
    };
    round_decimal(source: Column, decimal_places: i32, round_method: Halves) |ctx| {
        if !source.data_type().is_decimal() {
            return Err(Error::data_type(format!("`source` is of type {}, no decimals", source.data_type())));
        }
        families::round_halves(&source, decimal_places, round_method, ctx)
    };
}

/// The column of a formula over columns.
fn one(formula: Expression, columns: Vec<Column>, ctx: &Context) -> Result<Column> {
    evaluate(&[formula], &Table::new(columns)?, ctx).map(|mut columns| columns.remove(0))
}

fn expect_float(column: &Column) -> Result<()> {
    if column.data_type().is_float() {
        return Ok(());
    }
    Err(Error::data_type(format!("`input` is of type {}, no floats", column.data_type())))
}
