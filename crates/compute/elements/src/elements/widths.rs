//! Fixed-width elements by their width alone: for operations that only move them.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Context, Error, HostUVec, Result};
use cuprum_runtime::{OutputSlice, spill};

/// Runs code with a type alias bound to an unsigned integer of `$size` bytes, or two for 16: kernels that
/// move values without looking at them need five versions, not one per data type.
#[macro_export]
macro_rules! dispatch_width {
    ($size:expr, $T:ident => $body:expr) => {
        match $size {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            8 => {
                type $T = u64;
                $body
            }
            _ => {
                type $T = [u64; 2];
                $body
            }
        }
    };
}
pub use crate::dispatch_width;

/// The part `range` (in elements of `T`) of an output of bytes.
///
/// # Safety
/// As [`OutputSlice::slice`]; the output was allocated as a whole by [`HostUVec::uninit`], so that
/// it is aligned to every element.
pub unsafe fn typed_slice<'a, T>(out: &OutputSlice<'a, u8>, range: Range<usize>) -> &'a mut [MaybeUninit<T>] {
    let size = size_of::<T>();
    // SAFETY: the caller alone uses the range, and the output is aligned to every element; the length in bytes is a
    // multiple of the element's.
    unsafe {
        let bytes = out.slice(range.start * size..range.end * size);
        debug_assert!((bytes.as_ptr() as usize).is_multiple_of(align_of::<T>()));
        std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), range.len())
    }
}

/// Uninitialised bytes for `len` elements of `size` bytes.
pub fn uninit_elements(len: usize, size: usize, ctx: &Context) -> Result<HostUVec<MaybeUninit<u8>>> {
    let bytes = len
        .checked_mul(size)
        .ok_or_else(|| Error::overflow(format!("{len} rows of {size} bytes do not fit in memory")))?;
    HostUVec::<u8>::uninit(bytes, ctx)
}

/// The number of columns that are processed together: all; one where memory is limited, so that no other
/// column has to be there.
pub fn columns_at_once(num_columns: usize, ctx: &Context) -> usize {
    let is_limited = spill::budget(ctx.resource().device()).is_some();
    if is_limited { 1 } else { num_columns.max(1) }
}
