//! Memory of a column that parts are decoded into, of the host or of a GPU.

use std::mem::MaybeUninit;

use cuprum_column::{Buffer, Context, Error, HostUVec, Native, Result};
use cuprum_runtime::{DeviceBuffer, DevicePart};

use crate::places::split;

/// Memory for values of a column that are decoded in parts: of the host, where they are decoded in place, or of a GPU,
/// to which each part is copied as soon as it is decoded, while others still are.
pub(crate) enum Room<T: Native> {
    Host(HostUVec<MaybeUninit<T>>),
    Gpu(DeviceBuffer),
}

/// Memory for some of the values.
pub(crate) enum Place<'a, T> {
    Host(&'a mut [MaybeUninit<T>]),
    Gpu(DevicePart<'a>, usize),
}

impl<T: Native> Room<T> {
    /// Room for `len` values on the device of the context.
    pub(crate) fn new(len: usize, ctx: &Context) -> Result<Self> {
        if !ctx.is_on_gpu() {
            return HostUVec::uninit(len, ctx).map(Self::Host);
        }
        let bytes = len
            .checked_mul(size_of::<T>())
            .ok_or_else(|| Error::overflow(format!("{len} values of {} bytes", size_of::<T>())))?;
        DeviceBuffer::uninit(bytes, ctx).map(Self::Gpu)
    }

    /// What `work` returns, which gets a place for each of the lengths, one after the other.
    pub(crate) fn in_places<R>(
        &mut self,
        lengths: impl Iterator<Item = usize> + Clone,
        work: impl FnOnce(Vec<Place<'_, T>>) -> Result<R>,
    ) -> Result<R> {
        match self {
            Self::Host(values) => work(split(values, lengths).into_iter().map(Place::Host).collect()),
            Self::Gpu(buffer) => {
                let bytes = lengths.clone().map(|len| len.saturating_mul(size_of::<T>()));
                buffer.in_parts(bytes, |parts| {
                    work(parts.into_iter().zip(lengths).map(|(part, len)| Place::Gpu(part, len)).collect())
                })
            }
        }
    }

    /// The memory.
    ///
    /// # Safety
    /// Every value has been written.
    pub(crate) unsafe fn assume_init(self) -> Result<Buffer> {
        match self {
            // SAFETY: by the caller's promise.
            Self::Host(values) => Ok(unsafe { values.assume_init() }.into_buffer()),
            Self::Gpu(buffer) => buffer.try_into(),
        }
    }
}

impl<T: Native> Place<'_, T> {
    /// What `write` returns, which writes the values of the place to memory of the host, where it succeeds all of them.
    pub(crate) fn write<R>(
        self,
        host: &Context,
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<R>,
    ) -> Result<R> {
        match self {
            Self::Host(values) => write(values),
            Self::Gpu(part, len) => {
                let mut values = HostUVec::<T>::uninit(len, host)?;
                let made = write(&mut values)?;
                // SAFETY: memory of the resource holds anything but something, and every value is one.
                let values = unsafe { values.assume_init() };
                part.copy_from_host(bytemuck::cast_slice(&values))?;
                Ok(made)
            }
        }
    }
}
