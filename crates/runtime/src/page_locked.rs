//! Page-locked memory of the host, which a GPU copies from and to while threads do something else.
//!
//! Locking pages is slow, so all of it comes from [pools](resource) that keep locked pages. Its users:
//!
//! | module | memory | where there is no more |
//! |---|---|---|
//! | [`staging`](crate::staging) | blocks that copies of other memory go through | waits for the GPU, then for other threads |
//! | [`upload_buffers`](crate::upload_buffers) | values that are made for a GPU | waits for the GPU, then takes other memory |
//! | [`spill`](crate::spill) | columns of a GPU that were moved out of its way | they go to disk |
//!
//! The first two take parts of a [`Share`]: a limit for all threads, and a queue of blocks that the GPU still
//! reads.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, MutexGuard, PoisonError};

use crate::allocation::Allocation;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork;
use crate::log;
use crate::memory::{PinnedHostMemoryResource, PoolMemoryResource, SharedResource};
use crate::parallel;
use crate::stream::{Event, Stream};

/// Threads that have page-locked memory at a time, at most.
const MOST_THREADS: usize = 16;

/// Bytes that are locked at once, to see whether any can be.
const FIRST: usize = 2 << 20;

/// Page-locked memory for a GPU, at most so many bytes of it (`None`: as much as can be locked). Memory that is freed
/// stays locked for the next who asks, as long as the resource lives.
pub(crate) fn resource(device: Device, most: Option<usize>) -> Result<SharedResource> {
    let pinned = PinnedHostMemoryResource::new(device)?;
    Ok(Arc::new(PoolMemoryResource::new(Arc::new(pinned), 0, most)?))
}

/// The page-locked memory for one purpose of a GPU, which threads take parts of up to a limit.
pub(crate) struct Share {
    device: Device,
    /// For the memory.
    ctx: Context,
    /// Bytes that may be taken at a time, those that the GPU still reads included.
    most: usize,
    state: std::sync::Mutex<State>,
    /// Told when bytes are given back.
    returned: Condvar,
}

#[derive(Default)]
struct State {
    /// Bytes that somebody has, or that the GPU reads.
    taken: usize,
    /// In the order in which they were given to streams.
    pending: VecDeque<Pending>,
    /// Blocks that are [kept](Taken::keep) as they are, all of one size.
    kept: Vec<Allocation>,
}

/// Memory that a GPU reads until `done`.
struct Pending {
    done: Event,
    memory: Allocation,
    taken: Taken,
    /// Whether the memory is kept as it is, or freed.
    is_kept: bool,
}

/// Bytes of a share that somebody has. Dropping them gives them back, and wakes a thread that waits for some.
pub(crate) struct Taken {
    share: &'static Share,
    bytes: usize,
}

/// Shares by GPU and purpose.
pub(crate) struct Shares {
    bytes_per_thread: usize,
    /// Bytes of the pool, in multiples of those that may be taken: free memory need not lie together.
    spare: usize,
    /// `None` where no pages can be locked.
    by_device: fork::Mutex<BTreeMap<Device, Option<&'static Share>>>,
}

impl Shares {
    /// Shares of so many bytes for each thread, in pools that are `spare` times as large.
    pub(crate) const fn new(bytes_per_thread: usize, spare: usize) -> Self {
        Self { bytes_per_thread, spare, by_device: fork::Mutex::new(BTreeMap::new()) }
    }

    /// The share of a GPU; `None` where no pages can be locked.
    pub(crate) fn of(&self, device: Device) -> Option<&'static Share> {
        let threads = parallel::num_threads().min(MOST_THREADS);
        *self.by_device.lock().entry(device).or_insert_with(|| {
            Share::new(device, self.bytes_per_thread * threads, self.spare)
                .inspect_err(|error| log::debug!("no pages can be locked for {device}: {error}"))
                .ok()
        })
    }
}

