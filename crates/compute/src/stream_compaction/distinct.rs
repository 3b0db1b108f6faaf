//! Distinct rows: which rows of a table are the first, the last or the only ones of their keys.
//!
//! Keys are compared as [`groupby::group`] does: −0.0 is equal to 0.0, and missing
//! values (null or NaN) are equal to each other unless the caller says otherwise.

use std::sync::atomic::{AtomicU32, Ordering};

use cuprum_column::{Column, Context, DataType, HostUVec, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges};

use crate::groupby;
use crate::row_keys::factorize::atomic;
use crate::row_keys::hash_table::NONE;
use crate::row_keys::marked_rows::MarkedRows;
use crate::row_numbers::{NarrowRows, row_column};

/// Which of several rows with equal keys to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    First,
    /// The last.
    Last,
    /// None of them: only rows whose keys no other row has.
    None,
}

/// The numbers of the rows that are kept, ascending: `Int32`, or `Int64` where the rows do not fit.
///
/// Without `nulls_equal`, a row with a missing key is equal to no other row, and so kept.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more.
pub fn distinct_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.distinct_rows");
    host_only!(ctx, [keys], distinct_rows(&keys, keep, nulls_equal));
    let kept = kept_rows(keys, keep, nulls_equal, ctx)?;
    row_column(kept.rank(ctx)?.rows(ctx)?, keys.num_rows(), ctx)
}

/// For each row whether it repeats a row that is kept (with `Keep::None`: whether another row has
/// its keys), as booleans without nulls. Missing values are equal to each other.
///
/// Fails as [`distinct_rows`].
pub fn duplicated(keys: &Table, keep: Keep, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.duplicated");
    host_only!(ctx, [keys], duplicated(&keys, keep));
    let kept = kept_rows(keys, keep, true, ctx)?;
    let repeats = HostUVec::from_fn(keys.num_rows(), ctx, |row| u8::from(!kept.contains(row as u32)))?;
    Column::new(DataType::Bool8, repeats, None)
}

/// The number of distinct values; missing ones (null and NaN) count as one with `count_nulls`, else
/// not at all.
///
/// Fails as [`distinct_rows`].
pub fn distinct_count(column: &Column, count_nulls: bool, ctx: &Context) -> Result<usize> {
    func_range!(c"stream_compaction.distinct_count");
    host_only!(ctx, [column], distinct_count(&column, count_nulls));
    let keys = Table::new(vec![column.clone()])?;
    Ok(groupby::group(&keys, !count_nulls, ctx)?.num_groups)
}

fn kept_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<MarkedRows> {
    let grouping = groupby::group(keys, !nulls_equal, ctx)?;
    let (first, ids) = (grouping.first_rows.view()?, grouping.ids.view()?);
    let first = NarrowRows::new("first rows", &first, ctx)?;
    let ids = NarrowRows::new("ids", &ids, ctx)?;
    let kept = MarkedRows::new(ids.len(), ctx)?;
    let groups = grouping.num_groups;
    match keep {
        Keep::First => mark_groups(&kept, groups, ctx, &|g| Some(first[g]))?,
        Keep::Last => {
            let mut last = HostUVec::<u32>::zeroed(groups, ctx)?;
            let last: &[AtomicU32] = atomic(&mut last);
            for_ranges(ids.len(), MORSEL, ctx, &|range| {
                // From the end, so that nearly always a later row is there already.
                for row in range.rev() {
                    if let Some(last) = last.get(ids[row] as usize)
                        && last.load(Ordering::Relaxed) < row as u32
                    {
                        last.fetch_max(row as u32, Ordering::Relaxed);
                    }
                }
                Ok(())
            })?;
            mark_groups(&kept, groups, ctx, &|g| Some(last[g].load(Ordering::Relaxed)))?;
        }
        Keep::None => {
            let repeated = MarkedRows::new(groups, ctx)?;
            for_ranges(ids.len(), MORSEL, ctx, &|range| {
                for row in range {
                    let id = ids[row];
                    if id != NONE && first[id as usize] != row as u32 {
                        repeated.mark_again(id);
                    }
                }
                Ok(())
            })?;
            mark_groups(&kept, groups, ctx, &|g| (!repeated.contains(g as u32)).then_some(first[g]))?;
        }
    }
    if !nulls_equal {
        for_ranges(ids.len(), MORSEL, ctx, &|range| {
            range.filter(|&row| ids[row] == NONE).for_each(|row| kept.mark(row as u32));
            Ok(())
        })?;
    }
    Ok(kept)
}

