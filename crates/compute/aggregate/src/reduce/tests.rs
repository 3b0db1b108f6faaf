use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table, TimeUnit, null_mask};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{
    LENGTHS, Random, any_column, any_data_type, any_nested_key_column, assert_column_eq, contexts,
};
use proptest::prelude::*;

use super::Aggregation::*;
use super::*;
use cuprum_testing::rows;

fn ctx() -> Context {
    Tracked::current()
}

fn missing(text: &str) -> bool {
    text == "null" || text == "NaN"
}

/// The values that take part, in order.
fn values(column: &Column) -> Vec<Scalar> {
    (0..column.len()).map(|i| column.get(i).unwrap()).filter(|s| !missing(&s.to_string())).collect()
}

fn int(s: &Scalar) -> i128 {
    s.to_string().replace("true", "1").replace("false", "0").parse().unwrap()
}

fn order(a: &Scalar, b: &Scalar) -> std::cmp::Ordering {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a.cmp(b),
        _ if a.data_type().is_float() => a.as_f64().partial_cmp(&b.as_f64()).unwrap(),
        _ => int(a).cmp(&int(b)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn reductions_follow_the_model(column in (any_data_type(), 0usize..150).prop_flat_map(|(t, n)| any_column(t, n))) {
        let data_type = column.data_type();
        let present = values(&column);
        let n = present.len();
        let get = |agg| reduce(&column, agg, &ctx());
        prop_assert_eq!(get(Size).unwrap().as_i64(), Some(column.len() as i64));
        prop_assert_eq!(get(Count).unwrap().as_i64(), Some(n as i64));
        prop_assert_eq!(get(First).unwrap(), present.first().cloned().unwrap_or(Scalar::null(data_type)));
        prop_assert_eq!(get(Last).unwrap(), present.last().cloned().unwrap_or(Scalar::null(data_type)));
        let mut sorted = present.clone();
        sorted.sort_by(order);
        prop_assert_eq!(get(Min).unwrap(), sorted.first().cloned().unwrap_or(Scalar::null(data_type)));
        prop_assert_eq!(get(Max).unwrap(), sorted.last().cloned().unwrap_or(Scalar::null(data_type)));
        sorted.dedup_by(|a, b| order(a, b).is_eq());
        prop_assert_eq!(get(NUnique).unwrap().as_i64(), Some(sorted.len() as i64));
        if data_type.is_numeric() {
            prop_assert_eq!(get(Any).unwrap().as_bool(), Some(present.iter().any(|s| s.as_f64() != Some(0.0))));
            prop_assert_eq!(get(All).unwrap().as_bool(), Some(present.iter().all(|s| s.as_f64() != Some(0.0))));
        }
        if data_type.is_integer() || data_type == DataType::Bool8 {
            let sum: i128 = present.iter().map(int).sum();
            let wrapped = present.iter().fold(1i64, |p, s| p.wrapping_mul(int(s) as i64));
            let text = |v: i64| if data_type.is_unsigned_integer() { (v as u64).to_string() } else { v.to_string() };
            let bits = |f: fn(i128, i128) -> i128| present.iter().map(int).reduce(f);
            for (agg, expected) in [(BitAnd, bits(|a, b| a & b)), (BitOr, bits(|a, b| a | b)), (BitXor, bits(|a, b| a ^ b))] {
                let found = get(agg).unwrap();
                prop_assert_eq!(found.data_type(), data_type);
                prop_assert_eq!((!found.is_null()).then(|| int(&found)), expected);
            }
            prop_assert_eq!(get(Sum).unwrap().to_string(), text(sum as i64));
            prop_assert_eq!(get(Product).unwrap().to_string(), text(wrapped));
            match get(Mean).unwrap().as_f64() {
                None => prop_assert_eq!(n, 0),
                Some(mean) => {
                    let exact = sum as f64 / n as f64;
                    prop_assert!((mean - exact).abs() <= 1e-9 * exact.abs().max(1e4), "{mean} {exact}");
                }
            }
        }
        if data_type.is_timestamp() && n > 0 {
            let sum: i128 = present.iter().map(int).sum();
            prop_assert_eq!(int(&get(Mean).unwrap()), sum / n as i128);
        }
    }

    #[test]
    fn cumulative_follows_the_model(column in (any_data_type(), 0usize..100).prop_flat_map(|(t, n)| any_column(t, n))) {
        prop_assume!(column.data_type() != DataType::String);
        for op in [CumulativeOp::Min, CumulativeOp::Max] {
            let mut best: Option<Scalar> = None;
            let expected: Vec<String> = (0..column.len()).map(|i| {
                let s = column.get(i).unwrap();
                if missing(&s.to_string()) {
                    return s.to_string();
                }
                let better = |b: &Scalar| if op == CumulativeOp::Min { order(&s, b).is_lt() } else { order(&s, b).is_gt() };
                if best.as_ref().is_none_or(better) {
                    best = Some(s);
                }
                best.as_ref().unwrap().to_string()
            }).collect();
            prop_assert_eq!(rows(&cumulative(&column, op, &ctx()).unwrap()), expected);
        }
        if column.data_type().is_integer() {
            let mut sum = 0i128;
            let sums = cumulative(&column, CumulativeOp::Sum, &ctx()).unwrap();
            for i in 0..column.len() {
                let s = column.get(i).unwrap();
                if !s.is_null() {
                    sum += int(&s);
                    prop_assert_eq!(int(&sums.get(i).unwrap()) as i64, sum as i64);
                }
            }
            prop_assert_eq!(sums.null_count().unwrap(), column.null_count().unwrap());
        }
    }

    #[test]
    fn exclusive_is_what_was_before(column in (any_data_type(), 0usize..100).prop_flat_map(|(t, n)| any_column(t, n))) {
        for op in [CumulativeOp::Sum, CumulativeOp::Product, CumulativeOp::Min, CumulativeOp::Max] {
            let found = cumulative_exclusive(&column, op, &ctx());
            let Ok(running) = cumulative(&column, op, &ctx()) else {
                prop_assert!(found.is_err());
                continue;
            };
            let of = column.data_type();
            if of == DataType::String || of.is_decimal() && op != CumulativeOp::Sum {
                prop_assert_eq!(found.unwrap_err().kind(), ErrorKind::DataType);
                continue;
            }
            let (found, running) = (rows(&found.unwrap()), rows(&running));
            let given = rows(&column);
            let there: Vec<usize> = (0..column.len()).filter(|&i| !missing(&given[i])).collect();
            for pair in there.windows(2) {
                prop_assert_eq!(&found[pair[1]], &running[pair[0]]);
            }
            // The start value is the identity.
            if let Some(&first) = there.first() {
                let start = found[first].clone();
                let of = column.data_type();
                let expected = match op {
                    CumulativeOp::Sum if of.is_float() => "0.0",
                    CumulativeOp::Product if of.is_float() => "1.0",
                    CumulativeOp::Min if of.is_float() => "inf",
                    CumulativeOp::Max if of.is_float() => "-inf",
                    CumulativeOp::Product => "1",
                    CumulativeOp::Min if of == DataType::Bool8 => "true",
                    CumulativeOp::Max if of == DataType::Bool8 => "false",
                    CumulativeOp::Min if of == DataType::Int8 => "127",
                    CumulativeOp::Max if of == DataType::Int64 => "-9223372036854775808",
                    CumulativeOp::Min if of == DataType::UInt64 => "18446744073709551615",
                    CumulativeOp::Sum if of.is_numeric() => "0",
                    _ => continue,
                };
                prop_assert_eq!(start, expected);
            }
            for i in (0..column.len()).filter(|i| !there.contains(i)) {
                prop_assert_eq!(&found[i], &running[i]);
            }
        }
    }
}

/// Extremes that cancel must leave small values (a float sum loses it).
#[test]
fn means_of_integers_are_exact() {
    let mean = |column: Column| reduce(&column, Mean, &ctx()).unwrap().as_f64().unwrap();
    let signed = [i64::MIN, i64::MAX, 7, -9];
    for copies in [1, 20_000] {
        let column = Column::from_slice(&signed.repeat(copies), &ctx()).unwrap();
        assert_eq!(mean(column), -0.75);
    }
    assert_eq!(
        mean(Column::from_slice(&[u64::MAX, u64::MAX, 3], &ctx()).unwrap()),
        (u64::MAX / 3 * 2 + 1) as f64
    );
    assert_eq!(mean(Column::from_slice(&[u32::MAX, 1], &ctx()).unwrap()), 2f64.powi(31));
    assert_eq!(mean(Column::from_slice(&[i8::MIN, i8::MAX], &ctx()).unwrap()), -0.5);
}

#[test]
fn moments_over_many_morsels() {
    let ctx = ctx();
    for len in LENGTHS {
        let mut random = Random(len as u64);
        let floats: Vec<Option<f64>> = (0..len)
            .map(|i| match i % 11 {
                3 => None,
                4 => Some(f64::NAN),
                _ => Some(1e6 + random.below(1000) as f64),
            })
            .collect();
        let column = Column::from_options(&floats, &ctx).unwrap();
        let used: Vec<f64> = floats.iter().flatten().copied().filter(|x| !x.is_nan()).collect();
        let n = used.len() as f64;
        let sum: f64 = used.iter().sum();
        let mean = sum / n;
        let variance = used.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let get = |agg| reduce(&column, agg, &ctx).unwrap().as_f64();
        assert_eq!(get(Sum), Some(sum), "whole numbers add up exactly");
        let close = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() <= 1e-9 * b.abs());
        match used.len() {
            0 => assert_eq!((get(Mean), get(Var { ddof: 1 })), (None, None)),
            1 => assert_eq!((get(Mean), get(Var { ddof: 1 })), (Some(mean), None)),
            _ => {
                assert!(close(get(Mean), mean));
                assert!(close(get(Var { ddof: 1 }), variance));
                assert!(close(get(Std { ddof: 1 }), variance.sqrt()));
                assert!(close(get(Sem { ddof: 1 }), (variance / n).sqrt()));
            }
        }
        let sums = cumulative(&column, CumulativeOp::Sum, &ctx).unwrap();
        if let Some(last) = (0..len).rev().find(|&i| floats[i].is_some_and(|x| !x.is_nan())) {
            assert_eq!(sums.get(last).unwrap().as_f64(), Some(sum));
        }
    }
}

