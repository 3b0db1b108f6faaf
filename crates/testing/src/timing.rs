//! Benchmarks of families: their arguments, devices and times, and the rate of a plain copy to compare with.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cuprum_column::{Column, Scalar, Table};
use cuprum_runtime::{Context, Device, DeviceBuffer, Error, ErrorKind, Event, Result};

/// The benchmark of one family of algorithms.
pub struct Family {
    /// The name of its folder.
    pub name: &'static str,
    /// How many of the rows there are for one of this family: 10 for a tenth as many.
    pub rows_for_each: usize,
    /// Its cases, on one device.
    pub measure: fn(&Bench) -> Result<()>,
}

/// Runs benchmarks with the arguments of the process: `[family …] [cpu|cuda:N|emulator …] [million rows] [part of
/// a case's name …]`.
///
/// Without arguments all cases of all `families` run on the CPU and on every GPU, with 10 million rows on the CPU,
/// 100 million on a GPU; `0.01` are 10 000 rows. Fails with
/// [`InvalidArgument`](cuprum_runtime::ErrorKind::InvalidArgument) where no case has what was asked for.
pub fn run(families: &[Family]) -> Result<()> {
    let (mut devices, mut millions, mut named, mut only) = (vec![], None, vec![], vec![]);
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match argument.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite()) {
            Some(number) => millions = Some(number),
            None if families.iter().any(|family| family.name == argument) => named.push(argument),
            None if ["cpu", "auto", "emulator"].contains(&argument.as_str())
                || argument.starts_with("cuda") =>
            {
                devices.push(Device::parse(&argument)?);
            }
            None => only.push(argument),
        }
    }
    if devices.is_empty() {
        devices = Device::all();
    }
    let mut cases = 0;
    for family in families.iter().filter(|family| named.is_empty() || named.iter().any(|n| n == family.name))
    {
        for &device in &devices {
            let millions = millions.unwrap_or(if device == Device::Cpu { 10.0 } else { 100.0 });
            let rows = (millions * 1e6) as usize / family.rows_for_each;
            cases += Bench::new(device, rows, only.clone())?.measured(family)?;
        }
    }
    if cases == 0 && !only.is_empty() {
        return Err(Error::invalid_argument(format!("no case has {} in its name", only.join(" or "))));
    }
    Ok(())
}

/// A benchmark that runs on one device. [`generated`](crate::generated) has columns for it.
pub struct Bench {
    /// Where data are and work is done.
    pub ctx: Context,
    /// A context of the CPU, where data are made.
    pub host: Context,
    /// The number of rows.
    pub rows: usize,
    /// Parts of the names of cases to measure; without any all are.
    only: Vec<String>,
    cases: AtomicUsize,
    /// The rate of a plain copy.
    bytes_per_second: f64,
}

/// Letters that names of cases have room for.
const WIDTH: usize = 52;

impl Bench {
    fn new(device: Device, rows: usize, only: Vec<String>) -> Result<Self> {
        let (ctx, host) = (Context::on(device)?, Context::on(Device::Cpu)?);
        // Larger than caches, smaller than what is to be measured.
        let bytes = (16 * rows).clamp(1 << 27, 1 << 30);
        let source = DeviceBuffer::uninit(bytes, &ctx)?;
        let mut target = DeviceBuffer::uninit(bytes, &ctx)?;
        target.copy_range_from(0, &source, 0..bytes)?;
        let copied = shortest(&ctx, || target.copy_range_from(0, &source, 0..bytes))?;
        let bytes_per_second = (2 * bytes) as f64 / copied.as_secs_f64();
        Ok(Self { ctx, host, rows, only, cases: AtomicUsize::new(0), bytes_per_second })
    }

    /// Measures a family; the number of its cases.
    fn measured(&self, family: &Family) -> Result<usize> {
        let device = self.ctx.stream().device();
        println!(
            "\n{}: {device} ({}), {} rows, a copy at {:.1} GB/s",
            family.name,
            device.properties()?.name,
            self.rows,
            self.bytes_per_second / 1e9
        );
        println!("{:<WIDTH$} {:>10} {:>8} {:>8} {:>9}", "case", "ms", "GB/s", "of copy", "first ms");
        (family.measure)(self)?;
        Ok(self.cases.load(Ordering::Relaxed))
    }

    /// Whether data are on a GPU, or on the emulator in its place.
    pub fn is_on_gpu(&self) -> bool {
        self.ctx.is_on_gpu()
    }

