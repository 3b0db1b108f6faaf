//! Exponentially weighted statistics of the values up to each row.

mod cpu;
pub mod cuda;
mod options;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use cpu::{Pairs, Sums, Timed, Weighted, each, means};
pub use options::EwmOptions;

/// The exponentially weighted mean of the values up to each row: `Float64`, null before the first value. Missing
/// values (null and NaN) do not take part; their rows have the mean of the rows before.
///
/// On the CPU every step is pandas', and so are the results, to the bit: one thread, since a mean follows
/// from the last. A GPU merges rows in another order, which their number alone decides, and differs in
/// the last bits; so it is with sums and covariances.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers, and with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a centre of mass that is negative or not finite.
///
/// ```
/// # use cuprum_windows as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::ewm::{EwmOptions, mean};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 4], ctx)?;
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// assert_eq!(mean(&values, options, ctx)?.view()?.values::<f64>()?, [1.0, 3.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn mean(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"ewm.mean");
    check_device!(ctx, [column]);
    options.check("column", column)?;
    if ctx.is_on_gpu() {
        return cuda::mean(column, options, ctx);
    }
    means(column, None, options, ctx, Weighted::new(options))
}

/// [`mean`] of values at `times`, timestamps finer than days or `Int64`, without nulls: between two rows weights fade
/// by `center_of_mass / (1 + center_of_mass)` to the power of how often `half_life`, in units of `times`, lies between
/// them.
///
/// Results differ from pandas' in the last bits: powers are of this library's own, and with `adjust` sums are divided
/// once for each row. A GPU merges rows as for [`mean`].
///
/// Fails as [`mean`], with [`DataType`](crate::ErrorKind::DataType) for `times` of another type,
/// with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for nulls in them and a half-life that is not above 0, and
/// with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths.
///
/// ```
/// # use cuprum_windows as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::ewm::{EwmOptions, mean_at};
///
/// let ctx = &Context::current();
/// let (values, times) = (Column::from_slice(&[1i64, 4], ctx)?, Column::from_slice(&[100i64, 105], ctx)?);
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// assert_eq!(mean_at(&values, &times, 5.0, options, ctx)?.view()?.values::<f64>()?, [1.0, 3.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn mean_at(
    column: &Column,
    times: &Column,
    half_life: f64,
    options: EwmOptions,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"ewm.mean_at");
    check_device!(ctx, [column, times]);
    options.check("column", column)?;
    let kind = times.data_type();
    if !(kind == DataType::Int64 || kind.is_timestamp() && kind.size() == Some(8)) {
        return Err(Error::data_type(format!("`times` is {kind}, not int64 or timestamps finer than days")));
    }
    if times.has_nulls() {
        return Err(Error::invalid_argument("`times` has nulls"));
    }
    if !(half_life > 0.0 && half_life.is_finite()) {
        return Err(Error::invalid_argument(format!("`half_life` is {half_life}, not a number above 0")));
    }
    if times.len() != column.len() {
        return Err(Error::logic(format!("`column` has {} rows, `times` {}", column.len(), times.len())));
    }
    if ctx.is_on_gpu() {
        return cuda::mean_at(column, times, half_life, options, ctx);
    }
    let view = times.view()?;
    let timed = Some(Timed { times: view.values()?, half_life });
    if options.adjust {
        let sums = Sums { options, total: 0.0, weight: 0.0, pending: 1.0, mean: f64::NAN };
        means(column, timed, options, ctx, sums)
    } else {
        means(column, timed, options, ctx, Weighted::new(options))
    }
}

/// The exponentially weighted sum of the values up to each row: `Float64`, with weights that fade by `1 / (1 +
/// center_of_mass)` from row to row, or from value to value; null before the first value and of too few values.
///
/// On the CPU every step is pandas', and so are the results, to the bit. Fails as [`mean`], and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) without `adjust`.
pub fn sum(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"ewm.sum");
    check_device!(ctx, [column]);
    if !options.adjust {
        return Err(Error::unsupported("exponentially weighted sums without `adjust`"));
    }
    if ctx.is_on_gpu() {
        options.check("column", column)?;
        return cuda::sum(column, options, ctx);
    }
    let fade = 1.0 - options.alpha();
    let mut sum: Option<f64> = None;
    each([("column", column)], options, ctx, |[value]| {
        sum = match (sum, value) {
            (None, value) => value,
            (Some(_), None) if options.ignore_missing => sum,
            (Some(sum), value) => Some(fade * sum + value.unwrap_or(0.0)),
        };
        sum
    })
}

/// The exponentially weighted covariance of the values of two columns up to each row, rows in which one is missing
/// (null or NaN) left out: `Float64`, null before the first pair and of too few pairs. Without `bias` the divisor
/// corrects for the weights, and one pair has none: null.
///
/// On the CPU every step is pandas', and so are the results, to the bit. Fails as [`mean`], and with
/// [`Logic`](crate::ErrorKind::Logic) for columns of different lengths.
///
/// ```
/// # use cuprum_windows as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::ewm::{EwmOptions, covariance};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 4], ctx)?;
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// let variances = covariance(&values, &values, options, false, ctx)?;
/// assert_eq!(variances.get(1)?.as_f64(), Some(4.5));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn covariance(
    left: &Column,
    right: &Column,
    options: EwmOptions,
    bias: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"ewm.covariance");
    check_device!(ctx, [left, right]);
    if left.len() != right.len() {
        return Err(Error::logic(format!("`left` has {} rows, `right` {}", left.len(), right.len())));
    }
    if ctx.is_on_gpu() {
        options.check("left", left)?;
        options.check("right", right)?;
        return cuda::covariance([left, right], options, bias, ctx);
    }
    let (alpha, mut state) = (options.alpha(), None);
    let next = if options.adjust { 1.0 } else { alpha };
    each([("left", left), ("right", right)], options, ctx, |pair| {
        let here = match pair {
            [Some(x), Some(y)] => Some([x, y]),
            _ => None,
        };
        match (&mut state, here) {
            (None, Some(means)) => state = Some(Pairs { means, covariance: 0.0, weights: [1.0; 3] }),
            (Some(state), here) if here.is_some() || !options.ignore_missing => {
                state.fade(1.0 - alpha);
                if let Some(here) = here {
                    state.add(here, next, options.adjust);
                }
            }
            _ => {}
        }
        let state = state.as_ref()?;
        if bias {
            return Some(state.covariance);
        }
        let [sum, squares, _] = state.weights;
        let freedom = sum * sum - squares;
        (freedom > 0.0).then(|| sum * sum / freedom * state.covariance)
    })
}
