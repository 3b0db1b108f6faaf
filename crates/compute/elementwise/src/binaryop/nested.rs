//! Comparisons of structs, lists and dictionaries.

use cuprum_column::{Column, Context, DataType, Error, Result, have_same_types, type_name};
use cuprum_elements::gather::dictionary_values;
use cuprum_keys::flatten::is_flattened_type;
use cuprum_keys::list_keys::{MissingElements, texts_of_rows};

use super::{BinaryOperator, Operand, binary_operation};

/// Whether one of the types at least is one of these.
pub(super) fn is_flattened(lhs: Operand<'_>, rhs: Operand<'_>) -> bool {
    is_flattened_type(lhs.data_type()) || is_flattened_type(rhs.data_type())
}

/// `op` of every row: that of texts which compare as structs and lists do, or of the values of dictionaries.
pub(super) fn compare(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let values = |operand| match operand {
        Operand::Column(column) if column.data_type() == DataType::Dictionary32 => {
            dictionary_values(column, &ctx.temporary()?).map(Some)
        }
        _ => Ok(None),
    };
    let (left, right) = (values(lhs)?, values(rhs)?);
    if left.is_some() || right.is_some() {
        let (lhs, rhs) =
            (left.as_ref().map_or(lhs, Operand::from), right.as_ref().map_or(rhs, Operand::from));
        return binary_operation(lhs, rhs, op, ctx);
    }
    let is_null = |operand| matches!(operand, Operand::Scalar(scalar) if scalar.is_null());
    if op.is_comparison() && lhs.data_type() == rhs.data_type() && (is_null(lhs) || is_null(rhs)) {
        return Column::nulls(DataType::Bool8, len, ctx);
    }
    let (left, right) = (lhs.to_column(1, ctx)?, rhs.to_column(1, ctx)?);
    if !op.is_comparison() || !have_same_types(&left, &right) {
        return Err(Error::data_type(format!(
            "operator {op} does not take operands of {} and {}",
            type_name(&left),
            type_name(&right)
        )));
    }
    let texts = |column: &Column| texts_of_rows(column, MissingElements::equal(false), &ctx.temporary()?);
    let (left, right) = (texts(&left)?, texts(&right)?);
    match (lhs, rhs) {
        (Operand::Scalar(_), _) => binary_operation(&left.get(0)?, &right, op, ctx),
        (_, Operand::Scalar(_)) => binary_operation(&left, &right.get(0)?, op, ctx),
        _ => binary_operation(&left, &right, op, ctx),
    }
}
