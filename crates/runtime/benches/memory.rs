//! Memory resources: time, peak and overhead on recorded and random allocations, the cost of fresh
//! pages, and of the smallest operations. `cargo bench -p cuprum-runtime --bench memory`
//!
//! Prints a table and no statistics: every figure is the least of several runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cuprum_runtime::memory::{
    BinningMemoryResource, CudaAsyncMemoryResource, CudaMemoryResource, MemoryResource,
    PinnedHostMemoryResource, PoolMemoryResource, SharedResource, StatisticsResourceAdaptor,
};
use cuprum_runtime::{Buffer, Context, CpuMemoryResource, Device, DeviceBuffer, Result, Stream};

/// A global allocator as a resource, to measure against.
struct Global<A>(A, &'static str);

impl<A: GlobalAlloc + Send + Sync + std::panic::RefUnwindSafe> MemoryResource for Global<A> {
    fn allocate(&self, bytes: usize, _stream: &Stream) -> Result<NonNull<u8>> {
        let layout = Layout::from_size_align(bytes.max(1), 64).expect("small enough");
        // SAFETY: the size is not 0.
        let ptr = unsafe { self.0.alloc(layout) };
        Ok(NonNull::new(ptr).expect("there is memory"))
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, _stream: &Stream) {
        let layout = Layout::from_size_align(bytes.max(1), 64).expect("small enough");
        // SAFETY: the caller gives back a block of `allocate` of this size.
        unsafe { self.0.dealloc(ptr.as_ptr(), layout) };
    }

    fn device(&self) -> Device {
        Device::Cpu
    }

    fn name(&self) -> &'static str {
        self.1
    }
}

/// A step of a program: allocate so many bytes, or free the n-th allocation.
#[derive(Clone, Copy)]
enum Step {
    Allocate(usize),
    Free(usize),
}

/// The allocations of `examples/flights.py`, recorded with `rmm.enable_logging`.
fn flights() -> Vec<Step> {
    let parse = |line: &str| {
        let (sign, number) = line.split_at(1);
        let number = number.parse().expect("a number");
        if sign == "+" { Step::Allocate(number) } else { Step::Free(number) }
    };
    include_str!("traces/flights.txt").lines().map(parse).collect()
}

/// Blocks of 1 byte to 8 MiB, small ones more often, about 300 alive at a time.
fn random(steps: usize) -> Vec<Step> {
    let mut state = 7u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize
    };
    let (mut live, mut count, mut trace) = (Vec::new(), 0, Vec::new());
    for _ in 0..steps {
        if live.len() < 300 || next() % 2 == 0 && live.len() < 600 {
            trace.push(Step::Allocate(next() % (1 << (1 + next() % 23)) + 1));
            live.push(count);
            count += 1;
        } else {
            trace.push(Step::Free(live.swap_remove(next() % live.len())));
        }
    }
    trace
}

/// Replays a trace, touching a byte of every page as a program would; frees the rest in the end.
fn replay(trace: &[Step], resource: &dyn MemoryResource, touch: bool) -> Duration {
    let stream = Stream::cpu();
    let mut blocks: Vec<Option<(NonNull<u8>, usize)>> = Vec::with_capacity(trace.len());
    let start = Instant::now();
    for step in trace {
        match *step {
            Step::Allocate(bytes) => {
                let ptr = resource.allocate(bytes, &stream).expect("there is memory");
                if touch {
                    for at in (0..bytes).step_by(4096) {
                        // SAFETY: inside the block.
                        unsafe { ptr.as_ptr().add(at).write_volatile(1) };
                    }
                }
                blocks.push(Some((ptr, bytes)));
            }
            Step::Free(n) => {
                let (ptr, bytes) = blocks[n].take().expect("freed once");
                // SAFETY: handed back as taken.
                unsafe { resource.deallocate(ptr, bytes, &stream) };
            }
        }
    }
    let time = start.elapsed();
    for (ptr, bytes) in blocks.into_iter().flatten() {
        // SAFETY: handed back as taken.
        unsafe { resource.deallocate(ptr, bytes, &stream) };
    }
    time
}

fn least(runs: usize, mut run: impl FnMut() -> Duration) -> Duration {
    (0..runs).map(|_| run()).min().expect("at least one run")
}

