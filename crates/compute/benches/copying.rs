//! Gather, scatter, concatenation and filter. Bytes of throughput are those that must be read and written; `memcpy` moves as
//! many with all threads and is the floor.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, DataType, HostUVec, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, gather_column, scatter};
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_testing::Random;

const ROWS: usize = 4 << 20;

/// Reads and writes `bytes` in all: a copy of half of them.
fn memcpy(group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>, bytes: usize) {
    let ctx = Context::current();
    let source = vec![1u64; bytes / 16];
    group.bench_function("memcpy of the same bytes", |b| {
        b.iter(|| black_box(HostUVec::from_slice(black_box(&source), &ctx).unwrap()));
    });
}

fn table(ctx: &Context) -> Table {
    let mut random = Random(1);
    let ints: Vec<i64> = (0..ROWS).map(|_| random.next() as i64).collect();
    let floats: Vec<f64> = ints.iter().map(|&i| i as f64).collect();
    Table::new(vec![Column::from_slice(&ints, ctx).unwrap(), Column::from_slice(&floats, ctx).unwrap()])
        .unwrap()
}

fn benches(c: &mut Criterion) {
    let ctx = Context::current();
    let table = table(&ctx);
    let mut random = Random(2);
    let picks: Vec<i32> = (0..ROWS).map(|_| random.below(ROWS as u64) as i32).collect();
    let mut sorted = picks.clone();
    sorted.sort_unstable();

    let bytes = ROWS * (4 + 2 * 16);
    let mut group = c.benchmark_group("gather 2 columns of 8 bytes");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    for (name, map) in [("random", &picks), ("sorted", &sorted)] {
        let map = Column::from_slice(map, &ctx).unwrap();
        group.bench_function(name, |b| {
            b.iter(|| black_box(gather(&table, &map, OutOfBoundsPolicy::Check, &ctx).unwrap()));
        });
    }
    memcpy(&mut group, bytes);
    group.finish();

    let words: Vec<String> = (0..ROWS / 4).map(|i| "word ".repeat(i % 4) + &i.to_string()).collect();
    let words = Column::from_strs(&words, &ctx).unwrap();
    let bytes = ROWS / 4 * 12 + 2 * words.nbytes();
    let mut group = c.benchmark_group("gather words");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    for (name, map) in [("random", &picks), ("sorted", &sorted)] {
        let map: Vec<i32> = map.iter().step_by(4).map(|row| row / 4).collect();
        let map = Column::from_slice(&map, &ctx).unwrap();
        group.bench_function(name, |b| {
            b.iter(|| black_box(gather_column(&words, &map, OutOfBoundsPolicy::Check, &ctx).unwrap()));
        });
    }
    memcpy(&mut group, bytes);
    group.finish();

    let (source, target) = (&table.columns()[0], &table.columns()[1].bit_cast(DataType::Int64).unwrap());
    let bytes = ROWS * (4 + 3 * 8);
    let mut group = c.benchmark_group("scatter 8 bytes");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    for (name, map) in [("random", &picks), ("sorted", &sorted)] {
        let map = Column::from_slice(map, &ctx).unwrap();
        group.bench_function(name, |b| {
            b.iter(|| black_box(scatter(source, &map, target, &ctx).unwrap()));
        });
    }
    memcpy(&mut group, bytes);
    group.finish();

    let mut group = c.benchmark_group("concatenate 1000 pieces");
    for (name, column) in [("8 bytes", source), ("words", &words)] {
        let rows = column.len() / 1000;
        let pieces: Vec<Column> = (0..1000).map(|i| column.slice(i * rows, rows).unwrap()).collect();
        let pieces: Vec<&Column> = pieces.iter().collect();
        group.sample_size(10).throughput(Throughput::Bytes(2 * column.nbytes() as u64));
        group.bench_function(name, |b| b.iter(|| black_box(concatenate(&pieces, &ctx).unwrap())));
    }
    memcpy(&mut group, 2 * source.nbytes());
    group.finish();

    let bools: Vec<bool> = (0..ROWS).map(|_| random.below(2) == 0).collect();
    let mask = Column::from_bools(&bools, &ctx).unwrap();
    let bytes = ROWS * (1 + 2 * 8) + ROWS / 2 * 2 * 8;
    let mut group = c.benchmark_group("keep half of 2 columns of 8 bytes");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("apply_boolean_mask", |b| {
        b.iter(|| black_box(apply_boolean_mask(&table, &mask, &ctx).unwrap()));
    });
    memcpy(&mut group, bytes);
    group.finish();
}

criterion_group! {
    name = copying;
    config = Criterion::default().warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(copying);
