//! Stable sorting of unsigned integers by some of their bits, alone or with a payload.
//!
//! Everything that has an order is sorted with this once its keys are mapped to unsigned integers of the
//! same order. Sorting is stable, so several keys can be sorted by one after the other, the last one
//! first; with row numbers as payload the result is a permutation to gather other columns by.

mod cpu;
mod cuda;
mod key;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::backend::on_device;
use crate::context::Context;
use crate::device_uvec::{DeviceSpan, DeviceUVec};
use crate::error::{Error, Result};

pub(super) use cuda::RADIX_SORT;
pub use key::{Payload, RadixKey};

/// The keys in ascending order of their bits `[bits.start, bits.end)`, bit 0 being the lowest. Keys in
/// which these are the same stay in their order; an empty range leaves everything as it is.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where `bits` is no range of a key's
/// bits. On a GPU a pass takes 8 bits, and none is made over bits that are the same in all keys.
pub fn sort_keys<K: RadixKey>(
    keys: &DeviceSpan<K>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<DeviceUVec<K>> {
    check_bits::<K>(&bits)?;
    on_device!(ctx, cpu::sort_keys(keys, bits, ctx), cuda::sort_keys(keys, bits, ctx))
}

/// The keys as [`sort_keys`] orders them, and the payload in the order of its keys.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the lengths differ, otherwise as [`sort_keys`].
pub fn sort_pairs<K: RadixKey, P: Payload>(
    keys: &DeviceSpan<K>,
    payload: &DeviceSpan<P>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<(DeviceUVec<K>, DeviceUVec<P>)> {
    check_bits::<K>(&bits)?;
    if keys.len() != payload.len() {
        let (keys, payload) = (keys.len(), payload.len());
        return Err(Error::logic(format!("{keys} `keys` and a `payload` of {payload}")));
    }
    on_device!(ctx, cpu::sort_pairs(keys, payload, bits, ctx), cuda::sort_pairs(keys, payload, bits, ctx))
}

fn check_bits<K: RadixKey>(bits: &Range<u32>) -> Result<()> {
    let width = 8 * size_of::<K>() as u32;
    if bits.start <= bits.end && bits.end <= width {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("`bits` are {bits:?}, which is no range of a key's {width} bits")))
}
