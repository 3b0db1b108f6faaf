//! Avro: writing and reading common types, by compression.

mod files;

use cuprum_column::Result;
use cuprum_io::Source;
use cuprum_io::avro::{Compression, ReadOptions, WriteOptions, read_avro, write_avro};
use cuprum_testing::timing::{Bench, Family, run};

const FAMILY: Family = Family { name: "avro", rows_for_each: 10, measure };

fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (columns, table) = files::common_types(bench)?;
    for compression in [Compression::None, Compression::Snappy, Compression::Deflate] {
        let options = WriteOptions { compression, ..WriteOptions::default() };
        files::written_and_read(
            bench,
            &format!(", {compression:?}"),
            &table,
            |path| write_avro(&table, &columns, path, &options, &bench.ctx),
            |path| read_avro(&Source::from(path), &ReadOptions::default(), &bench.ctx),
        )?;
    }
    Ok(())
}
