//! Spilling through the public interface. The manager is one for the process: tests take turns.

use std::panic::RefUnwindSafe;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use cuprum_runtime::buffer::{copy_on_write, set_copy_on_write};
use cuprum_runtime::memory::{self, LimitingResourceAdaptor, MemoryResource, SharedResource};
use cuprum_runtime::random::Random;
use cuprum_runtime::spill::{self, SpillManager, SpillOptions, Tier, TierUse};
use cuprum_runtime::{Buffer, Context, CpuMemoryResource, Device, DeviceBuffer, ErrorKind, Result, Stream};

/// A turn with these settings; afterwards spilling is off.
struct Turn(#[expect(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Turn {
    fn with(options: SpillOptions) -> Self {
        static TURNS: Mutex<()> = Mutex::new(());
        let turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
        manager().set_options(SpillOptions { enabled: true, ..options }).unwrap();
        manager().reset_statistics();
        Self(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        manager().set_options(SpillOptions::default()).unwrap();
    }
}

fn manager() -> &'static SpillManager {
    SpillManager::global()
}

fn on(device: Device) -> Context {
    Context::on(device).unwrap()
}

fn buffer(byte: u8, len: usize, ctx: &Context) -> Buffer {
    DeviceBuffer::from_host(&vec![byte; len], ctx).unwrap().try_into().unwrap()
}

fn bytes(buffer: &Buffer) -> Vec<u8> {
    buffer.span::<u8>().unwrap().to_vec().unwrap()
}

/// The emulator, and the GPUs where there are any.
fn gpus() -> Vec<Device> {
    let real = Device::all().into_iter().filter(|device| *device != Device::Cpu);
    [Device::EMULATOR].into_iter().chain(real).collect()
}

fn devices() -> Vec<Device> {
    [vec![Device::Cpu], gpus()].concat()
}

#[test]
fn off_means_off() {
    let turn = Turn::with(SpillOptions::default());
    drop(turn);
    let _turn = Turn::with(SpillOptions::default());
    manager().set_options(SpillOptions::default()).unwrap();
    let fixed = buffer(1, 100, &on(Device::Cpu));
    assert!(!fixed.is_managed() && !fixed.is_spillable() && !fixed.is_spilled());
    assert_eq!((fixed.spill().unwrap(), fixed.tier()), (0, Tier::Cpu));
    assert_eq!(spill::budget(Device::Cpu), None);
}

/// The example of the library's design page: three numbers of eight bytes.
#[test]
fn statistics_read_as_in_the_reference() {
    let _turn = Turn::with(SpillOptions { statistics_level: 1, ..SpillOptions::default() });
    assert_eq!(
        manager().statistics().to_string(),
        "Spill Statistics (level=1):\n  Spilling (level >= 1): None"
    );
    let three = buffer(7, 24, &on(Device::EMULATOR));
    assert_eq!(three.spill().unwrap(), 24);
    let text = manager().statistics().to_string();
    let (head, seconds) = text.rsplit_once(' ').unwrap();
    assert_eq!(head, "Spill Statistics (level=1):\n  Spilling (level >= 1):\n    gpu => cpu: 24B in");
    assert!(seconds.len() == 6 && seconds.parse::<f64>().unwrap() >= 0.0, "{seconds}");
    assert_eq!(bytes(&three), [7; 24]);
    assert!(manager().statistics().to_string().contains("\n    cpu => gpu: 24B in "));
    let on_disk = buffer(8, 3 << 10, &on(Device::Cpu));
    on_disk.spill().unwrap();
    assert_eq!(bytes(&on_disk), vec![8; 3 << 10]);
    let text = manager().statistics().to_string();
    assert!(
        text.contains("\n    cpu => disk: 3.00KiB in ") && text.contains("\n    disk => cpu: 3.00KiB in ")
    );
    manager().set_options(SpillOptions::default()).unwrap();
    assert_eq!(manager().statistics().to_string(), "Spill Statistics (level=0): N/A");
}

