//! Nested keys: everywhere that rows are compared, a struct is compared field by field, a list element by element, a
//! dictionary by its values.

use std::cmp::Ordering;

use cuprum_column::{Column, DataType, ErrorKind, Scalar, Table, Value, null_mask};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, Random, any_nested_key_column, assert_column_eq, contexts};
use proptest::prelude::*;

use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::equality;
use cuprum_compute::groupby;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::nan_values;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::search::{contains, lower_bound, upper_bound};
use cuprum_compute::sorting::{NullOrder, Order, is_sorted, sort_by_key, sorted_order, top_k};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

/// A value as it is compared; NaN is missing.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Missing,
    Value(Scalar),
    Struct(Vec<Key>),
    List(Vec<Key>),
}

impl Key {
    fn of(scalar: &Scalar) -> Self {
        match scalar.value() {
            Value::Null => Self::Missing,
            Value::Float(x) if x.is_nan() => Self::Missing,
            Value::Nested(row) if row.null_count().unwrap() > 0 => Self::Missing,
            Value::Nested(row) if row.data_type() == DataType::List => {
                Self::List(Self::rows(&row.elements().unwrap()))
            }
            Value::Nested(row) => {
                let field = |i| Self::of(&row.field(i).unwrap().get(0).unwrap());
                Self::Struct((0..row.children().len()).map(field).collect())
            }
            _ => Self::Value(scalar.clone()),
        }
    }

    fn rows(column: &Column) -> Vec<Self> {
        (0..column.len()).map(|row| Self::of(&column.get(row).unwrap())).collect()
    }

