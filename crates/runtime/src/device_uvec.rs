//! Typed memory of any device: vectors of a fixed length, single values, and borrowed spans of them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use bytemuck::Pod;

use crate::buffer::Pin;
use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::{Error, Result};
use crate::host_vec;
use crate::stream::Stream;

/// `len` trivially copyable elements on a device.
///
/// [`HostUVec`](crate::HostUVec) is its counterpart for the CPU's algorithms: always in host memory,
/// and read as a slice.
pub struct DeviceUVec<T: Pod> {
    buffer: DeviceBuffer,
    _elements: PhantomData<T>,
}

impl<T: Pod> DeviceUVec<T> {
    /// `len` elements that hold anything.
    pub fn uninit(len: usize, ctx: &Context) -> Result<Self> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| {
            Error::overflow(format!("{len} elements of {} bytes do not fit in memory", size_of::<T>()))
        })?;
        Ok(Self { buffer: DeviceBuffer::uninit(bytes, ctx)?, _elements: PhantomData })
    }

    /// `len` elements of zero bytes.
    pub fn zeroed(len: usize, ctx: &Context) -> Result<Self> {
        let mut vec = Self::uninit(len, ctx)?;
        vec.buffer.fill(0)?;
        Ok(vec)
    }

    /// A copy of `values`; returns once they have been read.
    pub fn from_slice(values: &[T], ctx: &Context) -> Result<Self> {
        let buffer = DeviceBuffer::from_host(bytemuck::cast_slice(values), ctx)?;
        Ok(Self { buffer, _elements: PhantomData })
    }

    /// A copy on the context's device.
    pub fn copy(&self, ctx: &Context) -> Result<Self> {
        Ok(Self { buffer: self.buffer.copy(ctx)?, _elements: PhantomData })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.buffer.len() / size_of::<T>().max(1)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The device the elements are on.
    pub fn device(&self) -> Device {
        self.buffer.device()
    }

    /// The stream the memory is given back on.
    pub fn stream(&self) -> &Stream {
        self.buffer.stream()
    }

    /// The elements, copied to the host.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.span().to_vec()
    }

    /// Element `i`, copied to the host. One copy each: take [`to_vec`](Self::to_vec) for many.
    pub fn element(&self, i: usize) -> Result<T> {
        let one = self.span().slice(i..i.saturating_add(1))?.to_vec()?;
        Ok(one[0])
    }

    /// Sets element `i`.
    pub fn set_element(&mut self, i: usize, value: T) -> Result<()> {
        self.span().slice(i..i.saturating_add(1))?;
        self.buffer.copy_from_host(i * size_of::<T>(), bytemuck::bytes_of(&value))
    }

    /// All elements, borrowed.
    pub fn span(&self) -> DeviceSpan<'_, T> {
        DeviceSpan { buffer: &self.buffer, start: 0, len: self.len(), pin: None, _elements: PhantomData }
    }

    /// All elements, borrowed for writing.
    pub fn span_mut(&mut self) -> DeviceSpanMut<'_, T> {
        let len = self.len();
        DeviceSpanMut { buffer: &mut self.buffer, start: 0, len, pin: None, _elements: PhantomData }
    }

    /// The untyped memory.
    pub fn into_buffer(self) -> DeviceBuffer {
        self.buffer
    }

    /// The elements, where they are in host memory; see [`DeviceBuffer::as_host_slice_mut`].
    pub fn as_host_slice_mut(&mut self) -> Result<&mut [T]> {
        Ok(bytemuck::cast_slice_mut(self.buffer.as_host_slice_mut()?))
    }

    /// Shortens to the first `len` elements; the memory stays.
    pub fn truncate(&mut self, len: usize) -> Result<()> {
        self.buffer.resize(len.min(self.len()) * size_of::<T>())
    }

    /// The same bytes as elements of another type of the same size.
    pub(crate) fn cast<U: Pod>(self) -> DeviceUVec<U> {
        const { assert!(size_of::<T>() == size_of::<U>()) };
        DeviceUVec { buffer: self.buffer, _elements: PhantomData }
    }

    /// The untyped memory, borrowed for writing.
    pub fn buffer_mut(&mut self) -> &mut DeviceBuffer {
        &mut self.buffer
    }

    /// The untyped memory, borrowed.
    pub fn buffer(&self) -> &DeviceBuffer {
        &self.buffer
    }
}

impl<T: Pod> fmt::Debug for DeviceUVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "DeviceUVec<{name}>({} elements on {})", self.len(), self.device())
    }
}

/// Consecutive elements in memory of any device, borrowed; they stay where they are while it lives.
#[derive(Clone)]
pub struct DeviceSpan<'a, T: Pod> {
    buffer: &'a DeviceBuffer,
    /// The offset of the elements in the buffer, in bytes.
    start: usize,
    len: usize,
    /// The pin of shared memory; memory with one owner stays there anyway.
    pin: Option<Pin>,
    _elements: PhantomData<T>,
}