#[test]
fn who_exposes_is_told() {
    spill::set_traceback_hook(|| Some("File \"script.py\", line 3\n".to_owned()));
    let _turn = Turn::with(SpillOptions { statistics_level: 2, ..SpillOptions::default() });
    let (a, b) = (buffer(1, 10, &on(Device::Cpu)), buffer(2, 10, &on(Device::Cpu)));
    b.spill().unwrap();
    for buffer in [&a, &b] {
        buffer.expose().unwrap();
    }
    let statistics = manager().statistics();
    assert_eq!(statistics.exposures.len(), 1);
    let (frames, exposure) = statistics.exposures.iter().next().unwrap();
    assert_eq!((exposure.count, exposure.bytes, exposure.spilled_bytes), (2, 20, 10));
    a.expose().unwrap();
    assert_eq!(manager().statistics().exposures[frames].count, 2, "memory is exposed once");
    assert!(frames.starts_with("File \"script.py\", line 3"), "{frames}");
    let text = statistics.to_string();
    assert!(text.contains(
        "\n  Exposed buffers (level >= 2):\n    exposed 2 times, total: 20B, spilled: 10B, traceback:\n"
    ));
    assert!(!a.is_spillable() && a.is_exposed());
    assert_eq!(a.spill().unwrap(), 0, "exposed memory stays where it is");
}

/// Whoever has a span keeps the memory where it is; so does a lock, and so does the outside.
#[test]
fn memory_in_use_stays() {
    let _turn = Turn::with(SpillOptions::default());
    for device in devices() {
        let whole = buffer(3, 1000, &on(device));
        let part = whole.slice(100, 10).unwrap();
        let span = part.span::<u8>().unwrap();
        let again = span.clone();
        drop(span);
        assert_eq!(whole.spill().unwrap(), 0);
        drop(again);
        let lock = part.spill_lock().unwrap();
        let place = part.as_ptr();
        assert_eq!((whole.spill().unwrap(), whole.is_spillable()), (0, false));
        assert_eq!(part.as_ptr(), place);
        drop(lock);
        assert_eq!((whole.spill().unwrap(), whole.is_spilled()), (1000, true));
        assert_eq!(whole.spill().unwrap(), 0, "it is away already");
        // Another slice of the same allocation brings all of it back.
        assert_eq!(bytes(&part), [3; 10]);
        assert_eq!((whole.is_spilled(), whole.device()), (false, device));
        whole.spill().unwrap();
        let address = whole.expose().unwrap();
        assert_eq!((whole.spill().unwrap(), address.as_ptr().cast_const()), (0, whole.as_ptr()));
        assert_eq!(whole.position_in(&part), None);
        assert_eq!(part.position_in(&whole), Some(100));
    }
}

/// Elements that are being written stay where they are, too.
#[test]
fn memory_that_is_written_stays() {
    let _turn = Turn::with(SpillOptions::default());
    let ctx = on(Device::Cpu);
    let mut own = buffer(1, 1000, &ctx);
    let mut elements = own.make_mut::<u8>(&ctx).unwrap().into_host_slice().unwrap();
    assert_eq!(manager().spill_device_memory(Device::Cpu, usize::MAX).unwrap(), 0);
    elements.fill(2);
    drop(elements);
    assert_eq!(manager().spill_device_memory(Device::Cpu, usize::MAX).unwrap(), 1000);
    assert_eq!(bytes(&own), [2; 1000]);
}

#[test]
fn copies_to_places_that_are_not_there_are_errors_on_every_tier() {
    let _turn = Turn::with(SpillOptions::default());
    for device in devices() {
        let source = buffer(1, 100, &on(device));
        for away in [false, true] {
            for target in devices() {
                let mut target = DeviceBuffer::from_host(&[9; 50], &on(target)).unwrap();
                for at in [0, 51, usize::MAX] {
                    if away {
                        source.spill().unwrap();
                    }
                    let error = source.copy_to(&mut target, at).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::OutOfRange, "{device} {away} {at}");
                }
                assert_eq!(target.to_vec().unwrap(), [9; 50]);
            }
        }
    }
}