    fn has_missing(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Value(_) => false,
            Self::Struct(inside) | Self::List(inside) => inside.iter().any(Self::has_missing),
        }
    }

    fn compare(&self, other: &Self, order: Order, nulls: NullOrder) -> Ordering {
        let missing_first = if nulls == NullOrder::First { Ordering::Less } else { Ordering::Greater };
        match (self, other) {
            (Self::Missing, Self::Missing) => Ordering::Equal,
            (Self::Missing, _) => missing_first,
            (_, Self::Missing) => missing_first.reverse(),
            (Self::Struct(a), Self::Struct(b)) => {
                let fields = a.iter().zip(b).map(|(a, b)| a.compare(b, order, nulls));
                fields.fold(Ordering::Equal, Ordering::then)
            }
            (Self::List(a), Self::List(b)) => {
                let elements = a.iter().zip(b).map(|(a, b)| a.compare(b, order, nulls));
                let lengths = a.len().cmp(&b.len());
                let lengths = if order == Order::Descending { lengths.reverse() } else { lengths };
                elements.fold(Ordering::Equal, Ordering::then).then(lengths)
            }
            (Self::Value(a), Self::Value(b)) => {
                let ascending = match (a.value(), b.value()) {
                    (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
                    (Value::Int(a), Value::Int(b)) => a.cmp(b),
                    (Value::UInt(a), Value::UInt(b)) => a.cmp(b),
                    (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap(),
                    (Value::String(a), Value::String(b)) => a.as_bytes().cmp(b.as_bytes()),
                    other => panic!("{other:?}"),
                };
                if order == Order::Descending { ascending.reverse() } else { ascending }
            }
            other => panic!("{other:?}"),
        }
    }
}

fn table(column: &Column) -> Table {
    Table::new(vec![column.clone()]).unwrap()
}

fn integers(column: &Column) -> Vec<i64> {
    (0..column.len()).map(|i| column.get(i).unwrap().as_i64().unwrap()).collect()
}

/// The numbers of distinct keys in order of first appearance, and the first row of each.
fn numbered(keys: &[Key]) -> (Vec<i64>, Vec<i64>) {
    let mut firsts: Vec<usize> = Vec::new();
    let ids = (0..keys.len()).map(|row| {
        let known = firsts.iter().position(|&first| keys[first] == keys[row]);
        known.unwrap_or_else(|| {
            firsts.push(row);
            firsts.len() - 1
        }) as i64
    });
    (ids.collect(), firsts.iter().map(|&row| row as i64).collect())
}

fn check_order(column: &Column) {
    let ctx = &Tracked::current();
    let keys = Key::rows(column);
    let numbers = Column::from_slice(&(0..column.len() as i64).collect::<Vec<_>>(), ctx).unwrap();
    for order in [Order::Ascending, Order::Descending] {
        for nulls in [NullOrder::First, NullOrder::Last] {
            let mut expected: Vec<i64> = (0..column.len() as i64).collect();
            expected.sort_by(|&a, &b| keys[a as usize].compare(&keys[b as usize], order, nulls));
            let sorted = sorted_order(&table(column), &[order], nulls, ctx).unwrap();
            assert!(integers(&sorted) == expected, "{order:?} {nulls:?} {keys:?}");
            let already = expected.iter().copied().eq(0..column.len() as i64);
            assert_eq!(is_sorted(&table(column), &[order], nulls, ctx).unwrap(), already);
            let values = Table::new(vec![numbers.clone(), column.clone()]).unwrap();
            let rows = sort_by_key(&values, &table(column), &[order], nulls, ctx).unwrap();
            assert!(integers(&rows.columns()[0]) == expected);
            let moved: Vec<Key> = expected.iter().map(|&row| keys[row as usize].clone()).collect();
            assert!(Key::rows(&rows.columns()[1]) == moved);
            if nulls == NullOrder::Last {
                let present = keys.iter().filter(|key| **key != Key::Missing).count();
                for k in [0, 1, 3, column.len()] {
                    let best = integers(&top_k(column, k, order, ctx).unwrap());
                    assert_eq!(best, expected[..k.min(present)]);
                }
                let how = if order == Order::Ascending { Aggregation::Min } else { Aggregation::Max };
                let best = Key::of(&reduce(column, how, ctx).unwrap());
                let expected = expected.first().map_or(Key::Missing, |&row| keys[row as usize].clone());
                assert_eq!(best, expected);
            }
        }
    }
}

fn check_groups(column: &Column) {
    let ctx = &Tracked::current();
    let keys = Key::rows(column);
    let (ids, firsts) = numbered(&keys);
    let grouping = groupby::group(&table(column), false, ctx).unwrap();
    assert_eq!(integers(grouping.ids(ctx).unwrap()), ids);
    assert_eq!(integers(&grouping.first_rows), firsts);
    let distinct = distinct_rows(&table(column), Keep::First, true, ctx).unwrap();
    assert_eq!(integers(&distinct), firsts);
    let dropped = groupby::group(&table(column), true, ctx).unwrap();
    let present = firsts.iter().filter(|&&row| keys[row as usize] != Key::Missing).count();
    assert_eq!(dropped.num_groups, present, "a row with a missing field is there");
}

/// Each statistic of three groups.
fn check_aggregates(column: &Column) {
    let ctx = &Tracked::current();
    let keys = Key::rows(column);
    let of: Vec<i64> = (0..column.len() as i64).map(|row| row * 7 % 3).collect();
    let grouping = groupby::group(&table(&Column::from_slice(&of, ctx).unwrap()), true, ctx).unwrap();
    let hows = [
        Aggregation::First,
        Aggregation::Last,
        Aggregation::Min,
        Aggregation::Max,
        Aggregation::Count,
        Aggregation::Size,
        Aggregation::NUnique,
    ];
    let requests = hows.map(|how| (column, how));
    let results = groupby::aggregate(&grouping, &requests, ctx).unwrap();
    let groups = integers(grouping.ids(ctx).unwrap());
    for group in 0..grouping.num_groups {
        let all: Vec<&Key> =
            keys.iter().zip(&groups).filter(|(_, g)| **g == group as i64).map(|(key, _)| key).collect();
        let present: Vec<&Key> = all.iter().copied().filter(|key| **key != Key::Missing).collect();
        let by = |order| move |a: &&&Key, b: &&&Key| a.compare(b, order, NullOrder::Last);
        let some = |key: Option<&&Key>| key.map_or(Key::Missing, |key| (*key).clone());
        let expected = [
            some(present.first()),
            some(present.last()),
            some(present.iter().min_by(by(Order::Ascending))),
            some(present.iter().min_by(by(Order::Descending))),
        ];
        for (result, expected) in results.iter().zip(expected) {
            assert_eq!(Key::of(&result.get(group).unwrap()), expected);
        }
        let owned: Vec<Key> = present.iter().map(|key| (*key).clone()).collect();
        let counts = [present.len(), all.len(), numbered(&owned).1.len()];
        for (result, expected) in results[4..].iter().zip(counts) {
            assert_eq!(result.get(group).unwrap().as_i64(), Some(expected as i64));
        }
    }
}

fn check_pairs(left: &Column, right: &Column) {
    let ctx = &Tracked::current();
    let (l, r) = (Key::rows(left), Key::rows(right));
    for nulls_equal in [true, false] {
        let same = |a: &Key, b: &Key| a == b && (nulls_equal || !a.has_missing());
        let mut expected = Vec::new();
        for (i, a) in l.iter().enumerate() {
            let found = r.iter().enumerate().filter(|(_, b)| same(a, b));
            expected.extend(found.map(|(j, _)| (i as i64, j as i64)));
        }
        let (a, b) = join(&table(left), &table(right), JoinKind::Inner, nulls_equal, ctx).unwrap();
        let pairs: Vec<(i64, i64)> = integers(&a).into_iter().zip(integers(&b)).collect();
        assert_eq!(pairs, expected, "nulls equal: {nulls_equal}");
    }
    // Here NaN is no null, but these columns have one NaN or none, and a null.
    let has_nan = |column: &Column| nan_values::has_nan(column, ctx).unwrap();
    if !has_nan(left) && !has_nan(right) {
        let found = contains(right, left, ctx).unwrap();
        let found: Vec<bool> = (0..l.len()).map(|i| found.get(i).unwrap().as_bool().unwrap()).collect();
        assert_eq!(found, l.iter().map(|a| r.contains(a)).collect::<Vec<_>>());
    }
}

/// Operators between rows, and between rows and one of them, on every device.
fn check_operators(left: &Column, right: &Column) {
    let host = &Tracked::current();
    if nan_values::has_nan(left, host).unwrap() || nan_values::has_nan(right, host).unwrap() {
        return;
    }
    let (l, r) = (Key::rows(left), Key::rows(right));
    let holds = |op, order: Ordering| match op {
        BinaryOperator::Equal => order.is_eq(),
        BinaryOperator::NotEqual => order.is_ne(),
        BinaryOperator::Less => order.is_lt(),
        BinaryOperator::LessEqual => order.is_le(),
        BinaryOperator::Greater => order.is_gt(),
        _ => order.is_ge(),
    };
    let comparisons = [
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterEqual,
    ];
    for ctx in contexts() {
        let (left, right) = (left.to_device(&ctx).unwrap(), right.to_device(&ctx).unwrap());
        for op in comparisons {
            let expected = |a: &Key, b: &Key| match (a, b) {
                (Key::Missing, _) | (_, Key::Missing) => None,
                (a, b) => Some(holds(op, a.compare(b, Order::Ascending, NullOrder::First))),
            };
            let truths = |found: Column| -> Vec<Option<bool>> {
                let found = found.to_host().unwrap();
                (0..found.len()).map(|row| found.get(row).unwrap().as_bool()).collect()
            };
            let found = truths(binary_operation(&left, &right, op, &ctx).unwrap());
            assert_eq!(found, l.iter().zip(&r).map(|(a, b)| expected(a, b)).collect::<Vec<_>>(), "{op}");
            if let Some(one) = r.first() {
                let found = truths(binary_operation(&left, &right.get(0).unwrap(), op, &ctx).unwrap());
                assert_eq!(found, l.iter().map(|a| expected(a, one)).collect::<Vec<_>>(), "{op}");
                let found = truths(binary_operation(&right.get(0).unwrap(), &left, op, &ctx).unwrap());
                assert_eq!(found, l.iter().map(|b| expected(one, b)).collect::<Vec<_>>(), "{op}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rows_are_compared_as_tuples(column in (0usize..90).prop_flat_map(any_nested_key_column)) {
        check_order(&column);
        check_groups(&column);
        check_aggregates(&column);
    }

    #[test]
    fn rows_of_two_tables_meet_as_tuples(
        (both, split) in (0usize..80).prop_flat_map(|n| (any_nested_key_column(n), 0..=n))
    ) {
        let right = both.slice(split, both.len() - split).unwrap();
        check_pairs(&both.slice(0, split).unwrap(), &right);
        check_bounds(&both.slice(0, split).unwrap(), &right);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn operators_compare_rows(both in (0usize..40).prop_flat_map(|n| any_nested_key_column(2 * n))) {
        let half = both.len() / 2;
        check_operators(&both.slice(0, half).unwrap(), &both.slice(half, half).unwrap());
    }
}

/// Places among sorted rows are those that a plain binary search finds.
fn check_bounds(hay: &Column, needles: &Column) {
    let ctx = &Tracked::current();
    for order in [Order::Ascending, Order::Descending] {
        for nulls in [NullOrder::First, NullOrder::Last] {
            let sorted = sort_by_key(&table(hay), &table(hay), &[order], nulls, ctx).unwrap();
            let keys = Key::rows(&sorted.columns()[0]);
            let places = |behind: bool| -> Vec<i64> {
                let before = |a: &Key, b: &Key| {
                    let order = a.compare(b, order, nulls);
                    order.is_lt() || (behind && order.is_eq())
                };
                Key::rows(needles).iter().map(|b| keys.partition_point(|a| before(a, b)) as i64).collect()
            };
            let (hay, needles) = (&sorted, &table(needles));
            let lower = lower_bound(hay, needles, &[order], nulls, ctx).unwrap();
            assert_eq!(integers(&lower), places(false), "{order:?} {nulls:?}");
            let upper = upper_bound(hay, needles, &[order], nulls, ctx).unwrap();
            assert_eq!(integers(&upper), places(true), "{order:?} {nulls:?}");
        }
    }
}

/// Few values, so that ties reach the last field.
#[test]
fn all_lengths() {
    let ctx = &Tracked::current();
    for len in LENGTHS.into_iter().filter(|&len| len < 5000) {
        let mut random = Random(len as u64);
        let mut valid = |rows: usize| {
            let bits: Vec<bool> = (0..rows).map(|_| random.below(5) > 0).collect();
            null_mask::from_fn(rows, ctx, |i| bits[i]).unwrap()
        };
        let (outer, inner, leaf) = (valid(len), valid(len), valid(len));
        let mut random = Random(7);
        let numbers: Vec<i32> = (0..len).map(|_| random.below(3) as i32).collect();
        let words: Vec<&str> =
            (0..len).map(|_| ["", "a", "a long text of many bytes"][random.below(3) as usize]).collect();
        let numbers = Column::from_slice(&numbers, ctx).unwrap().with_mask(Some(leaf), ctx).unwrap();
        let words = Column::from_strs(&words, ctx).unwrap();
        let inner = Column::structs(len, vec![numbers.clone(), words], Some(inner)).unwrap();
        let structs = Column::structs(len, vec![inner, numbers], Some(outer)).unwrap();
        check_order(&structs);
        if len < 400 {
            check_groups(&structs);
            check_aggregates(&structs);
            check_pairs(&structs, &structs.slice(len / 3, len / 2).unwrap());
            check_bounds(&structs, &structs.slice(len / 3, len / 2).unwrap());
        }
    }
}

/// Plain columns and several keys, at many lengths.
#[test]
fn places_of_plain_rows() {
    let ctx = &Tracked::current();
    let mut random = Random(5);
    for len in LENGTHS.into_iter().filter(|&len| len < 40_000) {
        let floats: Vec<Option<f64>> = (0..len)
            .map(|_| match random.below(9) {
                0 => None,
                1 => Some(f64::NAN),
                2 => Some(-0.0),
                3 => Some(0.0),
                n => Some(n as f64 - random.below(1000) as f64),
            })
            .collect();
        let floats = Column::from_options(&floats, ctx).unwrap();
        let words: Vec<String> = (0..len).map(|_| format!("a shared start {}", random.below(40))).collect();
        let words = Column::from_strs(&words, ctx).unwrap();
        let some = |column: &Column| column.slice(len / 2, len.min(600) / 2).unwrap();
        check_bounds(&floats, &some(&floats));
        check_bounds(&words, &some(&words));
        let keys = Table::new(vec![words, floats]).unwrap();
        let keys = sort_by_key(&keys, &keys, &[], NullOrder::Last, ctx).unwrap();
        let upper = integers(&upper_bound(&keys, &keys, &[], NullOrder::Last, ctx).unwrap());
        let lower = integers(&lower_bound(&keys, &keys, &[], NullOrder::Last, ctx).unwrap());
        assert!((0..len).all(|row| lower[row] <= row as i64 && upper[row] > row as i64));
        assert!((1..len).all(|row| lower[row] == lower[row - 1] || lower[row] == upper[row - 1]));
    }
    let (a, b) = (Column::from_slice(&[1i64], ctx).unwrap(), Column::from_slice(&[1i32], ctx).unwrap());
    let error = lower_bound(&table(&a), &table(&b), &[], NullOrder::Last, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    let error = lower_bound(&table(&a), &Table::default(), &[], NullOrder::Last, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Logic);
}

#[test]
fn a_null_struct_is_no_struct_of_nulls() {
    let ctx = &Tracked::current();
    let field = Column::from_options(&[Some(1), None, None, Some(0), None], ctx).unwrap();
    let valid = null_mask::from_fn(5, ctx, |row| row != 1 && row != 4).unwrap();
    let structs = Column::structs(5, vec![field], Some(valid)).unwrap();
    let ids = groupby::group(&table(&structs), false, ctx).unwrap().ids(ctx).unwrap().clone();
    assert_eq!(integers(&ids), [0, 1, 2, 3, 1]);
    let order = |nulls| integers(&sorted_order(&table(&structs), &[], nulls, ctx).unwrap());
    assert_eq!(order(NullOrder::Last), [3, 0, 2, 1, 4]);
    assert_eq!(order(NullOrder::First), [1, 4, 2, 3, 0]);
}

/// Several keys, structs among them, each with an order of its own.
#[test]
fn orders_belong_to_keys() {
    let ctx = &Tracked::current();
    let first = Column::from_slice(&[1, 0, 1, 0], ctx).unwrap();
    let second = Column::from_slice(&[5, 6, 7, 8], ctx).unwrap();
    let third = Column::from_slice(&[0, 0, 1, 1], ctx).unwrap();
    let structs = Column::structs(4, vec![third, second], None).unwrap();
    let keys = Table::new(vec![first, structs]).unwrap();
    let sorted = sorted_order(&keys, &[Order::Ascending, Order::Descending], NullOrder::Last, ctx).unwrap();
    assert_eq!(integers(&sorted), [3, 1, 2, 0]);
    let error = sorted_order(&keys, &[Order::Ascending; 3], NullOrder::Last, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("3 entries for 2"), "{error}");
}

#[test]
fn what_is_inside_has_to_be_comparable() {
    let ctx = &Tracked::current();
    let list = |elements: Column| {
        Column::lists(Column::from_slice(&[0, 1, 1], ctx).unwrap(), elements, None).unwrap()
    };
    let (bytes, words) =
        (list(Column::from_slice(&[1u8], ctx).unwrap()), list(Column::from_slice(&[1u16], ctx).unwrap()));
    let error = equality::encode(&[&table(&bytes), &table(&words)], ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    assert!(error.to_string().contains("list<uint8> in one table and list<uint16>"), "{error}");
    for ctx in contexts() {
        let (left, right) = (bytes.to_device(&ctx).unwrap(), words.to_device(&ctx).unwrap());
        for kind in [JoinKind::Inner, JoinKind::Full, JoinKind::LeftSemi] {
            let error = join(&table(&left), &table(&right), kind, true, &ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DataType);
            assert!(error.to_string().contains("key 0 is list<uint8> in one table"), "{error}");
        }
    }
    let of = |values: Column| Column::structs(values.len(), vec![values], None).unwrap();
    let (a, b) =
        (of(Column::from_slice(&[1i64], ctx).unwrap()), of(Column::from_slice(&[1i32], ctx).unwrap()));
    let error = equality::encode(&[&table(&a), &table(&b)], ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    assert_eq!(contains(&a, &b, ctx).unwrap_err().kind(), ErrorKind::DataType);
    // Without fields all structs are equal.
    let none = Column::structs(3, vec![], None).unwrap();
    assert_eq!(groupby::group(&table(&none), true, ctx).unwrap().num_groups, 1);
    assert_column_eq(
        &sorted_order(&table(&none), &[], NullOrder::Last, ctx).unwrap(),
        &Column::from_slice(&[0, 1, 2], ctx).unwrap(),
    );
}
