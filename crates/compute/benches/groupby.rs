//! Group-by at 10 M rows. In brackets the prototypes of docs/design/cpu.md, which all products are
//! measured against.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cuprum_column::{Column, Context, Table};
use cuprum_compute::groupby::{aggregate, group};
use cuprum_compute::reduce::Aggregation;
use cuprum_testing::Random;

const ROWS: usize = 10_000_000;

fn ints(bound: u64, factor: i64, seed: u64) -> Column {
    let mut random = Random(seed);
    let values: Vec<i64> = (0..ROWS).map(|_| (random.below(bound) as i64).wrapping_mul(factor)).collect();
    Column::from_slice(&values, &Context::current()).unwrap()
}

/// Ranks with a frequency of about 1 / rank.
fn zipf(ranks: u64) -> Column {
    let mut random = Random(9);
    let log = (ranks as f64).ln();
    let values: Vec<i64> = (0..ROWS)
        .map(|_| (random.below(1 << 50) as f64 / (1u64 << 50) as f64 * log).exp() as i64 * 7_919)
        .collect();
    Column::from_slice(&values, &Context::current()).unwrap()
}

fn benches(c: &mut Criterion) {
    let ctx = &Context::current();
    let mut random = Random(2);
    let floats: Vec<f64> = (0..ROWS).map(|_| random.below(1 << 20) as f64).collect();
    let floats = Column::from_slice(&floats, ctx).unwrap();
    let counts = ints(1000, 1, 3);
    let mut bench = c.benchmark_group("groupby");
    bench.sample_size(10).warm_up_time(std::time::Duration::from_millis(300));
    bench.measurement_time(std::time::Duration::from_secs(1));
    let three = [(&floats, Aggregation::Sum), (&floats, Aggregation::Mean), (&counts, Aggregation::Max)];
    let mut run = |name: &str, keys: Vec<Column>, requests: &[(&Column, Aggregation)]| {
        let keys = Table::new(keys).unwrap();
        bench.bench_function(name, |b| {
            b.iter(|| {
                let grouping = group(&keys, true, ctx).unwrap();
                black_box(aggregate(&grouping, requests, ctx).unwrap())
            });
        });
    };
    run("100 dense keys, 3 aggregates [14 ms]", vec![ints(100, 1, 1)], &three);
    run("100 sparse keys, 3 aggregates [25 ms]", vec![ints(100, 1 << 40, 1)], &three);
    run("1 M sparse keys, sum [95 ms]", vec![ints(1_000_000, 0x1234_5678_9ABC, 1)], &three[..1]);
    run("1 M dense keys, sum", vec![ints(1_000_000, 1, 1)], &three[..1]);
    run("1 M Zipf keys, sum", vec![zipf(1_000_000)], &three[..1]);
    run("two dense keys, sum [31 ms]", vec![ints(100, 1, 1), ints(100, 1, 4)], &three[..1]);
    run("two sparse keys, sum [46 ms]", vec![ints(100, 1 << 30, 1), ints(100, 1 << 29, 4)], &three[..1]);
    run("one key, median of 100 groups", vec![ints(100, 1, 1)], &[(&floats, Aggregation::Median)]);
    let mut random = Random(6);
    let words: Vec<String> = (0..ROWS).map(|_| format!("key{}", random.below(10_000))).collect();
    let words = Column::from_strs(&words, ctx).unwrap();
    run("10 k strings, sum [49 ms]", vec![words], &three[..1]);
    bench.finish();
}

criterion_group!(groupby, benches);
criterion_main!(groupby);
