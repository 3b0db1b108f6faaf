//! The speed of filters, reductions, groupings, joins and distinct rows on a device, at the sizes of the
//! table of libcudf’s times in docs/performance.md.
//!
//! `relational [cpu|cuda:N …] [million rows]`; without arguments every device, and 10 million rows on the CPU,
//! 100 million on a GPU. Dense keys are numbers below their count, hashed ones any numbers of 64 bits.

use std::time::Duration;

use cuprum_column::{Column, Context, DataType, Device, HostUVec, Result, Table, null_mask};
use cuprum_compute::groupby::{aggregate, group, group_and_aggregate};
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::merge::merge;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::replace::find_and_replace;
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::stream_compaction::{apply_boolean_mask, drop_nulls};
use cuprum_runtime::random::Random;
use cuprum_testing::timing::{on_devices, time};

fn main() -> Result<()> {
    on_devices(measure)
}

/// A number of 64 bits for each of 2⁶⁴ (Stafford's mixing of SplitMix64).
fn hashed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

fn measure(device: Device, rows: usize) -> Result<()> {
    let (ctx, host) = (&Context::on(device)?, &Context::on(Device::Cpu)?);
    println!("\n{device} ({}), {rows} rows", device.properties()?.name);
    println!("{:<46} {:>10}", "operation", "ms");
    let report = |name: &str, took: Duration| println!("{name:<46} {:>10.3}", took.as_secs_f64() * 1e3);
    let mut random = Random(1);
    let longs: Vec<u64> = (0..rows).map(|_| random.next()).collect();
    let there = |column: Column| column.to_device(ctx);
    let keys_below = |keys: usize, is_hashed: bool| -> Result<Column> {
        let of = |i: usize| {
            let key = ((u128::from(longs[i]) * keys as u128) >> 64) as u64;
            (if is_hashed { hashed(key + 1) } else { key }) as i64
        };
        there(Column::from_values(HostUVec::from_fn(rows, host, of)?))
    };
    let unit = |i: usize| hashed(longs[i]) as f64 / u64::MAX as f64;
    let values = there(Column::from_values(HostUVec::from_fn(rows, host, unit)?))?;
    let whole = there(Column::from_values(HostUVec::from_fn(rows, host, |i| longs[i] as i64)?))?;

    {
        let valid = null_mask::from_fn(rows, host, |i| longs[i] & 7 != 0)?;
        let nullable = there(whole.to_device(host)?.with_mask(Some(valid), host)?)?;
        let int = there(Column::from_values(HostUVec::from_fn(rows, host, |i| longs[i] as i32)?))?;
        let mask = HostUVec::from_fn(rows, host, |i| (longs[i] >> 33 & 1) as u8)?;
        let mask = there(Column::new(DataType::Bool8, mask, None)?)?;
        let table = Table::new(vec![nullable, values.clone(), whole.clone(), int])?;
        report("keep half of 28-byte rows", time(ctx, || apply_boolean_mask(&table, &mask, ctx))?);
        report(
            "drop nulls (one in 8) of 28-byte rows",
            time(ctx, || drop_nulls(&table, &[0], 1, false, ctx))?,
        );
    }
    for (name, column) in [("float64", &values), ("int64", &whole)] {
        for how in [Aggregation::Sum, Aggregation::Mean, Aggregation::Max, Aggregation::Std { ddof: 1 }] {
            report(&format!("{how:?} of {name}"), time(ctx, || reduce(column, how, ctx))?);
        }
    }
    for is_hashed in [false, true] {
        let kind = if is_hashed { "hashed" } else { "dense" };
        for keys in [20, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000] {
            if keys > rows {
                continue;
            }
            let table = Table::new(vec![keys_below(keys, is_hashed)?])?;
            report(&format!("group by {keys} {kind} keys"), time(ctx, || group(&table, true, ctx))?);
            let groups = group(&table, true, ctx)?;
            let requests =
                [(&values, Aggregation::Sum), (&values, Aggregation::Mean), (&values, Aggregation::Count)];
            let took = time(ctx, || aggregate(&groups, &requests, ctx))?;
            report(&format!("  sum, mean, count of float64 by {keys}"), took);
            let took = time(ctx, || group_and_aggregate(&table, true, &requests, ctx))?;
            report("  both at once", took);
            if keys == 1000 {
                let took = time(ctx, || aggregate(&groups, &[(&values, Aggregation::Median)], ctx))?;
                report(&format!("  median of float64 by {keys}"), took);
            }
        }
        let keys = rows / 10;
        let table = Table::new(vec![keys_below(keys, is_hashed)?])?;
        let took = time(ctx, || distinct_rows(&table, Keep::First, true, ctx))?;
        report(&format!("distinct, {keys} {kind} keys"), took);
        let of = |i: usize| (if is_hashed { hashed(i as u64 + 1) } else { i as u64 }) as i64;
        let right = Table::new(vec![there(Column::from_values(HostUVec::from_fn(keys, host, of)?))?])?;
        for kind_of_join in [JoinKind::Inner, JoinKind::Left, JoinKind::LeftSemi] {
            let took = time(ctx, || join(&table, &right, kind_of_join, false, ctx))?;
            report(&format!("{kind_of_join:?} join with {keys} {kind} keys"), took);
        }
        let twice = |i: usize| of(i / 2);
        let right = Table::new(vec![there(Column::from_values(HostUVec::from_fn(keys, host, twice)?))?])?;
        let took = time(ctx, || join(&table, &right, JoinKind::Inner, false, ctx))?;
        report(&format!("Inner join, every right key ({kind}) twice"), took);
    }
    let texts = rows / 10;
    let of = |i: usize| format!("customer {}", longs[i] % 1_000_000);
    let texts: Vec<String> = (0..texts).map(of).collect();
    let texts = Table::new(vec![there(Column::from_strs(&texts, host)?)?])?;
    report(&format!("group by text, {} rows", texts.num_rows()), time(ctx, || group(&texts, true, ctx))?);
    let few = |column: &Column| column.slice(0, 10);
    let (ten, ten_values) = (Table::new(vec![few(&whole)?])?, few(&values)?);
    report(
        "group and sum 10 rows",
        time(ctx, || group_and_aggregate(&ten, true, &[(&ten_values, Aggregation::Sum)], ctx))?,
    );
    {
        // Two tables of half the rows, and four of a quarter, of int64 keys and their row numbers.
        let ascending = HostUVec::from_fn(rows, host, |i| (i as i64) * 7 + (longs[i] & 3) as i64)?;
        let ascending = there(Column::from_values(ascending))?;
        let sorted = Table::new(vec![ascending, whole.clone()])?;
        for parts in [2, 4] {
            let part = |i: usize| sorted.slice(rows / parts * i, rows / parts);
            let parts_of = (0..parts).map(part).collect::<Result<Vec<_>>>()?;
            let parts_of: Vec<&Table> = parts_of.iter().collect();
            report(
                &format!("merge of {parts} sorted tables"),
                time(ctx, || merge(&parts_of, &[0], &[], &[], ctx))?,
            );
        }
        let old = there(Column::from_values(HostUVec::from_fn(1000, host, |i| longs[i * 7 % rows] as i64)?))?;
        report("find and replace 1000 of int64", time(ctx, || find_and_replace(&whole, &old, &old, ctx))?);
    }
    report("join 10 rows", time(ctx, || join(&ten, &ten, JoinKind::Inner, false, ctx))?);
    Ok(())
}