/// Settings change while others spill: neither waits for the other for ever.
#[test]
fn settings_change_while_memory_moves() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let _turn = Turn::with(SpillOptions { device_limit: Some(100), ..SpillOptions::default() });
    thread::scope(|threads| {
        threads.spawn(|| {
            for round in 0..200 {
                let directory = Some(directories[round % 2].path().to_owned());
                manager().change_options(|options| options.directory = directory).unwrap();
            }
        });
        for byte in 0..2 {
            threads.spawn(move || {
                for _ in 0..200 {
                    assert_eq!(bytes(&buffer(byte, 500, &on(Device::Cpu))), [byte; 500]);
                }
            });
        }
    });
}

#[test]
fn the_least_recently_used_goes_first() {
    let _turn = Turn::with(SpillOptions { device_limit: Some(3000), ..SpillOptions::default() });
    for device in devices() {
        let ctx = on(device);
        let buffers: Vec<Buffer> = (0..3).map(|i| buffer(i, 1000, &ctx)).collect();
        assert!(buffers.iter().all(|buffer| !buffer.is_spilled()));
        bytes(&buffers[0]);
        let more = buffer(9, 1000, &ctx);
        let away: Vec<bool> = buffers.iter().map(Buffer::is_spilled).collect();
        assert_eq!(away, [false, true, false], "{device}");
        assert_eq!(manager().used(device), 3000);
        assert_eq!(manager().spill_to_device_limit(device, Some(1500)).unwrap(), 2000);
        assert!(!more.is_spilled(), "it was used last");
        for (i, buffer) in buffers.iter().enumerate() {
            assert_eq!(bytes(buffer), [i as u8; 1000]);
        }
        assert!(more.is_spilled());
        manager().take_peak(device);
    }
}

#[test]
fn a_limit_above_the_memory_of_the_host_is_none() {
    for limit in [usize::MAX, 1 << 60] {
        let _turn = Turn::with(SpillOptions { host_limit: Some(limit), ..SpillOptions::default() });
        let there = buffer(4, 1000, &on(Device::EMULATOR));
        assert_eq!((there.spill().unwrap(), there.tier()), (1000, Tier::Cpu));
        assert_eq!(bytes(&there), [4; 1000]);
    }
}

#[test]
fn a_limit_below_one_buffer_is_soft() {
    let _turn = Turn::with(SpillOptions { device_limit: Some(10), ..SpillOptions::default() });
    let (a, b) = (buffer(1, 1000, &on(Device::Cpu)), buffer(2, 1000, &on(Device::Cpu)));
    assert!(a.is_spilled());
    assert_eq!((bytes(&a), bytes(&b)), (vec![1; 1000], vec![2; 1000]));
}

/// Memory beyond a GPU's limit goes to the host, and on to disk beyond the host's.
#[test]
fn three_tiers() {
    let options =
        SpillOptions { device_limit: Some(1000), host_limit: Some(2000), ..SpillOptions::default() };
    let _turn = Turn::with(options);
    for device in gpus() {
        uses_three_tiers(device);
    }
}

fn uses_three_tiers(device: Device) {
    let ctx = on(device);
    let buffers: Vec<Buffer> = (0..6).map(|i| buffer(i, 1000, &ctx)).collect();
    let tiers: Vec<Tier> = buffers.iter().map(Buffer::tier).collect();
    assert_eq!(tiers, [Tier::Disk, Tier::Disk, Tier::Disk, Tier::Cpu, Tier::Cpu, Tier::Gpu]);
    let usage = |tier, bytes| TierUse { device, tier, bytes };
    assert_eq!(
        manager().usage_by_tier(),
        [usage(Tier::Gpu, 1000), usage(Tier::Cpu, 2000), usage(Tier::Disk, 3000)]
    );
    for (i, buffer) in buffers.iter().enumerate() {
        assert_eq!(bytes(buffer), [i as u8; 1000]);
        let mut host = DeviceBuffer::uninit(5, &on(Device::Cpu)).unwrap();
        let other = &buffers[(i + 3) % 6];
        let tier = other.tier();
        other.slice(10, 5).unwrap().copy_to(&mut host, 0).unwrap();
        assert_eq!((host.to_vec().unwrap(), other.tier()), (vec![(i as u8 + 3) % 6; 5], tier));
    }
    // More than the host may have goes to disk at once.
    let large = buffer(7, 3000, &ctx);
    assert_eq!((large.spill().unwrap(), large.tier()), (3000, Tier::Disk));
    assert_eq!(bytes(&large), [7; 3000]);
    drop((large, buffers));
    assert_eq!(manager().usage_by_tier(), []);
}

