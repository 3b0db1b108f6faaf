//! Sorting rows, the first of them, ranks. Bytes are those of the keys, the values and the result.

use cuprum_column::{Column, Result};
use cuprum_compute::sorting::{
    NullOrder, Order, RankOptions, is_sorted, rank, rank_rows, segmented_sorted_order, sort_by_key, top_k,
};
use cuprum_testing::generated::{below, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "sorting", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows, nulls) = (&bench.ctx, bench.rows, NullOrder::Last);
    let sort = |name: &str, values: &[&Column], keys: &[&Column]| {
        let (values, keys) = (table(values)?, table(keys)?);
        bench.case(name, &[&values], || sort_by_key(&values, &keys, &[], nulls, ctx))
    };
    let (number, double, key) = (bench.ints(1, u64::MAX)?, bench.floats(2)?, bench.small_ints(3, 1000)?);
    let third = bench.column(|row| below(4, row, 1_000_000) as i64)?;
    sort("sort int64", &[&number], &[&number])?;
    sort("sort 3-column frame by float64", &[&double, &number, &third], &[&double])?;
    sort("sort by (int32, float64), payload of 8", &[&key, &double, &number], &[&key, &double])?;
    if !bench.is_on_gpu() {
        // For scale on a busy machine: one thread of arrow-rs.
        let array = arrow_array::Int64Array::from(number.view()?.values::<i64>()?.to_vec());
        bench.case_of_bytes("argsort int64, arrow-rs", 12 * rows, || {
            Ok(arrow_ord::sort::sort_to_indices(&array, None, None).expect("integers are sorted"))
        })?;
    }
    let one = table(&[&number])?;
    let ascending = sort_by_key(&one, &one, &[], nulls, ctx)?;
    bench.case("is sorted", &[&ascending], || is_sorted(&ascending, &[], nulls, ctx))?;
    for (name, column, count) in [
        ("top 100 of int64", &number, 100),
        ("top 100 of float64", &double, 100),
        ("top 10 of float64", &double, 10),
    ] {
        bench.case(name, &[column], || top_k(column, count, Order::Descending, ctx))?;
    }
    bench.case("rank of float64, average", &[&double], || rank(&double, RankOptions::default(), ctx))?;
    for width in [8, 100] {
        let columns: Vec<Column> = (0..width)
            .map(|i| double.copy_rows(i * (rows / width), rows / width, ctx))
            .collect::<Result<_>>()?;
        let wide = table(&columns.iter().collect::<Vec<_>>())?;
        let name = format!("rank in rows of {width} float64");
        bench.case(&name, &[&wide], || rank_rows(&wide, RankOptions::default(), ctx))?;
    }
    let offsets = bench.column_of(rows / 1000 + 1, |row| (row * 1000) as i32)?;
    bench.case("order within 1000 rows each", &[&one, &offsets], || {
        segmented_sorted_order(&one, &offsets, &[], nulls, ctx)
    })?;
    drop((number, double, key, third, one, ascending));

    let words = bench.words(5, "customer#", 1 << 22)?.copy_rows(0, rows / 5, ctx)?;
    sort("sort a fifth as many strings", &[&words], &[&words])?;
    let ten = table(&[&Column::from_slice(&[5i64, 3, 9, 1, 4, 4, 8, 0, 2, 7], ctx)?])?;
    bench.small("sort of 10 int64", || sort_by_key(&ten, &ten, &[], nulls, ctx))
}
