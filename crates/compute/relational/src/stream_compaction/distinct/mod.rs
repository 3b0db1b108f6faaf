//! Distinct rows: which rows of a table are the first, the last or the only ones of their keys.
//!
//! Keys are compared as [`groupby::group`] does: −0.0 is equal to 0.0, and missing
//! values (null or NaN) are equal to each other unless the caller says otherwise.

mod cpu;
pub mod cuda;
mod keep;
mod pieces;

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_aggregate::groupby;
use cuprum_keys::equality::row_limit::most_rows;
use cuprum_keys::flatten;
use cuprum_keys::list_keys::MissingElements;
pub use keep::Keep;

/// The numbers of the rows that are kept, ascending: `Int32`, or `Int64` where the rows do not fit.
///
/// Without `nulls_equal`, a row with a missing key, or a missing field of one, is equal to no other row, and so
/// kept.
///
/// Fails as [`groupby::group`].
pub fn distinct_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.distinct_rows");
    check_device!(ctx, [keys]);
    if nulls_equal && keys.num_rows() <= most_rows() {
        return on_device!(ctx, distinct_rows(keys, keep, true));
    }
    if nulls_equal {
        return pieces::distinct_rows(keys, keep, true, ctx);
    }
    let elements = MissingElements::unequal(true);
    let (leaves, _) = flatten::flatten(keys, |_| elements, ctx)?;
    if leaves.num_rows() > most_rows() {
        return pieces::distinct_rows(&leaves, keep, false, ctx);
    }
    on_device!(ctx, distinct_rows(&leaves, keep, false))
}

/// For each row whether it repeats a row that is kept (with `Keep::None`: whether another row has
/// its keys), as booleans without nulls. Missing values are equal to each other.
///
/// Fails as [`distinct_rows`].
pub fn duplicated(keys: &Table, keep: Keep, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.duplicated");
    check_device!(ctx, [keys]);
    if keys.num_rows() > most_rows() {
        return pieces::duplicated(keys, keep, ctx);
    }
    on_device!(ctx, duplicated(keys, keep))
}

/// The number of distinct values; missing ones (null and NaN) count as one with `count_nulls`, else
/// not at all.
///
/// Fails as [`distinct_rows`].
pub fn distinct_count(column: &Column, count_nulls: bool, ctx: &Context) -> Result<usize> {
    func_range!(c"stream_compaction.distinct_count");
    check_device!(ctx, [column]);
    let keys = Table::new(vec![column.clone()])?;
    Ok(groupby::first_rows(&keys, !count_nulls, ctx)?.len())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use cuprum_column::Value;
    use cuprum_testing::{any_column, any_key_type, any_nested_key_column};
    use proptest::prelude::*;

    use super::*;
    use cuprum_testing::{same_everywhere, wide_column};

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

    /// Distinct rows, duplicates and the number of groups, as a table of one row for each row of the keys.
    fn same_on_all_devices(columns: &[Column]) {
        for keep in [Keep::First, Keep::Last, Keep::None] {
            for nulls_equal in [true, false] {
                same_everywhere(columns, |columns, ctx| {
                    let keys = Table::new(columns.to_vec())?;
                    Table::new(vec![distinct_rows(&keys, keep, nulls_equal, ctx)?])
                });
            }
            same_everywhere(columns, |columns, ctx| {
                let keys = Table::new(columns.to_vec())?;
                Table::new(vec![duplicated(&keys, keep, ctx)?])
            });
        }
        for drop_nulls in [true, false] {
            same_everywhere(columns, |columns, ctx| {
                let groups = groupby::group(&Table::new(columns.to_vec())?, drop_nulls, ctx)?;
                assert_eq!(groups.first_rows.len(), groups.num_groups);
                // Different lengths: one behind the other.
                let ends =
                    cuprum_keys::concatenate::concatenate(&[groups.ids(ctx)?, &groups.first_rows], ctx)?;
                Table::new(vec![ends])
            });
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn keys_of_any_type_on_every_device(
            keys in (prop::collection::vec(any_key_type(), 1..4), 0usize..120).prop_flat_map(|(types, rows)| {
                types.into_iter().map(|t| any_column(t, rows)).collect::<Vec<_>>()
            })
        ) {
            same_on_all_devices(&keys);
        }

        #[test]
        fn nested_columns_on_every_device(key in (0usize..80).prop_flat_map(any_nested_key_column)) {
            if groupby::group(&Table::new(vec![key.clone()]).unwrap(), true, &Context::current()).is_ok() {
                same_on_all_devices(&[key]);
            }
        }
    }

    /// Codes that index, codes that are hashed, and rows that are compared; each with many and few groups.
    #[test]
    fn every_way_on_every_device() {
        let host = &Context::current();
        for (len, groups) in [(1, 1), (257, 3), (5000, 4000), (9000, 40)] {
            let mut random = cuprum_testing::Random(len as u64);
            let keys: Vec<Option<i64>> =
                (0..len).map(|_| Some(random.below(groups) as i64).filter(|key| key % 17 != 3)).collect();
            let dense = Column::from_options(&keys, host).unwrap();
            let spread: Vec<Option<i64>> =
                keys.iter().map(|key| key.map(|key| key.wrapping_mul(0x1234_5678_9ABC_DEF1))).collect();
            let spread = Column::from_options(&spread, host).unwrap();
            let texts: Vec<String> = keys.iter().map(|key| format!("a longer key {key:?}")).collect();
            let texts = Column::from_strs(&texts, host).unwrap();
            let floats: Vec<f64> =
                keys.iter().map(|key| key.map_or(f64::NAN, |key| key as f64 - 2.5)).collect();
            let floats = Column::from_slice(&floats, host).unwrap();
            let wide = wide_column(&dense, host);
            for columns in [
                vec![dense.clone()],
                vec![spread.clone()],
                vec![texts, dense],
                vec![floats, spread],
                vec![wide],
            ] {
                same_on_all_devices(&columns);
            }
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
