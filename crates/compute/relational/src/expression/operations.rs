//! Expressions operation by operation, each by its family: those unknown to a program.

use cuprum_column::{Column, Context, Result, Scalar, Table};

use super::{Expression, Node};
use cuprum_aggregate::replace::replace_nulls;
use cuprum_elementwise::binaryop::{BinaryOperator, Operand, binary_operation};
use cuprum_elementwise::copying::copy_if_else;
use cuprum_elementwise::unary::{cast, is_nan, is_null, unary_operation};

/// A value of an operand: a column, or a literal, which need not become one.
pub(super) enum Operated {
    Column(Column),
    Literal(Scalar),
}

impl<'a> From<&'a Operated> for Operand<'a> {
    fn from(operated: &'a Operated) -> Self {
        match operated {
            Operated::Column(column) => column.into(),
            Operated::Literal(scalar) => scalar.into(),
        }
    }
}

impl Operated {
    fn into_column(self, rows: usize, ctx: &Context) -> Result<Column> {
        match self {
            Self::Column(column) => Ok(column),
            Self::Literal(scalar) => Column::from_scalar(&scalar, rows, ctx),
        }
    }
}

/// The column of an expression whose columns were checked against the table's.
pub(super) fn evaluate(expression: &Expression, table: &Table, ctx: &Context) -> Result<Column> {
    value(expression, table, ctx)?.into_column(table.num_rows(), ctx)
}

fn value(expression: &Expression, table: &Table, ctx: &Context) -> Result<Operated> {
    match expression.node() {
        Node::Column(position) => Ok(Operated::Column(table.columns()[*position].clone())),
        Node::Literal(scalar) => Ok(Operated::Literal(scalar.clone())),
        _ => {
            let operands = expression.operands().map(|operand| value(operand, table, ctx));
            let operands = operands.collect::<Result<Vec<_>>>()?;
            operate(expression, operands, table.num_rows(), ctx).map(Operated::Column)
        }
    }
}

/// The operation at the root of `expression`, which is no leaf, on the values of its operands.
pub(super) fn operate(
    expression: &Expression,
    operands: Vec<Operated>,
    rows: usize,
    ctx: &Context,
) -> Result<Column> {
    let mut operands = operands.into_iter();
    let mut next = || operands.next().expect("as many values as operands");
    match expression.node() {
        Node::Column(_) | Node::Literal(_) => unreachable!("a leaf has no operation"),
        Node::Unary(op, _) => unary_operation(&next().into_column(rows, ctx)?, *op, ctx),
        Node::Binary(op, ..) => {
            let (left, right) = (next(), next());
            match (&left, &right) {
                (Operated::Literal(scalar), Operated::Literal(_)) => {
                    binary_operation(&Column::from_scalar(scalar, rows, ctx)?, &right, *op, ctx)
                }
                _ => binary_operation(&left, &right, *op, ctx),
            }
        }
        Node::Function(function, _) => function.call(&next().into_column(rows, ctx)?, ctx),
        Node::Cast(_) => cast(&next().into_column(rows, ctx)?, expression.data_type(), ctx),
        Node::IsMissing { nan, .. } => {
            let column = next().into_column(rows, ctx)?;
            let null = is_null(&column, ctx)?;
            if !nan || !column.data_type().is_float() {
                return Ok(null);
            }
            binary_operation(&null, &is_nan(&column, ctx)?, BinaryOperator::Or, ctx)
        }
        Node::Fill { nan, .. } => {
            let (column, with) = (next().into_column(rows, ctx)?, next());
            replace_nulls(&column, &with, *nan, ctx)
        }
        Node::Conditional { .. } => {
            let (condition, then, otherwise) = (next().into_column(rows, ctx)?, next(), next());
            copy_if_else(&then, &otherwise, &condition, ctx)
        }
    }
}
