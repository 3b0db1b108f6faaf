//! Aggregation of rows with equal keys.
//!
//! [`group`] numbers the rows by their keys, [`aggregate`] computes one value per group for any
//! number of columns, so that several aggregations share the search for equal keys:
//!
//! ```
//! # use cuprum_aggregate as cuprum_compute;
//! use cuprum_column::{Column, Context, Table};
//! use cuprum_compute::{groupby, reduce::Aggregation};
//!
//! let ctx = &Context::current();
//! let keys = Table::new(vec![Column::from_strs(&["b", "a", "b"], ctx)?])?;
//! let values = Column::from_slice(&[1i64, 2, 3], ctx)?;
//! let grouping = groupby::group(&keys, true, ctx)?;
//! assert_eq!(grouping.ids(ctx)?.view()?.values::<i32>()?, [0, 1, 0]);
//! let sums = groupby::aggregate(&grouping, &[(&values, Aggregation::Sum)], ctx)?;
//! assert_eq!(sums[0].view()?.values::<i64>()?, [4, 2]);
//! # Ok::<(), cuprum_column::Error>(())
//! ```
//!
//! Groups are numbered in the order in which their first rows appear, whatever the number of
//! threads; float sums are added in an order that depends on the rows alone. On a GPU they are exact and rounded
//! once while the exponents of a column's finite values span no more than about 80 binades, digits of the
//! values included; beyond that they are added in 64 bits, in an order that depends on the rows and the GPU alone. So
//! sums, means and spreads of floats may differ from the CPU's by the rounding of the latter, at most the number
//! of rows of a group times 2⁻⁵³ of the sum of their absolute values, and products by as many times 2⁻⁵² of
//! themselves; running ones likewise. All else is equal to the bit.
//!
//! Keys that would take more memory than [the budget](cuprum_runtime::spill::budget) are grouped chunk by
//! chunk, with the same result; values are read one column after the other.

mod at_once;
pub(crate) mod batches;
mod cached_scan;
mod chunked;
mod cpu;
mod cuda;
mod decimals;
#[cfg(test)]
mod device_tests;
mod distinct_values;
mod elements;
mod extremes;
mod group_keys;
mod group_lists;
pub mod group_rows;
pub mod group_scan;
pub mod grouped_rows;
#[cfg(test)]
mod grouped_rows_tests;
mod grouping;
mod higher_moments;
mod histogram;
mod lists;
pub mod m2_merge;
pub(crate) mod moments;
mod nested;
pub mod nth_argminmax;
mod numbering;
mod pieces;
#[cfg(test)]
mod pieces_tests;
mod result_type;
mod segments;
mod select;
pub mod sorted_groups;
#[cfg(test)]
mod statistics_tests;
#[cfg(test)]
pub mod tests;

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

pub use elements::quantile_elements;
pub use grouping::Grouping;
pub use higher_moments::{Shape, kurtosis, skewness};
pub use histogram::{histogram, merge_histograms};
pub use lists::{collect_list, collect_set, merge_lists, merge_sets, quantiles};
pub use moments::{correlation, correlations, covariance, covariances, m2, merge_m2};
pub(crate) use result_type::check_length;
pub use result_type::result_type;
use result_type::{check_groups, check_requests};
pub use segments::{Runs, runs, segmented_reduce};

use crate::aggregation::Aggregation;
use cuprum_keys::equality::row_limit::most_rows;

