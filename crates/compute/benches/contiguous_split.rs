//! Tables in one block of memory: of 28 bytes a row, and with a column of text.

use cuprum_column::{Column, Result};
use cuprum_compute::contiguous_split::{ChunkedPack, contiguous_split, pack};
use cuprum_runtime::DeviceBuffer;
use cuprum_testing::generated::{cuts, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "contiguous_split", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let splits = &cuts(rows, 64);
    let numbers = bench.rows_of_28_bytes()?;
    let bytes = 2 * 28 * rows;
    bench.case_of_bytes("contiguous split into 64", bytes, || contiguous_split(&numbers, splits, ctx))?;
    bench.case_of_bytes("pack", bytes, || pack(&numbers, ctx))?;

    let texts = bench.words(2, "some text or other ", 1000)?;
    let columns: Vec<&Column> = numbers.columns().iter().skip(1).chain([&texts]).collect();
    let table = table(&columns)?;
    drop(numbers);
    let bytes = 2 * pack(&table, ctx)?.into_parts().1.len();
    bench.case_of_bytes("pack with texts", bytes, || pack(&table, ctx))?;
    let later = table.slice(1, rows - 1)?;
    bench.case_of_bytes("pack with texts, one row later", bytes, || pack(&later, ctx))?;
    bench.case_of_bytes("split with texts into 64", bytes, || contiguous_split(&table, splits, ctx))?;
    let mut buffer = DeviceBuffer::uninit(16 << 20, ctx)?;
    bench.case_of_bytes("pack with texts in chunks of 16 MiB", bytes, || {
        let mut chunks = ChunkedPack::create(&table, buffer.len(), ctx)?;
        while chunks.has_next() {
            chunks.next(&mut buffer)?;
        }
        Ok(())
    })
}
