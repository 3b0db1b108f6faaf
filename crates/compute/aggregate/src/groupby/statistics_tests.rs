//! Statistics of groups on every device, in all the ways in which they are collected: the CPU's results.

use cuprum_column::{Column, DataType, HostUVec, TimeUnit};
use cuprum_testing::Random;

use super::*;
use crate::accumulation::cuda::row_groups::ids_of;
use crate::accumulation::cuda::statistics::{Tuning, aggregate_tuned};
use cuprum_keys::equality;
use cuprum_runtime::backend::OnDevice;
use cuprum_testing::rows as row_texts;

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
    // Values that a sample misses: larger ones, and lower bits.
    let rarely = |value: f64| -> Vec<f64> {
        (0..n).map(|i| if i % 2111 == 700 { value } else { [0.0, 1.0, 3.0][i % 3] / 256.0 }).collect()
    };
    let values = [
        Column::from_options(&some, host).unwrap(),
        Column::from_slice(&exact, host).unwrap(),
        Column::from_slice(&infinite, host).unwrap(),
        Column::from_slice(&rarely(f64::from(1 << 20)), host).unwrap(),
        Column::from_slice(&rarely(f64::NEG_INFINITY), host).unwrap(),
        Column::from_slice(&rarely(-(-44f64).exp2()), host).unwrap(),
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
    let whole = Tuning { many_rows: 100, most_shared: 640, sampled: usize::MAX };
    let sampled = Tuning { sampled: 64, ..whole };
    let contexts: Vec<_> = cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).collect();
    for groups in [2usize, 9, 300, 4000] {
        let ids: Vec<i32> =
            (0..n).map(|i| (random.below(groups as u64 + 1) as i32 - 1).max(i as i32 % 2 - 1)).collect();
        let first_rows = Column::from_slice(&vec![0i32; groups], host).unwrap();
        let ids = Column::from_slice(&ids, host).unwrap();
        let grouping = Grouping::new(ids.clone(), first_rows, groups);
        let requests: Vec<_> =
            values.iter().flat_map(|column| wanted.iter().map(move |how| (column, *how))).collect();
        let expected = aggregate(&grouping, &requests, host).unwrap();
        for (number, ctx) in contexts.iter().enumerate() {
            // All without the race check, which is slow.
            if number > 0 && (number + groups) % 4 != 0 {
                continue;
            }
            let ids = ids.to_device(ctx).unwrap();
            let span = ids_of(&ids).unwrap();
            let tunings = [whole, sampled].into_iter().cycle().skip(groups + number);
            for ((column, expected), tuning) in values.iter().zip(expected.chunks(wanted.len())).zip(tunings)
            {
                let column = column.to_device(ctx).unwrap();
                let typed: Vec<_> =
                    wanted.iter().map(|how| (*how, result_type(column.data_type(), *how).unwrap())).collect();
                let got = aggregate_tuned(span.as_ref(), &column, groups, &typed, tuning, ctx);
                for ((got, expected), how) in got.unwrap().iter().zip(expected).zip(wanted) {
                    let context = format!("{groups} groups, {how:?} of {}", column.data_type());
                    assert_eq!(row_texts(&got.to_host().unwrap()), row_texts(expected), "{context}");
                }
                // Sums, means and counts alone are taken in another way.
                let alone = [0, 1, 4];
                let got =
                    aggregate_tuned(span.as_ref(), &column, groups, &alone.map(|i| typed[i]), tuning, ctx);
                for (got, i) in got.unwrap().iter().zip(alone) {
                    let context = format!("{groups} groups, {:?} of {} alone", wanted[i], column.data_type());
                    assert_eq!(row_texts(&got.to_host().unwrap()), row_texts(&expected[i]), "{context}");
                }
            }
        }
    }
}

