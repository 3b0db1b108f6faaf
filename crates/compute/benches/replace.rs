//! Replacing nulls and values.

use cuprum_column::{Column, Result, Scalar};
use cuprum_compute::replace::{
    FillDirection, clamp, fill_nulls_from_neighbours, find_and_replace, nans_to_nulls, replace_nulls,
};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "replace", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let floats = bench.floats(1)?;
    let (nullable, other) = (bench.with_nulls(&floats)?, bench.floats(2)?);
    let (low, high) = (Scalar::from(0.25), Scalar::from(0.75));
    bench.case("fill nulls with 0", &[&nullable], || {
        replace_nulls(&nullable, &Scalar::from(0.0), false, ctx)
    })?;
    bench.case("fill nulls from a column", &[&nullable, &other], || {
        replace_nulls(&nullable, &other, false, ctx)
    })?;
    for direction in [FillDirection::Forward, FillDirection::Backward] {
        bench.case(&format!("fill nulls, {direction:?}"), &[&nullable], || {
            fill_nulls_from_neighbours(&nullable, direction, None, ctx)
        })?;
    }
    bench.case("NaN to nulls", &[&floats], || nans_to_nulls(&floats, ctx))?;
    bench.case("clamp", &[&floats], || clamp(&floats, Some(&low), Some(&high), ctx))?;
    drop((floats, nullable, other));

    let whole = bench.ints(3, 100_000)?;
    for count in [10, 1000] {
        let old = Column::from_slice(&(0..count).map(|i| i * 7).collect::<Vec<i64>>(), ctx)?;
        let name = format!("find and replace {count} of int64");
        bench.case(&name, &[&whole], || find_and_replace(&whole, &old, &old, ctx))?;
    }
    let words = bench.words(4, "word ", 100_000)?;
    let old = words.copy_rows(0, 1000.min(bench.rows), ctx)?;
    bench.case("find and replace 1000 strings", &[&words], || find_and_replace(&words, &old, &old, ctx))
}
