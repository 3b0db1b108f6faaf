//! Memory of a column that pieces are decoded into: its parts, and texts in them.

use std::mem::MaybeUninit;

use cuprum_column::{Buffer, Context, Error, HostUVec, Native, Result};
use cuprum_runtime::{DeviceBuffer, DevicePart};

/// The size of the block that a short text is copied as; so many bytes are wanted behind the last one.
pub(crate) const BLOCK: usize = 32;

/// Parts of the lengths given, one after the other.
pub(crate) fn split<T>(mut whole: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    lengths
        .map(|len| {
            let (part, rest) = std::mem::take(&mut whole).split_at_mut(len);
            whole = rest;
            part
        })
        .collect()
}

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

/// Copies `from[start..start + length]` to `to[at..]`; what is behind it may change.
#[inline(always)]
pub(crate) fn copy(from: &[u8], start: usize, length: usize, to: &mut [MaybeUninit<u8>], at: usize) {
    let to = &mut to[at..];
    if length <= BLOCK
        && let (Some(from), Some(to)) = (from[start..].first_chunk::<BLOCK>(), to.first_chunk_mut())
    {
        let to: &mut [MaybeUninit<u8>; BLOCK] = to;
        // SAFETY: `to` has room for the block; bytes have no alignment.
        unsafe { to.as_mut_ptr().cast::<[u8; BLOCK]>().write(*from) };
    } else {
        to[..length].write_copy_of_slice(&from[start..start + length]);
    }
}

/// Whether the texts in `text` that end at `ends` are UTF-8, each by itself.
pub(crate) fn are_utf8(text: &[u8], mut ends: impl Iterator<Item = usize>) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    text.is_ascii() || ends.all(|end| text.is_char_boundary(end))
}