/// Sums and counts of as many groups as fit shared memory in words of 32 bits, and of one more or less, are those of digits.
#[test]
fn compact_sums_on_devices() {
    let (host, mut random, n) = (&Context::current(), Random(41), 2500);
    let longs: Vec<i64> = (0..n)
        .map(|_| match random.below(5) {
            0 => i64::MIN,
            1 => i64::MAX,
            2 => -1,
            _ => random.next() as i64,
        })
        .collect();
    let some: Vec<Option<i64>> = longs.iter().map(|&x| (x % 7 != 0).then_some(x)).collect();
    let unsigned: Vec<u64> = longs.iter().map(|&x| if x == -1 { u64::MAX } else { x as u64 }).collect();
    // Numbers of 53 bits, some 90 from the highest to the lowest.
    let floats: Vec<Option<f64>> = longs
        .iter()
        .map(|&x| match x % 40 {
            0 => None,
            1 => Some(f64::NAN),
            2 => Some(-0.0),
            at => Some((x >> 3) as f64 * ((at / 2) as f64 - 60.0).exp2()),
        })
        .collect();
    let singles: Vec<f32> = floats.iter().map(|x| x.unwrap_or(-7.25) as f32).collect();
    // Values that a sample misses: larger ones, and lower bits.
    let rarely = |value: f64| -> Vec<f64> {
        (0..n).map(|i| if i % 911 == 700 { value } else { [0.0, 1.0, -3.0][i % 3] / 256.0 }).collect()
    };
    let values = [
        Column::from_slice(&longs, host).unwrap(),
        Column::from_options(&some, host).unwrap(),
        Column::from_slice(&unsigned, host).unwrap(),
        Column::from_options(&floats, host).unwrap(),
        Column::from_slice(&singles, host).unwrap(),
        Column::from_slice(&rarely(f64::from(1 << 30)), host).unwrap(),
        Column::from_slice(&rarely(-(-60f64).exp2()), host).unwrap(),
        Column::from_slice(&rarely(f64::NEG_INFINITY), host).unwrap(),
        Column::from_slice(&vec![f64::NAN; n], host).unwrap(),
    ];
    // Of counts and sums of 64 bits, in words of 32 bits, as much as 60 groups have on an emulator.
    let room = Tuning { many_rows: 100, most_shared: 960, sampled: usize::MAX };
    let sampled = Tuning { sampled: 64, ..room };
    let contexts: Vec<_> = cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).collect();
    for groups in [41usize, 60, 61] {
        let ids: Vec<i32> = (0..n).map(|_| random.below(groups as u64 + 2) as i32 - 1).collect();
        let ids = Column::from_slice(&ids, host).unwrap();
        for (number, ctx) in contexts.iter().enumerate() {
            // All without the race check, which is slow.
            if number > 0 && (number + groups) % 4 != 0 {
                continue;
            }
            let ids = ids.to_device(ctx).unwrap();
            let span = ids_of(&ids).unwrap();
            for column in &values {
                let column = column.to_device(ctx).unwrap();
                let wanted = [Aggregation::Sum, Aggregation::Mean, Aggregation::Count]
                    .map(|how| (how, result_type(column.data_type(), how).unwrap()));
                let made = |wanted: &[_], tuning| -> Vec<Vec<String>> {
                    let made = aggregate_tuned(span.as_ref(), &column, groups, wanted, tuning, ctx).unwrap();
                    made.iter().map(|column| row_texts(&column.to_host().unwrap())).collect()
                };
                let expected = made(&wanted, Tuning::DEFAULT);
                for tuning in [room, sampled] {
                    let context = format!("{} in {groups} groups, {tuning:?}", column.data_type());
                    assert_eq!(made(&wanted, tuning), expected, "{context}");
                    assert_eq!(made(&wanted[..1], tuning), expected[..1], "{context}, sums alone");
                }
            }
        }
    }
}

