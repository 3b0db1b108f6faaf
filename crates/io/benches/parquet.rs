//! Parquet: reading and writing two million rows of numbers and strings.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, HostUVec, Table};
use cuprum_io::Source;
use cuprum_io::parquet::{ReadOptions, WriteOptions, read_parquet, write_parquet};
use cuprum_testing::Random;

fn table(rows: usize, ctx: &Context) -> Table {
    let ints = HostUVec::from_fn(rows, ctx, |i| Random(i as u64).next() as i64 >> 20).expect("memory");
    let floats = HostUVec::from_fn(rows, ctx, |i| Random(i as u64).next() as f64).expect("memory");
    let words: Vec<String> = (0..1000).map(|i| format!("word {i}")).collect();
    let text: Vec<&str> = (0..rows as u64).map(|i| words[Random(i).below(1000) as usize].as_str()).collect();
    let text = Column::from_strs(&text, ctx).expect("memory");
    Table::new(vec![Column::from_values(ints), Column::from_values(floats), text]).expect("equal lengths")
}

fn parquet(c: &mut Criterion) {
    let ctx = Context::current();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("bench.parquet");
    let rows = 2_000_000;
    let table = table(rows, &ctx);
    let names = ["i".to_string(), "f".to_string(), "s".to_string()];
    let options = WriteOptions { row_group_rows: 250_000, ..WriteOptions::default() };
    write_parquet(&table, &names, &path, &options, &ctx).expect("room");
    let source = Source::from(path.as_path());
    let mut group = c.benchmark_group("parquet");
    group.sample_size(10).throughput(Throughput::Elements(rows as u64));
    group.bench_function("read", |b| {
        b.iter(|| read_parquet(&source, &ReadOptions::default(), &ctx).expect("a table"));
    });
    group.bench_function("write", |b| {
        b.iter(|| write_parquet(&table, &names, &path, &options, &ctx).expect("room"));
    });
    group.finish();
}

criterion_group!(benches, parquet);
criterion_main!(benches);
