//! Windows of numbers of rows, of a range of values and of groups: a value per row is read and one is written, whatever
//! the window. Windows of many sizes of many functions: a fifth as many rows (`-- cuda:0 500` for 100 million).

use cuprum_column::{Column, Result, Scalar, Table};
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::rolling::{
    PairFunction, RangeBound, WindowFunction, grouped_windows, range_windows, rolling_pairs, rolling_window,
};
use cuprum_compute::sorting::{NullOrder, Order, RankMethod};
use cuprum_testing::generated::{random, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "rolling", rows_for_each: 5, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let (floats, numbers) = (bench.floats(1)?, bench.ints(2, u64::MAX)?);
    let nullable = bench.with_nulls(&floats)?;
    let zero = Scalar::from(0i64);
    for (name, column, function) in functions(&floats, &nullable, &numbers) {
        for size in [10, 100, 10_000, i64::MAX] {
            if size > 100 && matches!(function, WindowFunction::CountValid | WindowFunction::Lag(_)) {
                continue;
            }
            let rows = if size == i64::MAX { "all".to_owned() } else { size.to_string() };
            let size = Scalar::from(size);
            bench.case(&format!("{name}, windows of {rows}"), &[column], || {
                rolling_window(column, &size, &zero, 1, function, ctx)
            })?;
        }
    }
    let hundred = Scalar::from(100i64);
    bench.case("correlation, windows of 100", &[&floats, &nullable], || {
        rolling_pairs(&floats, &nullable, &hundred, &zero, 1, PairFunction::Correlation, ctx)
    })?;
    drop((nullable, numbers));

    let sorted = bench.column(|row| row as i64 * 5 + (random(3, row) & 3) as i64)?;
    let all = Table::with_rows(vec![], bench.rows)?;
    let (before, behind) = (RangeBound::Closed(Scalar::from(500i64)), RangeBound::CurrentRow);
    let near = || range_windows(&all, &sorted, Order::Ascending, NullOrder::First, &before, &behind, ctx);
    bench.case("windows of a range", &[&sorted], near)?;
    let (preceding, following) = near()?;
    let sum = |(preceding, following): (&Column, &Column)| {
        bench.case("  sum of them", &[&floats, preceding, following], || {
            rolling_window(&floats, preceding, following, 1, WindowFunction::Sum, ctx)
        })
    };
    sum((&preceding, &following))?;
    let keys = table(&[&bench.column(|row| (row / 1000) as i64)?])?;
    bench.case("windows of groups of 1000", &[&keys], || grouped_windows(&keys, 20, 0, ctx))?;
    let (preceding, following) = grouped_windows(&keys, 20, 0, ctx)?;
    sum((&preceding, &following))
}

type Function<'a> = (&'static str, &'a Column, WindowFunction);

fn functions<'a>(floats: &'a Column, nullable: &'a Column, numbers: &'a Column) -> [Function<'a>; 12] {
    let (q, interpolation) = (0.5, Interpolation::Linear);
    let (method, order, percentage) = (RankMethod::Average, Order::Ascending, false);
    [
        ("sum", floats, WindowFunction::Sum),
        ("sum with nulls", nullable, WindowFunction::Sum),
        ("sum of int64", numbers, WindowFunction::Sum),
        ("mean", floats, WindowFunction::Mean),
        ("max", floats, WindowFunction::Max),
        ("std", floats, WindowFunction::Std { ddof: 1 }),
        ("skewness", floats, WindowFunction::Skewness),
        ("median", floats, WindowFunction::Quantile { q, interpolation }),
        ("rank", floats, WindowFunction::Rank { method, order, percentage }),
        ("different int64", numbers, WindowFunction::NUnique { with_nulls: true }),
        ("count with nulls", nullable, WindowFunction::CountValid),
        ("lag", floats, WindowFunction::Lag(3)),
    ]
}
