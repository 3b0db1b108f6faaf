//! What rows of two frames are compared by where only their hashes meet: partitions of a data set.

use cuprum_column::{Column, Context, DataType, Result, TimeUnit};
use cuprum_compute::unary;

use crate::types::{self, Dtype, TypedColumn};

/// Columns whose rows are equal where the values of `column` are, whatever stores them there: integers, floats and
/// decimals as the nearest float64, categories as their values, times and timedeltas of any unit as days and what is
/// beyond them, intervals as their bounds. Values that differ may have equal rows (integers beyond 2⁵³); missing ones
/// are null.
pub fn hash_keys(column: &TypedColumn) -> Result<Vec<Column>> {
    let ctx = &column.context()?;
    let stored = column.data()?;
    Ok(match column.dtype() {
        Dtype::Objects(_) => return column.dtype().refuse("hashing"),
        Dtype::Categorical(_) => return hash_keys(&column.decoded()?),
        Dtype::Interval(_) => {
            let (left, right) = types::bounds(column)?;
            [hash_keys(&left)?, hash_keys(&right)?].concat()
        }
        Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::Decimal(_) => {
            vec![unary::cast(stored, DataType::Float64, ctx)?]
        }
        Dtype::Date(_) => vec![stored.bit_cast(DataType::Int32)?],
        Dtype::Datetime(_) | Dtype::Timedelta(_) => days_and_rest(stored, ctx)?,
        Dtype::Null(_) => vec![Column::nulls(DataType::Float64, column.len(), ctx)?],
        Dtype::String(_) | Dtype::Binary(_) | Dtype::List(_) | Dtype::Struct(_) | Dtype::Period(_) => {
            vec![stored.clone()]
        }
    })
}

/// Times or durations as whole days, and the nanoseconds beyond them.
fn days_and_rest(times: &Column, ctx: &Context) -> Result<Vec<Column>> {
    use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
    let of: fn(TimeUnit) -> DataType =
        if times.data_type().is_timestamp() { DataType::Timestamp } else { DataType::Duration };
    let days = unary::cast(times, of(TimeUnit::Days), ctx)?;
    let whole = unary::cast(&days, times.data_type(), ctx)?;
    let rest = binary_operation(times, &whole, BinaryOperator::Sub, ctx)?;
    let rest = unary::cast(&rest, DataType::Duration(TimeUnit::Nanoseconds), ctx)?;
    Ok(vec![days.bit_cast(DataType::Int32)?, rest.bit_cast(DataType::Int64)?])
}

#[cfg(test)]
mod tests {
    use cuprum_column::Scalar;

    use super::*;
    use crate::types::Categorical;

    fn rows(column: &TypedColumn) -> Vec<Vec<Scalar>> {
        let keys = hash_keys(column).unwrap();
        (0..column.len()).map(|row| keys.iter().map(|key| key.get(row).unwrap()).collect()).collect()
    }

    #[test]
    fn equal_values_have_equal_keys_however_they_are_stored() {
        let ctx = &Context::current();
        let texts = TypedColumn::from(Column::from_strs(&["z", "y", "x", "z"], ctx).unwrap());
        let some = TypedColumn::from(Column::from_strs(&["y", "z"], ctx).unwrap());
        let (a, b) = (rows(&Categorical::encode_distinct(&texts, false).unwrap()), rows(&some));
        assert_eq!((&a[0], &a[1]), (&b[1], &b[0]));

        let cast = |column: &TypedColumn, to| types::cast(column, &Dtype::plain(to)).unwrap();
        let seconds = TypedColumn::from(
            Column::from_options(&[Some(-1i64), None, Some(86_400), Some(1 << 30)], ctx)
                .unwrap()
                .bit_cast(DataType::Timestamp(TimeUnit::Seconds))
                .unwrap(),
        );
        let fine = cast(&seconds, DataType::Timestamp(TimeUnit::Nanoseconds));
        assert_eq!(rows(&seconds), rows(&fine));

        let ints = TypedColumn::from(Column::from_options(&[Some(-3i8), None, Some(0)], ctx).unwrap());
        for to in [DataType::Int64, DataType::Float32, DataType::Decimal64(-3), DataType::Decimal128(-1)] {
            assert_eq!(rows(&cast(&ints, to)), rows(&ints), "{to}");
        }
    }
}