fn per_call(calls: u32, mut call: impl FnMut()) -> Duration {
    least(7, || {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed()
    }) / calls
}

fn cpu() -> SharedResource {
    Arc::new(CpuMemoryResource::new(4 << 30, Duration::from_secs(10)))
}

fn traces() {
    let candidates: Vec<(&str, SharedResource)> = vec![
        ("system", Arc::new(Global(System, "system"))),
        ("mimalloc", Arc::new(Global(mimalloc::MiMalloc, "mimalloc"))),
        ("CpuMemoryResource", cpu()),
        ("Pool over Cpu", Arc::new(PoolMemoryResource::new(cpu(), 0, None).expect("valid"))),
        (
            "Binning over Pool",
            Arc::new(
                BinningMemoryResource::with_powers_of_two(
                    Arc::new(PoolMemoryResource::new(cpu(), 0, None).expect("valid")),
                    8,
                    16,
                )
                .expect("valid"),
            ),
        ),
    ];
    for (name, trace) in [("flights report", flights()), ("random", random(200_000))] {
        let asked = Arc::new(StatisticsResourceAdaptor::new(cpu()));
        replay(&trace, &*asked, false);
        let peak = asked.statistics().bytes.peak;
        println!("\n{name}: {} steps, at most {} MB in use", trace.len(), peak >> 20);
        println!("{:24} {:>14} {:>18}", "", "ns per step", "ns, pages touched");
        for (name, resource) in &candidates {
            let time =
                |touch| least(5, || replay(&trace, &**resource, touch)).as_nanos() / trace.len() as u128;
            println!("{name:24} {:>14} {:>18}", time(false), time(true));
        }
        // Memory that a resource takes from its upstream, beyond what was asked of it.
        let upstream = Arc::new(StatisticsResourceAdaptor::new(cpu()));
        let pool = PoolMemoryResource::new(upstream.clone(), 0, None).expect("valid");
        replay(&trace, &pool, false);
        let taken = upstream.statistics().bytes.peak;
        println!(
            "pool: {} MB taken for a peak of {} MB ({:.2}x)",
            taken >> 20,
            peak >> 20,
            taken as f64 / peak as f64
        );
    }
}

fn fresh_pages() {
    const BYTES: usize = 80_000_000;
    println!("\nwriting 80 MB (ms)");
    let write = |resource: &dyn MemoryResource| {
        least(9, || {
            let start = Instant::now();
            let ptr = resource.allocate(BYTES, &Stream::cpu()).expect("there is memory");
            // SAFETY: the block has so many bytes.
            unsafe { black_box(ptr.as_ptr()).write_bytes(1, BYTES) };
            let time = start.elapsed();
            // SAFETY: handed back as taken.
            unsafe { resource.deallocate(ptr, BYTES, &Stream::cpu()) };
            time
        })
    };
    let mut retained = vec![0u8; BYTES];
    let floor = least(9, || {
        let start = Instant::now();
        black_box(&mut retained).fill(1);
        start.elapsed()
    });
    for (name, time) in [
        ("memory the process has", floor),
        ("CpuMemoryResource", write(&*cpu())),
        ("Pool over Cpu", write(&PoolMemoryResource::new(cpu(), 0, None).expect("valid"))),
        ("system", write(&Global(System, "system"))),
    ] {
        let ratio = time.as_secs_f64() / floor.as_secs_f64();
        println!("{name:24} {:>8.2} {ratio:>6.2}x", time.as_secs_f64() * 1e3);
    }
}

