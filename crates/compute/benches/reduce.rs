//! Columns to one value, and running reductions.

use cuprum_column::{DataType, Result, Table};
use cuprum_compute::reduce::{
    Aggregation, CumulativeOp, PairStatistic, cumulative, kendall, pair_matrix, reduce, reduce_all,
};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "reduce", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    use Aggregation::{Max, Mean, NUnique, Std, Sum};
    let ctx = &bench.ctx;
    let (floats, ints) = (bench.floats(1)?, bench.ints(2, u64::MAX)?);
    let nullable = bench.with_nulls(&floats)?;
    for (name, column) in [("float64", &floats), ("float64, nulls", &nullable), ("int64", &ints)] {
        for how in [Sum, Mean, Max, Std { ddof: 1 }] {
            bench.case(&format!("{how:?} of {name}"), &[column], || reduce(column, how, ctx))?;
        }
    }
    bench.case("sum, mean, max and std of float64 at once", &[&floats], || {
        reduce_all(&floats, &[Sum, Mean, Max, Std { ddof: 1 }], ctx)
    })?;
    let few = bench.ints(3, 1000)?;
    bench.case("NUnique of int64 of 1000 values", &[&few], || reduce(&few, NUnique, ctx))?;
    for (name, column) in [("float64", &floats), ("int64", &ints)] {
        for op in [CumulativeOp::Sum, CumulativeOp::Max] {
            bench.case(&format!("running {op:?} of {name}"), &[column], || cumulative(column, op, ctx))?;
        }
    }
    let decimals = ints.bit_cast(DataType::Decimal64(-2))?;
    bench.case("running Sum of decimals", &[&decimals], || cumulative(&decimals, CumulativeOp::Sum, ctx))?;
    let four = Table::new((0..4).map(|seed| bench.normals(seed)).collect::<Result<_>>()?)?;
    bench.case("correlations of 4 columns", &[&four], || {
        pair_matrix(&four, PairStatistic::Correlation, 1, ctx)
    })?;
    // The CPU merges on one thread.
    let some = floats.len() / 16;
    let pair = [floats.slice(0, some)?, ints.slice(0, some)?];
    bench.case("Kendall's correlation of a 16th of the rows", &[&pair[0], &pair[1]], || {
        kendall(&pair[0], &pair[1], 1, ctx)
    })
}
