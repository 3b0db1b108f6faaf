//! Shared slices of one allocation.

use std::any::Any;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::{Error, Result};
use crate::host_uvec::HostUVec;

/// One allocation. Freed when the last [`Buffer`] that shares it is dropped.
enum BufferOwner {
    Ours(DeviceBuffer),
    Foreign { ptr: NonNull<u8>, _keep_alive: Box<dyn Any + Send + Sync> },
}

// SAFETY: memory of ours is `Send` and `Sync`; foreign memory is only read, and stays valid and
// unchanged by the promise to `Buffer::from_foreign`.
unsafe impl Send for BufferOwner {}
// SAFETY: as above.
unsafe impl Sync for BufferOwner {}

/// A read-only slice of one allocation; cloning shares the allocation.
#[derive(Clone)]
pub struct Buffer {
    owner: Arc<BufferOwner>,
    offset: usize,
    len: usize,
}

impl Buffer {
    /// A copy of `bytes` in memory of the context's resource.
    pub fn copy_from_slice(bytes: &[u8], ctx: &Context) -> Result<Self> {
        Ok(HostUVec::from_slice(bytes, ctx)?.into_buffer())
    }

    /// The first `len` bytes of host memory that nothing else uses.
    pub(crate) fn from_host_memory(memory: DeviceBuffer, len: usize) -> Self {
        debug_assert!(memory.device() == Device::Cpu && len <= memory.len());
        Self { owner: Arc::new(BufferOwner::Ours(memory)), offset: 0, len }
    }

    /// Memory that somebody else owns, kept alive by `keep_alive` and never written through.
    ///
    /// # Safety
    /// `ptr` points to `len` readable host bytes that stay valid and unchanged while `keep_alive`
    /// lives (`ptr` may be anything when `len` is 0).
    pub unsafe fn from_foreign(ptr: NonNull<u8>, len: usize, keep_alive: impl Any + Send + Sync) -> Self {
        let owner = BufferOwner::Foreign { ptr, _keep_alive: Box::new(keep_alive) };
        Self { owner: Arc::new(owner), offset: 0, len }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device the memory lives on.
    pub fn device(&self) -> Device {
        match &*self.owner {
            BufferOwner::Ours(memory) => memory.device(),
            BufferOwner::Foreign { .. } => Device::Cpu,
        }
    }

    /// The address of the first byte, for identity and for exporting; read-only.
    pub fn as_ptr(&self) -> *const u8 {
        let start = match &*self.owner {
            BufferOwner::Ours(memory) => memory.as_ptr(),
            BufferOwner::Foreign { ptr, .. } => ptr.as_ptr(),
        };
        // SAFETY: slices stay inside the allocation, so the address stays in it or one past.
        unsafe { start.add(self.offset) }
    }

    /// The allocation, where it is one of ours.
    pub(crate) fn device_buffer(&self) -> Option<&DeviceBuffer> {
        match &*self.owner {
            BufferOwner::Ours(memory) => Some(memory),
            BufferOwner::Foreign { .. } => None,
        }
    }

    /// How many buffers share the allocation.
    pub fn use_count(&self) -> usize {
        Arc::strong_count(&self.owner)
    }

    /// The bytes.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where they are on a GPU.
    pub fn as_slice(&self) -> Result<&[u8]> {
        match self.device() {
            // SAFETY: [offset, offset + len) lies inside the allocation, which is host memory, lives
            // as long as `self` and is not written once it is in a `Buffer`.
            Device::Cpu => Ok(unsafe { std::slice::from_raw_parts(self.as_ptr(), self.len) }),
            device @ Device::Cuda(_) => {
                Err(Error::logic(format!("a buffer on {device} cannot be read by the host; copy it")))
            }
        }
    }

    /// The same bytes on the context's device: shared where they are there already, else copied.
    pub fn to_device(&self, ctx: &Context) -> Result<Self> {
        if self.device() == ctx.resource().device() {
            return Ok(self.clone());
        }
        match &*self.owner {
            BufferOwner::Foreign { .. } => DeviceBuffer::from_host(self.as_slice()?, ctx)?.try_into(),
            BufferOwner::Ours(memory) => {
                let mut copy = DeviceBuffer::uninit(self.len, ctx)?;
                copy.copy_range_from(0, memory, self.offset..self.offset + self.len)?;
                copy.try_into()
            }
        }
    }

    /// The bytes as elements of `T`.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) when the address or the length does not fit `T`.
    pub fn typed<T: bytemuck::AnyBitPattern>(&self) -> Result<&[T]> {
        if self.len == 0 {
            return Ok(&[]);
        }
        bytemuck::try_cast_slice(self.as_slice()?).map_err(|e| {
            Error::logic(format!(
                "a buffer of {} bytes at {:p} does not hold {}: {e}",
                self.len,
                self.as_ptr(),
                std::any::type_name::<T>()
            ))
        })
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
        Ok(Self { owner: Arc::new(BufferOwner::Ours(memory)), offset: 0, len })
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
        assert_eq!(part.as_slice().unwrap(), [4, 5, 6, 7]);
        assert_eq!(part.slice(1, 2).unwrap().as_slice().unwrap(), [5, 6]);
        assert_eq!(buffer.use_count(), 2);
        assert_eq!(part.typed::<u32>().unwrap().len(), 1);
        for (start, len) in [(9, 0), (8, 1), (usize::MAX, 2)] {
            assert_eq!(buffer.slice(start, len).unwrap_err().kind(), ErrorKind::OutOfRange);
        }
        assert_eq!(buffer.slice(1, 4).unwrap().typed::<u32>().unwrap_err().kind(), ErrorKind::Logic);
    }

    #[test]
    fn foreign_memory_is_kept_alive() {
        let bytes = Arc::new(vec![7u8; 100]);
        let ptr = NonNull::new(bytes.as_ptr().cast_mut()).unwrap();
        // SAFETY: the Arc keeps the vector alive and nobody writes to it.
        let buffer = unsafe { Buffer::from_foreign(ptr, 100, Arc::clone(&bytes)) };
        assert_eq!(Arc::strong_count(&bytes), 2);
        assert_eq!(buffer.as_slice().unwrap()[99], 7);
        drop(buffer);
        assert_eq!(Arc::strong_count(&bytes), 1);
    }
}
