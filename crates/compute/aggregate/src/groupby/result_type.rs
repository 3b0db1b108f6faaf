//! The types of aggregations of groups, and the checks of their arguments.

use cuprum_column::types::Storage;
use cuprum_column::{Column, DataType, Error, Result};

use super::grouping::Grouping;
use crate::aggregation::Aggregation;
use cuprum_keys::flatten::is_flattened_type;

/// Fails where a request is of another number of rows than the grouping, or gives nothing for its type.
pub(super) fn check_requests(requests: &[(&Column, Aggregation)], rows: usize) -> Result<()> {
    for (i, (column, aggregation)) in requests.iter().enumerate() {
        if column.len() != rows {
            let len = column.len();
            return Err(Error::logic(format!("request {i} has {len} rows, the grouping {rows}")));
        }
        result_type(column.data_type(), *aggregation)?;
    }
    Ok(())
}

/// Fails with `Logic` where the column called `name` has another number of rows than the grouping, or that has
/// more groups than rows.
pub(crate) fn check_length(name: &str, column: &Column, grouping: &Grouping) -> Result<()> {
    let rows = grouping.num_rows();
    if column.len() != rows {
        return Err(Error::logic(format!("`{name}` has {} rows, the grouping {rows}", column.len())));
    }
    check_groups(grouping)
}

/// Fails with `Logic` where the grouping has more groups than rows.
pub(super) fn check_groups(grouping: &Grouping) -> Result<()> {
    if grouping.num_groups > grouping.num_rows() {
        return Err(Error::logic(format!(
            "a grouping of {} rows cannot have {} groups",
            grouping.num_rows(),
            grouping.num_groups
        )));
    }
    Ok(())
}

/// The type of an aggregation of a column; see [`aggregate`](super::aggregate) for the rules and errors.
pub fn result_type(of: DataType, aggregation: Aggregation) -> Result<DataType> {
    let is_time = of.is_timestamp() || of.is_duration();
    let float = if of == DataType::Float32 { DataType::Float32 } else { DataType::Float64 };
    let refuse = || Err(Error::data_type(format!("{aggregation} of {of} is not defined")));
    Ok(match aggregation {
        Aggregation::Sum | Aggregation::Mean | Aggregation::Min | Aggregation::Max if of.is_decimal() => {
            return aggregation.result_type(of);
        }
        Aggregation::Count | Aggregation::Size | Aggregation::NUnique if of.is_decimal() => DataType::Int64,
        Aggregation::First | Aggregation::Last if of.is_decimal() => of,
        Aggregation::Count | Aggregation::Size | Aggregation::NUnique if is_flattened_type(of) => {
            DataType::Int64
        }
        Aggregation::Min | Aggregation::Max | Aggregation::First | Aggregation::Last
            if is_flattened_type(of) =>
        {
            of
        }
        _ if matches!(of.storage(), Storage::I128 | Storage::Children) => return refuse(),
        Aggregation::Count | Aggregation::Size | Aggregation::NUnique => DataType::Int64,
        Aggregation::Min | Aggregation::Max | Aggregation::First | Aggregation::Last => of,
        Aggregation::Sum if of.is_duration() => of,
        Aggregation::Sum | Aggregation::Product if of.is_float() => of,
        Aggregation::Sum | Aggregation::Product if of.is_unsigned_integer() => DataType::UInt64,
        Aggregation::Sum | Aggregation::Product if of.is_numeric() => DataType::Int64,
        Aggregation::Quantile(q) if !(0.0..=1.0).contains(&q) => {
            return Err(Error::invalid_argument(format!("quantile {q} is not between 0 and 1")));
        }
        Aggregation::Mean | Aggregation::Median | Aggregation::Quantile(_) if is_time => of,
        Aggregation::Quantile(_) if of.is_numeric() => DataType::Float64,
        Aggregation::Mean
        | Aggregation::Median
        | Aggregation::Var { .. }
        | Aggregation::Std { .. }
        | Aggregation::Sem { .. }
            if of.is_numeric() =>
        {
            float
        }
        Aggregation::Any | Aggregation::All if of.is_numeric() => DataType::Bool8,
        Aggregation::BitAnd | Aggregation::BitOr | Aggregation::BitXor => return aggregation.result_type(of),
        _ => return refuse(),
    })
}
