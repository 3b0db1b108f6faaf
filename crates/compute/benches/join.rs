//! Joins with a tenth as many right rows, each with a key of its own. Bytes are those of the keys and of the row numbers
//! of the result.

use cuprum_column::{Column, Result, Table};
use cuprum_compute::join::{JoinKind, join};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "join", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let keys = bench.rows / 10;
    let mut order = bench.shuffled(1)?.to_host()?.view()?.values::<i32>()?.to_vec();
    order.retain(|&row| (row as usize) < keys);
    for kind in Keys::ALL {
        let left = table(&[&bench.keys(2, keys, kind)?])?;
        let right =
            |key: &(dyn Fn(usize) -> u64 + Sync)| table(&[&bench.column_of(keys, |row| kind.key(key(row)))?]);
        let run = |name: &str, left: &Table, right: &Table, how| {
            bench.case(name, &[left, right], || join(left, right, how, true, ctx))
        };
        let name = kind.name();
        let ascending = right(&|row| row as u64)?;
        for how in [JoinKind::Inner, JoinKind::Left, JoinKind::LeftSemi] {
            run(&format!("{how:?} join with {keys} {name} keys"), &left, &ascending, how)?;
        }
        let inner = JoinKind::Inner;
        let shuffled = right(&|row| order[row] as u64)?;
        run(&format!("Inner join with {name} keys in random order"), &left, &shuffled, inner)?;
        let twice = right(&|row| order[row] as u64 / 2)?;
        run(&format!("Inner join, every right key ({name}) twice"), &left, &twice, inner)?;
        let half = table(&[&bench.keys(3, 2 * keys, kind)?])?;
        run(&format!("Inner join, half of the keys ({name}) found"), &half, &shuffled, inner)?;
    }
    let words = table(&[&bench.words(4, "customer ", keys)?])?;
    let names: Vec<String> = (0..keys).map(|key| format!("customer {key}")).collect();
    let right = table(&[&bench.there(&Column::from_strs(&names, &bench.host)?)?])?;
    bench.case(&format!("Inner join with {keys} strings"), &[&words, &right], || {
        join(&words, &right, JoinKind::Inner, true, ctx)
    })?;
    let ten = table(&[&Column::from_slice(&(0..10).collect::<Vec<i64>>(), ctx)?])?;
    bench.small("join 10 rows", || join(&ten, &ten, JoinKind::Inner, false, ctx))
}
