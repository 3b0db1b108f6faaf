//! Rounding with a say about halves, of decimals too.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_elements::decimals::{self, Digits};

/// The rounding of a value in the middle between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halves {
    /// Away from zero.
    Up,
    /// To the even one.
    Even,
}

/// Every number rounded to `places` digits after the point (before it, where negative).
///
/// Floats by scaling, rounding and scaling back; integers stay as they are unless `places` is negative.
/// Decimals become of the scale `-places`, whatever theirs is. Null and values that are not finite stay.
///
/// Fails with `DataType` for types that are no numbers and with `Overflow` for a decimal or an integer that its
/// type cannot hold.
pub fn round_halves(column: &Column, places: i32, halves: Halves, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.round_halves");
    check_device!(ctx, [column]);
    let data_type = column.data_type();
    match data_type {
        _ if data_type.is_integer() && places >= 0 || data_type == DataType::Bool8 => Ok(column.clone()),
        _ if ctx.is_on_gpu() && data_type.is_numeric() => {
            super::cuda::round_to_halves(column, places, halves, ctx)
        }
        _ if data_type.is_decimal() => {
            let scale = places.checked_neg();
            let scale = scale.ok_or_else(|| Error::overflow(format!("a decimal of {places} places")))?;
            let to = match data_type {
                DataType::Decimal32(_) => DataType::Decimal32(scale),
                DataType::Decimal64(_) => DataType::Decimal64(scale),
                _ => DataType::Decimal128(scale),
            };
            on_device!(
                ctx,
                rounded_digits(column, decimals::scale(data_type), to, scale, halves, ctx),
                super::cuda::round_digits(column, to, halves, ctx)
            )
        }
        DataType::Float32 => {
            let view = column.view()?;
            let values = view.values::<f32>()?;
            let round = |row: usize| rounded(f64::from(values[row]), places, halves) as f32;
            Column::new(data_type, HostUVec::from_fn(values.len(), ctx, round)?, column.copy_mask(ctx)?)
        }
        DataType::Float64 => {
            let view = column.view()?;
            let values = view.values::<f64>()?;
            let round = |row: usize| rounded(values[row], places, halves);
            Column::new(data_type, HostUVec::from_fn(values.len(), ctx, round)?, column.copy_mask(ctx)?)
        }
        _ if data_type.is_numeric() => {
            let unit = places.unsigned_abs();
            let view = column.view()?;
            let digits = Digits::new(&view)?;
            decimals::column(column.len(), data_type, column.copy_mask(ctx)?, ctx, |row| {
                let Some(unit) = 10i128.checked_pow(unit) else { return Some(0) };
                quotient(digits.get(row), unit, halves).checked_mul(unit)
            })
        }
        _ => Err(Error::data_type(format!("cannot round {data_type}"))),
    }
}

fn rounded_digits(
    column: &Column,
    from: i32,
    to: DataType,
    scale: i32,
    halves: Halves,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let digits = Digits::new(&view)?;
    decimals::column(column.len(), to, column.copy_mask(ctx)?, ctx, |row| {
        let value = digits.get(row);
        let Ok(beyond) = u32::try_from(i64::from(scale) - i64::from(from)) else {
            return decimals::rescaled(value, from, scale);
        };
        // Units so large that every value is less than half of one give zero.
        Some(10i128.checked_pow(beyond).map_or(0, |unit| quotient(value, unit, halves)))
    })
}

/// `value / unit`, rounded.
pub(super) fn quotient(value: i128, unit: i128, halves: Halves) -> i128 {
    let (quotient, rest) = (value / unit, (value % unit).unsigned_abs());
    let half = unit.unsigned_abs() - rest;
    let away = rest > half || (rest == half && (halves == Halves::Up || quotient % 2 != 0));
    quotient + if away { value.signum() } else { 0 }
}

fn rounded(value: f64, places: i32, halves: Halves) -> f64 {
    let round = |value: f64| if halves == Halves::Up { value.round() } else { value.round_ties_even() };
    if !(-400..=330).contains(&places) {
        return if places > 0 || !value.is_finite() { value } else { 0.0 * value };
    }
    let (whole, factor) = (value.trunc(), 10f64.powi(places.abs()));
    let result = if places == 0 {
        round(value)
    } else if places > 0 {
        // The whole part needs no scaling, which would cost digits.
        whole + round((value - whole) * factor) / factor
    } else if factor.is_infinite() {
        0.0 * value
    } else {
        round(value / factor) * factor
    };
    if result.is_finite() { result.copysign(value) } else { value }
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    #[test]
    fn halves_go_where_they_should() {
        let ctx = &Context::current();
        let floats = Column::from_slice(&[0.5, -0.5, 1.5, 2.5, -2.5, 1.25, f64::NAN, 1e300], ctx).unwrap();
        let up = round_halves(&floats, 0, Halves::Up, ctx).unwrap();
        let up = up.view().unwrap().values::<f64>().unwrap().to_vec();
        assert_eq!(up[..6], [1.0, -1.0, 2.0, 3.0, -3.0, 1.0]);
        assert!(up[6].is_nan() && up[7] == 1e300);
        let integers = Column::from_slice(&[15i64, 25, -25, 14, i64::MAX / 100 * 100 + 4], ctx).unwrap();
        let tens = |halves| {
            let rounded = round_halves(&integers, -1, halves, ctx).unwrap();
            rounded.view().unwrap().values::<i64>().unwrap()[..4].to_vec()
        };
        assert_eq!(tens(Halves::Up), [20, 30, -30, 10]);
        assert_eq!(tens(Halves::Even), [20, 20, -20, 10]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let ctx = &Context::current();
        let bytes = Column::from_slice(&[127i8, -128, 125], ctx).unwrap();
        for halves in [Halves::Up, Halves::Even] {
            let error = round_halves(&bytes, -1, halves, ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow);
            let decimal = Column::from_slice(&[1i32], ctx).unwrap().bit_cast(DataType::Decimal32(0)).unwrap();
            assert_eq!(
                round_halves(&decimal, i32::MIN, halves, ctx).unwrap_err().kind(),
                ErrorKind::Overflow
            );
            // Below the middle, whatever becomes of halves; zeros keep their sign.
            let floats = Column::from_slice(&[2.675, -0.0, -0.4], ctx).unwrap();
            let rounded = round_halves(&floats, 2, halves, ctx).unwrap();
            let rounded = rounded.view().unwrap().values::<f64>().unwrap().to_vec();
            assert_eq!(rounded, [2.67, 0.0, -0.4]);
            assert!(rounded[1].is_sign_negative());
        }
    }

    #[test]
    fn decimals_get_the_scale() {
        let ctx = &Context::current();
        let stored = Column::from_slice(&[1250i32, -1250, 1350, 1249], ctx).unwrap();
        let decimals = stored.bit_cast(DataType::Decimal32(-3)).unwrap();
        for (halves, expected) in [(Halves::Up, [13, -13, 14, 12]), (Halves::Even, [12, -12, 14, 12])] {
            let rounded = round_halves(&decimals, 1, halves, ctx).unwrap();
            assert_eq!(rounded.data_type(), DataType::Decimal32(-1));
            assert_eq!(rounded.view().unwrap().raw_values::<i32>().unwrap(), expected);
        }
        let wider = round_halves(&decimals, 4, Halves::Up, ctx).unwrap();
        assert_eq!(wider.view().unwrap().raw_values::<i32>().unwrap()[0], 12500);
    }
}
