//! Windows: a value for every row from the rows around it.
//!
//! The window of a row is `preceding` rows that end with the row itself and `following` rows behind it, cut at
//! the ends of the column. Both are one number for all rows or a column of numbers; they may be negative as
//! long as a window has a row (`preceding` 0 begins behind the row, −1 one further). [`grouped_windows`] cuts
//! windows at the ends of groups, [`range_windows`] makes windows of rows whose values are near that of the
//! row, and both give columns for [`rolling_window`]; [`centred`] puts the row into the middle.
//!
//! | function | of | type | a window without values |
//! |---|---|---|---|
//! | `Sum` | integers, booleans | `Int64`, `UInt64` for unsigned ones; wraps around | 0 |
//! | | floats, durations | the same | 0 |
//! | | decimals | `Decimal128`; exact or an error | 0 |
//! | `Min`, `Max` | everything but lists and dictionaries | the same | null |
//! | `ArgMin`, `ArgMax` | as `Min` | `Int64`, the first such row | null |
//! | `Mean` | numbers; times; decimals | `Float64`; the same, rounded towards zero; `Decimal128` | null |
//! | `Var`, `Std` | numbers | `Float64` | null, as with `ddof` values or fewer |
//! | `Skewness`, `Kurtosis` | numbers | `Float64` | null, as of fewer than 3 or 4 values, or equal ones |
//! | `Quantile`, `Rank` | numbers | `Float64` | null |
//! | `CountValid`, `CountAll` | everything | `Int64` | 0 |
//! | `NUnique` | everything but lists and dictionaries | `Int64` | 0 |
//! | `Nth`, `Lead`, `Lag` | everything | the same | null |
//! | `RowNumber` | everything | `Int64`, from 1 | null |
//! | `CollectList`, `CollectSet` | everything; as `NUnique` | lists | an empty list |
//!
//! **Nulls** do not take part unless a function says so. **NaN** is a value: it makes sums, means and spreads of
//! the windows that have it NaN, is larger than every other value, and equal to NaN. (Where NaN is missing, make
//! nulls of it first: [`nans_to_nulls`](cuprum_aggregate::replace::nans_to_nulls).) A result is null where its window has
//! fewer than `min_periods` values; for `CountValid`, `CountAll`, `RowNumber`, `Nth`, `Lead`, `Lag` and the
//! lists, fewer rows, nulls included.
//!
//! **Accuracy.** Sums of floats are kept with twice the digits and rounded once, without ever subtracting what
//! leaves the window; spreads are merged as by Chan, Golub and LeVeque (1979). Results do not depend on
//! the number of threads. The last bits of spreads, skewness, kurtosis, covariances and correlations may differ between CPU
//! and GPU, which put the same rows together in another order; everything else is the same to the bit.
//!
//! Time is in proportion to the rows, whatever the windows, and to the elements of lists; windows whose starts or
//! ends go back from row to row, `NUnique`, `Quantile` and `Rank` take the logarithm of the rows more.

mod cpu;
pub mod cuda;
mod device_ranges;
#[cfg(test)]
mod device_tests;
mod fold;
mod function;
mod moments;
mod numbers;
mod order_keys;
mod order_statistics;
mod ranges;
mod rows;
pub mod short_windows;
mod spans;
#[cfg(test)]
mod tests;
pub mod wavelet;

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{check_device, on_device, on_no_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_elements::elements::Operand;

pub use function::WindowFunction;
pub use moments::PairFunction;
pub use ranges::{RangeBound, centred, grouped_windows, range_windows};

on_no_device!(WindowFunction, PairFunction);

/// A value for every row from the rows of its window; see the [module](self) for windows, types and nulls.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for windows of a fixed size without a row
/// and for sizes that are null, with [`DataType`](crate::ErrorKind::DataType) for sizes that are no integers and
/// for types that the function does not take, with [`Logic`](crate::ErrorKind::Logic) where a column of sizes has
/// another length, with [`Overflow`](crate::ErrorKind::Overflow) where a sum of decimals or durations does not
/// fit, and with [`Unsupported`](crate::ErrorKind::Unsupported) for `NUnique`, `Quantile`, `Rank` and orders of
/// texts, structs and 128-bit decimals of 2³² − 1 rows or more. A window that a column of sizes leaves without rows
/// has none.
///
/// ```
/// # use cuprum_windows as cuprum_compute;
/// # use cuprum_column::{Column, Context, Scalar};
/// use cuprum_compute::rolling::{WindowFunction, rolling_window};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 10, 100, 1000], ctx)?;
/// let (preceding, following) = (Scalar::from(2i64), Scalar::from(1i64));
/// let sums = rolling_window(&values, &preceding, &following, 3, WindowFunction::Sum, ctx)?;
/// assert_eq!(sums.view()?.values::<i64>()?[1..3], [111, 1110]);
/// assert_eq!(sums.null_count()?, 2); // the first window and the last have two rows
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn rolling_window<'a>(
    column: &Column,
    preceding: impl Into<Operand<'a>>,
    following: impl Into<Operand<'a>>,
    min_periods: usize,
    function: WindowFunction,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"rolling.rolling_window");
    let (preceding, following) = (preceding.into(), following.into());
    check_device!(ctx, [column, preceding, following]);
    function.result_type(column.data_type())?;
    on_device!(ctx, rolling_window(column, [preceding, following], min_periods, function))
}

/// A value for every row from the rows of its window in which neither of two columns of numbers is null: `Float64`,
/// null where these are fewer than `min_periods` or too few for the function, and for correlations where all values
/// of a column are equal. NaN is a value, see the [module](self).
///
/// Fails as [`rolling_window`], with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
///
/// ```
/// # use cuprum_windows as cuprum_compute;
/// # use cuprum_column::{Column, Context, Scalar};
/// use cuprum_compute::rolling::{PairFunction, rolling_pairs};
///
/// let ctx = &Context::current();
/// let (x, y) = (Column::from_slice(&[1i64, 2, 4], ctx)?, Column::from_slice(&[1.0, 3.0, 2.0], ctx)?);
/// let (preceding, following) = (Scalar::from(2i64), Scalar::from(0i64));
/// let function = PairFunction::Covariance { ddof: 1 };
/// let found = rolling_pairs(&x, &y, &preceding, &following, 2, function, ctx)?;
/// assert_eq!(found.view()?.values::<f64>()?[1..], [1.0, -1.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn rolling_pairs<'a>(
    left: &Column,
    right: &Column,
    preceding: impl Into<Operand<'a>>,
    following: impl Into<Operand<'a>>,
    min_periods: usize,
    function: PairFunction,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"rolling.rolling_pairs");
    let (preceding, following) = (preceding.into(), following.into());
    check_device!(ctx, [left, right, preceding, following]);
    for (name, column) in [("left", left), ("right", right)] {
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())));
        }
    }
    if left.len() != right.len() {
        return Err(Error::logic(format!("`left` has {} rows, `right` {}", left.len(), right.len())));
    }
    on_device!(ctx, rolling_pairs([left, right], [preceding, following], min_periods, function))
}