#[test]
fn an_allocation_that_fails_spills() {
    for on_demand in [true, false] {
        let _turn = Turn::with(SpillOptions { on_demand, ..SpillOptions::default() });
        for device in devices() {
            let before = memory::current_resource(device).unwrap();
            let limited = Arc::new(LimitingResourceAdaptor::new(before.clone(), 10_000));
            memory::set_current_resource(device, limited).unwrap();
            let ctx = on(device);
            let kept: Vec<Buffer> = (0..10).map(|i| buffer(i, 1000, &ctx)).collect();
            let more = DeviceBuffer::uninit(2500, &ctx);
            memory::set_current_resource(device, before).unwrap();
            if on_demand {
                more.unwrap();
                assert_eq!(kept.iter().filter(|buffer| buffer.is_spilled()).count(), 3, "{device}");
            } else {
                assert_eq!(more.unwrap_err().kind(), ErrorKind::OutOfMemory);
            }
            for (i, buffer) in kept.iter().enumerate() {
                assert_eq!(bytes(buffer), [i as u8; 1000]);
            }
        }
    }
}

#[test]
fn wrong_settings_change_nothing() {
    let _turn = Turn::with(SpillOptions { device_limit: Some(5000), ..SpillOptions::default() });
    let before = manager().options();
    let level = SpillOptions { statistics_level: 3, ..before.clone() };
    let error = manager().set_options(level).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(error.to_string(), "`spill_stats` is 3; levels are 0, 1 and 2");
    for directory in ["/does/not/exist", "/dev/null"] {
        let elsewhere = SpillOptions { directory: Some(directory.into()), ..before.clone() };
        let error = manager().set_options(elsewhere).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains(directory), "{error}");
    }
    assert_eq!(manager().options(), before);
    let directory = tempfile::tempdir().unwrap();
    let elsewhere = SpillOptions { directory: Some(directory.path().into()), ..before };
    manager().set_options(elsewhere).unwrap();
    let here = buffer(1, 4000, &on(Device::Cpu));
    here.spill().unwrap();
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "files have no names");
    assert_eq!(bytes(&here), [1; 4000]);
}

/// A disk that is full leaves memory where it was.
#[test]
fn a_full_disk_loses_nothing() {
    let _turn = Turn::with(SpillOptions { device_limit: Some(100 << 20), ..SpillOptions::default() });
    // SAFETY: plain calls about this process; the old limit is put back below.
    let old = unsafe {
        let mut old: libc::rlimit = std::mem::zeroed();
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut old), 0);
        // Far above what a file has in which the output of tests may go: the limit holds for that, too.
        let new = libc::rlimit { rlim_cur: 10_000_000, ..old };
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const new), 0);
        old
    };
    let small = buffer(1, 5_000_000, &on(Device::Cpu));
    let large = buffer(2, 50_000_000, &on(Device::Cpu));
    let spilled = small.spill();
    let failed = large.spill();
    let explicit = manager().spill_device_memory(Device::Cpu, 100 << 20);
    // An allocation too large for the disk does not keep others from going there.
    let last = buffer(4, 3_000_000, &on(Device::Cpu));
    let others = manager().spill_device_memory(Device::Cpu, 100 << 20);
    // Beyond the limit all the same: it is soft.
    let more = buffer(3, 90_000_000, &on(Device::Cpu));
    // SAFETY: the limit is that which `getrlimit` gave.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const old) }, 0);
    assert_eq!(spilled.unwrap(), 5_000_000);
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(explicit.unwrap_err().kind(), ErrorKind::Io);
    assert_eq!((others.unwrap(), last.is_spilled()), (3_000_000, true));
    assert!(!large.is_spilled() && large.is_spillable());
    assert_eq!((bytes(&small), bytes(&large)), (vec![1; 5_000_000], vec![2; 50_000_000]));
    assert_eq!(bytes(&more), vec![3; 90_000_000]);
}

