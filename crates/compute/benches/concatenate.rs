//! Columns and tables end to end: of two pieces and of a thousand.

use cuprum_column::{Column, Result, Table};
use cuprum_compute::concatenate::{concatenate, concatenate_tables};
use cuprum_compute::contiguous_split::split_table;
use cuprum_testing::generated::{cuts, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "concatenate", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let moved = bench.rows_of_28_bytes()?;
    for parts in [2, 1000] {
        let pieces = split_table(&moved, &cuts(rows, parts))?;
        let pieces: Vec<&Table> = pieces.iter().collect();
        let name = format!("concatenate {parts} pieces");
        bench.case(&name, &[&moved], || concatenate_tables(&pieces, ctx))?;
    }
    drop(moved);
    let (numbers, words) = (bench.ints(1, u64::MAX)?, bench.words(2, "word ", 1 << 20)?);
    for (name, column) in [("8 bytes", &numbers), ("words", &words)] {
        let pieces = split_table(&table(&[column])?, &cuts(rows, 1000))?;
        let pieces: Vec<&Column> = pieces.iter().flat_map(Table::columns).collect();
        let name = format!("concatenate 1000 pieces of {name}");
        bench.case(&name, &[column], || concatenate(&pieces, ctx))?;
    }
    let few = Column::from_slice(&[5i64, 3, 9], ctx)?;
    bench.small("concatenate 2 pieces of 3 rows", || concatenate(&[&few, &few], ctx))
}