/// Statistics of many blocks are merged within a morsel, and those of morsels.
#[test]
fn blocks_of_integers_are_joined() {
    let ctx = ctx();
    for len in [1023, 1024, 1025, 4097, 32_769] {
        // The last block has nulls only.
        let valid = |i: usize| i % 5 != 2 && i < len / 1024 * 1024;
        let value = |i: usize| (i as i64).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) | 1;
        let options: Vec<Option<i64>> = (0..len).map(|i| valid(i).then(|| value(i))).collect();
        let column = Column::from_options(&options, &ctx).unwrap();
        let there: Vec<i64> = options.iter().flatten().copied().collect();
        let of = |f: fn(i64, i64) -> i64| there.iter().copied().reduce(f);
        let expected = [
            (Sum, Some(of(i64::wrapping_add).unwrap_or(0))),
            (Product, Some(of(i64::wrapping_mul).unwrap_or(1))),
            (Min, of(i64::min)),
            (Max, of(i64::max)),
            (BitAnd, of(|a, b| a & b)),
            (BitOr, of(|a, b| a | b)),
            (BitXor, of(|a, b| a ^ b)),
            (Count, Some(there.len() as i64)),
        ];
        for (how, expected) in expected {
            let found = reduce(&column, how, &ctx).unwrap();
            assert_eq!(found.as_i64(), expected, "{how:?} of {len}");
        }
        let zero_behind: Vec<i64> = (0..len).map(|i| i64::from(i != len - 1)).collect();
        let zero_behind = Column::from_slice(&zero_behind, &ctx).unwrap();
        assert_eq!(reduce(&zero_behind, All, &ctx).unwrap(), Scalar::from(false), "{len}");
        assert_eq!(reduce(&zero_behind, Any, &ctx).unwrap(), Scalar::from(true), "{len}");
    }
}

