//! The cost of a launch on the host, and of the first calls of a process.
//!
//! `launching DEVICE [FOLDER]`, with the folder of shipped machine code (`make kernels`). Run it with an empty
//! `CUPRUM_CACHE_DIR` to see the cost of compiling, and with the same one again to see the cache.

use std::path::PathBuf;
use std::time::Instant;

use cuprum_column::{Column, Context, Device, Result, Table, null_mask};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, scatter_table};
use cuprum_compute::hashing::{HashFunction, murmurhash3_x86_32};
use cuprum_compute::partitioning::{hash_partition, partition, round_robin_partition};
use cuprum_compute::{concatenate, contiguous_split};
use cuprum_runtime::{DeviceUVec, kernel, primitives};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let Some(device) = arguments.first() else { return Ok(()) };
    let ctx = &Context::on(Device::parse(device)?)?;
    if let Some(folder) = arguments.get(1) {
        kernel::set_shipped_folder(PathBuf::from(folder));
    }
    let host = &Context::on(Device::Cpu)?;
    let numbers: Vec<i64> = (0..1000).collect();
    let valid = null_mask::from_fn(1000, host, |i| i % 8 != 0)?;
    let long = Column::from_slice(&numbers, host)?;
    let columns = vec![long.clone(), long.with_mask(Some(valid), host)?];
    let table = Table::new(columns)?.to_device(ctx)?;
    let map = Column::from_slice(&numbers.iter().map(|i| (i * 7 % 64) as i32).collect::<Vec<_>>(), ctx)?;
    ctx.stream().synchronize()?;
    let all = || -> Result<()> {
        gather(&table, &map, OutOfBoundsPolicy::Nullify, ctx)?;
        scatter_table(&table, &map, &table, ctx)?;
        partition(&table, &map, 64, ctx)?;
        hash_partition(&table, &[0], 64, HashFunction::Murmur3, 0, ctx)?;
        round_robin_partition(&table, 64, 0, ctx)?;
        murmurhash3_x86_32(&table, 0, ctx)?;
        contiguous_split::pack(&table, ctx)?;
        concatenate::concatenate_tables(&[&table, &table], ctx)?;
        ctx.stream().synchronize()
    };
    for call in ["first", "second", "third"] {
        let start = Instant::now();
        all()?;
        println!("{call} calls of eight operations: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    }
    let mut words = DeviceUVec::<u32>::zeroed(64, ctx)?;
    let span = &mut words.span_mut();
    const LAUNCHES: u32 = 1000;
    let mut least = f64::INFINITY;
    for _ in 0..50 {
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            primitives::set_bits(span, 0..5, true, ctx)?;
        }
        least = least.min(start.elapsed().as_secs_f64() / f64::from(LAUNCHES));
        ctx.stream().synchronize()?;
    }
    println!("host time of a launch: {:.2} µs", least * 1e6);
    Ok(())
}
