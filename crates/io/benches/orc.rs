//! ORC: writing and reading common types, by compression.

mod files;

use cuprum_column::Result;
use cuprum_io::Source;
use cuprum_io::orc::{Compression, ReadOptions, WriteOptions, read_orc, write_orc};
use cuprum_testing::timing::{Bench, Family, run};

const FAMILY: Family = Family { name: "orc", rows_for_each: 5, measure };

fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (columns, table) = files::common_types(bench)?;
    for compression in [Compression::None, Compression::Snappy, Compression::Zstd] {
        let options = WriteOptions { compression, ..WriteOptions::default() };
        files::written_and_read(
            bench,
            &format!(", {compression:?}"),
            &table,
            |path| write_orc(&table, &columns, path, &options, &bench.ctx),
            |path| read_orc(&Source::from(path), &ReadOptions::default(), &bench.ctx),
        )?;
    }
    Ok(())
}
