//! Elements as rows, found, sorted and made distinct: lists of 0 to 8 numbers.

use cuprum_column::{Column, HostUVec, Result, Scalar, Table};
use cuprum_compute::lists::{self, NanEquality, NullEquality};
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_testing::generated::below;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "lists", rows_for_each: 10, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let mut offsets = vec![0i32];
    offsets.extend((0..bench.rows).scan(0, |end, row| {
        *end += below(1, row, 9) as i32;
        Some(*end)
    }));
    let elements = offsets[bench.rows] as usize;
    let elements = HostUVec::from_fn(elements, &bench.host, |i| below(2, i, 100) as i64)?;
    let offsets = Column::from_slice(&offsets, &bench.host)?;
    let column = bench.there(&Column::lists(offsets, Column::from_values(elements), None)?)?;
    let numbers = bench.small_ints(3, 1000)?;
    let table = Table::new(vec![column.clone(), numbers.clone()])?;
    let key = Scalar::from(7i64);
    bench.case("explode", &[&table], || lists::explode(&table, 0, ctx))?;
    let case = |name: &str, work: &dyn Fn() -> Result<Column>| bench.case(name, &[&column], work);
    case("count_elements", &|| lists::count_elements(&column, ctx))?;
    case("extract_list_element", &|| lists::extract_list_element(&column, -1, ctx))?;
    case("reverse", &|| lists::reverse(&column, ctx))?;
    case("contains", &|| lists::contains(&column, &key, ctx))?;
    case("distinct", &|| lists::distinct(&column, NullEquality::Equal, NanEquality::AllEqual, ctx))?;
    case("sort_lists", &|| lists::sort_lists(&column, Order::Ascending, NullOrder::Last, ctx))?;
    let nulls = lists::ConcatenateNullPolicy::Ignore;
    let pair = Table::new(vec![column.clone(), column.clone()])?;
    bench.case("concatenate_rows", &[&pair], || lists::concatenate_rows(&pair, nulls, ctx))
}
