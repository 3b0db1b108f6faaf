//! Slices of one allocation that may share it, be exposed to others and be moved out of the way.

mod owner;

use std::any::Any;
use std::fmt;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};

use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::device_uvec::{DeviceSpan, DeviceSpanMut};
use crate::error::{Error, Result};
use crate::memory::ForeignMemory;
use crate::spill::Tier;
use crate::stream::Stream;

use owner::BufferOwner;
pub(crate) use owner::Pin;
pub use owner::{LateReader, SpillLock, copy_on_write, set_copy_on_write, with_copy_on_write};

/// A read-only slice of one allocation; cloning shares the allocation.
///
/// The bytes are read through a [`span`](Self::span), which keeps them where they are for as long as it
/// lives; at other times they may be moved to slower memory.
#[derive(Clone)]
pub struct Buffer {
    owner: Arc<BufferOwner>,
    offset: usize,
    len: usize,
}

impl Buffer {
    /// The first `len` bytes of memory that nothing else uses.
    fn owning(memory: DeviceBuffer, len: usize) -> Self {
        Self { owner: Arc::new(BufferOwner::new(memory)), offset: 0, len }
    }

    /// The first `len` bytes of host memory that nothing else uses.
    pub(crate) fn from_host_memory(memory: DeviceBuffer, len: usize) -> Self {
        debug_assert!(memory.device() == Device::Cpu && len <= memory.len());
        Self::owning(memory, len)
    }

    /// Host memory that somebody else owns, kept alive by `keep_alive` and never written through.
    ///
    /// # Safety
    /// `ptr` points to `len` readable host bytes that stay valid and unchanged while `keep_alive`
    /// lives (`ptr` may be anything when `len` is 0).
    pub unsafe fn from_foreign(ptr: NonNull<u8>, len: usize, keep_alive: impl Any + Send + Sync) -> Self {
        // SAFETY: the caller's bytes are valid and unchanged while `keep_alive` lives; the CPU's stream runs work at once.
        unsafe { Self::from_foreign_on(&Stream::cpu(), ptr, len, keep_alive) }
    }

    /// Memory of the stream's device that somebody else owns, kept alive by `keep_alive` and never
    /// written through. Before the owner is let go, the stream waits for all work that reads it.
    ///
    /// # Safety
    /// `ptr` points to `len` readable bytes of the stream's device that stay valid and unchanged while
    /// `keep_alive` lives; work that writes them is done, or comes before in the order of `stream`.
    pub unsafe fn from_foreign_on(
        stream: &Stream,
        ptr: NonNull<u8>,
        len: usize,
        keep_alive: impl Any + Send + Sync,
    ) -> Self {
        let owner = Arc::new(ForeignMemory::new(stream.device(), keep_alive));
        // SAFETY: the caller's bytes are valid while `owner` lives, which takes the block back without freeing it.
        let memory = unsafe { DeviceBuffer::from_raw(ptr, len, owner, stream.clone()) };
        Self::owning(memory, len)
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device whose work reads the bytes, wherever they are at this moment.
    pub fn device(&self) -> Device {
        self.owner.device()
    }

    /// The address of the first byte at this moment, aligned as it always will be. It identifies
    /// memory while a [`span`](Self::span) keeps it, and is not to be read through without one.
    pub fn as_ptr(&self) -> *const u8 {
        self.owner.as_ptr().wrapping_add(self.offset)
    }

    /// A number of the allocation, that no other has while it lives.
    pub fn allocation_id(&self) -> usize {
        Arc::as_ptr(&self.owner).addr()
    }

    /// Whether both begin at the same byte of the same allocation.
    pub fn is_same_memory(&self, other: &Self) -> bool {
        self.position_in(other) == Some(0)
    }

    /// The number of bytes between the beginning of `block` and its own; `None` in front of it and in other
    /// allocations.
    pub fn position_in(&self, block: &Self) -> Option<usize> {
        self.offset.checked_sub(block.offset).filter(|_| Arc::ptr_eq(&self.owner, &block.owner))
    }

    /// Lets `stream` wait until the bytes are written, for readers outside of this library.
    pub fn ready_on(&self, stream: &Stream) -> Result<()> {
        self.owner.pin()?.0.accesses().before_read(stream)
    }

    /// The bytes as elements of `T` on whatever device they are, for algorithms, kernels and primitives;
    /// a last incomplete element is left out. They stay where they are while the span lives, and are
    /// brought back first where they are not there.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where the address does not fit `T`, and where the
    /// bytes cannot be brought back.
    pub fn span<T: bytemuck::Pod>(&self) -> Result<DeviceSpan<'_, T>> {
        let (memory, pin) = self.owner.pin()?;
        DeviceSpan::pinned(memory, self.offset, self.len / size_of::<T>(), pin)
    }

