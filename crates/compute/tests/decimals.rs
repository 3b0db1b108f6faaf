//! Decimals of 128 bits as keys: sorts, groups, joins, distinct rows and membership, compared with the
//! integers that they are stored as.

use std::collections::{HashMap, HashSet};

use cuprum_column::{Column, Context, DataType, HostUVec, Scalar, Table, Value, null_mask};
use cuprum_compute::groupby;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::search::contains;
use cuprum_compute::sorting::{NullOrder, Order, is_sorted, sort_by_key, sorted_order, top_k};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_testing::Random;

fn ctx() -> Context {
    Context::current()
}

fn decimals(values: &[Option<i128>], scale: i32) -> Column {
    // The value under a null is any number.
    let stored: Vec<i128> = values.iter().map(|v| v.unwrap_or(i128::MIN + 5)).collect();
    let data = HostUVec::from_slice(&stored, &ctx()).unwrap().into_buffer();
    let mask = null_mask::from_fn(values.len(), &ctx(), |i| values[i].is_some()).unwrap();
    Column::from_buffer(DataType::Decimal128(scale), values.len(), data, Some(mask)).unwrap()
}

/// Few distinct values, near each other, in 64 bits, beyond, and at the ends of 128.
fn samples(len: usize) -> Vec<Vec<Option<i128>>> {
    let spreads: [(i128, i128); 5] = [
        (0, 3),
        (10i128.pow(37), 1000),
        (-(1 << 63), i128::from(u64::MAX)),
        (-(10i128.pow(38)), 2 * 10i128.pow(38) - 1),
        (i128::MIN, i128::MAX),
    ];
    let mut random = Random(len as u64);
    let mut all = Vec::new();
    for (low, range) in spreads {
        for nulls in [0, 5] {
            let mut values: Vec<Option<i128>> = (0..len)
                .map(|_| {
                    let bits = u128::from(random.next()) << 64 | u128::from(random.next());
                    let value = low.wrapping_add((bits % (range as u128)) as i128);
                    (nulls == 0 || random.below(nulls) > 0).then_some(value)
                })
                .collect();
            let count = values.len();
            if low == i128::MIN && count > 3 {
                (values[0], values[count / 2], values[count - 1]) =
                    (Some(i128::MIN), Some(i128::MAX), Some(i128::MAX));
                values[1] = values[0].filter(|_| nulls == 0);
            }
            all.push(values);
        }
    }
    all
}

fn numbers(column: &Column) -> Vec<i64> {
    (0..column.len()).map(|i| column.get(i).unwrap().as_i64().unwrap()).collect()
}

const LENGTHS: [usize; 5] = [0, 1, 2, 70, 40_000];

#[test]
fn sorted_like_the_integers() {
    for len in LENGTHS {
        for values in samples(len) {
            let column = decimals(&values, -2);
            let second: Vec<i32> = (0..len as i32).map(|i| i * 31 % 7).collect();
            let table =
                Table::new(vec![column.clone(), Column::from_slice(&second, &ctx()).unwrap()]).unwrap();
            for order in [Order::Ascending, Order::Descending] {
                for nulls in [NullOrder::First, NullOrder::Last] {
                    let mut rows: Vec<i64> = (0..len as i64).collect();
                    rows.sort_by(|&a, &b| {
                        let (a, b) = (a as usize, b as usize);
                        let first = match (values[a], values[b]) {
                            (Some(a), Some(b)) if order == Order::Ascending => a.cmp(&b),
                            (Some(a), Some(b)) => b.cmp(&a),
                            (a, b) if nulls == NullOrder::First => a.is_some().cmp(&b.is_some()),
                            (a, b) => b.is_some().cmp(&a.is_some()),
                        };
                        first.then(second[b].cmp(&second[a]))
                    });
                    let orders = [order, Order::Descending];
                    let sorted = sorted_order(&table, &orders, nulls, &ctx()).unwrap();
                    assert_eq!(numbers(&sorted), rows, "{len} {order:?} {nulls:?}");
                    let moved = sort_by_key(&table, &table, &orders, nulls, &ctx()).unwrap();
                    for (i, &row) in rows.iter().enumerate().step_by(1 + len / 100) {
                        assert_eq!(moved.columns()[0].get(i).unwrap(), column.get(row as usize).unwrap());
                        assert_eq!(
                            moved.columns()[1].get(i).unwrap(),
                            Scalar::from_native(DataType::Int32, second[row as usize])
                        );
                    }
                    assert!(is_sorted(&moved, &orders, nulls, &ctx()).unwrap());
                }
            }
            let mut best: Vec<i64> = (0..len as i64).filter(|&row| values[row as usize].is_some()).collect();
            best.sort_by_key(|&row| std::cmp::Reverse(values[row as usize]));
            best.truncate(3);
            assert_eq!(numbers(&top_k(&column, 3, Order::Descending, &ctx()).unwrap()), best);
        }
    }
}

