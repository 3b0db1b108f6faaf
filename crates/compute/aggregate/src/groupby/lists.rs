//! Results of groups that need all their rows: lists, and many quantiles.

use cuprum_column::{
    Bitmap, Column, Context, DataType, Error, HostUVec, Native, Result, Table, dispatch_storage, null_mask,
};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Bits;

use super::batches::in_batches;
use super::group_rows::{rows_of, sorted_by_group};
use super::group_scan;
use super::grouping::Grouping;
use super::moments::one;
use super::result_type::check_length;
use crate::quantiles::{Interpolation, check_fraction, cpu};
use cuprum_elements::gather::gather_rows;
use cuprum_elements::row_numbers::{NarrowRows, row_column, rows_fit_32_bits};
use cuprum_elementwise::unary::is_nan;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::number_rows;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys, valid_rows};
use cuprum_keys::ordered_bits::Ordered;

/// The elements of every group as a list, in the order of the rows, nulls among them if `with_nulls`; a group
/// without any has an empty list.
///
/// Takes columns of every type. Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not
/// that of the grouping.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
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
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    if let Some(found) = in_batches("a list", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![collect_list(grouping, &columns[0], with_nulls, ctx)?])
    })? {
        return one(found);
    }
    if ctx.is_on_gpu() {
        return group_scan::lists(grouping, column, with_nulls, ctx);
    }
    let view = column.view()?;
    lists(grouping, column, view.validity().filter(|_| !with_nulls), ctx)
}

/// The distinct elements of every group as a list, in the order of their first rows; −0.0 equals 0.0. Nulls,
/// or NaN, that are not equal are an element each.
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
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    if let Some(found) = in_batches("a set", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![collect_set(grouping, &columns[0], with_nulls, (nulls_equal, nans_equal), ctx)?])
    })? {
        return one(found);
    }
    if ctx.is_on_gpu() {
        return group_scan::sets(grouping, column, with_nulls, (nulls_equal, nans_equal), ctx);
    }
    distinct(grouping, column, with_nulls, (nulls_equal, nans_equal), ctx)
}

