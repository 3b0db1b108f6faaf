//! Replacement on a GPU, as parts of a [`Formula`].

use cuprum_column::{Column, Context, DataType, Result, Scalar};

use crate::binaryop::BinaryOperator;
use crate::binaryop::cuda::operated;
use crate::copying::copy_if_else;
use crate::elements::Operand;
use crate::fused::{Formula, stored_as};
use crate::unary::is_valid;

/// See [`super::replace_nulls`]; types and lengths agree.
pub(super) fn replace_nulls(
    column: &Column,
    with: Operand<'_>,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Column> {
    if stored_as(column.data_type()).is_none() {
        return copy_if_else(column, with, &is_valid(column, ctx)?, ctx);
    }
    let mut formula = Formula::new(column.len());
    let (value, with) = (formula.column(column), formula.operand(with)?);
    let filled = formula.filled(&value, &with, nan_is_null);
    formula.unchecked(filled, column.data_type(), ctx)
}

/// See [`super::nans_to_nulls`]; the column is of floats.
pub(super) fn nans_to_nulls(column: &Column, ctx: &Context) -> Result<Column> {
    let mut formula = Formula::new(column.len());
    let value = formula.column(column);
    let present = formula.present(&value, true);
    column.with_mask(formula.mask(present, ctx)?, ctx)
}

/// Whether there are kernels for clamping values of a type.
pub(super) fn has_clamp(data_type: DataType) -> bool {
    stored_as(data_type).is_some() && !data_type.is_decimal()
}

/// See [`super::clamp`]: a bound takes the place of values that are beyond it.
pub(super) fn clamp(column: &Column, bounds: &[(&Scalar, BinaryOperator)], ctx: &Context) -> Result<Column> {
    let mut formula = Formula::new(column.len());
    let mut value = formula.column(column);
    for (bound, beyond) in bounds {
        let bound = formula.scalar(bound)?;
        let beyond = operated(&mut formula, *beyond, &value, &bound, DataType::Bool8);
        value = formula.choice(&beyond, &bound, &value);
    }
    formula.unchecked(value, column.data_type(), ctx)
}