    /// Prints the time of `work`, which reads `inputs` and writes its result: the rate counts the bytes of both
    /// once, so 100 % of a copy is as fast as copying. The first call compiles a GPU's kernels, unless the cache
    /// has them.
    pub fn case<R: Bytes>(
        &self,
        name: &str,
        inputs: &[&dyn Bytes],
        work: impl FnMut() -> Result<R>,
    ) -> Result<()> {
        let read: usize = inputs.iter().copied().map(Bytes::bytes).sum();
        self.measured_case(name, |result: &R| read + result.bytes(), work)
    }

    /// [`case`](Self::case) of work that has to read and write `bytes`, whatever its arguments are.
    pub fn case_of_bytes<R>(&self, name: &str, bytes: usize, work: impl FnMut() -> Result<R>) -> Result<()> {
        self.measured_case(name, |_: &R| bytes, work)
    }

    fn measured_case<R>(
        &self,
        name: &str,
        bytes: impl Fn(&R) -> usize,
        mut work: impl FnMut() -> Result<R>,
    ) -> Result<()> {
        if !self.is_wanted(name) {
            return Ok(());
        }
        let clock = Instant::now();
        let result = match work() {
            Err(error) if self.is_on_gpu() && error.kind() == ErrorKind::Unsupported => {
                println!("{name:<WIDTH$} no kernel");
                return Ok(());
            }
            other => other?,
        };
        self.ctx.stream().synchronize()?;
        let first = clock.elapsed();
        let bytes = bytes(&result) as f64;
        drop(result);
        let took = shortest(&self.ctx, work)?.as_secs_f64();
        let (rate, first) = (bytes / took, first.as_secs_f64() * 1e3);
        let (gigabytes, share) = (rate / 1e9, 100.0 * rate / self.bytes_per_second);
        println!("{name:<WIDTH$} {:>10.3} {gigabytes:>8.1} {share:>7.0}% {first:>9.1}", took * 1e3);
        Ok(())
    }

    /// Prints the host's time of a call, of a thousand one after the other: what small data cost.
    pub fn small<R>(&self, name: &str, mut work: impl FnMut() -> Result<R>) -> Result<()> {
        const CALLS: u32 = 1000;
        if !self.is_wanted(name) {
            return Ok(());
        }
        drop(work()?);
        self.ctx.stream().synchronize()?;
        let clock = Instant::now();
        (0..CALLS).try_for_each(|_| work().map(drop))?;
        let each = clock.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS);
        self.ctx.stream().synchronize()?;
        println!("{name:<WIDTH$} {each:>10.3} us of the host");
        Ok(())
    }

    /// Whether a case is to be measured; it is counted.
    fn is_wanted(&self, name: &str) -> bool {
        let wanted = self.only.is_empty() || self.only.iter().any(|part| name.contains(part));
        self.cases.fetch_add(usize::from(wanted), Ordering::Relaxed);
        wanted
    }
}

/// The shortest of seven runs, or of as many as begin within a second. Something has run before.
fn shortest<R>(ctx: &Context, mut work: impl FnMut() -> Result<R>) -> Result<Duration> {
    let (mut shortest, begin) = (Duration::MAX, Instant::now());
    for run in 0..7 {
        if run > 0 && begin.elapsed() > Duration::from_secs(1) {
            break;
        }
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

/// What has bytes to read or to write.
pub trait Bytes {
    /// How many.
    fn bytes(&self) -> usize;
}

impl Bytes for Column {
    fn bytes(&self) -> usize {
        self.nbytes()
    }
}

impl Bytes for Table {
    fn bytes(&self) -> usize {
        self.columns().iter().map(Column::nbytes).sum()
    }
}

impl<T: Bytes> Bytes for [T] {
    fn bytes(&self) -> usize {
        self.iter().map(T::bytes).sum()
    }
}

impl<T: Bytes> Bytes for Vec<T> {
    fn bytes(&self) -> usize {
        self.as_slice().bytes()
    }
}

impl<T: Bytes + ?Sized> Bytes for &T {
    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}

impl<A: Bytes, B: Bytes> Bytes for (A, B) {
    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }
}

/// Results of a few bytes, which do not count.
macro_rules! few_bytes {
    ($($type:ty),*) => {$(
        impl Bytes for $type {
            fn bytes(&self) -> usize {
                0
            }
        }
    )*};
}

few_bytes!((), bool, usize, f64, Scalar);
