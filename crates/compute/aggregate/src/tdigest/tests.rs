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
