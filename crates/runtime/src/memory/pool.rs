//! Parts of large blocks, in stream order.
//!
//! Best fit with coalescing, and one set of free blocks per stream: memory freed by a stream is available to
//! it again at once, because its work is in order. Only when a stream's own blocks do not suffice does it
//! take those of another, after an event. The scheme is that of RMM's `stream_ordered_memory_resource`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ptr::NonNull;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use super::resource::exhausted;
use super::{MemoryResource, NO_BYTES, SharedResource};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::fork::{self, Mutex, MutexGuard};
use crate::log;
use crate::stream::{Stream, Ticket};

/// Sizes are multiples of this many bytes.
const GRAIN: usize = 256;
/// Freed blocks of up to this many grains are kept as they are for the next request of their size.
const QUICK: usize = 16;
/// Time that an allocation waits for blocks that other threads take from upstream, at most: upstream may wait for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hands out parts of large blocks of another resource, which it keeps until it is dropped.
pub struct PoolMemoryResource {
    upstream: SharedResource,
    maximum: usize,
    pool: Mutex<Pool>,
}

#[derive(Default)]
struct Pool {
    /// Address and size of the blocks taken from upstream.
    blocks: BTreeMap<usize, usize>,
    size: usize,
    in_use: usize,
    free: HashMap<u64, FreeBlocks>,
    /// Threads that take a block from upstream; `size` has it already.
    growing: Vec<ThreadId>,
    /// Blocks that upstream has given so far.
    grown: u64,
}

/// Blocks that one stream has freed.
#[derive(Default)]
struct FreeBlocks {
    by_address: BTreeMap<usize, usize>,
    by_size: BTreeSet<(usize, usize)>,
    /// Blocks of 1, 2, … grains, not coalesced.
    quick: [Vec<usize>; QUICK],
    /// The stream's last free.
    freed: Ticket,
}

impl FreeBlocks {
    fn insert(&mut self, mut address: usize, mut size: usize, starts: &BTreeMap<usize, usize>) {
        // Blocks of upstream are never joined: they are given back one by one.
        if let Some((&before, &length)) = self.by_address.range(..address).next_back()
            && before + length == address
            && !starts.contains_key(&address)
        {
            self.remove(before, length);
            (address, size) = (before, length + size);
        }
        if let Some(&length) = self.by_address.get(&(address + size))
            && !starts.contains_key(&(address + size))
        {
            self.remove(address + size, length);
            size += length;
        }
        self.by_address.insert(address, size);
        self.by_size.insert((size, address));
    }

    fn remove(&mut self, address: usize, size: usize) {
        self.by_address.remove(&address);
        self.by_size.remove(&(size, address));
    }

    /// The smallest block of at least `size` bytes; the rest stays free.
    fn take(&mut self, size: usize) -> Option<usize> {
        if let Some(address) = self.quick.get_mut(size / GRAIN - 1).and_then(Vec::pop) {
            return Some(address);
        }
        let &(length, address) = self.by_size.range((size, 0)..).next()?;
        self.remove(address, length);
        if length > size {
            self.by_address.insert(address + size, length - size);
            self.by_size.insert((length - size, address + size));
        }
        Some(address)
    }

    fn free(&mut self, address: usize, size: usize, starts: &BTreeMap<usize, usize>) {
        match self.quick.get_mut(size / GRAIN - 1) {
            Some(blocks) => blocks.push(address),
            None => self.insert(address, size, starts),
        }
    }

    /// Joins the blocks that were kept unjoined.
    fn coalesce(&mut self, starts: &BTreeMap<usize, usize>) {
        for i in 0..QUICK {
            for address in std::mem::take(&mut self.quick[i]) {
                self.insert(address, (i + 1) * GRAIN, starts);
            }
        }
    }

    fn largest(&self) -> usize {
        self.by_size.last().map_or(0, |&(size, _)| size)
    }
}

impl Pool {
    /// Whether another thread takes a block from upstream.
    fn is_growing(&self) -> bool {
        self.growing.iter().any(|id| *id != thread::current().id())
    }

