//! The cost of Arrow, in and out: 10 million rows of 8 columns. Arrays of arrow-rs are trusted; offsets and
//! text that come through the C data interface are checked, which takes longer the more rows there are.
//! `cargo bench -p cuprum-column --bench arrow`

use std::hint::black_box;

use arrow_array::Array;
use criterion::{Criterion, criterion_group, criterion_main};
use cuprum_column::arrow::{ColumnMetadata, KeyOrder, export_table, from_arrow, import_array, to_arrow};
use cuprum_column::{Column, Context, Table};

const ROWS: usize = 10_000_000;

/// Numbers in seven columns, and text with nulls in the eighth where it is asked for.
fn table(with_text: bool) -> Table {
    let ctx = Context::current();
    let longs: Vec<i64> = (0..ROWS as i64).collect();
    let floats: Vec<f64> = longs.iter().map(|&i| i as f64 / 3.0).collect();
    let ints: Vec<Option<i32>> = longs.iter().map(|&i| (i % 7 != 0).then_some(i as i32)).collect();
    let numbers = |i: usize| match i % 3 {
        0 => Column::from_slice(&longs, &ctx),
        1 => Column::from_slice(&floats, &ctx),
        _ => Column::from_options(&ints, &ctx),
    };
    let mut columns: Vec<_> = (0..7).map(|i| numbers(i).expect("there is memory")).collect();
    columns.push(if with_text {
        let texts: Vec<_> = longs.iter().map(|i| (i % 5 != 0).then(|| format!("row {i}"))).collect();
        Column::from_opt_strs(&texts, &ctx).expect("there is memory")
    } else {
        numbers(0).expect("there is memory")
    });
    Table::new(columns).expect("the columns have one length")
}

fn benches(c: &mut Criterion) {
    let ctx = Context::current();
    for (name, with_text) in [("numbers", false), ("numbers and text", true)] {
        let table = table(with_text);
        let metadata: Vec<_> = (0..8).map(|i| ColumnMetadata::named(i.to_string())).collect();
        let arrays: Vec<_> =
            table.columns().iter().map(|column| to_arrow(column).expect("it is on the host")).collect();
        let import = |array: &dyn Array| from_arrow(array, &ctx).expect("the type has a column");
        let mut group = c.benchmark_group(name);
        group.sample_size(20);
        group.bench_function("to arrow-rs", |b| {
            b.iter(|| black_box(&table).columns().iter().all(|c| to_arrow(c).is_ok()));
        });
        group.bench_function("from arrow-rs", |b| {
            b.iter(|| arrays.iter().map(|array| import(black_box(array))).collect::<Vec<_>>());
        });
        group.bench_function("to C", |b| {
            b.iter(|| export_table(black_box(&table), &metadata).expect("it is on the host"));
        });
        group.bench_function("to C and back, checked", |b| {
            b.iter(|| {
                let (field, array) = export_table(black_box(&table), &metadata).expect("it is on the host");
                // SAFETY: the structure was just made.
                unsafe { import_array(array, &field, KeyOrder::Ascending, &ctx) }.expect("it is valid")
            });
        });
    }
}

criterion_group!(arrow, benches);
criterion_main!(arrow);
