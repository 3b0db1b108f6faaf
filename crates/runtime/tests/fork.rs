//! Processes that are forked while threads of theirs work. A child that hangs is ended by an alarm.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cuprum_runtime::log::{self, Level};
use cuprum_runtime::memory::{PoolMemoryResource, SharedResource, StatisticsResourceAdaptor};
use cuprum_runtime::parallel::{self, MORSEL};
use cuprum_runtime::spill::SpillManager;
use cuprum_runtime::{
    Buffer, Context, CpuMemoryResource, Device, DeviceBuffer, ErrorKind, HostUVec, Stream, fork,
};

const SECONDS: u32 = 60;

/// The result of `work` in a child: `Err` with the wait status where it did not end by itself, as when it
/// hangs or panics.
fn in_child(work: impl FnOnce() -> u8) -> Result<u8, i32> {
    // SAFETY: the library promises that a child can go on; it ends without running the test's own code.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: both end the process.
        unsafe {
            libc::alarm(SECONDS);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            libc::_exit(result.map_or(255, i32::from));
        }
    }
    assert!(child > 0);
    let mut status = 0;
    // SAFETY: the child is this process', and there is room for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    if libc::WIFEXITED(status) { Ok(libc::WEXITSTATUS(status) as u8) } else { Err(status) }
}

/// Keeps the lock of the log for most of the time, so that no fork meets it open by chance.
struct Slow;

impl std::io::Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::thread::sleep(Duration::from_millis(2));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Something of everything that takes a lock or a thread; 0 where it is right.
fn some_of_everything(ctx: &Context) -> u8 {
    let sums = parallel::map_morsels(20 * MORSEL, ctx, |range| Ok(range.sum::<usize>())).unwrap();
    if sums.iter().sum::<usize>() != 20 * MORSEL * (20 * MORSEL - 1) / 2 {
        return 1;
    }
    drop(HostUVec::filled(7u64, 100_000, ctx).unwrap());
    let buffer = Buffer::copy_from_slice(&[7].repeat(70_000), ctx).unwrap();
    buffer.spill().unwrap();
    let bytes = buffer.span::<u8>().unwrap().to_vec().unwrap();
    log::error!("{} bytes", bytes.len());
    u8::from(bytes != [7].repeat(70_000)) * 2
}

#[test]
fn a_child_has_threads_and_locks_of_its_own() {
    let manager = SpillManager::global();
    manager.change_options(|options| options.enabled = true).unwrap();
    manager.change_options(|options| options.device_limit = Some(1 << 20)).unwrap();
    log::to_writer(Slow);
    log::set_level(Level::Info);
    // Locks of the library that only these two have.
    let counting: SharedResource =
        std::sync::Arc::new(StatisticsResourceAdaptor::new(CpuMemoryResource::global()));
    let pool: SharedResource =
        std::sync::Arc::new(PoolMemoryResource::new(counting, 1 << 20, Some(64 << 20)).unwrap());
    let ctx = Context::new(Stream::cpu(), pool);
    let shared = Buffer::copy_from_slice(&[3].repeat(200_000), &ctx).unwrap();
    let (stop, rounds) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for ctx in [&ctx, &ctx, &Context::current()] {
            let (stop, rounds, shared) = (&stop, &rounds, &shared);
            let ctx = ctx.clone();
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    assert_eq!(some_of_everything(&ctx), 0);
                    shared.spill().unwrap();
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let child = || {
            in_child(|| {
                // Reading space that the parent has reused since is an error and no wrong result.
                let sum = |bytes: Vec<u8>| bytes.into_iter().map(u64::from).sum();
                let inherited: u64 = shared.span::<u8>().map_or(600_000, |span| sum(span.to_vec().unwrap()));
                some_of_everything(&ctx) + u8::from(inherited != 600_000) * 4
            })
        };
        let wrong = (0..100).map(|_| child()).find(|result| *result != Ok(0));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(wrong, None);
    });
    assert!(rounds.into_inner() > 0);
    // Children of children, too.
    assert_eq!(in_child(|| in_child(|| some_of_everything(&ctx)).unwrap_or(9)), Ok(0));
    assert_eq!(some_of_everything(&ctx), 0);
}

/// A thread that holds a lock works with helpers that take other locks, their first ones, while the process forks.
#[test]
fn forks_do_not_wait_for_helpers_that_wait_for_them() {
    let (held, inner) = (fork::Mutex::new(7), fork::Mutex::new(0));
    let begun = AtomicU64::new(0);
    let both_have_begun = || {
        let start = Instant::now();
        while begun.load(Ordering::Relaxed) < 2 {
            assert!(start.elapsed() < Duration::from_secs(20), "no thread came to help");
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _held = held.lock();
            parallel::for_ranges(16, 1, &Context::current(), &|_| {
                begun.fetch_add(1, Ordering::Relaxed);
                both_have_begun();
                std::thread::sleep(Duration::from_millis(20)); // meanwhile the process forks
                *inner.lock() += 1;
                Ok(())
            })
            .unwrap();
        });
        both_have_begun();
        let start = Instant::now();
        assert_eq!(in_child(|| *held.lock()), Ok(7));
        // The patience of a fork is ten seconds.
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    });
    assert_eq!(*inner.lock(), 16);
}

#[test]
fn gpus_are_refused_in_children() {
    for device in Device::all().into_iter().filter(|&d| d != Device::Cpu).chain([Device::EMULATOR]) {
        let ctx = Context::on(device).unwrap();
        let mut buffer = Some(DeviceBuffer::from_host(&[1, 2, 3], &ctx).unwrap());
        let child = in_child(|| {
            let errors = [
                Context::on(device).map(|_| ()).unwrap_err(),
                Stream::new(device).map(|_| ()).unwrap_err(),
                DeviceBuffer::from_host(&[1], &ctx).map(|_| ()).unwrap_err(),
                buffer.as_ref().unwrap().to_vec().map(|_| ()).unwrap_err(),
                ctx.stream().synchronize().unwrap_err(),
                device.memory_info().map(|_| ()).unwrap_err(),
            ];
            let wrong =
                errors.iter().find(|e| e.kind() != ErrorKind::Cuda || !e.to_string().contains("spawn"));
            if wrong.is_some() {
                return 1;
            }
            // Giving back is the parent's affair.
            buffer = None;
            let ctx = Context::on(Device::Cpu).unwrap();
            u8::from(Device::all() != [Device::Cpu] || Buffer::copy_from_slice(&[1], &ctx).is_err()) * 2
        });
        assert_eq!(child, Ok(0), "{device}");
        assert_eq!(buffer.unwrap().to_vec().unwrap(), [1, 2, 3]);
    }
}
