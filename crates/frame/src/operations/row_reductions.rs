//! Reductions along the rows of a frame: one value of the elements of every row.

use cuprum_column::{
    Bitmap, Column, ColumnView, Context, DataType, Device, Error, HostUVec, Native, Result, dispatch_storage,
    null_mask,
};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::copying::rows_fit_32_bits;
use cuprum_compute::filling::sequence;
use cuprum_compute::groupby::{self, Grouping};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary::cast;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::series::Series;
use crate::types;

impl DataFrame {
    /// Every row reduced to one value: a series with the row labels. The columns take their common type.
    ///
    /// Without `skipna`, a row with a missing element has a missing value. `Count` takes columns of
    /// any types. A row of no columns has the value of no elements.
    pub fn reduce_rows(&self, aggregation: Aggregation, skipna: bool) -> Result<Series> {
        if aggregation == Aggregation::Count && self.num_columns() > 0 {
            return self.notna()?.reduce_rows(Aggregation::Sum, true);
        }
        let (rows, here) = (self.num_rows(), self.context()?);
        let columns: Vec<Column> = if self.num_columns() == 0 {
            vec![Column::nulls(DataType::Float64, rows, &here)?]
        } else {
            let unified = types::unify(&self.columns().iter().collect::<Vec<_>>())
                .map_err(|e| e.context("axis 1 needs columns of one type"))?;
            let what = format_args!("{aggregation:?} along axis 1");
            unified.iter().map(|c| c.values(what).cloned()).collect::<Result<_>>()?
        };
        let of = columns[0].data_type();
        let columns = columns.iter().map(Column::to_host).collect::<Result<Vec<_>>>()?;
        let values = match aggregation {
            Aggregation::Sum if of.is_numeric() => sums(&columns, rows, aggregation.result_type(of)?),
            Aggregation::Mean if of.is_numeric() => means(&columns, rows),
            Aggregation::Min | Aggregation::Max if of != DataType::String => {
                extremes(&columns, rows, aggregation == Aggregation::Min)
            }
            Aggregation::Any | Aggregation::All if of == DataType::Bool8 => {
                truths(&columns, rows, aggregation == Aggregation::Any)
            }
            _ => by_groups(&columns, rows, aggregation),
        };
        let values = Series::new(values?.to_device(&here)?, None, self.index().clone())?;
        if skipna {
            return Ok(values);
        }
        values.where_(self.notna()?.reduce_rows(Aggregation::All, true)?.data()?, None)
    }
}

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

fn sums(columns: &[Column], rows: usize, to: DataType) -> Result<Column> {
    let ctx = Context::beside(Device::Cpu)?;
    let sums = dispatch_storage!(columns[0].data_type(), T => {
        let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let elements = Elements::<T>::of(&views)?;
        if T::IS_FLOAT {
            let sum = |row| present(&elements, row).map(T::as_f64).sum::<f64>();
            Column::from_values(HostUVec::from_fn(rows, &ctx, sum)?)
        } else {
            let sum = |row| present(&elements, row).map(T::as_i64).fold(0, i64::wrapping_add);
            Column::from_values(HostUVec::from_fn(rows, &ctx, sum)?)
        }
    }, else => unreachable!("called for numbers"));
    if to == DataType::UInt64 { reinterpret_as_unsigned(&sums, &ctx) } else { cast(&sums, to, &ctx) }
}

/// Sums wrap around in 64 bits, whatever the sign says.
fn reinterpret_as_unsigned(sums: &Column, ctx: &Context) -> Result<Column> {
    let view = sums.view()?;
    let sums = view.values::<i64>()?;
    Ok(Column::from_values(HostUVec::from_fn(sums.len(), ctx, |row| sums[row] as u64)?))
}

fn means(columns: &[Column], rows: usize) -> Result<Column> {
    let ctx = Context::beside(Device::Cpu)?;
    let means = dispatch_storage!(columns[0].data_type(), T => {
        let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let elements = Elements::<T>::of(&views)?;
        // Of nothing NaN, which is missing.
        if T::IS_FLOAT {
            let add = |(sum, count): (f64, usize), value: T| (sum + value.as_f64(), count + 1);
            HostUVec::from_fn(rows, &ctx, |row| {
                let (sum, count) = present(&elements, row).fold((0.0, 0), add);
                sum / count as f64
            })
        } else {
            // Sums of integers are exact: they need more than 64 bits.
            let wide = |value: T| if T::IS_SIGNED { value.as_i64() as i128 } else { value.as_i64() as u64 as i128 };
            let add = |(sum, count): (i128, usize), value: T| (sum + wide(value), count + 1);
            HostUVec::from_fn(rows, &ctx, |row| {
                let (sum, count) = present(&elements, row).fold((0, 0), add);
                sum as f64 / count as f64
            })
        }
    }, else => unreachable!("called for numbers"));
    Ok(Column::from_values(means?))
}

