//! Membership, and the places of values in sorted rows. Bytes are those of the needles, the haystack and the result.

use cuprum_column::Result;
use cuprum_compute::search::{contains, lower_bound, upper_bound};
use cuprum_compute::sorting::{NullOrder, sort_by_key};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "search", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, nulls) = (&bench.ctx, NullOrder::Last);
    let needles = bench.keys(1, 1_000_000, Keys::Hashed)?;
    for count in [10, 1000, 100_000] {
        let haystack = bench.column_of(count, |row| Keys::Hashed.key(row as u64 * 2))?;
        let name = format!("is int64 in {count}");
        bench.case(&name, &[&needles, &haystack], || contains(&haystack, &needles, ctx))?;
    }
    let haystack = bench.column_of(1000, |row| row as f64)?;
    bench.case("is int64 in 1000 float64", &[&needles, &haystack], || contains(&haystack, &needles, ctx))?;
    let needles = bench.words(2, "customer ", 10_000)?;
    let haystack = needles.copy_rows(0, 1000.min(bench.rows), ctx)?;
    bench.case("is a string in 1000", &[&needles, &haystack], || contains(&haystack, &needles, ctx))?;
    drop(needles);

    let needles = table(&[&bench.ints(3, u64::MAX)?])?;
    let sorted = sort_by_key(&needles, &needles, &[], nulls, ctx)?;
    bench.case("lower bounds", &[&sorted, &needles], || lower_bound(&sorted, &needles, &[], nulls, ctx))?;
    bench.case("upper bounds", &[&sorted, &needles], || upper_bound(&sorted, &needles, &[], nulls, ctx))?;
    bench.case("lower bounds of sorted values", &[&sorted, &sorted], || {
        lower_bound(&sorted, &sorted, &[], nulls, ctx)
    })?;
    let edges = table(&[&bench.column_of(1000, |row| i64::MIN + row as i64 * (1 << 54))?])?;
    bench.case("lower bounds in 1000 rows", &[&edges, &needles], || {
        lower_bound(&edges, &needles, &[], nulls, ctx)
    })
}
