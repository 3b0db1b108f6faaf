//! Every resource against a model: nothing overlaps, everything is aligned, nothing leaks.

use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::device::Device;
use crate::driver::emulator::{Emulator, LOSING};
use crate::error::ErrorKind;
use crate::random::Random;
use crate::stream::Stream;

/// A device of the emulator that this module has to itself, to see the memory in use on it.
const ALONE: Device = Device::Cuda((1 << 16) + 3);

fn cpu() -> SharedResource {
    Arc::new(CpuMemoryResource::new(64 << 20, Duration::from_secs(1)))
}

/// Every resource, on the CPU and on the GPU `device`.
fn all(device: Device) -> Vec<SharedResource> {
    let cuda = || -> SharedResource { Arc::new(CudaMemoryResource::new(device).unwrap()) };
    let pinned = || -> SharedResource { Arc::new(PinnedHostMemoryResource::new(device).unwrap()) };
    let pool =
        |upstream| -> SharedResource { Arc::new(PoolMemoryResource::new(upstream, 1 << 20, None).unwrap()) };
    let binning = |upstream| BinningMemoryResource::with_powers_of_two(upstream, 8, 14).unwrap();
    let managed = Arc::new(ManagedMemoryResource::new(device).unwrap());
    let callback = FailureCallbackResourceAdaptor::new(cuda(), |_| false);
    vec![
        cpu(),
        cuda(),
        pinned(),
        Arc::new(CudaAsyncMemoryResource::new(device, None).unwrap()),
        pool(cpu()),
        pool(cuda()),
        pool(pinned()),
        Arc::new(binning(cpu())),
        Arc::new(binning(pool(cuda()))),
        Arc::new(FixedSizeMemoryResource::new(cuda(), 100_000, 7).unwrap()),
        Arc::new(LimitingResourceAdaptor::new(cpu(), 1 << 30)),
        Arc::new(StatisticsResourceAdaptor::new(cuda())),
        Arc::new(TrackingResourceAdaptor::new(pool(cpu()), true)),
        Arc::new(LoggingResourceAdaptor::new(pool(cuda()), std::io::sink()).unwrap()),
        Arc::new(callback),
        Arc::new(PrefetchResourceAdaptor::new(managed)),
    ]
}

/// Blocks handed out at this moment, by address, over all threads.
#[derive(Default)]
struct Model(Mutex<BTreeMap<usize, usize>>);

impl Model {
    fn insert(&self, address: usize, bytes: usize) {
        let mut blocks = self.0.lock().unwrap();
        let before = blocks.range(..=address).next_back();
        assert!(before.is_none_or(|(&a, &n)| a + n <= address), "overlaps the block before");
        let after = blocks.range(address..).next();
        assert!(after.is_none_or(|(&a, _)| address + bytes <= a), "overlaps the block after");
        blocks.insert(address, bytes);
    }

    fn remove(&self, address: usize) {
        self.0.lock().unwrap().remove(&address).unwrap();
    }
}

/// Allocates and frees at random; blocks of host memory are written and checked.
fn work(resource: &dyn MemoryResource, model: &Model, seed: u64, steps: usize) {
    let device = resource.device();
    let streams = [Stream::new(device).unwrap(), Stream::new(device).unwrap()];
    let mut random = Random(seed);
    let mut live = Vec::new();
    let give = |(ptr, bytes, stream): (NonNull<u8>, usize, usize)| {
        if device == Device::Cpu {
            // SAFETY: the block has `bytes` bytes and is ours.
            let block = unsafe { std::slice::from_raw_parts(ptr.as_ptr(), bytes) };
            assert!(block.iter().all(|&b| b == bytes as u8), "a block was written by somebody else");
        }
        if bytes > 0 {
            model.remove(ptr.as_ptr() as usize);
        }
        // SAFETY: the block came from `allocate` with this size.
        unsafe { resource.deallocate(ptr, bytes, &streams[stream]) };
    };
    for _ in 0..steps {
        let (dice, stream) = (random.next() >> 33, random.below(2) as usize);
        if dice % 5 < 3 || live.is_empty() {
            let bytes = random.next() as usize % (1 << random.below(17));
            let ptr = resource.allocate(bytes, &streams[stream]).unwrap();
            assert_eq!(ptr.as_ptr() as usize % ALIGNMENT, 0);
            if bytes > 0 {
                model.insert(ptr.as_ptr() as usize, bytes);
            }
            if device == Device::Cpu {
                // SAFETY: the block has `bytes` bytes and is ours.
                unsafe { ptr.as_ptr().write_bytes(bytes as u8, bytes) };
            }
            live.push((ptr, bytes, stream));
        } else {
            // Mostly on the stream it was allocated on.
            let (ptr, bytes, mut stream) = live.swap_remove(dice as usize % live.len());
            if dice % 7 == 0 {
                streams[1 - stream].after(&streams[stream].issue()).unwrap();
                stream = 1 - stream;
            }
            give((ptr, bytes, stream));
        }
    }
    live.into_iter().for_each(give);
}

