//! Partitioning 10 million rows of 4 columns. Bytes of throughput are those that must be read and written;
//! `memcpy` moves as many with all threads and is the floor.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, HostUVec, Table};
use cuprum_compute::hashing::HashFunction;
use cuprum_compute::partitioning::{hash_partition, partition, round_robin_partition};
use cuprum_testing::Random;

const ROWS: usize = 10_000_000;

fn benches(c: &mut Criterion) {
    let ctx = Context::current();
    let mut random = Random(1);
    let mut numbers = || -> Vec<i64> { (0..ROWS).map(|_| random.next() as i64).collect() };
    let columns: Vec<Column> = (0..4).map(|_| Column::from_slice(&numbers(), &ctx).unwrap()).collect();
    let table = Table::new(columns).unwrap();
    let bytes = 2 * ROWS * 4 * 8;
    let mut group = c.benchmark_group("partition 10 million rows of 4 columns");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    for partitions in [64, 4096] {
        let map: Vec<u16> = (0..ROWS).map(|_| random.below(partitions) as u16).collect();
        let map = Column::from_slice(&map, &ctx).unwrap();
        group.bench_function(format!("by a map into {partitions}"), |b| {
            b.iter(|| black_box(partition(&table, &map, partitions as usize, &ctx).unwrap()));
        });
    }
    group.bench_function("by the hash of a column into 64", |b| {
        b.iter(|| {
            black_box(hash_partition(&table, &[0], 64, HashFunction::Murmur3, 0, &ctx).unwrap());
        });
    });
    group.bench_function("round robin into 64", |b| {
        b.iter(|| black_box(round_robin_partition(&table, 64, 0, &ctx).unwrap()));
    });
    let source = vec![1u64; bytes / 16];
    group.bench_function("memcpy of the same bytes", |b| {
        b.iter(|| black_box(HostUVec::from_slice(black_box(&source), &ctx).unwrap()));
    });
    group.finish();
}

criterion_group! {
    name = partitioning;
    config = Criterion::default().warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(partitioning);
