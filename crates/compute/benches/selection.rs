//! Rows whose boolean is true, and rows with values, as row numbers and as bits.

use cuprum_column::{Column, Result};
use cuprum_elements::selection::{Selection, cuda, present_words, true_rows};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "selection", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    for one_in in [1, 2, 100, 10_000] {
        let mask = bench.bools(1, one_in)?;
        let name = format!("row numbers, one true in {one_in}");
        bench.case(&name, &[&mask], || true_rows(&mask, ctx))?;
    }
    let mask = bench.with_nulls(&bench.bools(1, 2)?)?;
    bench.case("row numbers, one true in 2, nulls", &[&mask], || true_rows(&mask, ctx))?;

    let columns = [1, 2, 3].map(|seed| bench.floats(seed).and_then(|column| bench.with_nulls(&column)));
    let columns = columns.into_iter().collect::<Result<Vec<Column>>>()?;
    let (validity, values) = (3 * bench.rows / 8, 3 * 8 * bench.rows);
    for (what, threshold, nan_is_null, bytes) in [
        ("all of 3 valid", 3, false, validity),
        ("2 of 3 valid", 2, false, validity),
        ("all of 3 valid and not NaN", 3, true, validity + values),
    ] {
        bench.case_of_bytes(&format!("bits, {what}"), bytes, || {
            if bench.is_on_gpu() {
                return Ok(
                    cuda::Selection::of_present(&columns, threshold, nan_is_null, bench.rows, ctx)?.count()
                );
            }
            let columns: Vec<&Column> = columns.iter().collect();
            let words = present_words(&columns, threshold, nan_is_null, bench.rows, ctx)?;
            Ok(Selection::new(words, bench.rows, ctx)?.count())
        })?;
    }
    Ok(())
}
