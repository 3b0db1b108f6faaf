//! The elements of groups next to a share of each: quantiles that are values of the column.

use cuprum_column::{
    Column, Context, DataType, Error, HostUVec, Result, Scalar, dispatch_storage, null_mask,
};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::install;
use cuprum_runtime::primitives::Bits;
use rayon::prelude::*;

use super::in_order::InOrder;
use super::members::rows_of;
use super::{Grouping, check_length, cuda};
use crate::binaryop::{BinaryOperator, binary_operation};
use crate::gather::{OutOfBoundsPolicy, gather_column};
use crate::ordered::Ordered;
use crate::quantiles::{Interpolation, check_fraction, cpu};
use crate::reduce::statistics;
use crate::row_keys::valid_rows;
use crate::unary::{UnaryOperator, cast, unary_operation};

/// The element of every group at each fraction of `q`, of the two that it falls between the `Lower`, the `Higher` or the
/// `Nearest` one: a column of the type of `column` for each fraction, null for groups without a value. Nulls and NaN are
/// skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers or times, and with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a fraction outside [0, 1] and for other interpolations.
///
/// ```
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::groupby::{group, quantile_elements};
/// use cuprum_compute::quantiles::Interpolation;
///
/// let ctx = &Context::current();
/// let keys = Table::new(vec![Column::from_strs(&["x", "y", "x"], ctx)?])?;
/// let values = Column::from_slice(&[1i64, 10, 100], ctx)?;
/// let grouping = group(&keys, true, ctx)?;
/// let found = quantile_elements(&grouping, &values, &[0.4], Interpolation::Higher, ctx)?;
/// assert_eq!(found[0].view()?.values::<i64>()?, [100, 10]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn quantile_elements(
    grouping: &Grouping,
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"groupby.quantile_elements");
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    let data_type = column.data_type();
    if !(data_type.is_numeric() || data_type.is_chrono()) {
        return Err(Error::data_type(format!("there are no quantiles of groups of {data_type}")));
    }
    q.iter().try_for_each(|&q| check_fraction(q))?;
    if matches!(interpolation, Interpolation::Linear | Interpolation::Midpoint) {
        return Err(Error::invalid_argument(format!("`interpolation` {interpolation:?} finds no element")));
    }
    if ctx.is_on_gpu() {
        on_device(grouping, column, q, interpolation, ctx)
    } else {
        selected(grouping, column, q, interpolation, ctx)
    }
}

/// Fewer groups are one piece of work.
const GROUPS: usize = 256;

fn selected(
    grouping: &Grouping,
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let view = column.view()?;
    let mask = valid_rows(&[column], column.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), column.len())?;
    let lists = rows_of(grouping, bits.as_ref().map(Bits::to_bitmap).transpose()?, ctx)?;
    let groups = grouping.num_groups;
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        let mut keys = HostUVec::from_fn(lists.rows.len(), ctx, |i| values[lists.rows[i] as usize].ordered())?;
        let of_group = |group: usize| lists.offsets[group] as usize..lists.offsets[group + 1] as usize;
        let found = q.iter().map(|&q| {
            let mut found = HostUVec::filled(0u64, groups, ctx)?;
            let mut pieces = host_vec::with_capacity(groups)?;
            let mut rest: &mut [u64] = &mut keys;
            for group in 0..groups {
                let (own, others) = rest.split_at_mut(of_group(group).len());
                pieces.push(own);
                rest = others;
            }
            install(|| {
                let places = found.par_iter_mut().zip(pieces).with_min_len(if groups > 64 * GROUPS { GROUPS } else { 1 });
                places.filter(|(_, own)| !own.is_empty()).for_each(|(found, own)| {
                    *found = *own.select_nth_unstable(cpu::place(own.len(), q, interpolation)).1;
                });
            });
            let elements = HostUVec::from_fn(groups, ctx, |group| T::from_ordered(found[group]))?;
            let mask = null_mask::from_fn(groups, ctx, |group| !of_group(group).is_empty())?;
            Column::new(column.data_type(), elements, Some(mask))
        });
        found.collect()
    }, else => unreachable!("numbers and times only"))
}

fn on_device(
    grouping: &Grouping,
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let temporary = &ctx.temporary()?;
    let ids = cuda::ids(grouping.ids(temporary)?, temporary)?;
    let span = statistics::ids_of(&ids)?;
    let (rows, starts, counts) =
        InOrder::new(span.as_ref(), column, grouping.num_groups, temporary)?.into_columns()?;
    let apply = |a: &Column, b: &Scalar, how| binary_operation(a, b, how, temporary);
    let last = apply(&cast(&counts, DataType::Float64, temporary)?, &Scalar::from(1.0), BinaryOperator::Sub)?;
    let round = match interpolation {
        Interpolation::Lower => UnaryOperator::Floor,
        Interpolation::Higher => UnaryOperator::Ceil,
        _ => UnaryOperator::Rint,
    };
    let is_there = apply(&counts, &Scalar::from(0u64), BinaryOperator::Greater)?;
    let starts = cast(&starts, DataType::Int64, temporary)?;
    let one = |&q: &f64| {
        let place = unary_operation(&apply(&last, &Scalar::from(q), BinaryOperator::Mul)?, round, temporary)?;
        let place = cast(&place, DataType::Int64, temporary)?;
        let place = binary_operation(&starts, &place, BinaryOperator::Add, temporary)?;
        let place = place.with_mask(Some(null_mask::bools_to_mask(&is_there, temporary)?), temporary)?;
        let row = gather_column(&rows, &place, OutOfBoundsPolicy::Nullify, temporary)?;
        gather_column(column, &row, OutOfBoundsPolicy::Nullify, ctx)
    };
    q.iter().map(one).collect()
}
