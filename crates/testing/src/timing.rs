//! Shared parts of benchmarks of devices: their arguments, times, and the rate of a plain copy to compare
//! with.

use std::time::{Duration, Instant};

use cuprum_runtime::{Context, Device, DeviceBuffer, Event, Result};

/// Runs a benchmark with the arguments `[cpu|cuda:N …] [millions]` of the process, `millions` as one device's
/// number of rows: without arguments on every device, with 10 million rows on the CPU and 100 million on a GPU.
pub fn on_devices(measure: impl Fn(Device, usize) -> Result<()>) -> Result<()> {
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
    devices.into_iter().try_for_each(|device| {
        let default = if device == Device::Cpu { 10 } else { 100 };
        measure(device, millions.unwrap_or(default) * 1_000_000)
    })
}

/// The shortest of seven runs, after one that compiles, allocates and warms up.
pub fn time<R>(ctx: &Context, mut work: impl FnMut() -> Result<R>) -> Result<Duration> {
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

/// A table of times, with the rate of each as a share of a plain copy of the same device.
pub struct Rates {
    bytes_per_second: f64,
    width: usize,
}

impl Rates {
    /// Prints the head of the table, whose names have up to `width` letters, and its first line: a copy of
    /// `bytes`.
    pub fn beside_a_copy(bytes: usize, width: usize, ctx: &Context) -> Result<Self> {
        let source = DeviceBuffer::uninit(bytes, ctx)?;
        let mut target = DeviceBuffer::uninit(bytes, ctx)?;
        target.copy_range_from(0, &source, 0..bytes)?;
        let copied = time(ctx, || target.copy_range_from(0, &source, 0..bytes))?;
        println!("{:<width$} {:>10} {:>10} {:>8}", "operation", "ms", "GB/s", "of copy");
        let rates = Self { bytes_per_second: (2 * bytes) as f64 / copied.as_secs_f64(), width };
        rates.line("copy", 2 * bytes, copied);
        Ok(rates)
    }

    /// Prints a line: `bytes` are those that the operation must read and write.
    pub fn line(&self, name: &str, bytes: usize, took: Duration) {
        let rate = bytes as f64 / took.as_secs_f64();
        let (milliseconds, share) = (took.as_secs_f64() * 1e3, 100.0 * rate / self.bytes_per_second);
        let (width, gigabytes) = (self.width, rate / 1e9);
        println!("{name:<width$} {milliseconds:>10.3} {gigabytes:>10.1} {share:>7.0}%");
    }
}
