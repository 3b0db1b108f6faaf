//! A column and a value in a dtype that holds both.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Value};
use cuprum_compute::unary;

use super::promotion;
use super::{Decimal, Dtype, TypedColumn, cast, constant, instant_among};
use crate::label::Label;

/// A column and a scalar, as it is stored there, in a dtype that holds both: for storing the scalar among
/// the elements.
pub fn meet(column: &TypedColumn, value: &Scalar) -> Result<(TypedColumn, Scalar)> {
    let storage = column.dtype().storage();
    // Among values that are no numbers NaN is a missing one, too.
    let is_nan = matches!(value.value(), Value::Float(x) if x.is_nan())
        && !matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::Null(_));
    if value.is_null() || is_nan || promotion::is_no_time_of(column.dtype(), value) {
        return Ok((column.clone(), Scalar::null(storage)));
    }
    let truth = value.data_type() == DataType::Bool8;
    let unlike = match column.dtype() {
        Dtype::Bool(_) => value.data_type().is_numeric() && !truth,
        Dtype::Numeric(_) => truth,
        _ => false,
    };
    if unlike {
        return Err(Error::data_type(format!(
            "invalid value {value} for a column of type {}: cast one of them first",
            column.dtype()
        )));
    }
    match column.dtype() {
        Dtype::Categorical(kind) => match kind.code(value)? {
            Some(code) => return Ok((column.clone(), Scalar::new(storage, Value::Int(code))?)),
            None => {
                return Err(Error::data_type(format!(
                    "{value} is not one of the categories: add it with add_categories first"
                )));
            }
        },
        Dtype::Null(_) => {
            let column =
                TypedColumn::nulls(&Dtype::plain(value.data_type()), column.len(), &column.context()?)?;
            return Ok((column, value.clone()));
        }
        Dtype::Decimal(_) => {
            let dtype = Decimal::of_value(value).map(Dtype::Decimal);
            let common = dtype.as_ref().and_then(|dtype| column.dtype().common(dtype)).ok_or_else(|| {
                Error::data_type(format!("{value} cannot be stored in a column of type {}", column.dtype()))
            })?;
            let host = Context::beside(Device::Cpu)?;
            let value = unary::cast(&Column::from_scalar(value, 1, &host)?, common.storage(), &host)?;
            return Ok((cast(column, &common)?, value.get(0)?));
        }
        Dtype::Interval(_) => {
            let host = Context::beside(Device::Cpu)?;
            let value = constant(&Label::from_scalar(value)?, 1, &host)?;
            let common = column.dtype().common(value.dtype()).ok_or_else(|| {
                Error::data_type(format!(
                    "{} cannot be stored in a column of type {}",
                    value.dtype(),
                    column.dtype()
                ))
            })?;
            return Ok((cast(column, &common)?, cast(&value, &common)?.get(0)?));
        }
        Dtype::Datetime(_) if !column.dtype().is_plain() && value.data_type() == DataType::String => {
            return instant_among(column, value);
        }
        Dtype::Date(_) if value.is_null() || value.data_type() == storage => {}
        dtype if !dtype.is_plain() => {
            return Err(Error::data_type(format!("{value} cannot be stored in a column of type {dtype}")));
        }
        _ => {}
    }
    if let Ok(value) = promotion::coerce_stored(value, storage) {
        return Ok((column.clone(), value));
    }
    let of = Dtype::plain(promotion::narrowest(value, storage));
    let common = column.dtype().common(&of).ok_or_else(|| {
        Error::data_type(format!("{value} cannot be stored in a column of type {}", column.dtype()))
    })?;
    Ok((cast(column, &common)?, promotion::coerce_element(value, common.storage())?))
}
