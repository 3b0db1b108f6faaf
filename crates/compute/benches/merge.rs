//! Sorted tables as one: int64 keys and another column, all rows together.

use cuprum_column::{Result, Table};
use cuprum_compute::contiguous_split::split_table;
use cuprum_compute::merge::merge;
use cuprum_compute::sorting::{NullOrder, sort_by_key};
use cuprum_testing::generated::{cuts, random, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "merge", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let values = bench.ints(1, u64::MAX)?;
    let ascending = bench.column(|row| row as i64 * 7 + (random(2, row) & 3) as i64)?;
    let sorted = table(&[&ascending, &values])?;
    for parts in [2, 4] {
        let pieces = split_table(&sorted, &cuts(bench.rows, parts))?;
        let pieces: Vec<&Table> = pieces.iter().collect();
        let name = format!("merge of {parts} sorted tables");
        bench.case(&name, &[&sorted], || merge(&pieces, &[0], &[], &[], ctx))?;
    }
    // Each part sorted by itself, so that rows of all of them come in turns.
    for parts in [2, 16] {
        let mixed = table(&[&values, &ascending])?;
        let sort = |piece: &Table| {
            sort_by_key(piece, &Table::new(vec![piece.columns()[0].clone()])?, &[], NullOrder::Last, ctx)
        };
        let pieces = split_table(&mixed, &cuts(bench.rows, parts))?;
        let pieces = pieces.iter().map(sort).collect::<Result<Vec<_>>>()?;
        let pieces: Vec<&Table> = pieces.iter().collect();
        let name = format!("merge of {parts} tables in turns");
        bench.case(&name, &[&mixed], || merge(&pieces, &[0], &[], &[], ctx))?;
    }
    Ok(())
}
