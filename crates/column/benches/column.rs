//! The cost of columns that only share memory. `cargo bench -p cuprum-column --bench column`

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cuprum_column::{Column, Context};

fn benches(c: &mut Criterion) {
    let ctx = Context::current();
    let numbers: Vec<Option<i64>> = (0..1000).map(|i| (i % 7 != 0).then_some(i)).collect();
    let texts: Vec<Option<String>> = numbers.iter().map(|n| n.map(|n| n.to_string())).collect();
    for (name, column) in [
        ("int64 with nulls", Column::from_options(&numbers, &ctx).expect("there is memory")),
        ("str with nulls", Column::from_opt_strs(&texts, &ctx).expect("there is memory")),
    ] {
        let mut group = c.benchmark_group(name);
        group.bench_function("clone", |b| b.iter_with_large_drop(|| black_box(&column).clone()));
        group.bench_function("slice", |b| b.iter_with_large_drop(|| black_box(&column).slice(10, 100)));
        group.bench_function("clone and drop", |b| b.iter(|| black_box(&column).clone()));
    }
}

criterion_group!(column, benches);
criterion_main!(column);
