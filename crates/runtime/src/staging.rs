//! Copies between a GPU and memory of the host that is not page-locked, through blocks that are.
//!
//! A driver copies such memory through a buffer of its own, with one thread, at a sixth of what the bus moves. Here
//! threads of the pool fill some blocks, or empty them, while the GPU copies others.

use std::collections::{HashMap, VecDeque};
use std::ptr::NonNull;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::Result;
use crate::memory::PinnedHostMemoryResource;
use crate::parallel;
use crate::stream::{Event, Stream};

/// The bytes of a block.
const BLOCK: usize = 2 << 20;
/// From here on a copy pays for the threads.
const LEAST: usize = 1 << 20;
/// The most blocks: two for every thread of so many.
const MOST_THREADS: usize = 16;

/// Which way bytes go.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    ToGpu,
    ToHost,
}

/// The blocks of a GPU. They are kept: locking pages is slow.
pub(crate) struct Staging {
    /// For the blocks' memory.
    ctx: Context,
    most: usize,
    blocks: Mutex<Blocks>,
    returned: Condvar,
}

#[derive(Default)]
struct Blocks {
    /// In the order in which they came back.
    free: VecDeque<Block>,
    made: usize,
}

struct Block {
    memory: DeviceBuffer,
    /// When the GPU is done with it.
    done: Option<Event>,
}

/// The blocks of the GPU of `stream` where a copy of `bytes` from or to `host` pays for them: not on the emulator, and
/// not where the memory is page-locked itself.
pub(crate) fn of(stream: &Stream, host: NonNull<u8>, bytes: usize) -> Option<Arc<Staging>> {
    static ALL: OnceLock<Mutex<HashMap<Device, Option<Arc<Staging>>>>> = OnceLock::new();
    let device = stream.device();
    if bytes < LEAST || device == Device::Cpu || device.is_emulated() {
        return None;
    }
    let (driver, ordinal, _) = stream.driver()?;
    if driver.is_page_locked(ordinal, host) {
        return None;
    }
    let mut all = ALL.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    // Where no pages can be locked, the driver copies.
    all.entry(device).or_insert_with(|| Staging::new(device).ok().map(Arc::new)).clone()
}