fn extremes(columns: &[Column], rows: usize, smallest: bool) -> Result<Column> {
    let ctx = Context::beside(Device::Cpu)?;
    let data_type = columns[0].data_type();
    dispatch_storage!(data_type, T => {
        let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let elements = Elements::<T>::of(&views)?;
        // Of nothing NaN, which is missing; other types have a mask for it.
        let none = T::from_f64(f64::NAN);
        let values = if smallest {
            let least = |a: T, b: T| if b < a { b } else { a };
            HostUVec::from_fn(rows, &ctx, |row| present(&elements, row).reduce(least).unwrap_or(none))
        } else {
            let most = |a: T, b: T| if b > a { b } else { a };
            HostUVec::from_fn(rows, &ctx, |row| present(&elements, row).reduce(most).unwrap_or(none))
        };
        let values = Column::new(data_type, values?, None)?;
        if T::IS_FLOAT || columns.iter().any(|c| !c.has_nulls()) {
            return Ok(values);
        }
        let found = |row| present(&elements, row).next().is_some();
        values.with_mask(Some(null_mask::from_fn(rows, &ctx, found)?), &ctx)
    }, else => unreachable!("texts are reduced by groups"))
}

fn truths(columns: &[Column], rows: usize, any: bool) -> Result<Column> {
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let elements = Elements::<u8>::of(&views)?;
    // Some element is true; or none is false.
    let truth = |row| u8::from(present(&elements, row).any(|v| (v != 0) == any) == any);
    Column::new(DataType::Bool8, HostUVec::from_fn(rows, &Context::beside(Device::Cpu)?, truth)?, None)
}

/// Any reduction: the columns end to end, in which the elements of a row are a group.
fn by_groups(columns: &[Column], rows: usize, aggregation: Aggregation) -> Result<Column> {
    let ctx = Context::beside(Device::Cpu)?;
    let stacked = concatenate(&columns.iter().collect::<Vec<_>>(), &ctx)?;
    let narrow = if rows_fit_32_bits(stacked.len()) { DataType::Int32 } else { DataType::Int64 };
    let numbers = cast(&sequence(0, 1, rows, &ctx)?, narrow, &ctx)?;
    let grouping = Grouping {
        ids: concatenate(&vec![&numbers; columns.len()], &ctx)?,
        first_rows: numbers,
        num_groups: rows,
    };
    let mut values = groupby::aggregate(&grouping, &[(&stacked, aggregation)], &ctx)?;
    values.pop().ok_or_else(|| Error::logic("one request has one result"))
}

#[cfg(test)]
mod tests {
    use cuprum_testing::{LENGTHS, any_column, assert_column_eq};
    use proptest::prelude::*;

    use super::*;

    /// The columns under the labels 0, 1, ….
    fn frame(columns: Vec<Column>) -> DataFrame {
        DataFrame::new((0i64..).zip(columns)).unwrap()
    }

    fn reducible() -> impl Strategy<Value = (DataType, Aggregation)> {
        let types = vec![
            DataType::Int8,
            DataType::UInt32,
            DataType::Int64,
            DataType::UInt64,
            DataType::Bool8,
            DataType::Float64,
        ];
        let aggregations = vec![
            Aggregation::Sum,
            Aggregation::Mean,
            Aggregation::Min,
            Aggregation::Max,
            Aggregation::Any,
            Aggregation::All,
            Aggregation::Count,
            Aggregation::NUnique,
        ];
        (prop::sample::select(types), prop::sample::select(aggregations))
    }

    proptest! {
        #[test]
        fn a_row_is_reduced_like_a_column_of_its_elements(
            (columns, aggregation) in (reducible(), 0usize..40, 1usize..5).prop_flat_map(|((of, a), len, n)| {
                (prop::collection::vec(any_column(of, len), n), Just(a))
            })
        ) {
            let ctx = Context::current();
            let of = columns[0].data_type();
            let result = frame(columns.clone()).reduce_rows(aggregation, true).unwrap();
            for row in 0..columns[0].len() {
                let elements: Vec<Column> = columns.iter().map(|c| c.slice(row, 1).unwrap()).collect();
                let elements = concatenate(&elements.iter().collect::<Vec<_>>(), &ctx).unwrap();
                let expected = cuprum_compute::reduce::reduce(&elements, aggregation, &ctx).unwrap();
                let actual = result.column().get(row).unwrap();
                let number = |x: &cuprum_column::Scalar| x.as_f64().filter(|x| !x.is_nan());
                match (number(&actual), number(&expected)) {
                    // Sums of floats depend on the order, a little of the largest element.
                    (Some(a), Some(e)) if of.is_float() || aggregation == Aggregation::Mean => {
                        let sizes = (0..elements.len()).filter_map(|i| number(&elements.get(i).unwrap()));
                        let largest = sizes.map(f64::abs).fold(0.0, f64::max);
                        prop_assert!(a == e || (a - e).abs() <= 1e-14 * largest, "{a} {e}");
                    }
                    (None, None) if of.is_float() || aggregation == Aggregation::Mean => {}
                    _ => prop_assert_eq!(actual, expected),
                }
            }
        }
    }

    #[test]
    fn a_reduction_of_every_length() {
        let ctx = Context::current();
        for len in LENGTHS {
            let ones = Column::from_slice(&vec![1i64; len], &ctx).unwrap();
            let sums = frame(vec![ones.clone(), ones.clone()]).reduce_rows(Aggregation::Sum, true).unwrap();
            assert_column_eq(sums.data().unwrap(), &Column::from_slice(&vec![2i64; len], &ctx).unwrap());
            let medians = frame(vec![ones.clone()]).reduce_rows(Aggregation::Median, true).unwrap();
            assert_column_eq(medians.data().unwrap(), &Column::from_slice(&vec![1.0f64; len], &ctx).unwrap());
        }
    }
}
