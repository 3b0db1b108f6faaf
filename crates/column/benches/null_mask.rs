//! The speed of making and counting masks, compared with plain copies of as many bytes.
//!
//! `null_mask [cpu|cuda:N …] [million bits]`; without arguments every device and 1024 million bits, which
//! are 128 MiB. `cargo bench -p cuprum-column --bench null_mask`. An operation and a copy of as many bytes
//! as it reads and writes take turns, and the shortest time of each counts.

use std::time::{Duration, Instant};

use cuprum_column::null_mask::{self, MaskState};
use cuprum_column::{Buffer, Column, Context, DataType, Device, HostUVec, Result};
use cuprum_runtime::{DeviceBuffer, DeviceUVec, Event, primitives};

const ROUNDS: usize = 40;

fn main() -> Result<()> {
    let mut devices = Vec::new();
    let mut millions = 1024;
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match argument.parse::<usize>() {
            Ok(number) => millions = number,
            Err(_) => devices.push(Device::parse(&argument)?),
        }
    }
    if devices.is_empty() {
        devices = Device::all();
    }
    devices.into_iter().try_for_each(|device| measure(device, millions << 20))
}

/// Prints one line for each operation.
fn measure(device: Device, bits: usize) -> Result<()> {
    let ctx = &Context::on(device)?;
    println!("\n{device} ({}), {bits} bits", device.properties()?.name);
    println!("{:<34} {:>10} {:>10} {:>8}", "operation", "ms", "GB/s", "of copy");
    let bytes = bits / 8;
    let column = |seed: usize, offset: usize| -> Result<Column> {
        let word = |w: usize| (w + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) as u64;
        let (mask, nulls) = null_mask::from_words(bits + offset, &Context::current(), word)?;
        // Columns of bytes that nobody reads: only the masks count.
        let data = DeviceUVec::<u8>::uninit(bits + offset, ctx)?.into_buffer().try_into()?;
        let column =
            Column::from_buffer(DataType::UInt8, bits + offset, data, Some((mask.to_device(ctx)?, nulls)))?;
        column.slice(offset, bits)
    };
    let (a, b, shifted) = (column(1, 0)?, column(2, 0)?, column(3, 5)?);
    let mask = |column: &Column| column.mask().cloned().expect("it has nulls");
    let own = mask(&a);
    let mut written = null_mask::create_null_mask(bits, MaskState::AllNull, ctx)?;
    let bools = null_mask::mask_to_bools(&own, 0, bits / 4, ctx)?;

    report(ctx, "and, 2 masks", 3 * bytes, || null_mask::bitmask_and(&[&a, &b], ctx))?;
    report(ctx, "and, 2 masks, one at offset 5", 3 * bytes, || null_mask::bitmask_and(&[&a, &shifted], ctx))?;
    report(ctx, "or, 3 masks", 4 * bytes, || null_mask::bitmask_or(&[&a, &b, &shifted], ctx))?;
    report(ctx, "copy from bit 5 on", 2 * bytes, || null_mask::copy_bitmask(&shifted, ctx))?;
    report(ctx, "count", bytes, || null_mask::null_count(Some(&own), 0, bits, ctx))?;
    report(ctx, "count from bit 5 on", bytes, || null_mask::null_count(Some(&own), 5, bits, ctx))?;
    report(ctx, "set a range", bytes, || null_mask::set_null_mask(&mut written, 5, bits - 5, true, ctx))?;
    report(ctx, "booleans to a mask", bits / 4 + bytes / 4, || null_mask::bools_to_mask(&bools, ctx))?;
    let unpacked = || null_mask::mask_to_bools(&own, 0, bits / 4, ctx);
    report(ctx, "a mask to booleans", bits / 4 + bytes / 4, unpacked)
}

/// Measures an operation that reads and writes so many bytes.
fn report<R>(ctx: &Context, name: &str, bytes: usize, mut work: impl FnMut() -> Result<R>) -> Result<()> {
    // Written, since memory that never was is one page of zeros, which a copy reads from the cache.
    let source: Buffer = primitives::fill(1u8, bytes / 2, ctx)?.into_buffer().try_into()?;
    let mut target = DeviceBuffer::uninit(bytes / 2, ctx)?;
    let (mut shortest, mut copy) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        shortest = shortest.min(time(ctx, &mut work)?);
        copy = copy.min(match ctx.resource().device() {
            Device::Cpu => time(ctx, || HostUVec::from_slice(source.span::<u8>()?.as_host_slice()?, ctx))?,
            Device::Cuda(_) => time(ctx, || source.copy_to(&mut target, 0))?,
        });
    }
    let (ms, rate) = (shortest.as_secs_f64() * 1e3, bytes as f64 / shortest.as_secs_f64() / 1e9);
    let share = 100.0 * copy.as_secs_f64() / shortest.as_secs_f64();
    println!("{name:<34} {ms:>10.3} {rate:>10.1} {share:>7.0}%");
    Ok(())
}

fn time<R>(ctx: &Context, mut work: impl FnMut() -> Result<R>) -> Result<Duration> {
    ctx.stream().synchronize()?;
    let (start, clock) = (Event::record(ctx.stream())?, Instant::now());
    let result = work()?;
    let end = Event::record(ctx.stream())?;
    ctx.stream().synchronize()?;
    let took = if ctx.resource().device() == Device::Cpu { clock.elapsed() } else { end.since(&start)? };
    drop(result);
    Ok(took)
}
