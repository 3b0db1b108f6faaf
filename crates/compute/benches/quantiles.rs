//! Quantiles of a column, of any order and of one.

use cuprum_column::Result;
use cuprum_compute::quantiles::{Interpolation, quantile};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "quantiles", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let linear = Interpolation::Linear;
    let normal = bench.normals(1)?;
    let percentiles: Vec<f64> = (1..100).map(|percent| f64::from(percent) / 100.0).collect();
    bench.case("median of float64", &[&normal], || quantile(&normal, &[0.5], linear, ctx))?;
    bench.case("quartiles of float64", &[&normal], || quantile(&normal, &[0.25, 0.5, 0.75], linear, ctx))?;
    bench.case("99 percentiles of float64", &[&normal], || quantile(&normal, &percentiles, linear, ctx))?;
    let nullable = bench.with_nulls(&normal)?;
    bench.case("median of float64, nulls", &[&nullable], || quantile(&nullable, &[0.5], linear, ctx))?;
    let ints = bench.ints(2, u64::MAX)?;
    bench.case("median of int64", &[&ints], || quantile(&ints, &[0.5], Interpolation::Lower, ctx))?;
    let few = bench.ints(3, 100)?;
    bench.case("median of int64 of 100 values", &[&few], || quantile(&few, &[0.5], linear, ctx))
}
