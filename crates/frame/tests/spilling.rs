//! Frames five times as large as the memory that is allowed: the same results as with all there is.
//!
//! One test in a process of its own, for the limit is the process's.

use cuprum::Result;
use cuprum::prelude::*;
use cuprum_column::{Device, HostUVec, strings};
use cuprum_runtime::spill::{SpillManager, SpillOptions};
use cuprum_testing::{Random, assert_column_eq};

const LIMIT: usize = 8 << 20;
const ROWS: usize = 500_000;
/// The most groups of a key here, and the bytes that a quantile keeps for each.
const GROUPS: usize = 90_000;
const STATE: usize = 32;

/// Ten columns of 4 MB: keys with few and with many values, numbers with and without nulls, text.
fn frame() -> Result<DataFrame> {
    let ctx = &Context::current();
    let random = |column: u64, row: usize| Random(column << 40 | row as u64).next();
    let mut columns = Vec::new();
    for (i, bound) in [300, 90_000, 1 << 40, 1 << 40, 1 << 40].into_iter().enumerate() {
        let value = |row| (random(i as u64, row) % bound) as i64;
        columns.push((format!("i{i}"), Column::from_values(HostUVec::from_fn(ROWS, ctx, value)?)));
    }
    for i in 5..9 {
        let floats = HostUVec::from_fn(ROWS, ctx, |row| random(i, row) as f64 / 1e6)?;
        let mask = cuprum_column::null_mask::from_fn(ROWS, ctx, |row| !random(i, row).is_multiple_of(7))?;
        let mask = (i % 2 == 0).then_some(mask);
        columns.push((format!("f{i}"), Column::new(DataType::Float64, floats, mask)?));
    }
    let words: Vec<String> = (0..500).map(|i| format!("ö{i}")).collect();
    let text =
        strings::from_fn(ROWS, ctx, |row| words.get((random(9, row) % 501) as usize).map(String::as_str))?;
    columns.push(("s".into(), text));
    DataFrame::new(columns.iter().map(|(label, column)| (label.as_str(), column.clone())))
}

type Work = fn(&DataFrame) -> Result<DataFrame>;

const WORKS: [(&str, Work); 6] = [
    ("few groups", |frame| aggregates(frame, "i0")),
    ("many groups", |frame| aggregates(frame, "i1")),
    ("groups of text", |frame| aggregates(frame, "s")),
    ("sort by numbers", |frame| frame.sort_by(["f6"], Descending)),
    ("sort by text", |frame| {
        let orders = vec![Ascending, Descending];
        frame.sort_by(["s", "i2"], SortOptions { orders, nulls: NullOrder::First, ..SortOptions::default() })
    }),
    ("sort by labels", |frame| frame.set_index(&["i3".into()], true)?.sort_index(Descending)),
];

fn aggregates(frame: &DataFrame, key: &str) -> Result<DataFrame> {
    let grouped = frame.groupby([key]).finish()?;
    let labels = grouped.value_labels();
    let numbers = labels.iter().filter(|label| **label != Label::from("s"));
    let mut requests: Vec<Request> =
        numbers.map(|label| Request::new(label.clone(), label.clone(), Aggregation::Mean)).collect();
    if key != "s" {
        requests.push(Request::new("last", "s", Aggregation::Max));
    }
    requests.push(Request::new("deviation", "f6", Aggregation::Std { ddof: 1 }));
    requests.push(Request::new("median", "f5", Aggregation::Median));
    grouped.aggregate(&requests)
}

#[test]
fn sorts_and_groups_larger_than_memory() {
    let unlimited = frame().unwrap();
    let expected: Vec<DataFrame> = WORKS.iter().map(|(_, work)| work(&unlimited).unwrap()).collect();
    // Rows are taken while there is no limit.
    for frame in &expected {
        frame.table().unwrap();
    }
    let manager = SpillManager::global();
    let options = SpillOptions { enabled: true, device_limit: Some(LIMIT), ..SpillOptions::default() };
    manager.set_options(options).unwrap();
    let limited = frame().unwrap();
    for ((name, work), expected) in WORKS.iter().zip(&expected) {
        manager.take_peak(Device::Cpu);
        let actual = work(&limited).unwrap();
        let peak = manager.take_peak(Device::Cpu);
        // States of groups count as well, and cannot be moved away while rows are read.
        let states = expected.num_rows().min(GROUPS) * STATE;
        assert!(peak <= LIMIT + LIMIT / 5 + states, "{name}: {peak} bytes for a limit of {LIMIT}");
        assert_eq!(actual.labels(), expected.labels(), "{name}");
        let index = |frame: &DataFrame| {
            let levels = frame.index().columns().unwrap();
            levels.iter().map(|level| level.data().unwrap().clone()).collect::<Vec<_>>()
        };
        let columns = |frame: &DataFrame| [frame.table().unwrap().into_columns(), index(frame)].concat();
        for (actual, expected) in columns(&actual).iter().zip(&columns(expected)) {
            assert_column_eq(actual, expected);
        }
    }
}