/// See [`collect_set`].
fn distinct(
    grouping: &Grouping,
    column: &Column,
    with_nulls: bool,
    (nulls_equal, nans_equal): (bool, bool),
    ctx: &Context,
) -> Result<Column> {
    let rows = column.len();
    let keys = Table::new(vec![grouping.ids(ctx)?.clone(), column.clone()])?;
    let plan = EqualityKeys::new(&[&keys], EncodeOptions::default(), ctx)?;
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

/// The lists of every group end to end, in the order of the rows. Null lists are left out, null elements are not.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, and with
/// [`DataType`](crate::ErrorKind::DataType) where it has no lists.
pub fn merge_lists(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.merge_lists");
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    check_rows("lists that are merged", column.len())?;
    let (grouping, elements) = exploded("column", grouping, column, ctx)?;
    if ctx.is_on_gpu() {
        return group_scan::lists(&grouping, &elements, true, ctx);
    }
    lists(&grouping, &elements, None, ctx)
}

/// The distinct elements of the lists of every group, as [`collect_set`] finds them; nulls among them.
///
/// Fails as [`merge_lists`] and [`collect_set`].
pub fn merge_sets(
    grouping: &Grouping,
    column: &Column,
    (nulls_equal, nans_equal): (bool, bool),
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.merge_sets");
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    check_rows("lists that are merged", column.len())?;
    let (grouping, elements) = exploded("column", grouping, column, ctx)?;
    if ctx.is_on_gpu() {
        return group_scan::sets(&grouping, &elements, true, (nulls_equal, nans_equal), ctx);
    }
    distinct(&grouping, &elements, true, (nulls_equal, nans_equal), ctx)
}

/// The elements of lists, each in the group of its row; those of null lists are in none.
pub(super) fn exploded(
    name: &str,
    grouping: &Grouping,
    column: &Column,
    ctx: &Context,
) -> Result<(Grouping, Column)> {
    if column.data_type() != DataType::List {
        return Err(Error::data_type(format!("`{name}` is {}, not lists", column.data_type())));
    }
    if ctx.is_on_gpu() {
        return group_scan::exploded(grouping, column, ctx);
    }
    let (elements, view) = (column.elements()?, column.view()?);
    let (spans, ids) = (view.lists()?, grouping.ids(ctx)?.view()?);
    let group_of = NarrowRows::new("grouping.ids", &ids, ctx)?;
    let mut ids = HostUVec::filled(NONE, elements.len(), ctx)?;
    let base = if spans.is_empty() { 0 } else { spans.range(0).start };
    for row in (0..column.len()).filter(|&row| view.is_valid(row)) {
        let span = spans.range(row);
        if let Some(ids) = ids.get_mut(span.start.wrapping_sub(base)..span.end.wrapping_sub(base)) {
            ids.fill(group_of[row]);
        }
    }
    let first_rows = grouping.first_rows.clone();
    let ids = row_column(ids, elements.len(), ctx)?;
    Ok((Grouping::new(ids, first_rows, grouping.num_groups), elements))
}

pub(super) fn lists(
    grouping: &Grouping,
    column: &Column,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<Column> {
    let lists = rows_of(grouping, keep, ctx)?;
    let (ends, rows) = (&lists.offsets, &lists.rows);
    let offsets = if rows_fit_32_bits(rows.len()) {
        Column::from_values(HostUVec::from_fn(ends.len(), ctx, |i| ends[i] as i32)?)
    } else {
        Column::from_values(HostUVec::from_fn(ends.len(), ctx, |i| i64::from(ends[i]))?)
    };
    Column::lists(offsets, gather_rows(column, rows, ctx)?, None)
}

/// The quantiles of every group at each fraction of `q`, in the order of `q`, group after group: `Float64` of numbers, times
/// of the same type rounded towards zero, null for groups without a value. Nulls and NaN are skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers or times, with
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
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    if let Some(found) = in_batches("quantiles", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![quantiles(grouping, &columns[0], q, interpolation, ctx)?])
    })? {
        return one(found);
    }
    let data_type = column.data_type();
    if !(data_type.is_numeric() || data_type.is_chrono()) {
        return Err(Error::data_type(format!("there are no quantiles of groups of {data_type}")));
    }
    q.iter().try_for_each(|&q| check_fraction(q))?;
    let results = grouping.num_groups.checked_mul(q.len());
    let results = results.ok_or_else(|| Error::overflow(format!("{} fractions of each group", q.len())))?;
    if ctx.is_on_gpu() {
        return super::cuda::quantiles(grouping, column, q, interpolation, ctx);
    }
    let view = column.view()?;
    let keys = dispatch_storage!(data_type, T => {
        let values = view.values::<T>()?;
        HostUVec::from_fn(values.len(), ctx, |row| values[row].ordered())?
    }, else => unreachable!("numbers and times only"));
    let mask = valid_rows(&[column], column.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), column.len())?;
    let lists = rows_of(grouping, bits.as_ref().map(Bits::to_bitmap).transpose()?, ctx)?;
    let places = |group: usize| lists.offsets[group] as usize..lists.offsets[group + 1] as usize;
    let sorted = sorted_by_group(&lists, |row| keys[row], ctx)?;
    let is_there = |i: usize| !places(i / q.len()).is_empty();
    let ends = |i: usize| {
        let keys = &sorted[places(i / q.len())];
        let (k, fraction) = cpu::position(keys.len(), q[i % q.len()]);
        ((keys[k], keys[(k + 1).min(keys.len() - 1)]), (k, fraction))
    };
    let mask = null_mask::from_fn(results, ctx, is_there)?;
    if data_type.is_chrono() {
        return dispatch_storage!(data_type, T => {
            let found = HostUVec::from_fn(results, ctx, |i| {
                if !is_there(i) {
                    return T::from_i64(0);
                }
                let (ends, place) = ends(i);
                T::from_i64(cpu::tick(ends, place, interpolation))
            })?;
            Column::new(data_type, found, Some(mask))
        }, else => unreachable!("times are numbers"));
    }
    let found = HostUVec::from_fn(results, ctx, |i| {
        if !is_there(i) {
            return 0.0;
        }
        let (ends, place) = ends(i);
        cpu::interpolated(data_type, ends, place, interpolation)
    })?;
    Column::new(DataType::Float64, found, Some(mask))
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Scalar, Value};
    use cuprum_runtime::parallel::MORSEL;
    use cuprum_testing::{any_column, plain_types};
    use proptest::prelude::*;

    use super::*;
    use crate::groupby::group;

    fn is_nan(value: &Scalar) -> bool {
        matches!(value.value(), Value::Float(x) if x.is_nan())
    }

    fn is_same(a: &Scalar, b: &Scalar) -> bool {
        a.value() == b.value() || is_nan(a) && is_nan(b)
    }

    fn elements(lists: &Column, row: usize) -> Vec<Scalar> {
        let elements = lists.slice(row, 1).unwrap().elements().unwrap();
        (0..elements.len()).map(|i| elements.get(i).unwrap()).collect()
    }

    proptest! {
        #[test]
        fn lists_and_quantiles_by_the_definition(
            keys in prop::collection::vec(prop::option::weighted(0.9, 0i64..4), 40),
            column in prop::sample::select(plain_types()).prop_flat_map(|data_type| any_column(data_type, 40)),
            (with_nulls, nulls_equal, nans_equal) in any::<(bool, bool, bool)>(),
            q in prop::collection::vec(0.0..=1.0, 0..3),
        ) {
            let ctx = &Context::current();
            let table = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
            let grouping = group(&table, true, ctx).unwrap();
            let lists = collect_list(&grouping, &column, with_nulls, ctx).unwrap();
            let sets = collect_set(&grouping, &column, with_nulls, (nulls_equal, nans_equal), ctx).unwrap();
            let mut order: Vec<i64> = vec![];
            keys.iter().flatten().for_each(|key| if !order.contains(key) { order.push(*key) });
            prop_assert_eq!((lists.len(), sets.len()), (order.len(), order.len()));
            for (group, key) in order.iter().enumerate() {
                let rows: Vec<usize> = (0..keys.len()).filter(|&row| keys[row] == Some(*key)).collect();
                let all: Vec<Scalar> = rows.iter().map(|&row| column.get(row).unwrap())
                    .filter(|value| with_nulls || !value.is_null()).collect();
                let found = elements(&lists, group);
                prop_assert!(found.len() == all.len() && found.iter().zip(&all).all(|(a, b)| is_same(a, b)));
                let mut set: Vec<Scalar> = vec![];
                for value in all {
                    let alone = value.is_null() && !nulls_equal || is_nan(&value) && !nans_equal;
                    if alone || !set.iter().any(|other| is_same(other, &value)) {
                        set.push(value);
                    }
                }
                let found = elements(&sets, group);
                prop_assert!(found.len() == set.len() && found.iter().zip(&set).all(|(a, b)| is_same(a, b)));
                if column.data_type().is_numeric() {
                    let map: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
                    let members = gather_rows(&column, &map, ctx).unwrap();
                    for interpolation in [Interpolation::Linear, Interpolation::Nearest, Interpolation::Midpoint] {
                        let found = quantiles(&grouping, &column, &q, interpolation, ctx).unwrap();
                        let expected = crate::quantiles::quantile(&members, &q, interpolation, ctx).unwrap();
                        for i in 0..q.len() {
                            let (a, b) = (found.get(group * q.len() + i).unwrap(), expected.get(i).unwrap());
                            prop_assert!(is_same(&a, &b), "{a} {b}");
                        }
                    }
                }
            }
        }
    }

    /// A group of many morsels among small ones.
    #[test]
    fn one_large_group() {
        let ctx = &Context::current();
        let rows = 2 * MORSEL + 11;
        let keys: Vec<i64> = (0..rows as i64).map(|row| if row % 10_000 == 3 { row } else { -1 }).collect();
        let table = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
        let grouping = group(&table, true, ctx).unwrap();
        let values: Vec<i64> = (0..rows as i64).map(|row| row * 7919 % rows as i64).collect();
        let column = Column::from_slice(&values, ctx).unwrap();
        let found = quantiles(&grouping, &column, &[0.0, 1.0], Interpolation::Linear, ctx).unwrap();
        let large = || (0..rows).filter(|&row| keys[row] == -1).map(|row| values[row]);
        assert_eq!(found.get(0).unwrap().as_f64(), large().min().map(|v| v as f64));
        assert_eq!(found.get(1).unwrap().as_f64(), large().max().map(|v| v as f64));
        let lists = collect_list(&grouping, &column, true, ctx).unwrap();
        assert_eq!(lists.slice(0, 1).unwrap().elements().unwrap().len(), large().count());
        assert_eq!(elements(&lists, 1), [Scalar::from(values[3])]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let ctx = &Context::current();
        let table = Table::new(vec![Column::from_slice(&[1, 2], ctx).unwrap()]).unwrap();
        let grouping = group(&table, true, ctx).unwrap();
        let (short, texts) =
            (Column::from_slice(&[1], ctx).unwrap(), Column::from_strs(&["a", "b"], ctx).unwrap());
        let kind = |result: Result<Column>| result.unwrap_err().kind();
        assert_eq!(kind(collect_list(&grouping, &short, true, ctx)), ErrorKind::Logic);
        assert_eq!(kind(collect_set(&grouping, &short, true, (true, true), ctx)), ErrorKind::Logic);
        let linear = Interpolation::Linear;
        assert_eq!(kind(quantiles(&grouping, &texts, &[0.5], linear, ctx)), ErrorKind::DataType);
        let floats = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
        assert_eq!(kind(quantiles(&grouping, &floats, &[1.5], linear, ctx)), ErrorKind::InvalidArgument);
        assert_eq!(quantiles(&grouping, &floats, &[], linear, ctx).unwrap().len(), 0);
    }

    /// NaN is one element besides null, or each NaN and each null is one.
    #[test]
    fn sets_of_nan_beside_nulls() {
        let ctx = &Context::current();
        let column = [Some(f64::NAN), None, Some(1.0), Some(f64::NAN), None, Some(-0.0), Some(0.0)];
        let column = Column::from_options(&column, ctx).unwrap();
        let keys = Table::new(vec![Column::from_slice(&[7i32; 7], ctx).unwrap()]).unwrap();
        let grouping = group(&keys, true, ctx).unwrap();
        for (with_nulls, nulls_equal, nans_equal, expected) in [
            (false, true, true, "[NaN, 1.0, -0.0]"),
            (false, true, false, "[NaN, 1.0, NaN, -0.0]"),
            (true, true, true, "[NaN, null, 1.0, -0.0]"),
            (true, true, false, "[NaN, null, 1.0, NaN, -0.0]"),
            (true, false, true, "[NaN, null, 1.0, null, -0.0]"),
            (true, false, false, "[NaN, null, 1.0, NaN, null, -0.0]"),
        ] {
            let sets = collect_set(&grouping, &column, with_nulls, (nulls_equal, nans_equal), ctx).unwrap();
            assert_eq!(sets.get(0).unwrap().to_string(), expected, "{with_nulls} {nulls_equal} {nans_equal}");
        }
    }
}
