use std::collections::HashMap;
use std::sync::Arc;

use cuprum_column::{Column, DataType, ErrorKind, Scalar, Table, TimeUnit, Value};
use cuprum_runtime::memory::{CpuMemoryResource, LimitingResourceAdaptor, Tracked};
use cuprum_testing::{LENGTHS, Random, any_column, any_data_type, any_key_type, assert_column_eq};
use proptest::prelude::*;

use super::layout::LayoutTuning;
use super::*;
use crate::copying::tests::{rows as row_texts, same_everywhere};
use crate::row_numbers::NarrowRows;

/// A missing value is `None`; zeros are one zero.
pub(crate) fn model_key(scalar: &Scalar) -> Option<String> {
    match scalar.value() {
        Value::Null => None,
        Value::Float(x) if x.is_nan() => None,
        Value::Float(x) => Some(format!("{:?}", x + 0.0)),
        _ => Some(scalar.to_string()),
    }
}

fn model_group(keys: &Table, drop_nulls: bool) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut seen = HashMap::new();
    let mut first = Vec::new();
    let ids = (0..keys.num_rows())
        .map(|row| {
            let key: Vec<_> = keys.columns().iter().map(|c| model_key(&c.get(row).unwrap())).collect();
            if drop_nulls && key.iter().any(Option::is_none) {
                return None;
            }
            Some(*seen.entry(key).or_insert_with(|| {
                first.push(row);
                first.len() - 1
            }))
        })
        .collect();
    (ids, first)
}

/// Every way to number rows.
pub(crate) fn tunings(rows: usize) -> [Option<Tuning>; 7] {
    let base = Tuning::for_rows(rows);
    [
        None,
        Some(Tuning { direct_bound: u64::MAX >> 40, ..base }),
        Some(Tuning { direct_bound: 0, partition_above: usize::MAX, ranges: Some(1), ..base }),
        Some(Tuning { direct_bound: 0, partition_above: usize::MAX, ranges: Some(3), ..base }),
        Some(Tuning { direct_bound: 0, partition_above: 0, ..base }),
        // Tables that are full at once, or only some of them.
        Some(Tuning { direct_bound: 0, partition_above: usize::MAX, most_keys: Some(0), ..base }),
        Some(Tuning { direct_bound: 0, partition_above: usize::MAX, ranges: Some(3), most_keys: Some(40) }),
    ]
}

/// The group of every row.
fn ids(grouping: &Grouping) -> Vec<u32> {
    let view = grouping.ids.view().unwrap();
    NarrowRows::new("ids", &view, &Context::current()).unwrap().to_vec()
}

fn check_group(keys: &Table) {
    let ctx = &Tracked::current();
    for drop_nulls in [true, false] {
        let (ids, first) = model_group(keys, drop_nulls);
        for tuning in tunings(keys.num_rows()) {
            let numbers = number_keys(keys, drop_nulls, tuning, ctx).unwrap();
            let grouping = Grouping::new(numbers, ctx).unwrap();
            let got: Vec<_> =
                self::ids(&grouping).iter().map(|&id| (id != u32::MAX).then_some(id as usize)).collect();
            assert!(got == ids, "{tuning:?} drop {drop_nulls}\n{keys:?}\n{got:?}\n{ids:?}");
            assert_eq!(grouping.num_groups, first.len());
            let view = grouping.first_rows.view().unwrap();
            let rows = view.values::<i32>().unwrap();
            assert!(rows.iter().map(|&r| r as usize).eq(first.iter().copied()), "{tuning:?}");
        }
        for rows_at_once in [1, 7, 64, keys.num_rows() / 3, keys.num_rows() / 2 + 1] {
            if rows_at_once == 0 || keys.num_rows() == 0 || keys.num_rows() > 400 * rows_at_once {
                continue;
            }
            let numbers = chunked::group(keys, drop_nulls, rows_at_once, ctx).unwrap();
            let grouping = Grouping::new(numbers, ctx).unwrap();
            let got: Vec<_> =
                self::ids(&grouping).iter().map(|&id| (id != u32::MAX).then_some(id as usize)).collect();
            assert!(got == ids, "{rows_at_once} rows at once, drop {drop_nulls}\n{keys:?}");
            assert_eq!(grouping.num_groups, first.len());
            let view = grouping.first_rows.view().unwrap();
            let rows = view.values::<i32>().unwrap();
            assert!(rows.iter().map(|&r| r as usize).eq(first.iter().copied()), "{rows_at_once}");
        }
    }
}

/// Few and many distinct keys, which are merged at once and by partitions.
#[test]
fn the_budget_decides() {
    let ctx = &Tracked::current();
    let mut random = Random(4);
    for distinct in [1, 40, 20_000] {
        let values: Vec<i64> = (0..20_000).map(|_| random.below(distinct) as i64 * 1_000_003).collect();
        let keys = Table::new(vec![Column::from_slice(&values, ctx).unwrap()]).unwrap();
        let expected = group(&keys, true, ctx).unwrap();
        assert_eq!(chunked::rows_at_once(&keys, None), None);
        assert_eq!(chunked::rows_at_once(&keys, Some(20_000 * 100)), None);
        for budget in [0, 20_000, 100_000, 700_000] {
            assert!(chunked::rows_at_once(&keys, Some(budget)).unwrap() < 20_000);
            let grouping = group_within(&keys, true, Some(budget), ctx).unwrap();
            assert!(ids(&grouping) == ids(&expected), "{distinct} keys in {budget} bytes");
            assert_column_eq(&grouping.first_rows, &expected.first_rows);
        }
    }
}

