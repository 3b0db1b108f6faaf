//! Typed vectors in host memory, uninitialised until written, that become [`Buffer`]s.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

use bytemuck::{NoUninit, Zeroable};

use crate::buffer::Buffer;
use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::{Error, Result};
use crate::parallel;

/// An owned, typed block of host memory, which algorithms of the CPU read and write as a slice. The
/// length is fixed; elements are trivially copyable.
///
/// Built uninitialised as `HostUVec<MaybeUninit<T>>`, then turned into `HostUVec<T>` by
/// [`assume_init`](HostUVec::assume_init), or by one of the safe constructors.
pub struct HostUVec<T: Copy> {
    memory: DeviceBuffer,
    len: usize,
    _elements: std::marker::PhantomData<T>,
}

// SAFETY: the vector owns its elements like Vec<T> does.
unsafe impl<T: Copy + Send> Send for HostUVec<T> {}
// SAFETY: shared access only reads, like Vec<T>.
unsafe impl<T: Copy + Sync> Sync for HostUVec<T> {}

impl<T: Copy> HostUVec<T> {
    /// `len` elements of uninitialised memory from the context's resource.
    ///
    /// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where that is memory of a GPU.
    pub fn uninit(len: usize, ctx: &Context) -> Result<HostUVec<MaybeUninit<T>>> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| {
            Error::overflow(format!("{len} elements of {} bytes do not fit in memory", size_of::<T>()))
        })?;
        if ctx.resource().device() != Device::Cpu {
            return Err(Error::unsupported(format!(
                "the memory resource is one of {}; this operation runs on the CPU alone",
                ctx.resource().device()
            )));
        }
        let memory = DeviceBuffer::uninit(bytes, ctx)?;
        Ok(HostUVec { memory, len, _elements: std::marker::PhantomData })
    }

    /// Shortens the vector to `len` elements; the memory stays as it is.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Buffer {
    /// A copy of `bytes` in memory of the context's resource.
    pub fn copy_from_slice(bytes: &[u8], ctx: &Context) -> Result<Self> {
        Ok(HostUVec::from_slice(bytes, ctx)?.into_buffer())
    }
}

impl<T: Copy> HostUVec<MaybeUninit<T>> {
    /// The same memory, now initialised.
    ///
    /// # Safety
    /// Every element has been written.
    pub unsafe fn assume_init(self) -> HostUVec<T> {
        HostUVec { memory: self.memory, len: self.len, _elements: std::marker::PhantomData }
    }

    /// Unordered write access for threads that write to disjoint places.
    pub fn output(&mut self) -> OutputSlice<'_, T> {
        OutputSlice {
            ptr: NonNull::from(&mut **self).cast(),
            len: self.len,
            _borrow: std::marker::PhantomData,
        }
    }
}

/// Writes the elements of a range to the slice it gets. Unlike that of `dyn Fn`, the table of a closure has one function,
/// not three.
trait FillMorsel<T>: Sync {
    fn fill(&self, range: Range<usize>, out: &mut [MaybeUninit<T>]) -> Result<()>;
}

impl<T, F: Fn(Range<usize>, &mut [MaybeUninit<T>]) -> Result<()> + Sync> FillMorsel<T> for F {
    fn fill(&self, range: Range<usize>, out: &mut [MaybeUninit<T>]) -> Result<()> {
        self(range, out)
    }
}

impl<T: Copy + Send + Sync> HostUVec<T> {
    /// A copy of `values`.
    pub fn from_slice(values: &[T], ctx: &Context) -> Result<Self> {
        // SAFETY: the closure writes the whole slice it gets.
        unsafe {
            Self::from_morsels(values.len(), ctx, |range, out| {
                out.write_copy_of_slice(&values[range]);
                Ok(())
            })
        }
    }

    /// `len` times `value`.
    pub fn filled(value: T, len: usize, ctx: &Context) -> Result<Self> {
        // SAFETY: the closure writes the whole slice it gets.
        unsafe {
            Self::from_morsels(len, ctx, |_, out| {
                out.fill(MaybeUninit::new(value));
                Ok(())
            })
        }
    }

    /// `f(i)` for every `i` below `len`, computed in parallel morsels.
    pub fn from_fn(len: usize, ctx: &Context, f: impl Fn(usize) -> T + Sync) -> Result<Self> {
        // SAFETY: the closure writes the whole slice it gets: the range has its length.
        unsafe {
            Self::from_morsels(len, ctx, |range, out| {
                for (slot, i) in out.iter_mut().zip(range) {
                    slot.write(f(i));
                }
                Ok(())
            })
        }
    }

