use cuprum_column::{Column, Context, DataType, Scalar, Table, TimeUnit, Value};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, Random, any_column, any_data_type, assert_column_eq, contexts, plain_types};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use cuprum_elements::gather::{OutOfBoundsPolicy, gather};

use super::{contains, lower_bound, upper_bound};
use crate::sorting::{NullOrder, Order, sort_by_key};

/// Equality across types, written plainly: numbers as (integer, fraction bits) in `i128`.
fn equal(a: &Scalar, b: &Scalar) -> bool {
    let int = |s: &Scalar| match *s.value() {
        Value::Bool(b) => Some(i128::from(b)),
        Value::Int(i) => Some(i128::from(i)),
        Value::UInt(u) => Some(i128::from(u)),
        _ => None,
    };
    let nanoseconds = |s: &Scalar| match s.data_type() {
        DataType::Timestamp(unit) | DataType::Duration(unit) => {
            let scale = TimeUnit::Nanoseconds.per_day() / unit.per_day();
            int(s).map(|i| i * i128::from(scale))
        }
        _ => None,
    };
    let same_kind = (a.data_type().is_numeric() && b.data_type().is_numeric())
        || (a.data_type().is_timestamp() && b.data_type().is_timestamp())
        || (a.data_type().is_duration() && b.data_type().is_duration());
    match (a.value(), b.value()) {
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::String(a), Value::String(b)) => a == b,
        _ if !same_kind => false,
        (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Value::Float(f), _) => f.fract() == 0.0 && int(b) == Some(*f as i128),
        (_, Value::Float(f)) => f.fract() == 0.0 && int(a) == Some(*f as i128),
        _ if nanoseconds(a).is_some() => nanoseconds(a) == nanoseconds(b),
        _ => int(a) == int(b),
    }
}

fn found(haystack: &Column, needles: &Column) -> Vec<bool> {
    let found = contains(haystack, needles, &Tracked::current()).unwrap();
    assert_eq!((found.data_type(), found.null_count().unwrap()), (DataType::Bool8, 0));
    found.view().unwrap().values::<u8>().unwrap().iter().map(|b| *b != 0).collect()
}

#[track_caller]
fn check(haystack: &Column, needles: &Column) {
    let hay: Vec<Scalar> = (0..haystack.len()).map(|i| haystack.get(i).unwrap()).collect();
    let actual = found(haystack, needles);
    assert_eq!(actual.len(), needles.len());
    for (i, found) in actual.into_iter().enumerate() {
        let needle = needles.get(i).unwrap();
        let expected = hay.iter().any(|h| equal(h, &needle));
        assert_eq!(found, expected, "{needle} of type {} in {haystack:?}", needles.data_type());
    }
}

#[test]
fn numbers_compare_exactly_across_types() {
    let ctx = Tracked::current();
    let ints = Column::from_slice(&[(1i64 << 53) + 1, 3, -1, i64::MAX], &ctx).unwrap();
    let floats =
        Column::from_slice(&[9_007_199_254_740_992.0, 3.0, 3.5, 9_223_372_036_854_775_808.0, -0.0], &ctx)
            .unwrap();
    assert_eq!(found(&ints, &floats), [false, true, false, false, false]);
    assert_eq!(found(&floats, &ints), [false, true, false, false]);
    let unsigned = Column::from_slice(&[u64::MAX, 3, 1 << 63], &ctx).unwrap();
    assert_eq!(found(&ints, &unsigned), [false, true, false]);
    assert_eq!(found(&floats, &unsigned), [false, true, true]);
    let single = Column::from_slice(&[0.1f32, 0.5, f32::NAN], &ctx).unwrap();
    let double = Column::from_slice(&[0.1f64, 0.5, f64::NAN], &ctx).unwrap();
    assert_eq!(found(&double, &single), [false, true, true]);
    assert_eq!(found(&single, &double), [false, true, true]);
    let zero = Column::from_slice(&[0.0], &ctx).unwrap();
    assert_eq!(found(&zero, &floats), [false, false, false, false, true]);
}

#[test]
fn nulls_are_found_by_nulls_alone() {
    let ctx = Tracked::current();
    let with = Column::from_options(&[Some(1i64), None], &ctx).unwrap();
    let without = Column::from_slice(&[0i64, 1], &ctx).unwrap();
    let text = Column::from_opt_strs(&[Some("1"), None], &ctx).unwrap();
    assert_eq!(found(&without, &with), [true, false]);
    assert_eq!(found(&with, &with), [true, true]);
    assert_eq!(found(&with, &text), [false, true]);
    assert_eq!(found(&text, &with), [false, true]);
    assert_eq!(found(&without, &text), [false, false]);
    let nan = Column::from_slice(&[f64::NAN], &ctx).unwrap();
    assert_eq!(found(&with, &nan), [false]);
    assert_eq!(found(&nan, &with), [false, false]);
}

