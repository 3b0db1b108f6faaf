//! What groups give that needs all their rows: lists, and many quantiles.

use cuprum_column::{Bitmap, Column, Context, DataType, Error, HostUVec, Result, Table, null_mask};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;
use cuprum_runtime::primitives::Bits;
use rayon::prelude::*;

use super::pieces::rows_of;
use super::{Grouping, check_length};
use crate::gather::gather_rows;
use crate::order_keys::order_keys;
use crate::quantiles::{Interpolation, check_fraction, cpu};
use crate::row_keys::factorize::Tuning;
use crate::row_keys::plan::number_rows;
use crate::row_keys::{EncodeOptions, KeyPlan, valid_rows};
use crate::row_numbers::rows_fit_32_bits;
use crate::unary::is_nan;

/// The elements of every group as a list, in the order of the rows, nulls among them if `with_nulls`; a group
/// without any has an empty list.
///
/// Takes columns of every type. Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not
/// that of the grouping.
///
/// ```
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::groupby::{collect_list, group};
///
/// let ctx = &Context::current();
/// let keys = Table::new(vec![Column::from_strs(&["x", "y", "x"], ctx)?])?;
/// let values = Column::from_slice(&[1i64, 10, 100], ctx)?;
/// let lists = collect_list(&group(&keys, true, ctx)?, &values, true, ctx)?;
/// assert_eq!(lists.elements()?.view()?.values::<i64>()?, [1, 100, 10]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn collect_list(grouping: &Grouping, column: &Column, with_nulls: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.collect_list");
    host_only!(ctx, [grouping, column], collect_list(&grouping, &column, with_nulls));
    check_length("column", column, grouping)?;
    let view = column.view()?;
    lists(grouping, column, view.validity().filter(|_| !with_nulls), ctx)
}

/// The distinct elements of every group as a list, in the order of their first rows; −0.0 equals 0.0. Where
/// nulls, or NaN, are not equal, each of them is an element.
///
/// Fails as [`collect_list`], and with [`DataType`](crate::ErrorKind::DataType) or
/// [`Unsupported`](crate::ErrorKind::Unsupported) for types that are no keys.
pub fn collect_set(
    grouping: &Grouping,
    column: &Column,
    with_nulls: bool,
    (nulls_equal, nans_equal): (bool, bool),
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.collect_set");
    host_only!(
        ctx,
        [grouping, column],
        collect_set(&grouping, &column, with_nulls, (nulls_equal, nans_equal))
    );
    check_length("column", column, grouping)?;
    let rows = column.len();
    let keys = Table::new(vec![grouping.ids.clone(), column.clone()])?;
    let plan = KeyPlan::new(&[&keys], EncodeOptions::default(), ctx)?;
    let numbers = number_rows(plan, None, Tuning::for_rows(rows), ctx)?;
    let mut first = HostUVec::filled(0u8, rows, ctx)?;
    numbers.first_rows.iter().for_each(|&row| first[row as usize] = 1);
    let nans = if nans_equal || !column.data_type().is_float() { None } else { Some(is_nan(column, ctx)?) };
    let nans = nans.as_ref().map(Column::view).transpose()?;
    let nans = nans.as_ref().map(|nans| nans.values::<u8>()).transpose()?;
    let view = column.view()?;
    let valid = view.validity();
    let mask = null_mask::from_fn(rows, ctx, |row| {
        if valid.is_none_or(|bits| bits.get(row)) {
            return first[row] != 0 || nans.is_some_and(|nans| nans[row] != 0);
        }
        with_nulls && (first[row] != 0 || !nulls_equal)
    })?;
    let bits = Bits::of(&mask.0, 0, rows)?;
    lists(grouping, column, Some(bits.to_bitmap()?), ctx)
}

fn lists(grouping: &Grouping, column: &Column, keep: Option<Bitmap<'_>>, ctx: &Context) -> Result<Column> {
    let lists = rows_of(grouping, keep, ctx)?;
    let (ends, rows) = (&lists.offsets, &lists.rows);
    let offsets = if rows_fit_32_bits(rows.len()) {
        Column::from_values(HostUVec::from_fn(ends.len(), ctx, |i| ends[i] as i32)?)
    } else {
        Column::from_values(HostUVec::from_fn(ends.len(), ctx, |i| i64::from(ends[i]))?)
    };
    Column::lists(offsets, gather_rows(column, rows, ctx)?, None)
}

/// The quantiles of every group at each fraction of `q`, in the order of `q`, group after group: `Float64`, null
/// for groups without a value. Nulls and NaN are skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a fraction outside [0, 1] and with
/// [`Overflow`](crate::ErrorKind::Overflow) for more results than can be counted.
pub fn quantiles(
    grouping: &Grouping,
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.quantiles");
    host_only!(ctx, [grouping, column], quantiles(&grouping, &column, q, interpolation));
    check_length("column", column, grouping)?;
    let data_type = column.data_type();
    if !data_type.is_numeric() {
        return Err(Error::data_type(format!("there are no quantiles of groups of {data_type}")));
    }
    q.iter().try_for_each(|&q| check_fraction(q))?;
    let results = grouping.num_groups.checked_mul(q.len());
    let results = results.ok_or_else(|| Error::overflow(format!("{} fractions of each group", q.len())))?;
    let keys = order_keys(column, ctx)?;
    let mask = valid_rows(&[column], column.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), column.len())?;
    let lists = rows_of(grouping, bits.as_ref().map(Bits::to_bitmap).transpose()?, ctx)?;
    let places = |group: usize| lists.offsets[group] as usize..lists.offsets[group + 1] as usize;
    let mut sorted = HostUVec::from_fn(lists.rows.len(), ctx, |i| keys[lists.rows[i] as usize])?;
    let mut rest: &mut [u64] = &mut sorted;
    let mut groups = cuprum_runtime::host_vec::with_capacity(grouping.num_groups)?;
    for group in 0..grouping.num_groups {
        let (keys, others) = rest.split_at_mut(places(group).len());
        groups.push(keys);
        rest = others;
    }
    // A group of many values is shared by threads.
    parallel::install(|| {
        groups.par_iter_mut().for_each(|keys| {
            if keys.len() > parallel::MORSEL { keys.par_sort_unstable() } else { keys.sort_unstable() }
        });
    });
    let is_there = |i: usize| !places(i / q.len()).is_empty();
    let found = HostUVec::from_fn(results, ctx, |i| {
        if !is_there(i) {
            return 0.0;
        }
        let keys = &sorted[places(i / q.len())];
        let (k, fraction) = cpu::position(keys.len(), q[i % q.len()]);
        let ends = (keys[k], keys[(k + 1).min(keys.len() - 1)]);
        cpu::interpolated(data_type, ends, (k, fraction), interpolation)
    })?;
    let mask = null_mask::from_fn(results, ctx, is_there)?;
    Column::new(DataType::Float64, found, Some(mask))
}
