//! The cases of `docs/design/cpu.md`: ten million rows (two million strings).
//!
//! Every group has a *memory floor*: reading the input and writing the output once, by all threads.

use criterion::{Criterion, criterion_group, criterion_main};
use cuprum_column::{Column, Context, HostUVec, Table};
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key, sorted_order, top_k};
use cuprum_testing::Random;
use std::hint::black_box;
use std::time::Duration;

const ROWS: usize = 10_000_000;

fn ints(bound: u64) -> Column {
    let mut random = Random(bound);
    let values: Vec<i64> = (0..ROWS).map(|_| random.below(bound) as i64).collect();
    Column::from_slice(&values, &Context::current()).unwrap()
}

fn floats() -> Column {
    let mut random = Random(3);
    let values: Vec<f64> = (0..ROWS).map(|_| (random.next() >> 11) as f64 / (1u64 << 53) as f64).collect();
    Column::from_slice(&values, &Context::current()).unwrap()
}

fn bench(c: &mut Criterion) {
    let ctx = &Context::current();
    let table = |columns: &[&Column]| Table::new(columns.iter().map(|&c| c.clone()).collect()).unwrap();
    let mut group = c.benchmark_group("sorting");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));

    let (int, float) = (ints(u64::MAX), floats());
    let mut random = Random(9);
    let small: Vec<i32> = (0..ROWS).map(|_| random.below(1000) as i32).collect();
    let small = Column::from_slice(&small, ctx).unwrap();
    let skewed = {
        let mut values = ints(1_000_000).view().unwrap().values::<i64>().unwrap().to_vec();
        values[ROWS / 2] = i64::MAX;
        Column::from_slice(&values, ctx).unwrap()
    };

    group.bench_function("memory floor: copy of 80 MB", |b| {
        let view = int.view().unwrap();
        let values = view.values::<i64>().unwrap();
        b.iter(|| black_box(HostUVec::from_slice(values, ctx).unwrap().len()));
    });
    let one = table(&[&int]);
    group.bench_function("sort int64", |b| {
        b.iter(|| sort_by_key(&one, &one, &[], NullOrder::Last, ctx).unwrap());
    });
    group.bench_function("argsort int64", |b| {
        b.iter(|| sorted_order(&one, &[], NullOrder::Last, ctx).unwrap());
    });
    // For scale on a busy machine: one thread of arrow-rs.
    group.bench_function("argsort int64, arrow-rs", |b| {
        let array = arrow_array::Int64Array::from(int.view().unwrap().values::<i64>().unwrap().to_vec());
        b.iter(|| arrow_ord::sort::sort_to_indices(&array, None, None).unwrap());
    });
    let one = table(&[&skewed]);
    group.bench_function("argsort int64 with an outlier", |b| {
        b.iter(|| sorted_order(&one, &[], NullOrder::Last, ctx).unwrap());
    });
    let (frame, key) = (table(&[&float, &int, &skewed]), table(&[&float]));
    group.bench_function("sort 3-column frame by float64", |b| {
        b.iter(|| sort_by_key(&frame, &key, &[], NullOrder::Last, ctx).unwrap());
    });
    let (frame, key) = (table(&[&small, &float, &int]), table(&[&small, &float]));
    group.bench_function("sort by (int32, float64) + payload", |b| {
        b.iter(|| sort_by_key(&frame, &key, &[], NullOrder::Last, ctx).unwrap());
    });
    group.bench_function("top 10 of float64", |b| {
        b.iter(|| top_k(&float, 10, Order::Descending, ctx).unwrap());
    });
    let words: Vec<String> =
        (0..2_000_000).map(|_| format!("customer#{:09}", random.below(1 << 29))).collect();
    let text = table(&[&Column::from_strs(&words, ctx).unwrap()]);
    group.bench_function("sort 2 M strings", |b| {
        b.iter(|| sort_by_key(&text, &text, &[], NullOrder::Last, ctx).unwrap());
    });
    group.bench_function("argsort 2 M strings", |b| {
        b.iter(|| sorted_order(&text, &[], NullOrder::Last, ctx).unwrap());
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