#[test]
fn large_haystacks_of_strings() {
    let ctx = Tracked::current();
    for with_null in [false, true] {
        let hay: Vec<Option<String>> = (0..70_000u32)
            .map(|i| (!with_null || i % 1000 != 7).then(|| format!("é{}", i * 3 % 40_000)))
            .collect();
        let needles: Vec<Option<String>> =
            (0..50_000u32).map(|i| (i % 100 != 3).then(|| format!("é{i}"))).collect();
        let set: std::collections::HashSet<&Option<String>> = hay.iter().collect();
        let expected: Vec<bool> = needles.iter().map(|needle| set.contains(needle)).collect();
        let hay = Column::from_opt_strs(&hay, &ctx).unwrap();
        let needles = Column::from_opt_strs(&needles, &ctx).unwrap();
        assert!(found(&hay, &needles) == expected);
        let slice = (hay.slice(100, 60_000).unwrap(), needles.slice(33, 10_000).unwrap());
        check_strings_by_slices(&slice.0, &slice.1);
    }
}

/// A slice has the results of a copy of its rows.
fn check_strings_by_slices(haystack: &Column, needles: &Column) {
    let ctx = Tracked::current();
    let copy = |column: &Column| {
        let view = column.view().unwrap();
        let rows: Vec<Option<&str>> = view.strings().unwrap().iter().collect();
        Column::from_opt_strs(&rows, &ctx).unwrap()
    };
    assert_eq!(found(haystack, needles), found(&copy(haystack), &copy(needles)));
}

