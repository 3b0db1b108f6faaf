//! Parquet: writing and reading common types, by compression, and reading a part of a file.

mod files;

use cuprum_column::{Error, Result};
use cuprum_io::Source;
use cuprum_io::parquet::{Compression, ReadOptions, WriteOptions, read_parquet, write_parquet_with};
use cuprum_testing::timing::{Bench, Bytes, Family, run};

const FAMILY: Family = Family { name: "parquet", rows_for_each: 5, measure };

fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let (columns, table) = files::common_types(bench)?;
    let read = |path: &_| read_parquet(&Source::from(path), &ReadOptions::default(), ctx);
    let all = [Compression::Snappy, Compression::None, Compression::Zstd { level: 1 }];
    for (kind, compression) in ["", ", no compression", ", zstd"].into_iter().zip(all) {
        let options = WriteOptions { compression, row_group_rows: 250_000, ..WriteOptions::default() };
        let write = |path: &_| write_parquet_with(&table, &columns, path, &options, ctx);
        files::written_and_read(bench, kind, &table, write, read)?;
    }
    let folder = tempfile::tempdir().map_err(|error| Error::io(&std::env::temp_dir(), error))?;
    let path = folder.path().join("benchmark.parquet");
    write_parquet_with(&table, &columns, &path, &WriteOptions::default(), ctx)?;
    let names = ["number", "float"].map(String::from).to_vec();
    let two = ReadOptions { columns: Some(names), ..ReadOptions::default() };
    bench.case_of_bytes("read, two columns of five", 2 * table.select(&[0, 1])?.bytes(), || {
        read_parquet(&Source::from(path.as_path()), &two, ctx)
    })
}
