//! One row: its values, and as a series where they have a dtype in common.

use cuprum_column::null_mask::MaskBuilder;
use cuprum_column::{
    Column, Context, Error, HostUVec, Native, Scalar, StringBuilder, Value, dispatch_storage,
};
use cuprum_runtime::Device;

use super::DataFrame;
use crate::Result;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

impl DataFrame {
    /// The values of row `i` in every column.
    pub fn row(&self, i: usize) -> Result<Vec<Scalar>> {
        self.columns().iter().map(|c| c.get(i)).collect()
    }

    /// Row `i` under the labels of the columns, named by its own label; where the frame is. `None` where the columns
    /// have no dtype in common: several are that are not all numbers, or one whose values stand for others.
    pub fn row_as_series(&self, i: usize) -> Result<Option<Series>> {
        let Some(dtype) = self.dtype_of_rows() else { return Ok(None) };
        let host = Context::beside(Device::Cpu)?;
        let values = column_of(&self.row(i)?, &dtype, &host)?.to_device(&self.context()?)?;
        let name = Some(self.index().label(i)?).filter(|label| *label != Label::Missing);
        Series::new(TypedColumn::new(dtype, values)?, name, self.accessor().to_index()?).map(Some)
    }

    /// Whether rows have a dtype in common, so that there is a [series](Self::row_as_series) of each.
    pub fn rows_are_series(&self) -> bool {
        self.dtype_of_rows().is_some()
    }

    fn dtype_of_rows(&self) -> Option<Dtype> {
        let (first, rest) = self.columns().split_first()?;
        match first.dtype() {
            Dtype::Numeric(_) => rest.iter().try_fold(first.dtype().clone(), |common, column| {
                matches!(column.dtype(), Dtype::Numeric(_)).then(|| common.common(column.dtype()))?
            }),
            Dtype::Datetime(kind) if kind.zone.is_some() => None,
            Dtype::Bool(_) | Dtype::String(_) | Dtype::Date(_) | Dtype::Datetime(_) | Dtype::Timedelta(_) => {
                let is_same = rest.iter().all(|column| column.dtype() == first.dtype());
                is_same.then(|| first.dtype().clone())
            }
            _ => None,
        }
    }
}

/// A column of values that a dtype stores, numbers of any type among them.
fn column_of(values: &[Scalar], dtype: &Dtype, ctx: &Context) -> Result<Column> {
    let storage = dtype.storage();
    if let Dtype::String(_) = dtype {
        let mut builder = StringBuilder::with_capacity(values.len(), 0);
        for value in values {
            builder.push_opt(value.as_str());
        }
        return builder.finish(ctx);
    }
    dispatch_storage!(storage, T => {
        let (mut stored, mut mask) = (Vec::with_capacity(values.len()), MaskBuilder::default());
        for value in values {
            let number = number::<T>(value.value());
            mask.push(number.is_some());
            stored.push(number.unwrap_or(T::from_i64(0)));
        }
        Column::new(storage, HostUVec::from_slice(&stored, ctx)?, mask.finish(ctx)?)
    }, else => Err(Error::data_type(format!("values of type {dtype} are no row"))))
}

fn number<T: Native>(value: &Value) -> Option<T> {
    match value {
        Value::Bool(b) => Some(T::from_i64(i64::from(*b))),
        Value::Int(i) if T::IS_FLOAT => Some(T::from_f64(*i as f64)),
        Value::Int(i) => Some(T::from_i64(*i)),
        Value::UInt(u) if T::IS_FLOAT => Some(T::from_f64(*u as f64)),
        Value::UInt(u) => Some(T::from_i64(*u as i64)),
        Value::Float(f) => Some(T::from_f64(*f)),
        Value::Null | Value::Decimal(_) | Value::String(_) | Value::Nested(_) => None,
    }
}
