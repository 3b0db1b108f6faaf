//! Kendall's rank correlation: how many pairs of rows are in the same order in both columns.

mod cpu;
pub mod cuda;
mod pair_counts;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Result, Scalar};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use super::co_moments::check_pairs;

/// Kendall's tau-b of two columns of numbers, which are compared as `Float64`: null where fewer than `min_periods` rows
/// have both, or none has, and where one column has equal values only. Rows in which one is missing (null or NaN) are
/// skipped.
///
/// Pairs of rows in unlike order are inversions of one column where the other ascends, which merging counts (Knight,
/// 1966): n log n for n rows. All that is counted are whole numbers, so a GPU has the same bits; it takes up to 2³² − 2 rows.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::reduce::kendall;
///
/// let ctx = &Context::current();
/// let left = Column::from_slice(&[1.0, 2.0, 3.0, 4.0], ctx)?;
/// let right = Column::from_slice(&[1i64, 3, 2, 4], ctx)?;
/// assert!((kendall(&left, &right, 1, ctx)?.as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn kendall(left: &Column, right: &Column, min_periods: usize, ctx: &Context) -> Result<Scalar> {
    func_range!(c"reduce.kendall");
    check_device!(ctx, [left, right]);
    check_pairs(left, right)?;
    let tau = on_device!(ctx, counted(left, right, min_periods))?.and_then(|counts| counts.tau());
    Ok(tau.map_or_else(|| Scalar::null(DataType::Float64), Scalar::from))
}