impl<'a, T: Pod> DeviceSpan<'a, T> {
    /// The `len` elements from byte `start` of the buffer on, which must hold them; fails where they
    /// would not be aligned.
    pub(crate) fn new(buffer: &'a DeviceBuffer, start: usize, len: usize) -> Result<Self> {
        Self { buffer, start, len, pin: None, _elements: PhantomData }.aligned()
    }

    /// [`new`](Self::new) of shared memory, with its pin.
    pub(crate) fn pinned(buffer: &'a DeviceBuffer, start: usize, len: usize, pin: Pin) -> Result<Self> {
        Self { buffer, start, len, pin: Some(pin), _elements: PhantomData }.aligned()
    }

    fn aligned(self) -> Result<Self> {
        let (len, span) = (self.len, self);
        debug_assert!(span.start + len * size_of::<T>() <= span.buffer.len());
        if len > 0 && !(span.as_ptr() as usize).is_multiple_of(align_of::<T>()) {
            let (at, name) = (span.as_ptr(), std::any::type_name::<T>());
            return Err(Error::logic(format!("a buffer at {at:p} does not hold elements of {name}")));
        }
        Ok(span)
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address of the first element, on its device.
    pub fn as_ptr(&self) -> *const T {
        self.buffer.as_ptr().wrapping_add(self.start).cast()
    }

    /// The device the elements are on.
    pub fn device(&self) -> Device {
        self.buffer.device()
    }

    /// The elements, where they are in host memory; see [`DeviceBuffer::as_host_slice`]. They borrow from
    /// the span, which keeps them there:
    ///
    /// ```compile_fail,E0716
    /// # use cuprum_runtime::{Buffer, Context};
    /// # let buffer = Buffer::copy_from_slice(&[1, 2], &Context::current())?;
    /// let bytes: &[u8] = buffer.span()?.as_host_slice()?;
    /// assert_eq!(bytes, [1, 2]);
    /// # Ok::<(), cuprum_runtime::Error>(())
    /// ```
    pub fn as_host_slice(&self) -> Result<&[T]> {
        let bytes = self.buffer.as_host_slice()?;
        if self.len == 0 {
            return Ok(&[]);
        }
        Ok(bytemuck::cast_slice(&bytes[self.start..self.start + self.len * size_of::<T>()]))
    }

    /// The same bytes as elements of another type of the same size.
    pub(crate) fn cast<U: Pod>(&self) -> DeviceSpan<'a, U> {
        const { assert!(size_of::<T>() == size_of::<U>()) };
        self.of_len(self.len)
    }

    /// The same memory as bytes.
    pub fn to_bytes(&self) -> DeviceSpan<'a, u8> {
        self.of_len(self.len * size_of::<T>())
    }

    /// The same memory as `len` elements of another type.
    fn of_len<U: Pod>(&self, len: usize) -> DeviceSpan<'a, U> {
        let (buffer, start, pin) = (self.buffer, self.start, self.pin.clone());
        DeviceSpan { buffer, start, len, pin, _elements: PhantomData }
    }

    /// The same memory as elements of another type, without a last incomplete one; fails with
    /// [`Logic`](crate::ErrorKind::Logic) where they would not be aligned.
    pub fn elements<U: Pod>(&self) -> Result<DeviceSpan<'a, U>> {
        self.of_len::<U>(self.len * size_of::<T>() / size_of::<U>()).aligned()
    }

    /// The memory the elements lie in.
    pub(crate) fn buffer(&self) -> &DeviceBuffer {
        self.buffer
    }

    /// The elements `range` of this span.
    pub fn slice(&self, range: Range<usize>) -> Result<Self> {
        if range.start > range.end || range.end > self.len() {
            return Err(Error::out_of_range(format!("elements {range:?} of {}", self.len())));
        }
        Ok(Self { start: self.start + range.start * size_of::<T>(), len: range.len(), ..self.clone() })
    }

    /// A copy on the context's device.
    pub fn copy(&self, ctx: &Context) -> Result<DeviceUVec<T>> {
        let mut copy = DeviceUVec::uninit(self.len(), ctx)?;
        let bytes = self.start..self.start + self.len * size_of::<T>();
        copy.buffer.copy_range_from(0, self.buffer, bytes)?;
        Ok(copy)
    }

    /// The elements, copied to the host.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut values = host_vec::zeroed(self.len())?;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
        self.buffer.copy_range_to_host(self.start, bytes)?;
        Ok(values)
    }
}

/// Consecutive elements in memory of any device, borrowed for writing.
pub struct DeviceSpanMut<'a, T: Pod> {
    buffer: &'a mut DeviceBuffer,
    /// The offset of the elements in the buffer, in bytes.
    start: usize,
    len: usize,
    pin: Option<Pin>,
    _elements: PhantomData<T>,
}

