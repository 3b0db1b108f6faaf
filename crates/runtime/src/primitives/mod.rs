//! The building blocks of the algorithms, on every device.
//!
//! Each function runs where its context's memory is; inputs must be there too. On the CPU they go
//! over the data once, in morsels over the thread pool; on a GPU each is one kernel of one pass. Sorts
//! go over it a few times. Lengths beyond 2^32 stop none of them. Results are the same everywhere, to the
//! bit, except for sums of floats, whose grouping differs. Functions return without waiting for the GPU,
//! except where the length of the result depends on the data.

pub mod bits;
mod cpu;
mod cuda;
mod number;
pub mod radix_sort;
#[cfg(test)]
mod tests;

use crate::backend::on_device;
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceUVec};
use crate::error::{Error, Result};
use crate::kernel::Family;

pub use bits::{
    Bits, BitwiseOperator, bitmask, copy_bits, count_bits, first_set_bit, pack_bits, segmented_count_bits,
    set_bits, unpack_bits,
};
pub use cuda::OrderedTiles;
pub use number::{Bin, Convertible, Number, Offset, Reduction, ScanKind};
pub use radix_sort::{sort_keys, sort_pairs};

/// The kernels of this module.
pub static FAMILIES: [&Family; 3] = [&cuda::PRIMITIVES, &bits::BITS, &radix_sort::RADIX_SORT];

/// The function of a [`transform`], once for each kind of device.
pub struct Transform<F> {
    /// For GPUs: a CUDA C++ expression in `x` that converts to the type of the result. It is part of the program, like the
    /// text of a kernel: never made from a user's input.
    pub expression: &'static str,
    /// For the CPU: a function that computes the same.
    pub function: F,
}

/// `len` times `value`.
pub fn fill<T: Number>(value: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    on_device!(ctx, cpu::fill(value, len, ctx), cuda::fill_with(value, len, ctx))
}

/// `start`, `start + step`, `start + 2 step`, …, each computed from its position; integers wrap.
pub fn sequence<T: Number>(start: T, step: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    on_device!(ctx, cpu::sequence(start, step, len, ctx), cuda::sequence_of(start, step, len, ctx))
}

/// The operation's result for each value.
pub fn transform<A: Number, R: Number, F: Fn(A) -> R + Sync>(
    values: &DeviceSpan<A>,
    operation: &Transform<F>,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    on_device!(
        ctx,
        cpu::map(values, &operation.function, ctx),
        cuda::transform(values, operation.expression, ctx)
    )
}

/// The values as another type of integers; upper bits that do not fit are cut off.
pub fn convert<T: Convertible<R>, R: Number>(values: &DeviceSpan<T>, ctx: &Context) -> Result<DeviceUVec<R>> {
    on_device!(ctx, cpu::map(values, T::converted, ctx), cuda::converted::<T, R>(values, ctx))
}

/// All values combined.
pub fn reduce<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceScalar<T>> {
    on_device!(ctx, cpu::reduce(values, reduction, ctx), cuda::reduce_all(values, reduction, ctx))
}

/// For each value, it and all before it combined, or all before it.
pub fn scan<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    kind: ScanKind,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    on_device!(ctx, cpu::scan(values, reduction, kind, ctx), cuda::scan_all(values, reduction, kind, ctx))
}

/// The values whose flag is not 0, in their order. Waits for the result's length; the memory is as
/// large as that of the values.
pub fn compact<T: Number>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    check_flags(values, flags)?;
    on_device!(ctx, cpu::compact(values, flags, ctx), cuda::compact_by(values, flags, ctx))
}

/// The values whose flag is not 0, and the others, each in their order; otherwise as [`compact`].
pub fn partition<T: Number>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<(DeviceUVec<T>, DeviceUVec<T>)> {
    check_flags(values, flags)?;
    on_device!(ctx, cpu::partition(values, flags, ctx), cuda::partition(values, flags, ctx))
}

fn check_flags<T: Number>(values: &DeviceSpan<T>, flags: &DeviceSpan<u8>) -> Result<()> {
    if values.len() == flags.len() {
        return Ok(());
    }
    Err(Error::logic(format!("{} values and {} `flags`", values.len(), flags.len())))
}

/// The number of occurrences of each of `0..num_bins`; other values are not counted.
pub fn histogram<T: Bin>(values: &DeviceSpan<T>, num_bins: u32, ctx: &Context) -> Result<DeviceUVec<u64>> {
    on_device!(ctx, cpu::histogram(values, num_bins, ctx), cuda::histogram(values, num_bins, ctx))
}

/// The values of each segment `[offsets[s], offsets[s + 1])` combined. A segment is cut off at the end
/// of the values, and one that ends before it begins is empty.
pub fn segmented_reduce<T: Number, O: Offset>(
    values: &DeviceSpan<T>,
    offsets: &DeviceSpan<O>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    on_device!(
        ctx,
        cpu::segmented_reduce(values, offsets, reduction, ctx),
        cuda::segmented(values, offsets, reduction, ctx)
    )
}

/// The cuts of two ascending lists whose parts can be merged apart from each other: element `k` is the number
/// of elements of `a` among the first `k * tile` of the merged list, the last one all of them. Of equal
/// elements those of `a` come first. Complexity: one binary search each.
pub fn merge_path<T: Number>(
    a: &DeviceSpan<T>,
    b: &DeviceSpan<T>,
    tile: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    if tile == 0 {
        return Err(Error::invalid_argument("`tile` is 0; a piece has at least one element"));
    }
    on_device!(ctx, cpu::merge_path(a, b, tile, ctx), cuda::merge_splits(a, b, tile, ctx))
}
