use cuprum_runtime::memory::Tracked;
use std::cmp::Ordering;

use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table, TimeUnit, Value, null_mask};
use cuprum_testing::{
    LENGTHS, Random, any_column, any_data_type, any_key_type, any_nested_column, assert_column_eq,
    assert_table_eq, contexts,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use cuprum_testing::rows as printed;

use super::{
    MissingRank, NullOrder, Order, RankMethod, RankOptions, RankedKeys, cuda, external, is_sorted, rank,
    segmented_sorted_order, sort_by_key, sort_by_key_within, sorted_order, sorted_order_within, top_k,
};

const ORDERS: [Order; 2] = [Order::Ascending, Order::Descending];
const NULL_ORDERS: [NullOrder; 2] = [NullOrder::First, NullOrder::Last];

fn is_missing(scalar: &Scalar) -> bool {
    match scalar.value() {
        Value::Null => true,
        Value::Float(f) => f.is_nan(),
        _ => false,
    }
}

/// The documented order, written plainly.
fn compare(a: &Scalar, b: &Scalar, order: Order, nulls: NullOrder) -> Ordering {
    match (is_missing(a), is_missing(b)) {
        (true, true) => return Ordering::Equal,
        (true, false) => return if nulls == NullOrder::First { Ordering::Less } else { Ordering::Greater },
        (false, true) => return if nulls == NullOrder::First { Ordering::Greater } else { Ordering::Less },
        _ => {}
    }
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

fn scalars(column: &Column) -> Vec<Scalar> {
    (0..column.len()).map(|i| column.get(i).unwrap()).collect()
}

fn model(keys: &Table, orders: &[Order], nulls: NullOrder) -> Vec<usize> {
    let columns: Vec<Vec<Scalar>> = keys.columns().iter().map(scalars).collect();
    let mut rows: Vec<usize> = (0..keys.num_rows()).collect();
    rows.sort_by(|&a, &b| {
        columns
            .iter()
            .zip(orders)
            .map(|(c, order)| compare(&c[a], &c[b], *order, nulls))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    rows
}

fn rows(column: &Column) -> Vec<usize> {
    assert_eq!(column.null_count().unwrap(), 0);
    column.view().unwrap().values::<i32>().unwrap().iter().map(|r| *r as usize).collect()
}

#[track_caller]
fn check(keys: &Table, orders: &[Order], nulls: NullOrder) {
    let ctx = Tracked::current();
    let expected = model(keys, orders, nulls);
    let actual = rows(&sorted_order(keys, orders, nulls, &ctx).unwrap());
    if let Some(i) = (0..expected.len()).find(|&i| expected[i] != actual[i]) {
        panic!(
            "place {i} of {}: row {} instead of {} ({orders:?}, {nulls:?}, {keys:?})",
            expected.len(),
            actual[i],
            expected[i]
        );
    }
    assert_eq!(actual.len(), expected.len());
    let already = expected.iter().copied().eq(0..expected.len());
    assert_eq!(is_sorted(keys, orders, nulls, &ctx).unwrap(), already);
    for rows_at_once in rows_at_once(keys.num_rows()) {
        let by_parts = external::sorted_order(keys, orders, nulls, rows_at_once, &ctx).unwrap();
        assert!(rows(&by_parts) == expected, "{rows_at_once} rows at once: {orders:?}, {nulls:?}, {keys:?}");
    }
}

#[test]
fn disorder_is_seen_wherever_it_is() {
    let ctx = Tracked::current();
    for len in [1023usize, 1024, 1025, 2048, 100_000] {
        for at in [None, Some(1), Some(1023), Some(1024), Some(1025), Some(len - 1)] {
            let out_of_place = |row: usize| Some(row) == at;
            let values: Vec<i64> =
                (0..len).map(|row| if out_of_place(row) { -1 } else { row as i64 }).collect();
            let keys = Table::new(vec![Column::from_slice(&values, &ctx).unwrap()]).unwrap();
            let sorted = |order| is_sorted(&keys, &[order], NullOrder::Last, &ctx).unwrap();
            assert_eq!(sorted(Order::Ascending), at.is_none_or(|at| at >= len), "{len} {at:?}");
            assert!(!sorted(Order::Descending));
        }
    }
}

/// Chunks of which there are several.
fn rows_at_once(rows: usize) -> Vec<usize> {
    let mut sizes = if rows < 400 { vec![rows.div_ceil(2), rows / 3, 1, 7, 64] } else { vec![rows / 5 + 1] };
    sizes.retain(|&size| size > 0 && size <= rows);
    sizes
}

/// `sort_by_key` against gathering by the model's order; `values` are the keys and more.
#[track_caller]
fn check_table(values: &Table, keys: &Table, orders: &[Order], nulls: NullOrder) {
    let ctx = Tracked::current();
    let order = model(keys, orders, nulls);
    let sorted = sort_by_key(values, keys, orders, nulls, &ctx).unwrap();
    assert_eq!(sorted.num_columns(), values.num_columns());
    assert_eq!(sorted.num_rows(), values.num_rows());
    for (c, (actual, source)) in sorted.columns().iter().zip(values.columns()).enumerate() {
        assert_eq!(actual.data_type(), source.data_type());
        assert_eq!(actual.null_count().unwrap(), source.null_count().unwrap());
        for (i, &row) in order.iter().enumerate() {
            let (a, e) = (actual.get(i).unwrap(), source.get(row).unwrap());
            let same = match (a.value(), e.value()) {
                (Value::Float(x), Value::Float(y)) => {
                    x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan())
                }
                (x, y) => x == y,
            };
            assert!(same, "column {c}, place {i}: {a} instead of {e} of row {row}");
        }
    }
    for rows_at_once in rows_at_once(keys.num_rows()) {
        let by_parts = external::sort_by_key(values, keys, orders, nulls, rows_at_once, &ctx).unwrap();
        assert_table_eq(&by_parts, &sorted);
        by_parts.columns().iter().for_each(|column| column.validate().unwrap());
    }
}

#[test]
fn the_budget_decides() {
    let ctx = Tracked::current();
    let mut random = Random(3);
    let values: Vec<i64> = (0..5000).map(|_| random.next() as i64).collect();
    let words: Vec<String> = values.iter().map(|v| format!("{v} wörter")).collect();
    let keys = int_table(&values);
    let table =
        Table::new(vec![keys.columns()[0].clone(), Column::from_strs(&words, &ctx).unwrap()]).unwrap();
    let (order, nulls) = (&[Order::Ascending], NullOrder::Last);
    let rows = sorted_order(&keys, order, nulls, &ctx).unwrap();
    let sorted = sort_by_key(&table, &keys, order, nulls, &ctx).unwrap();
    assert_eq!(external::rows_at_once(&keys, &[], None), None);
    assert_eq!(external::rows_at_once(&keys, table.columns(), Some(5000 * 200)), None);
    assert!(external::rows_at_once(&keys, table.columns(), Some(5000 * 20)).unwrap() < 1000);
    assert!(external::rows_at_once(&keys, &[], Some(1)).unwrap() > 0);
    assert_eq!(external::rows_at_once(&int_table(&[]), &[], Some(0)), None);
    for budget in [0, 10_000, 30_000, 100_000, 1 << 20] {
        let again = sorted_order_within(&keys, order, nulls, Some(budget), &ctx).unwrap();
        assert_column_eq(&again, &rows);
        let again = sort_by_key_within(&table, &keys, order, nulls, Some(budget), &ctx).unwrap();
        assert_table_eq(&again, &sorted);
    }
}

/// The rows of a range that is sorted are a small part of all, whatever the keys.
#[test]
fn ranges_are_of_one_size() {
    let ctx = Tracked::current();
    for (name, f) in DISTRIBUTIONS {
        let (n, rows_at_once) = (50_021, 4000);
        let mut random = Random(9);
        let keys = int_table(&(0..n).map(|i| f(i, n, &mut random)).collect::<Vec<_>>());
        let orders = [Order::Descending];
        let sizes = external::range_sizes(&keys, &orders, NullOrder::Last, rows_at_once, &ctx).unwrap();
        for rows in sizes {
            assert!(rows <= rows_at_once * 3 / 2, "{name}: {rows} rows");
        }
    }
}

fn int_table(values: &[i64]) -> Table {
    Table::new(vec![Column::from_slice(values, &Tracked::current()).unwrap()]).unwrap()
}

/// Gives row `i` of `n`.
type Distribution = fn(usize, usize, &mut Random) -> i64;

/// Distributions that break sorts.
const DISTRIBUTIONS: [(&str, Distribution); 12] = [
    ("uniform", |_, _, r| r.next() as i64),
    ("equal", |_, _, _| 7),
    ("sorted", |i, _, _| i as i64 * 3),
    ("reversed", |i, n, _| (n - i) as i64),
    ("outlier", |i, n, r| if i == n / 2 { i64::MAX } else { r.below(1_000_000) as i64 }),
    ("outliers on both sides", |i, n, r| match i {
        0 => i64::MAX,
        _ if i == n - 1 => i64::MIN,
        _ => r.below(1000) as i64,
    }),
    ("two values", |_, _, r| if r.below(2) == 0 { i64::MIN } else { i64::MAX }),
    ("hundred values", |_, _, r| r.below(100) as i64 * 1_000_000_007),
    ("one heavy value", |_, _, r| if r.below(10) < 9 { 1 << 40 } else { r.next() as i64 >> 8 }),
    ("zipf", |_, _, r| (1e6 / (1.0 + r.below(1 << 40) as f64 / 1e3)) as i64),
    ("sawtooth", |i, _, _| (i % 1013) as i64),
    ("almost sorted", |i, _, r| if r.below(100) == 0 { r.below(100_000) as i64 } else { i as i64 }),
];

#[test]
fn hostile_distributions() {
    for (name, f) in DISTRIBUTIONS {
        for n in [1000, 33_000, 300_007] {
            let mut random = Random(n as u64);
            let values: Vec<i64> = (0..n).map(|i| f(i, n, &mut random)).collect();
            let keys = int_table(&values);
            for order in ORDERS {
                let actual =
                    rows(&sorted_order(&keys, &[order], NullOrder::Last, &Tracked::current()).unwrap());
                let mut expected: Vec<usize> = (0..n).collect();
                if order == Order::Ascending {
                    expected.sort_by_key(|&i| values[i]);
                } else {
                    expected.sort_by_key(|&i| std::cmp::Reverse(values[i]));
                }
                assert!(actual == expected, "{name}, {n}, {order:?}");
                let sorted =
                    sort_by_key(&keys, &keys, &[order], NullOrder::Last, &Tracked::current()).unwrap();
                let sorted = sorted.column(0).unwrap().view().unwrap().values::<i64>().unwrap().to_vec();
                assert!(sorted.iter().copied().eq(expected.iter().map(|&i| values[i])), "{name}, {n}");
            }
        }
    }
}

#[test]
fn hostile_floats_with_missing_values() {
    let ctx = Tracked::current();
    for (name, f) in DISTRIBUTIONS {
        let n = 70_009;
        let mut random = Random(5);
        let values: Vec<Option<f64>> = (0..n)
            .map(|i| {
                let value = f(i, n, &mut random) as f64 / 1e3;
                match random.below(8) {
                    0 => None,
                    1 => Some(f64::NAN),
                    2 => Some(-0.0),
                    3 => Some(0.0),
                    4 => Some(f64::from_bits(random.next())),
                    _ => Some(value),
                }
            })
            .collect();
        let column = Column::from_options(&values, &ctx).unwrap();
        let rows =
            Column::from_slice(&(0..n as u32).map(|i| i.wrapping_mul(3)).collect::<Vec<_>>(), &ctx).unwrap();
        let keys = Table::new(vec![column.clone()]).unwrap();
        let table = Table::new(vec![rows, column]).unwrap();
        for order in ORDERS {
            check(&keys, &[order], NULL_ORDERS[n % 2]);
            check_table(&table, &keys, &[order], NullOrder::First);
        }
        assert!(!name.is_empty());
    }
}

#[test]
fn lengths_and_types() {
    let ctx = Tracked::current();
    for len in LENGTHS {
        let mut random = Random(len as u64);
        let ints: Vec<i32> = (0..len).map(|_| random.next() as i32 >> 8).collect();
        let words: Vec<String> = (0..len).map(|_| format!("key {:05}", random.below(3000))).collect();
        let times =
            Column::from_slice(&ints, &ctx).unwrap().bit_cast(DataType::Timestamp(TimeUnit::Days)).unwrap();
        let words = Column::from_strs(&words, &ctx).unwrap();
        let bools = Column::from_bools(&ints.iter().map(|i| i & 1 != 0).collect::<Vec<_>>(), &ctx).unwrap();
        let table = Table::new(vec![times.clone(), words.clone(), bools.clone()]).unwrap();
        for keys in [vec![times.clone()], vec![words.clone()], vec![bools.clone(), words], vec![bools, times]]
        {
            let keys = Table::new(keys).unwrap();
            let orders: Vec<Order> = ORDERS.into_iter().take(keys.num_columns()).collect();
            check(&keys, &orders, NullOrder::Last);
            check_table(&table, &keys, &orders, NullOrder::Last);
        }
    }
}

#[test]
fn several_words_and_long_ties() {
    let ctx = Tracked::current();
    let n = 70_000;
    let mut random = Random(1);
    let ids: Vec<u64> = (0..40).map(|_| random.next()).collect();
    let a: Vec<u64> = (0..n).map(|_| ids[random.below(40) as usize]).collect();
    let b: Vec<Option<i64>> = (0..n)
        .map(|_| match random.below(6) {
            0 => None,
            1 => Some(i64::MIN),
            2 => Some(i64::MAX),
            _ => Some(random.below(30) as i64 - 15),
        })
        .collect();
    let c: Vec<Option<String>> = (0..n)
        .map(|_| match random.below(5) {
            0 => None,
            1 => Some("shared\0".into()),
            2 => Some("shared".into()),
            _ => Some(format!("shared prefix then {}", random.below(20))),
        })
        .collect();
    let d: Vec<f32> = (0..n).map(|_| random.below(1 << 30) as f32 - 5e8).collect();
    let (a, b) = (Column::from_slice(&a, &ctx).unwrap(), Column::from_options(&b, &ctx).unwrap());
    let (c, d) = (Column::from_opt_strs(&c, &ctx).unwrap(), Column::from_slice(&d, &ctx).unwrap());
    let table = Table::new(vec![a, b, c, d]).unwrap();
    for columns in [vec![0, 1, 2, 3], vec![1, 0], vec![2, 1, 3], vec![2, 2, 3], vec![1, 2], vec![1]] {
        let keys = table.select(&columns).unwrap();
        for (flip, nulls) in [(0, NullOrder::First), (1, NullOrder::Last)] {
            let orders: Vec<Order> = (0..columns.len()).map(|i| ORDERS[(i + flip) % 2]).collect();
            check(&keys, &orders, nulls);
            check_table(&table, &keys, &orders, nulls);
        }
    }
}

#[test]
fn arguments() {
    let ctx = Tracked::current();
    let keys = int_table(&[3, 1, 2]);
    let two = Table::new(vec![keys.columns()[0].clone(), keys.columns()[0].clone()]).unwrap();
    assert_eq!(rows(&sorted_order(&two, &[], NullOrder::Last, &ctx).unwrap()), [1, 2, 0]);
    assert_eq!(rows(&sorted_order(&two, &[Order::Descending], NullOrder::Last, &ctx).unwrap()), [0, 2, 1]);
    let error = sorted_order(&keys, &ORDERS, NullOrder::Last, &ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains('2'), "{error}");
    let short = int_table(&[1]);
    assert_eq!(sort_by_key(&short, &keys, &[], NullOrder::Last, &ctx).unwrap_err().kind(), ErrorKind::Logic);
    let none = Table::with_rows(vec![], 3).unwrap();
    assert_eq!(rows(&sorted_order(&none, &[], NullOrder::Last, &ctx).unwrap()), [0, 1, 2]);
    assert_table_eq(&sort_by_key(&keys, &none, &[], NullOrder::Last, &ctx).unwrap(), &keys);
    assert_eq!(sort_by_key(&none, &keys, &[], NullOrder::Last, &ctx).unwrap().num_rows(), 3);
    let cancelled = ctx.with_cancel(cuprum_column::CancelToken::default());
    cancelled.cancel_token().cancel();
    assert_eq!(
        sorted_order(&keys, &[], NullOrder::Last, &cancelled).unwrap_err().kind(),
        ErrorKind::Interrupted
    );
}

fn model_top(column: &Column, k: usize, order: Order) -> Vec<usize> {
    let keys = Table::new(vec![column.clone()]).unwrap();
    let mut rows = model(&keys, &[order], NullOrder::Last);
    rows.retain(|&row| !is_missing(&column.get(row).unwrap()));
    rows.truncate(k);
    rows
}

#[test]
fn top_rows_of_hostile_columns() {
    let ctx = Tracked::current();
    for (name, f) in DISTRIBUTIONS {
        let n = 100_003;
        let mut random = Random(2);
        let values: Vec<Option<i64>> =
            (0..n).map(|i| (random.below(9) > 0).then(|| f(i, n, &mut random))).collect();
        let column = Column::from_options(&values, &ctx).unwrap();
        for order in ORDERS {
            let expected = model_top(&column, n, order);
            for k in [0, 1, 10, 5000, 60_000, n, usize::MAX] {
                let actual = rows(&top_k(&column, k, order, &ctx).unwrap());
                assert!(actual == expected[..k.min(expected.len())], "{name}, {k}, {order:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_keys(
        (columns, flips, first) in (0usize..200).prop_flat_map(|len| (
            prop::collection::vec(any_data_type().prop_flat_map(move |t| any_column(t, len)), 1..4),
            any::<u8>(),
            any::<bool>(),
        ))
    ) {
        let orders: Vec<Order> = (0..columns.len()).map(|i| ORDERS[usize::from(flips >> i & 1)]).collect();
        let nulls = NULL_ORDERS[usize::from(first)];
        let table = Table::new(columns).unwrap();
        check(&table, &orders, nulls);
        check_table(&table, &table, &orders, nulls);
        let column = &table.columns()[0];
        for k in [1, 5, 50] {
            let top = rows(&top_k(column, k, orders[0], &Tracked::current()).unwrap());
            prop_assert_eq!(top, model_top(column, k, orders[0]));
        }
    }

    #[test]
    fn nested_payload((key, values) in (1usize..90).prop_flat_map(|n| (
        any_key_type().prop_flat_map(move |t| any_column(t, n)),
        prop::collection::vec(any_nested_column(n), 1..3),
    ))) {
        let ctx = Tracked::current();
        let (keys, values) = (Table::new(vec![key]).unwrap(), Table::new(values).unwrap());
        let sorted = sort_by_key(&values, &keys, &[], NullOrder::First, &ctx).unwrap();
        for rows_at_once in rows_at_once(keys.num_rows()) {
            let by_parts =
                external::sort_by_key(&values, &keys, &[], NullOrder::First, rows_at_once, &ctx).unwrap();
            for (actual, expected) in by_parts.columns().iter().zip(sorted.columns()) {
                actual.validate().unwrap();
                prop_assert_eq!(printed(actual), printed(expected));
            }
        }
    }

    #[test]
    fn keys_with_payload(
        (key, values, flip) in (1usize..3).prop_flat_map(|n| (
            any_key_type().prop_flat_map(move |t| any_column(t, n * 60)),
            prop::collection::vec(any_data_type().prop_flat_map(move |t| any_column(t, n * 60)), 0..4),
            any::<bool>(),
        ))
    ) {
        let rows = key.len();
        let keys = Table::new(vec![key]).unwrap();
        let values = Table::with_rows(values, rows).unwrap();
        check_table(&values, &keys, &[ORDERS[usize::from(flip)]], NULL_ORDERS[usize::from(flip)]);
    }
}

/// A column of each type, without and with nulls, and numbers of which many are the same.
fn columns_for_ranks(len: usize) -> Vec<Column> {
    let (ctx, mut random) = (&Context::current(), Random(8));
    let mut runner = TestRunner::deterministic();
    let types = [
        DataType::Int8,
        DataType::Int64,
        DataType::UInt64,
        DataType::Float64,
        DataType::Bool8,
        DataType::String,
    ];
    let mut columns: Vec<Column> =
        types.iter().map(|&t| any_column(t, len).new_tree(&mut runner).unwrap().current()).collect();
    let some = |i: usize, x: u64| {
        if x.is_multiple_of(9) { f64::NAN } else { ((x >> 8) % (1 + i as u64 % 50)) as f64 - 3.0 }
    };
    let doubles: Vec<f64> = (0..len).map(|i| some(i, random.next())).collect();
    columns.push(Column::from_slice(&doubles, ctx).unwrap());
    columns.push(Column::from_slice(&doubles.iter().map(|x| *x as i32).collect::<Vec<_>>(), ctx).unwrap());
    columns.push(Column::from_slice(&vec![f64::NAN; len], ctx).unwrap());
    columns
}

#[test]
fn ranks_on_every_device() {
    let host = &Context::current();
    let mut cases = Vec::new();
    for (c, column) in [0, 1, 7, 300].into_iter().flat_map(columns_for_ranks).enumerate() {
        let methods =
            [RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense];
        for (m, method) in methods.into_iter().enumerate() {
            let missing = [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom][(c + m) % 3];
            let options = RankOptions { method, missing, ascending: (c + m) % 2 == 0, pct: (c + m) % 4 < 2 };
            let expected = rank(&column, options, host).unwrap();
            cases.push((column.clone(), options, expected));
        }
    }
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for (i, (column, options, expected)) in cases.iter().enumerate() {
            if number == 0 || (i + number) % 7 == 0 {
                let ranks = rank(&column.to_device(&ctx).unwrap(), *options, &ctx).unwrap();
                assert_column_eq(&ranks, expected);
            }
        }
    }
}

/// The largest dense rank is that of the rows that have one.
#[test]
fn dense_shares_leave_out_missing_rows() {
    let host = &Context::current();
    let values: Vec<Option<f64>> = (0..200)
        .map(|i| (i % 3 != 0).then(|| if i % 7 == 0 { f64::NAN } else { f64::from(i % 11) }))
        .collect();
    let column = Column::from_options(&values, host).unwrap();
    let mut seen: Vec<f64> = values.iter().flatten().copied().filter(|x| !x.is_nan()).collect();
    seen.sort_by(f64::total_cmp);
    seen.dedup();
    for ctx in contexts() {
        for ascending in [true, false] {
            let options =
                RankOptions { method: RankMethod::Dense, pct: true, ascending, ..RankOptions::default() };
            let ranks = rank(&column.to_device(&ctx).unwrap(), options, &ctx).unwrap().to_host().unwrap();
            for (row, value) in values.iter().enumerate() {
                let place = value.and_then(|value| seen.iter().position(|other| *other == value));
                let place = place.map(|place| if ascending { place } else { seen.len() - 1 - place });
                let expected = place.map(|place| (place + 1) as f64 / seen.len() as f64);
                assert_eq!(ranks.get(row).unwrap().as_f64(), expected, "row {row}");
            }
        }
    }
}

/// The best rows by a limit: values at the limit count, nulls whose stored values are better than all others do not, nor
/// does NaN.
#[test]
fn best_rows_are_behind_the_limit() {
    let (host, n) = (&Context::current(), 4000usize);
    let mut random = Random(2);
    let values: Vec<f64> = (0..n)
        .map(|i| match i % 10 {
            3 => -1e9,
            4 => 1e9,
            7 => f64::NAN,
            // Many are equal, so the limit is one of them.
            _ => random.below(40) as f64,
        })
        .collect();
    let mask = null_mask::from_fn(n, host, |i| i % 10 != 3 && i % 10 != 4).unwrap();
    let doubles = Column::from_slice(&values, host).unwrap().with_mask(Some(mask.clone()), host).unwrap();
    let whole: Vec<i64> = values.iter().map(|x| *x as i64).collect();
    let whole = Column::from_slice(&whole, host).unwrap().with_mask(Some(mask), host).unwrap();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for column in [&doubles, &whole] {
            let leaves = Table::new(vec![column.to_device(&ctx).unwrap()]).unwrap();
            for (k, order) in [(3, ORDERS[0]), (3, ORDERS[1]), (50, ORDERS[0]), (50, ORDERS[1])] {
                let expected = rows_of(&top_k(column, k, order, host).unwrap());
                for counted in [0, 4000] {
                    let how = cuda::Selecting { pieces: 200, counted };
                    let rows = cuda::best::<u32>(&leaves, k, order, how, &ctx).unwrap();
                    assert_eq!(rows.to_vec().unwrap(), expected, "{k} of {}, {order:?}", column.data_type());
                }
            }
        }
    }
}

/// Long runs of texts that tie: in one run they differ early, in others late, and in one not at all.
#[test]
fn runs_of_ties_differ_at_depths_of_their_own() {
    let (host, n) = (&Context::current(), 2400u64);
    let mut random = Random(6);
    let texts: Vec<String> = (0..n)
        .map(|i| {
            let end = random.below(1000);
            match i % 4 {
                0 => format!("aaaaaaaaaa{end:04}"),
                1 => format!("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb{end:04}"),
                2 => format!("cccccccccccccccccccc{}{end:04}", "d".repeat(end as usize % 3)),
                _ => "eeeeeeeeeeeeeeeeeeeeeeeeeeeee".to_owned(),
            }
        })
        .collect();
    let table = Table::new(vec![Column::from_strs(&texts, host).unwrap()]).unwrap();
    for order in ORDERS {
        let expected = sorted_order(&table, &[order], NullOrder::Last, host).unwrap();
        for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
            let there = table.to_device(&ctx).unwrap();
            assert_column_eq(&sorted_order(&there, &[order], NullOrder::Last, &ctx).unwrap(), &expected);
        }
    }
}

#[test]
fn best_rows_on_every_device() {
    let host = &Context::current();
    let mut cases = Vec::new();
    for column in [1, 7, 300, 3000].into_iter().flat_map(columns_for_ranks) {
        for k in [0, 1, 5, 40, 10_000] {
            for order in [Order::Ascending, Order::Descending] {
                cases.push((column.clone(), k, order, top_k(&column, k, order, host).unwrap()));
            }
        }
    }
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for (i, (column, k, order, expected)) in cases.iter().enumerate() {
            if number > 0 && (i + number) % 11 != 0 {
                continue;
            }
            let leaves = Table::new(vec![column.to_device(&ctx).unwrap()]).unwrap();
            // By a sample too, which is too small to be good.
            for (pieces, counted) in [(16, 0), (128, 0), (128, 4000), (1 << 16, 0)] {
                let how = cuda::Selecting { pieces, counted };
                let rows = cuda::best::<u32>(&leaves, *k, *order, how, &ctx).unwrap();
                let expected: Vec<u32> = rows_of(expected);
                assert_eq!(rows.to_vec().unwrap(), expected, "{k} of {column:?}, {order:?}");
            }
        }
    }
}

fn rows_of(column: &Column) -> Vec<u32> {
    column.view().unwrap().values::<i32>().unwrap().iter().map(|&row| row as u32).collect()
}

#[test]
fn segments_are_sorted_on_every_device() {
    let host = &Context::current();
    let n = 1500;
    let values: Vec<Option<i64>> = (0..n).map(|row| Some(row * row % 37).filter(|x| x % 5 != 0)).collect();
    let texts: Vec<String> = (0..n).map(|row| format!("{}", row * 7 % 13)).collect();
    let columns = [Column::from_options(&values, host).unwrap(), Column::from_strs(&texts, host).unwrap()];
    for ends in [&[][..], &[0, n], &[7], &[3, 3, 40, 41, 41, 1200], &[0, 1, 2, 3, 700, n, n]] {
        for orders in [&[][..], &[Order::Descending], &[Order::Descending, Order::Ascending]] {
            cuprum_testing::same_everywhere(&columns, |columns, ctx| {
                let offsets = Column::from_slice(ends, ctx)?;
                let keys = Table::new(columns.to_vec())?;
                Table::new(vec![segmented_sorted_order(&keys, &offsets, orders, NullOrder::First, ctx)?])
            });
        }
    }
    for ctx in cuprum_testing::contexts() {
        let keys = Table::new(vec![columns[0].to_device(&ctx).unwrap()]).unwrap();
        let kind = |offsets: &[i64]| {
            let offsets = Column::from_slice(offsets, &ctx).unwrap();
            segmented_sorted_order(&keys, &offsets, &[], NullOrder::Last, &ctx).unwrap_err().kind()
        };
        assert_eq!(kind(&[0, n + 1]), ErrorKind::OutOfRange);
        assert_eq!(kind(&[5, 4]), ErrorKind::InvalidArgument);
    }
}

#[test]
fn tables_are_sorted_on_every_device() {
    let host = &Context::current();
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for len in [0, 1, 33, 1100] {
            let columns = columns_for_ranks(len);
            let values = Table::new(columns.clone()).unwrap();
            let structs = Column::structs(len, columns[3..6].to_vec(), None).unwrap();
            for (k, keys) in
                [columns[0..2].to_vec(), vec![structs], vec![columns[5].clone()]].into_iter().enumerate()
            {
                if number > 0 && (k + number) % 3 != 0 {
                    continue;
                }
                let keys = Table::new(keys).unwrap();
                let orders = [Order::Descending];
                let expected = sort_by_key(&values, &keys, &orders, NullOrder::First, host).unwrap();
                let (values, keys) = (values.to_device(&ctx).unwrap(), keys.to_device(&ctx).unwrap());
                let sorted = sort_by_key(&values, &keys, &orders, NullOrder::First, &ctx).unwrap();
                assert_table_eq(&sorted, &expected);
                assert!(is_sorted(&keys, &[], NullOrder::Last, &ctx).unwrap() || len > 1);
            }
        }
    }
}

/// Few different texts are sorted by their ranks: as all others are, with nulls and further keys.
#[test]
fn few_texts_are_sorted_by_their_ranks() {
    let ctx = &Tracked::current();
    let mut random = Random(3);
    let text = |i: u64| format!("{}{}", "a text with much in common ".repeat((i % 3) as usize), i * 7 % 5);
    for (rows, nulls) in [(2, false), (3, true), (20_000, false), (20_001, true)] {
        let words: Vec<Option<String>> =
            (0..rows).map(|_| (!nulls || random.below(9) > 0).then(|| text(random.below(15)))).collect();
        let words = Column::from_opt_strs(&words, ctx).unwrap();
        let numbers = (0..rows).map(|_| random.below(4) as i32).collect::<Vec<_>>();
        let numbers = Column::from_slice(&numbers, ctx).unwrap();
        let row = Column::from_slice(&(0..rows as i64).collect::<Vec<_>>(), ctx).unwrap();
        let values = Table::new(vec![row, words.clone(), numbers.clone()]).unwrap();
        for keys in [vec![words.clone()], vec![numbers.clone(), words.clone()], vec![words, numbers]] {
            let keys = Table::new(keys).unwrap();
            let rank_texts = || RankedKeys::with_least_rows(&keys, 0, ctx).unwrap();
            assert_eq!(rank_texts().is_some(), rows >= 20_000, "{rows} rows");
            for (order, nulls) in ORDERS.into_iter().flat_map(|order| NULL_ORDERS.map(|nulls| (order, nulls)))
            {
                let Some(ranked) = rank_texts() else { continue };
                let expected = sort_by_key(&values, &keys, &[order], nulls, ctx).unwrap();
                let sorted = ranked.sort(&values, &[order], nulls, ctx).unwrap();
                assert_table_eq(&sorted, &expected);
                if let [texts] = keys.columns() {
                    let alone = Table::new(vec![texts.clone(); 2]).unwrap();
                    let sorted = rank_texts().unwrap().sort(&alone, &[order], nulls, ctx).unwrap();
                    assert_column_eq(&sorted.columns()[0], &expected.columns()[1]);
                    assert_column_eq(&sorted.columns()[1], &expected.columns()[1]);
                }
                // Once more, of rows that are in order.
                let at = |c: usize| expected.columns()[c].clone();
                let keys = Table::new(vec![at(1)]).unwrap();
                let in_order = sort_by_key(&expected, &keys, &[order], nulls, ctx).unwrap();
                let ranked = RankedKeys::with_least_rows(&keys, 0, ctx).unwrap().unwrap();
                assert_table_eq(&ranked.sort(&expected, &[order], nulls, ctx).unwrap(), &in_order);
            }
        }
    }
    // So many rows that nobody has to ask: the same as of their first halves, merged by the model.
    let rows = 70_000;
    let words: Vec<String> = (0..rows).map(|_| text(random.below(1000))).collect();
    let keys = Table::new(vec![Column::from_strs(&words, ctx).unwrap()]).unwrap();
    let order = sorted_order(&keys, &[], NullOrder::Last, ctx).unwrap();
    let mut expected: Vec<i32> = (0..rows).collect();
    expected.sort_by_key(|&row| &words[row as usize]);
    assert_eq!(order.view().unwrap().values::<i32>().unwrap(), expected);
    // All texts are different, so none is ranked.
    let words: Vec<String> = (0..rows).map(|i| format!("text number {i}")).collect();
    let keys = Table::new(vec![Column::from_strs(&words, ctx).unwrap()]).unwrap();
    assert!(RankedKeys::new(&keys, ctx).unwrap().is_none());
    let most_equal: Vec<&str> =
        words.iter().enumerate().map(|(i, word)| if i % 3 == 0 { word } else { "most" }).collect();
    let keys = Table::new(vec![Column::from_strs(&most_equal, ctx).unwrap()]).unwrap();
    assert!(RankedKeys::new(&keys, ctx).unwrap().is_none());
}