impl<'a, T: Pod> DeviceSpanMut<'a, T> {
    /// The `len` elements from byte `start` of the buffer on, as [`DeviceSpan`] checks them.
    pub(crate) fn pinned(buffer: &'a mut DeviceBuffer, start: usize, len: usize, pin: Pin) -> Result<Self> {
        DeviceSpan::<T>::new(buffer, start, len)?;
        Ok(Self { buffer, start, len, pin: Some(pin), _elements: PhantomData })
    }

    /// The elements for reading.
    pub fn span(&self) -> DeviceSpan<'_, T> {
        DeviceSpan {
            buffer: self.buffer,
            start: self.start,
            len: self.len,
            pin: None,
            _elements: PhantomData,
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device the elements are on.
    pub fn device(&self) -> Device {
        self.buffer.device()
    }

    /// The memory the elements lie in.
    pub(crate) fn buffer(&self) -> &DeviceBuffer {
        self.buffer
    }

    /// The address of the first element, on its device.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.buffer.as_mut_ptr().wrapping_add(self.start).cast()
    }

    /// Writes as many elements of other memory.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where there are not as many.
    pub fn copy_from(&mut self, source: &DeviceSpan<'_, T>) -> Result<()> {
        if source.len() != self.len {
            return Err(Error::logic(format!("{} elements for {}", source.len(), self.len)));
        }
        let bytes = source.start..source.start + source.len() * size_of::<T>();
        self.buffer.copy_range_from(self.start, source.buffer, bytes)
    }

    /// The elements, where they are in host memory; see [`DeviceBuffer::as_host_slice_mut`].
    pub fn as_host_slice_mut(&mut self) -> Result<&mut [T]> {
        host_elements(self.buffer, self.start, self.len)
    }

    /// [`as_host_slice_mut`](Self::as_host_slice_mut) for as long as the memory is borrowed.
    pub fn into_host_slice(self) -> Result<HostSliceMut<'a, T>> {
        let elements = host_elements(self.buffer, self.start, self.len)?;
        Ok(HostSliceMut { elements, _pin: self.pin })
    }

    /// The same memory as elements of another type; see [`DeviceSpan::elements`].
    pub fn elements<U: Pod>(self) -> Result<DeviceSpanMut<'a, U>> {
        let len = self.len * size_of::<T>() / size_of::<U>();
        let (buffer, start, pin) = (self.buffer, self.start, self.pin);
        DeviceSpan::<U>::new(buffer, start, len)?;
        Ok(DeviceSpanMut { buffer, start, len, pin, _elements: PhantomData })
    }

    /// The elements `range` of this span.
    pub fn slice(self, range: Range<usize>) -> Result<Self> {
        self.span().slice(range.clone())?;
        Ok(Self { start: self.start + range.start * size_of::<T>(), len: range.len(), ..self })
    }
}

fn host_elements<T: Pod>(buffer: &mut DeviceBuffer, start: usize, len: usize) -> Result<&mut [T]> {
    let bytes = buffer.as_host_slice_mut()?;
    if len == 0 {
        return Ok(&mut []);
    }
    Ok(bytemuck::cast_slice_mut(&mut bytes[start..start + len * size_of::<T>()]))
}

/// Elements in host memory, borrowed for writing; they stay where they are while it lives.
pub struct HostSliceMut<'a, T> {
    elements: &'a mut [T],
    _pin: Option<Pin>,
}

/// No elements.
impl<T> Default for HostSliceMut<'_, T> {
    fn default() -> Self {
        Self { elements: &mut [], _pin: None }
    }
}

impl<T> Deref for HostSliceMut<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.elements
    }
}

impl<T: fmt::Debug> fmt::Debug for HostSliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(f)
    }
}

impl<T> DerefMut for HostSliceMut<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.elements
    }
}

/// One trivially copyable value on a device: a kernel's scalar input or output.
pub struct DeviceScalar<T: Pod>(pub(crate) DeviceUVec<T>);

impl<T: Pod> DeviceScalar<T> {
    /// `value` on the context's device.
    pub fn new(value: T, ctx: &Context) -> Result<Self> {
        DeviceUVec::from_slice(&[value], ctx).map(Self)
    }

    /// A value that holds anything, for a kernel to write.
    pub fn uninit(ctx: &Context) -> Result<Self> {
        DeviceUVec::uninit(1, ctx).map(Self)
    }

    /// The value, once work that writes it is done.
    pub fn value(&self) -> Result<T> {
        self.0.element(0)
    }

    /// Sets the value.
    pub fn set_value(&mut self, value: T) -> Result<()> {
        self.0.set_element(0, value)
    }

    /// The value as a span of one element.
    pub fn span(&self) -> DeviceSpan<'_, T> {
        self.0.span()
    }

    /// The device the value is on.
    pub fn device(&self) -> Device {
        self.0.device()
    }
}

impl<T: Pod> fmt::Debug for DeviceScalar<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceScalar<{}>(on {})", std::any::type_name::<T>(), self.device())
    }
}
