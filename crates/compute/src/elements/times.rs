//! Times from numbers of any size.

use cuprum_column::{DataType, Error, ErrorKind, Result, Scalar, Value};

/// A time that must fit the storage of its type.
pub(crate) fn time_scalar(data_type: DataType, value: i128) -> Result<Scalar> {
    let fit = i64::try_from(value).ok().and_then(|v| Scalar::new(data_type, Value::Int(v)).ok());
    fit.ok_or_else(|| Error::new(ErrorKind::Overflow, format!("{value} does not fit {data_type}")))
}