/// Threads read slices and write their own buffers while others spill everything.
#[test]
fn threads_read_while_others_spill() {
    for device in devices() {
        let host_limit = (device != Device::Cpu).then_some(60_000);
        let _turn = Turn::with(SpillOptions { host_limit, ..SpillOptions::default() });
        let rounds = if device.is_emulated() { 60 } else { 400 };
        let shared: Vec<Buffer> = (0..8).map(|i| buffer(i, 10_000, &on(device))).collect();
        let done = AtomicBool::new(false);
        thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        manager().spill_device_memory(device, usize::MAX).unwrap();
                    }
                });
            }
            let readers: Vec<_> = (0..4)
                .map(|thread| {
                    let shared = &shared;
                    threads.spawn(move || {
                        let ctx = on(device);
                        let mut random = Random(thread);
                        let mut own = buffer(100, 3000, &ctx);
                        for round in 0..rounds {
                            let i = random.below(8) as usize;
                            let (at, len) = (random.below(9000) as usize, random.below(1000) as usize);
                            let part = shared[i].slice(at, len).unwrap();
                            if random.below(3) == 0 {
                                let copy = part.copy(&ctx).unwrap();
                                assert_eq!(bytes(&copy), vec![i as u8; len]);
                            } else {
                                assert_eq!(bytes(&part), vec![i as u8; len]);
                            }
                            let value = (round % 250) as u8;
                            if device == Device::Cpu {
                                own.make_mut::<u8>(&ctx).unwrap().as_host_slice_mut().unwrap().fill(value);
                                assert_eq!(bytes(&own), vec![value; 3000]);
                            }
                        }
                    })
                })
                .collect();
            for reader in readers {
                reader.join().unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        drop(shared);
        assert_eq!(manager().buffers(), []);
        assert_eq!(manager().used(device), 0);
    }
}

/// Random programs of copies, slices, writes, exposures and moves against vectors of bytes.
#[test]
fn random_programs() {
    let seeds = if std::env::var_os("CUPRUM_THOROUGH").is_some() { 2000 } else { 60 };
    for seed in 0..seeds {
        let mut random = Random(seed);
        let spilling = seed % 4 != 0;
        let limit = |random: &mut Random, most: u64| Some(random.below(most) as usize).filter(|n| n % 3 > 0);
        let options = SpillOptions {
            device_limit: limit(&mut random, 4000),
            host_limit: limit(&mut random, 8000),
            ..SpillOptions::default()
        };
        let _turn = Turn::with(options.clone());
        manager().set_options(SpillOptions { enabled: spilling, ..options }).unwrap();
        let ctx = on(Device::Cpu);
        let mut buffers: Vec<(Buffer, Vec<u8>)> = vec![(buffer(0, 100, &ctx), vec![0; 100])];
        for _ in 0..200 {
            let i = random.below(buffers.len() as u64) as usize;
            let (chosen, model) = buffers[i].clone();
            match random.below(9) {
                0 => {
                    let len = random.below(2000) as usize;
                    let byte = random.below(256) as u8;
                    buffers.push((buffer(byte, len, &ctx), vec![byte; len]));
                }
                1 => buffers.push((chosen, model)),
                2 => {
                    let start = random.below(model.len() as u64 + 1) as usize;
                    let len = random.below((model.len() - start) as u64 + 1) as usize;
                    let part = chosen.slice(start, len).unwrap();
                    buffers.push((part, model[start..start + len].to_vec()));
                }
                3 if !model.is_empty() => {
                    let (at, byte) = (random.below(model.len() as u64) as usize, random.below(256) as u8);
                    drop(chosen);
                    let (written, model) = &mut buffers[i];
                    let mut span = written.make_mut::<u8>(&ctx).unwrap();
                    span.as_host_slice_mut().unwrap()[at] = byte;
                    model[at] = byte;
                }
                4 => {
                    let there = chosen.to_device(&on(Device::EMULATOR)).unwrap();
                    assert_eq!(bytes(&there.to_device(&ctx).unwrap()), model);
                }
                5 => {
                    chosen.spill().unwrap();
                }
                6 if random.below(4) == 0 => {
                    chosen.expose().unwrap();
                    assert!(!chosen.is_spillable());
                }
                7 if buffers.len() > 3 => {
                    buffers.swap_remove(i);
                }
                _ => assert_eq!(bytes(&chosen), model, "seed {seed}"),
            }
        }
        for (buffer, model) in &buffers {
            assert_eq!(&bytes(buffer), model, "seed {seed}");
        }
        drop(buffers);
        assert_eq!((manager().buffers(), manager().used(Device::Cpu)), (vec![], 0), "seed {seed}");
    }
}

