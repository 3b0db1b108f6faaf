use cuprum_column::{
    Column, Context, DataType, HostUVec, Native, Scalar, Table, TimeUnit, Value, dispatch_storage, null_mask,
};
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

/// What is found, on every device.
fn found_everywhere(haystack: &Column, needles: &Column) -> Vec<bool> {
    let expected = contains(haystack, needles, &Tracked::current()).unwrap();
    for ctx in contexts() {
        let (haystack, needles) = (haystack.to_device(&ctx).unwrap(), needles.to_device(&ctx).unwrap());
        assert_column_eq(&contains(&haystack, &needles, &ctx).unwrap().to_host().unwrap(), &expected);
    }
    found(haystack, needles)
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
    assert_eq!(found_everywhere(&ints, &floats), [false, true, false, false, false]);
    assert_eq!(found_everywhere(&floats, &ints), [false, true, false, false]);
    let unsigned = Column::from_slice(&[u64::MAX, 3, 1 << 63], &ctx).unwrap();
    assert_eq!(found_everywhere(&ints, &unsigned), [false, true, false]);
    assert_eq!(found_everywhere(&floats, &unsigned), [false, true, true]);
    let single = Column::from_slice(&[0.1f32, 0.5, f32::NAN], &ctx).unwrap();
    let double = Column::from_slice(&[0.1f64, 0.5, f64::NAN], &ctx).unwrap();
    assert_eq!(found_everywhere(&double, &single), [false, true, true]);
    assert_eq!(found_everywhere(&single, &double), [false, true, true]);
    // Nothing is rounded, nothing wraps.
    let fractions = Column::from_slice(&[0.5, -0.5, 255.9, 1.8446744073709552e19], &ctx).unwrap();
    assert_eq!(found_everywhere(&fractions, &Column::from_slice(&[0u8, 255], &ctx).unwrap()), [false; 2]);
    assert_eq!(found_everywhere(&fractions, &Column::from_slice(&[0i64, 255], &ctx).unwrap()), [false; 2]);
    assert_eq!(found_everywhere(&unsigned, &fractions), [false; 4]);
    assert_eq!(found_everywhere(&unsigned, &Column::from_slice(&[-1i8, 3], &ctx).unwrap()), [false, true]);
    let decimals = |values: &[i128], scale| {
        let data = HostUVec::from_slice(values, &ctx).unwrap().into_buffer();
        Column::from_buffer(DataType::Decimal128(scale), values.len(), data, None).unwrap()
    };
    let (whole, tenths) = (decimals(&[1 << 126, 7, -3], 0), decimals(&[i128::MIN, 70, 7, -30, -31], -1));
    assert_eq!(found_everywhere(&whole, &tenths), [false, true, false, true, false]);
    assert_eq!(found_everywhere(&tenths, &whole), [false, true, true]);
    let zero = Column::from_slice(&[0.0], &ctx).unwrap();
    assert_eq!(found_everywhere(&zero, &floats), [false, false, false, false, true]);
}

