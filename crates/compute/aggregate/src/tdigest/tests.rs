use std::f64::consts::PI;

use cuprum_column::{Column, DataType, ErrorKind, Result, Table};
use cuprum_runtime::memory::Tracked;
use proptest::prelude::*;

use super::*;
use crate::groupby::group;

fn grouped(keys: &[i64], ctx: &Context) -> Grouping {
    group(&Table::new(vec![Column::from_slice(keys, ctx).unwrap()]).unwrap(), true, ctx).unwrap()
}

fn quantiles(digests: &Column, row: usize, q: &[f64], ctx: &Context) -> Vec<f64> {
    let found = percentile_approx(digests, q, ctx).unwrap().slice(row, 1).unwrap().elements().unwrap();
    (0..found.len()).map(|i| found.get(i).unwrap().as_f64().unwrap()).collect()
}

/// The distance of the rank of a value from a fraction of sorted values; a value between two of them has both
/// ranks.
fn rank_error(sorted: &[f64], value: f64, q: f64) -> f64 {
    let n = sorted.len() as f64;
    let low = sorted.partition_point(|&x| x < value) as f64;
    let high = sorted.partition_point(|&x| x <= value) as f64;
    let place = q * n;
    if place < low {
        (low - place) / n
    } else if place > high {
        (place - high) / n
    } else {
        0.0
    }
}

const Q: [f64; 9] = [0.0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999, 1.0];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn ranks_are_near(
        seed in any::<u64>(),
        (rows, parts) in (1usize..5000, 1i64..20),
        (delta, shape) in (prop::sample::select(vec![20usize, 100, 1000]), 0usize..4),
    ) {
        let ctx = &Tracked::current();
        let mut random = cuprum_testing::Random(seed);
        let mut values: Vec<f64> = (0..rows).map(|_| {
            let uniform = random.below(1 << 30) as f64 / f64::from(1 << 30);
            match shape { 0 => uniform, 1 => -(1.0 - uniform).ln(), 2 => (uniform * 5.0).floor(), _ => (uniform - 0.5).powi(9) * 1e300 }
        }).collect();
        let column = Column::from_slice(&values, ctx).unwrap();
        let keys = vec![1; rows];
        let whole = digest(&grouped(&keys, ctx), &column, delta, ctx).unwrap();
        let by_part: Vec<i64> = (0..rows as i64).map(|row| row % parts).collect();
        let digests = digest(&grouped(&by_part, ctx), &column, delta, ctx).unwrap();
        let merged = merge(&grouped(&vec![1; digests.len()], ctx), &digests, delta, ctx).unwrap();
        values.sort_by(f64::total_cmp);
        for (times, found) in [(1.0, &whole), (2.0, &merged)] {
            prop_assert!(found.field(0).unwrap().elements().unwrap().len() <= delta + 1);
            for (q, value) in Q.iter().zip(quantiles(found, 0, &Q, ctx)) {
                // A centroid and a half: means may be anywhere among their values.
                let share = 2.0 * PI * (q * (1.0 - q)).sqrt() / delta as f64 + PI * PI / (delta * delta) as f64;
                let bound = times * 1.5 * share + 1.0 / rows as f64;
                let error = rank_error(&values, value, *q);
                prop_assert!(error <= bound, "{q}: {value}, off by {error}, bound {bound}");
            }
            prop_assert_eq!(quantiles(found, 0, &[0.0, 1.0], ctx), [values[0], values[rows - 1]]);
        }
        let weights = whole.field(0).unwrap().elements().unwrap().field(1).unwrap();
        let total: f64 = weights.view().unwrap().values::<f64>().unwrap().iter().sum();
        prop_assert_eq!(total, rows as f64);
    }
}

