//! Arithmetic and comparison. Bytes of throughput are those that must be read and written; `memcpy`
//! moves as many with all threads and is the floor.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, HostUVec, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};

const ROWS: usize = 4 << 20;

/// Reads and writes `bytes` in all: a copy of half of them.
fn memcpy(group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>, bytes: usize) {
    let ctx = Context::current();
    let source = vec![1u64; bytes / 16];
    group.bench_function("memcpy of the same bytes", |b| {
        b.iter(|| black_box(HostUVec::from_slice(black_box(&source), &ctx).unwrap()));
    });
}

fn column(seed: usize, ctx: &Context) -> Column {
    let values: Vec<Option<f64>> =
        (0..ROWS).map(|i| (i % 10 != seed).then_some(((i * 7 + seed) % 1000) as f64)).collect();
    Column::from_options(&values, ctx).unwrap()
}

fn benches(c: &mut Criterion) {
    use BinaryOperator::{Add, Less, Mul, TrueDiv};
    let ctx = Context::current();
    let (x, y, z) = (column(1, &ctx), column(2, &ctx), column(3, &ctx));
    let one = Scalar::from(1.0);

    // Four operations: 3 + 2 columns read and written by each of three, 2 by the one with a scalar.
    let bytes = ROWS * 8 * (3 + 3 + 2 + 3);
    let mut group = c.benchmark_group("(a*b+c)/(b+1), float64 with nulls");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("operation at a time", |b| {
        b.iter(|| {
            let product = binary_operation(&x, &y, Mul, &ctx).unwrap();
            let sum = binary_operation(&product, &z, Add, &ctx).unwrap();
            let divisor = binary_operation(&y, &one, Add, &ctx).unwrap();
            black_box(binary_operation(&sum, &divisor, TrueDiv, &ctx).unwrap())
        });
    });
    memcpy(&mut group, bytes);
    group.finish();

    let ints = Column::from_slice(&(0..ROWS as i64).collect::<Vec<_>>(), &ctx).unwrap();
    let small = Column::from_slice(&(0..ROWS as i32).rev().collect::<Vec<_>>(), &ctx).unwrap();
    for (name, bytes) in
        [("columns", ROWS * 17), ("column with scalar", ROWS * 9), ("mixed types", ROWS * 13)]
    {
        let mut group = c.benchmark_group(format!("compare int64: {name}"));
        group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
        let bound = Scalar::from(ROWS as i64 / 2);
        group.bench_function("less", |b| {
            b.iter(|| {
                black_box(match name {
                    "columns" => binary_operation(&ints, &ints, Less, &ctx).unwrap(),
                    "mixed types" => binary_operation(&ints, &small, Less, &ctx).unwrap(),
                    _ => binary_operation(&ints, &bound, Less, &ctx).unwrap(),
                })
            });
        });
        memcpy(&mut group, bytes);
        group.finish();
    }
}

criterion_group! {
    name = binaryop;
    config = Criterion::default().warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(binaryop);
