//! CSV: reading and writing six columns of every common kind. Bytes are those of the text.

use std::fmt::Write;

use cuprum_column::{Error, Result};
use cuprum_io::Source;
use cuprum_io::csv::{ReadOptions, WriteOptions, read_csv, write_csv};
use cuprum_testing::Random;
use cuprum_testing::timing::{Bench, Family, run};

const FAMILY: Family = Family { name: "csv", rows_for_each: 25, measure };

fn main() -> Result<()> {
    run(&[FAMILY])
}

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

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let folder = tempfile::tempdir().map_err(|error| Error::io(&std::env::temp_dir(), error))?;
    let path = folder.path().join("benchmark.csv");
    let text = text(bench.rows);
    std::fs::write(&path, &text).map_err(|error| Error::io(&path, error))?;
    let (source, bytes) = (Source::from(path.as_path()), text.len());
    let dates = ReadOptions { parse_dates: vec!["when".into()], ..ReadOptions::default() };
    let two = ReadOptions { usecols: Some(vec!["id".into(), "price".into()]), ..ReadOptions::default() };
    for (name, options) in
        [("read", &ReadOptions::default()), ("read, dates", &dates), ("read, two columns", &two)]
    {
        bench.case_of_bytes(name, bytes, || read_csv(&source, options, ctx))?;
    }
    let data = read_csv(&source, &dates, ctx)?.data;
    let (target, header) = (folder.path().join("written.csv"), [data.names.clone()]);
    bench.case_of_bytes("write", bytes, || {
        write_csv(&data.table, &header, Some(&target), &WriteOptions::default(), ctx)
    })
}