#[test]
fn few_values_are_themselves() {
    let ctx = &Tracked::current();
    let values = [Some(5.0), None, Some(f64::NAN), Some(1.0), Some(9.0)];
    let column = Column::from_options(&values, ctx).unwrap();
    let digests = digest(&grouped(&[1, 1, 2, 1, 1], ctx), &column, 100, ctx).unwrap();
    assert_eq!(quantiles(&digests, 0, &[0.0, 0.5, 1.0], ctx), [1.0, 5.0, 9.0]);
    let none = percentile_approx(&digests, &[0.5], ctx).unwrap();
    assert_eq!(none.null_count().unwrap(), 1);
    assert!(none.slice(1, 1).unwrap().has_nulls());
    assert_eq!(quantiles(&digests, 0, &[], ctx), [0.0; 0]);
    // Whole numbers and infinities.
    let column = Column::from_slice(&[3i32, 3, 3], ctx).unwrap();
    assert_eq!(
        quantiles(&digest(&grouped(&[1; 3], ctx), &column, 1, ctx).unwrap(), 0, &[0.3, 0.9], ctx),
        [3.0, 3.0]
    );
    let column = Column::from_slice(&[f64::NEG_INFINITY, 0.0, f64::INFINITY], ctx).unwrap();
    let found =
        quantiles(&digest(&grouped(&[1; 3], ctx), &column, 100, ctx).unwrap(), 0, &[0.0, 0.5, 1.0], ctx);
    assert_eq!(found, [f64::NEG_INFINITY, 0.0, f64::INFINITY]);
}

