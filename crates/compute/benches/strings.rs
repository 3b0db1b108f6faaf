//! The hot row functions of text, on two million rows.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use cuprum_column::{Column, Context, DataType};
use cuprum_compute::strings::{attributes, case, convert, find, replace, slice, split, strip};
use cuprum_testing::Random;

const ROWS: usize = 2_000_000;

/// Rows of the form `user_123456@mail7.example.com`.
fn addresses() -> Column {
    let mut random = Random(1);
    let rows: Vec<String> = (0..ROWS)
        .map(|_| format!("user_{}@mail{}.example.com", random.below(1_000_000), random.below(20)))
        .collect();
    Column::from_strs(&rows, &Context::current()).unwrap()
}

fn strings(criterion: &mut Criterion) {
    let ctx = &Context::current();
    let rows = &addresses();
    let mut group = criterion.benchmark_group("strings_2m");
    group.sample_size(10).warm_up_time(std::time::Duration::from_millis(200));
    group.measurement_time(std::time::Duration::from_secs(1));
    let mut run = |name: &str, f: &dyn Fn()| {
        group.bench_function(name, |b| b.iter_batched(|| (), |()| f(), BatchSize::PerIteration));
    };
    run("contains_regex", &|| {
        drop(black_box(find::contains(rows, r"_\d+7@mail1", true, true, ctx).unwrap()));
    });
    run("contains_literal", &|| {
        drop(black_box(find::contains(rows, "@mail1", false, true, ctx).unwrap()));
    });
    run("starts_with", &|| {
        drop(black_box(find::starts_with(rows, "user_1", ctx).unwrap()));
    });
    run("upper", &|| {
        drop(black_box(case::to_upper(rows, ctx).unwrap()));
    });
    run("length", &|| {
        drop(black_box(attributes::count_characters(rows, ctx).unwrap()));
    });
    run("slice", &|| {
        drop(black_box(slice::slice(rows, Some(5), Some(9), None, ctx).unwrap()));
    });
    run("strip", &|| {
        drop(black_box(strip::strip(rows, strip::Side::Both, None, ctx).unwrap()));
    });
    run("replace_literal", &|| {
        drop(black_box(replace::replace(rows, "mail", "post", false, None, ctx).unwrap()));
    });
    run("replace_regex", &|| {
        drop(black_box(replace::replace(rows, r"\d+@", "@", true, None, ctx).unwrap()));
    });
    run("split", &|| {
        drop(black_box(split::split(rows, Some("@"), None, false, ctx).unwrap()));
    });
    let numbers = Column::from_slice(&(0..ROWS as i64).map(|i| i * 7919).collect::<Vec<_>>(), ctx).unwrap();
    let texts = convert::to_strings(&numbers, ctx).unwrap();
    run("int_to_text", &|| {
        drop(black_box(convert::to_strings(&numbers, ctx).unwrap()));
    });
    run("text_to_int", &|| {
        drop(black_box(convert::from_strings(&texts, DataType::Int64, ctx).unwrap()));
    });
    let floats: Vec<f64> = (0..ROWS).map(|i| i as f64 * 0.001).collect();
    let floats = Column::from_slice(&floats, ctx).unwrap();
    run("float_to_text", &|| {
        drop(black_box(convert::to_strings(&floats, ctx).unwrap()));
    });
}

criterion_group!(benches, strings);
criterion_main!(benches);