#[test]
fn sets_of_every_size_and_shape() {
    let ctx = Tracked::current();
    for len in LENGTHS {
        let mut random = Random(len as u64);
        for spread in [10, 1 << 20, u64::MAX] {
            let hay: Vec<u64> = (0..len / 2).map(|_| random.below(spread)).chain([0]).collect();
            let needles: Vec<u64> =
                (0..len).map(|i| if i % 2 == 0 { hay[i / 2] } else { random.below(spread) }).collect();
            let set: std::collections::BTreeSet<u64> = hay.iter().copied().collect();
            let expected: Vec<bool> = needles.iter().map(|n| set.contains(n)).collect();
            let hay = Column::from_slice(&hay, &ctx).unwrap();
            assert!(found(&hay, &Column::from_slice(&needles, &ctx).unwrap()) == expected, "{len} {spread}");
            let text = |column: &Column| {
                let values = column.view().unwrap().values::<u64>().unwrap().to_vec();
                Column::from_strs(&values.iter().map(u64::to_string).collect::<Vec<_>>(), &ctx).unwrap()
            };
            let (hay, needles) = (text(&hay), text(&Column::from_slice(&needles, &ctx).unwrap()));
            assert!(found(&hay, &needles) == expected, "text {len} {spread}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_types(
        (haystack, needles) in (0usize..40, 0usize..40).prop_flat_map(|(h, n)| (
            any_data_type().prop_flat_map(move |t| any_column(t, h)),
            any_data_type().prop_flat_map(move |t| any_column(t, n)),
        ))
    ) {
        check(&haystack, &needles);
        check(&needles, &haystack);
        check(&needles, &needles);
    }

    #[test]
    fn times_of_any_unit((seconds, days) in (prop::collection::vec(-3i64..3, 20), prop::collection::vec(-3i32..3, 20))) {
        let ctx = Tracked::current();
        let seconds: Vec<i64> = seconds.into_iter().map(|s| s * 43_200).collect();
        for time in [DataType::Timestamp, DataType::Duration] {
            let fine = Column::from_slice(&seconds, &ctx).unwrap().bit_cast(time(TimeUnit::Seconds)).unwrap();
            let coarse = Column::from_slice(&days, &ctx).unwrap().bit_cast(time(TimeUnit::Days)).unwrap();
            check(&fine, &coarse);
            check(&coarse, &fine);
        }
    }
}

#[test]
fn searches_on_every_device() {
    let (host, mut runner) = (&Context::current(), TestRunner::deterministic());
    let mut pairs = Vec::new();
    for data_type in plain_types() {
        for (hay, needles) in [(0, 3), (40, 0), (50, 70)] {
            let mut any = |len| any_column(data_type, len).new_tree(&mut runner).unwrap().current();
            pairs.push((any(hay), any(needles)));
        }
    }
    // More rows than are ordered by counting, few of which are found.
    let longs = |len: usize, seed| {
        let mut random = Random(seed);
        Column::from_slice(&(0..len).map(|_| random.below(5000) as i64).collect::<Vec<_>>(), host).unwrap()
    };
    pairs.push((longs(3000, 1), longs(500, 2)));
    let doubles = Column::from_slice(&[1.0, f64::NAN, -0.0], host).unwrap();
    pairs.push((
        doubles.clone(),
        Column::from_options(&[Some(0.0), None, Some(f64::NAN), Some(2.0)], host).unwrap(),
    ));
    pairs.push((Column::from_options(&[None, Some(3.0)], host).unwrap(), doubles));
    let structs = |len: usize| Column::structs(len, vec![longs(len, 3), longs(len, 4)], None).unwrap();
    let nested = (structs(40), structs(60));
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for (i, (hay, needles)) in pairs.iter().chain([&nested]).enumerate() {
            if number > 0 && (i + number) % 5 != 0 {
                continue;
            }
            let there = (hay.to_device(&ctx).unwrap(), needles.to_device(&ctx).unwrap());
            if hay.data_type() != DataType::Struct {
                let expected = contains(hay, needles, host).unwrap();
                assert_column_eq(&contains(&there.0, &there.1, &ctx).unwrap(), &expected);
            }
            let table = |column: &Column| Table::new(vec![column.clone(), column.clone()]).unwrap();
            let orders = [Order::Descending, Order::Ascending];
            let sorted = sort_by_key(&table(hay), &table(hay), &orders, NullOrder::First, host).unwrap();
            let sorted_there = sorted.to_device(&ctx).unwrap();
            for bound in [lower_bound, upper_bound] {
                let expected = bound(&sorted, &table(needles), &orders, NullOrder::First, host).unwrap();
                let places = bound(&sorted_there, &table(&there.1), &orders, NullOrder::First, &ctx).unwrap();
                assert_column_eq(&places, &expected);
            }
        }
    }
}

fn without_nulls(column: &Column, ctx: &Context) -> Column {
    let valid: Vec<i64> =
        (0..column.len()).filter(|&row| !column.get(row).unwrap().is_null()).map(|row| row as i64).collect();
    let table = Table::new(vec![column.clone()]).unwrap();
    let map = Column::from_slice(&valid, ctx).unwrap();
    gather(&table, &map, OutOfBoundsPolicy::Check, ctx).unwrap().columns()[0].clone()
}

/// Numbers alone, in order or not, beside the same numbers with a column of equal ones, which are compared in
/// another way.
#[test]
fn places_of_numbers() {
    let ctx = &Tracked::current();
    let mut runner = TestRunner::deterministic();
    for data_type in plain_types().into_iter().filter(|of| of.is_numeric() || of.is_chrono()) {
        for (hay, rows) in [(0, 70), (1, 3), (5, 700), (300, 0), (300, 1100), (2049, 600), (5000, 700)] {
            let mut any = |len| any_column(data_type, len + 3).new_tree(&mut runner).unwrap().current();
            let table = |column: Column| Table::new(vec![column]).unwrap();
            let hay = table(without_nulls(&any(hay), ctx));
            let needles = table(any(rows).slice(3, rows).unwrap());
            let sorted = sort_by_key(&needles, &needles, &[], NullOrder::Last, ctx).unwrap();
            let twice = |of: &Table| {
                let equal = Column::from_scalar(&Scalar::from(1i64), of.num_rows(), ctx).unwrap();
                Table::new(vec![of.columns()[0].clone(), equal]).unwrap()
            };
            for needles in [&needles, &sorted] {
                for nulls in [NullOrder::First, NullOrder::Last] {
                    let hay = sort_by_key(&hay, &hay, &[Order::Ascending], nulls, ctx).unwrap();
                    for bound in [lower_bound, upper_bound] {
                        let found = bound(&hay, needles, &[], nulls, ctx).unwrap();
                        let both = [Order::Ascending; 2];
                        let expected = bound(&twice(&hay), &twice(needles), &both, nulls, ctx).unwrap();
                        assert_column_eq(&found, &expected);
                    }
                }
            }
        }
    }
}
