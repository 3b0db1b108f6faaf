use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cuprum_column::{Column, DataType, ErrorKind, HostUVec, Scalar, Table, TimeUnit, Value};
use cuprum_runtime::memory::{CpuMemoryResource, LimitingResourceAdaptor, Tracked};
use cuprum_testing::{LENGTHS, Random, any_column, any_data_type, any_key_type, assert_column_eq, model_key};
use proptest::prelude::*;

use super::group_keys::group_keys;
use super::group_keys::group_within;
use super::numbering::number_keys;
use super::*;
use crate::accumulation::compensated::Compensated;
use crate::accumulation::cpu::block::UnitRows;
use crate::accumulation::cpu::grouped::Grouped;
use crate::accumulation::cpu::layout::AccumulationLayout;
use crate::accumulation::cpu::layout_tuning::LayoutTuning;
use cuprum_elements::row_numbers::NarrowRows;
use cuprum_keys::equality::cpu::Tuning;

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

/// The group of every row.
fn ids(grouping: &Grouping) -> Vec<u32> {
    let view = grouping.ids(&Context::current()).unwrap().view().unwrap();
    NarrowRows::new("ids", &view, &Context::current()).unwrap().to_vec()
}

fn check_group(keys: &Table) {
    let ctx = &Tracked::current();
    for drop_nulls in [true, false] {
        let (ids, first) = model_group(keys, drop_nulls);
        for tuning in Tuning::each(keys.num_rows()) {
            let numbers = number_keys(keys, drop_nulls, tuning, ctx).unwrap();
            let grouping = Grouping::of_numbers(numbers, ctx).unwrap();
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
            let grouping = Grouping::of_numbers(numbers, ctx).unwrap();
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

/// The compensated sum: rounding errors are kept and added at the end.
fn exact_sum(values: &[f64]) -> f64 {
    let mut sum = Compensated::ZERO;
    values.iter().for_each(|value| sum.add(*value));
    sum.total()
}

/// The expected result of `aggregation` for one group: the values of all its rows, in order.
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
            let set: HashSet<_> = values.iter().map(|v| model_key(v)).collect();
            Scalar::from(set.len() as i64)
        }
        Aggregation::Sum if of.is_float() => float(exact_sum(&f64s())),
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
        Aggregation::Mean if of.is_float() => float(exact_sum(&f64s()) / values.len() as f64),
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

pub(super) fn close(a: &Scalar, b: &Scalar, tolerance: f64) -> bool {
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

/// All rows are moved to parts.
const MOVED: LayoutTuning =
    LayoutTuning { chunks_up_to: 0, chunk: 64, listed: None, run: usize::MAX, in_place_above: 256 };

/// The rows of the first part are not moved, if it has any.
const IN_PLACE: LayoutTuning = LayoutTuning { in_place_above: 0, ..MOVED };

fn check_aggregate(keys: &Table, values: &Column) {
    let ctx = &Tracked::current();
    let of = values.data_type();
    let requests: Vec<_> = ALL.iter().copied().filter(|a| result_type(of, *a).is_ok()).collect();
    let grouping = group(keys, true, ctx).unwrap();
    let ids = &ids(&grouping);
    let grouped = Grouped { ids, groups: grouping.num_groups, parted: None, coded: None };
    let mut rows = vec![Vec::new(); grouping.num_groups];
    for (row, &id) in ids.iter().enumerate().filter(|(_, id)| **id != u32::MAX) {
        rows[id as usize].push(values.get(row).unwrap());
    }
    // The sum of floats of very different size depends on the order of addition.
    let wild = rows.iter().flatten().any(|v| v.as_f64().is_some_and(|x| x.abs() > 1e60 || x.is_infinite()));
    let pairs: Vec<_> = requests.iter().map(|a| (values, *a)).collect();
    // Rows that stay in parts know their groups without numbers, and have the same numbers if somebody asks.
    let partitioned = Tuning { direct_bound: 0, parted_above: 0, ..Tuning::for_rows(0) };
    let partitioned = group_keys(keys, true, partitioned, ctx).unwrap();
    assert_eq!(&self::ids(&partitioned), ids);
    // So do those that look them up, where keys are a few integers.
    let by_code = group_keys(keys, true, Tuning { coded_from: 0, ..Tuning::for_rows(0) }, ctx).unwrap();
    assert_eq!(&self::ids(&by_code), ids);
    if let Some(coded) = by_code.coded() {
        let tuning = LayoutTuning { chunks_up_to: usize::MAX, ..MOVED };
        let expected = cpu::aggregate(grouped, &pairs, tuning, ctx).unwrap_or_default();
        let by_row = |how: &Aggregation| *how == Aggregation::NUnique;
        let pairs: Vec<_> = pairs.iter().filter(|(_, how)| !by_row(how)).copied().collect();
        let got = cpu::aggregate(Grouped { ids: &[], coded: Some(coded), ..grouped }, &pairs, tuning, ctx);
        let expected = requests.iter().zip(expected).filter(|(how, _)| !by_row(how));
        expected.zip(got.unwrap_or_default()).for_each(|((_, a), b)| assert_column_eq(&a, &b));
    }
    for tuning in [
        LayoutTuning::within(None, 0),
        LayoutTuning { chunks_up_to: usize::MAX, ..MOVED },
        MOVED,
        IN_PLACE,
        LayoutTuning { run: 100, ..MOVED },
        LayoutTuning { run: 70, ..IN_PLACE },
        LayoutTuning { listed: Some(7), ..MOVED },
        LayoutTuning { listed: Some(100), ..MOVED },
    ] {
        let parted = partitioned.parted().filter(|_| tuning == MOVED);
        let got =
            cpu::aggregate(Grouped { parted, ..grouped }, &pairs, tuning, ctx).unwrap_or_else(|error| {
                assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
                assert!(of.is_duration());
                Vec::new()
            });
        if tuning.listed.is_some() {
            // Rows of a part are added in the same order, moved, in place or listed.
            for other in
                [MOVED, IN_PLACE, LayoutTuning { run: 90, ..MOVED }, LayoutTuning { run: 50, ..IN_PLACE }]
            {
                let other = cpu::aggregate(grouped, &pairs, other, ctx).unwrap_or_default();
                got.iter().zip(&other).for_each(|(listed, other)| assert_column_eq(listed, other));
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
            for tuning in Tuning::each(rows) {
                let numbers = number_keys(&table, true, tuning, ctx).unwrap();
                assert!(numbers.ids[..] == expected[..], "{rows} rows, {groups} groups, {tuning:?}");
            }
        }
    }
}

#[test]
fn many_groups_are_summed_partitioned_and_few_in_chunks() {
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

/// Values move to few groups, whose numbers fit a byte; of more groups rows are listed.
#[test]
fn as_many_groups_as_fit_a_byte_and_more() {
    let ctx = &Tracked::current();
    for groups in [254, 255, 256, 700] {
        let mut random = Random(groups);
        let keys: Vec<i64> = (0..4 * groups + 3).map(|row| (row * 7 % groups) as i64 * 1000).collect();
        let values = (0..keys.len()).map(|_| Some(random.below(90) as f64 / 8.0).filter(|&x| x > 1.0));
        let values = Column::from_options(&values.collect::<Vec<_>>(), ctx).unwrap();
        check_aggregate(&Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap(), &values);
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
    assert!(error.to_string().contains("sum of str"), "{error}");
    let short = Column::from_slice(&[1i64], ctx).unwrap();
    let kind = |column, aggregation| aggregate(&none, &[(column, aggregation)], ctx).unwrap_err().kind();
    assert_eq!(kind(&short, Aggregation::Sum), ErrorKind::Logic);
    let four = Column::from_slice(&[1i64, 2, 3, 4], ctx).unwrap();
    assert_eq!(kind(&four, Aggregation::Quantile(1.5)), ErrorKind::InvalidArgument);
    assert_eq!(kind(&four, Aggregation::Quantile(f64::NAN)), ErrorKind::InvalidArgument);
    // Ids that the caller has made: of another type, with nulls, and of groups that there are not.
    let of_ids = |ids: Column| {
        let first_rows = none.first_rows.clone();
        aggregate(&Grouping::new(ids, first_rows, 1), &[(&four, Aggregation::Sum)], ctx)
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
    let mut expected = [Compensated::ZERO; 4];
    for (ids, values) in ids(&grouping).chunks(1 << 16).zip(values.chunks(1 << 16)) {
        let mut chunk = [Compensated::ZERO; 4];
        ids.iter().zip(values).for_each(|(id, v)| chunk[*id as usize].add(*v));
        expected.iter_mut().zip(chunk).for_each(|(sum, c)| *sum = sum.and(c));
    }
    let expected = expected.map(Compensated::total);
    // To the last bit: this is what makes sums independent of the number of threads.
    assert_eq!(got[0].view().unwrap().values::<f64>().unwrap(), expected);
}

/// However many rows there are, some accumulators are there at a time and not those of every chunk; all
/// rows are seen once, and merges are in order.
#[test]
fn the_accumulators_of_all_rows_are_few() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let ctx = &Tracked::current();
    let ids: Vec<u32> = (0..1_000_000).map(|i| i % 3).collect();
    let tuning = LayoutTuning { chunks_up_to: usize::MAX, ..MOVED };
    let layout =
        AccumulationLayout::new(Grouped { ids: &ids, groups: 3, parted: None, coded: None }, tuning, ctx)
            .unwrap();
    let made = AtomicUsize::new(0);
    let seen = layout.run(
        ctx,
        None,
        &|_| {
            made.fetch_add(1, Ordering::Relaxed);
            Ok(Vec::new())
        },
        &|unit, rows: &mut Vec<usize>| {
            if let UnitRows::Consecutive(range) = &unit.rows {
                rows.extend([range.start, range.end]);
            }
        },
        &|all, later| {
            for later in later {
                assert_eq!(all.last(), later.first());
                all.extend(later);
            }
        },
    );
    let seen = seen.unwrap();
    let (rows, _) = seen.get(0);
    assert_eq!((rows.first(), rows.last()), (Some(&0), Some(&1_000_000)));
    assert!(made.load(Ordering::Relaxed) <= 256, "{made:?} accumulators");
}

/// More groups than a thread merges, whose chunks have few rows of each.
#[test]
fn many_groups_are_accumulated_in_chunks() {
    let ctx = &Tracked::current();
    let (rows, groups) = (900_000usize, 70_000usize);
    let mut random = Random(8);
    let id = |row: usize| if row < groups { row as u64 } else { random.below(groups as u64) };
    let ids: Vec<u32> = (0..rows).map(id).map(|id| id as u32).collect();
    let values: Vec<i64> = (0..rows).map(|_| random.next() as i64 >> 8).collect();
    let mut model = vec![(0i64, 0i64, i64::MAX, None); groups];
    for (id, &value) in ids.iter().zip(&values) {
        let (size, sum, min, first) = &mut model[*id as usize];
        (*size, *sum, *min) = (*size + 1, sum.wrapping_add(value), value.min(*min));
        first.get_or_insert(value);
    }
    let column = Column::from_slice(&values, ctx).unwrap();
    let floats = Column::from_slice(&values.iter().map(|v| *v as f64).collect::<Vec<_>>(), ctx).unwrap();
    let requests = [
        (&column, Aggregation::Size),
        (&column, Aggregation::Sum),
        (&column, Aggregation::Min),
        (&column, Aggregation::First),
        (&floats, Aggregation::Std { ddof: 1 }),
    ];
    let grouped = Grouped { ids: &ids, groups, parted: None, coded: None };
    let tuning = LayoutTuning { chunk: 64, ..LayoutTuning::within(None, rows) };
    let got = cpu::aggregate(grouped, &requests, tuning, ctx).unwrap();
    /// Rows, sum, minimum and first value of a group.
    type Model = (i64, i64, i64, Option<i64>);
    let is = |i: usize, of: &dyn Fn(&Model) -> Option<i64>| {
        let expected: Vec<Option<i64>> = model.iter().map(of).collect();
        assert_column_eq(&got[i], &Column::from_options(&expected, ctx).unwrap());
    };
    is(0, &|group| Some(group.0));
    is(1, &|group| Some(group.1));
    is(2, &|group| group.3.map(|_| group.2));
    is(3, &|group| group.3);
    // Rows that are moved to parts have the same spreads, but for rounding.
    let moved = cpu::aggregate(grouped, &requests[4..], MOVED, ctx).unwrap();
    for group in 0..groups {
        assert!(close(&got[4].get(group).unwrap(), &moved[0].get(group).unwrap(), 1e-9), "group {group}");
    }
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
    let grouped = Grouped { ids: &ids, groups: 100_000, parted: None, coded: None };
    let requests = [
        (&column, Aggregation::Sum),
        (&column, Aggregation::First),
        (&column, Aggregation::Last),
        (&column, Aggregation::Std { ddof: 1 }),
        (&column, Aggregation::Size),
    ];
    let moved = cpu::aggregate(grouped, &requests, MOVED, ctx).unwrap();
    for run in [50_000, 65_536, 300_000] {
        let listed =
            cpu::aggregate(grouped, &requests, LayoutTuning { listed: Some(run), ..MOVED }, ctx).unwrap();
        listed.iter().zip(&moved).for_each(|(listed, moved)| assert_column_eq(listed, moved));
    }
    let in_place = cpu::aggregate(grouped, &requests, IN_PLACE, ctx).unwrap();
    in_place.iter().zip(&moved).for_each(|(in_place, moved)| assert_column_eq(in_place, moved));
    let of_key: Vec<f64> = (0..rows).filter(|&row| ids[row] == 17).map(|row| values[row]).collect();
    assert!(of_key.len() > 9 * rows / 10 - 3000, "several chunks");
    let get = |i: usize| moved[i].get(17).unwrap();
    assert!(close(&get(0), &Scalar::from(of_key.iter().sum::<f64>()), 1e-12));
    assert_eq!((get(1), get(2)), (Scalar::from(of_key[0]), Scalar::from(of_key[of_key.len() - 1])));
    assert_eq!(get(4).as_i64(), Some(of_key.len() as i64));
}

/// Rows of frequent keys stay where they are, those of others are moved: every type and aggregation has what it has
/// where all are moved, to the bit, on slices, with nulls, NaN and rows in no group.
#[test]
fn frequent_keys_are_accumulated_in_place() {
    let ctx = &Tracked::current();
    let rows = 300_000usize;
    let mut random = Random(11);
    let ids: Vec<u32> = (0..rows)
        .map(|row| match random.below(10) {
            0 => u32::MAX,
            1..3 => random.below(20_000) as u32,
            3..6 => random.below(4_000) as u32,
            // Blocks with frequent keys alone, and with none.
            _ if row / 70_000 == 2 => 4_096 + random.below(15_000) as u32,
            _ => 17,
        })
        .collect();
    let floats: Vec<Option<f64>> = (0..rows)
        .map(|_| match random.below(12) {
            0 => None,
            1 => Some(f64::NAN),
            2 => Some(-0.0),
            _ => Some(random.next() as f64 * 1e-9 - 3.0),
        })
        .collect();
    let ints: Vec<i64> = (0..rows).map(|_| random.next() as i64 >> 20).collect();
    let small: Vec<Option<i16>> =
        (0..rows).map(|_| (random.below(5) > 0).then(|| random.next() as i16)).collect();
    let words: Vec<Option<String>> =
        (0..rows).map(|_| (random.below(7) > 0).then(|| format!("word {}", random.below(500)))).collect();
    let columns = [
        Column::from_options(&floats, ctx).unwrap(),
        Column::from_slice(&ints, ctx).unwrap(),
        Column::from_options(&small, ctx).unwrap(),
        Column::from_opt_strs(&words, ctx).unwrap(),
    ];
    for (start, len) in [(0, rows), (101, rows - 200), (70_000, 140_001), (5, 0)] {
        let ids = &ids[start..start + len];
        let columns = columns.each_ref().map(|column| column.slice(start, len).unwrap());
        let mut requests = Vec::new();
        for column in &columns {
            let defined = ALL.iter().filter(|how| result_type(column.data_type(), **how).is_ok());
            requests.extend(defined.map(|how| (column, *how)));
        }
        let grouped = Grouped { ids, groups: 20_000, parted: None, coded: None };
        let moved = cpu::aggregate(grouped, &requests, MOVED, ctx).unwrap();
        let in_place = cpu::aggregate(grouped, &requests, IN_PLACE, ctx).unwrap();
        for ((in_place, moved), (column, how)) in in_place.iter().zip(&moved).zip(&requests) {
            let same = |group: usize| {
                let (a, b) = (in_place.get(group).unwrap(), moved.get(group).unwrap());
                a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a.to_bits() == b.to_bits())
            };
            let differs = (0..20_000).find(|&group| !same(group));
            assert_eq!(differs, None, "{how:?} of {}", column.data_type());
        }
    }
}

/// The rows of the extremes of frequent keys among many.
#[test]
fn extreme_rows_of_frequent_keys() {
    let ctx = &Tracked::current();
    let (rows, groups) = (400_000usize, 140_000usize);
    let mut random = Random(3);
    let ids: Vec<i32> = (0..rows)
        .map(|_| if random.below(2) == 0 { 5 } else { random.below(groups as u64) as i32 })
        .collect();
    let values: Vec<Option<i64>> =
        (0..rows).map(|_| (random.below(4) > 0).then(|| random.below(1 << 20) as i64)).collect();
    let mut expected: Vec<Option<usize>> = vec![None; groups];
    for (row, value) in values.iter().enumerate().filter(|(_, value)| value.is_some()) {
        let best = &mut expected[ids[row] as usize];
        if best.is_none_or(|best| values[best] > *value) {
            *best = Some(row);
        }
    }
    let column = Column::from_options(&values, ctx).unwrap();
    let first = Column::from_values(HostUVec::<i32>::from_fn(groups, ctx, |group| group as i32).unwrap());
    let grouping = Grouping::new(Column::from_slice(&ids, ctx).unwrap(), first, groups);
    let found =
        nth_argminmax::extreme_rows(&grouping, &column, cuprum_keys::order::Order::Ascending, ctx).unwrap();
    let expected: Vec<Option<i32>> = expected.iter().map(|row| row.map(|row| row as i32)).collect();
    assert_column_eq(&found, &Column::from_options(&expected, ctx).unwrap());
}

/// Memory that others write to may hold anything at any time: ids that are no groups, and ids of other
/// groups.
#[test]
fn frequent_keys_beside_ids_that_are_none() {
    let ctx = &Tracked::current();
    let values = Column::from_slice(&[1i64; 9_000], ctx).unwrap();
    for id in [4_095, 4_096, 4_999, 5_000, u32::MAX - 1, u32::MAX] {
        let ids: Vec<u32> = (0..9_000).map(|row| if row % 3 == 0 { id } else { 7 }).collect();
        let grouped = Grouped { ids: &ids, groups: 5_000, parted: None, coded: None };
        let requests = [(&values, Aggregation::Sum), (&values, Aggregation::Size)];
        for column in cpu::aggregate(grouped, &requests, IN_PLACE, ctx).unwrap() {
            let mut expected = vec![0i64; 5_000];
            expected[7] = 6_000;
            if let Some(sum) = expected.get_mut(id as usize) {
                *sum = 3_000;
            }
            assert_eq!(column.view().unwrap().values::<i64>().unwrap(), expected);
        }
    }
}

/// Accumulators are memory of the context: where it has not so much, that is an error.
#[test]
fn accumulators_are_memory_of_the_context() {
    let ctx = &Tracked::current();
    let rows = 1_000_000;
    let ids: Vec<u32> = (0..rows).map(|i| i % 1000).collect();
    let values = Column::from_slice(&vec![1i64; rows as usize], ctx).unwrap();
    let words = Column::from_strs(&vec!["a"; rows as usize], ctx).unwrap();
    let grouped = Grouped { ids: &ids, groups: 1000, parted: None, coded: None };
    // 63 chunks of 16 000 rows: half a megabyte of sums.
    let tuning = LayoutTuning { chunks_up_to: usize::MAX, ..MOVED };
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

/// Whoever has a grouping may say that there are more or fewer groups: parts are then left alone.
#[test]
fn parts_with_another_number_of_groups() {
    let ctx = &Tracked::current();
    let keys = Table::new(vec![Column::from_slice(&[7i64, 8, 7, 9], ctx).unwrap()]).unwrap();
    let values = Column::from_slice(&[1i64, 2, 3, 4], ctx).unwrap();
    let tuning = Tuning { direct_bound: 0, parted_above: 0, ..Tuning::for_rows(0) };
    let mut grouping = group_keys(&keys, true, tuning, ctx).unwrap();
    assert!(grouping.parted().is_some());
    for (groups, sums) in [(3, &[4, 2, 4][..]), (4, &[4, 2, 4, 0]), (1, &[4])] {
        grouping.num_groups = groups;
        let got = aggregate(&grouping, &[(&values, Aggregation::Sum)], ctx).unwrap();
        assert_eq!(got[0].view().unwrap().values::<i64>().unwrap(), sums);
    }
}

/// Distinct values of no rows, with little memory.
#[test]
fn no_rows_in_little_memory() {
    let ctx = &Tracked::current();
    let grouping = group(&Table::new(vec![Column::empty(DataType::Int64)]).unwrap(), true, ctx).unwrap();
    let tuning = LayoutTuning { listed: Some(7), ..MOVED };
    let empty = Column::empty(DataType::Int64);
    let requests =
        [(&empty, Aggregation::NUnique), (&empty, Aggregation::Median), (&empty, Aggregation::Sum)];
    let grouped = Grouped { ids: &ids(&grouping), groups: 0, parted: None, coded: None };
    for column in cpu::aggregate(grouped, &requests, tuning, ctx).unwrap() {
        assert_eq!(column.len(), 0);
    }
}

/// Columns that are accumulated together give what each gives alone, to the bit, and what numbers of rows give.
#[test]
fn columns_together_are_as_alone() {
    let ctx = &Tracked::current();
    let mut random = Random(11);
    for (rows, groups) in
        [(0usize, 1u64), (1, 1), (5000, 3), (200_000, 100), (300_001, 3000), (150_000, 20_000)]
    {
        let keys: Vec<i64> = (0..rows).map(|_| random.below(groups) as i64 - 7).collect();
        let keys = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
        let floats: Vec<f64> = (0..rows).map(|_| (random.next() as i32) as f64 / 1e5).collect();
        let narrow: Vec<Option<i16>> =
            (0..rows).map(|_| (random.below(5) > 0).then(|| random.next() as i16)).collect();
        let wide: Vec<i64> = (0..rows).map(|_| random.next() as i64).collect();
        let columns = [
            Column::from_slice(&floats, ctx).unwrap(),
            Column::from_options(&narrow, ctx).unwrap(),
            Column::from_slice(&wide, ctx).unwrap(),
        ];
        let all = [
            Aggregation::Sum,
            Aggregation::Mean,
            Aggregation::Max,
            Aggregation::Count,
            Aggregation::Std { ddof: 1 },
            Aggregation::NUnique,
        ];
        let requests: Vec<_> =
            all.iter().flat_map(|how| columns.iter().map(move |column| (column, *how))).collect();
        let looked_up = group(&keys, true, ctx).unwrap();
        assert_eq!(looked_up.coded().is_some(), rows >= 1 << 16 && groups <= 4096, "{rows} {groups}");
        let numbers = looked_up.ids(ctx).unwrap().clone();
        let numbered = Grouping::new(numbers, looked_up.first_rows.clone(), looked_up.num_groups);
        let together = aggregate(&looked_up, &requests, ctx).unwrap();
        let also = aggregate(&numbered, &requests, ctx).unwrap();
        for ((request, together), also) in requests.iter().zip(&together).zip(&also) {
            assert_column_eq(together, also);
            let alone = aggregate(&looked_up, &[*request], ctx).unwrap();
            assert_column_eq(together, &alone[0]);
            let also = aggregate(&numbered, &[*request], ctx).unwrap();
            assert_column_eq(together, &also[0]);
        }
    }
}

/// Distinct values are counted by bits, among neighbours, by keys of 64 bits and by keys of 128, as a set counts them.
#[test]
fn distinct_values_of_ranges_of_all_sizes() {
    let ctx = &Tracked::current();
    let mut random = Random(5);
    /// The order of keys.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Keys {
        Any,
        Ascending,
        /// Half of them are the first.
        AscendingMostlyOne,
    }
    for (rows, groups, range, order_of_keys) in [
        (0usize, 1u64, 1u64, Keys::Any),
        (1000, 3, 5, Keys::Any),
        (70_000, 1, 1, Keys::Any),
        (70_000, 50, 1000, Keys::Any),
        (70_000, 40_000, 3, Keys::Any),
        (70_000, 50, 1 << 40, Keys::Any),
        (70_000, 50, u64::MAX, Keys::Any),
        (70_000, 60_000, u64::MAX, Keys::Any),
        (1, 1, u64::MAX, Keys::Ascending),
        (65, 33, u64::MAX, Keys::Ascending),
        (70_000, 2000, 1 << 40, Keys::Ascending),
        (70_000, 30_000, 1 << 40, Keys::Ascending),
        (70_000, 60_000, u64::MAX, Keys::Ascending),
        (100_000, 60_000, u64::MAX, Keys::AscendingMostlyOne),
    ] {
        let mut keys: Vec<Option<i64>> =
            (0..rows).map(|_| (random.below(9) > 0).then(|| random.below(groups) as i64)).collect();
        if order_of_keys != Keys::Any {
            keys.iter_mut().for_each(|key| *key = Some(key.unwrap_or(0)));
            keys.sort_unstable();
        }
        if order_of_keys == Keys::AscendingMostlyOne {
            keys[..rows / 2].fill(Some(0));
        }
        // Many rows of a wide range have equal values, too.
        let value =
            |random: &mut Random| (random.next() % range) as i64 & if random.below(2) == 0 { 3 } else { -1 };
        let values: Vec<Option<i64>> =
            (0..rows).map(|_| (random.below(7) > 0).then(|| value(&mut random))).collect();
        let mut sets: HashMap<i64, HashSet<i64>> = HashMap::new();
        let mut order = Vec::new();
        for (key, value) in keys.iter().zip(&values) {
            let Some(key) = key else { continue };
            let set = sets.entry(*key).or_insert_with(|| {
                order.push(*key);
                HashSet::new()
            });
            set.extend(value);
        }
        let expected: Vec<i64> = order.iter().map(|key| sets[key].len() as i64).collect();
        let keys = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
        let values = Column::from_options(&values, ctx).unwrap();
        let grouping = group(&keys, true, ctx).unwrap();
        let counts = aggregate(&grouping, &[(&values, Aggregation::NUnique)], ctx).unwrap();
        assert_eq!(
            counts[0].view().unwrap().values::<i64>().unwrap(),
            expected,
            "{rows} {groups} {range} {order_of_keys:?}"
        );
    }
}