fn any_keys(max: usize) -> impl Strategy<Value = Table> {
    (prop::collection::vec(any_key_type(), 1..4), 0..max)
        .prop_flat_map(|(types, rows)| types.into_iter().map(|t| any_column(t, rows)).collect::<Vec<_>>())
        .prop_map(|columns| Table::new(columns).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn groups_agree_with_a_hash_map(keys in any_keys(300)) {
        check_group(&keys);
    }

    #[test]
    fn aggregates_agree_with_the_model(
        (keys, values) in (any_keys(1), any_data_type(), 0usize..300, 1u64..200).prop_flat_map(|(_, t, rows, groups)| {
            let mut random = Random(groups);
            let keys: Vec<Option<i64>> = (0..rows)
                .map(|_| Some(random.below(groups) as i64).filter(|k| *k != 7))
                .collect();
            (Just(keys), any_column(t, rows))
        })
    ) {
        let ctx = &Tracked::current();
        let keys = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
        check_aggregate(&keys, &values);
    }
}

const ALL: [Aggregation; 23] = [
    Aggregation::Sum,
    Aggregation::Product,
    Aggregation::Min,
    Aggregation::Max,
    Aggregation::Mean,
    Aggregation::Median,
    Aggregation::Quantile(0.0),
    Aggregation::Quantile(0.3),
    Aggregation::Quantile(1.0),
    Aggregation::Var { ddof: 1 },
    Aggregation::Std { ddof: 0 },
    Aggregation::Sem { ddof: 1 },
    Aggregation::Var { ddof: 3 },
    Aggregation::Count,
    Aggregation::Size,
    Aggregation::NUnique,
    Aggregation::First,
    Aggregation::Last,
    Aggregation::Any,
    Aggregation::All,
    Aggregation::BitAnd,
    Aggregation::BitOr,
    Aggregation::BitXor,
];

/// What `aggregation` gives for one group: the values of all its rows, in order.
fn model(rows: &[Scalar], of: DataType, aggregation: Aggregation) -> Scalar {
    let to = result_type(of, aggregation).unwrap();
    let values: Vec<&Scalar> = rows.iter().filter(|v| model_key(v).is_some()).collect();
    let null = Scalar::null(to);
    let int = |v: i64| match to {
        t if t.is_unsigned_integer() => Scalar::new(t, Value::UInt(v as u64)).unwrap(),
        DataType::Bool8 => Scalar::from(v != 0),
        t => Scalar::new(t, Value::Int(v)).unwrap(),
    };
    let float = |x: f64| {
        let x = if to == DataType::Float32 { f64::from(x as f32) } else { x };
        Scalar::new(to, Value::Float(x)).unwrap()
    };
    let wide = |v: &&Scalar| match v.value() {
        Value::Bool(b) => i128::from(*b),
        Value::Int(i) => i128::from(*i),
        Value::UInt(u) => i128::from(*u),
        _ => 0,
    };
    let is_time = of.is_timestamp() || of.is_duration();
    let f64s = || values.iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>();
    let order = |a: &&Scalar, b: &&Scalar| match (a.value(), b.value()) {
        (Value::Float(x), Value::Float(y)) => x.partial_cmp(y).unwrap(),
        (Value::String(x), Value::String(y)) => x.cmp(y),
        _ => wide(a).cmp(&wide(b)),
    };
    match aggregation {
        Aggregation::Size => Scalar::from(rows.len() as i64),
        Aggregation::Count => Scalar::from(values.len() as i64),
        Aggregation::NUnique => {
            let set: std::collections::HashSet<_> = values.iter().map(|v| model_key(v)).collect();
            Scalar::from(set.len() as i64)
        }
        Aggregation::Sum if of.is_float() => float(f64s().iter().fold(0.0, |a, b| a + b)),
        Aggregation::Product if of.is_float() => float(f64s().iter().product()),
        Aggregation::Sum => int(values.iter().fold(0, |a, v| a + wide(v)) as i64),
        Aggregation::Product => int(values.iter().fold(1i64, |a, v| a.wrapping_mul(wide(v) as i64))),
        Aggregation::Any => int(i64::from(values.iter().any(|v| v.as_f64() != Some(0.0)))),
        Aggregation::All => int(i64::from(values.iter().all(|v| v.as_f64() != Some(0.0)))),
        _ if values.is_empty() => null,
        Aggregation::BitAnd => int(values.iter().map(wide).fold(-1, |a, b| a & b) as i64),
        Aggregation::BitOr => int(values.iter().map(wide).fold(0, |a, b| a | b) as i64),
        Aggregation::BitXor => int(values.iter().map(wide).fold(0, |a, b| a ^ b) as i64),
        Aggregation::First => values[0].clone(),
        Aggregation::Last => values[values.len() - 1].clone(),
        Aggregation::Min => (*values.iter().min_by(|a, b| order(a, b)).unwrap()).clone(),
        Aggregation::Max => (*values.iter().rev().max_by(|a, b| order(a, b)).unwrap()).clone(),
        Aggregation::Mean if is_time => {
            int((values.iter().map(wide).sum::<i128>() / values.len() as i128) as i64)
        }
        Aggregation::Mean if of.is_float() => {
            float(f64s().iter().fold(0.0, |a, b| a + b) / values.len() as f64)
        }
        Aggregation::Mean => float(values.iter().map(wide).sum::<i128>() as f64 / values.len() as f64),
        Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof } => {
            if values.len() as i64 <= ddof {
                return null;
            }
            let values = f64s();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            let variance = squares / (values.len() as i64 - ddof) as f64;
            float(match aggregation {
                Aggregation::Var { .. } => variance,
                Aggregation::Std { .. } => variance.sqrt(),
                _ => (variance / values.len() as f64).sqrt(),
            })
        }
        Aggregation::Median | Aggregation::Quantile(_) => {
            let q = if let Aggregation::Quantile(q) = aggregation { q } else { 0.5 };
            let mut sorted = values.clone();
            sorted.sort_by(order);
            let at = q * (sorted.len() - 1) as f64;
            let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
            if is_time {
                let exact = wide(&low) as f64 + (wide(&high) as f64 - wide(&low) as f64) * at.fract();
                return int(exact as i64);
            }
            let (low, high) = (low.as_f64().unwrap(), high.as_f64().unwrap());
            float(if low == high || at.fract() == 0.0 { low } else { low + (high - low) * at.fract() })
        }
    }
}

fn close(a: &Scalar, b: &Scalar, tolerance: f64) -> bool {
    match (a.value(), b.value()) {
        (Value::Float(x), Value::Float(y)) => {
            x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= tolerance * (x.abs() + y.abs())
        }
        (Value::Int(x), Value::Int(y)) => {
            ((*x as f64) - (*y as f64)).abs() <= 1e-12 * (*x as f64).abs() + 1.0
        }
        _ => a == b,
    }
}