#[test]
fn every_resource_under_many_threads() {
    for resource in all(ALONE) {
        let model = Model::default();
        std::thread::scope(|scope| {
            for seed in 1..=4 {
                let (resource, model) = (&resource, &model);
                scope.spawn(move || work(&**resource, model, seed, 400));
            }
        });
        assert!(model.0.lock().unwrap().is_empty(), "{}", resource.name());
    }
    assert_eq!(Emulator::get().used_bytes(ALONE).unwrap(), 0, "memory leaked");
}

#[test]
fn a_pool_keeps_streams_apart_and_joins_blocks() {
    let device = Device::EMULATOR;
    let upstream =
        Arc::new(StatisticsResourceAdaptor::new(Arc::new(CudaMemoryResource::new(device).unwrap())));
    let pool = PoolMemoryResource::new(upstream.clone(), 1 << 20, Some(1 << 20)).unwrap();
    let (a, b) = (Stream::new(device).unwrap(), Stream::new(device).unwrap());
    let take = |bytes, stream| pool.allocate(bytes, stream);
    // SAFETY: handed back as taken.
    let give = |ptr, bytes, stream| unsafe { pool.deallocate(ptr, bytes, stream) };

    let first = take(600_000, &a).unwrap();
    give(first, 600_000, &a);
    assert_eq!(take(600_000, &a).unwrap(), first, "a stream has at once what it freed");
    let error = take(600_000, &b).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    for part in ["600000 bytes", "600064 bytes in use", "at most 1048576"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    give(first, 600_000, &a);
    assert_eq!(take(600_000, &b).unwrap(), first, "another stream takes it over");
    give(first, 600_000, &b);

    // Many parts, freed in no order on two streams, become one block again.
    let parts: Vec<_> = (0..1024).map(|i| take(1024, if i % 3 == 0 { &a } else { &b }).unwrap()).collect();
    assert_eq!(pool.used_bytes(), 1 << 20);
    for i in 0..1024 {
        give(parts[i * 389 % 1024], 1024, if i % 2 == 0 { &a } else { &b });
    }
    assert_eq!((pool.used_bytes(), pool.largest_free()), (0, 1 << 20));
    give(take(1 << 20, &a).unwrap(), 1 << 20, &a);
    assert_eq!(upstream.statistics().count.total, 1);
    drop(pool);
    assert_eq!(upstream.statistics().bytes.current, 0);
}

/// Blocks that threads take from upstream at the same time count for the limit before there is room in them.
#[test]
fn threads_share_what_a_pool_is_growing_by() {
    /// Takes its time, as a driver that locks pages.
    struct Slow;

    impl MemoryResource for Slow {
        fn allocate(&self, bytes: usize, stream: &Stream) -> crate::Result<NonNull<u8>> {
            std::thread::sleep(Duration::from_millis(5));
            CpuMemoryResource::global().allocate(bytes, stream)
        }

        unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
            // SAFETY: the caller gives back a block that `allocate` had from that resource.
            unsafe { CpuMemoryResource::global().deallocate(ptr, bytes, stream) };
        }

        fn device(&self) -> Device {
            Device::Cpu
        }

        fn name(&self) -> &'static str {
            "Slow"
        }
    }

    const BLOCK: usize = 64 << 10;
    for threads in [4, 16, 32] {
        let pool = PoolMemoryResource::new(Arc::new(Slow), 0, Some(threads * BLOCK)).unwrap();
        let (pool, begin) = (&pool, &std::sync::Barrier::new(threads));
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(move || {
                        begin.wait();
                        pool.allocate(BLOCK, &Stream::cpu()).map(|block| block.as_ptr() as usize)
                    })
                })
                .collect();
            for block in all.into_iter().map(|thread| thread.join().unwrap().unwrap()) {
                // SAFETY: it is one of the blocks of the pool, given back once.
                unsafe { pool.deallocate(NonNull::new(block as *mut u8).unwrap(), BLOCK, &Stream::cpu()) };
            }
        });
        assert!(pool.allocate(threads * BLOCK + 1, &Stream::cpu()).is_err());
    }
}