fn smallest_operations() {
    println!("\nsmallest operations (ns)");
    let pair = |resource: &dyn MemoryResource, bytes| {
        let stream = Stream::cpu();
        per_call(100_000, || {
            let ptr = resource.allocate(black_box(bytes), &stream).expect("there is memory");
            // SAFETY: handed back as taken.
            unsafe { resource.deallocate(ptr, bytes, &stream) };
        })
    };
    let pool = PoolMemoryResource::new(cpu(), 1 << 20, None).expect("valid");
    let ctx = Context::current();
    let buffer = Buffer::copy_from_slice(&[0; 4096], &ctx).expect("there is memory");
    for (name, time) in [
        ("pool: allocate and free 256 B", pair(&pool, 256)),
        ("pool: allocate and free 100 KB", pair(&pool, 100_000)),
        ("cpu: allocate and free 256 B", pair(&*cpu(), 256)),
        ("cpu: allocate and free 100 KB", pair(&*cpu(), 100_000)),
        ("system: allocate and free 256 B", pair(&Global(System, "system"), 256)),
        ("Buffer: clone and drop", per_call(100_000, || drop(black_box(&buffer).clone()))),
        ("Buffer: slice and drop", per_call(100_000, || drop(black_box(&buffer).slice(64, 128)))),
        ("Context::current", per_call(100_000, || drop(black_box(Context::current())))),
        (
            "range for profilers, nobody listens",
            per_call(100_000, || drop(cuprum_runtime::nvtx::Range::new(black_box(c"range")))),
        ),
    ] {
        println!("{name:36} {:>6}", time.as_nanos());
    }
}

/// Copies between host and GPU, and the cost of an allocation there; nothing where there is no GPU.
fn gpus() {
    const BYTES: usize = 256 << 20;
    for device in Device::all().into_iter().filter(|&device| device != Device::Cpu) {
        println!("\n{device}: {}", device.properties().expect("the device is there").name);
        let stream = Stream::new(device).expect("the device is there");
        let cuda: SharedResource = Arc::new(CudaMemoryResource::new(device).expect("the device is there"));
        let resources: [(&str, SharedResource); 3] = [
            ("cuMemAlloc", cuda.clone()),
            ("cuMemAllocAsync", Arc::new(CudaAsyncMemoryResource::new(device, None).expect("valid"))),
            ("pool over cuMemAlloc", Arc::new(PoolMemoryResource::new(cuda, 1 << 30, None).expect("valid"))),
        ];
        for (name, resource) in &resources {
            for bytes in [256, 1 << 20, 64 << 20] {
                let time = per_call(200, || {
                    let ptr = resource.allocate(bytes, &stream).expect("there is memory");
                    // SAFETY: handed back as taken.
                    unsafe { resource.deallocate(ptr, bytes, &stream) };
                });
                println!("{name:24} allocate and free {bytes:>9} B {:>10} ns", time.as_nanos());
            }
        }
        let gpu = Context::new(stream, resources[2].1.clone());
        let remote = DeviceBuffer::uninit(BYTES, &gpu).expect("there is memory");
        let mut target = DeviceBuffer::uninit(BYTES, &gpu).expect("there is memory");
        let mut timed = |name: &str, bytes: usize, copy: &mut dyn FnMut(&mut DeviceBuffer)| {
            let time = least(5, || {
                let start = Instant::now();
                copy(&mut target);
                gpu.stream().synchronize().expect("the copy works");
                start.elapsed()
            });
            println!("{name:40} {:>8.1} GB/s", bytes as f64 / time.as_secs_f64() / 1e9);
        };
        let pinned = Arc::new(PinnedHostMemoryResource::new(device).expect("the device is there"));
        let pinned = Context::new(Stream::cpu(), pinned);
        let mut locked = DeviceBuffer::uninit(BYTES, &pinned).expect("there is memory");
        locked.fill(1).expect("host memory");
        let pageable = vec![1u8; BYTES];
        let all = 0..BYTES;
        timed("pageable host to device", BYTES, &mut |to| to.copy_from_host(0, &pageable).expect("works"));
        timed("pinned host to device", BYTES, &mut |to| {
            to.copy_range_from(0, &locked, all.clone()).expect("works");
        });
        timed("device to device (read and written)", 2 * BYTES, &mut |to| {
            to.copy_range_from(0, &remote, all.clone()).expect("works");
        });
        timed("fill", BYTES, &mut |to| to.fill(3).expect("works"));
        let time = least(5, || {
            let start = Instant::now();
            locked.copy_range_from(0, &remote, all.clone()).expect("works");
            gpu.stream().synchronize().expect("the copy works");
            start.elapsed()
        });
        println!("{:40} {:>8.1} GB/s", "device to pinned host", BYTES as f64 / time.as_secs_f64() / 1e9);
    }
}

fn main() {
    smallest_operations();
    fresh_pages();
    traces();
    gpus();
}
