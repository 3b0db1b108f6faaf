//! The speed of the primitives, compared with a plain copy on the same device in the same run.
//!
//! `primitives [cpu|cuda:N …] [million elements]`; without arguments every device and 32 million
//! elements on the CPU, 256 million on a GPU. The rate counts the bytes that the operation must read
//! and write at least, so 100 % is as fast as copying.
//!
//! Sorting comes last, in millions of keys per second, on the CPU compared with rayon's unstable sort.

use std::time::{Duration, Instant};

use cuprum_runtime::primitives::{
    Bits, BitwiseOperator, Reduction, ScanKind, Transform, bitmask, compact, count_bits, fill, histogram,
    partition, radix_sort::RadixKey, reduce, scan, segmented_reduce, sequence, sort_keys, sort_pairs,
    transform,
};
use cuprum_runtime::random::Random;
use cuprum_runtime::{Context, Device, DeviceUVec, Event, Result, parallel};
use rayon::slice::ParallelSliceMut;

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
        let default = if device == Device::Cpu { 10 } else { 100 };
        measure_sorts(device, millions.unwrap_or(default) * 1_000_000)?;
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

    let copied = time(ctx, 7, || copy.copy_range_from(0, longs.buffer(), 0..len * 8))?;
    let copy_rate = (16 * len) as f64 / copied.as_secs_f64();
    let report = |name: &str, bytes: usize, took: Duration| {
        let rate = bytes as f64 / took.as_secs_f64();
        let share = 100.0 * rate / copy_rate;
        println!("{name:<34} {:>10.3} {:>10.1} {share:>7.0}%", took.as_secs_f64() * 1e3, rate / 1e9);
    };
    report("copy, 8 bytes", 16 * len, copied);
    report("fill, i64", 8 * len, time(ctx, 7, || fill(7i64, len, ctx))?);
    report("sequence, i64", 8 * len, time(ctx, 7, || sequence(7i64, 3, len, ctx))?);
    report("transform, f64", 16 * len, time(ctx, 7, || transform(&doubles.span(), &operation, ctx))?);
    report("sum, i64", 8 * len, time(ctx, 7, || reduce(&longs.span(), Reduction::Sum, ctx))?);
    report("sum, f64", 8 * len, time(ctx, 7, || reduce(&doubles.span(), Reduction::Sum, ctx))?);
    report("minimum, i32", 4 * len, time(ctx, 7, || reduce(&ints.span(), Reduction::Min, ctx))?);
    let cumulate = |kind| time(ctx, 7, || scan(&longs.span(), Reduction::Sum, kind, ctx));
    report("inclusive scan of sums, i64", 16 * len, cumulate(ScanKind::Inclusive)?);
    report("exclusive scan of sums, i64", 16 * len, cumulate(ScanKind::Exclusive)?);
    let took = time(ctx, 7, || scan(&ints.span(), Reduction::Sum, ScanKind::Exclusive, ctx))?;
    report("exclusive scan of sums, i32", 8 * len, took);
    let took = time(ctx, 7, || compact(&longs.span(), &flags.span(), ctx))?;
    report("compact half, i64", 13 * len, took);
    let took = time(ctx, 7, || compact(&ints.span(), &flags.span(), ctx))?;
    report("compact half, i32", 7 * len, took);
    let took = time(ctx, 7, || partition(&longs.span(), &flags.span(), ctx))?;
    report("partition, i64", 17 * len, took);
    report("histogram, 1024 bins, u32", 4 * len, time(ctx, 7, || histogram(&bins.span(), 1024, ctx))?);
    let bits = |offset| Bits::new(words.span(), offset, words.len() * 32 - 32);
    let (at_0, at_5) = (bits(0)?, bits(5)?);
    let took = time(ctx, 7, || bitmask(&[at_0.clone(), at_5.clone()], BitwiseOperator::And, 0, ctx))?;
    report("and of bitmasks at offsets 0 and 5", 3 * len / 8, took);
    report("count of ones", len / 8, time(ctx, 7, || count_bits(&at_5, ctx))?);
    let took = time(ctx, 7, || segmented_reduce(&longs.span(), &offsets.span(), Reduction::Sum, ctx))?;
    report("sums of segments of 20, i64", 8 * len + (4 + 8) * offsets.len(), took);
    Ok(())
}

