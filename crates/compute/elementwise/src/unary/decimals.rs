//! Functions of one decimal: exact, or an error.

use cuprum_column::{Column, Context, Result};

use super::UnaryOperator;
use crate::unary::halves::{Halves, quotient};
use cuprum_elements::decimals::{self, Digits, floor_div, scale};

/// See [`super::unary_operation`]; the operator takes decimals, and has something to do.
pub(super) fn operate(column: &Column, op: UnaryOperator, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let digits = Digits::new(&view)?;
    let one = power(scale(column.data_type()));
    decimals::column(column.len(), column.data_type(), column.copy_mask(ctx)?, ctx, |row| {
        let value = digits.get(row);
        match op {
            UnaryOperator::Negate => value.checked_neg(),
            UnaryOperator::Abs => value.checked_abs(),
            _ => to_whole(value, op, one),
        }
    })
}

/// The stored integer of 1; `None` where it exceeds any number stored.
pub(super) fn power(scale: i32) -> Option<i128> {
    10i128.checked_pow(scale.unsigned_abs())
}

/// A stored number rounded to a multiple of the stored integer of 1.
fn to_whole(value: i128, op: UnaryOperator, one: Option<i128>) -> Option<i128> {
    let Some(one) = one else {
        // Less than a half, and 1 does not fit.
        let fits = match op {
            UnaryOperator::Ceil => value <= 0,
            UnaryOperator::Floor => value >= 0,
            _ => true,
        };
        return fits.then_some(0);
    };
    let whole = match op {
        UnaryOperator::Ceil => floor_div(value, one)? + i128::from(value % one != 0),
        UnaryOperator::Floor => floor_div(value, one)?,
        UnaryOperator::Trunc => value / one,
        _ => quotient(value, one, Halves::Even),
    };
    whole.checked_mul(one)
}

#[cfg(test)]
mod tests {
    use cuprum_column::{DataType, ErrorKind, Value};

    use super::*;
    use crate::unary::{cast, round, unary_operation};

    fn stored(column: &Column) -> Vec<Option<i128>> {
        (0..column.len())
            .map(|row| match column.get(row).unwrap().value() {
                Value::Decimal(digits) => Some(*digits),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn functions_of_decimals() {
        let ctx = &Context::current();
        let integers =
            Column::from_options(&[Some(750i64), None, Some(-750), Some(-1), Some(250), Some(0)], ctx);
        let decimals = cast(&integers.unwrap(), DataType::Decimal64(0), ctx).unwrap();
        let decimals = decimals.bit_cast(DataType::Decimal64(-2)).unwrap().slice(0, 6).unwrap();
        let of = |op| stored(&unary_operation(&decimals, op, ctx).unwrap());
        let row = |values: [i128; 5]| {
            vec![Some(values[0]), None, Some(values[1]), Some(values[2]), Some(values[3]), Some(values[4])]
        };
        assert_eq!(of(UnaryOperator::Negate), row([-750, 750, 1, -250, 0]));
        assert_eq!(of(UnaryOperator::Abs), row([750, 750, 1, 250, 0]));
        assert_eq!(of(UnaryOperator::Ceil), row([800, -700, 0, 300, 0]));
        assert_eq!(of(UnaryOperator::Floor), row([700, -800, -100, 200, 0]));
        assert_eq!(of(UnaryOperator::Trunc), row([700, -700, 0, 200, 0]));
        assert_eq!(of(UnaryOperator::Rint), row([800, -800, 0, 200, 0]));
        assert_eq!(stored(&round(&decimals, -1, ctx).unwrap()), row([1000, -1000, 0, 0, 0]));
        assert_eq!(stored(&round(&decimals, 2, ctx).unwrap()), stored(&decimals));
    }

    #[test]
    fn what_a_type_does_not_hold_is_refused() {
        let ctx = &Context::current();
        let least = Column::from_options(&[Some(1i32), None, Some(i32::MIN)], ctx).unwrap();
        let least = least.bit_cast(DataType::Decimal32(-3)).unwrap();
        for op in [UnaryOperator::Negate, UnaryOperator::Abs, UnaryOperator::Floor] {
            let error = unary_operation(&least, op, ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow);
            assert!(error.to_string().contains("row 2"), "{error}");
        }
        assert!(unary_operation(&least, UnaryOperator::Trunc, ctx).is_ok());
        let far = least.bit_cast(DataType::Decimal32(-60)).unwrap();
        assert_eq!(unary_operation(&far, UnaryOperator::Ceil, ctx).unwrap_err().kind(), ErrorKind::Overflow);
        assert!(stored(&unary_operation(&far, UnaryOperator::Rint, ctx).unwrap())[2] == Some(0));
        assert!(unary_operation(&far, UnaryOperator::Sqrt, ctx).is_err());
    }
}