fn check_aggregate(keys: &Table, values: &Column) {
    let ctx = &Tracked::current();
    let of = values.data_type();
    let requests: Vec<_> = ALL.iter().copied().filter(|a| result_type(of, *a).is_ok()).collect();
    let grouping = group(keys, true, ctx).unwrap();
    let ids = &ids(&grouping);
    let grouped = Grouped { ids, groups: grouping.num_groups };
    let mut rows = vec![Vec::new(); grouping.num_groups];
    for (row, &id) in ids.iter().enumerate().filter(|(_, id)| **id != u32::MAX) {
        rows[id as usize].push(values.get(row).unwrap());
    }
    // The sum of floats of very different size depends on the order of addition.
    let wild = rows.iter().flatten().any(|v| v.as_f64().is_some_and(|x| x.abs() > 1e60 || x.is_infinite()));
    let pairs: Vec<_> = requests.iter().map(|a| (values, *a)).collect();
    for tuning in [
        LayoutTuning::within(None, 0),
        LayoutTuning { chunks_up_to: usize::MAX, chunk: 64, run: None },
        LayoutTuning { chunks_up_to: 0, chunk: 64, run: None },
        LayoutTuning { chunks_up_to: 0, chunk: 64, run: Some(7) },
        LayoutTuning { chunks_up_to: 0, chunk: 64, run: Some(100) },
    ] {
        let got = cpu::aggregate(grouped, &pairs, tuning, ctx).unwrap_or_else(|error| {
            assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
            assert!(of.is_duration());
            Vec::new()
        });
        if tuning.run.is_some() {
            // Rows of a part are added in the same order, moved or listed.
            let moved = cpu::aggregate(grouped, &pairs, LayoutTuning { run: None, ..tuning }, ctx);
            for (listed, moved) in got.iter().zip(moved.unwrap_or_default()) {
                assert_column_eq(listed, &moved);
            }
        }
        for (aggregation, got) in requests.iter().zip(got) {
            let of_floats = of.is_float() || (of.is_numeric() && got.data_type().is_float());
            let spread = matches!(
                aggregation,
                Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. }
            );
            let added = spread
                || (of_floats
                    && matches!(aggregation, Aggregation::Sum | Aggregation::Product | Aggregation::Mean));
            if added && wild && (spread || tuning.chunk == 64) {
                continue;
            }
            assert_eq!(got.data_type(), result_type(of, *aggregation).unwrap());
            assert_eq!(got.len(), grouping.num_groups);
            for (g, rows) in rows.iter().enumerate() {
                let exact = matches!(
                    aggregation,
                    Aggregation::Sum
                        | Aggregation::Product
                        | Aggregation::Min
                        | Aggregation::Max
                        | Aggregation::BitAnd
                        | Aggregation::BitOr
                        | Aggregation::BitXor
                ) && !of.is_float();
                let expected = model(rows, of, *aggregation);
                let got = got.get(g).unwrap();
                let tolerance = if of == DataType::Float32 { 1e-6 } else { 1e-9 };
                assert!(
                    if exact { got == expected } else { close(&got, &expected, tolerance) },
                    "{aggregation:?} of {of}, group {g} of {rows:?}: {got}, expected {expected} {tuning:?}"
                );
            }
        }
    }
}

#[test]
fn lengths_and_many_groups() {
    let ctx = &Tracked::current();
    for rows in LENGTHS {
        for groups in [1u64, 5, 3000, 1 << 40] {
            let mut random = Random(rows as u64);
            let keys: Vec<i64> = (0..rows).map(|_| random.below(groups) as i64 * 3 - 1000).collect();
            let expected = {
                let mut seen = HashMap::new();
                keys.iter()
                    .map(|k| {
                        let next = seen.len() as u32;
                        *seen.entry(*k).or_insert(next)
                    })
                    .collect::<Vec<u32>>()
            };
            let table = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
            for tuning in tunings(rows) {
                let numbers = number_keys(&table, true, tuning, ctx).unwrap();
                assert!(numbers.ids[..] == expected[..], "{rows} rows, {groups} groups, {tuning:?}");
            }
        }
    }
}

#[test]
fn many_groups_are_summed_in_parts_and_few_in_chunks() {
    let ctx = &Tracked::current();
    let rows = 600_000usize;
    for groups in [3u64, 100_000] {
        let mut random = Random(1);
        let keys: Vec<i64> = (0..rows).map(|_| random.below(groups) as i64).collect();
        let values: Vec<i32> = (0..rows).map(|_| random.next() as i32).collect();
        let table = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
        let column = Column::from_slice(&values, ctx).unwrap();
        let grouping = group(&table, true, ctx).unwrap();
        let mut sums = vec![0i64; grouping.num_groups];
        let mut lowest = vec![i32::MAX; grouping.num_groups];
        for (id, v) in ids(&grouping).iter().zip(&values) {
            sums[*id as usize] += i64::from(*v);
            lowest[*id as usize] = lowest[*id as usize].min(*v);
        }
        let got =
            aggregate(&grouping, &[(&column, Aggregation::Sum), (&column, Aggregation::Min)], ctx).unwrap();
        assert_eq!(got[0].view().unwrap().values::<i64>().unwrap(), sums);
        assert_eq!(got[1].view().unwrap().values::<i32>().unwrap(), lowest);
    }
}

#[test]
fn skewed_and_long_string_keys() {
    let ctx = &Tracked::current();
    let mut random = Random(5);
    let words: Vec<String> = (0..5000)
        .map(|_| {
            // Zipf-like: the number of distinct words doubles as their frequency halves.
            let exponent = random.below(12);
            let n = random.below(1 << exponent);
            match n % 3 {
                0 => format!("w{n}"),
                1 => format!("a longer word than fits inline, number {n}"),
                _ => format!("日本語の長い鍵 {n}"),
            }
        })
        .collect();
    check_group(&Table::new(vec![Column::from_strs(&words, ctx).unwrap()]).unwrap());
    let equal = vec!["the same long text everywhere"; 3000];
    let numbers = vec![-5i64; 3000];
    let table =
        Table::new(vec![Column::from_strs(&equal, ctx).unwrap(), Column::from_slice(&numbers, ctx).unwrap()])
            .unwrap();
    check_group(&table);
}