#[test]
fn a_pool_grows_and_falls_back_to_what_is_left() {
    let upstream = Arc::new(LimitingResourceAdaptor::new(cpu(), 3 << 20));
    let pool = PoolMemoryResource::new(upstream.clone(), 0, None).unwrap();
    let stream = Stream::cpu();
    let a = pool.allocate(1 << 20, &stream).unwrap();
    let b = pool.allocate(1 << 20, &stream).unwrap();
    // Doubling does not fit the limit; the request does.
    let c = pool.allocate(1 << 20, &stream).unwrap();
    assert_eq!(pool.pool_size(), 3 << 20);
    assert_eq!(pool.allocate(1, &stream).unwrap_err().kind(), ErrorKind::OutOfMemory);
    for block in [a, b, c] {
        // SAFETY: handed back as taken.
        unsafe { pool.deallocate(block, 1 << 20, &stream) };
    }
    drop(pool);
    assert_eq!(upstream.allocated_bytes(), 0);
}

#[test]
fn wrong_sizes_are_named() {
    let total = Device::Cpu.memory_info().unwrap().total;
    let message =
        |initial, maximum| PoolMemoryResource::new(cpu(), initial, maximum).err().unwrap().to_string();
    assert!(message(2048, Some(1024)).contains("`initial_pool_size` is 2048 bytes, more than"));
    assert!(message(0, Some(total + 1)).contains("`maximum_pool_size`"));
    assert!(message(total * 2, None).contains("`initial_pool_size`"));
    assert!(
        FixedSizeMemoryResource::new(cpu(), 0, 1).err().unwrap().to_string().contains("`block_size` is 0")
    );
    assert_eq!(
        FixedSizeMemoryResource::new(cpu(), usize::MAX / 2, 9).err().unwrap().kind(),
        ErrorKind::Overflow
    );
    assert!(BinningMemoryResource::with_powers_of_two(cpu(), 9, 8).is_err());
    for resource in all(Device::EMULATOR) {
        for bytes in [usize::MAX, usize::MAX / 2 + 1] {
            let error = resource.allocate(bytes, &Stream::current(resource.device()).unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{}: {error}", resource.name());
            assert!(error.to_string().contains(&bytes.to_string()), "{}: {error}", resource.name());
        }
    }
    assert!(
        CudaMemoryResource::new(Device::Cpu).err().unwrap().to_string().contains("use CpuMemoryResource")
    );
    let foreign = CudaAsyncMemoryResource::new(Device::EMULATOR, None).unwrap();
    assert_eq!(foreign.allocate(8, &Stream::cpu()).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn limits_hold() {
    let limited = LimitingResourceAdaptor::new(cpu(), 1000);
    let stream = Stream::cpu();
    let block = limited.allocate(600, &stream).unwrap();
    let error = limited.allocate(401, &stream).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot allocate 401 bytes on cpu: 600 bytes in use of at most 1000 (LimitingResourceAdaptor)"
    );
    // SAFETY: handed back as taken.
    unsafe { limited.deallocate(block, 600, &stream) };
    assert_eq!((limited.allocated_bytes(), limited.limit()), (0, 1000));
}

#[test]
fn statistics_nest() {
    let resource = StatisticsResourceAdaptor::new(cpu());
    let stream = Stream::cpu();
    let a = resource.allocate(100, &stream).unwrap();
    assert_eq!(resource.push().bytes.current, 100);
    let b = resource.allocate(40, &stream).unwrap();
    // SAFETY: handed back as taken.
    unsafe { resource.deallocate(a, 100, &stream) };
    let inner = resource.pop().unwrap();
    assert_eq!(inner.bytes, Counter { current: -60, peak: 40, total: 40 });
    assert_eq!(inner.count, Counter { current: 0, peak: 1, total: 1 });
    let outer = resource.statistics();
    assert_eq!(outer.bytes, Counter { current: 40, peak: 140, total: 140 });
    assert_eq!(outer.count, Counter { current: 1, peak: 2, total: 2 });
    // SAFETY: handed back as taken.
    unsafe { resource.deallocate(b, 40, &stream) };
    assert_eq!(resource.pop().unwrap_err().kind(), ErrorKind::OutOfRange);
}

/// A function that is there in every build.
#[inline(never)]
fn allocated_here(resource: &dyn MemoryResource) -> NonNull<u8> {
    std::hint::black_box(resource.allocate(123, &Stream::cpu()).unwrap())
}

#[test]
fn tracking_finds_leaks() {
    let resource = TrackingResourceAdaptor::new(cpu(), true);
    let block = allocated_here(&resource);
    assert_eq!((resource.outstanding().len(), resource.allocated_bytes()), (1, 123));
    let report = resource.report();
    assert!(report.contains("123 bytes"), "{report}");
    // An executable without symbols shows no names.
    assert!(report.contains("allocated_here") || report.contains("<unknown>"), "{report}");
    // SAFETY: handed back as taken.
    unsafe { resource.deallocate(block, 123, &Stream::cpu()) };
    assert_eq!(resource.report(), "");
}

#[test]
fn the_log_can_be_replayed() {
    let path = std::env::temp_dir().join(format!("cuprum-allocations-{}.csv", std::process::id()));
    {
        let limited = Arc::new(LimitingResourceAdaptor::new(cpu(), 1000));
        let resource = LoggingResourceAdaptor::to_file(limited, &path).unwrap();
        let block = resource.allocate(7, &Stream::cpu()).unwrap();
        assert!(resource.allocate(1000, &Stream::cpu()).is_err());
        // SAFETY: handed back as taken.
        unsafe { resource.deallocate(block, 7, &Stream::cpu()) };
    }
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0], ["Thread", "Time", "Action", "Pointer", "Size", "Stream"]);
    let actions: Vec<(&str, &str)> = lines[1..].iter().map(|line| (line[2], line[4])).collect();
    assert_eq!(actions, [("allocate", "7"), ("allocate failure", "1000"), ("free", "7")]);
    assert_eq!(lines[1][3], lines[3][3]);
    let error = LoggingResourceAdaptor::to_file(cpu(), "/nonexistent/x.csv".as_ref()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Io);
}

