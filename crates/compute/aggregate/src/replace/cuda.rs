//! Replacement on a GPU, as parts of a [`JitExpression`].

use cuprum_column::{Column, Context, DataType, Result, Scalar, Table, Value};
use cuprum_runtime::primitives::{fill, sequence};

use crate::accumulation::cuda::running::{Segments, latest};
use cuprum_elements::elements::Operand;
use cuprum_elements::fused::{JitExpression, stored_as};
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_one};
use cuprum_elementwise::binaryop::cuda::operated;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::copying::copy_if_else;
use cuprum_elementwise::unary::{is_null, is_valid};
use cuprum_keys::equality::cuda::{MissingKeys, number_both};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::cuda::numbers_column;

use super::FillDirection;

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
    let mut formula = JitExpression::new(column.len());
    let (value, with) = (formula.column(column), formula.operand(with)?);
    let filled = formula.filled(&value, &with, nan_is_null);
    formula.unchecked(filled, column.data_type(), ctx)
}

/// See [`super::nans_to_nulls`]; the column is of floats.
pub(super) fn nans_to_nulls(column: &Column, ctx: &Context) -> Result<Column> {
    let mut formula = JitExpression::new(column.len());
    let value = formula.column(column);
    let present = formula.present(&value, true);
    column.with_mask(formula.mask(present, ctx)?, ctx)
}

/// Whether values of a type are clamped by one kernel.
pub(super) fn has_clamp(data_type: DataType) -> bool {
    stored_as(data_type).is_some() && !data_type.is_decimal()
}

/// See [`super::clamp`]: a bound takes the place of values that are beyond it.
pub(super) fn clamp(column: &Column, bounds: &[(&Scalar, BinaryOperator)], ctx: &Context) -> Result<Column> {
    let mut formula = JitExpression::new(column.len());
    let mut value = formula.column(column);
    for (bound, beyond) in bounds {
        let bound = formula.scalar(bound)?;
        let beyond = operated(&mut formula, *beyond, &value, &bound, DataType::Bool8);
        value = formula.choice(&beyond, &bound, &value);
    }
    formula.unchecked(value, column.data_type(), ctx)
}

/// See [`super::fill_nulls_from_neighbours`]: every row from the nearest one that is there.
pub(super) fn fill_from_neighbours(
    column: &Column,
    direction: FillDirection,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    let temporary = ctx.temporary()?;
    let missing = if column.data_type().is_float() {
        is_null(&nans_to_nulls(column, &temporary)?, &temporary)?
    } else {
        is_null(column, &temporary)?
    };
    let order = Segments { reverse: direction == FillDirection::Backward, ..Segments::ALL };
    let found = latest(&missing, &order, &temporary)?;
    let Some(limit) = limit else { return gather_one(column, &GatherMap::or_null(found), ctx) };
    let numbers = DataType::UInt32;
    let (rows, found) = (sequence(0u32, 1, column.len(), &temporary)?, numbers_column(numbers, found)?);
    let rows = numbers_column(numbers, rows)?;
    let (later, earlier) = match direction {
        FillDirection::Forward => (&rows, &found),
        FillDirection::Backward => (&found, &rows),
    };
    let away = binary_operation(later, earlier, BinaryOperator::Sub, &temporary)?;
    let limit = Scalar::new(numbers, Value::UInt(limit.min(u32::MAX as usize) as u64))?;
    let is_near = binary_operation(&away, &limit, BinaryOperator::LessEqual, &temporary)?;
    let near = copy_if_else(&found, &Scalar::null(numbers), &is_near, &temporary)?;
    // Rows without a neighbour have a number behind the last row.
    gather_one(column, &GatherMap::new(&near, column.len(), OutOfBoundsPolicy::Nullify, &temporary)?, ctx)
}

/// See [`super::find_and_replace`]; types and lengths agree, and there are rows of all.
pub(super) fn find_and_replace(column: &Column, old: &Column, new: &Column, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    check_rows("replacements", old.len().max(column.len()))?;
    // Of equal ones the last counts: the first, from behind.
    let backwards = |column: &Column| {
        let rows = sequence(old.len() as u32 - 1, u32::MAX, old.len(), temporary)?;
        gather_one(column, &GatherMap::from(rows), temporary)
    };
    let (old, new) = (backwards(old)?, backwards(new)?);
    let (numbers, found) =
        number_both(&keys(&old, temporary)?, &keys(column, temporary)?, MissingKeys::Equal, ctx)?;
    let new = gather_one(&new, &GatherMap::from(numbers.first_rows), temporary)?;
    let all = numbers_column(DataType::Bool8, fill(1u8, new.len(), temporary)?)?;
    let found = GatherMap::or_null(found);
    let (with, is_found) = (gather_one(&new, &found, temporary)?, gather_one(&all, &found, temporary)?);
    copy_if_else(&with, column, &is_found, ctx)
}

/// A column as keys, in which NaN is not null.
fn keys(column: &Column, ctx: &Context) -> Result<Table> {
    let mut keys = vec![column.clone()];
    if column.data_type().is_float() {
        keys.push(is_valid(column, ctx)?);
    }
    Table::new(keys)
}
