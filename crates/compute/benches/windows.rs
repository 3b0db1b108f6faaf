//! The speed of windows and running reductions on a device, of all rows and of groups.
//!
//! `windows [cpu|cuda:N …] [million rows]`; without arguments every device, and 10 million rows on the CPU, 100 million
//! on a GPU.

use std::time::Duration;

use cuprum_column::{Column, Context, DataType, Device, HostUVec, Result, Scalar, Table, null_mask};
use cuprum_compute::ewm::{self, EwmOptions};
use cuprum_compute::groupby::grouped_rows::{grouped_rows, scan};
use cuprum_compute::groupby::{aggregate, group};
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::reduce::{Aggregation, CumulativeOp, cumulative};
use cuprum_compute::rolling::{
    PairFunction, RangeBound, WindowFunction, grouped_windows, range_windows, rolling_pairs, rolling_window,
};
use cuprum_compute::sorting::{NullOrder, Order, RankMethod};
use cuprum_runtime::random::Random;
use cuprum_testing::timing::{on_devices, time};

fn main() -> Result<()> {
    on_devices(measure)
}

fn measure(device: Device, rows: usize) -> Result<()> {
    let (ctx, host) = (&Context::on(device)?, &Context::on(Device::Cpu)?);
    println!("\n{device} ({}), {rows} rows", device.properties()?.name);
    println!("{:<46} {:>10}", "operation", "ms");
    let report = |name: &str, took: Duration| println!("{name:<46} {:>10.3}", took.as_secs_f64() * 1e3);
    let mut random = Random(1);
    let there = |column: Column| column.to_device(ctx);
    let random: Vec<u32> = (0..rows).map(|_| random.next() as u32).collect();
    let floats = HostUVec::from_fn(rows, host, |i| f64::from(random[i]) / 3.0)?;
    let floats = Column::from_values(floats);
    let valid = null_mask::from_fn(rows, host, |i| random[i] & 7 != 0)?;
    let nullable = there(floats.with_mask(Some(valid), host)?)?;
    let floats = there(floats)?;
    let numbers = there(Column::from_values(HostUVec::from_fn(rows, host, |i| i64::from(random[i]))?))?;
    let zero = Scalar::from(0i64);
    let window = |column: &Column, size: i64, function| {
        rolling_window(column, &Scalar::from(size), &zero, 1, function, ctx)
    };
    let functions = [
        ("sum", &floats, WindowFunction::Sum),
        ("sum with nulls", &nullable, WindowFunction::Sum),
        ("sum of int64", &numbers, WindowFunction::Sum),
        ("mean", &floats, WindowFunction::Mean),
        ("max", &floats, WindowFunction::Max),
        ("std", &floats, WindowFunction::Std { ddof: 1 }),
        ("skewness", &floats, WindowFunction::Skewness),
        ("median", &floats, WindowFunction::Quantile { q: 0.5, interpolation: Interpolation::Linear }),
        (
            "rank",
            &floats,
            WindowFunction::Rank { method: RankMethod::Average, order: Order::Ascending, percentage: false },
        ),
        ("different int64", &numbers, WindowFunction::NUnique { with_nulls: true }),
        ("count with nulls", &nullable, WindowFunction::CountValid),
        ("lag", &floats, WindowFunction::Lag(3)),
    ];
    for (name, column, function) in functions {
        for size in [10i64, 100, 10_000, i64::MAX] {
            if size > 100 && matches!(function, WindowFunction::CountValid | WindowFunction::Lag(_)) {
                continue;
            }
            let rows = if size == i64::MAX { "all".to_owned() } else { size.to_string() };
            report(&format!("{name}, windows of {rows}"), time(ctx, || window(column, size, function))?);
        }
    }
    let hundred = (Scalar::from(100i64), &zero);
    let took = time(ctx, || {
        rolling_pairs(&floats, &nullable, &hundred.0, hundred.1, 1, PairFunction::Correlation, ctx)
    })?;
    report("correlation, windows of 100", took);
    let sorted = there(Column::from_values(HostUVec::from_fn(rows, host, |i| {
        i as i64 * 5 + i64::from(random[i] & 3)
    })?))?;
    let all = Table::with_rows(vec![], rows)?;
    let (before, behind) = (RangeBound::Closed(Scalar::from(500i64)), RangeBound::CurrentRow);
    let near = || range_windows(&all, &sorted, Order::Ascending, NullOrder::First, &before, &behind, ctx);
    report("windows of a range", time(ctx, near)?);
    let (preceding, following) = near()?;
    let function = WindowFunction::Sum;
    let took = time(ctx, || rolling_window(&floats, &preceding, &following, 1, function, ctx))?;
    report("  sum of them", took);
    drop((preceding, following, sorted));
    let keys = |rows_of_each: usize| {
        let keys = HostUVec::from_fn(rows, host, |i| (i / rows_of_each) as i64)?;
        Table::new(vec![there(Column::from_values(keys))?])
    };
    let keys_of_1000 = keys(1000)?;
    report("windows of groups of 1000", time(ctx, || grouped_windows(&keys_of_1000, 20, 0, ctx))?);
    let (preceding, following) = grouped_windows(&keys_of_1000, 20, 0, ctx)?;
    let took = time(ctx, || rolling_window(&floats, &preceding, &following, 1, function, ctx))?;
    report("  sum of them", took);
    drop((preceding, following));
    for (name, column) in [("float64", &floats), ("int64", &numbers)] {
        for op in [CumulativeOp::Sum, CumulativeOp::Max] {
            report(&format!("running {op:?} of {name}"), time(ctx, || cumulative(column, op, ctx))?);
        }
    }
    let decimals = numbers.bit_cast(DataType::Decimal64(-2))?;
    report("running Sum of decimals", time(ctx, || cumulative(&decimals, CumulativeOp::Sum, ctx))?);
    for adjust in [true, false] {
        let options = EwmOptions { center_of_mass: 9.0, adjust, ..EwmOptions::default() };
        let how = if adjust { "adjusted" } else { "not adjusted" };
        report(&format!("weighted mean, {how}"), time(ctx, || ewm::mean(&nullable, options, ctx))?);
        let took = time(ctx, || ewm::covariance(&floats, &nullable, options, false, ctx))?;
        report(&format!("weighted covariance, {how}"), took);
    }
    let keys = HostUVec::from_fn(rows, host, |i| i64::from(random[i] % 1000))?;
    let groups = group(&Table::new(vec![there(Column::from_values(keys))?])?, true, ctx)?;
    report("rows of 1000 groups", time(ctx, || grouped_rows(&groups, None, ctx))?);
    let of_groups = grouped_rows(&groups, None, ctx)?;
    report("  running sum of them", time(ctx, || scan(&of_groups, &floats, CumulativeOp::Sum, ctx))?);
    for how in [Aggregation::Median, Aggregation::Std { ddof: 1 }] {
        let took = time(ctx, || aggregate(&groups, &[(&floats, how)], ctx))?;
        report(&format!("{how:?} of 1000 groups"), took);
    }
    Ok(())
}