/// Prints one line for each kind of sort.
fn measure_sorts(device: Device, len: usize) -> Result<()> {
    let ctx = &Context::on(device)?;
    println!("\n{device}, {len} keys");
    println!("{:<34} {:>10} {:>10} {:>10}", "sort", "ms", "M keys/s", "rayon, ms");
    let mut random = Random(1);
    let wide: Vec<u64> = (0..len).map(|_| random.next()).collect();
    let narrow: Vec<u32> = wide.iter().map(|&key| key as u32).collect();
    let small: Vec<u64> = wide.iter().map(|&key| key % 1_000_000).collect();
    let ascending: Vec<u64> = (0..len as u64).map(|row| row << 24).collect();
    let lognormal: Vec<u64> = wide.iter().map(|&key| key >> (key % 61)).collect();
    let outlier: Vec<u64> =
        small.iter().enumerate().map(|(i, &key)| if i == 77 { !0 } else { key }).collect();
    measure_sort("u32", &narrow, &[(); 0], |keys| sort_keys(&keys.span(), 0..32, ctx).map(drop), ctx)?;
    measure_sort("u64", &wide, &[(); 0], |keys| sort_keys(&keys.span(), 0..64, ctx).map(drop), ctx)?;
    let rows = &DeviceUVec::from_slice(&narrow, ctx)?;
    let pairs = |keys: &DeviceUVec<u32>| sort_pairs(&keys.span(), &rows.span(), 0..32, ctx).map(drop);
    measure_sort("u32 with 4 bytes", &narrow, &narrow, pairs, ctx)?;
    let pairs = |keys: &DeviceUVec<u64>| sort_pairs(&keys.span(), &rows.span(), 0..64, ctx).map(drop);
    measure_sort("u64 with 4 bytes", &wide, &narrow, pairs, ctx)?;
    let rows = &DeviceUVec::from_slice(&wide, ctx)?;
    let pairs = |keys: &DeviceUVec<u64>| sort_pairs(&keys.span(), &rows.span(), 0..64, ctx).map(drop);
    for (name, keys) in [
        ("u64 with 8 bytes", &wide),
        ("same, below a million", &small),
        ("same, one far off", &outlier),
        ("same, crowded at 0", &lognormal),
        ("same, ascending", &ascending),
        ("same, all equal", &vec![7; len]),
    ] {
        measure_sort(name, keys, &wide, pairs, ctx)?;
    }
    Ok(())
}

/// Times `sort`, and on the CPU the same of rayon in turns.
fn measure_sort<K: RadixKey, P: Copy + Send + Sync + Default>(
    name: &str,
    keys: &[K],
    payload: &[P],
    sort: impl Fn(&DeviceUVec<K>) -> Result<()>,
    ctx: &Context,
) -> Result<()> {
    let there = DeviceUVec::from_slice(keys, ctx)?;
    let payload = payload.iter().copied().chain(std::iter::repeat(P::default()));
    let pairs: Vec<(K, P)> = keys.iter().copied().zip(payload).collect();
    let (mut took, mut rayon) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        took = took.min(time(ctx, 2, || sort(&there))?);
        if ctx.stream().device() == Device::Cpu {
            let mut pairs = pairs.clone();
            let clock = Instant::now();
            parallel::install(|| pairs.par_sort_unstable_by_key(|pair| pair.0.into()));
            rayon = rayon.min(clock.elapsed());
        }
    }
    let rate = keys.len() as f64 / took.as_secs_f64() / 1e6;
    let rayon =
        if rayon == Duration::MAX { String::new() } else { format!("{:.3}", rayon.as_secs_f64() * 1e3) };
    println!("{name:<34} {:>10.3} {rate:>10.0} {rayon:>10}", took.as_secs_f64() * 1e3);
    Ok(())
}

/// The shortest of several runs, after one that compiles, allocates and warms up.
fn time<R>(ctx: &Context, runs: usize, mut work: impl FnMut() -> Result<R>) -> Result<Duration> {
    drop(work()?);
    ctx.stream().synchronize()?;
    let mut shortest = Duration::MAX;
    for _ in 0..runs {
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
