//! The CPU's memory.
//!
//! Writing to fresh pages costs nine times as much as writing to pages the process already owns
//! (`docs/design/memory.md`), so large blocks are kept in size classes, up to a cap, and given back
//! to the system once they have not been used for a while: by later calls, and by a thread where none come.

use std::alloc::Layout;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::resource::exhausted;
use super::{ALIGNMENT, MemoryResource, NO_BYTES, SharedResource};
use crate::device::Device;
use crate::error::Result;
use crate::fork::{self, Mutex, MutexGuard};
use crate::host;
use crate::stream::Stream;

/// The CPU's memory: small blocks from the global allocator, large ones from a pool that keeps
/// its pages.
///
/// A large block (64 KiB and more) is rounded up to its size class, of which there are eight per
/// power of two, and comes from an anonymous mapping; from 2 MiB on it is aligned for and
/// advised to use huge pages. Freed blocks are kept for reuse up to a cap in bytes; what has been
/// idle for longer than the decay is unmapped by later calls; those of the pool of the process also by a thread,
/// which lives as long as blocks are idle.
pub struct CpuMemoryResource {
    pool: Mutex<Pool>,
    cap: usize,
    /// Nothing is kept for reuse where fresh pages would take the process beyond this many bytes.
    ceiling: AtomicUsize,
    decay: Duration,
    /// Whether a thread gives idle blocks back.
    in_background: bool,
    /// Tells the time; tests put it forward.
    now: fn() -> Instant,
}

#[derive(Default)]
struct Pool {
    idle: HashMap<usize, Vec<IdleBlock>>,
    idle_bytes: usize,
    used_bytes: usize,
    last_sweep: Option<Instant>,
    /// The [generation](fork::generation) of processes whose thread gives idle blocks back.
    keeper: Option<u64>,
}

struct IdleBlock {
    ptr: NonNull<u8>,
    since: Instant,
}

// SAFETY: an idle block is owned by the pool alone; nothing points into it.
unsafe impl Send for IdleBlock {}

const LARGE: usize = 64 << 10;
const HUGE_PAGE: usize = 2 << 20;

impl CpuMemoryResource {
    /// A pool that keeps at most `cap` idle bytes, each block for about `decay`.
    pub fn new(cap: usize, decay: Duration) -> Self {
        let ceiling = AtomicUsize::new(usize::MAX);
        Self { pool: Mutex::default(), cap, ceiling, decay, in_background: false, now: Instant::now }
    }

    /// The pool of the process: keeps up to a quarter of the machine's memory for less than a second.
    pub fn global() -> SharedResource {
        Arc::clone(Self::of_process()) as SharedResource
    }

