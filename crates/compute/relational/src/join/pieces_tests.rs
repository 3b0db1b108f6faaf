//! Joins and distinct rows of few rows on the way of more than are numbered at once: the same rows, in the same order.

use cuprum_column::{Column, Context, DataType, ErrorKind, Result, Table};
use cuprum_keys::equality::row_limit::with_most_rows;
use cuprum_testing::{Random, assert_column_eq, contexts_in_shares};

use super::*;
use crate::stream_compaction::distinct::{Keep, distinct_count, distinct_rows, duplicated};

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Full, JoinKind::LeftSemi, JoinKind::LeftAnti];

/// So many rows are numbered at once.
const MOST: usize = 100;

/// Keys below a bound, some of them missing: integers, floats with NaN, texts, and two columns.
fn tables(rows: usize, bound: u64, seed: u64) -> Vec<Table> {
    let (host, mut random) = (&Context::current(), Random(seed));
    let keys: Vec<Option<i64>> =
        (0..rows).map(|_| Some(random.below(bound) as i64 * 3).filter(|key| key % 7 != 5)).collect();
    let floats: Vec<Option<f64>> = keys
        .iter()
        .enumerate()
        .map(|(i, key)| if i % 9 == 4 { Some(f64::NAN) } else { key.map(|key| key as f64 / 8.0) })
        .collect();
    let texts: Vec<Option<String>> = keys.iter().map(|key| key.map(|key| format!("key {key}"))).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let columns = [
        Column::from_options(&keys, host).unwrap(),
        Column::from_options(&floats, host).unwrap(),
        Column::from_opt_strs(&texts, host).unwrap(),
    ];
    let mut tables: Vec<Table> =
        columns.iter().map(|column| Table::new(vec![column.clone()]).unwrap()).collect();
    tables.push(Table::new(vec![columns[2].clone(), columns[0].clone()]).unwrap());
    tables
}

/// Compares what `made` gives all at once and in pieces, on every device whose [share](cuprum_testing::Share) has the case
/// of this number.
fn same_in_pieces(case: usize, tables: &[&Table], made: impl Fn(&[Table], &Context) -> Result<Vec<Column>>) {
    for (ctx, _) in contexts_in_shares().filter(|(_, share)| share.has(case)) {
        let there: Vec<Table> = tables.iter().map(|table| table.to_device(&ctx).unwrap()).collect();
        let whole = made(&there, &ctx).unwrap();
        let pieces = with_most_rows(MOST, || made(&there, &ctx)).unwrap();
        assert_eq!(whole.len(), pieces.len());
        whole.iter().zip(&pieces).for_each(|(whole, pieces)| assert_column_eq(pieces, whole));
    }
}

fn joined(case: usize, left: &Table, right: &Table) {
    same_in_pieces(case, &[left, right], |tables, ctx| {
        let mut maps = Vec::new();
        for kind in KINDS {
            for nulls_equal in [true, false] {
                let (l, r) = join(&tables[0], &tables[1], kind, nulls_equal, ctx)?;
                maps.extend([l, r]);
            }
        }
        Ok(maps)
    });
}

#[test]
fn joins_in_pieces() {
    // Many left rows, many right rows, many of both, and few of both that are too many together.
    let sizes = [(450, 30), (30, 450), (230, 170), (60, 60), (0, 200), (200, 0)];
    for (size, (left_rows, right_rows)) in sizes.into_iter().enumerate() {
        let (left, right) = (tables(left_rows, 35, 1), tables(right_rows, 40, 2));
        for (kind, (left, right)) in left.iter().zip(&right).enumerate() {
            joined(size + kind, left, right);
        }
    }
}

/// As many distinct keys as rows: no row repeats another one.
#[test]
fn joins_of_distinct_keys_in_pieces() {
    let host = &Context::current();
    let keys = |step: i64| {
        let keys: Vec<i64> = (0..300).map(|i| i * step % 307).collect();
        Table::new(vec![Column::from_slice(&keys, host).unwrap()]).unwrap()
    };
    let (left, right) = (keys(5), keys(11));
    same_in_pieces(0, &[&left, &right], |tables, ctx| {
        let mut maps = Vec::new();
        for kind in [JoinKind::Inner, JoinKind::Left, JoinKind::Full] {
            let (l, r) = join(&tables[0], &tables[1], kind, true, ctx)?;
            maps.extend([l, r]);
        }
        Ok(maps)
    });
    // Whether a key is there is asked of distinct keys, which are too many.
    let error = with_most_rows(MOST, || join(&left, &right, JoinKind::LeftSemi, true, host)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn distinct_rows_in_pieces() {
    for (case, keys) in tables(430, 70, 3).into_iter().enumerate() {
        same_in_pieces(case, &[&keys], |keys, ctx| {
            let mut made = Vec::new();
            for keep in [Keep::First, Keep::Last, Keep::None] {
                made.push(distinct_rows(&keys[0], keep, true, ctx)?);
                made.push(distinct_rows(&keys[0], keep, false, ctx)?);
                made.push(duplicated(&keys[0], keep, ctx)?);
            }
            for count_nulls in [true, false] {
                let count = distinct_count(&keys[0].columns()[0], count_nulls, ctx)?;
                made.push(Column::nulls(DataType::Int8, count, ctx)?);
            }
            Ok(made)
        });
    }
}