    /// A block of `size` bytes that `stream` may use at once, now handed out.
    fn take(&mut self, size: usize, stream: &Stream) -> Option<usize> {
        let address = self.free.get_mut(&stream.id())?.take(size)?;
        self.in_use += size;
        Some(address)
    }

    /// Takes back a block that `stream` has done with.
    fn give(&mut self, address: usize, size: usize, stream: &Stream) {
        self.in_use -= size;
        let free = self.free.entry(stream.id()).or_default();
        free.freed = stream.issue();
        free.free(address, size, &self.blocks);
    }

    fn take_over_and_take(
        &mut self,
        largest: Option<usize>,
        size: usize,
        stream: &Stream,
    ) -> Result<Option<usize>> {
        self.take_over(largest, stream)?;
        Ok(self.take(size, stream))
    }

    /// Moves the free blocks of other streams to `stream`, which waits for them: those of one stream
    /// that has a block of `size` bytes, or of all.
    fn take_over(&mut self, size: Option<usize>, stream: &Stream) -> Result<()> {
        let mine = stream.id();
        let Self { free, blocks, .. } = self;
        for free in free.values_mut() {
            free.coalesce(blocks);
        }
        let others: Vec<u64> = free
            .iter()
            .filter(|&(&id, free)| id != mine && size.is_none_or(|size| free.largest() >= size))
            .map(|(&id, _)| id)
            .take(if size.is_some() { 1 } else { usize::MAX })
            .collect();
        for id in others {
            if let Some(theirs) = free.get(&id) {
                // Fails before anything has moved.
                stream.after(&theirs.freed)?;
            }
            let theirs = free.remove(&id).unwrap_or_default();
            let own = free.entry(mine).or_default();
            for (address, size) in theirs.by_address {
                own.insert(address, size, blocks);
            }
            own.freed = stream.issue();
        }
        Ok(())
    }
}

impl PoolMemoryResource {
    /// A pool over `upstream` that begins with `initial` bytes and grows to `maximum` at most
    /// (`None`: until upstream has no more). Both are rounded down to multiples of 256.
    ///
    /// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) where `initial` is larger than
    /// `maximum`, and where either is larger than the device.
    pub fn new(upstream: SharedResource, initial: usize, maximum: Option<usize>) -> Result<Self> {
        let device = upstream.device();
        let total = device.memory_info()?.total;
        let limit = maximum.unwrap_or(usize::MAX);
        if initial > limit {
            return Err(Error::invalid_argument(format!(
                "`initial_pool_size` is {initial} bytes, more than `maximum_pool_size` of {limit}"
            )));
        }
        for (name, size) in [("initial_pool_size", Some(initial)), ("maximum_pool_size", maximum)] {
            if let Some(size) = size.filter(|&size| size > total) {
                return Err(Error::invalid_argument(format!(
                    "`{name}` is {size} bytes; {device} has {total} bytes in all"
                )));
            }
        }
        let this = Self { upstream, maximum: limit / GRAIN * GRAIN, pool: Mutex::default() };
        let initial = initial / GRAIN * GRAIN;
        if initial > 0 {
            let stream = Stream::current(device)?;
            match this.grow(initial, initial, &stream)? {
                Some(address) => this.lock().give(address, initial, &stream),
                None => return Err(exhausted(&this, initial, 0, None)),
            }
        }
        Ok(this)
    }

    /// Bytes taken from upstream.
    pub fn pool_size(&self) -> usize {
        self.lock().size
    }

    /// Bytes handed out, rounded up to multiples of 256.
    pub fn used_bytes(&self) -> usize {
        self.lock().in_use
    }

    /// The largest allocation that needs no growth, if all streams were done.
    pub fn largest_free(&self) -> usize {
        let mut pool = self.lock();
        let mut all = FreeBlocks::default();
        let Pool { free, blocks, .. } = &mut *pool;
        for stream in free.values_mut() {
            stream.coalesce(blocks);
            for (&address, &size) in &stream.by_address {
                all.insert(address, size, blocks);
            }
        }
        all.largest()
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock()
    }

