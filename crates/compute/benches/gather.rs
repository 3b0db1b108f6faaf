//! Gather: rows by their numbers, in random and in ascending order.

use cuprum_column::{Column, HostUVec, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_testing::generated::{random, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "gather", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let (shuffled, ascending) = (bench.shuffled(1)?, bench.ascending()?);
    let policy = OutOfBoundsPolicy::Nullify;
    let rows = bench.rows_of_28_bytes()?;
    bench.case("gather, random", &[&rows, &shuffled], || gather(&rows, &shuffled, policy, ctx))?;
    bench.case("gather, ascending", &[&rows, &ascending], || gather(&rows, &ascending, policy, ctx))?;
    drop(rows);

    let number = bench.ints(1, u64::MAX)?;
    let numbers = table(&[&number, &number])?;
    let policy = OutOfBoundsPolicy::Check;
    for (order, map) in [("random", &shuffled), ("ascending", &ascending)] {
        let name = format!("2 columns of 8 bytes, {order}, checked");
        bench.case(&name, &[&numbers, map], || gather(&numbers, map, policy, ctx))?;
    }

    // A quarter as many rows of other kinds.
    let few = bench.rows / 4;
    let words = bench.words(2, "word ", 1 << 20)?.copy_rows(0, few, ctx)?;
    let lists = lists(bench, few)?;
    let structs = Column::structs(few, vec![number.copy_rows(0, few, ctx)?, words.clone()], None)?;
    for (order, step) in [("random", random as fn(u64, usize) -> u64), ("ascending", |_, row| row as u64)] {
        let map = bench.column_of(few, |row| (step(4, row) % few as u64) as i32)?;
        for (kind, column) in [("words", &words), ("lists of 4 int64", &lists), ("structs", &structs)] {
            let name = format!("a quarter as many {kind}, {order}");
            bench.case(&name, &[column, &map], || gather_column(column, &map, policy, ctx))?;
        }
    }
    let one = Table::new(vec![number])?;
    let map = Column::from_slice(&[5i32, 3, 9, 1], ctx)?;
    bench.small("gather of 4 rows", || gather(&one, &map, policy, ctx))
}

/// Lists of 0 to 8 numbers.
fn lists(bench: &Bench, rows: usize) -> Result<Column> {
    let lengths = |row: usize| (row as i32 / 9) * 36 + [0, 0, 1, 3, 6, 10, 15, 21, 28][row % 9];
    let offsets = bench.column_of(rows + 1, lengths)?;
    let elements = HostUVec::from_fn(lengths(rows) as usize, &bench.host, |i| i as i64)?;
    Column::lists(offsets, bench.there(&Column::from_values(elements))?, None)
}
