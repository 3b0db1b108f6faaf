//! Inner join of 10 M rows with 1 M unique keys.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cuprum_column::{Column, Context, Table};
use cuprum_compute::join::{JoinKind, join};
use cuprum_testing::Random;

const LEFT: usize = 10_000_000;
const RIGHT: u64 = 1_000_000;

fn table(keys: &[i64]) -> Table {
    Table::new(vec![Column::from_slice(keys, &Context::current()).unwrap()]).unwrap()
}

fn benches(c: &mut Criterion) {
    let ctx = &Context::current();
    let mut bench = c.benchmark_group("join");
    bench.sample_size(10).warm_up_time(std::time::Duration::from_millis(300));
    bench.measurement_time(std::time::Duration::from_secs(1));
    let mut run = |name: &str, factor: i64, left: u64, repeat: u64| {
        let mut random = Random(1);
        let probe: Vec<i64> = (0..LEFT).map(|_| (random.below(left) as i64).wrapping_mul(factor)).collect();
        let mut build: Vec<i64> = (0..RIGHT).map(|k| ((k / repeat) as i64).wrapping_mul(factor)).collect();
        for i in (1..build.len()).rev() {
            build.swap(i, random.below(i as u64 + 1) as usize);
        }
        let (left, right) = (table(&probe), table(&build));
        bench.bench_function(name, |b| {
            b.iter(|| black_box(join(&left, &right, JoinKind::Inner, true, ctx).unwrap()));
        });
    };
    run("dense keys [45 ms]", 1, RIGHT, 1);
    run("sparse keys [62 ms]", 0x1234_5678_9ABC, RIGHT, 1);
    run("sparse keys, half found", 0x1234_5678_9ABC, 2 * RIGHT, 1);
    run("sparse keys, two right rows each", 0x1234_5678_9ABC, RIGHT / 2, 2);
    bench.finish();
}

criterion_group!(joins, benches);
criterion_main!(joins);
