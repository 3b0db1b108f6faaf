//! JSON: writing and reading records, in an array and one a line.

mod files;

use cuprum_column::Result;
use cuprum_io::Source;
use cuprum_io::json::{ReadOptions, WriteOptions, read_json, write_json_with};
use cuprum_testing::timing::{Bench, Family, run};

const FAMILY: Family = Family { name: "json", rows_for_each: 50, measure };

fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (columns, table) = files::common_types(bench)?;
    for (kind, lines) in [(", an array", false), (", lines", true)] {
        let write = WriteOptions { lines, iso: true, ..WriteOptions::default() };
        let read = ReadOptions { lines, ..ReadOptions::default() };
        files::written_and_read(
            bench,
            kind,
            &table,
            |path| write_json_with(&table, &columns, Some(path), &write, &bench.ctx).map(drop),
            |path| read_json(&Source::from(path), &read, &bench.ctx),
        )?;
    }
    Ok(())
}
