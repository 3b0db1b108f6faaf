//! Grouping rows and aggregating them, by numbers of keys, and what needs the rows of each group. Bytes are those of
//! the keys and the values that must be read.

use cuprum_column::{Column, Result};
use cuprum_compute::groupby::grouped_rows::{grouped_rows, scan};
use cuprum_compute::groupby::{aggregate, group, group_and_aggregate};
use cuprum_compute::reduce::{Aggregation, CumulativeOp};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "groupby", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let values = bench.floats(1)?;
    let three = [(&values, Aggregation::Sum), (&values, Aggregation::Mean), (&values, Aggregation::Count)];
    for kind in Keys::ALL {
        for keys in [20, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000] {
            if keys > rows {
                continue;
            }
            let table = table(&[&bench.keys(2, keys, kind)?])?;
            let name = format!("group by {keys} {} keys", kind.name());
            bench.case_of_bytes(&name, 8 * rows, || group(&table, true, ctx))?;
            let groups = group(&table, true, ctx)?;
            let name = format!("  sum, mean, count of float64 by {keys}");
            bench.case_of_bytes(&name, 12 * rows, || aggregate(&groups, &three, ctx))?;
            bench.case_of_bytes(&format!("  both at once by {keys}"), 16 * rows, || {
                group_and_aggregate(&table, true, &three, ctx)
            })?;
        }
    }
    several_keys(bench, &values)?;
    rows_of_groups(bench, &values)?;
    let (ten, ten_values) = (table(&[&values.slice(0, 10)?])?, values.slice(0, 10)?);
    bench.small("group and sum 10 rows", || {
        group_and_aggregate(&ten, true, &[(&ten_values, Aggregation::Sum)], ctx)
    })
}

/// Keys of several columns, of text, and of a few values that most rows have.
fn several_keys(bench: &Bench, values: &Column) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let run = |name: &str, keys: &[&Column]| {
        let table = table(keys)?;
        let bytes = keys.iter().map(|key| key.nbytes()).sum::<usize>() + 8 * rows;
        bench.case_of_bytes(name, bytes, || {
            group_and_aggregate(&table, true, &[(values, Aggregation::Sum)], ctx)
        })
    };
    run("sum by 1 M Zipf keys", &[&bench.zipf(3, 1_000_000)?])?;
    for kind in Keys::ALL {
        let (one, other) = (bench.keys(4, 100, kind)?, bench.keys(5, 100, kind)?);
        run(&format!("sum by two {} keys", kind.name()), &[&one, &other])?;
    }
    run("sum by 10000 strings", &[&bench.words(6, "key", 10_000)?])?;
    run("sum by 1 M strings", &[&bench.words(7, "customer ", 1_000_000)?])
}

/// What the rows of each group are needed for: order statistics, running totals.
fn rows_of_groups(bench: &Bench, values: &Column) -> Result<()> {
    let (ctx, bytes) = (&bench.ctx, 12 * bench.rows);
    let groups = group(&table(&[&bench.keys(8, 1000, Keys::Dense)?])?, true, ctx)?;
    for how in [Aggregation::Median, Aggregation::Std { ddof: 1 }, Aggregation::NUnique, Aggregation::First] {
        bench.case_of_bytes(&format!("{how:?} of 1000 groups"), bytes, || {
            aggregate(&groups, &[(values, how)], ctx)
        })?;
    }
    bench.case_of_bytes("rows of 1000 groups", 8 * bench.rows, || grouped_rows(&groups, None, ctx))?;
    let of_groups = grouped_rows(&groups, None, ctx)?;
    bench.case_of_bytes("  running sum of them", 20 * bench.rows, || {
        scan(&of_groups, values, CumulativeOp::Sum, ctx)
    })
}
