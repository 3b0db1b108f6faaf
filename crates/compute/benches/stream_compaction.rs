//! Keeping some rows: by a condition, those with values, one of each key.

use cuprum_column::Result;
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows, duplicated};
use cuprum_compute::stream_compaction::{
    apply_boolean_mask, approx_distinct_count, drop_nulls, unique_count, unique_rows,
};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "stream_compaction", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let wide = bench.rows_of_28_bytes()?;
    let mask = bench.bools(1, 2)?;
    // Of the rows that are kept both sides count, of the others nothing has to be read.
    let kept = rows + 28 * rows;
    bench.case_of_bytes("keep half of 28-byte rows", kept, || apply_boolean_mask(&wide, &mask, ctx))?;
    let one = table(&[&wide.columns()[1]])?;
    bench.case_of_bytes("keep half of float64", rows + 8 * rows, || apply_boolean_mask(&one, &mask, ctx))?;
    let rare = bench.bools(2, 100)?;
    bench.case_of_bytes("keep one in 100 of 28-byte rows", rows + 28 * rows / 50, || {
        apply_boolean_mask(&wide, &rare, ctx)
    })?;
    bench.case_of_bytes("drop nulls (one in 8) of 28-byte rows", 2 * 28 * rows / 8 * 7, || {
        drop_nulls(&wide, &[2], 1, false, ctx)
    })?;
    drop((wide, one, rare));
    let words = table(&[&bench.words(3, "word ", 1 << 20)?])?;
    bench.case("keep half of words", &[&mask], || apply_boolean_mask(&words, &mask, ctx))?;
    drop(words);

    let count = rows / 10;
    for kind in Keys::ALL {
        let (keys, name) = (table(&[&bench.keys(4, count, kind)?])?, kind.name());
        bench.case(&format!("distinct, {count} {name} keys"), &[&keys], || {
            distinct_rows(&keys, Keep::First, true, ctx)
        })?;
        bench.case(&format!("duplicated, {count} {name} keys"), &[&keys], || {
            duplicated(&keys, Keep::First, ctx)
        })?;
        bench.case(&format!("approximate count of {count} {name} keys"), &[&keys], || {
            approx_distinct_count(&keys, 12, true, ctx)
        })?;
    }
    let runs = table(&[&bench.column(|row| (row / 10) as i64)?])?;
    bench.case("first of runs of 10 rows", &[&runs], || unique_rows(&runs, Keep::First, true, ctx))?;
    bench.case("count of runs of 10 rows", &[&runs], || unique_count(&runs, true, ctx))
}