#[test]
fn memory_remembers_whether_it_is_copied_on_write() {
    let _turn = Turn::with(SpillOptions::default());
    let before = copy_on_write();
    set_copy_on_write(true);
    let made_on = buffer(1, 8, &on(Device::Cpu));
    set_copy_on_write(false);
    let made_off = buffer(1, 8, &on(Device::Cpu));
    set_copy_on_write(before);
    assert!(made_on.copies_on_write() && made_on.slice(1, 2).unwrap().copies_on_write());
    assert!(!made_off.copies_on_write());
}

/// Memory of the host that calls back before it is handed out, with the number of the allocation.
struct Calling<F> {
    upstream: SharedResource,
    allocations: AtomicUsize,
    call: F,
}

impl<F> RefUnwindSafe for Calling<F> {}

impl<F: Fn(usize) + Send + Sync> MemoryResource for Calling<F> {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        (self.call)(self.allocations.fetch_add(1, Ordering::Relaxed));
        self.upstream.allocate(bytes, stream)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
    }

    fn device(&self) -> Device {
        Device::Cpu
    }

    fn name(&self) -> &'static str {
        "Calling"
    }
}

fn calling<F: Fn(usize) + Send + Sync + 'static>(call: F) -> (Arc<Calling<F>>, Context) {
    let allocations = AtomicUsize::new(0);
    let resource = Arc::new(Calling { upstream: CpuMemoryResource::global(), allocations, call });
    (Arc::clone(&resource), Context::new(Stream::cpu(), resource))
}

#[test]
fn one_of_many_threads_brings_memory_back() {
    let _turn = Turn::with(SpillOptions::default());
    let (resource, ctx) = calling(|_| thread::sleep(Duration::from_millis(30)));
    let wanted = buffer(5, 100_000, &ctx);
    for round in 1..=3 {
        assert_eq!(wanted.spill().unwrap(), 100_000);
        let barrier = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    barrier.wait();
                    assert_eq!(bytes(&wanted), [5].repeat(100_000));
                });
            }
        });
        assert_eq!(
            resource.allocations.load(Ordering::Relaxed),
            1 + round,
            "one for the buffer, one a round"
        );
    }
}

/// Code that a resource calls may want the very bytes that the memory is for: in the same thread, and in
/// another that it waits for.
#[test]
fn memory_comes_back_while_resources_call_back() {
    let _turn = Turn::with(SpillOptions::default());
    static WANTED: Mutex<Option<Buffer>> = Mutex::new(None);
    let read = || {
        let wanted = WANTED.lock().unwrap().clone();
        wanted.is_none_or(|wanted| bytes(&wanted) == [6; 1000])
    };
    let (_, ctx) = calling(move |number| match number {
        1 => assert!(read()),
        3 => assert!(thread::spawn(read).join().unwrap()),
        _ => {}
    });
    let wanted = buffer(6, 1000, &ctx);
    *WANTED.lock().unwrap() = Some(wanted.clone());
    for _ in 0..2 {
        assert_eq!(wanted.spill().unwrap(), 1000);
        assert!(read());
    }
    *WANTED.lock().unwrap() = None;
}

/// When one thread fails to bring it back, the next one tries.
#[test]
fn a_failure_is_told_to_whoever_meets_it() {
    let _turn = Turn::with(SpillOptions { on_demand: false, ..SpillOptions::default() });
    let limited = Arc::new(LimitingResourceAdaptor::new(CpuMemoryResource::global(), 3000));
    let ctx = Context::new(Stream::cpu(), limited);
    let wanted = buffer(7, 2000, &ctx);
    wanted.spill().unwrap();
    let other = buffer(8, 2000, &ctx);
    let lock = other.span::<u8>().unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let error = wanted.span::<u8>().map(|_| ()).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::OutOfMemory);
            });
        }
    });
    drop(lock);
    drop(other);
    assert_eq!(bytes(&wanted), [7; 2000]);
}
