//! Hashes of rows. Bytes of throughput are those that must be read and written; `memcpy` moves as many
//! with all threads and is the floor.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, HostUVec, Table};
use cuprum_compute::hashing::{DigestAlgorithm, digest, murmurhash3_x86_32, xxhash_64};
use cuprum_testing::Random;

const ROWS: usize = 10_000_000;

/// Reads and writes `bytes` in all: a copy of half of them.
fn memcpy(group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>, bytes: usize) {
    let ctx = Context::current();
    let source = vec![1u64; bytes / 16];
    group.bench_function("memcpy of the same bytes", |b| {
        b.iter(|| black_box(HostUVec::from_slice(black_box(&source), &ctx).unwrap()));
    });
}

fn benches(c: &mut Criterion) {
    let ctx = Context::current();
    let mut random = Random(1);
    let mut ints = || Column::from_slice(&(0..ROWS).map(|_| random.next() as i64).collect::<Vec<_>>(), &ctx);
    let columns: Vec<Column> = (0..4).map(|_| ints().unwrap()).collect();
    let one = Table::new(columns[..1].to_vec()).unwrap();
    let four = Table::new(columns).unwrap();
    let words: Vec<String> = (0..ROWS).map(|i| format!("customer {}", i * 7919 % ROWS)).collect();
    let text = Table::new(vec![Column::from_strs(&words, &ctx).unwrap()]).unwrap();
    for (name, table, bytes) in [
        ("10 M int64", &one, ROWS * (8 + 4)),
        ("4 columns of 10 M int64", &four, ROWS * (4 * 8 + 4)),
        ("10 M strings", &text, text.column(0).unwrap().nbytes() + ROWS * 4),
    ] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
        group.bench_function("murmurhash3_x86_32", |b| {
            b.iter(|| black_box(murmurhash3_x86_32(table, 0, &ctx).unwrap()));
        });
        group.bench_function("xxhash_64", |b| b.iter(|| black_box(xxhash_64(table, 0, &ctx).unwrap())));
        memcpy(&mut group, bytes);
        group.finish();
    }
    let rows = text.slice(0, ROWS / 10).unwrap();
    let mut group = c.benchmark_group("1 M strings");
    group.sample_size(10).throughput(Throughput::Elements(rows.num_rows() as u64));
    for algorithm in [DigestAlgorithm::Md5, DigestAlgorithm::Sha256] {
        group.bench_function(format!("{algorithm:?}"), |b| {
            b.iter(|| black_box(digest(&rows, algorithm, &ctx).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(hashing, benches);
criterion_main!(hashing);
