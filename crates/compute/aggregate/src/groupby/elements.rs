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

use super::batches::in_batches;
use super::group_rows::rows_of;
use super::grouping::Grouping;
use super::result_type::check_length;
use super::sorted_groups::SortedGroups;
use crate::accumulation::cuda::row_groups::ids_of;
use crate::quantiles::{Interpolation, check_fraction, cpu};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::unary::{UnaryOperator, cast, unary_operation};
use cuprum_keys::equality::valid_rows;
use cuprum_keys::ordered_bits::Ordered;

/// The element of every group at each fraction of `q`, of the two that it falls between the `Lower`, the `Higher` or the
/// `Nearest` one: a column of the type of `column` for each fraction, null for groups without a value. Nulls and NaN are
/// skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers or times, and with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a fraction outside [0, 1] and for other interpolations.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
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
    if let Some(found) = in_batches("quantiles", grouping, &[column], ctx, &|grouping, columns| {
        quantile_elements(grouping, &columns[0], q, interpolation, ctx)
    })? {
        return Ok(found);
    }
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
    let ids = grouping.narrow_ids(temporary)?;
    let span = ids_of(&ids)?;
    let (rows, starts, counts) =
        SortedGroups::new(span.as_ref(), column, grouping.num_groups, temporary)?.into_columns()?;
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

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Table, TimeUnit};

    use super::*;
    use crate::groupby::group;
    use cuprum_testing::rows;

    /// On every device: integers beyond the precision of floats, floats with NaN, times.
    #[test]
    fn elements_of_groups() {
        let host = &Context::current();
        for (len, groups) in [(0i64, 1i64), (1, 1), (40, 7), (3000, 500)] {
            let keys: Vec<Option<i64>> =
                (0..len).map(|row| (row % 13 != 5).then_some(row * row % groups)).collect();
            let whole: Vec<Option<i64>> =
                (0..len).map(|row| (row % 5 != 2).then_some((1 << 60) + row * 31 % 97)).collect();
            let float =
                |v: &Option<i64>| v.map(|v| if v % 7 == 0 { f64::NAN } else { (v - (1 << 60)) as f64 });
            let floats: Vec<Option<f64>> = whole.iter().map(float).collect();
            let whole = Column::from_options(&whole, host).unwrap();
            let times = whole.bit_cast(DataType::Timestamp(TimeUnit::Nanoseconds)).unwrap();
            let keys = Column::from_options(&keys, host).unwrap();
            for column in [whole, times, Column::from_options(&floats, host).unwrap()] {
                let of = |how: Interpolation, ctx: &Context| {
                    let keys = Table::new(vec![keys.to_device(ctx).unwrap()]).unwrap();
                    let grouping = group(&keys, true, ctx).unwrap();
                    let there = column.to_device(ctx).unwrap();
                    let found =
                        quantile_elements(&grouping, &there, &[0.0, 0.5, 0.3, 1.0], how, ctx).unwrap();
                    let found: Vec<Column> = found.iter().map(|c| c.to_host().unwrap()).collect();
                    (found, grouping.ids(ctx).unwrap().to_host().unwrap())
                };
                for how in [Interpolation::Lower, Interpolation::Higher, Interpolation::Nearest] {
                    let (found, ids) = of(how, host);
                    let mut members: Vec<Vec<u64>> = vec![vec![]; found[0].len()];
                    for (row, id) in ids.view().unwrap().values::<i32>().unwrap().iter().enumerate() {
                        let value = column.get(row).unwrap();
                        let key = match value.as_i64() {
                            Some(value) => Some(value.ordered()),
                            None => value.as_f64().filter(|v| !v.is_nan()).map(Ordered::ordered),
                        };
                        if let (Some(own), Some(key)) = (members.get_mut(*id as usize), key) {
                            own.push(key);
                        }
                    }
                    for (found, q) in found.iter().zip([0.0, 0.5, 0.3, 1.0]) {
                        for (group, own) in members.iter_mut().enumerate() {
                            own.sort_unstable();
                            let place = q * own.len().saturating_sub(1) as f64;
                            let place = match how {
                                Interpolation::Lower => place.floor(),
                                Interpolation::Higher => place.ceil(),
                                _ => place.round_ties_even(),
                            };
                            let value = found.get(group).unwrap();
                            let key = value.as_i64().map(Ordered::ordered);
                            let key = key.or_else(|| value.as_f64().map(Ordered::ordered));
                            assert_eq!(key, own.get(place as usize).copied());
                        }
                    }
                    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                        let there = of(how, &ctx).0;
                        assert!(there.iter().map(rows).eq(found.iter().map(rows)));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_element_is_refused() {
        let ctx = &Context::current();
        let column = Column::from_slice(&[1, 2], ctx).unwrap();
        let grouping = group(&Table::new(vec![column.clone()]).unwrap(), true, ctx).unwrap();
        let kind = |column: &Column, q: f64, how| {
            quantile_elements(&grouping, column, &[q], how, ctx).unwrap_err().kind()
        };
        assert_eq!(kind(&column, 1.5, Interpolation::Lower), ErrorKind::InvalidArgument);
        assert_eq!(kind(&column, f64::NAN, Interpolation::Lower), ErrorKind::InvalidArgument);
        assert_eq!(kind(&column, 0.5, Interpolation::Linear), ErrorKind::InvalidArgument);
        let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
        assert_eq!(kind(&texts, 0.5, Interpolation::Lower), ErrorKind::DataType);
        assert_eq!(kind(&column.slice(0, 1).unwrap(), 0.5, Interpolation::Lower), ErrorKind::Logic);
        assert!(quantile_elements(&grouping, &column, &[], Interpolation::Lower, ctx).unwrap().is_empty());
    }
}
