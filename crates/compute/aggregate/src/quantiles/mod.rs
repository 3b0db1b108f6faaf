//! Quantiles of a column: order statistics by selection on the CPU, by sorting on a GPU.

pub mod cpu;
pub mod cuda;
mod interpolation;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

pub use cpu::ticks_between;
pub use interpolation::Interpolation;
pub(crate) use interpolation::check_fraction;

/// The quantile at each fraction of `q`, in the order of `q`: the value at position `(n - 1) q` of
/// the `n` sorted values that are not missing (null or NaN). `Float64`; null where there is no value.
///
/// Fails with `DataType` for types that are no numbers or times (times count in their unit) and with
/// `InvalidArgument` for a fraction outside [0, 1].
pub fn quantile(column: &Column, q: &[f64], interpolation: Interpolation, ctx: &Context) -> Result<Column> {
    func_range!(c"quantiles.quantile");
    check_device!(ctx, [column]);
    let data_type = column.data_type();
    if !(data_type.is_numeric() || data_type.is_chrono()) {
        return Err(Error::data_type(format!("there are no quantiles of {data_type}")));
    }
    q.iter().try_for_each(|&q| check_fraction(q))?;
    on_device!(ctx, quantile(column, q, interpolation))
}
