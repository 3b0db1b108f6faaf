//! Changes from row to row: differences and relative differences.

use cuprum_column::{Column, Context, DataType, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::{copying, filling};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::indexing::assign::{Assignment, Values};
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn, operate, operate_scalar};

/// The difference of every element to the one in the same row of `earlier`, of the same type. That of
/// integers is in a type that holds it: `int64`, `float64` of `uint64`; that of truth values is whether they differ.
pub(crate) fn difference(column: &TypedColumn, earlier: &TypedColumn) -> Result<TypedColumn> {
    if let Dtype::Bool(_) = column.dtype() {
        let ctx = &column.context()?;
        let differ = binary_operation(column.data()?, earlier.data()?, BinaryOperator::NotEqual, ctx)?;
        return Ok(differ.into());
    }
    let wide = match column.dtype().storage() {
        _ if !column.dtype().is_plain() => None,
        DataType::UInt64 => Some(DataType::Float64),
        storage if storage.is_integer() => Some(DataType::Int64),
        _ => None,
    };
    let Some(wide) = wide.map(Dtype::plain) else { return operate(column, earlier, BinaryOperator::Sub) };
    operate(&types::cast(column, &wide)?, &types::cast(earlier, &wide)?, BinaryOperator::Sub)
}

/// The [`difference`] as a share of the element of `earlier`.
pub(crate) fn relative_change(column: &TypedColumn, earlier: &TypedColumn) -> Result<TypedColumn> {
    let ratio = operate(column, earlier, BinaryOperator::TrueDiv)?;
    operate_scalar(&ratio, &Scalar::from(1i64), BinaryOperator::Sub, false)
}

/// The elements `periods` rows before, missing where there are none.
fn earlier(column: &TypedColumn, periods: i64) -> Result<TypedColumn> {
    let ctx = column.context()?;
    column.moved(|data| copying::shift(data, periods, &Scalar::null(data.data_type()), &ctx))
}

/// The rows that a shift by `periods` empties.
fn emptied(len: usize, periods: i64, ctx: &Context) -> Result<Column> {
    let count = usize::try_from(periods.unsigned_abs()).map_or(len, |count| count.min(len));
    filling::sequence(if periods > 0 { 0 } else { (len - count) as i64 }, 1, count, ctx)
}

macro_rules! changes {
    ($($frame:ident)*) => {$(
        impl $frame {
            /// [`shift`](IndexedFrame::shift) with a value where there was no element, in a type that holds it too.
            ///
            /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where there is none.
            pub fn shift_filled(&self, periods: i64, fill: &Scalar) -> Result<Self> {
                let rows = emptied(self.num_rows(), periods, &self.context()?)?;
                let mut shifted = self.shift(periods)?;
                if !rows.is_empty() {
                    let all = (0..shifted.columns().len()).map(|at| (at, Values::One(fill.clone())));
                    Assignment::meeting(&shifted, &rows, all.collect())?.apply(&mut [&mut shifted])?;
                }
                Ok(shifted)
            }

            /// The difference of every element to the one `periods` rows before it (after it, for negative),
            /// missing where there is none or either is missing. Times give durations, integers `int64` (`uint64`
            /// `float64`); texts are refused.
            pub fn diff(&self, periods: i64) -> Result<Self> {
                self.map_columns(|column| difference(column, &earlier(column, periods)?))
            }

            /// The difference to the element `periods` rows before, as a share of that.
            pub fn pct_change(&self, periods: i64) -> Result<Self> {
                self.map_columns(|column| relative_change(column, &earlier(column, periods)?))
            }
        }
    )*};
}

changes! { Series DataFrame }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IndexedFrame;
    use cuprum_column::{Column, Context};

    #[test]
    fn differences_to_earlier_and_later_rows() {
        let ctx = Context::current();
        let values = Column::from_options(&[Some(1.0), Some(4.0), None, Some(2.0)], &ctx).unwrap();
        let series = Series::from_column(values, Some("v".into()));
        let get = |s: &Series| (0..4).map(|i| s.get(i).unwrap().as_f64()).collect::<Vec<_>>();
        assert_eq!(get(&series.diff(1).unwrap()), [None, Some(3.0), None, None]);
        assert_eq!(get(&series.diff(-3).unwrap()), [Some(-1.0), None, None, None]);
        assert_eq!(get(&series.pct_change(1).unwrap()), [None, Some(3.0), None, None]);
        let frame = DataFrame::new([("a", series.data().unwrap().clone())]).unwrap();
        assert_eq!(get(&frame.diff(3).unwrap().column("a").unwrap()), [None, None, None, Some(1.0)]);
        assert!(frame.diff(1).unwrap().index().equals(frame.index()).unwrap());
    }
}
