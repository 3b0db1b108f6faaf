//! The speed of sorting rows on a device, compared with a plain copy on it in the same run.
//!
//! `ordering [cpu|cuda:N …] [million rows]`; without arguments every device, and 10 million rows on the CPU,
//! 100 million on a GPU. There is a tenth as many texts. The rate counts keys and row numbers once.

use std::time::{Duration, Instant};

use cuprum_column::{Column, Context, Device, HostUVec, Result, Table, null_mask};
use cuprum_compute::quantiles::{Interpolation, quantile};
use cuprum_compute::search::lower_bound;
use cuprum_compute::sorting::{
    NullOrder, Order, RankOptions, is_sorted, rank, sort_by_key, sorted_order, top_k,
};
use cuprum_runtime::random::Random;
use cuprum_testing::timing::{Rates, on_devices, time};

fn main() -> Result<()> {
    on_devices(|device, rows| {
        measure(device, rows)?;
        small(device)
    })
}

/// Numbers in [0, 1), and their logarithms turned into a normal distribution.
fn doubles(longs: &[i64], host: &Context, normal: bool) -> Result<Column> {
    let uniform = |i: usize| (longs[i] as u64 >> 11) as f64 / (1u64 << 53) as f64;
    Ok(Column::from_values(HostUVec::from_fn(longs.len(), host, |i| {
        if normal {
            let other = uniform((i * 7 + 1) % longs.len());
            (-2.0 * uniform(i).max(1e-300).ln()).sqrt() * (std::f64::consts::TAU * other).cos()
        } else {
            uniform(i)
        }
    })?))
}

/// Texts of 6 to 14 letters behind a prefix.
fn texts(rows: usize, prefix: &dyn Fn(u64) -> String, host: &Context) -> Result<Column> {
    let mut random = Random(3);
    let words: Vec<String> = (0..rows)
        .map(|_| {
            let (mut word, len) = (prefix(random.next()), 6 + random.below(9));
            (0..len).for_each(|_| word.push((b'a' + random.below(26) as u8) as char));
            word
        })
        .collect();
    Column::from_strs(&words, host)
}

/// Prints one line for each operation.
fn measure(device: Device, rows: usize) -> Result<()> {
    let (ctx, host) = (&Context::on(device)?, &Context::on(Device::Cpu)?);
    println!("\n{device} ({}), {rows} rows", device.properties()?.name);
    let rates = Rates::beside_a_copy(16 * rows, 44, ctx)?;
    let report = |name: &str, bytes: usize, took: Duration| rates.line(name, bytes, took);

    let mut random = Random(1);
    let longs: Vec<i64> = (0..rows).map(|_| random.next() as i64).collect();
    let number = Column::from_slice(&longs, host)?;
    let valid = null_mask::from_fn(rows, host, |i| longs[i] & 7 != 0)?;
    let nullable = number.with_mask(Some(valid), host)?.to_device(ctx)?;
    let small = |most: i64| HostUVec::from_fn(rows, host, |i| (longs[i] >> 20).rem_euclid(most) as i32);
    let key = Column::from_values(small(1000)?).to_device(ctx)?;
    let number = number.to_device(ctx)?;
    let double = doubles(&longs, host, false)?.to_device(ctx)?;
    let normal = doubles(&longs, host, true)?.to_device(ctx)?;
    let repeated = HostUVec::from_fn(rows, host, |i| (longs[i] >> 20).rem_euclid(1000) as f64 * 0.1)?;
    let repeated = Column::from_values(repeated).to_device(ctx)?;
    let table = |columns: &[&Column]| Table::new(columns.iter().map(|&column| column.clone()).collect());
    let nulls = NullOrder::Last;
    let order = |name: &str, columns: &[&Column], width: usize| -> Result<()> {
        let keys = table(columns)?;
        report(name, (width + 4) * rows, time(ctx, || sorted_order(&keys, &[], nulls, ctx))?);
        Ok(())
    };
    order("order of int64", &[&number], 8)?;
    order("order of int64, nulls", &[&nullable], 8)?;
    order("order of int32 of 1000", &[&key], 4)?;
    order("order of float64, uniform", &[&double], 8)?;
    order("order of float64, normal", &[&normal], 8)?;
    order("order of float64 of 1000 values", &[&repeated], 8)?;
    order("order of (int32 of 1000, float64)", &[&key, &double], 12)?;
    let (keys, values) = (table(&[&key, &double])?, table(&[&key, &double, &number])?);
    let sorted = time(ctx, || sort_by_key(&values, &keys, &[], nulls, ctx))?;
    report("sort by (int32, float64), payload of 8", 40 * rows, sorted);
    let ascending = sort_by_key(&table(&[&number])?, &table(&[&number])?, &[], nulls, ctx)?;
    report("is sorted", 8 * rows, time(ctx, || is_sorted(&ascending, &[], nulls, ctx))?);
    report(
        "lower bounds",
        20 * rows,
        time(ctx, || lower_bound(&ascending, &table(&[&number])?, &[], nulls, ctx))?,
    );
    report("top 100 of int64", 8 * rows, time(ctx, || top_k(&number, 100, Order::Descending, ctx))?);
    report("top 100 of float64", 8 * rows, time(ctx, || top_k(&normal, 100, Order::Descending, ctx))?);
    report("rank of float64, average", 16 * rows, time(ctx, || rank(&double, RankOptions::default(), ctx))?);
    let median = time(ctx, || quantile(&normal, &[0.5], Interpolation::Linear, ctx))?;
    report("median of float64", 8 * rows, median);
    drop((number, nullable, key, double, normal, repeated, values, keys, ascending));

    let few = rows / 10;
    let kinds: [(&str, &dyn Fn(u64) -> String); 3] = [
        ("order of texts of 6-14", &|_| String::new()),
        ("order of texts, a common prefix of 8", &|_| "customer".to_owned()),
        ("order of texts, 1000 prefixes of 12", &|x| format!("https://{:04}", x % 1000)),
    ];
    for (name, prefix) in kinds {
        let column = texts(few, prefix, host)?.to_device(ctx)?;
        let keys = Table::new(vec![column])?;
        let took = time(ctx, || sorted_order(&keys, &[], nulls, ctx))?;
        report(&format!("{name} ({few})"), 18 * few, took);
    }
    Ok(())
}

/// The host's time for 10 rows, in microseconds.
fn small(device: Device) -> Result<()> {
    let ctx = &Context::on(device)?;
    let keys = Table::new(vec![Column::from_slice(&[5i64, 3, 9, 1, 4, 4, 8, 0, 2, 7], ctx)?])?;
    let run = |name: &str, work: &dyn Fn() -> Result<()>| -> Result<()> {
        work()?;
        ctx.stream().synchronize()?;
        let (calls, clock) = (1000, Instant::now());
        (0..calls).try_for_each(|_| work())?;
        let each = clock.elapsed().as_secs_f64() * 1e6 / f64::from(calls);
        ctx.stream().synchronize()?;
        println!("{name:<44} {each:>10.1} us of the host");
        Ok(())
    };
    run("order of 10 int64", &|| sorted_order(&keys, &[], NullOrder::Last, ctx).map(drop))?;
    run("sort of 10 int64", &|| sort_by_key(&keys, &keys, &[], NullOrder::Last, ctx).map(drop))
}