#[test]
fn a_callback_makes_room() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let limited = Arc::new(LimitingResourceAdaptor::new(cpu(), 100));
    let hog = limited.allocate(80, &Stream::cpu()).unwrap();
    let (inner, address) = (limited.clone(), hog.as_ptr() as usize);
    let resource = FailureCallbackResourceAdaptor::new(limited.clone(), move |bytes| {
        assert_eq!(bytes, 50);
        if CALLS.fetch_add(1, Ordering::Relaxed) > 0 {
            return false;
        }
        // SAFETY: handed back as taken, once.
        unsafe { inner.deallocate(NonNull::new(address as *mut u8).unwrap(), 80, &Stream::cpu()) };
        true
    });
    let block = resource.allocate(50, &Stream::cpu()).unwrap();
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    let other = limited.allocate(50, &Stream::cpu()).unwrap();
    assert_eq!(resource.allocate(50, &Stream::cpu()).unwrap_err().kind(), ErrorKind::OutOfMemory);
    assert_eq!(CALLS.load(Ordering::Relaxed), 2);
    for block in [block, other] {
        // SAFETY: handed back as taken.
        unsafe { limited.deallocate(block, 50, &Stream::cpu()) };
    }
}

/// The callback of a pool's upstream gives memory back to the pool itself.
#[test]
fn a_callback_behind_a_pool_may_free_to_it() {
    type Hoard = Mutex<Vec<crate::DeviceBuffer>>;
    static HOARD: Hoard = Mutex::new(Vec::new());
    let limited = Arc::new(LimitingResourceAdaptor::new(cpu(), 1 << 20));
    let callback = FailureCallbackResourceAdaptor::new(limited, |_| {
        let freed = HOARD.lock().unwrap().pop();
        assert!(freed.is_some(), "asked for no more than it can free");
        false
    });
    let pool = Arc::new(PoolMemoryResource::new(Arc::new(callback), 1 << 20, None).unwrap());
    let ctx = crate::Context::new(Stream::cpu(), pool);
    HOARD.lock().unwrap().push(crate::DeviceBuffer::uninit(1 << 20, &ctx).unwrap());
    let next = crate::DeviceBuffer::uninit(1 << 20, &ctx).unwrap();
    assert_eq!((next.len(), HOARD.lock().unwrap().len()), (1 << 20, 0));
}

