//! Groups and their aggregations on every device: the CPU's results.

use cuprum_column::{Column, DataType, ErrorKind, Table, TimeUnit, null_mask};
use cuprum_testing::{Random, any_column, any_data_type, any_key_type};
use proptest::prelude::*;

use super::tests::close;
use super::*;
use cuprum_runtime::backend::OnDevice;
use cuprum_testing::{rows as row_texts, same_cases_everywhere};

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
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        let groups = group(&Table::new(vec![columns[0].clone()])?, drop_nulls, ctx)?;
        let is_defined =
            |(column, how): &(&Column, Aggregation)| result_type(column.data_type(), *how).is_ok();
        let pairs = columns[1..].iter().flat_map(|column| wanted.iter().map(move |how| (column, *how)));
        let requests: Vec<_> = pairs.filter(is_defined).collect();
        cases.add_together(&requests, |requests| aggregate(&groups, requests, ctx))
    });
}

/// Structs with structs in them, null ones and ones with null fields and NaN among them.
#[test]
fn structs_on_every_device() {
    let host = &Context::current();
    let mut random = Random(11);
    for rows in [0usize, 1, 33, 400] {
        let mut some = |most: u64| -> Vec<Option<f64>> {
            let value = |n: u64| [f64::NAN, -0.0, 0.0, 1.5][n as usize % 4];
            (0..rows).map(|_| Some(random.below(most)).filter(|n| n % 5 != 4).map(value)).collect()
        };
        let (a, b, keys) = (some(9), some(5), some(90));
        let texts: Vec<Option<String>> = some(7).iter().map(|x| x.map(|x| format!("{x} or so"))).collect();
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let mask = |n: usize| null_mask::from_fn(rows, host, |row| row % n != n - 1).unwrap();
        let inner =
            vec![Column::from_options(&b, host).unwrap(), Column::from_opt_strs(&texts, host).unwrap()];
        let inner = Column::structs(rows, inner, Some(mask(4))).unwrap();
        let fields = vec![Column::from_options(&a, host).unwrap(), inner];
        let column = Column::structs(rows, fields, Some(mask(6))).unwrap();
        let keys: Vec<i64> =
            keys.iter().enumerate().map(|(i, x)| (i * x.map_or(3, |_| 7) % 12) as i64).collect();
        let hows = [
            Aggregation::Size,
            Aggregation::Count,
            Aggregation::NUnique,
            Aggregation::First,
            Aggregation::Last,
            Aggregation::Min,
            Aggregation::Max,
        ];
        aggregations_everywhere(
            &Column::from_slice(&keys, host).unwrap(),
            std::slice::from_ref(&column),
            true,
            &hows,
        );
        same_cases_everywhere(&[Column::from_slice(&keys, host).unwrap(), column], |columns, cases, ctx| {
            use cuprum_keys::sorting::{MissingRank, RankMethod, RankOptions, rank, rank_within};
            for (i, method) in
                [RankMethod::Average, RankMethod::First, RankMethod::Dense].into_iter().enumerate()
            {
                let missing = [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom][i];
                let options = RankOptions { method, missing, ascending: i != 1, pct: i == 0 };
                cases.add(|| rank(&columns[1], options, ctx))?;
                cases.add(|| rank_within(&columns[1], &columns[0], options, ctx))?;
            }
            let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
            for order in [cuprum_keys::order::Order::Ascending, cuprum_keys::order::Order::Descending] {
                cases.add(|| nth_argminmax::extreme_rows(&grouping, &columns[1], order, ctx))?;
            }
            Ok(())
        });
    }
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
    for (len, groups) in [(1, 1), (700, 3), (5000, 40), (7000, 6000)] {
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

/// An infinite value has no deviation from an infinite mean: results from deviations are NaN, not 0.
#[test]
fn spreads_beside_infinity_on_every_device() {
    let (host, inf, nan) = (&Context::current(), f64::INFINITY, f64::NAN);
    let keys = Column::from_slice(&[0i64, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5], host).unwrap();
    let values = [1.0, inf, inf, inf, inf, -inf, inf, 2.0, 1.0, nan, 3.0, -inf, nan, nan];
    let values = [
        Column::from_slice(&values, host).unwrap(),
        Column::from_slice(&values.map(|x| x as f32), host).unwrap(),
    ];
    let hows = [0, 1].map(|ddof| {
        [Aggregation::Var { ddof }, Aggregation::Std { ddof }, Aggregation::Sem { ddof }, Aggregation::Mean]
    });
    aggregations_everywhere(&keys, &values, true, hows.as_flattened());
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
        let grouping =
            Grouping::new(Column::from_slice(&ids, &ctx).unwrap(), Column::empty(DataType::Int32), 3);
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
        let grouping =
            Grouping::new(Column::from_slice(&ids, &ctx).unwrap(), Column::empty(DataType::Int32), 5);
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
                assert_eq!((got.data_type(), got.null_count().unwrap()), (expected.data_type(), 0));
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
            let grouping = Grouping::new(ids, first_rows, 2);
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

/// Quantiles of times beyond what floats hold are the ticks that the fraction means where its own rounding falls short of
/// them, and those below else.
#[test]
fn quantiles_of_large_times_on_devices() {
    const FAR: i64 = 1 << 60;
    for ctx in cuprum_testing::contexts() {
        // Six of ten behind the first of three is 0.19999999999999996 of the way from the second to the third.
        let group = |first: i64, apart: i64| (0..3).map(move |i| first + i * apart);
        let values = group(FAR, 10).chain(group(-FAR, 10)).chain(group(FAR, 14)).chain(group(5, 10));
        let values = values.map(Some).chain([None]).collect::<Vec<_>>();
        let ids = (0..13).map(|row| row / 3).collect::<Vec<i32>>();
        let ids = Column::from_slice(&ids, &ctx).unwrap();
        let grouping = Grouping::new(ids, Column::empty(DataType::Int32), 5);
        for of in [DataType::Timestamp(TimeUnit::Nanoseconds), DataType::Duration(TimeUnit::Seconds)] {
            let times = Column::from_options(&values, &ctx).unwrap().bit_cast(of).unwrap();
            let found = aggregate(&grouping, &[(&times, Aggregation::Quantile(0.6))], &ctx).unwrap();
            let found = row_texts(&found[0].to_host().unwrap().bit_cast(DataType::Int64).unwrap());
            let expected = [FAR + 12, 12 - FAR, FAR + 16, 17].map(|ticks| ticks.to_string());
            assert_eq!(found[..4], expected, "{of}");
            assert!(found[4].parse::<i64>().is_err(), "{of}");
        }
    }
}

/// Quantiles of times of both widths, by every interpolation: groups of odd and of even size and of none, nulls, slices.
#[test]
fn quantiles_of_times_on_devices() {
    use crate::quantiles::Interpolation as I;
    let host = &Context::current();
    for ctx in cuprum_testing::contexts() {
        for (turn, rows) in [0usize, 1, 33, 257, 1500].into_iter().enumerate() {
            let mut random = Random(turn as u64);
            let mut some = |most: u64| -> Vec<Option<i64>> {
                let value = |random: &mut Random| Some(random.below(most) as i64 - most as i64 / 2);
                (0..rows + 1).map(|row| value(&mut random).filter(|_| row % 6 != 5)).collect()
            };
            let wide = Column::from_options(&some(1 << 60), host).unwrap();
            let wide = wide.bit_cast(DataType::Timestamp(TimeUnit::Nanoseconds)).unwrap();
            let days: Vec<Option<i32>> = some(90).iter().map(|n| n.map(|n| n as i32)).collect();
            let days = Column::from_options(&days, host).unwrap();
            let days = days.bit_cast(DataType::Duration(TimeUnit::Days)).unwrap();
            let ids: Vec<i32> = (0..rows as i32).map(|row| row % 40 * (row % 3) % 17 - 1).collect();
            let ids = Column::from_slice(&ids, host).unwrap();
            let groups = rows.min(17);
            let ids = if groups < 17 { Column::from_slice(&vec![0i32; rows], host).unwrap() } else { ids };
            let grouping = |ctx: &Context| {
                Grouping::new(ids.to_device(ctx).unwrap(), Column::empty(DataType::Int32), groups)
            };
            for column in [wide, days] {
                let column = column.slice(1, rows).unwrap();
                let there = column.to_device(&ctx).unwrap();
                for kind in [I::Linear, I::Lower, I::Higher, I::Midpoint, I::Nearest] {
                    let q = [0.0, 0.25, 0.5, 0.77, 1.0];
                    let found = quantiles(&grouping(&ctx), &there, &q, kind, &ctx).unwrap();
                    let wanted = quantiles(&grouping(host), &column, &q, kind, host).unwrap();
                    cuprum_testing::assert_column_eq(&found, &wanted);
                }
            }
        }
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
        cuprum_elements::decimals::column(
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
                let grouping = Grouping::new(ids, Column::empty(DataType::Int32), num_groups);
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
            let grouping = Grouping::new(ids, first_rows.clone(), 2);
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

/// Quantiles of more rows than are ordered by counting are the CPU's, with and without values that are missing.
#[test]
fn quantiles_of_many_rows_on_devices() {
    let (host, mut random, n) = (&Context::current(), Random(17), 2500);
    let floats: Vec<f64> = (0..n).map(|_| random.below(900) as f64 / 8.0 - 40.0).collect();
    let some_nan: Vec<f64> =
        floats.iter().enumerate().map(|(i, &x)| if i % 11 == 3 { f64::NAN } else { x }).collect();
    let wholes: Vec<i64> = (0..n).map(|_| random.next() as i64).collect();
    let some: Vec<Option<i64>> = wholes.iter().map(|&x| Some(x).filter(|x| x % 7 != 0)).collect();
    let values = [
        Column::from_slice(&floats, host).unwrap(),
        Column::from_slice(&some_nan, host).unwrap(),
        Column::from_slice(&wholes, host).unwrap(),
        Column::from_options(&some, host).unwrap(),
    ];
    let wanted = [Aggregation::Median, Aggregation::Quantile(0.3)];
    for groups in [3usize, 200] {
        let ids: Vec<i32> = (0..n).map(|_| random.below(groups as u64 + 1) as i32 - 1).collect();
        let ids = Column::from_slice(&ids, host).unwrap();
        let first_rows = Column::from_slice(&vec![0i32; groups], host).unwrap();
        let grouping = Grouping::new(ids, first_rows, groups);
        for column in &values {
            let requests = wanted.map(|how| (column, how));
            let expected = aggregate(&grouping, &requests, host).unwrap();
            for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                let (grouping, column) = (grouping.moved_to(&ctx).unwrap(), column.to_device(&ctx).unwrap());
                let got = aggregate(&grouping, &wanted.map(|how| (&column, how)), &ctx).unwrap();
                for (got, expected) in got.iter().zip(&expected) {
                    assert_eq!(row_texts(&got.to_host().unwrap()), row_texts(expected), "{groups} groups");
                }
            }
        }
    }
}

/// A value that no sample shows, too small for a float in the units of the others, is not lost.
#[test]
fn sums_of_values_too_small_beside_others_on_devices() {
    let tuning = crate::accumulation::cuda::statistics::Tuning {
        sampled: 64,
        ..crate::accumulation::cuda::statistics::Tuning::DEFAULT
    };
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        let ids: Vec<i32> = (0..3000).map(|row| i32::from(row == 700)).collect();
        let ids = Column::from_slice(&ids, &ctx).unwrap();
        let ids = crate::accumulation::cuda::row_groups::ids_of(&ids).unwrap();
        for tiny in [5e-324, -1e-309, 3e-300] {
            let values: Vec<f64> = (0..3000).map(|row| if row == 700 { tiny } else { 1e300 }).collect();
            let values = Column::from_slice(&values, &ctx).unwrap();
            let wanted = [(Aggregation::Sum, DataType::Float64)];
            let sums = crate::accumulation::cuda::statistics::aggregate_tuned(
                ids.as_ref(),
                &values,
                2,
                &wanted,
                tuning,
                &ctx,
            );
            let sums = sums.unwrap().remove(0).to_host().unwrap();
            assert_eq!(sums.view().unwrap().values::<f64>().unwrap()[1], tiny);
        }
    }
}

/// Products of deviations are the CPU's but for rounding: of groups, and of all rows.
#[test]
fn moments_on_devices() {
    let host = &Context::current();
    let mut random = Random(11);
    for (rows, groups) in [(1usize, 1u64), (2, 1), (40, 5), (700, 3), (3000, 800)] {
        let keys: Vec<Option<i64>> =
            (0..rows).map(|_| Some(random.below(groups) as i64).filter(|key| key % 10 != 4)).collect();
        let mut numbers = |far: f64| -> Vec<Option<f64>> {
            let number = |x: u64| match x % 50 {
                0 => None,
                1 => Some(f64::NAN),
                // One group in all has an infinity.
                2 if groups == 800 => Some(f64::INFINITY),
                x => Some(far + x as f64 / 7.0),
            };
            (0..rows).map(|_| number(random.next())).collect()
        };
        let (left, right) = (numbers(0.0), numbers(1e6));
        // All of one value: there is no correlation.
        let same: Vec<f32> = vec![0.1; rows];
        let small: Vec<i8> = (0..rows).map(|row| (row * row % 19) as i8 - 9).collect();
        let columns = [
            Column::from_options(&keys, host).unwrap(),
            Column::from_options(&left, host).unwrap(),
            Column::from_options(&right, host).unwrap(),
            Column::from_slice(&same, host).unwrap(),
            Column::from_slice(&small, host).unwrap(),
        ];
        let of = |ctx: &Context| {
            let there = Table::new(columns.to_vec()).unwrap().to_device(ctx).unwrap();
            let there = there.columns();
            let grouping = group(&Table::new(vec![there[0].clone()]).unwrap(), true, ctx).unwrap();
            let mut found: Vec<f64> = Vec::new();
            for (a, b) in [(1, 2), (2, 4), (1, 3), (4, 1)] {
                let (a, b) = (&there[a], &there[b]);
                let made = [
                    covariance(&grouping, a, b, (1, 2), ctx).unwrap(),
                    covariance(&grouping, a, b, (-1, 0), ctx).unwrap(),
                    correlation(&grouping, a, b, 1, ctx).unwrap(),
                    m2(&grouping, a, ctx).unwrap(),
                ];
                for column in made {
                    let column = column.to_host().unwrap();
                    found.extend(
                        (0..column.len()).map(|row| column.get(row).unwrap().as_f64().unwrap_or(-77.0)),
                    );
                }
                let all = crate::reduce::co_moments(a, b, ctx).unwrap();
                found.extend([all.count as f64, all.means[0], all.means[1], all.products]);
                found.extend(all.squares);
            }
            found
        };
        let expected = of(host);
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            let found = of(&ctx);
            assert_eq!(found.len(), expected.len());
            for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
                let near =
                    a == b || !a.is_finite() && !b.is_finite() || (a - b).abs() <= 1e-9 * b.abs().max(1.0);
                assert!(near, "{rows} rows, number {i}: {a} and {b}");
            }
        }
    }
}
