//! The number of occurrences of each value in a group.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Bits;

use super::batches::in_batches;
use super::group_scan;
use super::grouping::Grouping;
use super::lists::{exploded, lists};
use super::moments::one;
use super::result_type::check_length;
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::number_rows;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys};

/// The distinct elements of every group and how often each occurs: a list of structs of the element and an
/// `Int64`, in the order of their first rows. Nulls are equal to each other, NaN is equal to NaN and −0.0 to 0.0;
/// a null is an element like any other. A group without rows has an empty list.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, and with
/// [`DataType`](crate::ErrorKind::DataType) or [`Unsupported`](crate::ErrorKind::Unsupported) for types that are
/// no keys.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::groupby::{group, histogram};
///
/// let ctx = &Context::current();
/// let all = group(&Table::with_rows(vec![], 3)?, true, ctx)?;
/// let found = histogram(&all, &Column::from_slice(&[7i64, 1, 7], ctx)?, ctx)?;
/// let pairs = found.elements()?;
/// assert_eq!(pairs.field(0)?.view()?.values::<i64>()?, [7, 1]);
/// assert_eq!(pairs.field(1)?.view()?.values::<i64>()?, [2, 1]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn histogram(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.histogram");
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    if let Some(found) = in_batches("a histogram", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![histogram(grouping, &columns[0], ctx)?])
    })? {
        return one(found);
    }
    if ctx.is_on_gpu() {
        return group_scan::histogram(grouping, column, None, ctx);
    }
    counted(grouping, column, None, ctx)
}

/// One histogram per group of those in its rows, as [`histogram`] makes them: what it gives for all their
/// elements together. Null lists are left out.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, and with
/// [`DataType`](crate::ErrorKind::DataType) where it has no lists of structs of an element and an `Int64` without
/// nulls.
pub fn merge_histograms(grouping: &Grouping, histograms: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.merge_histograms");
    check_device!(ctx, [grouping, histograms]);
    check_length("histograms", histograms, grouping)?;
    check_rows("histograms that are merged", histograms.len())?;
    let (grouping, pairs) = exploded("histograms", grouping, histograms, ctx)?;
    let fields = pairs.children();
    let is_pair = pairs.data_type() == DataType::Struct
        && fields.len() == 2
        && fields[1].data_type() == DataType::Int64
        && !pairs.has_nulls()
        && !pairs.field(1)?.has_nulls();
    if !is_pair {
        return Err(Error::data_type(
            "`histograms` are no lists of structs of an element and its Int64 count",
        ));
    }
    let (elements, counts) = (pairs.field(0)?, pairs.field(1)?);
    if ctx.is_on_gpu() {
        return group_scan::histogram(&grouping, &elements, Some(&counts), ctx);
    }
    counted(&grouping, &elements, Some(&counts), ctx)
}

