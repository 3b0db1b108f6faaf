//! Columns from a rule: sequences, and rows repeated. Bytes are those of the rows and of the result.

use cuprum_column::Result;
use cuprum_compute::filling::{repeat, repeat_each, sequence, tile};
use cuprum_testing::generated::{below, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "filling", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    bench.case("sequence", &[], || sequence(7, 3, rows, ctx))?;
    let tenth = bench.rows_of_28_bytes()?.copy_rows(0, rows / 10, ctx)?;
    bench.case("repeat a tenth of the rows 10 times", &[&tenth], || repeat(&tenth, 10, ctx))?;
    bench.case("tile a tenth of the rows 10 times", &[&tenth], || tile(&tenth, 10, ctx))?;
    let counts = bench.column_of(rows / 10, |row| below(1, row, 21) as i32)?;
    bench.case("repeat rows 0 to 20 times", &[&tenth, &counts], || repeat_each(&tenth, &counts, ctx))?;
    let few = tenth.copy_rows(0, 10, ctx)?;
    bench.case("repeat 10 rows", &[], || repeat(&few, rows / 10, ctx))?;
    let words = table(&[&bench.words(2, "word ", 1 << 20)?.copy_rows(0, rows / 10, ctx)?])?;
    bench.case("tile words 10 times", &[&words], || tile(&words, 10, ctx))
}
