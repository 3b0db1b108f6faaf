//! The default widths of numbers.

use std::sync::atomic::{AtomicU8, Ordering};

use cuprum_column::{DataType, Result};
use cuprum_compute::reduce::{Aggregation, reduce};

use super::{Dtype, TypedColumn, cast};

/// The width of numbers without a given type: elements of lists, columns of texts, labels of ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultWidth {
    /// As they come: mostly 64 bits.
    Inferred,
    /// 32 bits. Integers of which one does not fit stay as they come.
    Bits32,
    /// 64 bits.
    Bits64,
}

/// Numbers that have a default width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Signed and unsigned.
    Integer,
    /// Floats; 32 bits hold 7 digits.
    Float,
}

static WIDTHS: [AtomicU8; 2] = [AtomicU8::new(0), AtomicU8::new(0)];

impl Number {
    /// The width from now on, in every thread; at first [`Inferred`](DefaultWidth::Inferred).
    pub fn choose_width(self, width: DefaultWidth) {
        WIDTHS[self as usize].store(width as u8, Ordering::Relaxed);
    }

    /// The width that was [chosen](Self::choose_width).
    pub fn width(self) -> DefaultWidth {
        match WIDTHS[self as usize].load(Ordering::Relaxed) {
            1 => DefaultWidth::Bits32,
            2 => DefaultWidth::Bits64,
            _ => DefaultWidth::Inferred,
        }
    }

    fn of(data_type: DataType) -> Option<Self> {
        match data_type {
            t if t.is_integer() => Some(Self::Integer),
            t if t.is_float() => Some(Self::Float),
            _ => None,
        }
    }
}

/// Elements whose type was inferred, as wide as was [chosen](Number::choose_width). Others than numbers stay.
pub fn with_default_width(column: &TypedColumn) -> Result<TypedColumn> {
    match Number::of(column.dtype().storage()).filter(|_| column.dtype().is_plain()) {
        Some(number) => with_width(column, number, number.width()),
        None => Ok(column.clone()),
    }
}

fn with_width(column: &TypedColumn, number: Number, width: DefaultWidth) -> Result<TypedColumn> {
    let from = column.dtype().storage();
    let (narrow, wide) = match number {
        Number::Float => (DataType::Float32, DataType::Float64),
        Number::Integer if from.is_signed_integer() => (DataType::Int32, DataType::Int64),
        Number::Integer => (DataType::UInt32, DataType::UInt64),
    };
    let to = match width {
        DefaultWidth::Inferred => return Ok(column.clone()),
        DefaultWidth::Bits32 => narrow,
        DefaultWidth::Bits64 => wide,
    };
    if to == from || (number == Number::Integer && from.size() == Some(8) && !fits(column, to)?) {
        return Ok(column.clone());
    }
    cast(column, &Dtype::plain(to))
}

/// Whether 32 bits hold all integers.
fn fits(column: &TypedColumn, to: DataType) -> Result<bool> {
    let (data, ctx) = (column.data()?, column.context()?);
    let within = |bound: Option<i64>| match (bound, to) {
        (None, _) => true,
        (Some(bound), DataType::Int32) => i32::try_from(bound).is_ok(),
        (Some(bound), _) => u32::try_from(bound).is_ok(),
    };
    let (least, most) = (reduce(data, Aggregation::Min, &ctx)?, reduce(data, Aggregation::Max, &ctx)?);
    Ok((least.is_null() || least.as_i64().is_some())
        && (most.is_null() || most.as_i64().is_some())
        && within(least.as_i64())
        && within(most.as_i64()))
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Column, Context};

    use super::*;

    // The chosen widths are of the whole process; tests of them are Python's.
    #[test]
    fn numbers_are_as_wide_as_said_where_they_fit() {
        use DataType::{Float32, Float64, Int32, Int64, UInt32, UInt64};
        use DefaultWidth::{Bits32, Bits64, Inferred};
        let ctx = Context::current();
        let small = Column::from_options(&[Some(1i64), None, Some(-2)], &ctx).unwrap();
        let least = Column::from_slice(&[i64::from(i32::MIN), i64::from(i32::MAX)], &ctx).unwrap();
        let large = Column::from_slice(&[i64::from(i32::MAX) + 1], &ctx).unwrap();
        let unsigned = Column::from_slice(&[u64::from(u32::MAX)], &ctx).unwrap();
        let most = Column::from_slice(&[u64::MAX], &ctx).unwrap();
        let byte = Column::from_slice(&[1i8], &ctx).unwrap();
        let missing = Column::nulls(Int64, 2, &ctx).unwrap();
        let empty = Column::nulls(Int64, 0, &ctx).unwrap();
        let double = Column::from_slice(&[0.5f64], &ctx).unwrap();
        let single = Column::from_slice(&[0.5f32], &ctx).unwrap();
        for (column, narrow, wide) in [
            (small, Int32, Int64),
            (least, Int32, Int64),
            (large, Int64, Int64),
            (unsigned, UInt32, UInt64),
            (most, UInt64, UInt64),
            (byte, Int32, Int64),
            (missing, Int32, Int64),
            (empty, Int32, Int64),
            (double, Float32, Float64),
            (single, Float32, Float64),
        ] {
            let column = TypedColumn::from(column);
            let number = Number::of(column.dtype().storage()).unwrap();
            let of = |width| with_width(&column, number, width).unwrap();
            assert_eq!(of(Inferred).dtype(), column.dtype());
            assert_eq!((of(Bits32).dtype().storage(), of(Bits64).dtype().storage()), (narrow, wide));
            for row in 0..column.len() {
                assert_eq!(of(Bits32).get(row).unwrap().as_f64(), column.get(row).unwrap().as_f64());
            }
        }
        assert_eq!(Number::of(DataType::Bool8), None);
    }
}
