//! Tables of another shape. A transposed table has a column for each row: there are few.

use cuprum_column::{Column, Result, Table};
use cuprum_compute::reshape::{interleave_columns, one_hot_encode, transpose};
use cuprum_testing::generated::random;
use cuprum_testing::timing::{Bench, Bytes, Family, run};

pub const FAMILY: Family = Family { name: "reshape", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let columns = (0..4).map(|seed| bench.floats(seed)).collect::<Result<Vec<_>>>()?;
    let table = Table::new(columns)?;
    bench.case("interleave 4 columns of float64", &[&table], || interleave_columns(&table, ctx))?;
    drop(table);

    // As many values as a column of all rows has, in 100 rows.
    let column = |seed: usize| bench.column_of(100, |row| random(seed as u64, row) as i64);
    let columns = (0..bench.rows / 1000).map(column).collect::<Result<Vec<_>>>()?;
    let wide = Table::new(columns)?;
    bench.case_of_bytes("transpose 100 rows", 2 * wide.bytes(), || transpose(&wide, ctx))?;
    drop(wide);

    let categories = Column::from_slice(&(0..10).collect::<Vec<i32>>(), ctx)?;
    let values = bench.small_ints(1, 10)?;
    bench.case("a column for each of 10 int32", &[&values], || one_hot_encode(&values, &categories, ctx))?;
    let names: Vec<String> = (0..10).map(|number| format!("name {number}")).collect();
    let categories = bench.there(&Column::from_strs(&names, &bench.host)?)?;
    let values = bench.words(2, "name ", 10)?;
    bench.case("a column for each of 10 strings", &[&values], || one_hot_encode(&values, &categories, ctx))
}
