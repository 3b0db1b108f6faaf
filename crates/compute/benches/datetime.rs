//! Parts, rounding, printing and parsing of two million times.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cuprum_column::{Column, Context, DataType, TimeUnit};
use cuprum_compute::datetime::{self, DatetimeComponent};
use cuprum_testing::Random;

fn times(criterion: &mut Criterion) {
    let ctx = &Context::current();
    let mut random = Random(1);
    let values: Vec<i64> =
        (0..2_000_000).map(|_| random.below(2_000_000_000) as i64 * 1_000_000_000 + 123_456_789).collect();
    let to = DataType::Timestamp(TimeUnit::Nanoseconds);
    let column = Column::from_slice(&values, ctx).unwrap().bit_cast(to).unwrap();
    let mut group = criterion.benchmark_group("datetime_2m");
    group.sample_size(10).warm_up_time(std::time::Duration::from_millis(200));
    group.measurement_time(std::time::Duration::from_secs(1));
    for component in [DatetimeComponent::Year, DatetimeComponent::Hour, DatetimeComponent::IsoWeek] {
        group.bench_function(format!("{component:?}"), |b| {
            b.iter(|| black_box(datetime::extract_component(&column, component, ctx).unwrap()));
        });
    }
    let frequency = "15min".parse().unwrap();
    group.bench_function("round", |b| {
        b.iter(|| black_box(datetime::round(&column, frequency, ctx).unwrap()));
    });
    let format = "%Y-%m-%d %H:%M:%S";
    let text = datetime::strftime(&column, format, ctx).unwrap();
    group.bench_function("strftime", |b| {
        b.iter(|| black_box(datetime::strftime(&column, format, ctx).unwrap()));
    });
    for (name, format) in [("strptime_iso", None), ("strptime_format", Some(format))] {
        group.bench_function(name, |b| {
            b.iter(|| black_box(datetime::strptime(&text, format, TimeUnit::Nanoseconds, ctx).unwrap()));
        });
    }
}

criterion_group!(benches, times);
criterion_main!(benches);
