//! Values labelled by the bins that they are in: few bins and many.

use cuprum_column::Result;
use cuprum_compute::labeling::{Edges, label_bins};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "labeling", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let values = bench.floats(1)?;
    let nullable = bench.with_nulls(&values)?;
    for bins in [10, 1000, 100_000] {
        let width = 1.0 / bins as f64;
        let begins = bench.column_of(bins, |bin| bin as f64 * width)?;
        let ends = bench.column_of(bins, |bin| (bin + 1) as f64 * width)?;
        let (left, right) =
            (Edges { values: begins, inclusive: true }, Edges { values: ends, inclusive: false });
        for (kind, values) in [("", &values), (", nulls", &nullable)] {
            let name = format!("{bins} bins of float64{kind}");
            bench.case(&name, &[values], || label_bins(values, &left, &right, ctx))?;
        }
    }
    Ok(())
}
