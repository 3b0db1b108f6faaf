//! Blocks of one size.

use std::collections::HashMap;
use std::ptr::NonNull;

use super::resource::exhausted;
use super::{MemoryResource, NO_BYTES, SharedResource};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork::{self, Mutex, MutexGuard};
use crate::host_vec;
use crate::log;
use crate::stream::{Stream, Ticket};

/// Hands out blocks of one size, taken from another resource in large chunks that are kept.
pub struct FixedSizeMemoryResource {
    upstream: SharedResource,
    block_size: usize,
    blocks_per_chunk: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    chunks: Vec<usize>,
    /// Free blocks by the stream they were freed on, with that stream's last free.
    free: HashMap<u64, Free>,
    in_use: usize,
}

#[derive(Default)]
struct Free {
    blocks: Vec<usize>,
    freed: Ticket,
}

impl State {
    /// A free block that `stream` may use at once, now handed out.
    fn take(&mut self, stream: &Stream) -> Result<Option<usize>> {
        let mut block = self.free.get_mut(&stream.id()).and_then(|free| free.blocks.pop());
        if block.is_none()
            && let Some(free) = self.free.values_mut().find(|free| !free.blocks.is_empty())
        {
            // A block of another stream, once this one comes after the frees there.
            stream.after(&free.freed)?;
            block = free.blocks.pop();
        }
        self.in_use += usize::from(block.is_some());
        Ok(block)
    }
}

impl FixedSizeMemoryResource {
    /// Blocks of `block_size` bytes (rounded up to a multiple of 256), `blocks_per_chunk` of them
    /// from `upstream` at a time.
    pub fn new(upstream: SharedResource, block_size: usize, blocks_per_chunk: usize) -> Result<Self> {
        for (name, value) in [("block_size", block_size), ("blocks_to_preallocate", blocks_per_chunk)] {
            if value == 0 {
                return Err(Error::invalid_argument(format!("`{name}` is 0")));
            }
        }
        let rounded =
            block_size.checked_next_multiple_of(256).filter(|b| b.checked_mul(blocks_per_chunk).is_some());
        let block_size = rounded.ok_or_else(|| {
            Error::overflow(format!("{blocks_per_chunk} blocks of {block_size} bytes do not fit in memory"))
        })?;
        Ok(Self { upstream, block_size, blocks_per_chunk, state: Mutex::default() })
    }

    /// The size of the blocks.
    pub fn block_size(&self) -> usize {
        self.block_size
    }

    /// Takes a chunk from upstream, its first block handed out. No lock is held while upstream is
    /// asked, which may call back and free blocks of this resource.
    fn grow(&self, stream: &Stream) -> Result<usize> {
        let mut others = host_vec::with_capacity(self.blocks_per_chunk - 1)?;
        let chunk = self.upstream.allocate(self.block_size * self.blocks_per_chunk, stream)?;
        let first = chunk.as_ptr() as usize;
        let mut state = self.lock();
        state.chunks.push(first);
        state.in_use += 1;
        let free = state.free.entry(stream.id()).or_default();
        others.extend((1..self.blocks_per_chunk).rev().map(|i| first + i * self.block_size));
        // Mostly there are none left.
        others.append(&mut free.blocks);
        free.blocks = others;
        free.freed = stream.issue();
        Ok(first)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl MemoryResource for FixedSizeMemoryResource {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        if bytes == 0 {
            return Ok(NO_BYTES);
        }
        if bytes > self.block_size {
            return Err(exhausted(self, bytes, self.lock().in_use * self.block_size, Some(self.block_size)));
        }
        let found = self.lock().take(stream)?;
        let block = match found {
            Some(block) => block,
            None => self.grow(stream)?,
        };
        NonNull::new(block as *mut u8).ok_or_else(|| exhausted(self, bytes, 0, None))
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        if bytes == 0 {
            return;
        }
        let mut state = self.lock();
        state.in_use -= 1;
        let free = state.free.entry(stream.id()).or_default();
        free.freed = stream.issue();
        free.blocks.push(ptr.as_ptr() as usize);
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "FixedSizeMemoryResource"
    }
}

impl Drop for FixedSizeMemoryResource {
    fn drop(&mut self) {
        let state = std::mem::take(&mut *self.lock());
        for free in state.free.values() {
            if let Err(error) = free.freed.synchronize()
                && fork::generation() == 0
            {
                log::error!("{}: {error}", self.name());
            }
        }
        let stream = Stream::current(self.device()).unwrap_or_default();
        for chunk in state.chunks.into_iter().filter_map(|chunk| NonNull::new(chunk as *mut u8)) {
            // SAFETY: the chunk came from `allocate` with this size; every block is back, since each
            // keeps the resource alive, and every stream is done with it.
            unsafe { self.upstream.deallocate(chunk, self.block_size * self.blocks_per_chunk, &stream) };
        }
    }
}
