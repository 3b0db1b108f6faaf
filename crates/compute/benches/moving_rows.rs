//! The speed of moving rows on a device, compared with a plain copy on it in the same run.
//!
//! `moving_rows [cpu|cuda:N …] [million rows]`; without arguments every device, and 10 million rows on the
//! CPU, 100 million on a GPU. A table has three columns of 8 bytes and one of 4, one of them with nulls. The
//! rate counts the bytes that the operation must read and write at least, so 100 % is as fast as copying.

use std::time::Duration;

use cuprum_column::{Column, Context, DataType, Device, HostUVec, Result, Table, null_mask};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, scatter_table};
use cuprum_compute::hashing::{HashFunction, murmurhash3_x86_32};
use cuprum_compute::partitioning::{hash_partition, partition, round_robin_partition};
use cuprum_compute::{concatenate, contiguous_split};
use cuprum_runtime::random::Random;
use cuprum_testing::timing::{Rates, on_devices, time};

fn main() -> Result<()> {
    on_devices(measure)
}

/// Bytes of a row.
const ROW: usize = 8 + 8 + 8 + 4;

/// Prints one line for each operation.
fn measure(device: Device, rows: usize) -> Result<()> {
    let (ctx, host) = (&Context::on(device)?, &Context::on(Device::Cpu)?);
    println!("\n{device} ({}), {rows} rows of {ROW} bytes", device.properties()?.name);
    let mut random = Random(1);
    let longs: Vec<i64> = (0..rows).map(|_| random.next() as i64).collect();
    let valid = null_mask::from_fn(rows, host, |i| longs[i] & 7 != 0)?;
    let number = Column::from_slice(&longs, host)?;
    let double = number.bit_cast(DataType::Float64)?;
    let int = Column::from_values(HostUVec::from_fn(rows, host, |i| longs[i] as i32)?);
    let nullable = number.with_mask(Some(valid), host)?;
    let table = &Table::new(vec![number, double, nullable, int])?.to_device(ctx)?;
    let mut order: Vec<i32> = (0..rows as i32).collect();
    let shuffled = {
        for i in (1..rows).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        Column::from_slice(&order, ctx)?
    };
    let ascending = {
        order.iter_mut().enumerate().for_each(|(i, row)| *row = i as i32 / 2 * 2);
        Column::from_slice(&order, ctx)?
    };
    let map = {
        order.iter_mut().zip(&longs).for_each(|(part, long)| *part = (long >> 8 & 63) as i32);
        Column::from_slice(&order, ctx)?
    };

    let (moved, with_map) = (2 * ROW * rows, (2 * ROW + 4) * rows);
    let rates = Rates::beside_a_copy(ROW * rows, 34, ctx)?;
    let report = |name: &str, bytes: usize, took: Duration| rates.line(name, bytes, took);
    let policy = OutOfBoundsPolicy::Nullify;
    report("gather, random", with_map, time(ctx, || gather(table, &shuffled, policy, ctx))?);
    report("gather, ascending", with_map, time(ctx, || gather(table, &ascending, policy, ctx))?);
    report("scatter, random", with_map, time(ctx, || scatter_table(table, &shuffled, table, ctx))?);
    report("partition by a map into 64", with_map, time(ctx, || partition(table, &map, 64, ctx))?);
    let hashed = time(ctx, || hash_partition(table, &[0], 64, HashFunction::Murmur3, 0, ctx))?;
    report("hash partition into 64", moved, hashed);
    report("round robin into 64", moved, time(ctx, || round_robin_partition(table, 64, 0, ctx))?);
    report("murmur3 of the rows", (ROW + 4) * rows, time(ctx, || murmurhash3_x86_32(table, 0, ctx))?);
    let every = |parts: usize| (1..parts).map(|i| i * (rows / parts)).collect::<Vec<_>>();
    let split = time(ctx, || contiguous_split::contiguous_split(table, &every(64), ctx))?;
    report("contiguous split into 64", moved, split);
    report("pack", moved, time(ctx, || contiguous_split::pack(table, ctx))?);
    let pieces = contiguous_split::split_table(table, &every(1000))?;
    let pieces: Vec<&Table> = pieces.iter().collect();
    report("concatenate 1000 pieces", moved, time(ctx, || concatenate::concatenate_tables(&pieces, ctx))?);
    Ok(())
}
