//! The rows of a table to one value each: a tenth as many rows, of ten columns.

use cuprum_column::{Result, Table};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::row_reduce::reduce_rows;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "row_reduce", rows_for_each: 10, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    use Aggregation::{Max, Mean, Median, Std, Sum};
    let ctx = &bench.ctx;
    let columns = (0..10).map(|seed| bench.floats(seed)).collect::<Result<Vec<_>>>()?;
    let nullable = columns.iter().map(|column| bench.with_nulls(column)).collect::<Result<Vec<_>>>()?;
    for (kind, columns) in [("", columns), (", nulls", nullable)] {
        let table = Table::new(columns)?;
        for how in [Sum, Mean, Max, Std { ddof: 1 }, Median] {
            let name = format!("{how:?} of 10 float64{kind}");
            bench.case(&name, &[&table], || reduce_rows(&table, how, ctx))?;
        }
    }
    let bools = Table::new((0..10).map(|seed| bench.bools(seed, 10)).collect::<Result<_>>()?)?;
    bench.case("Any of 10 booleans", &[&bools], || reduce_rows(&bools, Aggregation::Any, ctx))
}
