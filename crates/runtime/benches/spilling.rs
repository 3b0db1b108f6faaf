//! The cost of moving memory, compared with plain copies and files, and the cost where nothing moves.
//!
//! `cargo bench -p cuprum-runtime --bench spilling`; `SPILL_MB=1024` for other sizes. GPUs are measured
//! where there are any.

use std::hint::black_box;
use std::io::{Read, Seek, Write};
use std::time::Instant;

use cuprum_runtime::spill::{SpillManager, SpillOptions};
use cuprum_runtime::{Buffer, Context, Device, DeviceBuffer};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;

/// The shortest of a few runs, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(run).fold(f64::INFINITY, f64::min)
}

fn report(what: &str, bytes: usize, seconds: f64, floor: f64) {
    let rate = bytes as f64 / seconds / 1e9;
    println!("{what:<34} {:>9.2} ms {rate:>7.2} GB/s   {:>5.2} of the floor", seconds * 1e3, floor / seconds);
}

fn set(options: SpillOptions) {
    SpillManager::global().set_options(options).expect("settings are valid");
}

fn on() -> SpillOptions {
    SpillOptions { enabled: true, ..SpillOptions::default() }
}

fn bytes_of(buffer: &Buffer) {
    let span = buffer.span::<u8>().expect("comes back");
    if let Ok(bytes) = span.as_host_slice() {
        black_box(bytes[bytes.len() - 1]);
    }
}

/// A plain file written and read again, without checksums: the floor of the disk.
fn file(data: &[u8]) -> (f64, f64) {
    let mut file = tempfile::tempfile().expect("there is a directory for temporary files");
    let mut target = vec![0u8; data.len()];
    let write = best(|| {
        file.set_len(0).and_then(|()| file.rewind()).expect("a file");
        file.write_all(data).expect("space");
    });
    let read = best(|| {
        file.rewind().and_then(|()| file.read_exact(&mut target)).expect("what was written");
    });
    (write, read)
}

fn disk(bytes: usize) {
    set(on());
    let data = vec![7u8; bytes];
    let (write, read) = file(&data);
    let buffer = Buffer::copy_from_slice(&data, &Context::current()).expect("memory");
    let (mut out, mut back) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        assert_eq!(buffer.spill().expect("space"), bytes);
        out = out.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        bytes_of(&buffer);
        back = back.min(start.elapsed().as_secs_f64());
    }
    report("cpu => disk", bytes, out, write);
    report("disk => cpu", bytes, back, read);
}

fn gpu(device: Device, bytes: usize) {
    set(on());
    let ctx = Context::on(device).expect("it works");
    let buffer: Buffer =
        DeviceBuffer::uninit(bytes, &ctx).and_then(Buffer::try_from).expect("the GPU has memory");
    let pinned = cuprum_runtime::memory::PinnedHostMemoryResource::new(device).expect("memory");
    let host = Context::new(cuprum_runtime::Stream::cpu(), std::sync::Arc::new(pinned));
    let mut there = DeviceBuffer::uninit(bytes, &ctx).expect("memory");
    let mut here = DeviceBuffer::uninit(bytes, &host).expect("memory");
    let down = best(|| {
        here.copy_range_from(0, &there, 0..bytes).expect("a copy");
        ctx.stream().synchronize().expect("it works");
    });
    let up = best(|| {
        there.copy_range_from(0, &here, 0..bytes).expect("a copy");
        ctx.stream().synchronize().expect("it works");
    });
    let (mut out, mut given, mut back) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        buffer.spill().expect("memory");
        given = given.min(start.elapsed().as_secs_f64());
        ctx.stream().synchronize().expect("it works");
        out = out.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        bytes_of(&buffer);
        ctx.stream().synchronize().expect("it works");
        back = back.min(start.elapsed().as_secs_f64());
    }
    println!("{device}: the host goes on after {:.3} ms", given * 1e3);
    report("gpu => cpu", bytes, out, down);
    report("cpu => gpu", bytes, back, up);
}

/// Nanoseconds of the smallest things, with spilling off and on.
fn small() {
    for (name, options) in [("off", SpillOptions::default()), ("on", on())] {
        set(options);
        let ctx = Context::current();
        let buffer = Buffer::copy_from_slice(&[1; 80], &ctx).expect("memory");
        let times = 200_000;
        let each = |seconds: f64| seconds / f64::from(times) * 1e9;
        let span = best(|| (0..times).for_each(|_| bytes_of(black_box(&buffer))));
        let clone = best(|| (0..times).for_each(|_| drop(black_box(buffer.clone()))));
        let make = best(|| {
            (0..times).for_each(|_| {
                black_box(Buffer::copy_from_slice(&[1; 80], &ctx).expect("memory"));
            });
        });
        println!(
            "spilling {name}: a span {:.1} ns, a clone {:.1} ns, a buffer of 80 bytes {:.1} ns",
            each(span),
            each(clone),
            each(make)
        );
    }
}

fn main() {
    let bytes = std::env::var("SPILL_MB").ok().and_then(|mb| mb.parse().ok()).unwrap_or(256usize) << 20;
    small();
    disk(bytes);
    for device in Device::all() {
        if device != Device::Cpu {
            gpu(device, bytes);
        }
    }
}