/// Groups and their aggregations in one pass over keys of a small range are those of the CPU: whatever the
/// first rows show of the keys, with values in shared memory as words and as sums of 32 bits.
#[test]
fn groups_by_codes_on_devices() {
    let (host, mut random, n) = (&Context::current(), Random(43), 2600usize);
    let of_keys = equality::cuda::Tuning::DEFAULT.with_head(256);
    let words = Tuning { sampled: usize::MAX, ..Tuning::DEFAULT };
    // 60 groups have room as sums, not as words.
    let compact = Tuning { many_rows: 100, most_shared: 1400, sampled: 64 };
    let none = Tuning { most_shared: 10, ..words };
    let mut below = |keys: u64| -> Vec<i64> { (0..n).map(|_| random.below(keys) as i64).collect() };
    let (few, more, many) = (below(5), below(40), below(900));
    // Keys that the first rows do not have, within the table's bounds, and the only one of the last row.
    let late: Vec<i64> =
        more.iter().enumerate().map(|(i, &x)| if i > 1500 || x % 3 > 0 { x } else { 1 }).collect();
    let last: Vec<i64> =
        more.iter().enumerate().map(|(i, &x)| if i == n - 1 { 7 } else { x + (x == 7) as i64 }).collect();
    let outside: Vec<i64> = more.iter().enumerate().map(|(i, &x)| if i == 1100 { 90 } else { x }).collect();
    let far: Vec<i64> = more.iter().map(|&x| x * 1000).collect();
    let wide = |keys: &[i64], from: i64| {
        Column::from_slice(&keys.iter().map(|&x| x.wrapping_add(from)).collect::<Vec<_>>(), host).unwrap()
    };
    let narrow = |keys: &[i64], from: i32| {
        Column::from_slice(&keys.iter().map(|&x| x as i32 + from).collect::<Vec<_>>(), host).unwrap()
    };
    let unsigned: Vec<u64> = more.iter().map(|&x| u64::MAX - 45 + x as u64).collect();
    let unsigned_narrow: Vec<u32> = more.iter().map(|&x| (1 << 31) - 20 + x as u32).collect();
    let some: Vec<Option<i64>> = few.iter().map(|&x| Some(x).filter(|x| *x > 0)).collect();
    let days = HostUVec::from_fn(n, host, |i| more[i] as i32 - 20).unwrap();
    let days = Column::new(DataType::Timestamp(TimeUnit::Days), days, None).unwrap();
    let cases = [
        ("few", wide(&few, -2), true),
        ("one", wide(&vec![0; n], i64::MIN), true),
        ("greatest", wide(&more, i64::MAX - 39), true),
        ("late", wide(&late, -3), true),
        ("last", narrow(&last, i32::MIN), true),
        ("days", days, true),
        ("unsigned", Column::from_slice(&unsigned, host).unwrap(), true),
        ("unsigned of 32 bits", Column::from_slice(&unsigned_narrow, host).unwrap(), true),
        ("many", wide(&many, 5), true),
        ("a part", wide(&more, 0).slice(37, n - 37).unwrap(), true),
        ("outside", wide(&outside, 0), false),
        ("far apart", wide(&far, 0), false),
        ("missing", Column::from_options(&some, host).unwrap(), false),
        (
            "bytes",
            Column::from_slice(&few.iter().map(|&x| x as i8).collect::<Vec<_>>(), host).unwrap(),
            false,
        ),
    ];
    let eighths: Vec<Option<f64>> = (0..n)
        .map(|_| match random.below(9) {
            0 => None,
            1 => Some(f64::NAN),
            x => Some(x as f64 * [1.0, -0.125, 0.0, -0.0][random.below(4) as usize]),
        })
        .collect();
    let plain: Vec<f64> = eighths.iter().map(|x| x.unwrap_or(f64::NAN)).collect();
    let infinite: Vec<f32> =
        plain.iter().enumerate().map(|(i, &x)| if i == 900 { f32::INFINITY } else { x as f32 }).collect();
    let wholes: Vec<i64> = (0..n).map(|_| random.next() as i64).collect();
    let apart: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1e300 } else { 1e-300 }).collect();
    let values = [
        Column::from_options(&eighths, host).unwrap(),
        Column::from_slice(&plain, host).unwrap(),
        Column::from_slice(&infinite, host).unwrap(),
        Column::from_slice(&wholes, host).unwrap(),
        Column::from_slice(&wholes.iter().map(|&x| (x % 4) as i32).collect::<Vec<_>>(), host).unwrap(),
    ];
    let all = [
        Aggregation::Sum,
        Aggregation::Mean,
        Aggregation::Count,
        Aggregation::Size,
        Aggregation::Min,
        Aggregation::Max,
        Aggregation::First,
        Aggregation::Last,
        Aggregation::Any,
        Aggregation::All,
    ];
    let contexts: Vec<_> = cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).collect();
    for (case, (name, key, is_made)) in cases.iter().enumerate() {
        let (keys, rows) = (Table::new(vec![key.clone()]).unwrap(), key.len());
        let values: Vec<Column> = values.iter().map(|column| column.slice(n - rows, rows).unwrap()).collect();
        let apart = Column::from_slice(&apart[..rows], host).unwrap();
        let spans = values[3].bit_cast(DataType::Duration(TimeUnit::Seconds)).unwrap();
        let grouping = group(&keys, true, host).unwrap();
        for (number, ctx) in contexts.iter().enumerate() {
            // All without the race check, which is slow.
            if number > 0 && (number + case) % 4 != 0 {
                continue;
            }
            let moved = keys.to_device(ctx).unwrap();
            let made = |requests: &[(&Column, Aggregation)], tuning| {
                let look =
                    equality::cuda::sampled_build::KeyRange::at(moved.columns(), of_keys, ctx).unwrap();
                cuda::by_codes(&moved, look, requests, of_keys, tuning, ctx).unwrap()
            };
            let check = |requests: &[(&Column, Aggregation)], tuning, is_made: bool| {
                let on_device: Vec<Column> =
                    requests.iter().map(|(c, _)| c.to_device(ctx).unwrap()).collect();
                let own: Vec<_> = on_device.iter().zip(requests).map(|(c, (_, how))| (c, *how)).collect();
                let Some((found, got)) = made(&own, tuning) else {
                    assert!(!is_made, "{name}, {tuning:?}");
                    return;
                };
                assert!(is_made, "{name}, {tuning:?}");
                assert_eq!((found.num_groups, found.num_rows()), (grouping.num_groups, rows), "{name}");
                let texts = |column: &Column| row_texts(&column.to_host().unwrap());
                assert_eq!(texts(&found.first_rows), texts(&grouping.first_rows), "{name}");
                assert_eq!(texts(found.ids(ctx).unwrap()), texts(grouping.ids(host).unwrap()), "{name}");
                let expected = aggregate(&grouping, requests, host).unwrap();
                for ((got, expected), (of, how)) in got.iter().zip(&expected).zip(requests) {
                    assert_eq!(
                        texts(got),
                        texts(expected),
                        "{name}: {how:?} of {}, {tuning:?}",
                        of.data_type()
                    );
                }
                let back = found.moved_to(host).unwrap();
                assert_eq!(texts(back.ids(host).unwrap()), texts(grouping.ids(host).unwrap()), "{name}");
            };
            let everything: Vec<_> = values.iter().flat_map(|c| all.map(|how| (c, how))).collect();
            check(&everything, words, *is_made);
            let sums: Vec<_> = [0, 1, 3]
                .map(|i| &values[i])
                .into_iter()
                .flat_map(|c| [all[0], all[2]].map(|how| (c, how)))
                .collect();
            check(&sums, compact, *is_made);
            check(&sums, none, *is_made);
            check(&[(&apart, Aggregation::Sum)], words, false);
            // Sums of durations are refused where they do not fit.
            check(&[(&spans, Aggregation::Sum)], words, false);
            check(&[(&spans, Aggregation::Max), (&spans, Aggregation::Mean)], words, *is_made);
            check(&[(&values[0], Aggregation::Std { ddof: 1 })], words, false);
            check(&[], words, false);
        }
    }
}

