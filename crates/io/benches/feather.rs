//! Feather (Arrow's IPC format): writing and reading common types, by compression.

mod files;

use cuprum_column::Result;
use cuprum_io::Source;
use cuprum_io::feather::{Compression, ReadOptions, WriteOptions, read_feather, write_feather};
use cuprum_testing::timing::{Bench, Family, run};

const FAMILY: Family = Family { name: "feather", rows_for_each: 5, measure };

fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (columns, table) = files::common_types(bench)?;
    for compression in [Compression::None, Compression::Lz4, Compression::Zstd { level: 1 }] {
        let options = WriteOptions { compression, ..WriteOptions::default() };
        files::written_and_read(
            bench,
            &format!(", {compression:?}"),
            &table,
            |path| write_feather(&table, &columns, path, &options, &bench.ctx),
            |path| read_feather(&Source::from(path), &ReadOptions::default(), &bench.ctx),
        )?;
    }
    Ok(())
}