#[test]
fn bins_go_by_size() {
    let sizes =
        [Arc::new(StatisticsResourceAdaptor::new(cpu())), Arc::new(StatisticsResourceAdaptor::new(cpu()))];
    let bins = BinningMemoryResource::new(sizes[1].clone());
    bins.add_bin(1000, Some(sizes[0].clone())).unwrap();
    assert!(bins.add_bin(1000, None).unwrap_err().to_string().contains("a bin of 1000 bytes already"));
    assert_eq!(bins.bin_sizes(), [1000]);
    for bytes in [1, 1000, 1001] {
        let block = bins.allocate(bytes, &Stream::cpu()).unwrap();
        // SAFETY: handed back as taken.
        unsafe { bins.deallocate(block, bytes, &Stream::cpu()) };
    }
    assert_eq!(sizes.map(|s| s.statistics().bytes.total), [1001, 1001]);
    let block = bins.allocate(1, &Stream::cpu()).unwrap();
    assert_eq!(bins.add_bin(8, None).unwrap_err().kind(), ErrorKind::Logic);
    // SAFETY: handed back as taken.
    unsafe { bins.deallocate(block, 1, &Stream::cpu()) };
    bins.add_bin(8, None).unwrap();
    let cuda = Arc::new(CudaMemoryResource::new(Device::EMULATOR).unwrap());
    assert_eq!(bins.add_bin(5, Some(cuda)).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn the_current_resource_can_be_changed() {
    // A device that no other test uses.
    let device = Device::Cuda((1 << 16) + 1);
    let counting: SharedResource =
        Arc::new(StatisticsResourceAdaptor::new(current_resource(device).unwrap()));
    let before = set_current_resource(device, counting.clone()).unwrap();
    assert!(Arc::ptr_eq(&current_resource(device).unwrap(), &counting));
    assert!(Arc::ptr_eq(crate::Context::on(device).unwrap().resource(), &counting));
    set_current_resource(device, before.clone()).unwrap();
    assert!(Arc::ptr_eq(&current_resource(device).unwrap(), &before));
    let error = set_current_resource(Device::Cpu, before).err().unwrap();
    assert!(error.to_string().contains("memory of emulator:1, not of cpu"), "{error}");
}

#[test]
fn a_lost_device_is_an_error_everywhere() {
    let _alone = LOSING.lock();
    let device = Device::Cuda((1 << 16) + 2);
    let resource: SharedResource = Arc::new(CudaAsyncMemoryResource::new(device, None).unwrap());
    let ctx = crate::Context::new(Stream::new(device).unwrap(), resource);
    let buffer = crate::DeviceBuffer::from_host(&[1, 2, 3], &ctx).unwrap();
    Emulator::get().set_lost(device, true).unwrap();
    let errors = [
        buffer.to_vec().map(|_| ()).unwrap_err(),
        crate::DeviceBuffer::uninit(8, &ctx).map(|_| ()).unwrap_err(),
        ctx.stream().synchronize().unwrap_err(),
        CudaMemoryResource::new(device).map(|_| ()).unwrap_err(),
    ];
    drop(buffer);
    Emulator::get().set_lost(device, false).unwrap();
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::Cuda, "{error}");
        assert!(error.to_string().contains("the device is lost to this process: start it again"), "{error}");
    }
}