    /// Fills the vector morsel by morsel in parallel: `f` gets a range of positions and the matching
    /// output slice. Stops at the first error or cancellation.
    ///
    /// # Safety
    /// If `f` returns `Ok`, it has written every element of the slice it got.
    pub unsafe fn from_morsels(
        len: usize,
        ctx: &Context,
        f: impl Fn(Range<usize>, &mut [MaybeUninit<T>]) -> Result<()> + Sync,
    ) -> Result<Self> {
        Self::from_morsels_dyn(len, ctx, &f)
    }

    /// [`from_morsels`](Self::from_morsels), compiled once for every element and not for every kernel.
    fn from_morsels_dyn(len: usize, ctx: &Context, f: &dyn FillMorsel<T>) -> Result<Self> {
        let mut vec = Self::uninit(len, ctx)?;
        let out = vec.output();
        parallel::for_ranges(len, parallel::MORSEL, ctx, &|range| {
            // SAFETY: the ranges are disjoint and lie inside the vector.
            f.fill(range.clone(), unsafe { out.slice(range) })
        })?;
        // SAFETY: `f` has written every element of every morsel, as its contract says.
        Ok(unsafe { vec.assume_init() })
    }
}

impl<T: Copy + Zeroable + Send + Sync> HostUVec<T> {
    /// `len` elements of zero bytes.
    pub fn zeroed(len: usize, ctx: &Context) -> Result<Self> {
        Self::filled(T::zeroed(), len, ctx)
    }
}

impl<T: NoUninit> HostUVec<T> {
    /// The memory itself.
    pub(crate) fn into_memory(self) -> DeviceBuffer {
        self.memory
    }

    /// Gives the memory to a [`Buffer`] of `len * size_of::<T>()` bytes; no copy.
    pub fn into_buffer(self) -> Buffer {
        Buffer::from_host_memory(self.memory, self.len * size_of::<T>())
    }
}

impl<T: Copy> Deref for HostUVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the block is host memory that nobody else uses and holds `len` elements; they are
        // initialised for every T that is not MaybeUninit. It is aligned to 64 bytes, so to T.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }
}

impl<T: Copy> DerefMut for HostUVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `&mut self` makes the access unique.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.len) }
    }
}

impl<T: Copy + std::fmt::Debug> std::fmt::Debug for HostUVec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A shared output that several threads write to, each to places of its own.
#[derive(Clone, Copy)]
pub struct OutputSlice<'a, T> {
    ptr: NonNull<T>,
    len: usize,
    _borrow: std::marker::PhantomData<&'a mut [MaybeUninit<T>]>,
}

// SAFETY: writing needs the unsafe methods below, whose callers promise disjoint places.
unsafe impl<T: Send> Send for OutputSlice<'_, T> {}
// SAFETY: writing needs the unsafe methods below, whose callers promise disjoint places.
unsafe impl<T: Send> Sync for OutputSlice<'_, T> {}

impl<'a, T: Copy> OutputSlice<'a, T> {
    /// All of `places`.
    pub fn new(places: &'a mut [T]) -> Self {
        let len = places.len();
        Self { ptr: NonNull::from(places).cast(), len, _borrow: std::marker::PhantomData }
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes `value` to place `i`.
    ///
    /// # Safety
    /// `i < len`, and no other thread accesses place `i` at the same time.
    #[inline(always)]
    pub unsafe fn write(&self, i: usize, value: T) {
        debug_assert!(i < self.len);
        // SAFETY: the caller says that `i < len` and that no other thread accesses the place.
        unsafe { self.ptr.as_ptr().add(i).write(value) };
    }

    /// The places `range` as a slice.
    ///
    /// # Safety
    /// The range lies inside the output and no other thread accesses it while the slice lives.
    #[inline]
    pub unsafe fn slice(&self, range: Range<usize>) -> &'a mut [MaybeUninit<T>] {
        debug_assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: the caller says that the range lies inside and that no other thread accesses it.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr().add(range.start).cast(), range.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn builds_and_becomes_a_buffer() {
        let ctx = Context::current();
        for len in [0, 1, 63, 64, parallel::MORSEL, parallel::MORSEL * 3 + 1] {
            let vec = HostUVec::from_fn(len, &ctx, |i| i as u32).unwrap();
            assert!(vec.iter().enumerate().all(|(i, &v)| v == i as u32), "{len}");
            let buffer = vec.into_buffer();
            assert_eq!(buffer.len(), 4 * len);
            assert_eq!(buffer.span::<u32>().unwrap().len(), len);
        }
        assert!(HostUVec::<u64>::zeroed(9, &ctx).unwrap().iter().all(|&v| v == 0));
    }

    #[test]
    fn errors_and_cancellation_come_back() {
        let ctx = Context::current();
        let error = HostUVec::<u64>::uninit(usize::MAX / 4, &ctx).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Overflow);
        let cancelled = ctx.with_cancel(crate::CancelToken::default());
        cancelled.cancel_token().cancel();
        let error = HostUVec::from_fn(parallel::MORSEL * 2, &cancelled, |i| i).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted);
    }
}
