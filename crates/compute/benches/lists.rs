//! Elements as rows, found, sorted and made distinct: a million lists of four million numbers.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, Result, Scalar, Table};
use cuprum_compute::lists::{self, NanEquality, NullEquality};
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_testing::Random;

fn lists(criterion: &mut Criterion) {
    let ctx = &Context::current();
    let mut random = Random(1);
    let (mut offsets, mut values) = (vec![0i32], Vec::new());
    for _ in 0..1_000_000 {
        values.extend((0..random.below(9)).map(|_| random.below(100) as i64));
        offsets.push(values.len() as i32);
    }
    let bytes = values.len() * 8 + offsets.len() * 4;
    let elements = Column::from_slice(&values, ctx).unwrap();
    let column = Column::lists(Column::from_slice(&offsets, ctx).unwrap(), elements, None).unwrap();
    let table = Table::new(vec![column.clone(), Column::from_slice(&offsets[1..], ctx).unwrap()]).unwrap();
    let key = Scalar::from(7i64);
    let mut group = criterion.benchmark_group("lists_1m");
    group.sample_size(10).warm_up_time(std::time::Duration::from_millis(200));
    group.measurement_time(std::time::Duration::from_secs(1)).throughput(Throughput::Bytes(bytes as u64));
    let mut bench = |name: &str, f: &dyn Fn() -> Result<Column>| {
        group.bench_function(name, |b| b.iter(|| black_box(f().unwrap())));
    };
    bench("explode", &|| Ok(lists::explode(&table, 0, ctx)?.into_columns().remove(1)));
    bench("count_elements", &|| lists::count_elements(&column, ctx));
    bench("extract_list_element", &|| lists::extract_list_element(&column, -1, ctx));
    bench("reverse", &|| lists::reverse(&column, ctx));
    bench("contains", &|| lists::contains(&column, &key, ctx));
    bench("distinct", &|| lists::distinct(&column, NullEquality::Equal, NanEquality::AllEqual, ctx));
    bench("sort_lists", &|| lists::sort_lists(&column, Order::Ascending, NullOrder::Last, ctx));
}

criterion_group!(benches, lists);
criterion_main!(benches);
