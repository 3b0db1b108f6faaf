//! More rows than numbers of 32 bits count: reductions, groups, distinct rows and a join of them, checked.
//! `cargo run --release --example beyond_32_bits [ROWS]`, with 5 000 000 000 rows where none are given.
//!
//! Two columns of a byte a row are 10 GB. Numbers of groups are 4 bytes a row, and some groups with all their rows are
//! looked at together: 96 GB of host memory, or of a GPU's with `CUPRUM_DEVICE=cuda`, are enough.

use std::fmt::Debug;
use std::time::Instant;

use cuprum_column::{Column, Context, Device, Error, HostUVec, Result, Table};
use cuprum_compute::groupby::group_and_aggregate;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

/// Rows after which values and keys repeat.
const PERIOD: usize = 100 * 7;

/// The example, with as many rows as the first argument says.
pub fn main() -> Result<()> {
    let rows = match std::env::args().nth(1) {
        None => 5_000_000_000,
        Some(text) => text
            .replace('_', "")
            .parse()
            .map_err(|_| Error::invalid_argument(format!("ROWS is '{text}', not a number of rows")))?,
    };
    checked(rows)
}

/// The value of a row, from −50 to 49.
fn value(row: usize) -> i8 {
    (row % 100) as i8 - 50
}

/// The key of a row: one of seven.
fn key(row: usize) -> i8 {
    (row % 7) as i8
}

/// The same with nearly all rows in one group.
fn skewed(row: usize) -> i8 {
    i8::from(row % 20 == 3)
}

/// The number, the sum, the least and the greatest of the values of the rows that are `there`.
fn expected(rows: usize, there: impl Fn(usize) -> bool) -> [i64; 4] {
    let (whole, rest) = ((rows / PERIOD) as i64, rows % PERIOD);
    let mut found = [0, 0, i64::MAX, i64::MIN];
    for row in (0..PERIOD.min(rows)).filter(|&row| there(row)) {
        let (times, value) = (whole + i64::from(row < rest), i64::from(value(row)));
        found = [found[0] + times, found[1] + times * value, found[2].min(value), found[3].max(value)];
    }
    found
}

/// Works on so many rows, at least the 700 after which they repeat, and fails where a result is not as it should be.
pub fn checked(rows: usize) -> Result<()> {
    let ctx = &Context::current();
    let host = &Context::on(Device::Cpu)?;
    let column = |of: fn(usize) -> i8| Column::from_values(HostUVec::from_fn(rows, host, of)?).to_device(ctx);
    let values = timed("values", || column(value))?;

    let [count, sum, least, most] = expected(rows, |_| true);
    for (how, wanted) in [
        (Aggregation::Count, count as f64),
        (Aggregation::Sum, sum as f64),
        (Aggregation::Min, least as f64),
        (Aggregation::Max, most as f64),
        (Aggregation::Mean, sum as f64 / count as f64),
        (Aggregation::NUnique, 100.0),
    ] {
        let found = timed(&format!("{how}"), || reduce(&values, how, ctx))?.as_f64();
        check(&how, found, Some(wanted))?;
    }

    for (name, of) in [("seven keys", key as fn(usize) -> i8), ("one key of nearly all rows", skewed)] {
        let keys = Table::new(vec![column(of)?])?;
        let requests =
            [Aggregation::Count, Aggregation::Sum, Aggregation::Min, Aggregation::Max, Aggregation::Mean];
        let requests = requests.map(|how| (&values, how));
        let (groups, results) =
            timed(&format!("groups by {name}"), || group_and_aggregate(&keys, true, &requests, ctx))?;
        let first = groups.first_rows.to_host()?;
        for group in 0..groups.num_groups {
            let row = first.get(group)?.as_i64().unwrap_or(-1) as usize;
            let [count, sum, least, most] = expected(rows, |other| of(other) == of(row));
            let wanted = [count as f64, sum as f64, least as f64, most as f64, sum as f64 / count as f64];
            for (column, wanted) in results.iter().zip(wanted) {
                check(
                    &format!("group {group}"),
                    column.slice(group, 1)?.to_host()?.get(0)?.as_f64(),
                    Some(wanted),
                )?;
            }
        }
        for keep in [Keep::First, Keep::Last] {
            let kept =
                timed(&format!("distinct of {name}"), || distinct_rows(&keys, keep, true, ctx))?.to_host()?;
            check(&keep, kept.len(), groups.num_groups)?;
            for i in 0..kept.len() {
                let row = kept.get(i)?.as_i64().unwrap_or(-1) as usize;
                let mut others = if keep == Keep::First { 0..row } else { row + 1..rows };
                check(&format!("{keep:?} {row}"), others.any(|other| of(other) == of(row)), false)?;
            }
        }
    }

    let left = Table::new(vec![values])?;
    let right = Table::new(vec![Column::from_slice(&[49i8, 17, 100, 49], ctx)?])?;
    let (found, _) = timed("semi join", || join(&left, &right, JoinKind::LeftSemi, true, ctx))?;
    let wanted = expected(rows, |row| value(row) == 49 || value(row) == 17)[0];
    check(&"semi join", found.len(), wanted as usize)?;
    let last = found.slice(found.len() - 1, 1)?.to_host()?.get(0)?.as_i64();
    let wanted = (0..rows).rev().find(|&row| value(row) == 49 || value(row) == 17);
    check(&"its last row", last, wanted.map(|row| row as i64))
}

fn check<T: PartialEq + Debug>(what: &dyn Debug, found: T, wanted: T) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::logic(format!("{what:?} gives {found:?}, not {wanted:?}")))
}

/// Does `work` and says how long it took.
fn timed<R>(what: &str, work: impl FnOnce() -> Result<R>) -> Result<R> {
    let start = Instant::now();
    let result = work()?;
    println!("{what}: {:.2?}", start.elapsed());
    Ok(result)
}