    /// The address of the first byte for readers outside of this library, good for as long as the
    /// allocation lives: it is never moved again, and shallow copies of its contents are copies from
    /// now on.
    pub fn expose(&self) -> Result<NonNull<u8>> {
        let memory = self.owner.expose()?;
        let first = NonNull::new(memory.as_ptr().wrapping_add(self.offset).cast_mut());
        first.ok_or_else(|| Error::logic("a buffer has no address"))
    }

    /// Remembers who reads the bytes later: before the address is [given to somebody outside](Self::expose), who may
    /// write there, it [reads](LateReader::read_now). False where somebody has the address already.
    #[must_use]
    pub fn read_late(&self, reader: Weak<dyn LateReader>) -> bool {
        self.owner.read_late(reader)
    }

    /// Has those who [read the bytes later](Self::read_late) read, before somebody writes there.
    pub fn settle_late_readers(&self) -> Result<()> {
        self.owner.settle_late_readers()
    }

    /// Whether somebody outside of this library was given the address.
    pub fn is_exposed(&self) -> bool {
        self.owner.is_exposed()
    }

    /// Keeps the allocation where it is until the lock is dropped, for programs that cannot borrow a
    /// [`span`](Self::span). The address is [`as_ptr`](Self::as_ptr).
    pub fn spill_lock(&self) -> Result<SpillLock> {
        self.owner.lock()
    }

    /// Whether the manager may move the allocation at this moment: nobody uses it or was given its address.
    pub fn is_spillable(&self) -> bool {
        self.owner.movable().is_some_and(|movable| movable.is_idle())
    }

    /// Whether the bytes are away from their device.
    pub fn is_spilled(&self) -> bool {
        self.owner.movable().is_some_and(|movable| movable.is_away())
    }

    /// Whether the manager knows the allocation.
    pub fn is_managed(&self) -> bool {
        self.owner.movable().is_some()
    }

    /// The tier the bytes are in.
    pub fn tier(&self) -> Tier {
        self.owner.movable().map_or(Tier::of(self.device()), |movable| movable.tier())
    }

    /// Moves the whole allocation away from its device; gives the bytes that are free there now, 0 where it
    /// cannot move at this moment. See [`spill`](crate::spill).
    pub fn spill(&self) -> Result<usize> {
        self.owner.movable().map_or(Ok(0), |movable| movable.spill())
    }

    /// Whether it was made while [`copy_on_write`] was on.
    pub fn copies_on_write(&self) -> bool {
        self.owner.copies_on_write()
    }

    /// Whether another library owns the memory, which is not to be written then.
    pub fn is_foreign(&self) -> bool {
        self.owner.is_foreign()
    }

    /// The whole allocation that it is a slice of.
    #[must_use]
    pub fn allocation(&self) -> Self {
        Self { owner: Arc::clone(&self.owner), offset: 0, len: self.owner.len() }
    }

    /// Whether no other buffer shares the allocation and no other library owns it.
    pub fn is_exclusive(&self) -> bool {
        !self.owner.is_foreign() && self.use_count() == 1
    }

    /// The same bytes in memory of the context that nothing else uses.
    pub fn copy(&self, ctx: &Context) -> Result<Self> {
        let mut copy = DeviceBuffer::uninit(self.len, ctx)?;
        self.copy_to(&mut copy, 0)?;
        copy.try_into()
    }

    /// The bytes as elements of `T`, for writing. If other buffers share the allocation, or another library
    /// owns it, they are copied to memory of the context first, so that the writes are seen nowhere else.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where the address does not fit `T`, with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where a copy would be on another device.
    pub fn make_mut<T: bytemuck::Pod>(&mut self, ctx: &Context) -> Result<DeviceSpanMut<'_, T>> {
        if !self.is_exclusive() {
            let (here, there) = (self.device(), ctx.resource().device());
            if here != there {
                return Err(Error::invalid_argument(format!(
                    "`ctx` is one of {there}, the buffer to be written is on {here}"
                )));
            }
            let mut copy = self.copy(ctx)?;
            if let Some(owner) = Arc::get_mut(&mut copy.owner) {
                owner.take_mode_of(&self.owner);
            }
            *self = copy;
        }
        let (offset, len) = (self.offset, self.len / size_of::<T>());
        let owner = Arc::get_mut(&mut self.owner);
        let owner = owner.ok_or_else(|| Error::logic("a buffer is shared while it is written"))?;
        let (memory, pin) = owner.pin_mut()?;
        DeviceSpanMut::pinned(memory, offset, len, pin)
    }

    /// The number of buffers that share the allocation.
    pub fn use_count(&self) -> usize {
        Arc::strong_count(&self.owner)
    }

    /// The same bytes on the context's device: shared where they are there already, else copied.
    pub fn to_device(&self, ctx: &Context) -> Result<Self> {
        if self.device() == ctx.resource().device() { Ok(self.clone()) } else { self.copy(ctx) }
    }

    /// Writes the bytes into `target` from position `at` on, between any two devices; returns without
    /// waiting for a GPU. Bytes that are away are read from where they are, and stay there.
    pub fn copy_to(&self, target: &mut DeviceBuffer, at: usize) -> Result<()> {
        self.owner.copy_to(self.offset..self.offset + self.len, target, at)
    }

    /// The bytes `[start, start + len)` of the same allocation.
    pub fn slice(&self, start: usize, len: usize) -> Result<Self> {
        if start.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Error::out_of_range(format!(
                "bytes [{start}, {start} + {len}) of a buffer of {} bytes",
                self.len
            )));
        }
        Ok(Self { owner: Arc::clone(&self.owner), offset: self.offset + start, len })
    }
}