/// The same of more keys than fit shared memory; some are not among the first rows.
#[test]
fn groups_by_many_codes_on_devices() {
    let (host, mut random, n) = (&Context::current(), Random(44), 40_000usize);
    let of_keys = equality::cuda::Tuning::DEFAULT.with_head(2048);
    let tuning = Tuning { sampled: usize::MAX, ..Tuning::DEFAULT };
    let values: Vec<Option<f64>> = (0..n).map(|i| (i % 5 > 0).then(|| (i % 64) as f64 / 8.0)).collect();
    let values = Column::from_options(&values, host).unwrap();
    let wanted = [Aggregation::Sum, Aggregation::Count, Aggregation::Size, Aggregation::First];
    let contexts: Vec<_> = cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).collect();
    // Codes for keys beyond the sample: as many again for a few keys, some more for others, and none where one
    // code in four has a row.
    for (case, (below, step, is_made)) in
        [(5000, 1, true), (9000, 1, true), (9000, 4, false)].into_iter().enumerate()
    {
        let keys: Vec<i64> = (0..n).map(|_| random.below(below) as i64 * step - 70).collect();
        let keys = Table::new(vec![Column::from_slice(&keys, host).unwrap()]).unwrap();
        let grouping = group(&keys, true, host).unwrap();
        let expected = aggregate(&grouping, &wanted.map(|how| (&values, how)), host).unwrap();
        for (number, ctx) in contexts.iter().enumerate() {
            if number > 0 && (number + case) % 4 != 0 {
                continue;
            }
            let (keys, values) = (keys.to_device(ctx).unwrap(), values.to_device(ctx).unwrap());
            let look = equality::cuda::sampled_build::KeyRange::at(keys.columns(), of_keys, ctx).unwrap();
            let requests = wanted.map(|how| (&values, how));
            let made = cuda::by_codes(&keys, look, &requests, of_keys, tuning, ctx).unwrap();
            assert_eq!(made.is_some(), is_made, "{below}");
            let Some((found, got)) = made else { continue };
            let texts = |column: &Column| row_texts(&column.to_host().unwrap());
            assert_eq!(texts(&found.first_rows), texts(&grouping.first_rows), "{below}");
            assert_eq!(texts(found.ids(ctx).unwrap()), texts(grouping.ids(host).unwrap()), "{below}");
            for ((got, expected), how) in got.iter().zip(&expected).zip(wanted) {
                assert_eq!(texts(got), texts(expected), "{below}: {how:?}");
            }
        }
    }
}