#[test]
fn nulls_are_found_by_nulls_alone() {
    let ctx = Tracked::current();
    let with = Column::from_options(&[Some(1i64), None], &ctx).unwrap();
    let without = Column::from_slice(&[0i64, 1], &ctx).unwrap();
    let text = Column::from_opt_strs(&[Some("1"), None], &ctx).unwrap();
    assert_eq!(found_everywhere(&without, &with), [true, false]);
    assert_eq!(found_everywhere(&with, &with), [true, true]);
    assert_eq!(found_everywhere(&with, &text), [false, true]);
    assert_eq!(found_everywhere(&text, &with), [false, true]);
    assert_eq!(found_everywhere(&without, &text), [false, false]);
    let nan = Column::from_slice(&[f64::NAN], &ctx).unwrap();
    assert_eq!(found_everywhere(&with, &nan), [false]);
    assert_eq!(found_everywhere(&nan, &with), [false, false]);
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

/// Texts around the length of those that are compared as numbers, which differ in their length, their first or their
/// last byte.
#[test]
fn a_few_texts_of_every_length() {
    let ctx = Tracked::current();
    let texts: Vec<String> = (0..40)
        .flat_map(|len| ["a".repeat(len), format!("{}b", "a".repeat(len)), format!("ß{}", "a".repeat(len))])
        .collect();
    let needles: Vec<Option<&str>> =
        texts.iter().map(|text| Some(text.as_str())).chain([None, Some("\0"), Some("")]).collect();
    let needles_column = Column::from_opt_strs(&needles, &ctx).unwrap();
    for first in 0..texts.len() {
        for count in [0, 1, 3, 8, 9] {
            let of_hay = |i: usize| (i % 5 != 4).then(|| texts[(first + i * 7) % texts.len()].as_str());
            let hay: Vec<Option<&str>> = (0..count).map(of_hay).collect();
            let expected: Vec<bool> = needles.iter().map(|needle| hay.contains(needle)).collect();
            let hay = Column::from_opt_strs(&hay, &ctx).unwrap();
            assert_eq!(found(&hay, &needles_column), expected, "{first} {count}");
            if let (1.., 0) = (count, first % 20) {
                let hay = hay.slice(1, count - 1).unwrap();
                check_strings_by_slices(&hay, &needles_column.slice(5, needles.len() - 7).unwrap());
            }
        }
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

/// Values of a type that others have, too, and its extremes; nulls among them, sliced out of more rows.
fn meeting_column(data_type: DataType, rows: usize, seed: u64) -> Column {
    let host = &Context::current();
    let mut random = Random(seed);
    let cut = 1 + seed as usize % 37;
    let whole: [i64; 24] = [
        0,
        1,
        -1,
        2,
        3,
        127,
        128,
        255,
        256,
        -128,
        -129,
        1 << 15,
        (1 << 24) + 1,
        (1 << 31) - 1,
        1 << 31,
        1 << 32,
        -(1 << 31),
        (1 << 53) + 1,
        1 << 53,
        i64::MAX,
        i64::MIN,
        86_400,
        86_400_000,
        100,
    ];
    let real = [
        f64::NAN,
        -0.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        9.223_372_036_854_776e18,
        1.8446744073709552e19,
        0.1,
        1e300,
        -9.3e18,
    ];
    let valid = |random: &mut Random| seed.is_multiple_of(3) || random.below(8) != 0;
    let mask: Vec<bool> = (0..rows + cut).map(|_| valid(&mut random)).collect();
    let mask = null_mask::from_fn(rows + cut, host, |row| mask[row]).unwrap();
    let number = |random: &mut Random| whole[random.below(whole.len() as u64) as usize];
    let column = match data_type {
        DataType::Empty => Column::nulls(data_type, rows + cut, host).unwrap(),
        DataType::String => {
            let texts: Vec<String> = (0..rows + cut).map(|_| number(&mut random).to_string()).collect();
            let texts =
                Column::from_strs(&texts.iter().map(String::as_str).collect::<Vec<_>>(), host).unwrap();
            texts.with_mask(Some(mask), host).unwrap()
        }
        DataType::Decimal128(_) => {
            let power = [1, 10, 1000, -10, 1 << 64, i128::MAX / 3][random.below(6) as usize];
            let values: Vec<i128> =
                (0..rows + cut).map(|_| i128::from(number(&mut random)).wrapping_mul(power)).collect();
            let data = HostUVec::from_slice(&values, host).unwrap().into_buffer();
            Column::from_buffer(data_type, rows + cut, data, Some(mask)).unwrap()
        }
        _ => dispatch_storage!(data_type, T => {
            let values: Vec<T> = (0..rows + cut).map(|_| match data_type {
                DataType::Bool8 => T::from_i64(number(&mut random) & 1),
                _ if T::IS_FLOAT && random.below(2) == 0 => {
                    T::from_f64(real[random.below(real.len() as u64) as usize])
                }
                _ => T::from_i64(number(&mut random)),
            }).collect();
            let values = HostUVec::from_slice(&values, host).unwrap();
            Column::new(data_type, values, Some(mask)).unwrap()
        }, else => unreachable!("{data_type} has no values")),
    };
    column.slice(cut, rows).unwrap()
}

/// Every pair of types on every device: what the definition finds where values are few, else what the CPU does.
#[test]
fn needles_of_other_types_on_devices() {
    let mut types = plain_types();
    types.extend([
        DataType::Empty,
        DataType::Decimal32(-2),
        DataType::Decimal32(3),
        DataType::Decimal64(0),
        DataType::Decimal64(-40),
        DataType::Decimal128(-1),
        DataType::Decimal128(-38),
        DataType::Decimal128(20),
    ]);
    let lengths = [0usize, 1, 31, 32, 33, 63, 64, 65, 255, 257];
    let mut columns = Vec::new();
    for (i, &data_type) in types.iter().enumerate() {
        let of = |len: usize, seed: usize| meeting_column(data_type, len, seed as u64);
        columns.push((
            of(lengths[(i * 3 + 1) % lengths.len()].max(2), i),
            of(lengths[i % lengths.len()], 7 * i + 1),
        ));
    }
    let expected: Vec<Vec<Column>> = columns
        .iter()
        .map(|(haystack, _)| {
            let of =
                |(_, needles): &(Column, Column)| contains(haystack, needles, &Context::current()).unwrap();
            columns.iter().map(of).collect()
        })
        .collect();
    for ((haystack, _), expected) in columns.iter().zip(&expected) {
        for ((_, needles), expected) in columns.iter().zip(expected) {
            if !haystack.data_type().is_decimal() && haystack.len() <= 70 && needles.len() <= 70 {
                let hay: Vec<Scalar> = (0..haystack.len()).map(|i| haystack.get(i).unwrap()).collect();
                for i in 0..needles.len() {
                    let needle = needles.get(i).unwrap();
                    let found = expected.get(i).unwrap().as_bool().unwrap();
                    let (of, to) = (haystack.data_type(), needles.data_type());
                    assert_eq!(found, hay.iter().any(|h| equal(h, &needle)), "{needle} of {to} in {of}");
                }
            }
        }
    }
    for (ctx, share) in cuprum_testing::contexts_in_shares().filter(|(ctx, _)| ctx.is_on_gpu()) {
        let there = |column: &Column| column.to_device(&ctx).unwrap();
        let columns: Vec<_> = columns.iter().map(|(a, b)| (there(a), there(b))).collect();
        for (h, (haystack, _)) in columns.iter().enumerate() {
            for (n, (_, needles)) in columns.iter().enumerate() {
                if share.has(h + n) {
                    let found = contains(haystack, needles, &ctx).unwrap();
                    assert_column_eq(&found.to_host().unwrap(), &expected[h][n]);
                }
            }
        }
    }
}