fn mark_groups(
    kept: &MarkedRows,
    groups: usize,
    ctx: &Context,
    row: &(dyn Fn(usize) -> Option<u32> + Sync),
) -> Result<()> {
    for_ranges(groups, MORSEL, ctx, &|range| {
        range.filter_map(row).for_each(|row| kept.mark(row));
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use cuprum_column::Value;
    use cuprum_testing::{any_column, any_key_type};
    use proptest::prelude::*;

    use super::*;

    fn model(keys: &Table, keep: Keep, nulls_equal: bool) -> Vec<i32> {
        let mut rows: HashMap<Vec<Option<String>>, Vec<i32>> = HashMap::new();
        let mut kept = vec![];
        for row in 0..keys.num_rows() {
            let key: Vec<_> = keys
                .columns()
                .iter()
                .map(|c| match c.get(row).unwrap() {
                    s if s.is_null() => None,
                    s => match s.value() {
                        Value::Float(x) if x.is_nan() => None,
                        Value::Float(x) => Some(format!("{:?}", x + 0.0)),
                        _ => Some(s.to_string()),
                    },
                })
                .collect();
            if !nulls_equal && key.contains(&None) {
                kept.push(row as i32);
            } else {
                rows.entry(key).or_default().push(row as i32);
            }
        }
        for rows in rows.values() {
            match keep {
                Keep::First => kept.push(rows[0]),
                Keep::Last => kept.push(rows[rows.len() - 1]),
                Keep::None if rows.len() == 1 => kept.push(rows[0]),
                Keep::None => (),
            }
        }
        kept.sort_unstable();
        kept
    }

    fn check(keys: &Table) {
        let ctx = &Context::current();
        for keep in [Keep::First, Keep::Last, Keep::None] {
            for nulls_equal in [true, false] {
                let got = distinct_rows(keys, keep, nulls_equal, ctx).unwrap();
                let expected = model(keys, keep, nulls_equal);
                assert_eq!(
                    got.view().unwrap().values::<i32>().unwrap(),
                    expected,
                    "{keep:?} {nulls_equal} {keys:?}"
                );
            }
            let expected = model(keys, keep, true);
            let got = duplicated(keys, keep, ctx).unwrap();
            for (row, repeats) in got.view().unwrap().values::<u8>().unwrap().iter().enumerate() {
                assert_eq!(*repeats == 0, expected.binary_search(&(row as i32)).is_ok(), "row {row}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn agrees_with_a_hash_map(
            keys in (prop::collection::vec(any_key_type(), 1..3), 0usize..200).prop_flat_map(|(types, rows)| {
                types.into_iter().map(|t| any_column(t, rows)).collect::<Vec<_>>()
            })
        ) {
            let ctx = &Context::current();
            for column in &keys {
                let one = Table::new(vec![column.clone()]).unwrap();
                let groups = model(&one, Keep::First, true).len();
                prop_assert_eq!(distinct_count(column, true, ctx).unwrap(), groups);
                let missing = (0..column.len()).any(|row| {
                    let value = column.get(row).unwrap();
                    value.is_null() || value.as_f64().is_some_and(f64::is_nan)
                });
                prop_assert_eq!(distinct_count(column, false, ctx).unwrap(), groups - usize::from(missing));
            }
            check(&Table::new(keys).unwrap());
        }
    }

    #[test]
    fn many_rows_in_parallel() {
        let ctx = &Context::current();
        let mut random = cuprum_testing::Random(3);
        for groups in [2, 40_000] {
            let keys: Vec<u64> = (0..100_003).map(|_| random.below(groups) * 1_000_003).collect();
            check(&Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap());
        }
    }
}
