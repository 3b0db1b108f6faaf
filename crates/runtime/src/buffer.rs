//! Shared slices of one allocation.

use std::any::Any;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_uvec::HostUVec;
use crate::memory::MemoryResource;
use crate::stream::Stream;

/// One allocation and who gave it. Freed when the last [`Buffer`] that shares it is dropped.
pub(crate) struct BufferOwner {
    pub(crate) ptr: NonNull<u8>,
    pub(crate) bytes: usize,
    pub(crate) origin: Origin,
}

/// Where the memory came from, so that it can go back there.
pub(crate) enum Origin {
    Resource { resource: Arc<dyn MemoryResource>, stream: Stream },
    Foreign { _keep_alive: Box<dyn Any + Send + Sync> },
}

// SAFETY: the memory behind `ptr` is owned by this value; it is written only before it is shared
// (through the one `HostUVec` that owns it) and read-only afterwards.
unsafe impl Send for BufferOwner {}
// SAFETY: as above: shared access only reads.
unsafe impl Sync for BufferOwner {}

impl Drop for BufferOwner {
    fn drop(&mut self) {
        if let Origin::Resource { resource, stream } = &self.origin {
            // SAFETY: the block came from this resource with this size, and the last user is gone.
            unsafe { resource.deallocate(self.ptr, self.bytes, stream) };
        }
    }
}

/// A read-only slice of one allocation; cloning shares the allocation.
#[derive(Clone)]
pub struct Buffer {
    owner: Arc<BufferOwner>,
    offset: usize,
    len: usize,
}

impl Buffer {
    pub(crate) fn from_owner(owner: BufferOwner, len: usize) -> Self {
        debug_assert!(len <= owner.bytes);
        Self { owner: Arc::new(owner), offset: 0, len }
    }

    /// A copy of `bytes` in memory of the context's resource.
    pub fn copy_from_slice(bytes: &[u8], ctx: &Context) -> Result<Self> {
        Ok(HostUVec::from_slice(bytes, ctx)?.into_buffer())
    }

    /// Memory that somebody else owns, kept alive by `keep_alive` and never written through.
    ///
    /// # Safety
    /// `ptr` points to `len` readable host bytes that stay valid and unchanged while `keep_alive`
    /// lives (`ptr` may be anything when `len` is 0).
    pub unsafe fn from_foreign(ptr: NonNull<u8>, len: usize, keep_alive: impl Any + Send + Sync) -> Self {
        let origin = Origin::Foreign { _keep_alive: Box::new(keep_alive) };
        Self::from_owner(BufferOwner { ptr, bytes: len, origin }, len)
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
        match &self.owner.origin {
            Origin::Resource { resource, .. } => resource.device(),
            Origin::Foreign { .. } => Device::Cpu,
        }
    }

    /// The address of the first byte, for identity and for exporting; read-only.
    pub fn as_ptr(&self) -> *const u8 {
        // SAFETY: offset <= owner.bytes, so the address stays in or one past the allocation.
        unsafe { self.owner.ptr.as_ptr().add(self.offset) }
    }

    /// How many buffers share the allocation.
    pub fn use_count(&self) -> usize {
        Arc::strong_count(&self.owner)
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: [offset, offset + len) lies inside the allocation, which lives as long as
        // `self` and is not written while shared.
        unsafe { std::slice::from_raw_parts(self.as_ptr(), self.len) }
    }

    /// The bytes as elements of `T`.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) when the address or the length does not fit `T`.
    pub fn typed<T: bytemuck::AnyBitPattern>(&self) -> Result<&[T]> {
        if self.len == 0 {
            return Ok(&[]);
        }
        bytemuck::try_cast_slice(self.as_slice()).map_err(|e| {
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
        assert_eq!(part.as_slice(), [4, 5, 6, 7]);
        assert_eq!(part.slice(1, 2).unwrap().as_slice(), [5, 6]);
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
        assert_eq!(buffer.as_slice()[99], 7);
        drop(buffer);
        assert_eq!(Arc::strong_count(&bytes), 1);
    }
}