#[test]
fn no_rows_no_columns_and_wrong_arguments() {
    let ctx = &Tracked::current();
    let none = group(&Table::with_rows(vec![], 4).unwrap(), true, ctx).unwrap();
    assert_eq!((none.num_groups, &ids(&none)[..]), (1, &[0u32; 4][..]));
    let empty = Table::new(vec![Column::empty(DataType::String)]).unwrap();
    let grouping = group(&empty, true, ctx).unwrap();
    assert_eq!(grouping.num_groups, 0);
    let values = Column::empty(DataType::Float32);
    let sums = aggregate(&grouping, &[(&values, Aggregation::Median)], ctx).unwrap();
    assert_column_eq(&sums[0], &Column::empty(DataType::Float32));

    let strings = Column::from_strs(&["a", "b", "c", "d"], ctx).unwrap();
    let error = aggregate(&none, &[(&strings, Aggregation::Sum)], ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    assert!(error.to_string().contains("Sum of str"), "{error}");
    let short = Column::from_slice(&[1i64], ctx).unwrap();
    let kind = |column, aggregation| aggregate(&none, &[(column, aggregation)], ctx).unwrap_err().kind();
    assert_eq!(kind(&short, Aggregation::Sum), ErrorKind::Logic);
    let four = Column::from_slice(&[1i64, 2, 3, 4], ctx).unwrap();
    assert_eq!(kind(&four, Aggregation::Quantile(1.5)), ErrorKind::InvalidArgument);
    assert_eq!(kind(&four, Aggregation::Quantile(f64::NAN)), ErrorKind::InvalidArgument);
    // Ids that the caller has made: of another type, with nulls, and of groups that there are not.
    let of_ids = |ids: Column| {
        let first_rows = none.first_rows.clone();
        aggregate(&Grouping { ids, first_rows, num_groups: 1 }, &[(&four, Aggregation::Sum)], ctx)
    };
    let error = of_ids(Column::from_slice(&[0u8; 4], ctx).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    assert!(error.to_string().contains("`grouping.ids`") && error.to_string().contains("uint8"), "{error}");
    let nulls = Column::from_options(&[Some(0i32), None, None, None], ctx).unwrap();
    assert_eq!(of_ids(nulls).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let wide = Column::from_slice(&[0i64, -1, 1 << 40, 0], ctx).unwrap();
    assert_column_eq(&of_ids(wide).unwrap()[0], &Column::from_slice(&[5i64], ctx).unwrap());
    let days = DataType::Duration(TimeUnit::Days);
    let days = Column::from_slice(&[i32::MAX; 4], ctx).unwrap().bit_cast(days).unwrap();
    assert_eq!(kind(&days, Aggregation::Sum), ErrorKind::Overflow);
    let seconds = DataType::Duration(TimeUnit::Seconds);
    let seconds = Column::from_slice(&[i64::MAX, 1, 1, 1], ctx).unwrap().bit_cast(seconds).unwrap();
    assert_eq!(kind(&seconds, Aggregation::Sum), ErrorKind::Overflow);
}

#[test]
fn float_sums_are_added_in_chunks_of_fixed_size() {
    let ctx = &Tracked::current();
    let rows = 700_000;
    let mut random = Random(11);
    let keys: Vec<i64> = (0..rows).map(|_| random.below(4) as i64).collect();
    let values: Vec<f64> = (0..rows).map(|_| random.next() as f64 * 1e-3).collect();
    let table = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
    let grouping = group(&table, true, ctx).unwrap();
    let column = Column::from_slice(&values, ctx).unwrap();
    let got = aggregate(&grouping, &[(&column, Aggregation::Sum)], ctx).unwrap();
    let mut expected = [0.0f64; 4];
    for (ids, values) in ids(&grouping).chunks(1 << 18).zip(values.chunks(1 << 18)) {
        let mut chunk = [0.0f64; 4];
        ids.iter().zip(values).for_each(|(id, v)| chunk[*id as usize] += v);
        expected.iter_mut().zip(chunk).for_each(|(sum, c)| *sum += c);
    }
    // To the last bit: this is what makes sums independent of the number of threads.
    assert_eq!(got[0].view().unwrap().values::<f64>().unwrap(), expected);
}

/// However many rows there are, some accumulators are there at a time and not those of every chunk; all
/// rows are seen once, and what is merged is in order.
#[test]
fn the_accumulators_of_all_rows_are_few() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let ctx = &Tracked::current();
    let ids: Vec<u32> = (0..1_000_000).map(|i| i % 3).collect();
    let tuning = LayoutTuning { chunks_up_to: usize::MAX, chunk: 64, run: None };
    let layout = layout::AccumulationLayout::new(&ids, 3, tuning, ctx).unwrap();
    let made = AtomicUsize::new(0);
    let seen = layout.run(
        ctx,
        &|_| {
            made.fetch_add(1, Ordering::Relaxed);
            Ok(Vec::new())
        },
        &|unit, rows: &mut Vec<usize>| {
            if let layout::UnitRows::Consecutive(range) = &unit.rows {
                rows.extend([range.start, range.end]);
            }
        },
        &|all, later| {
            assert_eq!(all.last(), later.first());
            all.extend(later);
        },
    );
    let seen = seen.unwrap();
    let (rows, _) = seen.get(0);
    assert_eq!((rows.first(), rows.last()), (Some(&0), Some(&1_000_000)));
    assert!(made.load(Ordering::Relaxed) <= 256, "{made:?} accumulators");
}

/// One frequent key among many: its part is accumulated in chunks, by runs of rows as well.
#[test]
fn frequent_keys_are_accumulated_in_chunks() {
    let ctx = &Tracked::current();
    let rows = 700_000usize;
    let mut random = Random(5);
    let ids: Vec<u32> =
        (0..rows).map(|_| if random.below(10) < 9 { 17 } else { random.below(100_000) as u32 }).collect();
    let values: Vec<f64> = (0..rows).map(|_| random.next() as f64 * 1e-9 - 3.0).collect();
    let column = Column::from_slice(&values, ctx).unwrap();
    let grouped = Grouped { ids: &ids, groups: 100_000 };
    let requests = [
        (&column, Aggregation::Sum),
        (&column, Aggregation::First),
        (&column, Aggregation::Last),
        (&column, Aggregation::Std { ddof: 1 }),
        (&column, Aggregation::Size),
    ];
    let tuning = LayoutTuning { chunks_up_to: 0, chunk: 64, run: None };
    let moved = cpu::aggregate(grouped, &requests, tuning, ctx).unwrap();
    for run in [50_000, 65_536, 300_000] {
        let listed =
            cpu::aggregate(grouped, &requests, LayoutTuning { run: Some(run), ..tuning }, ctx).unwrap();
        listed.iter().zip(&moved).for_each(|(listed, moved)| assert_column_eq(listed, moved));
    }
    let of_key: Vec<f64> = (0..rows).filter(|&row| ids[row] == 17).map(|row| values[row]).collect();
    assert!(of_key.len() > 9 * rows / 10 - 3000, "several chunks");
    let get = |i: usize| moved[i].get(17).unwrap();
    assert!(close(&get(0), &Scalar::from(of_key.iter().sum::<f64>()), 1e-12));
    assert_eq!((get(1), get(2)), (Scalar::from(of_key[0]), Scalar::from(of_key[of_key.len() - 1])));
    assert_eq!(get(4).as_i64(), Some(of_key.len() as i64));
}

/// Accumulators are memory of the context: where it has not so much, that is an error.
#[test]
fn accumulators_are_memory_of_the_context() {
    let ctx = &Tracked::current();
    let rows = 1_000_000;
    let ids: Vec<u32> = (0..rows).map(|i| i % 1000).collect();
    let values = Column::from_slice(&vec![1i64; rows as usize], ctx).unwrap();
    let words = Column::from_strs(&vec!["a"; rows as usize], ctx).unwrap();
    let grouped = Grouped { ids: &ids, groups: 1000 };
    // 63 chunks of 16 000 rows: half a megabyte of sums.
    let tuning = LayoutTuning { chunks_up_to: usize::MAX, chunk: 64, run: None };
    let little = Arc::new(LimitingResourceAdaptor::new(CpuMemoryResource::global(), 100_000));
    let little = &*Tracked::new(little).unwrap();
    for (column, aggregation) in
        [(&values, Aggregation::Sum), (&values, Aggregation::Size), (&words, Aggregation::Min)]
    {
        let error = cpu::aggregate(grouped, &[(column, aggregation)], tuning, little).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{aggregation:?}");
        assert_eq!(cpu::aggregate(grouped, &[(column, aggregation)], tuning, ctx).unwrap()[0].len(), 1000);
    }
}

/// Distinct values of no rows, with little memory.
#[test]
fn no_rows_in_little_memory() {
    let ctx = &Tracked::current();
    let grouping = group(&Table::new(vec![Column::empty(DataType::Int64)]).unwrap(), true, ctx).unwrap();
    let tuning = LayoutTuning { chunks_up_to: 0, chunk: 64, run: Some(7) };
    let empty = Column::empty(DataType::Int64);
    let requests =
        [(&empty, Aggregation::NUnique), (&empty, Aggregation::Median), (&empty, Aggregation::Sum)];
    let grouped = Grouped { ids: &ids(&grouping), groups: 0 };
    for column in cpu::aggregate(grouped, &requests, tuning, ctx).unwrap() {
        assert_eq!(column.len(), 0);
    }
}

/// All that has kernels and gives the same to the bit, whatever the values.
const EXACT: [Aggregation; 16] = [
    Aggregation::Min,
    Aggregation::Max,
    Aggregation::First,
    Aggregation::Last,
    Aggregation::Count,
    Aggregation::Size,
    Aggregation::NUnique,
    Aggregation::Any,
    Aggregation::All,
    Aggregation::Median,
    Aggregation::Quantile(0.0),
    Aggregation::Quantile(0.3),
    Aggregation::Quantile(1.0),
    Aggregation::BitAnd,
    Aggregation::BitOr,
    Aggregation::BitXor,
];

/// The aggregations that have kernels, of groups of keys, on every device.
fn aggregations_everywhere(key: &Column, values: &[Column], drop_nulls: bool, wanted: &[Aggregation]) {
    let columns = [std::slice::from_ref(key), values].concat();
    same_everywhere(&columns, |columns, ctx| {
        let groups = group(&Table::new(vec![columns[0].clone()])?, drop_nulls, ctx)?;
        let has_kernel = |(column, how): &(&Column, Aggregation)| {
            result_type(column.data_type(), *how).is_ok() && cuda::has_kernel(column.data_type(), *how)
        };
        let pairs = columns[1..].iter().flat_map(|column| wanted.iter().map(move |how| (column, *how)));
        let requests: Vec<_> = pairs.filter(has_kernel).collect();
        Table::with_rows(aggregate(&groups, &requests, ctx)?, groups.num_groups)
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_column_on_every_device((key, values) in (any_key_type(), any_data_type(), any_data_type(), 0usize..150)
            .prop_flat_map(|(k, a, b, n)| (any_column(k, n), [any_column(a, n), any_column(b, n)])),
            drop_nulls: bool) {
        aggregations_everywhere(&key, &values, drop_nulls, &EXACT);
        // Sums of decimals and durations may not fit.
        let is_integer = |column: &&Column| {
            let of = column.data_type();
            !of.is_float() && !of.is_decimal() && !of.is_duration()
        };
        let integers: Vec<Column> = values.iter().filter(is_integer).cloned().collect();
        aggregations_everywhere(
            &key, &integers, drop_nulls, &[Aggregation::Sum, Aggregation::Mean, Aggregation::Product],
        );
    }
}

/// Values whose sums are exact in any order, in few groups (shared memory) and in many (device memory).
#[test]
fn sums_on_every_device() {
    let host = &Context::current();
    for (len, groups) in [(1, 1), (700, 3), (9000, 40), (9000, 6000)] {
        let mut random = Random(groups);
        let keys: Vec<Option<i64>> =
            (0..len).map(|_| Some(random.below(groups) as i64).filter(|key| key % 11 != 7)).collect();
        let key = Column::from_options(&keys, host).unwrap();
        macro_rules! numbers {
            ($($t:ty),*) => {[$({
                let values: Vec<Option<$t>> =
                    (0..len).map(|i| (i % 5 != 2).then(|| (random.next() >> 44) as i64 as $t)).collect();
                Column::from_options(&values, host).unwrap()
            }),*]};
        }
        let values = numbers![i8, i16, i32, i64, u8, u16, u32, u64, f32, f64];
        let all = [Aggregation::Sum, Aggregation::Mean, Aggregation::Count, Aggregation::Min];
        aggregations_everywhere(&key, &values, true, &all);
        aggregations_everywhere(&key, &values, false, &EXACT);
        let times = [
            values[3].bit_cast(DataType::Duration(TimeUnit::Seconds)).unwrap(),
            values[3].bit_cast(DataType::Timestamp(TimeUnit::Nanoseconds)).unwrap(),
            values[2].bit_cast(DataType::Timestamp(TimeUnit::Days)).unwrap(),
        ];
        aggregations_everywhere(&key, &times, true, &all);
    }
}

/// Floats of a group, and their sum to the last bit.
type Exact = (&'static [f64], f64);

const EXACT_SUMS: [Exact; 17] = [
    (&[1e16, 1.0, -1e16], 1.0),
    (&[0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17),
    (&[1e20, 3.0, -1e20, 1e-5], 3.00001),
    (&[f64::INFINITY, 1.0], f64::INFINITY),
    (&[f64::INFINITY, f64::NEG_INFINITY], f64::NAN),
    (&[-5e-324], -5e-324),
    // Subnormal numbers of several lengths, also below a normal one.
    (&[5e-324, 1e-310, 3e-320], 1.00000000030004e-310),
    (&[2.2250738585072014e-308, 5e-324, -1e-309], 2.1250738585072017e-308),
    // Half a unit goes to the even number, unless anything more is set below it, however far.
    (&[1.0, 1.1102230246251565e-16], 1.0),
    (&[1.0000000000000002, 1.1102230246251565e-16], 1.0000000000000004),
    (&[1.0, 1.1102230246251565e-16, 8.271806125530277e-25], 1.0000000000000002),
    (&[1.0, 1.1102230246251565e-16, -8.271806125530277e-25], 1.0),
    (&[-1.0, -1.1102230246251565e-16, -8.271806125530277e-25], -1.0000000000000002),
    (&[1.0, 1.1102230246251565e-16, 1.2924697071141057e-26], 1.0000000000000002),
    (&[3.0, -4.440892098500626e-16, -2.220446049250313e-16], 2.999999999999999),
    (&[1.7e308, 1.7e308, -1.7e308], 1.7e308),
    (&[], 0.0),
];

/// Sums on a GPU are exact while the exponents of the column span few binades, and rounded once.
#[test]
fn exact_sums_on_devices() {
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (values, expected) in EXACT_SUMS {
            let rows: Vec<f64> = values.iter().copied().chain([f64::NAN]).collect();
            let column = Column::from_slice(&rows, &ctx).unwrap();
            let keys = Table::new(vec![Column::from_slice(&vec![7i32; rows.len()], &ctx).unwrap()]).unwrap();
            let groups = group(&keys, true, &ctx).unwrap();
            let sum = aggregate(&groups, &[(&column, Aggregation::Sum)], &ctx).unwrap().remove(0);
            let sum = sum.get(0).unwrap().as_f64().unwrap();
            assert!(
                sum.to_bits() == expected.to_bits() || sum.is_nan() && expected.is_nan(),
                "{values:?}: {sum}"
            );
            let reduced = crate::reduce::reduce(&column, Aggregation::Sum, &ctx).unwrap().as_f64().unwrap();
            assert!(reduced.to_bits() == expected.to_bits() || reduced.is_nan() && expected.is_nan());
        }
    }
}

/// Sums that are not exact stay close, and so do spreads; exponents that are far apart are added in order.
#[test]
fn rounded_results_on_devices() {
    let host = &Context::current();
    let mut random = Random(5);
    let len = 6000;
    let keys: Vec<i64> = (0..len).map(|_| random.below(70) as i64).collect();
    let key = Column::from_slice(&keys, host).unwrap();
    let near: Vec<f64> = (0..len).map(|_| random.next() as f64 / u64::MAX as f64).collect();
    let far: Vec<f64> = near.iter().enumerate().map(|(i, x)| x * 10f64.powi(i as i32 % 61 - 30)).collect();
    let single: Vec<f32> = near.iter().map(|&x| x as f32 - 0.5).collect();
    let values = [
        Column::from_slice(&near, host).unwrap(),
        Column::from_slice(&far, host).unwrap(),
        Column::from_slice(&single, host).unwrap(),
        key.clone(),
    ];
    let wanted = [
        Aggregation::Sum,
        Aggregation::Mean,
        Aggregation::Var { ddof: 1 },
        Aggregation::Std { ddof: 0 },
        Aggregation::Sem { ddof: 2 },
    ];
    let of = |ctx: &Context| {
        let there: Vec<Column> = values.iter().map(|column| column.to_device(ctx).unwrap()).collect();
        let groups = group(&Table::new(vec![key.to_device(ctx).unwrap()]).unwrap(), true, ctx).unwrap();
        let requests: Vec<_> =
            there.iter().flat_map(|column| wanted.iter().map(move |how| (column, *how))).collect();
        let columns = aggregate(&groups, &requests, ctx).unwrap();
        columns.into_iter().map(|column| column.to_host().unwrap()).collect::<Vec<_>>()
    };
    let expected = of(host);
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (i, (got, expected)) in of(&ctx).iter().zip(&expected).enumerate() {
            assert_eq!((got.data_type(), got.len()), (expected.data_type(), expected.len()));
            let close = if expected.data_type() == DataType::Float32 { 1e-6 } else { 1e-12 };
            for row in 0..got.len() {
                let (a, b) = (got.get(row).unwrap(), expected.get(row).unwrap());
                let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else {
                    assert_eq!(a.is_null(), b.is_null());
                    continue;
                };
                assert!((a - b).abs() <= close * b.abs().max(1e-3), "column {i}, group {row}: {a}, {b}");
            }
        }
    }
}

/// Missing values and rows in no group have no part in spreads, whatever is stored for them.
#[test]
fn spreads_of_what_is_there_on_devices() {
    let host = &Context::current();
    // Of group 0: 1, 5, 3; of group 1: 2; of group 2 none.
    let values = [1.0, 1e300, f64::NAN, 5.0, 2.0, f64::NAN, 7e200, 3.0];
    let ids = [0, 0, 0, 0, 1, 2, -1, 0];
    let valid = [true, false, true, true, true, true, true, true];
    let mask = null_mask::from_fn(8, host, |row| valid[row]).unwrap();
    let doubles = Column::from_slice(&values, host).unwrap().with_mask(Some(mask.clone()), host).unwrap();
    let whole: Vec<i32> = values.iter().map(|x| if x.is_nan() { 3 } else { *x as i32 }).collect();
    let whole = Column::from_slice(&whole, host).unwrap().with_mask(Some(mask), host).unwrap();
    for ctx in cuprum_testing::contexts() {
        let grouping = Grouping {
            ids: Column::from_slice(&ids, &ctx).unwrap(),
            first_rows: Column::empty(DataType::Int32),
            num_groups: 3,
        };
        let of = |column: &Column, how| {
            let there = column.to_device(&ctx).unwrap();
            let all = aggregate(&grouping, &[(&there, how)], &ctx).unwrap().remove(0).to_host().unwrap();
            (0..3).map(|row| all.get(row).unwrap().as_f64()).collect::<Vec<_>>()
        };
        assert_eq!(of(&doubles, Aggregation::Var { ddof: 1 }), [Some(4.0), None, None]);
        assert_eq!(of(&doubles, Aggregation::Std { ddof: 1 }), [Some(2.0), None, None]);
        assert_eq!(of(&doubles, Aggregation::Var { ddof: 0 })[1..], [Some(0.0), None]);
        // 1, 3, 5 and 3.
        assert_eq!(of(&whole, Aggregation::Var { ddof: 0 }), [Some(2.0), Some(0.0), Some(0.0)]);
    }
}

/// An extreme that is zero has the sign of the first zero of its group.
#[test]
fn extremes_that_are_zero_on_devices() {
    for ctx in cuprum_testing::contexts() {
        let values = [-0.0, 0.0, 0.0, -0.0, 5.0, -0.0, 0.0, -2.0, -0.0, f64::NAN, -0.0];
        let ids = [0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4];
        let grouping = Grouping {
            ids: Column::from_slice(&ids, &ctx).unwrap(),
            first_rows: Column::empty(DataType::Int32),
            num_groups: 5,
        };
        let single: Vec<f32> = values.iter().map(|x| *x as f32).collect();
        for column in [Column::from_slice(&values, &ctx).unwrap(), Column::from_slice(&single, &ctx).unwrap()]
        {
            let of = |how| {
                let all = aggregate(&grouping, &[(&column, how)], &ctx).unwrap().remove(0);
                row_texts(&all.to_host().unwrap())
            };
            assert_eq!(of(Aggregation::Min), ["-0.0", "0.0", "-0.0", "-2.0", "-0.0"]);
            assert_eq!(of(Aggregation::Max), ["-0.0", "0.0", "5.0", "-0.0", "-0.0"]);
            let zeros = column.slice(2, 2).unwrap();
            for how in [Aggregation::Min, Aggregation::Max] {
                assert_eq!(crate::reduce::reduce(&zeros, how, &ctx).unwrap().to_string(), "0.0");
                let other = column.slice(0, 2).unwrap();
                assert_eq!(crate::reduce::reduce(&other, how, &ctx).unwrap().to_string(), "-0.0");
            }
        }
    }
}

/// Products of floats come out near the CPU's, in one tile of rows and in many; those of nothing are 1.
#[test]
fn products_on_devices() {
    let host = &Context::current();
    let mut random = Random(8);
    for (len, groups) in [(1usize, 1u64), (700, 3), (5000, 700)] {
        let keys: Vec<i64> = (0..len).map(|_| random.below(groups) as i64).collect();
        let values: Vec<Option<f64>> = (0..len)
            .map(|i| {
                (i % 7 != 3)
                    .then(|| if i % 5 == 0 { f64::NAN } else { 0.9 + random.below(99) as f64 / 500.0 })
            })
            .collect();
        let single: Vec<Option<f32>> = values.iter().map(|x| x.map(|x| x as f32)).collect();
        let key = Column::from_slice(&keys, host).unwrap();
        let values =
            [Column::from_options(&values, host).unwrap(), Column::from_options(&single, host).unwrap()];
        let of = |ctx: &Context| {
            let there: Vec<Column> = values.iter().map(|column| column.to_device(ctx).unwrap()).collect();
            let groups = group(&Table::new(vec![key.to_device(ctx).unwrap()]).unwrap(), true, ctx).unwrap();
            let requests: Vec<_> = there.iter().map(|column| (column, Aggregation::Product)).collect();
            let columns = aggregate(&groups, &requests, ctx).unwrap();
            columns.into_iter().map(|column| column.to_host().unwrap()).collect::<Vec<_>>()
        };
        let expected = of(host);
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            for (got, expected) in of(&ctx).iter().zip(&expected) {
                assert_eq!((got.data_type(), got.null_count()), (expected.data_type(), 0));
                for row in 0..expected.len() {
                    assert!(close(&got.get(row).unwrap(), &expected.get(row).unwrap(), 1e-7));
                }
            }
        }
    }
}

/// Sums of durations that fit come out, also where they do not on the way; others are refused.
#[test]
fn sums_of_durations_on_devices() {
    let (far, days) = (1i64 << 62, 1i32 << 30);
    for ctx in cuprum_testing::contexts() {
        let of = |columns: &[Column]| {
            let ids = Column::from_slice(&[0i32, 0, 1, 0, -1], &ctx).unwrap();
            let first_rows = Column::empty(DataType::Int32);
            let grouping = Grouping { ids, first_rows, num_groups: 2 };
            let requests: Vec<_> = columns.iter().map(|column| (column, Aggregation::Sum)).collect();
            let sums = aggregate(&grouping, &requests, &ctx).map_err(|error| error.kind())?;
            let texts = sums.iter().map(|sums| {
                let numbers =
                    if sums.data_type().size() == Some(4) { DataType::Int32 } else { DataType::Int64 };
                row_texts(&sums.to_host().unwrap().bit_cast(numbers).unwrap())
            });
            Ok::<_, ErrorKind>(texts.collect::<Vec<_>>())
        };
        let wide = |values: &[Option<i64>; 5]| {
            let column = Column::from_options(values, &ctx).unwrap();
            column.bit_cast(DataType::Duration(TimeUnit::Nanoseconds)).unwrap()
        };
        let narrow = |values: &[i32; 5]| {
            let column = Column::from_slice(values, &ctx).unwrap();
            column.bit_cast(DataType::Duration(TimeUnit::Days)).unwrap()
        };
        let fits = [
            wide(&[Some(far), Some(far), None, Some(-far - 3), Some(far)]),
            narrow(&[days, days, -5, -days - 7, days]),
        ];
        assert_eq!(
            of(&fits).unwrap(),
            [[(far - 3).to_string(), "0".to_owned()], [(days - 7).to_string(), "-5".to_owned()]]
        );
        for (sign, less) in [(1, 0), (-1, 1)] {
            let unfit = wide(&[Some(sign * far), Some(sign * far - less), None, Some(0), None]);
            assert_eq!(of(&[unfit]), Err(ErrorKind::Overflow));
        }
        assert_eq!(of(&[narrow(&[days, days, 0, 0, 0])]), Err(ErrorKind::Overflow));
        let least = narrow(&[-days, -days, 0, 0, 0]);
        assert_eq!(of(&[least]).unwrap(), [[i32::MIN.to_string(), "0".to_owned()]]);
    }
}

/// Decimals of every width are added exactly or refused; means round halves to even, on both sides of zero.
#[test]
fn decimals_on_devices() {
    let host = &Context::current();
    let most = i128::MAX;
    let values: [&[Option<i128>]; 8] = [
        &[],
        &[None, None],
        &[Some(most), Some(-most), Some(most), None],
        &[Some(most), Some(most), Some(-most), Some(-1)],
        &[Some(i128::MIN), Some(most), Some(1), Some(-5)],
        &[Some(most), Some(1)],
        &[Some(i128::MIN), Some(-1)],
        &[Some(1 << 64), Some(-1), Some(u64::MAX as i128), Some(-(1 << 96))],
    ];
    // The last row of four is of a group of its own, so sums and means of two groups come out.
    let ids = |n: usize| (0..n).map(|row| i32::from(row % 4 == 3)).collect::<Vec<_>>();
    let wide = |values: &[Option<i128>]| {
        let of = DataType::Decimal128(-3);
        crate::decimals::column(
            values.len(),
            of,
            Some(null_mask::from_fn(values.len(), host, |row| values[row].is_some()).unwrap()),
            host,
            |row| values[row],
        )
        .unwrap()
    };
    let mut columns: Vec<Column> = values.iter().map(|values| wide(values)).collect();
    // Thirds and halves of both signs, at every width.
    let small = [Some(1i32), Some(-1), Some(1), Some(i32::MIN), Some(i32::MAX), None, Some(-7), Some(3)];
    let middle = small.map(|x| x.map(|x| i64::from(x) << 31));
    columns.push(Column::from_options(&small, host).unwrap().bit_cast(DataType::Decimal32(-2)).unwrap());
    columns.push(Column::from_options(&middle, host).unwrap().bit_cast(DataType::Decimal64(4)).unwrap());
    columns.push(wide(&small.map(|x| x.map(|x| i128::from(x) * 1_000_003))));
    let mut random = Random(3);
    let many: Vec<Option<i128>> =
        (0..5000).map(|_| Some(i128::from(random.next() as i64) << 40).filter(|x| x % 11 != 0)).collect();
    columns.push(wide(&many));
    // Sums of 64 numbers whose mean lies half way between two integers with six digits more.
    let halves: Vec<Option<i128>> = (0..256).map(|i| Some(if i < 128 { i } else { -i })).collect();
    columns.push(wide(&halves).slice(3, 250).unwrap());
    for column in &columns {
        for how in [Aggregation::Sum, Aggregation::Mean, Aggregation::Min, Aggregation::Max] {
            let of = |ctx: &Context| {
                let ids = Column::from_slice(&ids(column.len()), ctx).unwrap();
                let num_groups = column.len().min(2);
                let grouping = Grouping { ids, first_rows: Column::empty(DataType::Int32), num_groups };
                let there = column.to_device(ctx).unwrap();
                let groups = aggregate(&grouping, &[(&there, how)], ctx)
                    .map(|mut all| row_texts(&all.remove(0).to_host().unwrap()))
                    .map_err(|error| error.to_string());
                let all = crate::reduce::reduce(&there, how, ctx)
                    .map(|all| all.to_string())
                    .map_err(|error| error.to_string());
                (groups, all)
            };
            let expected = of(host);
            for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                assert_eq!(of(&ctx), expected, "{how:?} of {column:?}");
            }
        }
    }
    // Overflows on the way are none in the end.
    let sum = |values: &[Option<i128>]| crate::reduce::reduce(&wide(values), Aggregation::Sum, host);
    assert_eq!(
        sum(&[Some(most), Some(1), Some(-2)]).unwrap().to_string(),
        wide(&[Some(most - 1)]).get(0).unwrap().to_string()
    );
    assert_eq!(sum(&[Some(most), Some(1)]).unwrap_err().kind(), ErrorKind::Overflow);
}

#[test]
fn ids_of_any_kind_on_devices() {
    for ctx in cuprum_testing::contexts() {
        let values = Column::from_slice(&[1i64, 2, 4, 8], &ctx).unwrap();
        let first_rows = Column::from_slice(&[0i32, 1], &ctx).unwrap();
        let sums = |ids: Column| {
            let grouping = Grouping { ids, first_rows: first_rows.clone(), num_groups: 2 };
            let sums = aggregate(&grouping, &[(&values, Aggregation::Sum)], &ctx);
            sums.map(|sums| row_texts(&sums[0].to_host().unwrap())).map_err(|e| e.kind())
        };
        assert_eq!(sums(Column::from_slice(&[0i64, 1 << 40, 1, -1], &ctx).unwrap()).unwrap(), ["1", "4"]);
        assert_eq!(sums(Column::from_slice(&[0i32, 7, 1, 1], &ctx).unwrap()).unwrap(), ["1", "12"]);
        assert_eq!(sums(Column::from_slice(&[0u8, 0, 1, 1], &ctx).unwrap()), Err(ErrorKind::DataType));
        let nulls = Column::from_options(&[Some(0i32), None, Some(1), Some(1)], &ctx).unwrap();
        assert_eq!(sums(nulls), Err(ErrorKind::InvalidArgument));
    }
}

/// Statistics of groups are the CPU's however many there are: in shared memory at once, range by range, by parts
/// that fit it, and by parts that do not.
#[test]
fn statistics_of_many_groups_on_devices() {
    let (host, n) = (&Context::current(), 9000usize);
    let mut random = Random(11);
    let wholes: Vec<Option<i64>> = (0..n).map(|_| Some(random.next() as i64)).collect();
    let some: Vec<Option<i64>> = wholes.iter().map(|x| x.filter(|x| x % 7 != 0)).collect();
    let exact: Vec<f64> =
        (0..n).map(|_| [0.0, -0.0, f64::NAN, 2.5, -71.25, 9e6][random.below(6) as usize]).collect();
    let infinite: Vec<f64> =
        exact.iter().enumerate().map(|(i, x)| if i % 3000 == 7 { f64::INFINITY } else { *x }).collect();
    let values = [
        Column::from_options(&some, host).unwrap(),
        Column::from_slice(&exact, host).unwrap(),
        Column::from_slice(&infinite, host).unwrap(),
        Column::from_slice(&wholes.iter().map(|x| x.unwrap_or(0) as i8).collect::<Vec<_>>(), host).unwrap(),
    ];
    let wanted = [
        Aggregation::Sum,
        Aggregation::Mean,
        Aggregation::Min,
        Aggregation::Max,
        Aggregation::Count,
        Aggregation::First,
        Aggregation::Last,
        Aggregation::Any,
    ];
    let tuning = crate::reduce::statistics::Tuning { many_rows: 100, most_shared: 640 };
    let contexts: Vec<_> = cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).collect();
    for groups in [2usize, 9, 300, 4000] {
        let ids: Vec<i32> =
            (0..n).map(|i| (random.below(groups as u64 + 1) as i32 - 1).max(i as i32 % 2 - 1)).collect();
        let first_rows = Column::from_slice(&vec![0i32; groups], host).unwrap();
        let ids = Column::from_slice(&ids, host).unwrap();
        let grouping = Grouping { ids: ids.clone(), first_rows, num_groups: groups };
        let requests: Vec<_> =
            values.iter().flat_map(|column| wanted.iter().map(move |how| (column, *how))).collect();
        let expected = aggregate(&grouping, &requests, host).unwrap();
        for (number, ctx) in contexts.iter().enumerate() {
            // All without the race check, which is slow.
            if number > 0 && (number + groups) % 4 != 0 {
                continue;
            }
            let ids = ids.to_device(ctx).unwrap();
            let span = crate::reduce::statistics::ids_of(&ids).unwrap();
            for (column, expected) in values.iter().zip(expected.chunks(wanted.len())) {
                let column = column.to_device(ctx).unwrap();
                let typed: Vec<_> =
                    wanted.iter().map(|how| (*how, result_type(column.data_type(), *how).unwrap())).collect();
                let got = crate::reduce::statistics::aggregate_tuned(
                    span.as_ref(),
                    &column,
                    groups,
                    &typed,
                    tuning,
                    ctx,
                );
                for ((got, expected), how) in got.unwrap().iter().zip(expected).zip(wanted) {
                    let context = format!("{groups} groups, {how:?} of {}", column.data_type());
                    assert_eq!(row_texts(&got.to_host().unwrap()), row_texts(expected), "{context}");
                }
            }
        }
    }
}