    fn of_process() -> &'static Arc<Self> {
        static GLOBAL: OnceLock<Arc<CpuMemoryResource>> = OnceLock::new();
        GLOBAL.get().unwrap_or_else(|| {
            let _section = fork::section();
            GLOBAL.get_or_init(|| {
                let mut pool = Self::new(host::memory().total / 4, Duration::from_millis(750));
                pool.in_background = true;
                Arc::new(pool)
            })
        })
    }

    /// Has the pool of the process give idle blocks back rather than go beyond `limit` bytes with them.
    pub(crate) fn keep_below(limit: Option<usize>) {
        Self::of_process().ceiling.store(limit.unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    /// Bytes of large blocks that are handed out.
    pub fn used_bytes(&self) -> usize {
        self.lock().used_bytes
    }

    /// Bytes kept for reuse.
    pub fn idle_bytes(&self) -> usize {
        self.lock().idle_bytes
    }

    /// Whether fresh pages for `size` bytes would, with idle ones, be too many.
    fn is_above_ceiling(&self, size: usize) -> bool {
        let ceiling = self.ceiling.load(Ordering::Relaxed);
        ceiling != usize::MAX && {
            let pool = self.lock();
            pool.idle_bytes > 0 && pool.used_bytes + pool.idle_bytes + size > ceiling
        }
    }

    #[cold]
    fn exhausted(&self, bytes: usize) -> crate::Error {
        exhausted(self, bytes, self.used_bytes(), None)
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock()
    }

    /// Unmaps blocks idle since before `limit`; the caller drops the result outside the lock.
    fn sweep(&self, pool: &mut Pool, now: Instant) -> Vec<(NonNull<u8>, usize)> {
        let due = pool.last_sweep.is_none_or(|last| now.duration_since(last) * 4 > self.decay);
        if !due || pool.idle_bytes == 0 {
            return Vec::new();
        }
        self.expired(pool, now)
    }

    /// Takes out the blocks that are idle for longer than the decay.
    fn expired(&self, pool: &mut Pool, now: Instant) -> Vec<(NonNull<u8>, usize)> {
        pool.last_sweep = Some(now);
        let mut expired = Vec::new();
        for (&size, blocks) in &mut pool.idle {
            blocks.retain(|block| {
                let keep = now.duration_since(block.since) <= self.decay;
                if !keep {
                    expired.push((block.ptr, size));
                }
                keep
            });
        }
        pool.idle_bytes -= expired.iter().map(|(_, size)| size).sum::<usize>();
        expired
    }

    /// Starts the thread that gives idle blocks of the process's pool back; it ends when none is left.
    fn start_keeper() {
        let pool = Self::of_process();
        let keep = || {
            loop {
                std::thread::sleep(pool.decay / 4);
                let (expired, is_last) = {
                    let mut idle = pool.lock();
                    let expired = pool.expired(&mut idle, (pool.now)());
                    let is_last = idle.idle_bytes == 0;
                    if is_last {
                        idle.keeper = None;
                    }
                    (expired, is_last)
                };
                for (ptr, size) in expired {
                    // SAFETY: the block was taken out of the pool.
                    unsafe { unmap(ptr, size) };
                }
                if is_last {
                    return;
                }
            }
        };
        if std::thread::Builder::new().name("cuprum-memory".to_owned()).spawn(keep).is_err() {
            // Later calls give blocks back, or start another.
            pool.lock().keeper = None;
        }
    }
}

impl MemoryResource for CpuMemoryResource {
    fn allocate(&self, bytes: usize, _stream: &Stream) -> Result<NonNull<u8>> {
        if bytes == 0 {
            return Ok(NO_BYTES);
        }
        if bytes < LARGE {
            // SAFETY: the layout's size is not zero.
            let ptr = unsafe { std::alloc::alloc(small_layout(bytes)) };
            return NonNull::new(ptr).ok_or_else(|| self.exhausted(bytes));
        }
        let size = size_class(bytes).ok_or_else(|| self.exhausted(bytes))?;
        let (reused, expired) = {
            let mut pool = self.lock();
            let reused = pool.idle.get_mut(&size).and_then(Vec::pop).map(|block| block.ptr);
            if reused.is_some() {
                pool.idle_bytes -= size;
                pool.used_bytes += size;
            }
            (reused, self.sweep(&mut pool, (self.now)()))
        };
        for (ptr, size) in expired {
            // SAFETY: the sweep took the block out of the pool.
            unsafe { unmap(ptr, size) };
        }
        if let Some(ptr) = reused {
            return Ok(ptr);
        }
        if self.is_above_ceiling(size) {
            self.release_idle();
        }
        let ptr = map(size).or_else(|| {
            // The system is out of memory: give back idle memory, then try once more.
            self.release_idle();
            map(size)
        });
        let ptr = ptr.ok_or_else(|| self.exhausted(bytes))?;
        self.lock().used_bytes += size;
        Ok(ptr)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, _stream: &Stream) {
        if bytes == 0 {
            return;
        }
        if bytes < LARGE {
            // SAFETY: the caller gives back a block of `allocate`, which had it from `alloc` with this layout.
            unsafe { std::alloc::dealloc(ptr.as_ptr(), small_layout(bytes)) };
            return;
        }
        let Some(size) = size_class(bytes) else { return };
        let now = (self.now)();
        let mut starts = false;
        let mut released = {
            let mut pool = self.lock();
            pool.used_bytes -= size;
            let released = self.sweep(&mut pool, now);
            if pool.idle_bytes + size <= self.cap {
                pool.idle_bytes += size;
                pool.idle.entry(size).or_default().push(IdleBlock { ptr, since: now });
                if self.in_background && pool.keeper != Some(fork::generation()) {
                    pool.keeper = Some(fork::generation());
                    starts = true;
                }
                released
            } else {
                drop(pool);
                let mut released = released;
                released.push((ptr, size));
                released
            }
        };
        for (ptr, size) in released.drain(..) {
            // SAFETY: the block is in no list any more and the caller has given it up.
            unsafe { unmap(ptr, size) };
        }
        if starts {
            Self::start_keeper();
        }
    }

    fn device(&self) -> Device {
        Device::Cpu
    }

    fn name(&self) -> &'static str {
        "CpuMemoryResource"
    }
}