    /// Takes a block of `wanted` bytes from upstream and from it one of `size`; `None` where the
    /// maximum or upstream does not allow it. No lock is held while upstream is asked, which may call
    /// back and free memory of this pool.
    fn grow(&self, wanted: usize, size: usize, stream: &Stream) -> Result<Option<usize>> {
        {
            let mut pool = self.lock();
            if wanted > self.maximum - pool.size {
                return Ok(None);
            }
            pool.size += wanted;
            pool.growing.push(thread::current().id());
        }
        let block = self.upstream.allocate(wanted, stream);
        let mut guard = self.lock();
        let pool = &mut *guard;
        if let Some(own) = pool.growing.iter().rposition(|id| *id == thread::current().id()) {
            pool.growing.swap_remove(own);
        }
        match block {
            Ok(block) => {
                let block = block.as_ptr() as usize;
                pool.grown += 1;
                pool.blocks.insert(block, wanted);
                let free = pool.free.entry(stream.id()).or_default();
                free.insert(block, wanted, &pool.blocks);
                free.freed = stream.issue();
                Ok(pool.take(size, stream))
            }
            Err(error) => {
                pool.size -= wanted;
                if error.kind() == ErrorKind::OutOfMemory { Ok(None) } else { Err(error) }
            }
        }
    }

    /// Doubles the size of the pool, so that it consists of few blocks of upstream; where that is too much, grows by
    /// `size` bytes.
    fn grow_for(&self, size: usize, stream: &Stream) -> Result<Option<usize>> {
        let has = self.lock().size;
        let doubled = has.max(size).min(self.maximum - has).max(size);
        match self.grow(doubled, size, stream)? {
            None if doubled > size => self.grow(size, size, stream),
            found => Ok(found),
        }
    }
}

impl MemoryResource for PoolMemoryResource {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        if bytes == 0 {
            return Ok(NO_BYTES);
        }
        let out_of_memory = || {
            let limit = (self.maximum != usize::MAX / GRAIN * GRAIN).then_some(self.maximum);
            exhausted(self, bytes, self.used_bytes(), limit)
        };
        let size = bytes.checked_next_multiple_of(GRAIN).ok_or_else(out_of_memory)?;
        let begin = Instant::now();
        loop {
            let (others_grow, grown) = {
                let pool = self.lock();
                (pool.is_growing(), pool.grown)
            };
            // Tried in this order: blocks that this stream freed, those of one other stream that has a block of the
            // size, fresh memory of upstream, and the free blocks of all streams together.
            let mut found = self.lock().take(size, stream);
            if found.is_none() {
                found = self.lock().take_over_and_take(Some(size), size, stream)?;
            }
            if found.is_none() {
                found = self.grow_for(size, stream)?;
            }
            if found.is_none() {
                found = self.lock().take_over_and_take(None, size, stream)?;
            }
            if let Some(block) = found.and_then(|address| NonNull::new(address as *mut u8)) {
                return Ok(block);
            }
            // The block that another thread takes from upstream counts already, and may have room for this one, too.
            let may_find_more = others_grow || {
                let pool = self.lock();
                pool.is_growing() || pool.grown != grown
            };
            if !may_find_more || begin.elapsed() > PATIENCE {
                return Err(out_of_memory());
            }
            thread::sleep(Duration::from_micros(50));
        }
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        if bytes == 0 {
            return;
        }
        self.lock().give(ptr.as_ptr() as usize, bytes.next_multiple_of(GRAIN), stream);
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "PoolMemoryResource"
    }
}

impl Drop for PoolMemoryResource {
    fn drop(&mut self) {
        let pool = std::mem::take(&mut *self.lock());
        for free in pool.free.values() {
            if let Err(error) = free.freed.synchronize()
                && fork::generation() == 0
            {
                log::error!("{}: {error}", self.name());
            }
        }
        let stream = Stream::current(self.device()).unwrap_or_default();
        for (block, size) in pool.blocks {
            if let Some(block) = NonNull::new(block as *mut u8) {
                // SAFETY: the block came from `allocate` with this size; every part of it is back,
                // since each keeps the pool alive, and every stream is done with it.
                unsafe { self.upstream.deallocate(block, size, &stream) };
            }
        }
    }
}