impl Share {
    /// A share of at most `most` bytes. It lives as long as the process. Fails where no pages can be locked.
    pub(crate) fn new(device: Device, most: usize, spare: usize) -> Result<&'static Self> {
        let share = Self::over(resource(device, Some(spare * most))?, device, most);
        // The pool keeps it for the first who take some.
        drop(Allocation::uninit(FIRST.min(most), &share.ctx)?);
        Ok(share)
    }

    fn over(resource: SharedResource, device: Device, most: usize) -> &'static Self {
        let ctx = Context::new(Stream::cpu(), resource);
        let (state, returned) = (std::sync::Mutex::default(), Condvar::new());
        Box::leak(Box::new(Self { device, ctx, most, state, returned }))
    }

    /// The GPU that copies the memory.
    pub(crate) fn device(&self) -> Device {
        self.device
    }

    /// The context in which [taken](Self::try_take) memory is allocated.
    pub(crate) fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many bytes, once the GPU has read enough; `None` where threads have too many for that. Fails with what the
    /// GPU's work failed with.
    pub(crate) fn try_take(&'static self, bytes: usize) -> Result<Option<Taken>> {
        self.take(bytes, false)
    }

    /// A block of so many bytes, once the GPU and other threads have given enough back. Whoever has a block waits for
    /// no other before it is given back: threads that help each other out do not wait in a circle.
    ///
    /// Fails with the error of the GPU's work, and where memory cannot be had.
    pub(crate) fn take_block(&'static self, bytes: usize) -> Result<(Taken, Allocation)> {
        let taken = self.take(bytes, true)?;
        let taken =
            taken.ok_or_else(|| Error::logic(format!("{bytes} bytes of a share of {}", self.most)))?;
        let kept = {
            let kept = &mut self.state().kept;
            let found = kept.iter().rposition(|block| block.bytes() == bytes);
            found.map(|i| kept.swap_remove(i))
        };
        // On failure `taken` goes back, and a thread that waits tries for itself.
        let block = kept.map_or_else(|| Allocation::uninit(bytes, &self.ctx), Ok)?;
        Ok((taken, block))
    }

    fn take(&'static self, bytes: usize, waits: bool) -> Result<Option<Taken>> {
        if bytes > self.most {
            return Ok(None);
        }
        let mut state = self.state();
        loop {
            let fits = state.taken + bytes <= self.most;
            let is_read = |pending: &Pending| pending.done.has_happened().unwrap_or(true);
            if state.pending.front().is_some_and(|oldest| !fits || is_read(oldest))
                && let Some(oldest) = state.pending.pop_front()
            {
                drop(state);
                oldest.finish()?;
                state = self.state();
            } else if fits {
                state.taken += bytes;
                return Ok(Some(Taken { share: self, bytes }));
            } else if waits {
                state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                return Ok(None);
            }
        }
    }

    /// Waits for all that the GPU reads.
    #[cfg(test)]
    pub(crate) fn settle(&'static self) -> usize {
        loop {
            let next = self.state().pending.pop_front();
            match next {
                Some(pending) => pending.finish().unwrap(),
                None => return self.state().taken,
            }
        }
    }
}

impl Pending {
    /// Waits for the GPU and gives the memory back.
    fn finish(self) -> Result<()> {
        // The memory is given back before its bytes.
        let Self { taken, memory, done, is_kept } = self;
        done.synchronize()?;
        if is_kept {
            taken.keep(memory);
        }
        Ok(())
    }
}