/// Groups rows with equal keys.
///
/// Keys are equal if they are in every column; −0.0 is equal to 0.0, and every missing value (null
/// or NaN) to every other, as in pandas. With `drop_nulls`, rows with a missing key are in no
/// group, otherwise missing is a key like any other. Without key columns all rows are one group.
///
/// 2³² − 1 rows or more are grouped in pieces. Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where these have
/// nearly as many distinct keys.
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_aggregate::{groupby, reduce};
/// #     pub use cuprum_elementwise::copying;
/// # }
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
/// use cuprum_compute::groupby::{aggregate, group};
/// use cuprum_compute::reduce::Aggregation;
///
/// let ctx = Context::current();
/// let keys = Table::new(vec![Column::from_strs(&["x", "y", "x"], &ctx)?])?;
/// let values = Column::from_slice(&[1i64, 10, 100], &ctx)?;
/// let groups = group(&keys, true, &ctx)?;
/// let sums = aggregate(&groups, &[(&values, Aggregation::Sum)], &ctx)?;
/// assert_eq!(sums[0].view()?.values::<i64>()?, [101, 10]);
/// let keys = gather(&keys, &groups.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
/// assert_eq!(keys.columns()[0].view()?.strings()?.bytes(1), b"y");
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn group(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Grouping> {
    func_range!(c"groupby.group");
    check_device!(ctx, [keys]);
    if keys.num_rows() > most_rows() {
        return pieces::group(keys, drop_nulls, ctx);
    }
    at_once::group(keys, drop_nulls, ctx)
}

/// The first row of each group, in the order of [`group`]. Beyond 2³² rows it takes less memory than [`group`], as it
/// keeps no group number of each row.
///
/// Fails as [`group`].
pub fn first_rows(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.first_rows");
    check_device!(ctx, [keys]);
    if keys.num_rows() > most_rows() {
        return pieces::first_rows(keys, drop_nulls, ctx);
    }
    Ok(group(keys, drop_nulls, ctx)?.first_rows)
}

/// One row per group and one column per request, in the order of the groups and of the requests.
///
/// Nulls and NaN are skipped (except by `Size`). The results:
///
/// | aggregation | of | type | group without a value |
/// |---|---|---|---|
/// | `Sum`, `Product` | integers, booleans | `Int64`, `UInt64` for unsigned ones; wraps around | 0, 1 |
/// | | floats | the same, computed in 64 bits | 0, 1 |
/// | `Sum` | durations | the same | 0 |
/// | `Min`, `Max`, `First`, `Last` | everything; structs are ordered by their fields | the same | null |
/// | `Mean`, `Median`, `Var`, `Std`, `Sem` | numbers | `Float64`; `Float32` for `Float32` | null |
/// | `Mean`, `Median`, `Quantile` | times | the same, rounded towards zero | null |
/// | `Quantile` | numbers | `Float64`; linear between neighbours | null |
/// | `Count`, `Size`, `NUnique` | everything but lists and dictionaries | `Int64` | 0 |
/// | `Any`, `All` | numbers | `Bool8` | false, true |
/// | `BitAnd`, `BitOr`, `BitXor` | integers, booleans | the same | null |
///
/// `Var`, `Std` and `Sem` are null for groups of `ddof` values or fewer. Times are summed exactly for
/// their mean, integers too.
///
/// Of 2³² − 1 rows or more, as many groups as have fewer rows are aggregated at a time; a group of more rows is
/// [reduced](crate::reduce::reduce) alone.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where a column's length is not that of the
/// grouping, with [`DataType`](crate::ErrorKind::DataType) for combinations not in the table and ids of
/// other types than a grouping has, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a quantile outside 0 to 1, and with
/// [`Overflow`](crate::ErrorKind::Overflow) for sums of durations that do not fit.
pub fn aggregate(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"groupby.aggregate");
    check_device!(ctx, [grouping, requests]);
    check_requests(requests, grouping.num_rows())?;
    check_groups(grouping)?;
    if grouping.num_rows() > most_rows() {
        return batches::aggregate(grouping, requests, ctx);
    }
    at_once::aggregate(grouping, requests, ctx)
}

/// [`group`] and [`aggregate`] at once, with the same results: on a GPU, many rows with few keys, integers without nulls, are read
/// once for the groups and for the statistics of a column.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::{groupby, reduce::Aggregation};
///
/// let ctx = &Context::current();
/// let keys = Table::new(vec![Column::from_slice(&[7i64, 3, 7], ctx)?])?;
/// let values = Column::from_slice(&[1.5, 2.0, 4.0], ctx)?;
/// let (groups, values) = groupby::group_and_aggregate(&keys, true, &[(&values, Aggregation::Sum)], ctx)?;
/// assert_eq!(groups.first_rows.view()?.values::<i32>()?, [0, 1]);
/// assert_eq!(values[0].view()?.values::<f64>()?, [5.5, 2.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn group_and_aggregate(
    keys: &Table,
    drop_nulls: bool,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<(Grouping, Vec<Column>)> {
    func_range!(c"groupby.group_and_aggregate");
    check_device!(ctx, [keys, requests]);
    check_requests(requests, keys.num_rows())?;
    let grouping = if ctx.is_on_gpu() && keys.num_rows() <= most_rows() {
        match cuda::group_and_aggregate(keys, drop_nulls, requests, ctx)? {
            (grouping, Some(values)) => return Ok((grouping, values)),
            (grouping, None) => grouping,
        }
    } else {
        group(keys, drop_nulls, ctx)?
    };
    let values = aggregate(&grouping, requests, ctx)?;
    Ok((grouping, values))
}
