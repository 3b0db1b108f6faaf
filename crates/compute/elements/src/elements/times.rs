//! Times from numbers of any size.

use cuprum_column::{DataType, Error, ErrorKind, Result, Scalar, Value};

/// A time that must fit the storage of its type.
pub fn time_scalar(data_type: DataType, value: i128) -> Result<Scalar> {
    let fit = i64::try_from(value).ok().and_then(|v| Scalar::new(data_type, Value::Int(v)).ok());
    fit.ok_or_else(|| unfit(data_type, value))
}

/// A sum of durations, which may not be the least value: that is how a missing one is stored elsewhere.
pub fn duration_sum(data_type: DataType, sum: i128) -> Result<Scalar> {
    if sum == i64::MIN.into() { Err(unfit(data_type, sum)) } else { time_scalar(data_type, sum) }
}

fn unfit(data_type: DataType, value: i128) -> Error {
    Error::new(ErrorKind::Overflow, format!("{value} does not fit {data_type}"))
}
