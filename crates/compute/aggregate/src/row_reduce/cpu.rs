//! Rows to one value each, on the CPU.

use cuprum_column::{
    Bitmap, Column, ColumnView, Context, DataType, HostUVec, Native, Result, dispatch_storage, null_mask,
};

use cuprum_elementwise::unary::cast;

/// A column whose elements are read one by one.
struct Elements<'a, T> {
    values: &'a [T],
    valid: Option<Bitmap<'a>>,
}

impl<'a, T: Native> Elements<'a, T> {
    fn of(columns: &'a [ColumnView<'_>]) -> Result<Vec<Self>> {
        let of = |view: &'a ColumnView<'_>| Ok(Self { values: view.values()?, valid: view.validity() });
        columns.iter().map(of).collect()
    }
}

/// The elements of a row that are not missing, from left to right.
fn present<'a, T: Native>(columns: &'a [Elements<'_, T>], row: usize) -> impl Iterator<Item = T> + 'a {
    let valid = move |c: &&Elements<'_, T>| c.valid.is_none_or(|bits| bits.get(row));
    columns.iter().filter(valid).map(move |c| c.values[row]).filter(|v| !v.is_nan())
}

pub(super) fn sums(columns: &[Column], rows: usize, to: DataType, ctx: &Context) -> Result<Column> {
    let sums = dispatch_storage!(columns[0].data_type(), T => {
        let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let elements = Elements::<T>::of(&views)?;
        if T::IS_FLOAT {
            let sum = |row| present(&elements, row).map(T::as_f64).fold(0.0, |sum, value| sum + value);
            Column::from_values(HostUVec::from_fn(rows, ctx, sum)?)
        } else {
            let sum = |row| present(&elements, row).map(T::as_i64).fold(0, i64::wrapping_add);
            Column::from_values(HostUVec::from_fn(rows, ctx, sum)?)
        }
    }, else => unreachable!("called for numbers"));
    if to == DataType::UInt64 { reinterpret_as_unsigned(&sums, ctx) } else { cast(&sums, to, ctx) }
}

/// Sums wrap around in 64 bits, whatever the sign says.
fn reinterpret_as_unsigned(sums: &Column, ctx: &Context) -> Result<Column> {
    let view = sums.view()?;
    let sums = view.values::<i64>()?;
    Ok(Column::from_values(HostUVec::from_fn(sums.len(), ctx, |row| sums[row] as u64)?))
}

pub(super) fn means(columns: &[Column], rows: usize, ctx: &Context) -> Result<Column> {
    let means = dispatch_storage!(columns[0].data_type(), T => {
        let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let elements = Elements::<T>::of(&views)?;
        // Of nothing NaN, which is missing.
        if T::IS_FLOAT {
            let add = |(sum, count): (f64, usize), value: T| (sum + value.as_f64(), count + 1);
            HostUVec::from_fn(rows, ctx, |row| {
                let (sum, count) = present(&elements, row).fold((0.0, 0), add);
                sum / count as f64
            })
        } else {
            // Sums of integers are exact: they need more than 64 bits.
            let wide = |value: T| if T::IS_SIGNED { value.as_i64() as i128 } else { value.as_i64() as u64 as i128 };
            let add = |(sum, count): (i128, usize), value: T| (sum + wide(value), count + 1);
            HostUVec::from_fn(rows, ctx, |row| {
                let (sum, count) = present(&elements, row).fold((0, 0), add);
                sum as f64 / count as f64
            })
        }
    }, else => unreachable!("called for numbers"));
    Ok(Column::from_values(means?))
}

pub(super) fn extremes(columns: &[Column], rows: usize, smallest: bool, ctx: &Context) -> Result<Column> {
    let data_type = columns[0].data_type();
    dispatch_storage!(data_type, T => {
        let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let elements = Elements::<T>::of(&views)?;
        // Of nothing NaN, which is missing; other types have a mask for it.
        let none = T::from_f64(f64::NAN);
        let values = if smallest {
            let least = |a: T, b: T| if b < a { b } else { a };
            HostUVec::from_fn(rows, ctx, |row| present(&elements, row).reduce(least).unwrap_or(none))
        } else {
            let most = |a: T, b: T| if b > a { b } else { a };
            HostUVec::from_fn(rows, ctx, |row| present(&elements, row).reduce(most).unwrap_or(none))
        };
        let values = Column::new(data_type, values?, None)?;
        if T::IS_FLOAT || columns.iter().any(|c| !c.has_nulls()) {
            return Ok(values);
        }
        let found = |row| present(&elements, row).next().is_some();
        values.with_mask(Some(null_mask::from_fn(rows, ctx, found)?), ctx)
    }, else => unreachable!("texts are reduced by groups"))
}

pub(super) fn truths(columns: &[Column], rows: usize, any: bool, ctx: &Context) -> Result<Column> {
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let elements = Elements::<u8>::of(&views)?;
    // Some element is true; or none is false.
    let truth = |row| u8::from(present(&elements, row).any(|v| (v != 0) == any) == any);
    Column::new(DataType::Bool8, HostUVec::from_fn(rows, ctx, truth)?, None)
}