#[test]
fn one_row_decides_about_truth_wherever_it_is() {
    let ctx = ctx();
    let len = 3 * cuprum_runtime::parallel::MORSEL + 7;
    for at in [0, 1023, 1024, 1025, len / 2, len - 1] {
        for (one, others) in [(false, true), (true, false)] {
            let truths: Vec<bool> = (0..len).map(|row| if row == at { one } else { others }).collect();
            let truths = Column::from_bools(&truths, &ctx).unwrap();
            let all = reduce_all(&truths, &[All, Any], &ctx).unwrap();
            assert_eq!(all, [Scalar::from(false), Scalar::from(true)], "{at}");
            assert_eq!(reduce(&truths, All, &ctx).unwrap(), Scalar::from(false), "{at}");
            assert_eq!(reduce(&truths, Any, &ctx).unwrap(), Scalar::from(true), "{at}");
            // A decided result says nothing about the other aggregations.
            let both = reduce_all(&truths, &[All, Count, Sum], &ctx).unwrap();
            let sum = if one { 1 } else { len as i64 - 1 };
            assert_eq!((both[1].as_i64(), both[2].as_i64()), (Some(len as i64), Some(sum)), "{at}");
        }
    }
}

#[test]
fn sums_of_infinities_and_cancellation() {
    let ctx = ctx();
    let sum = |v: &[f64]| reduce(&Column::from_slice(v, &ctx).unwrap(), Sum, &ctx).unwrap().as_f64().unwrap();
    assert_eq!(sum(&[1.0, f64::INFINITY, 2.0]), f64::INFINITY);
    assert!(sum(&[f64::NEG_INFINITY, f64::INFINITY]).is_nan());
    let mut wide = vec![0.0; 4000];
    (wide[0], wide[1100], wide[2100], wide[3900]) = (1e100, 1.0, 1.0, -1e100);
    assert_eq!(sum(&wide), 2.0);
    // The rounding errors of one morsel count in the sum of all.
    let mut far = vec![0.0; 3 * cuprum_runtime::parallel::MORSEL];
    let last = far.len() - 1;
    (far[0], far[1100], far[last]) = (1e100, 1.0, -1e100);
    assert_eq!(sum(&far), 1.0);
    let halves = Column::from_slice(&[1.5f32, f32::NAN], &ctx).unwrap();
    assert_eq!(reduce(&halves, Sum, &ctx).unwrap().data_type(), DataType::Float32);
}

