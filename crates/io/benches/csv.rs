//! CSV: reading and writing 400 000 rows of six columns of every common kind.

use std::fmt::Write;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::Context;
use cuprum_io::Source;
use cuprum_io::csv::{ReadOptions, WriteOptions, read_csv, write_csv};
use cuprum_testing::Random;

fn text(rows: usize) -> String {
    let mut random = Random(7);
    let mut text = String::from("id,key,price,amount,name,when\n");
    for id in 0..rows {
        let (key, price) = (random.below(1000), random.below(1_000_000) as f64 / 100.0);
        let amount = f64::from_bits(random.next() >> 12 | 0x3FF0_0000_0000_0000);
        let (name, day) = (random.below(5000), 1 + random.below(28));
        writeln!(text, "{id},{key},{price},{amount},name {name},2024-03-{day:02} 12:30:15")
            .expect("writing to memory");
    }
    text
}

fn csv(c: &mut Criterion) {
    let ctx = Context::current();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("bench.csv");
    let text = text(400_000);
    std::fs::write(&path, &text).expect("room for the file");
    let source = Source::from(path.as_path());
    let mut group = c.benchmark_group("csv");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    let options = ReadOptions::default();
    group.bench_function("read", |b| b.iter(|| read_csv(&source, &options, &ctx).expect("a table")));
    let dates = ReadOptions { parse_dates: vec!["when".into()], ..ReadOptions::default() };
    group.bench_function("read, dates", |b| b.iter(|| read_csv(&source, &dates, &ctx).expect("a table")));
    let two = ReadOptions { usecols: Some(vec!["id".into(), "price".into()]), ..ReadOptions::default() };
    group.bench_function("read, two columns", |b| b.iter(|| read_csv(&source, &two, &ctx).expect("a table")));
    let data = read_csv(&source, &dates, &ctx).expect("a table").data;
    let target = dir.path().join("out.csv");
    let header = [data.names.clone()];
    group.bench_function("write", |b| {
        b.iter(|| {
            write_csv(&data.table, &header, Some(&target), &WriteOptions::default(), &ctx).expect("room")
        });
    });
    group.finish();
}

criterion_group!(benches, csv);
criterion_main!(benches);