/// The memory, from now on shared and read-only. Waits for work that writes it where the host may
/// read it next; elsewhere readers wait for that in the order of their streams.
impl TryFrom<DeviceBuffer> for Buffer {
    type Error = Error;

    fn try_from(memory: DeviceBuffer) -> Result<Self> {
        if memory.device() == Device::Cpu {
            memory.as_host_slice()?;
        }
        let len = memory.len();
        Ok(Self::owning(memory, len))
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes at {:p} on {})", self.len, self.as_ptr(), self.device())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn slices_share_and_check_their_bounds() {
        let buffer = Buffer::copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7], &Context::current()).unwrap();
        let part = buffer.slice(4, 4).unwrap();
        assert_eq!(part.span::<u8>().unwrap().as_host_slice().unwrap(), [4, 5, 6, 7]);
        assert_eq!(part.slice(1, 2).unwrap().span::<u8>().unwrap().as_host_slice().unwrap(), [5, 6]);
        assert_eq!(buffer.use_count(), 2);
        assert_eq!(part.span::<u32>().unwrap().len(), 1);
        for (start, len) in [(9, 0), (8, 1), (usize::MAX, 2)] {
            assert_eq!(buffer.slice(start, len).unwrap_err().kind(), ErrorKind::OutOfRange);
        }
        assert_eq!(buffer.slice(1, 4).unwrap().span::<u32>().err().unwrap().kind(), ErrorKind::Logic);
    }

    /// One buffer writes in place, others write to copies, and memory of others is never written.
    #[test]
    fn writing_shows_in_no_other_buffer() {
        for device in [Device::Cpu, Device::EMULATOR] {
            let ctx = Context::on(device).unwrap();
            let made = DeviceBuffer::from_host(&[0, 1, 2, 3, 4, 5, 6, 7], &ctx).unwrap();
            let mut buffer = Buffer::try_from(made).unwrap().slice(2, 4).unwrap();
            let place = buffer.as_ptr();
            let bytes = |buffer: &Buffer| buffer.span::<u8>().unwrap().to_vec().unwrap();
            let mut in_place = buffer.make_mut::<u8>(&ctx).unwrap();
            assert_eq!((in_place.as_mut_ptr().cast_const(), in_place.len()), (place, 4));
            let other = buffer.clone();
            let mut copy = buffer.make_mut::<u8>(&ctx).unwrap();
            assert_ne!(copy.as_mut_ptr().cast_const(), place);
            if device == Device::Cpu {
                copy.into_host_slice().unwrap().fill(9);
                assert_eq!(bytes(&buffer), [9; 4]);
            }
            assert_eq!(bytes(&other), [2, 3, 4, 5]);
            let elsewhere = Context::on(if device == Device::Cpu { Device::EMULATOR } else { Device::Cpu });
            let shared = buffer.clone();
            let error = buffer.make_mut::<u8>(&elsewhere.unwrap()).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            drop(shared);
        }
        let bytes = Arc::new([7u8; 8]);
        let ptr = NonNull::new(bytes.as_ptr().cast_mut()).unwrap();
        // SAFETY: the Arc keeps the array alive and nobody writes to it.
        let mut foreign = unsafe { Buffer::from_foreign(ptr, 8, Arc::clone(&bytes)) };
        foreign.make_mut::<u8>(&Context::current()).unwrap().into_host_slice().unwrap().fill(1);
        assert_eq!((*bytes, foreign.span::<u8>().unwrap().to_vec().unwrap()), ([7; 8], vec![1; 8]));
        let mut odd = foreign.slice(1, 5).unwrap();
        drop(foreign);
        assert_eq!(odd.make_mut::<u32>(&Context::current()).err().unwrap().kind(), ErrorKind::Logic);
    }

    #[test]
    fn foreign_memory_is_kept_alive() {
        let bytes = Arc::new(vec![7u8; 100]);
        let ptr = NonNull::new(bytes.as_ptr().cast_mut()).unwrap();
        // SAFETY: the Arc keeps the vector alive and nobody writes to it.
        let buffer = unsafe { Buffer::from_foreign(ptr, 100, Arc::clone(&bytes)) };
        assert_eq!(Arc::strong_count(&bytes), 2);
        assert_eq!(buffer.span::<u8>().unwrap().as_host_slice().unwrap()[99], 7);
        drop(buffer);
        assert_eq!(Arc::strong_count(&bytes), 1);
    }
}