impl Staging {
    /// Fails where pages cannot be locked.
    pub(crate) fn new(device: Device) -> Result<Self> {
        let ctx = Context::new(Stream::cpu(), Arc::new(PinnedHostMemoryResource::new(device)?));
        let most = 2 * parallel::num_threads().min(MOST_THREADS);
        let staging = Self { ctx, most, blocks: Mutex::default(), returned: Condvar::new() };
        let first = staging.take()?;
        staging.give_back(first);
        Ok(staging)
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block with which the GPU is done. Whoever has one does not wait for others before it is given back.
    fn take(&self) -> Result<Block> {
        let mut blocks = self.blocks();
        loop {
            let is_done =
                |block: &Block| block.done.as_ref().is_none_or(|e| e.has_happened().unwrap_or(true));
            let may_make = blocks.made < self.most;
            if blocks.free.front().is_some_and(|block| is_done(block) || !may_make)
                && let Some(mut block) = blocks.free.pop_front()
            {
                drop(blocks);
                let done = block.done.take().map_or(Ok(()), |done| done.synchronize());
                if done.is_err() {
                    self.lost();
                }
                return done.map(|()| block);
            }
            if may_make {
                blocks.made += 1;
                drop(blocks);
                let made = DeviceBuffer::uninit(BLOCK, &self.ctx);
                if made.is_err() {
                    self.lost();
                }
                return made.map(|memory| Block { memory, done: None });
            }
            blocks = self.returned.wait(blocks).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// There is a block less: one of those who wait may make another, or fails as well.
    fn lost(&self) {
        self.blocks().made -= 1;
        self.returned.notify_one();
    }

    fn give_back(&self, block: Block) {
        self.blocks().free.push_back(block);
        self.returned.notify_one();
    }

    /// Copies `bytes` in order of `stream`. What comes from the host has been read, and what goes there is written,
    /// when this returns.
    ///
    /// # Safety
    /// Both ranges are valid and do not overlap; `gpu` stays so until the stream is done, and `host` is written by
    /// nobody else meanwhile where bytes go there.
    pub(crate) unsafe fn copy(
        &self,
        direction: Direction,
        gpu: NonNull<u8>,
        host: NonNull<u8>,
        bytes: usize,
        stream: &Stream,
    ) -> Result<()> {
        let (gpu, host) = (gpu.as_ptr().expose_provenance(), host.as_ptr().expose_provenance());
        parallel::for_ranges(bytes, BLOCK, &self.ctx, &|range| {
            let mut block = self.take()?;
            let at = |base: usize| std::ptr::with_exposed_provenance_mut::<u8>(base + range.start);
            // SAFETY: by the caller's promise; the block is this thread's, and the GPU is done with it.
            let copied = unsafe { block.copy(direction, at(gpu), at(host), range.len(), stream) };
            if copied.is_err() {
                // Part of it may be under way. What failed is told below.
                let _ = stream.synchronize();
            }
            self.give_back(block);
            copied
        })
    }
}

impl Block {
    /// # Safety
    /// As [`Staging::copy`], for at most [`BLOCK`] bytes; nobody else uses the block.
    unsafe fn copy(
        &mut self,
        direction: Direction,
        gpu: *mut u8,
        host: *mut u8,
        bytes: usize,
        stream: &Stream,
    ) -> Result<()> {
        let (Some((driver, device, on)), Some(gpu)) = (stream.driver(), NonNull::new(gpu)) else {
            return Ok(());
        };
        let own = NonNull::from(self.memory.as_host_slice_mut()?).cast::<u8>();
        if direction == Direction::ToGpu {
            // SAFETY: the host's range is the caller's, the block is large enough; it outlives the copy, whose end
            // the event tells.
            unsafe {
                std::ptr::copy_nonoverlapping(host.cast_const(), own.as_ptr(), bytes);
                driver.copy(device, gpu, own, bytes, on)?;
            }
            self.done = Some(Event::record(stream)?);
        } else {
            // SAFETY: as above, the other way.
            unsafe { driver.copy(device, own, gpu, bytes, on)? };
            Event::record(stream)?.synchronize()?;
            // SAFETY: the GPU has written the block.
            unsafe { std::ptr::copy_nonoverlapping(own.as_ptr().cast_const(), host, bytes) };
        }
        Ok(())
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(done) = self.done.take() {
            // A failure of the stream is told to those who synchronise with it.
            let _ = done.synchronize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_there_and_back_through_few_blocks() {
        let device = Device::EMULATOR;
        let mut staging = Staging::new(device).unwrap();
        staging.most = 3;
        let ctx = Context::on(device).unwrap();
        std::thread::scope(|scope| {
            for bytes in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 7 * BLOCK + 12_345] {
                let (staging, ctx) = (&staging, &ctx);
                scope.spawn(move || {
                    let source: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
                    let mut back = vec![0u8; bytes];
                    let there = DeviceBuffer::uninit(bytes, ctx).unwrap();
                    let gpu = NonNull::new(there.as_ptr().cast_mut()).unwrap();
                    ctx.stream().synchronize().unwrap();
                    let from = NonNull::from(source.as_slice()).cast();
                    let to = NonNull::from(back.as_mut_slice()).cast();
                    // SAFETY: the ranges are as long, and live until the streams are done.
                    unsafe {
                        staging.copy(Direction::ToGpu, gpu, from, bytes, ctx.stream()).unwrap();
                        staging.copy(Direction::ToHost, gpu, to, bytes, ctx.stream()).unwrap();
                    }
                    assert!(source == back, "{bytes} bytes");
                });
            }
        });
        let blocks = staging.blocks();
        assert!(blocks.made <= 3 && blocks.free.len() == blocks.made, "{}", blocks.made);
    }
}