/// A key that only the last row has, which is behind the rows that few codes are numbered among.
#[test]
fn a_key_of_the_last_of_many_rows_on_devices() {
    let (host, n) = (&Context::current(), 140_000usize);
    let of_keys = equality::cuda::Tuning::DEFAULT.with_head(2048);
    let keys: Vec<i32> = (0..n as i32).map(|row| if row == n as i32 - 1 { 35 } else { row % 29 }).collect();
    let keys = Table::new(vec![Column::from_slice(&keys, host).unwrap()]).unwrap();
    let grouping = group(&keys, true, host).unwrap();
    let expected = aggregate(&grouping, &[(&keys.columns()[0], Aggregation::Size)], host).unwrap();
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).take(2) {
        let keys = keys.to_device(&ctx).unwrap();
        // The last row is left out of the sample.
        let first = keys.columns()[0].slice(0, n - 1).unwrap();
        let look = equality::cuda::sampled_build::KeyRange::at(&[first], of_keys, &ctx).unwrap();
        let requests = [(&keys.columns()[0], Aggregation::Size)];
        let made = cuda::by_codes(&keys, look, &requests, of_keys, Tuning::DEFAULT, &ctx).unwrap();
        let (found, sizes) = made.expect("the key is in the margin of the others");
        let texts = |column: &Column| row_texts(&column.to_host().unwrap());
        assert_eq!(texts(&found.first_rows), texts(&grouping.first_rows));
        assert_eq!(texts(&sizes[0]), texts(&expected[0]));
    }
}