impl Taken {
    /// The share that the bytes are of.
    pub(crate) fn share(&self) -> &'static Share {
        self.share
    }

    /// Gives the bytes back, and their memory as a block for the next who takes one of the size.
    pub(crate) fn keep(self, memory: Allocation) {
        self.share.state().kept.push(memory);
    }

    /// [`keep`](Self::keep) once `done` has happened, up to which a GPU reads the memory.
    pub(crate) fn keep_after(self, done: Event, memory: Allocation) {
        self.queue(done, memory, true);
    }

    /// Gives the bytes back and frees their memory once `done` has happened, up to which a GPU reads it.
    pub(crate) fn free_after(self, done: Event, memory: Allocation) {
        self.queue(done, memory, false);
    }

    fn queue(self, done: Event, memory: Allocation, is_kept: bool) {
        let share = self.share;
        share.state().pending.push_back(Pending { done, memory, taken: self, is_kept });
        // A thread that waits for others can wait for the GPU now.
        share.returned.notify_one();
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.share.state().taken -= self.bytes;
        self.share.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::driver::emulator::{Emulator, LOSING};
    use crate::memory::MemoryResource;

    const BLOCK: usize = 4096;

    /// Memory of the CPU, of which every second block cannot be had.
    struct Scarce(AtomicUsize);

    impl MemoryResource for Scarce {
        fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
            if self.0.fetch_add(1, Ordering::SeqCst) % 2 == 1 {
                return Err(Error::logic("a sticky failure"));
            }
            crate::CpuMemoryResource::global().allocate(bytes, stream)
        }

        unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
            // SAFETY: the caller gives back a block that `allocate` had from that resource.
            unsafe { crate::CpuMemoryResource::global().deallocate(ptr, bytes, stream) };
        }

        fn device(&self) -> Device {
            Device::Cpu
        }

        fn name(&self) -> &'static str {
            "Scarce"
        }
    }

    /// Of threads that wait for the only block, each gets one or fails: where one fails, the next tries.
    #[test]
    fn threads_that_wait_hear_of_failures_of_others() {
        let share = Share::over(Arc::new(Scarce(AtomicUsize::new(0))), Device::EMULATOR, BLOCK);
        let (taken, block) = share.take_block(BLOCK).unwrap();
        let (told, results) = std::sync::mpsc::channel();
        for _ in 0..6 {
            let told = told.clone();
            // Each frees its block rather than keep it: the next one asks the resource.
            std::thread::spawn(move || told.send(share.take_block(BLOCK).map(drop)).unwrap());
        }
        std::thread::sleep(Duration::from_millis(50));
        drop((block, taken));
        let results = (0..6).map(|_| results.recv_timeout(Duration::from_secs(20)).expect("a thread hangs"));
        let failed = results.filter(Result::is_err).count();
        assert_eq!((failed, share.state().taken), (3, 0));
    }

    /// So do they of work that failed on the GPU while it read a block.
    #[test]
    fn threads_that_wait_hear_of_failures_of_the_gpu() {
        let _alone = LOSING.lock();
        let device = Device::Cuda((1 << 16) + 2);
        let share = Share::new(device, BLOCK, 1).unwrap();
        let stream = Stream::new(device).unwrap();
        let (taken, block) = share.take_block(BLOCK).unwrap();
        let (told, results) = std::sync::mpsc::channel();
        for _ in 0..4 {
            let told = told.clone();
            std::thread::spawn(move || told.send(share.take_block(BLOCK).map(drop)).unwrap());
        }
        std::thread::sleep(Duration::from_millis(50));
        let done = Event::record(&stream).unwrap();
        Emulator::get().set_lost(device, true).unwrap();
        taken.keep_after(done, block);
        for _ in 0..4 {
            // Whether memory can be had then is the driver's affair.
            let _ = results.recv_timeout(Duration::from_secs(20)).expect("a thread hangs");
        }
        Emulator::get().set_lost(device, false).unwrap();
        assert_eq!(share.state().taken, 0);
    }

    #[test]
    fn blocks_are_kept_and_limits_hold() {
        let share = Share::new(Device::EMULATOR, 2 * BLOCK, 1).unwrap();
        let (first, block) = share.take_block(BLOCK).unwrap();
        let place = block.ptr();
        let second = share.try_take(BLOCK).unwrap().unwrap();
        assert!(share.try_take(1).unwrap().is_none());
        assert!(share.try_take(usize::MAX).unwrap().is_none());
        let stream = Stream::new(Device::EMULATOR).unwrap();
        first.keep_after(Event::record(&stream).unwrap(), block);
        // The GPU is waited for, and the block is the one that it read.
        let (_first, block) = share.take_block(BLOCK).unwrap();
        assert_eq!((block.ptr(), share.settle()), (place, 2 * BLOCK));
        drop(second);
        assert_eq!(share.settle(), BLOCK);
    }
}