#[test]
fn what_is_no_digest_is_refused() {
    let ctx = &Tracked::current();
    let grouping = grouped(&[1, 1], ctx);
    let column = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
    let digests = digest(&grouped(&[1, 2], ctx), &column, 10, ctx).unwrap();
    let kind = |result: Result<Column>| result.unwrap_err().kind();
    assert_eq!(kind(digest(&grouping, &column, 0, ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(merge(&grouping, &digests, 0, ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(percentile_approx(&digests, &[1.1], ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(percentile_approx(&column, &[0.1], ctx)), ErrorKind::DataType);
    assert_eq!(kind(merge(&grouping, &column, 10, ctx)), ErrorKind::DataType);
    assert_eq!(kind(digest(&grouped(&[1], ctx), &column, 10, ctx)), ErrorKind::Logic);
    let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
    assert_eq!(kind(digest(&grouping, &texts, 10, ctx)), ErrorKind::DataType);
    let made = |mean: f64, weight: Option<f64>| {
        let pair =
            vec![Column::from_slice(&[mean], ctx).unwrap(), Column::from_options(&[weight], ctx).unwrap()];
        let offsets = Column::from_slice(&[0i32, 1], ctx).unwrap();
        let lists = Column::lists(offsets, Column::structs(1, pair, None).unwrap(), None).unwrap();
        let ends = Column::from_slice(&[0.0], ctx).unwrap();
        percentile_approx(&Column::structs(1, vec![lists, ends.clone(), ends], None).unwrap(), &[0.5], ctx)
    };
    assert!(made(0.0, Some(3.0)).is_ok());
    for (mean, weight) in [(f64::NAN, Some(1.0)), (0.0, Some(-1.0)), (0.0, Some(f64::NAN)), (0.0, None)] {
        assert_eq!(kind(made(mean, weight)), ErrorKind::InvalidArgument);
    }
    assert_eq!(digests.data_type(), DataType::Struct);
}

/// The means and weights of the centroids of a digest, and its ends.
type Given<'a> = (&'a [[Option<f64>; 2]], Option<f64>, Option<f64>);

/// A column of digests of these centroids and ends; `None` for a null one.
fn of_centroids(digests: &[Option<Given<'_>>], ctx: &Context) -> Column {
    let rows = digests.iter().map(|digest| digest.unwrap_or((&[], None, None)));
    let all: Vec<[Option<f64>; 2]> = rows.clone().flat_map(|(centroids, ..)| centroids.to_vec()).collect();
    let [means, weights] = [0, 1].map(|side| {
        Column::from_options(&all.iter().map(|pair| pair[side]).collect::<Vec<_>>(), ctx).unwrap()
    });
    let mut offsets = vec![0i32];
    for (centroids, ..) in rows.clone() {
        offsets.push(offsets[offsets.len() - 1] + centroids.len() as i32);
    }
    let pairs = Column::structs(all.len(), vec![means, weights], None).unwrap();
    let lists = Column::lists(Column::from_slice(&offsets, ctx).unwrap(), pairs, None).unwrap();
    let least =
        Column::from_options(&rows.clone().map(|(_, least, _)| least).collect::<Vec<_>>(), ctx).unwrap();
    let most = Column::from_options(&rows.map(|(.., most)| most).collect::<Vec<_>>(), ctx).unwrap();
    let mask = cuprum_column::null_mask::from_fn(digests.len(), ctx, |row| digests[row].is_some()).unwrap();
    Column::structs(digests.len(), vec![lists, least, most], Some(mask)).unwrap()
}

/// Digests, merged ones and quantiles of devices are the CPU's to the bit: one group and many, rows in no group, all values of
/// floats, integers and booleans, slices, any number of centroids.
#[test]
fn devices_make_the_same_digests() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts() {
        let same = |column: &Column, keys: &[i64], delta: usize| {
            let ids =
                Column::from_slice(&keys.iter().map(|&key| key as i32).collect::<Vec<_>>(), host).unwrap();
            let groups = keys.iter().max().map_or(0, |&most| (most.max(0) as usize + 2).min(keys.len()));
            let grouping = |ctx: &Context| {
                Grouping::new(ids.to_device(ctx).unwrap(), Column::empty(DataType::Int32), groups)
            };
            let there = column.to_device(&ctx).unwrap();
            let made = digest(&grouping(&ctx), &there, delta, &ctx).unwrap();
            let wanted = digest(&grouping(host), column, delta, host).unwrap();
            println!("{} {} {groups} {delta}", column.data_type(), column.len());
            cuprum_testing::assert_column_eq(&made, &wanted);
            let q = percentile_approx(&made, &Q, &ctx).unwrap();
            cuprum_testing::assert_column_eq(&q, &percentile_approx(&wanted, &Q, host).unwrap());
            if groups < 4 {
                return;
            }
            // Without the first digest, in two groups and none.
            let (made, wanted) = (made.slice(1, groups - 1).unwrap(), wanted.slice(1, groups - 1).unwrap());
            let ids: Vec<i32> = (0..groups as i32 - 1).map(|row| row % 5 % 3 - 1).collect();
            let ids = Column::from_slice(&ids, host).unwrap();
            let together =
                |ctx: &Context| Grouping::new(ids.to_device(ctx).unwrap(), Column::empty(DataType::Int32), 3);
            for delta in [delta, 7] {
                let merged = merge(&together(&ctx), &made, delta, &ctx).unwrap();
                let wanted = merge(&together(host), &wanted, delta, host).unwrap();
                cuprum_testing::assert_column_eq(&merged, &wanted);
                let q = percentile_approx(&merged, &Q, &ctx).unwrap();
                cuprum_testing::assert_column_eq(&q, &percentile_approx(&wanted, &Q, host).unwrap());
            }
        };
        for (turn, rows) in [0usize, 1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 2500].into_iter().enumerate() {
            let mut random = cuprum_testing::Random(turn as u64 + 5);
            let mut value = |_| match random.below(24) {
                0 => None,
                1 => Some(f64::NAN),
                2 => Some(f64::INFINITY),
                3 | 4 => Some(f64::NEG_INFINITY),
                5 => Some(-0.0),
                6 => Some(f64::MAX),
                7 => Some(-f64::MAX),
                n => Some((random.below(1 << 20) as f64 - 5e5) * [1.0, 1e-300, 1e300][n as usize % 3]),
            };
            let floats: Vec<_> = (0..rows + 3).map(&mut value).collect();
            let floats = Column::from_options(&floats, host).unwrap().slice(3, rows).unwrap();
            let tame: Vec<f64> = (0..rows).map(|_| random.below(1 << 30) as f64 / 7.0).collect();
            let tame = Column::from_slice(&tame, host).unwrap();
            let whole: Vec<i64> = (0..rows as i64).map(|row| row * row % 4001 - (1 << 60)).collect();
            let whole = Column::from_slice(&whole, host).unwrap();
            let bools =
                Column::from_bools(&(0..rows).map(|row| row % 3 == 0).collect::<Vec<_>>(), host).unwrap();
            for (kinds, delta) in [(1, 100), (1, 1), (3, 20), (40, 2), (300, 5), (1, 1 << 40)] {
                let keys: Vec<i64> =
                    (0..rows as i64).map(|row| row * 7 % kinds - i64::from(kinds == 3)).collect();
                same(&floats, &keys, delta);
                same(&tame, &keys, delta);
                if delta < 20 {
                    same(&whole, &keys, delta);
                    same(&bools, &keys, delta);
                }
            }
        }
    }
}

/// The first bad digest is named alike by all devices; a null one is skipped, whatever is beneath it.
#[test]
fn devices_refuse_the_same_digests() {
    let host = &Context::current();
    let (one, two) = (Some(1.0), Some(2.0));
    let good: &[[Option<f64>; 2]] = &[[one, one], [two, Some(3.0)]];
    let nothing: &[[Option<f64>; 2]] = &[];
    let bad: [Given<'_>; 9] = [
        (good, None, two),
        (good, one, None),
        (nothing, None, None),
        (&[[None, one]], one, two),
        (&[[one, None]], one, two),
        (&[[Some(f64::NAN), one]], one, two),
        (&[[one, one], [two, Some(0.0)]], one, two),
        (&[[one, Some(f64::INFINITY)]], one, two),
        (&[[one, Some(-2.0)]], one, two),
    ];
    for ctx in cuprum_testing::contexts() {
        let there = |digests: &Column| digests.to_device(&ctx).unwrap();
        for bad in bad {
            let digests = [Some((good, one, two)), None, Some(bad), Some(bad), Some((good, one, two))];
            let digests = of_centroids(&digests, host);
            for digests in [digests.clone(), digests.slice(1, 3).unwrap(), digests.slice(3, 2).unwrap()] {
                let (found, wanted) = (
                    percentile_approx(&there(&digests), &[], &ctx).unwrap_err(),
                    percentile_approx(&digests, &[], host).unwrap_err(),
                );
                assert_eq!(found.kind(), ErrorKind::InvalidArgument);
                assert_eq!(found.to_string(), wanted.to_string());
                let keys = vec![1; digests.len()];
                let found = merge(&grouped(&keys, &ctx), &there(&digests), 5, &ctx).unwrap_err();
                assert_eq!(found.to_string(), wanted.to_string());
            }
        }
        // Ends that are NaN, centroids of the two zeros, weights that are no whole numbers but have few digits.
        let zeros: &[[Option<f64>; 2]] = &[[Some(-0.0), two], [Some(0.0), Some(0.5)], [two, Some(1e6)]];
        let nan = Some(f64::NAN);
        let digests =
            [None, Some((zeros, nan, Some(-0.0))), Some((good, one, nan)), Some((nothing, one, two))];
        let digests = of_centroids(&digests, host);
        for keys in [[1i64, 1, 1, 1], [1, 2, 1, 2], [1, 2, 3, 4]] {
            for delta in [1, 3, 100] {
                let merged = merge(&grouped(&keys, &ctx), &there(&digests), delta, &ctx).unwrap();
                cuprum_testing::assert_column_eq(
                    &merged,
                    &merge(&grouped(&keys, host), &digests, delta, host).unwrap(),
                );
            }
        }
        let q = percentile_approx(&there(&digests), &Q, &ctx).unwrap();
        cuprum_testing::assert_column_eq(&q, &percentile_approx(&digests, &Q, host).unwrap());
        let kind = |result: Result<Column>| result.unwrap_err().kind();
        assert_eq!(kind(percentile_approx(&there(&digests), &[f64::NAN], &ctx)), ErrorKind::InvalidArgument);
        assert_eq!(kind(merge(&grouped(&[1, 2], &ctx), &there(&digests), 5, &ctx)), ErrorKind::Logic);
        let texts = Column::from_strs(&["a"; 4], host).unwrap();
        assert_eq!(kind(digest(&grouped(&[1; 4], &ctx), &there(&texts), 5, &ctx)), ErrorKind::DataType);
    }
}

/// Groups of more rows than are counted at once are taken some at a time, with the same digests.
#[test]
fn digests_of_some_groups_at_a_time() {
    let host = &Context::current();
    let values: Vec<f64> = (0..300).map(|row| f64::from(row * 7919 % 1009)).collect();
    let keys: Vec<i64> = (0..300).map(|row| row % 11).collect();
    let wanted = digest(&grouped(&keys, host), &Column::from_slice(&values, host).unwrap(), 6, host).unwrap();
    for ctx in cuprum_testing::contexts() {
        let (groups, values) = (grouped(&keys, &ctx), Column::from_slice(&values, &ctx).unwrap());
        let found =
            cuprum_keys::equality::row_limit::with_most_rows(70, || digest(&groups, &values, 6, &ctx));
        cuprum_testing::assert_column_eq(&found.unwrap(), &wanted);
    }
}
