//! Digests of distributions: quantiles of any number of values, from a bounded number of means.
//!
//! A digest is a struct of three fields: `centroids`, a list of structs of a `mean` and a `weight` in ascending
//! order, and the smallest and the largest value, all `Float64`. [`digest`] makes one of the values of every group,
//! [`merge`] one of several digests, and [`percentile_approx`] reads quantiles from it. A digest of no value has no
//! centroids, and 0.0 for both values.
//!
//! Values are merged to centroids of as many as the scale function k₁ of Dunning and Ertl (*Computing
//! extremely accurate quantiles using t-digests*, 2019) allows: few where `q` is near 0 or 1, many in the middle.
//! With `max_centroids` δ there are at most δ + 1 centroids (three more where there are infinities), each of about
//! `2π √(q (1 − q)) / δ` of the values. The rank of a quantile is off by no more than one and a half of them, and by
//! far less where values are spread evenly; after merging, by about twice that.
//!
//! A GPU has the CPU's digests to the bit: borders follow from ranks, and means are added up in an order that the number of
//! values alone decides. Weights that are no whole numbers, which other programs may have made, are added up to ranks in
//! another order there, so that rounding may move a border by a centroid.
//!
//! ```
//! # use cuprum_aggregate as cuprum_compute;
//! use cuprum_column::{Column, Context, Table};
//! use cuprum_compute::{groupby, tdigest};
//!
//! let ctx = &Context::current();
//! let values: Vec<f64> = (0..=1000).map(f64::from).collect();
//! let values = Column::from_slice(&values, ctx)?;
//! let all = groupby::group(&Table::with_rows(vec![], 1001)?, true, ctx)?;
//! let digest = tdigest::digest(&all, &values, 100, ctx)?;
//! let median = tdigest::percentile_approx(&digest, &[0.5], ctx)?.elements()?.get(0)?;
//! assert!((median.as_f64().unwrap() - 500.0).abs() < 1001.0 * 0.016);
//! # Ok::<(), cuprum_column::Error>(())
//! ```

mod cpu;
pub mod cuda;
mod scale;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use crate::groupby::Grouping;
use crate::groupby::batches::in_batches;
use crate::groupby::moments::one;
use crate::quantiles::check_fraction;

/// A digest of the values of every group. Nulls and NaN are skipped.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no centroids, with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers, and with
/// [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping.
pub fn digest(grouping: &Grouping, column: &Column, max_centroids: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"tdigest.digest");
    check_device!(ctx, [grouping, column]);
    check_centroids(max_centroids)?;
    if !column.data_type().is_numeric() {
        return Err(Error::data_type(format!("`column` is {}, not numbers", column.data_type())));
    }
    crate::groupby::check_length("column", column, grouping)?;
    let batches = in_batches("a digest", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![digest(grouping, &columns[0], max_centroids, ctx)?])
    })?;
    match batches {
        Some(found) => one(found),
        None => on_device!(ctx, digest(grouping, column, max_centroids)),
    }
}

/// One digest of the digests of every group; those that are null are skipped.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no centroids and for weights that are not
/// above 0, means that are NaN and fields that are null, with [`DataType`](crate::ErrorKind::DataType) for columns
/// that are no digests, and with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the
/// grouping.
pub fn merge(grouping: &Grouping, digests: &Column, max_centroids: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"tdigest.merge");
    check_device!(ctx, [grouping, digests]);
    check_centroids(max_centroids)?;
    check_digests(digests)?;
    crate::groupby::check_length("digests", digests, grouping)?;
    check_rows("digests that are merged", digests.len())?;
    on_device!(ctx, merge(grouping, digests, max_centroids))
}

/// The quantiles of every digest at each fraction of `q`, as a list of `Float64` in the order of `q`; null where
/// there is no value.
///
/// Between two centroids quantiles are on the line between their means, and a centroid of one value is that value.
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a fraction outside [0, 1], and as
/// [`merge`] for columns that are no digests.
pub fn percentile_approx(digests: &Column, q: &[f64], ctx: &Context) -> Result<Column> {
    func_range!(c"tdigest.percentile_approx");
    check_device!(ctx, [digests]);
    check_digests(digests)?;
    q.iter().try_for_each(|&q| check_fraction(q))?;
    on_device!(ctx, percentile_approx(digests, q))
}

fn check_centroids(max_centroids: usize) -> Result<()> {
    if max_centroids > 0 {
        return Ok(());
    }
    Err(Error::invalid_argument("`max_centroids` is 0: a digest has at least one"))
}

fn check_digests(column: &Column) -> Result<()> {
    let of_floats = |column: &Column| column.data_type() == DataType::Float64;
    let is_pair = |column: &Column| {
        column.data_type() == DataType::Struct
            && column.children().len() == 2
            && column.children().iter().all(of_floats)
    };
    let is_digest = match (column.data_type(), column.children()) {
        (DataType::Struct, [centroids, least, most]) => {
            centroids.data_type() == DataType::List
                && centroids.children().get(1).is_some_and(is_pair)
                && of_floats(least)
                && of_floats(most)
        }
        _ => false,
    };
    if is_digest {
        return Ok(());
    }
    Err(Error::data_type(format!(
        "`digests` is of {}, not structs as `digest` makes them",
        column.data_type()
    )))
}