/// The ends and the number of different elements of every third row.
fn ends_in_groups(column: &Column, values: &[Option<i128>], other: &[i16]) {
    let by = Table::new(vec![Column::from_slice(other, &ctx()).unwrap()]).unwrap();
    let groups = groupby::group(&by, false, &ctx()).unwrap();
    let hows = [Aggregation::First, Aggregation::Last, Aggregation::NUnique];
    let found = groupby::aggregate(&groups, &hows.map(|how| (column, how)), &ctx()).unwrap();
    for group in 0..groups.num_groups {
        let values: Vec<i128> = values.iter().skip(group).step_by(3).flatten().copied().collect();
        let ends = [0, 1].map(|end| found[end].get(group).unwrap());
        let expected = [values.first(), values.last()];
        for (end, value) in ends.iter().zip(expected) {
            match (end.value(), value) {
                (Value::Null, None) => {}
                (Value::Decimal(end), Some(value)) => assert_eq!(end, value),
                other => panic!("{other:?}"),
            }
        }
        let different: HashSet<i128> = values.into_iter().collect();
        assert_eq!(found[2].get(group).unwrap().as_i64(), Some(different.len() as i64));
    }
}

#[test]
fn grouped_joined_and_told_apart_like_the_integers() {
    for len in LENGTHS {
        for values in samples(len) {
            let half: Vec<Option<i128>> = values.iter().step_by(2).copied().collect();
            let other: Vec<i16> = (0..len).map(|i| (i % 3) as i16).collect();
            ends_in_groups(&decimals(&values, -2), &values, &other);
            let column = decimals(&values, -2);
            let wide = Column::from_slice(&vec![u64::MAX; len], &ctx()).unwrap();
            let other_column = Column::from_slice(&other, &ctx()).unwrap();
            for keys in [vec![column.clone()], vec![wide, column.clone(), other_column]] {
                let with_other = keys.len() > 1;
                let keys = Table::new(keys).unwrap();
                let mut firsts: HashMap<(Option<i128>, i16), i64> = HashMap::new();
                let mut expected = Vec::new();
                for row in 0..len {
                    let key = (values[row], if with_other { other[row] } else { 0 });
                    firsts.entry(key).or_insert_with(|| {
                        expected.push(row as i64);
                        row as i64
                    });
                }
                let groups = groupby::group(&keys, false, &ctx()).unwrap();
                assert_eq!(numbers(&groups.first_rows), expected, "{len}");
                let kept = distinct_rows(&keys, Keep::First, true, &ctx()).unwrap();
                assert_eq!(numbers(&kept), expected, "{len}");
            }
            let (left, right) = (Table::new(vec![column.clone()]), Table::new(vec![decimals(&half, -2)]));
            let (left, right) = (left.unwrap(), right.unwrap());
            let mut matches: HashMap<i128, usize> = HashMap::new();
            half.iter().flatten().for_each(|&value| *matches.entry(value).or_default() += 1);
            let count = |value: &Option<i128>| value.and_then(|v| matches.get(&v)).copied().unwrap_or(0);
            if values.iter().map(count).sum::<usize>() < 1 << 20 {
                let (l, r) = join(&left, &right, JoinKind::Inner, false, &ctx()).unwrap();
                assert_eq!(l.len(), values.iter().map(count).sum::<usize>());
                for (l, r) in numbers(&l).into_iter().zip(numbers(&r)) {
                    assert_eq!(values[l as usize], half[r as usize]);
                }
            }
            let found = contains(&decimals(&half, -2), &column, &ctx()).unwrap();
            for (row, value) in values.iter().enumerate() {
                let expected = match value {
                    Some(value) => matches.contains_key(value),
                    None => half.contains(&None),
                };
                assert_eq!(found.get(row).unwrap(), Scalar::from(expected), "{value:?}");
            }
        }
    }
}

#[test]
fn equal_numbers_are_found_whatever_their_scales() {
    let cents = decimals(&[Some(100), Some(150), None, Some(i128::MAX), Some(-20)], -2);
    let tens = [Some(1i64), Some(-2), Some(0)]
        .map(|v| Scalar::new(DataType::Decimal64(-1), Value::Decimal(v.unwrap().into())).unwrap());
    let tens: Vec<Column> = tens.iter().map(|v| Column::from_scalar(v, 1, &ctx()).unwrap()).collect();
    let found = |haystack: &Column, needles: &Column| -> Vec<bool> {
        let found = contains(haystack, needles, &ctx()).unwrap();
        (0..found.len()).map(|i| found.get(i).unwrap() == Scalar::from(true)).collect()
    };
    // -0.2 is -0.20; 0.1 is not 1.00.
    assert_eq!(found(&tens[1], &cents), [false, false, false, false, true]);
    assert_eq!(found(&tens[0], &cents), [false; 5]);
    assert_eq!(found(&cents, &tens[1]), [true]);
    assert_eq!(
        found(&cents, &decimals(&[Some(1), None, Some(15), Some(i128::MAX)], 0)),
        [true, true, false, false]
    );
    // 1.50 is 15 tenths; values without such a scale are not found.
    assert_eq!(found(&decimals(&[Some(15)], -1), &cents), [false, true, false, false, false]);
    // Numbers of other kinds are never equal.
    assert_eq!(found(&Column::from_slice(&[1i64], &ctx()).unwrap(), &cents), [false; 5]);
}