impl CpuMemoryResource {
    /// Gives every idle block back to the system.
    pub fn release_idle(&self) {
        let idle = {
            let mut pool = self.lock();
            pool.idle_bytes = 0;
            std::mem::take(&mut pool.idle)
        };
        for (size, blocks) in idle {
            for block in blocks {
                // SAFETY: the block was taken out of the pool and nothing else points to it.
                unsafe { unmap(block.ptr, size) };
            }
        }
    }
}

impl Drop for CpuMemoryResource {
    fn drop(&mut self) {
        self.release_idle();
    }
}

/// Gives host memory that is kept for reuse back to the system, and what the system's allocator has free.
pub fn trim() {
    CpuMemoryResource::of_process().release_idle();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` may be called at any time, in any thread.
    unsafe {
        libc::malloc_trim(0)
    };
}

fn small_layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, ALIGNMENT).expect("less than 64 KiB")
}

/// Rounds up to one of eight sizes per power of two, whole pages; `None` past the address space.
fn size_class(bytes: usize) -> Option<usize> {
    if bytes > isize::MAX as usize / 2 {
        return None;
    }
    let step = (bytes.next_power_of_two() / 16).max(4096);
    Some(bytes.next_multiple_of(step))
}

fn map(size: usize) -> Option<NonNull<u8>> {
    let slack = if size >= HUGE_PAGE { HUGE_PAGE } else { 0 };
    // SAFETY: a fresh anonymous mapping touches no existing memory.
    let base = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size + slack,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if base == libc::MAP_FAILED {
        return None;
    }
    let mut start = base as usize;
    if slack != 0 {
        let aligned = start.next_multiple_of(HUGE_PAGE);
        // SAFETY: both ranges lie inside the mapping just made, outside [aligned, aligned + size).
        unsafe {
            if aligned > start {
                libc::munmap(base, aligned - start);
            }
            let tail = start + slack - aligned;
            if tail > 0 {
                libc::munmap((aligned + size) as *mut libc::c_void, tail);
            }
            #[cfg(target_os = "linux")]
            libc::madvise(aligned as *mut libc::c_void, size, libc::MADV_HUGEPAGE);
        }
        start = aligned;
    }
    NonNull::new(start as *mut u8)
}

/// # Safety
/// `ptr` came from `map(size)` and is not used afterwards.
unsafe fn unmap(ptr: NonNull<u8>, size: usize) {
    // SAFETY: the caller gives back the whole of a `map`, which nothing uses any more.
    unsafe { libc::munmap(ptr.as_ptr().cast(), size) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(resource: &CpuMemoryResource, bytes: usize) -> NonNull<u8> {
        resource.allocate(bytes, &Stream::cpu()).unwrap()
    }

    fn give(resource: &CpuMemoryResource, ptr: NonNull<u8>, bytes: usize) {
        // SAFETY: the tests hand back blocks that they took.
        unsafe { resource.deallocate(ptr, bytes, &Stream::cpu()) };
    }

    #[test]
    fn aligned_at_every_size_and_reused_when_large() {
        let resource = CpuMemoryResource::new(64 << 20, Duration::from_mins(1));
        for bytes in [0, 1, 63, 64, 65, LARGE - 1, LARGE, LARGE + 1, 3 << 20, 10_000_019] {
            let ptr = take(&resource, bytes);
            assert_eq!(ptr.as_ptr() as usize % ALIGNMENT, 0, "{bytes}");
            // SAFETY: the block has `bytes` bytes.
            unsafe { ptr.as_ptr().write_bytes(0xA5, bytes) };
            give(&resource, ptr, bytes);
            if bytes > LARGE {
                let again = take(&resource, bytes);
                assert_eq!(again, ptr, "a freed block of {bytes} bytes is used again");
                give(&resource, again, bytes);
            }
        }
        assert_eq!(resource.used_bytes(), 0);
        assert!(resource.idle_bytes() > 10 << 20);
        resource.release_idle();
        assert_eq!(resource.idle_bytes(), 0);
    }

    #[test]
    fn the_cap_and_the_decay_give_memory_back() {
        let resource = CpuMemoryResource::new(1 << 20, Duration::from_millis(10));
        let (a, b) = (take(&resource, 1 << 20), take(&resource, 1 << 20));
        give(&resource, a, 1 << 20);
        give(&resource, b, 1 << 20);
        assert_eq!(resource.idle_bytes(), 1 << 20, "the cap holds one block");
        std::thread::sleep(Duration::from_millis(30));
        let c = take(&resource, 2 << 20);
        assert_eq!(resource.idle_bytes(), 0, "the idle block decayed");
        give(&resource, c, 2 << 20);
    }

    /// An hour of queries with bursts and quiet minutes, in fast-forward: kept memory stays below
    /// the cap, falls when work does, and the pool still serves nearly everything from kept pages.
    #[test]
    fn an_hour_of_mixed_work() {
        thread_local!(static SECONDS: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) });
        fn now() -> Instant {
            static START: OnceLock<Instant> = OnceLock::new();
            *START.get_or_init(Instant::now) + Duration::from_secs_f64(SECONDS.get())
        }
        const CAP: usize = 48 << 20;
        let mut resource = CpuMemoryResource::new(CAP, Duration::from_secs(10));
        resource.now = now;
        let mut numbers = crate::random::Random(1);
        let mut random = move |below: u64| numbers.below(below) as usize;
        let (mut kept, mut reused, mut queries) = (Vec::new(), 0, 0);
        for second in 0..3600 {
            SECONDS.set(f64::from(second));
            let quiet = second % 300 >= 240;
            for _ in 0..if quiet { 1 } else { 12 } {
                // A query: a few columns, all but one of them temporary.
                let size = if quiet { LARGE } else { LARGE << random(6) };
                let idle = resource.idle_bytes();
                let columns: Vec<_> = (0..4).map(|_| take(&resource, size)).collect();
                (queries, reused) = (queries + 1, reused + usize::from(idle >= 4 * size));
                for column in &columns[1..] {
                    give(&resource, *column, size);
                }
                kept.push((columns[0], size));
                if kept.len() > 8 {
                    let (column, size) = kept.swap_remove(random(8));
                    give(&resource, column, size);
                }
                assert!(resource.idle_bytes() <= CAP);
            }
            if second % 300 == 299 {
                // A quiet minute needs four columns of 64 KiB and gets no more.
                assert!(resource.idle_bytes() <= 12 * LARGE, "{} at {second} s", resource.idle_bytes());
            }
        }
        assert!(reused * 10 > queries * 9, "{reused} of {queries} queries found kept pages");
        for (column, size) in kept {
            give(&resource, column, size);
        }
        assert_eq!(resource.used_bytes(), 0);
    }

    #[test]
    fn too_large_is_an_error_that_says_how_much() {
        let resource = CpuMemoryResource::new(0, Duration::ZERO);
        for bytes in [usize::MAX, isize::MAX as usize, 1 << 60] {
            let error = resource.allocate(bytes, &Stream::cpu()).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::OutOfMemory);
            assert!(error.to_string().contains(&bytes.to_string()), "{error}");
        }
    }

    #[test]
    fn many_threads() {
        let resource = CpuMemoryResource::new(16 << 20, Duration::from_millis(1));
        std::thread::scope(|scope| {
            for seed in 0..4usize {
                let resource = &resource;
                scope.spawn(move || {
                    for i in 0..300 {
                        let bytes = (i * 7919 + seed * 104_729) % 500_000;
                        let ptr = take(resource, bytes);
                        // SAFETY: the block has `bytes` bytes, owned by this thread.
                        unsafe {
                            ptr.as_ptr().write_bytes(seed as u8, bytes);
                            for k in (0..bytes).step_by(997) {
                                assert_eq!(*ptr.as_ptr().add(k), seed as u8);
                            }
                        }
                        give(resource, ptr, bytes);
                    }
                });
            }
        });
        assert_eq!(resource.used_bytes(), 0);
    }
}
