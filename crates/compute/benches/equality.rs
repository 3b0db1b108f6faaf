//! Rows of keys as integers that are equal where the rows are, and the comparison of tables.

use cuprum_column::Result;
use cuprum_compute::equality::{encode, tables_equal};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "equality", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    for kind in Keys::ALL {
        for count in [1000, bench.rows / 10] {
            let keys = table(&[&bench.keys(1, count, kind)?])?;
            let name = format!("codes of int64, {count} {} keys", kind.name());
            bench.case_of_bytes(&name, 16 * bench.rows, || encode(&[&keys], ctx))?;
        }
    }
    let two = table(&[&bench.keys(1, 100, Keys::Hashed)?, &bench.keys(2, 100, Keys::Hashed)?])?;
    bench.case_of_bytes("codes of two int64", 24 * bench.rows, || encode(&[&two], ctx))?;
    let words = table(&[&bench.words(3, "customer ", 10_000)?])?;
    let bytes = words.columns()[0].nbytes() + 8 * bench.rows;
    bench.case_of_bytes("codes of 10000 different strings", bytes, || encode(&[&words], ctx))?;

    let rows = bench.rows_of_28_bytes()?;
    let copy = rows.copy_rows(0, bench.rows, ctx)?;
    bench.case("are tables equal", &[&rows, &copy], || tables_equal(&rows, &copy, true, ctx))?;
    let copy = words.copy_rows(0, bench.rows, ctx)?;
    bench.case("are strings equal", &[&words, &copy], || tables_equal(&words, &copy, true, ctx))
}
