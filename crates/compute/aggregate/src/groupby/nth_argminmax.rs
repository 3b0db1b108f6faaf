//! One row of each group: the n-th, that of the smallest or the largest value.

use cuprum_column::{Column, Context, Error, HostUVec, Result, Table, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::grouped_rows::{GroupedRows, grouped_rows};
use super::grouping::Grouping;
use super::result_type::check_groups;
use super::{extremes, group_scan};
use crate::nan_values::as_keys;
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_elementwise::unary::is_valid;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::sorting::sorted_order;

/// The row that is number `n` of each group, from the end of the group for negative `n`: a gather map of `Int64`
/// with the smallest number where there is no such row. Nulls of `column` are left out unless `with_nulls`.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where `column` has another number of rows than the groups.
pub fn nth_rows(
    groups: &GroupedRows,
    column: &Column,
    n: i64,
    with_nulls: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.nth_rows");
    check_device!(ctx, [groups, column]);
    groups.check_length("column", column)?;
    if ctx.is_on_gpu() {
        return group_scan::nth(groups, column, n, with_nulls, ctx);
    }
    let (rows, offsets) = (groups.rows(ctx)?.view()?, groups.offsets(ctx)?.view()?);
    let (rows, offsets) = (rows.values::<u32>()?, offsets.values::<u32>()?);
    let view = column.view()?;
    let counts = |row: &u32| (*row as usize) < view.len() && (with_nulls || view.is_valid(*row as usize));
    let behind = usize::try_from(if n < 0 { -(n + 1) } else { n }).unwrap_or(usize::MAX);
    let chosen = |group: usize| {
        // Whoever got the rows may have written to them: nothing is taken for granted.
        let members = rows.get(offsets[group] as usize..offsets[group + 1] as usize).unwrap_or(&[]);
        let mut counting = members.iter().filter(|row| counts(row));
        let row = if n < 0 { counting.nth_back(behind) } else { counting.nth(behind) };
        row.map_or(i64::MIN, |&row| i64::from(row))
    };
    Ok(Column::from_values(HostUVec::from_fn(offsets.len().saturating_sub(1), ctx, chosen)?))
}

/// The first row of the smallest value of each group, or with `Descending` of the largest: row numbers as of
/// [`sorted_order`], null where a group has no value. NaN is larger than every other number.
///
/// On a GPU, and where values are no numbers of 64 bits, rows are sorted by group, then by value. Fails with [`Logic`](crate::ErrorKind::Logic) where `column` has
/// another number of rows, and with [`Unsupported`](crate::ErrorKind::Unsupported) for types without order.
pub fn extreme_rows(grouping: &Grouping, column: &Column, order: Order, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.extreme_rows");
    check_device!(ctx, [grouping, column]);
    if column.len() != grouping.num_rows() {
        let rows = (column.len(), grouping.num_rows());
        return Err(Error::logic(format!("`column` has {} rows, the groups {}", rows.0, rows.1)));
    }
    check_groups(grouping)?;
    check_rows("extremes of groups", column.len())?;
    if !ctx.is_on_gpu()
        && let Some(rows) = extremes::extreme_rows(grouping, column, order, ctx)?
    {
        return Ok(rows);
    }
    let keys = Table::new(vec![grouping.ids(ctx)?.clone(), as_keys(column, ctx)?])?;
    let sorted = sorted_order(&keys, &[Order::Ascending, order], NullOrder::Last, ctx)?;
    let groups = grouped_rows(grouping, None, ctx)?;
    // Rows in no group come before all others.
    let in_none = column.len() - groups.rows(ctx)?.len();
    let sorted = sorted.slice(in_none, groups.rows(ctx)?.len())?;
    let first = groups.offsets(ctx)?.slice(0, grouping.num_groups)?;
    let best = gather_column(&sorted, &first, OutOfBoundsPolicy::Check, ctx)?;
    let valid = gather_column(&is_valid(column, ctx)?, &best, OutOfBoundsPolicy::Check, ctx)?;
    best.with_mask(Some(null_mask::bools_to_mask(&valid, ctx)?), ctx)
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;
    use proptest::prelude::*;

    use super::*;
    use crate::groupby::group;

    fn numbers(column: &Column) -> Vec<Option<i64>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_i64()).collect()
    }

    proptest! {
        #[test]
        fn rows_of_groups(
            rows in prop::collection::vec(
                (prop::option::weighted(0.9, 0i64..4), prop::option::weighted(0.7, -2i8..3)), 0..80,
            ),
            n in -4i64..4,
        ) {
            let ctx = &Context::current();
            let (keys, values): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            // −2 stands for NaN.
            let floats: Vec<Option<f64>> =
                values.iter().map(|v| v.map(|v| if v == -2 { f64::NAN } else { f64::from(v) })).collect();
            let table = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
            let column = Column::from_options(&floats, ctx).unwrap();
            let grouping = group(&table, true, ctx).unwrap();
            let groups = grouped_rows(&grouping, None, ctx).unwrap();
            let mut members: Vec<Vec<usize>> = vec![vec![]; grouping.num_groups];
            for (row, id) in numbers(grouping.ids(ctx).unwrap()).into_iter().enumerate() {
                if let Some(group) = id.filter(|id| *id >= 0) {
                    members[group as usize].push(row);
                }
            }
            for with_nulls in [false, true] {
                let found = numbers(&nth_rows(&groups, &column, n, with_nulls, ctx).unwrap());
                for (group, members) in members.iter().enumerate() {
                    let counting: Vec<usize> =
                        members.iter().copied().filter(|&row| with_nulls || floats[row].is_some()).collect();
                    let place = if n < 0 { n + counting.len() as i64 } else { n };
                    let expected = usize::try_from(place).ok().and_then(|place| counting.get(place));
                    prop_assert_eq!(found[group], Some(expected.map_or(i64::MIN, |&row| row as i64)));
                }
            }
            for order in [Order::Ascending, Order::Descending] {
                let found = numbers(&extreme_rows(&grouping, &column, order, ctx).unwrap());
                let key = |row: usize| values[row].map_or(i8::MAX, |v| if v == -2 { 9 } else { v });
                for (group, members) in members.iter().enumerate() {
                    let counting = members.iter().copied().filter(|&row| floats[row].is_some());
                    let expected = match order {
                        Order::Ascending => counting.min_by_key(|&row| (key(row), row)),
                        Order::Descending => counting.min_by_key(|&row| (-key(row), row)),
                    };
                    prop_assert_eq!(found[group], expected.map(|row| row as i64));
                }
            }
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        let ctx = &Context::current();
        let table = Table::new(vec![Column::from_slice(&[1, 2], ctx).unwrap()]).unwrap();
        let grouping = group(&table, true, ctx).unwrap();
        let groups = grouped_rows(&grouping, None, ctx).unwrap();
        let short = Column::from_slice(&[1], ctx).unwrap();
        assert_eq!(nth_rows(&groups, &short, 0, true, ctx).unwrap_err().kind(), ErrorKind::Logic);
        let error = extreme_rows(&grouping, &short, Order::Ascending, ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
        for n in [i64::MIN, i64::MAX] {
            let found = nth_rows(&groups, &table.columns()[0], n, true, ctx).unwrap();
            assert_eq!(numbers(&found), [Some(i64::MIN); 2]);
        }
    }
}