#[test]
fn times_and_combinations_without_sense() {
    let ctx = ctx();
    let spans = Column::from_slice(&[4i64, -2, 7], &ctx)
        .unwrap()
        .bit_cast(DataType::Duration(TimeUnit::Seconds))
        .unwrap();
    let get = |agg| reduce(&spans, agg, &ctx).unwrap().to_string();
    assert_eq!([get(Sum), get(Mean), get(Median), get(Std { ddof: 1 })], ["9", "3", "4", "4"]);
    let far = Column::from_slice(&[i64::MAX, 1], &ctx).unwrap().bit_cast(spans.data_type()).unwrap();
    assert_eq!(reduce(&far, Sum, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
    for data_type in cuprum_testing::plain_types() {
        let empty = Column::empty(data_type);
        for agg in Aggregation::EACH {
            match (agg.result_type(data_type), reduce(&empty, agg, &ctx)) {
                (Ok(t), Ok(scalar)) => {
                    assert_eq!(scalar.data_type(), t, "{agg:?} {data_type}");
                    let some = matches!(agg, Sum | Product | Count | Size | NUnique | Any | All);
                    assert_eq!(scalar.is_null(), !some, "{agg:?} {data_type}");
                }
                (Err(a), Err(b)) => {
                    assert_eq!((a.kind(), b.kind()), (ErrorKind::DataType, ErrorKind::DataType));
                    assert!(b.to_string().contains(&data_type.to_string()));
                }
                (a, b) => panic!("{agg:?} {data_type}: {a:?} {b:?}"),
            }
        }
    }
    assert_eq!(reduce(&spans, Quantile(1.5), &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let texts = Column::empty(DataType::String);
    assert_eq!(cumulative(&texts, CumulativeOp::Product, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(
        cumulative_exclusive(&texts, CumulativeOp::Max, &ctx).unwrap_err().kind(),
        ErrorKind::DataType
    );
}

#[test]
fn texts_up_to_each_row() {
    let ctx = Tracked::current();
    let all =
        Column::from_opt_strs(&[Some("-"), None, Some("b"), Some("ä"), Some(""), Some("a")], &ctx).unwrap();
    let rows = all.slice(1, 5).unwrap();
    let of = |op| {
        let made = cumulative(&rows, op, &ctx).unwrap();
        let view = made.view().unwrap();
        let texts: Vec<Option<String>> =
            view.strings().unwrap().iter().map(|t| t.map(str::to_owned)).collect();
        texts
    };
    let expected = |texts: [&str; 4]| -> Vec<Option<String>> {
        std::iter::once(None).chain(texts.map(|t| Some(t.to_owned()))).collect()
    };
    assert_eq!(of(CumulativeOp::Sum), expected(["b", "bä", "bä", "bäa"]));
    assert_eq!(of(CumulativeOp::Min), expected(["b", "b", "", ""]));
    assert_eq!(of(CumulativeOp::Max), expected(["b", "ä", "ä", "ä"]));
}

/// Texts one behind the other: nulls with bytes of their own, empty ones, slices, no text at all.
#[test]
fn texts_behind_each_other_on_every_device() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts() {
        for (turn, rows) in [0usize, 1, 31, 33, 64, 257, 600].into_iter().enumerate() {
            let texts: Vec<String> =
                (0..rows + 2).map(|row| "aé😀bc"[..[0, 1, 3, 7, 8, 9][row * row % 6]].to_owned()).collect();
            let of_texts = Column::from_strs(&texts, host).unwrap();
            for missing in [0, 5, 1] {
                let is_there = |row: usize| missing == 0 || (row + turn) % missing != missing - 1;
                let mask = null_mask::from_fn(rows + 2, host, is_there).unwrap();
                let column = of_texts.with_mask(Some(mask), host).unwrap().slice(2, rows).unwrap();
                let mut so_far = String::new();
                let mut up_to = |row: usize| {
                    is_there(row).then(|| {
                        so_far.push_str(&texts[row]);
                        so_far.clone()
                    })
                };
                let expected: Vec<Option<String>> = (2..rows + 2).map(&mut up_to).collect();
                let expected: Vec<Option<&str>> = expected.iter().map(Option::as_deref).collect();
                let found = cumulative(&column.to_device(&ctx).unwrap(), CumulativeOp::Sum, &ctx).unwrap();
                cuprum_testing::assert_column_eq(&found, &Column::from_opt_strs(&expected, host).unwrap());
            }
        }
    }
}

/// The smallest and the largest texts so far, around blocks: nulls, empty ones, ones that begin alike or are equal, slices.
#[test]
fn running_extremes_of_texts_on_every_device() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts() {
        for (turn, rows) in [0usize, 1, 31, 32, 33, 65, 1023, 1025, 4099].into_iter().enumerate() {
            let mut random = cuprum_testing::Random(turn as u64);
            let texts: Vec<Option<String>> = (0..rows + 2)
                .map(|row| match random.below(7) {
                    0 => None,
                    // Ever smaller and ever larger ones.
                    1 => Some(format!("m{}", "l".repeat(row % 50))),
                    2 => Some(format!("z{row:05}é")),
                    3 => Some(format!("a{:05}", 9000 - row)),
                    _ => Some(format!("the same beginning {}", random.below(1000))),
                })
                .collect();
            let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
            let column = Column::from_opt_strs(&texts, host).unwrap().slice(2, rows).unwrap();
            for op in [CumulativeOp::Min, CumulativeOp::Max] {
                let mut best: Option<&str> = None;
                let expected: Vec<Option<&str>> = texts[2..]
                    .iter()
                    .map(|text| {
                        let text = (*text)?;
                        let is_better =
                            |best: &str| if op == CumulativeOp::Min { text < best } else { text > best };
                        if best.is_none_or(is_better) {
                            best = Some(text);
                        }
                        best
                    })
                    .collect();
                let found = cumulative(&column.to_device(&ctx).unwrap(), op, &ctx).unwrap();
                cuprum_testing::assert_column_eq(&found, &Column::from_opt_strs(&expected, host).unwrap());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_column_on_every_device(column in (any_data_type(), 0usize..200).prop_flat_map(|(t, n)| any_column(t, n))) {
        let of = column.data_type();
        let largest = reduce(&cuprum_elementwise::unary::unary_operation(&column, cuprum_elementwise::unary::UnaryOperator::Abs, &self::ctx()).unwrap_or(column.clone()), Max, &self::ctx());
        let largest = largest.ok().and_then(|one| one.as_f64()).filter(|x| x.is_finite()).unwrap_or(0.0);
        for ctx in contexts() {
            let there = column.to_device(&ctx).unwrap();
            for how in Aggregation::EACH {
                let rounds = matches!(how, Sum | Mean | Product) && of.is_float() || matches!(how, Var { .. } | Std { .. } | Sem { .. });
                let expected = reduce(&column, how, &self::ctx());
                match (reduce(&there, how, &ctx), expected) {
                    (Ok(got), Ok(expected)) if rounds => {
                        prop_assert_eq!((got.data_type(), got.is_null()), (expected.data_type(), expected.is_null()));
                        let [a, b] = [got, expected].map(|one| one.as_f64().unwrap_or(0.0));
                        let digits = if of == DataType::Float32 { 1e-5 } else { 1e-9 };
                        let near = (a - b).abs() <= digits * (a.abs().max(b.abs()) + largest);
                        prop_assert!(a == b || a.is_nan() && b.is_nan() || near, "{} and {}: {:?} of {:?}", a, b, how, column);
                    }
                    (Ok(got), Ok(expected)) => {
                        prop_assert_eq!(got.data_type(), expected.data_type());
                        prop_assert_eq!(got.to_string(), expected.to_string(), "{:?} of {:?}", how, column);
                    }
                    (Err(got), Err(expected)) => prop_assert_eq!(got.kind(), expected.kind()),
                    (got, expected) => prop_assert!(false, "{:?} {:?} {:?}", how, got, expected),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn nested_columns_on_every_device(column in (0usize..120).prop_flat_map(any_nested_key_column)) {
        for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
            let there = column.to_device(&ctx).unwrap();
            for how in [Min, Max, First, Last, Count, Size, NUnique, Sum] {
                let text = |found: Result<Scalar>| found.map(|one| one.to_string()).map_err(|error| error.kind());
                let (got, expected) = (reduce(&there, how, &ctx), reduce(&column, how, &self::ctx()));
                prop_assert_eq!(text(got), text(expected), "{:?} of {:?}", how, column);
            }
        }
    }
}

/// Fields and elements that are NaN are not those that are null, the two zeros are one.
#[test]
fn distinct_structs_and_lists_with_nan_and_null() {
    let host = &ctx();
    let some = [Some(f64::NAN), None, Some(1.0), Some(f64::NAN), None, Some(-0.0), Some(0.0), Some(1.0)];
    let floats = Column::from_options(&some, host).unwrap();
    let mask = || Some(null_mask::from_fn(some.len(), host, |row| row != 2).unwrap());
    let structs = Column::structs(some.len(), vec![floats.clone()], mask()).unwrap();
    let offsets: Vec<i32> = (0..=some.len() as i32).collect();
    let lists = Column::lists(Column::from_slice(&offsets, host).unwrap(), floats, mask()).unwrap();
    for ctx in contexts() {
        for column in [&structs, &lists] {
            for (rows, distinct) in [(0..8, 4), (1..3, 1), (0..2, 2), (5..7, 1)] {
                let column = column.slice(rows.start, rows.len()).unwrap().to_device(&ctx).unwrap();
                let found = reduce(&column, NUnique, &ctx).unwrap();
                assert_eq!(found.as_i64(), Some(distinct), "{rows:?} of {}", column.data_type());
            }
        }
    }
}

/// Extremes so far of decimals of 128 bits that differ in either half, at the borders of tiles.
#[test]
fn running_extremes_of_decimals_on_every_device() {
    let (host, mut random) = (&ctx(), Random(5));
    for len in [0usize, 1, 31, 33, 1023, 1024, 1025, 5000] {
        let mut value = |row: usize| -> Option<i128> {
            let (high, low) = (random.below(7) as i128 - 3, i128::from(random.next()));
            match random.below(9) {
                0 => None,
                1 if row % 700 == 3 => Some(if low & 1 == 0 { i128::MIN } else { i128::MAX }),
                _ => Some(high << 64 | low),
            }
        };
        // Leading missing values stay missing.
        let values: Vec<_> = (0..len + 3).map(|row| if row < 8 { None } else { value(row) }).collect();
        let mask = cuprum_column::null_mask::from_fn(len + 3, host, |row| values[row].is_some()).unwrap();
        let of = DataType::Decimal128(-2);
        let column =
            cuprum_elements::decimals::column(len + 3, of, Some(mask), host, |row| values[row]).unwrap();
        let column = column.slice(3, len).unwrap();
        for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
            let there = column.to_device(&ctx).unwrap();
            for op in [CumulativeOp::Min, CumulativeOp::Max] {
                let expected = rows(&cumulative(&column, op, host).unwrap());
                assert_eq!(rows(&cumulative(&there, op, &ctx).unwrap()), expected, "{op:?} of {len}");
            }
        }
    }
}

/// Rows of one tile, of one group of tiles and of several blocks of groups.
#[test]
fn running_reductions_of_many_rows() {
    let host = &ctx();
    let mut random = Random(11);
    let lens = [0, 1, 31, 32, 33, 511, 513, 4095, 4096, 4097, 131_072, 131_073, 4_200_000];
    for len in lens {
        let truths: Vec<u8> = (0..len).map(|_| u8::from(random.below(9) == 0)).collect();
        let column = Column::from_slice(&truths, host).unwrap();
        for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
            let there = column.to_device(&ctx).unwrap();
            for op in [CumulativeOp::Sum, CumulativeOp::Max] {
                let expected = cumulative(&column, op, host).unwrap();
                let found = cumulative(&there, op, &ctx).unwrap().to_host().unwrap();
                assert_column_eq(&found, &expected);
                if len > 200_000 {
                    break;
                }
            }
        }
    }
}

#[test]
fn deviations_of_durations_on_every_device() {
    let host = &ctx();
    for len in [0i64, 1, 2, 700] {
        let ticks: Vec<Option<i64>> = (0..len).map(|i| (i % 5 != 3).then_some(i * 37 % 101 - 40)).collect();
        let column = Column::from_options(&ticks, host).unwrap();
        let column = column.bit_cast(DataType::Duration(TimeUnit::Milliseconds)).unwrap();
        for ddof in [0, 1] {
            let expected = reduce(&column, Std { ddof }, host).unwrap();
            for ctx in contexts() {
                let found = reduce(&column.to_device(&ctx).unwrap(), Std { ddof }, &ctx).unwrap();
                assert_eq!(found, expected, "{len} rows, ddof {ddof}");
            }
        }
    }
}

/// Floats come to the same at every run: they are added in one order.
#[test]
fn running_sums_of_floats_repeat() {
    let mut random = Random(12);
    let values: Vec<f64> = (0..300_000).map(|_| random.next() as f64 / 1e19 - 0.9).collect();
    let mut sum = 0.0f64;
    let exact: Vec<f64> = values
        .iter()
        .map(|x| {
            sum += x;
            sum
        })
        .collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let column = Column::from_slice(&values, &ctx).unwrap();
        let run = || cumulative(&column, CumulativeOp::Sum, &ctx).unwrap().to_host().unwrap();
        let first = run();
        assert_column_eq(&run(), &first);
        let view = first.view().unwrap();
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-7;
        assert!(view.values::<f64>().unwrap().iter().zip(&exact).all(near));
    }
}

#[test]
fn float_reductions_on_every_device() {
    let mut random = Random(9);
    for len in [1, 2, 513, 70_001] {
        let values: Vec<f64> = (0..len)
            .map(|_| if random.below(9) == 0 { f64::NAN } else { random.next() as f64 / 1e19 - 0.7 })
            .collect();
        let column = Column::from_slice(&values, &ctx()).unwrap();
        for ctx in contexts().filter(|ctx| len < 1000 || ctx.is_on_gpu()) {
            let there = column.to_device(&ctx).unwrap();
            // Factors near 1, so that their product is one.
            let factors: Vec<f64> = values.iter().map(|x| x / 1e3 + 1.0).collect();
            let factors = Column::from_slice(&factors, &self::ctx()).unwrap();
            let product =
                |column: &Column, ctx: &Context| reduce(column, Product, ctx).unwrap().as_f64().unwrap();
            let (got, expected) =
                (product(&factors.to_device(&ctx).unwrap(), &ctx), product(&factors, &self::ctx()));
            assert!((got / expected - 1.0).abs() < 1e-10, "{got}, {expected}");
            for how in [Sum, Mean, Var { ddof: 1 }, Std { ddof: 0 }, Sem { ddof: 1 }] {
                let (got, expected) =
                    (reduce(&there, how, &ctx).unwrap(), reduce(&column, how, &self::ctx()).unwrap());
                match (got.as_f64(), expected.as_f64()) {
                    (Some(a), Some(b)) => {
                        assert!((a - b).abs() <= 1e-13 * b.abs().max(1e-3), "{how:?}: {a}, {b}")
                    }
                    (a, b) => assert_eq!(a, b, "{how:?} of {len}"),
                }
            }
        }
    }
}

#[test]
fn wide_decimals_are_distinct_everywhere() {
    for ctx in contexts() {
        let numbers = Column::from_options(&[Some(4i64), None, Some(-4), Some(4)], &self::ctx()).unwrap();
        let wide = cuprum_testing::wide_column(&numbers, &self::ctx());
        // Rows 0 and 3 differ by their values in `wide_column`.
        let wide = cuprum_elements::gather::gather_rows(&wide, &[0u32, 1, 2, 0], &self::ctx()).unwrap();
        let count = reduce(&wide.to_device(&ctx).unwrap(), NUnique, &ctx).unwrap();
        assert_eq!(count.as_i64(), Some(2));
    }
}

/// Running sums of durations that do not fit, alone and in groups; sums that come back are none of these.
#[test]
fn running_durations_fit_or_are_refused() {
    let ctx = &Context::current();
    let durations = |values: &[Option<i64>]| {
        Column::from_options(values, ctx)
            .unwrap()
            .bit_cast(DataType::Duration(TimeUnit::Nanoseconds))
            .unwrap()
    };
    let far = 1i64 << 62;
    let sums = |values: &[Option<i64>]| cumulative(&durations(values), CumulativeOp::Sum, ctx);
    let error = sums(&[Some(far), None, Some(far), Some(5)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overflow);
    assert!(error.to_string().contains("row 2"), "{error}");
    let back = sums(&[Some(far), Some(-far), Some(far), None, Some(-5)]).unwrap();
    assert_eq!(back.view().unwrap().raw_values::<i64>().unwrap()[4], far - 5);
    let keys = |keys: &[i32]| Table::new(vec![Column::from_slice(keys, ctx).unwrap()]).unwrap();
    let scanned = |keys: &Table, values: &[i64]| {
        let grouping = crate::groupby::group(keys, true, ctx).unwrap();
        let rows = crate::groupby::grouped_rows::grouped_rows(&grouping, None, ctx).unwrap();
        let values: Vec<_> = values.iter().copied().map(Some).collect();
        crate::groupby::grouped_rows::scan(&rows, &durations(&values), CumulativeOp::Sum, ctx)
    };
    let grouped = |keys: &Table| scanned(keys, &[far; 3]);
    assert!(grouped(&keys(&[1, 2, 3])).is_ok());
    // As much as fits, and no more.
    assert!(scanned(&keys(&[1, 2, 1]), &[far, far, far - 1]).is_ok());
    assert!(sums(&[Some(far), Some(far - 1)]).is_ok());
    let days = |values: [i32; 2]| {
        let days = Column::from_slice(&values, ctx).unwrap();
        cumulative(&days.bit_cast(DataType::Duration(TimeUnit::Days)).unwrap(), CumulativeOp::Sum, ctx)
    };
    assert!(days([i32::MAX - 1, 1]).is_ok());
    assert_eq!(days([i32::MAX, 1]).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(grouped(&keys(&[1, 2, 1])).unwrap_err().kind(), ErrorKind::Overflow);
}

/// Extremes of texts are found without a sort: in one block, in many, where none is there, and where all are alike.
#[test]
fn extremes_of_texts_on_devices() {
    let host = &Context::current();
    let texts = |rows: usize, kinds: usize| -> Column {
        let text = |row: usize| match (row * 7919) % (rows.max(3) - 1) {
            x if x % 5 == 0 => None,
            x => Some(format!("{}{}", "the same beginning ".repeat(x % 3), x % kinds)),
        };
        let texts: Vec<Option<String>> = (0..rows).map(text).collect();
        Column::from_opt_strs(&texts.iter().map(Option::as_deref).collect::<Vec<_>>(), host).unwrap()
    };
    let none = Column::from_opt_strs(&[None::<&str>, None], host).unwrap();
    let columns = [
        none,
        texts(0, 1),
        texts(1, 1),
        texts(33, 9),
        texts(257, 1),
        texts(6000, 997).slice(5, 5990).unwrap(),
    ];
    for column in &columns {
        for how in [Aggregation::Min, Aggregation::Max] {
            let expected = reduce(column, how, host).unwrap();
            for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                assert_eq!(reduce(&column.to_device(&ctx).unwrap(), how, &ctx).unwrap(), expected);
            }
        }
    }
}

#[test]
fn several_are_each_as_it_is_alone() {
    for ctx in contexts() {
        for len in [0, 1, 700, 70_001] {
            let host = Context::on(cuprum_column::Device::Cpu).unwrap();
            let values: Vec<Option<f64>> =
                (0..len).map(|i| (i % 7 != 3).then_some((i % 1000) as f64 * 0.1 - 30.0)).collect();
            let floats = Column::from_options(&values, &host).unwrap();
            let integers: Vec<Option<i32>> = (0..len).map(|i| (i % 5 != 1).then_some(i - 50)).collect();
            let integers = Column::from_options(&integers, &host).unwrap();
            for column in [floats, integers] {
                let column = column.to_device(&ctx).unwrap();
                let fitting: Vec<_> = Aggregation::EACH
                    .into_iter()
                    .filter(|agg| agg.result_type(column.data_type()).is_ok())
                    .collect();
                let fitting = if ctx.is_on_gpu() && len > 1000 { &fitting[..6] } else { &fitting[..] };
                let together = reduce_all(&column, fitting, &ctx).unwrap();
                for (agg, value) in fitting.iter().zip(&together) {
                    let alone = reduce(&column, *agg, &ctx).unwrap();
                    assert_eq!(value.to_string(), alone.to_string(), "{agg:?} of {len}");
                }
            }
        }
    }
}
