//! Equality of labels and of whole columns.

use cuprum_column::{Column, DataType, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::expression::{self, Expression};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::{replace, unary};

use super::{TypedColumn, promotion};

/// Whether two columns have the same length and equal values, missing values being equal to each
/// other. Types may differ where their values compare (`int32` 1 equals `float64` 1.0), and devices may:
/// the values are compared where those of `a` are.
pub fn columns_equal(a: &Column, b: &Column) -> Result<bool> {
    if a.is_same_memory(b) {
        return Ok(true);
    }
    if a.len() != b.len() || promotion::common_type(a.data_type(), b.data_type()).is_none() {
        return Ok(a.len() == b.len() && a.is_empty());
    }
    let ctx = a.context()?;
    let b = &*b.placed(&ctx)?;
    let (left, right) = (Expression::column(0, a.data_type()), Expression::column(1, b.data_type()));
    let missing = |side: &Expression| side.clone().is_missing(true);
    let both = Expression::binary(BinaryOperator::And, missing(&left)?, missing(&right)?)?;
    let equal = Expression::binary(BinaryOperator::Equal, left, right)?;
    let equal = equal.fill(Expression::literal(Scalar::from(false)), false)?;
    let same = Expression::binary(BinaryOperator::Or, equal, both)?;
    let table = Table::new(vec![a.clone(), b.clone()])?;
    let all = expression::reduce(&[(same, Aggregation::All)], None, &table, &ctx)?;
    Ok(all.first().and_then(Scalar::as_bool).unwrap_or(true))
}

/// Whether some element of a column of truth values is true.
pub(crate) fn is_any(flags: &Column) -> Result<bool> {
    Ok(reduce(flags, Aggregation::Any, &flags.context()?)?.as_bool() == Some(true))
}

/// Whether a column of truth values has elements, and all are true.
pub(crate) fn is_all(flags: &Column) -> Result<bool> {
    let all = reduce(flags, Aggregation::All, &flags.context()?)?.as_bool();
    Ok(!flags.is_empty() && all == Some(true))
}

/// True where an element is null or NaN; never null.
pub fn missing(column: &Column) -> Result<Column> {
    let ctx = column.context()?;
    if !column.data_type().is_float() {
        return unary::is_null(column, &ctx);
    }
    let missing = Expression::column(0, column.data_type()).is_missing(true)?;
    Ok(expression::evaluate(&[missing], &Table::new(vec![column.clone()])?, &ctx)?.swap_remove(0))
}

/// Whether some element is missing.
pub(crate) fn has_missing(column: &TypedColumn) -> Result<bool> {
    is_any(&column.missing()?)
}

/// True where an element equals `label`; a missing label equals missing elements. Never null.
/// A label of a type that does not compare equals nothing.
pub fn equals_scalar(column: &Column, label: &Scalar) -> Result<Column> {
    let ctx = column.context()?;
    if label.is_null() {
        return missing(column);
    }
    let comparable = promotion::common_type(column.data_type(), label.data_type()).is_some()
        || (column.data_type().is_timestamp() && label.data_type() == DataType::String);
    if !comparable {
        return Column::from_scalar(&Scalar::from(false), column.len(), &ctx);
    }
    let label = promotion::coerce_element(label, column.data_type()).unwrap_or_else(|_| label.clone());
    if promotion::common_type(column.data_type(), label.data_type()).is_none() {
        return Column::from_scalar(&Scalar::from(false), column.len(), &ctx);
    }
    let equal = binary_operation(column, &label, BinaryOperator::Equal, &ctx)?;
    replace::replace_nulls(&equal, &Scalar::from(false), false, &ctx)
}

/// In an ascending column, the number of elements below `label` (`after`: not above it).
pub fn lower_bound(column: &Column, label: &Scalar, after: bool) -> Result<usize> {
    partition_point(column, label, if after { BinaryOperator::LessEqual } else { BinaryOperator::Less })
}

/// `lower_bound` in a column whose elements descend.
pub fn lower_bound_descending(column: &Column, label: &Scalar, after: bool) -> Result<usize> {
    partition_point(column, label, if after { BinaryOperator::GreaterEqual } else { BinaryOperator::Greater })
}

/// The number of elements for which `op` holds beside `label`: those before all others.
fn partition_point(column: &Column, label: &Scalar, op: BinaryOperator) -> Result<usize> {
    let ctx = column.context()?;
    let (mut low, mut high) = (0, column.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let below = binary_operation(&column.slice(middle, 1)?, label, op, &ctx)?.get(0)?;
        if below.as_bool() == Some(true) { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use cuprum_column::Context;

    use super::*;

    #[test]
    fn missing_elements_equal_each_other_and_nothing_else() {
        let ctx = &Context::current();
        let floats = |values: &[Option<f64>]| Column::from_options(values, ctx).unwrap();
        // Made twice: the same memory is equal in any case.
        let made = || {
            [
                floats(&[Some(1.0), Some(2.0)]),
                floats(&[Some(1.0), None]),
                floats(&[Some(1.0), Some(f64::NAN)]),
                Column::from_slice(&[1i32, 2], ctx).unwrap(),
                Column::from_strs(&["1", "2"], ctx).unwrap(),
            ]
        };
        let equal = |a: usize, b: usize| a == b || [(0, 3), (1, 2)].contains(&(a.min(b), a.max(b)));
        for (i, a) in made().iter().enumerate() {
            for (j, b) in made().iter().enumerate() {
                assert_eq!(columns_equal(a, b).unwrap(), equal(i, j), "{i}, {j}");
            }
        }
        let [full, ..] = made();
        assert!(!columns_equal(&full, &full.slice(0, 1).unwrap()).unwrap());
    }
}
