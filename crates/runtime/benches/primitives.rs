//! How fast the primitives move bytes, beside a plain copy of the same device in the same run.
//!
//! `primitives [cpu|cuda:N …] [million elements]`; without arguments every device and 32 million
//! elements on the CPU, 256 million on a GPU. The rate counts the bytes that the operation must read
//! and write at least, so 100 % is as fast as copying.

use std::time::{Duration, Instant};

use cuprum_runtime::primitives::{
    Bits, BitwiseOperator, Reduction, ScanKind, Transform, bitmask, compact, count_bits, fill, histogram,
    partition, reduce, scan, segmented_reduce, sequence, transform,
};
use cuprum_runtime::{Context, Device, DeviceUVec, Event, Result};

fn main() -> Result<()> {
    let mut devices = Vec::new();
    let mut millions = None;
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match argument.parse::<usize>() {
            Ok(number) => millions = Some(number),
            Err(_) => devices.push(Device::parse(&argument)?),
        }
    }
    if devices.is_empty() {
        devices = Device::all();
    }
    for device in devices {
        let default = if device == Device::Cpu { 32 } else { 256 };
        measure(device, millions.unwrap_or(default) << 20)?;
    }
    Ok(())
}

/// Prints one line for each primitive.
fn measure(device: Device, len: usize) -> Result<()> {
    let ctx = &Context::on(device)?;
    println!("\n{device} ({}), {len} elements", device.properties()?.name);
    println!("{:<34} {:>10} {:>10} {:>8}", "operation", "ms", "GB/s", "of copy");

    let longs = &sequence(-5i64, 3, len, ctx)?;
    let doubles = &sequence(0.5f64, 0.25, len, ctx)?;
    let ints = &sequence(0i32, 1, len, ctx)?;
    // Every other byte of a multiplicative generator: half of the flags are set, in no pattern.
    let mix = Transform {
        expression: "(u8)((x * 2654435761u >> 16) & 1)",
        function: |x: u32| (x.wrapping_mul(2_654_435_761) >> 16 & 1) as u8,
    };
    let flags = &transform(&sequence(0u32, 1, len, ctx)?.span(), &mix, ctx)?;
    let spread = Transform {
        expression: "x * 2654435761u >> 22",
        function: |x: u32| x.wrapping_mul(2_654_435_761) >> 22,
    };
    let bins = &transform(&sequence(0u32, 1, len, ctx)?.span(), &spread, ctx)?;
    let words = &sequence(0u32, 2_654_435_761, len / 32, ctx)?;
    let offsets = &sequence(0i32, 20, len / 20, ctx)?;
    let mut copy = DeviceUVec::<i64>::uninit(len, ctx)?.into_buffer();
    let operation = Transform { expression: "x * 1.5 + 2.0", function: |x: f64| x * 1.5 + 2.0 };

    let copied = time(ctx, || copy.copy_range_from(0, longs.buffer(), 0..len * 8))?;
    let copy_rate = (16 * len) as f64 / copied.as_secs_f64();
    let report = |name: &str, bytes: usize, took: Duration| {
        let rate = bytes as f64 / took.as_secs_f64();
        let share = 100.0 * rate / copy_rate;
        println!("{name:<34} {:>10.3} {:>10.1} {share:>7.0}%", took.as_secs_f64() * 1e3, rate / 1e9);
    };
    report("copy, 8 bytes", 16 * len, copied);
    report("fill, i64", 8 * len, time(ctx, || fill(7i64, len, ctx))?);
    report("sequence, i64", 8 * len, time(ctx, || sequence(7i64, 3, len, ctx))?);
    report("transform, f64", 16 * len, time(ctx, || transform(&doubles.span(), &operation, ctx))?);
    report("sum, i64", 8 * len, time(ctx, || reduce(&longs.span(), Reduction::Sum, ctx))?);
    report("sum, f64", 8 * len, time(ctx, || reduce(&doubles.span(), Reduction::Sum, ctx))?);
    report("minimum, i32", 4 * len, time(ctx, || reduce(&ints.span(), Reduction::Min, ctx))?);
    let cumulate = |kind| time(ctx, || scan(&longs.span(), Reduction::Sum, kind, ctx));
    report("inclusive scan of sums, i64", 16 * len, cumulate(ScanKind::Inclusive)?);
    report("exclusive scan of sums, i64", 16 * len, cumulate(ScanKind::Exclusive)?);
    let took = time(ctx, || scan(&ints.span(), Reduction::Sum, ScanKind::Exclusive, ctx))?;
    report("exclusive scan of sums, i32", 8 * len, took);
    let took = time(ctx, || compact(&longs.span(), &flags.span(), ctx))?;
    report("compact half, i64", 13 * len, took);
    let took = time(ctx, || compact(&ints.span(), &flags.span(), ctx))?;
    report("compact half, i32", 7 * len, took);
    let took = time(ctx, || partition(&longs.span(), &flags.span(), ctx))?;
    report("partition, i64", 17 * len, took);
    report("histogram, 1024 bins, u32", 4 * len, time(ctx, || histogram(&bins.span(), 1024, ctx))?);
    let bits = |offset| Bits::new(words.span(), offset, words.len() * 32 - 32);
    let (at_0, at_5) = (bits(0)?, bits(5)?);
    let took = time(ctx, || bitmask(&[at_0.clone(), at_5.clone()], BitwiseOperator::And, 0, ctx))?;
    report("and of bitmasks at offsets 0 and 5", 3 * len / 8, took);
    report("count of ones", len / 8, time(ctx, || count_bits(&at_5, ctx))?);
    let took = time(ctx, || segmented_reduce(&longs.span(), &offsets.span(), Reduction::Sum, ctx))?;
    report("sums of segments of 20, i64", 8 * len + (4 + 8) * offsets.len(), took);
    Ok(())
}

/// The shortest of several runs, after one that compiles, allocates and warms up.
fn time<R>(ctx: &Context, mut work: impl FnMut() -> Result<R>) -> Result<Duration> {
    drop(work()?);
    ctx.stream().synchronize()?;
    let mut shortest = Duration::MAX;
    for _ in 0..7 {
        let (start, clock) = (Event::record(ctx.stream())?, Instant::now());
        let result = work()?;
        let end = Event::record(ctx.stream())?;
        ctx.stream().synchronize()?;
        let took = if ctx.stream().device() == Device::Cpu { clock.elapsed() } else { end.since(&start)? };
        drop(result);
        shortest = shortest.min(took);
    }
    Ok(shortest)
}
