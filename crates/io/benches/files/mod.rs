//! Files of a table of common types, written and read. Bytes are those of the table and of the file, which is in the
//! page cache.

use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{DataType, Error, Result, Table, TimeUnit};
use cuprum_testing::generated::{below, table};
use cuprum_testing::timing::{Bench, Bytes};

/// A table of numbers, floats without and with nulls, few different texts and times.
pub fn common_types(bench: &Bench) -> Result<(Vec<ColumnMetadata>, Table)> {
    let numbers = bench.ints(1, 1 << 44)?;
    let floats = bench.floats(2)?;
    let nullable = bench.with_nulls(&floats)?;
    let texts = bench.words(3, "word ", 1000)?;
    let times = bench.column(|row| (row as i64 * 1000 + below(4, row, 1000) as i64) * 1_000_000)?;
    let times = times.bit_cast(DataType::Timestamp(TimeUnit::Microseconds))?;
    let names = ["number", "float", "nullable", "text", "time"];
    let columns = names.map(ColumnMetadata::named).to_vec();
    Ok((columns, table(&[&numbers, &floats, &nullable, &texts, &times])?))
}

/// Cases of writing a file and of reading it.
pub fn written_and_read<R>(
    bench: &Bench,
    kind: &str,
    table: &Table,
    write: impl Fn(&Path) -> Result<()>,
    read: impl Fn(&Path) -> Result<R>,
) -> Result<()> {
    let folder = tempfile::tempdir().map_err(|error| Error::io(&std::env::temp_dir(), error))?;
    let path = &folder.path().join("benchmark");
    write(path)?;
    let length = std::fs::metadata(path).map_err(|error| Error::io(path, error))?.len();
    let bytes = table.bytes() + length as usize;
    bench.case_of_bytes(&format!("write{kind}"), bytes, || write(path))?;
    bench.case_of_bytes(&format!("read{kind}"), bytes, || read(path))
}
