//! `Vec`s whose length a caller or a file names: memory that is not there is an error and no abort.
//!
//! Memory that becomes a buffer is a [`HostUVec`](crate::HostUVec); these are for memory besides the data:
//! counters, offsets, lists of parts.

use bytemuck::Zeroable;

use crate::error::{Error, ErrorKind, Result};

/// An empty vector with room for `len` elements.
///
/// Fails with [`Overflow`](ErrorKind::Overflow) where they do not fit an address space and with
/// [`OutOfMemory`](ErrorKind::OutOfMemory) where there is no memory for them.
pub fn with_capacity<T>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).map_err(|_| refused(len, size_of::<T>()))?;
    Ok(vec)
}

/// `len` times `value`. Fails as [`with_capacity`].
pub fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>> {
    let mut vec = with_capacity(len)?;
    vec.resize(len, value);
    Ok(vec)
}

/// `len` zeros, of memory that the system has zeroed already where it can. Fails as [`with_capacity`].
pub fn zeroed<T: Zeroable>(len: usize) -> Result<Vec<T>> {
    bytemuck::try_zeroed_vec(len).map_err(|()| refused(len, size_of::<T>()))
}

/// The elements of an iterator that knows how many there are. Fails as [`with_capacity`].
pub fn collect<T>(elements: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut vec = with_capacity(elements.len())?;
    vec.extend(elements);
    Ok(vec)
}

/// Room for `more` elements behind those of `vec`, and for as many as there are in case others follow.
/// Fails as [`with_capacity`].
#[inline]
pub fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<()> {
    let len = vec.len().saturating_add(more);
    vec.try_reserve(more).map_err(|_| refused(len, size_of::<T>()))
}

#[cold]
fn refused(len: usize, size: usize) -> Error {
    if len.checked_mul(size).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Error::overflow(format!("{len} elements of {size} bytes do not fit in memory"));
    }
    Error::new(ErrorKind::OutOfMemory, format!("no memory for {len} elements of {size} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(filled(7u8, 3).unwrap(), [7, 7, 7]);
        assert_eq!(collect((0..4).map(|i| i * 2)).unwrap(), [0, 2, 4, 6]);
        assert_eq!(zeroed::<u32>(3).unwrap(), [0, 0, 0]);
        assert_eq!(zeroed::<u32>(usize::MAX / 2).unwrap_err().kind(), ErrorKind::Overflow);
        assert_eq!(filled(7u64, usize::MAX).unwrap_err().kind(), ErrorKind::Overflow);
        let error = with_capacity::<u64>(1 << 59).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);
        assert!(error.to_string().contains(&(1usize << 59).to_string()), "{error}");
        assert_eq!(collect(0..usize::MAX).unwrap_err().kind(), ErrorKind::Overflow);
    }
}
