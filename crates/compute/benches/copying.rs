//! Scatter, choices by a condition, ranges, shifts and samples. `gather` has a benchmark of its own.

use cuprum_column::{DataType, Result, Scalar};
use cuprum_compute::copying::{
    boolean_mask_scatter, copy_if_else, copy_range, reverse, sample, scatter, scatter_table, shift,
};
use cuprum_testing::generated::table;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "copying", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let (shuffled, ascending) = (bench.shuffled(1)?, bench.ascending()?);
    let wide = bench.rows_of_28_bytes()?;
    bench.case("scatter, random", &[&wide, &shuffled], || scatter_table(&wide, &shuffled, &wide, ctx))?;
    bench.case("sample a tenth", &[], || sample(&wide, rows / 10, false, 7, ctx))?;
    let (source, target) = (&wide.columns()[0], &wide.columns()[1].bit_cast(DataType::Int64)?);
    for (order, map) in [("random", &shuffled), ("ascending", &ascending)] {
        let name = format!("scatter 8 bytes, {order}");
        bench.case(&name, &[source, map, target], || scatter(source, map, target, ctx))?;
    }
    let mask = bench.bools(2, 2)?;
    let nullable = &wide.columns()[2];
    bench.case("choose by a condition", &[source, nullable, &mask], || {
        copy_if_else(source, nullable, &mask, ctx)
    })?;
    let (one, other) = (table(&[source])?, table(&[target])?);
    bench.case("scatter where a mask is true", &[source, target, &mask], || {
        boolean_mask_scatter(&one, &other, &mask, ctx)
    })?;
    bench.case_of_bytes("copy the middle half", 16 * rows, || {
        copy_range(source, target, rows / 4, rows / 4 * 3, rows / 4, ctx)
    })?;
    let fill = Scalar::from(0i64);
    bench.case("shift by 1000", &[source], || shift(source, 1000, &fill, ctx))?;
    bench.case("shift by 1000, nulls", &[nullable], || shift(nullable, 1000, &fill, ctx))?;
    bench.case("reverse", &[source], || reverse(source, ctx))?;
    let words = bench.words(3, "word ", 1 << 20)?;
    bench.case("reverse words", &[&words], || reverse(&words, ctx))
}
