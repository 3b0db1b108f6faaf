//! Windows of 10 M rows: a value per row is read and one is written (160 MB), whatever the window.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, Scalar, Table};
use cuprum_compute::rolling::{RangeBound, WindowFunction, range_windows, rolling_window};
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_testing::Random;

const ROWS: usize = 10_000_000;

fn benches(c: &mut Criterion) {
    let ctx = &Context::current();
    let mut random = Random(2);
    let floats: Vec<f64> = (0..ROWS).map(|_| random.below(1 << 20) as f64).collect();
    let floats = Column::from_slice(&floats, ctx).unwrap();
    let mut random = Random(3);
    let mut time = 0i64;
    let times: Vec<i64> = (0..ROWS)
        .map(|_| {
            time += random.below(3) as i64;
            time
        })
        .collect();
    let times = Column::from_slice(&times, ctx).unwrap();
    let mut bench = c.benchmark_group("rolling");
    bench.sample_size(10).throughput(Throughput::Bytes(ROWS as u64 * 16));
    let functions = [
        ("sum", WindowFunction::Sum),
        ("max", WindowFunction::Max),
        ("std", WindowFunction::Std { ddof: 1 }),
        ("nunique", WindowFunction::NUnique { with_nulls: false }),
    ];
    for (name, function) in functions {
        for size in [10i64, 10_000] {
            let (preceding, following) = (Scalar::from(size), Scalar::from(0i64));
            bench.bench_function(format!("{name} of {size} rows"), |b| {
                b.iter(|| {
                    black_box(rolling_window(&floats, &preceding, &following, 1, function, ctx).unwrap())
                });
            });
        }
    }
    let all = Table::with_rows(vec![], ROWS).unwrap();
    let (before, behind) = (RangeBound::Closed(Scalar::from(100i64)), RangeBound::CurrentRow);
    let windows =
        || range_windows(&all, &times, Order::Ascending, NullOrder::First, &before, &behind, ctx).unwrap();
    bench.bench_function("windows of a range", |b| b.iter(|| black_box(windows())));
    let (preceding, following) = windows();
    bench.bench_function("sum of windows of a range", |b| {
        b.iter(|| {
            black_box(rolling_window(&floats, &preceding, &following, 1, WindowFunction::Sum, ctx).unwrap())
        });
    });
    bench.finish();
}

criterion_group!(rolling, benches);
criterion_main!(rolling);