/// [`histogram`] of elements that stand for as many as `counts` says.
fn counted(grouping: &Grouping, column: &Column, counts: Option<&Column>, ctx: &Context) -> Result<Column> {
    let rows = column.len();
    let keys = Table::new(vec![cast(grouping.ids(ctx)?, DataType::Int64, ctx)?, column.clone()])?;
    let plan = EqualityKeys::new(&[&keys], EncodeOptions::default(), ctx)?;
    let numbers = number_rows(plan, None, Tuning::for_rows(rows), ctx)?;
    let mut totals = HostUVec::filled(0i64, numbers.first_rows.len(), ctx)?;
    let counts = counts.map(Column::view).transpose()?;
    let counts = counts.as_ref().map(|counts| counts.values::<i64>()).transpose()?;
    for (row, &number) in numbers.ids.iter().enumerate() {
        if let Some(total) = totals.get_mut(number as usize) {
            let count = counts.map_or(1, |counts| counts[row]);
            *total = total.checked_add(count).ok_or_else(|| Error::overflow("a count of 64 bits"))?;
        }
    }
    let mut first = HostUVec::filled(0u8, rows, ctx)?;
    numbers.first_rows.iter().for_each(|&row| first[row as usize] = 1);
    let mask = null_mask::from_fn(rows, ctx, |row| first[row] != 0)?;
    let bits = Bits::of(&mask.0, 0, rows)?;
    let of_row = HostUVec::from_fn(rows, ctx, |row| totals[numbers.ids[row] as usize])?;
    let pairs = Column::structs(rows, vec![column.clone(), Column::from_values(of_row)], None)?;
    lists(grouping, &pairs, Some(bits.to_bitmap()?), ctx)
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Scalar, Value};
    use cuprum_testing::{any_column, plain_types};
    use proptest::prelude::*;

    use super::*;
    use crate::groupby::{collect_list, collect_set, group, merge_lists, merge_sets};

    /// The elements of a list by their texts, with NaN as one.
    fn texts(lists: &Column, row: usize) -> Vec<String> {
        let elements = lists.slice(row, 1).unwrap().elements().unwrap();
        (0..elements.len()).map(|i| text(&elements.get(i).unwrap())).collect()
    }

    fn text(value: &Scalar) -> String {
        match value.value() {
            Value::Float(x) => format!("{:?}", x + 0.0),
            _ => value.to_string(),
        }
    }

    fn counts(histograms: &Column, row: usize) -> Vec<(String, i64)> {
        let pairs = histograms.slice(row, 1).unwrap().elements().unwrap();
        let (values, counts) = (pairs.field(0).unwrap(), pairs.field(1).unwrap());
        let counts = counts.view().unwrap();
        let counts = counts.values::<i64>().unwrap();
        (0..values.len()).map(|i| (text(&values.get(i).unwrap()), counts[i])).collect()
    }

    proptest! {
        /// Merged histograms of parts are the histogram of the whole.
        #[test]
        fn counted_one_by_one_and_merged(
            keys in prop::collection::vec(prop::option::weighted(0.9, 0i64..4), 40),
            column in prop::sample::select(plain_types()).prop_flat_map(|data_type| any_column(data_type, 40)),
            cut in 0usize..40,
        ) {
            let ctx = &Context::current();
            let groups_of = |keys: &[Option<i64>]| {
                let keys = Table::new(vec![Column::from_options(keys, ctx).unwrap()]).unwrap();
                group(&keys, true, ctx).unwrap()
            };
            let whole = groups_of(&keys);
            let found = histogram(&whole, &column, ctx).unwrap();
            let lists = collect_list(&whole, &column, true, ctx).unwrap();
            let sets = collect_set(&whole, &column, true, (true, true), ctx).unwrap();
            for row in 0..whole.num_groups {
                let mut expected: Vec<(String, i64)> = vec![];
                for value in texts(&lists, row) {
                    match expected.iter_mut().find(|(other, _)| *other == value) {
                        Some((_, count)) => *count += 1,
                        None => expected.push((value, 1)),
                    }
                }
                prop_assert_eq!(counts(&found, row), expected);
            }
            let mut parts = vec![];
            let mut of_parts = vec![];
            for (start, end) in [(0, cut), (cut, 40)] {
                let part = groups_of(&keys[start..end]);
                let values = column.slice(start, end - start).unwrap();
                let first = part.first_rows.view().unwrap();
                let first = first.values::<i32>().unwrap();
                of_parts.extend(first.iter().map(|row| keys[start + *row as usize]));
                parts.push([
                    histogram(&part, &values, ctx).unwrap(),
                    collect_list(&part, &values, true, ctx).unwrap(),
                    collect_set(&part, &values, true, (true, true), ctx).unwrap(),
                ]);
            }
            // A null list has nothing.
            let nothing = |like: &Column| like.slice(0, 1.min(like.len())).unwrap()
                .with_mask(Some(null_mask::from_fn(1.min(like.len()), ctx, |_| false).unwrap()), ctx).unwrap();
            let together = |i: usize| {
                let nothing = nothing(&parts[1][i]);
                cuprum_keys::concatenate::concatenate(&[&parts[0][i], &parts[1][i], &nothing], ctx).unwrap()
            };
            if !parts[1][0].is_empty() {
                of_parts.push(of_parts[0]);
            }
            let merging = groups_of(&of_parts);
            let merged = merge_histograms(&merging, &together(0), ctx).unwrap();
            let merged_lists = merge_lists(&merging, &together(1), ctx).unwrap();
            let merged_sets = merge_sets(&merging, &together(2), (true, true), ctx).unwrap();
            prop_assert_eq!(merged.len(), whole.num_groups);
            for row in 0..whole.num_groups {
                prop_assert_eq!(counts(&merged, row), counts(&found, row));
                prop_assert_eq!(texts(&merged_lists, row), texts(&lists, row));
                prop_assert_eq!(texts(&merged_sets, row), texts(&sets, row));
            }
        }
    }

    #[test]
    fn what_is_no_histogram_is_refused() {
        let ctx = &Context::current();
        let one = group(&Table::with_rows(vec![], 1).unwrap(), true, ctx).unwrap();
        let numbers = Column::from_slice(&[1i64], ctx).unwrap();
        let kind = |column: &Column| merge_histograms(&one, column, ctx).unwrap_err().kind();
        assert_eq!(kind(&numbers), ErrorKind::DataType);
        let list = |elements: Column| {
            let offsets = Column::from_slice(&[0i32, elements.len() as i32], ctx).unwrap();
            Column::lists(offsets, elements, None).unwrap()
        };
        assert_eq!(kind(&list(numbers.clone())), ErrorKind::DataType);
        let pair = |counts: Column| list(Column::structs(1, vec![numbers.clone(), counts], None).unwrap());
        assert_eq!(kind(&pair(Column::from_options(&[None::<i64>], ctx).unwrap())), ErrorKind::DataType);
        assert_eq!(kind(&pair(Column::from_slice(&[1i32], ctx).unwrap())), ErrorKind::DataType);
        let none = null_mask::from_fn(1, ctx, |_| false).unwrap();
        let fields = vec![numbers.clone(), numbers.clone()];
        assert_eq!(kind(&list(Column::structs(1, fields, Some(none)).unwrap())), ErrorKind::DataType);
        let most = pair(Column::from_slice(&[i64::MAX], ctx).unwrap());
        assert!(merge_histograms(&one, &most, ctx).is_ok());
        let two = group(&Table::with_rows(vec![], 2).unwrap(), true, ctx).unwrap();
        let twice = cuprum_keys::concatenate::concatenate(&[&most, &most], ctx).unwrap();
        assert_eq!(merge_histograms(&two, &twice, ctx).unwrap_err().kind(), ErrorKind::Overflow);
        assert_eq!(kind(&twice), ErrorKind::Logic);
    }
}
