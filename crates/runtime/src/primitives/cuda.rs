//! The primitives as kernels: shapes, temporary memory and launches.

use std::sync::Arc;

use super::number::{Max, Min, Number, Operator, Reduction, Sum, names, with_operator};
use super::{Offset, ScanKind};
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceUVec};
use crate::driver::LaunchShape;
use crate::error::Result;
use crate::kernel::{Kernel, KernelName, KernelParameter, KernelType, Source};
use crate::{for_each_kernel_type, kernels, memory};

kernels! {
    static PRIMITIVES: "primitives.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Elements that a thread has in flight.
        ITEMS = 16,
        /// The same for scans, where larger tiles mean fewer waits for the tile before.
        SCAN_ITEMS = 32,
        /// The same for scans of 4 bytes: as many bytes as of 8.
        SCAN_ITEMS_OF_4 = 64;

    fn fill<T: KernelType>(out: &mut [T], n: u64, value: T);
    fn sequence<T: KernelType>(out: &mut [T], n: u64, start: T, step: T);
    fn reduce<T: KernelType, O: KernelName>(
        values: &[T], n: u64, identity: T, partials: &mut [T], finished: &mut [u32], out: &mut [T],
    );
    fn scan<T: KernelType, O: KernelName>(
        values: &[T], out: &mut [T], n: u64, inclusive: u32, identity: T, ticket: &mut [u64],
        words: &mut [u64],
    );
    fn compact<T: KernelType, Rest: KernelName>(
        values: &[T], flags: &[u8], n: u64, kept: &mut [T], rest: &mut [T], count: &mut [u64],
        ticket: &mut [u64], words: &mut [u64],
    );
    fn histogram_shared<T: KernelType>(values: &[T], n: u64, num_bins: u32, counts: &mut [u64]);
    fn histogram_global<T: KernelType>(values: &[T], n: u64, num_bins: u32, counts: &mut [u64]);
    fn segmented_reduce<T: KernelType, O: KernelType, Op: KernelName>(
        values: &[T], n: u64, offsets: &[O], segments: u64, identity: T, out: &mut [T],
    );
    fn merge_path<T: KernelType>(
        a: &[T], a_len: u64, b: &[T], b_len: u64, tile: u64, splits: &mut [u64], num_splits: u64,
    );
}

struct KeepRest;
struct DropRest;
names!(KeepRest, DropRest);

/// The kernels for every number type.
pub(super) fn kernels() -> Vec<Kernel> {
    let mut all = Vec::new();
    macro_rules! of_operator {
        ($T:ty, $($Op:ident),*) => {$(
            all.extend([
                reduce::<$T, $Op>(),
                scan::<$T, $Op>(),
                segmented_reduce::<$T, i32, $Op>(),
                segmented_reduce::<$T, i64, $Op>(),
            ]);
        )*};
    }
    macro_rules! of_types {
        ($($T:ident = $_name:literal;)*) => {$(
            all.extend([sequence::<$T>(), merge_path::<$T>()]);
            of_operator!($T, Sum, Min, Max);
        )*};
    }
    for_each_kernel_type!(of_types);
    macro_rules! of_widths {
        ($($T:ident),*) => {$(
            all.extend([fill::<$T>(), compact::<$T, KeepRest>(), compact::<$T, DropRest>()]);
        )*};
    }
    of_widths!(u8, u16, u32, u64);
    macro_rules! of_bins {
        ($($T:ident),*) => {$( all.extend([histogram_shared::<$T>(), histogram_global::<$T>()]); )*};
    }
    of_bins!(u8, u16, u32);
    all
}

/// Elements that a block takes at a time.
const TILE: usize = (THREADS * ITEMS) as usize;

/// The same of a scan.
fn scan_tile<T>() -> usize {
    (THREADS * if size_of::<T>() == 4 { SCAN_ITEMS_OF_4 } else { SCAN_ITEMS }) as usize
}

/// The context for memory that does not outlive the call.
pub(super) fn temporary(ctx: &Context) -> Result<Context> {
    Ok(Context::new(ctx.stream().clone(), memory::current_resource(ctx.resource().device())?))
}

/// A shape for kernels that stride over `blocks` pieces of work.
pub(super) fn striding(
    kernel: &Kernel,
    blocks: usize,
    shared_bytes: u32,
    ctx: &Context,
) -> Result<LaunchShape> {
    kernel.resident_shape(ctx.stream().device(), THREADS, shared_bytes, blocks as u64)
}

pub(super) fn fill_with<T: Number>(value: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    let mut out = DeviceUVec::<T::Bits>::uninit(len, ctx)?;
    let shape = LaunchShape::covering(len, TILE, THREADS)?;
    let arguments = [(&mut out).into(), (len as u64).into(), value.to_kernel_bits().into()];
    // SAFETY: `out` has `len` elements.
    unsafe { fill::<T::Bits>().launch(ctx.stream(), shape, &arguments)? };
    Ok(out.cast())
}

pub(super) fn sequence_of<T: Number>(start: T, step: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    let mut out = DeviceUVec::uninit(len, ctx)?;
    let shape = LaunchShape::covering(len, TILE, THREADS)?;
    let arguments = [(&mut out).into(), (len as u64).into(), start.into(), step.into()];
    // SAFETY: `out` has `len` elements.
    unsafe { sequence::<T>().launch(ctx.stream(), shape, &arguments)? };
    Ok(out)
}

pub(super) fn transform<A: Number, R: Number>(
    values: &DeviceSpan<A>,
    expression: &str,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    let text = format!(
        "#define EXPRESSION ({expression})\n#line 1 \"transform.cu\"\n{}",
        include_str!("transform.cu")
    );
    let kernel = Kernel::generated(
        Arc::new(Source::generated("transform.cu", text)),
        "transform",
        &[A::NAME, R::NAME],
        vec![<&[A]>::PARAMETER, <&mut [R]>::PARAMETER, u64::PARAMETER],
    );
    let mut out = DeviceUVec::uninit(values.len(), ctx)?;
    let shape = striding(&kernel, values.len().div_ceil(THREADS as usize), 0, ctx)?;
    // SAFETY: both have `len` elements.
    unsafe {
        let len = values.len() as u64;
        kernel.launch(ctx.stream(), shape, &[values.into(), (&mut out).into(), len.into()])?;
    }
    Ok(out)
}

pub(super) fn reduce_all<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceScalar<T>> {
    with_operator!(reduction, Op => {
        let kernel = reduce::<T, Op>();
        let shape = striding(&kernel, values.len().div_ceil(TILE), 0, ctx)?;
        let temporary = temporary(ctx)?;
        let mut partials = DeviceUVec::<T>::uninit(shape.grid[0] as usize, &temporary)?;
        let mut finished = DeviceUVec::<u32>::zeroed(1, &temporary)?;
        let mut out = DeviceUVec::uninit(1, ctx)?;
        // SAFETY: `values` has `len` elements, `partials` one for each block, the others have one.
        unsafe {
            kernel.launch(
                ctx.stream(),
                shape,
                &[
                    values.into(),
                    (values.len() as u64).into(),
                    Op::identity::<T>().into(),
                    (&mut partials).into(),
                    (&mut finished).into(),
                    (&mut out).into(),
                ],
            )?;
        }
        Ok(DeviceScalar(out))
    })
}

/// What blocks tell each other in a look-back over tiles, see `cuprum/look_back.cuh`.
struct TileStates {
    ticket: DeviceUVec<u64>,
    words: DeviceUVec<u64>,
}

impl TileStates {
    /// For values of type `T`, which are published in one word or in two.
    fn new<T>(tiles: usize, ctx: &Context) -> Result<Self> {
        let ctx = temporary(ctx)?;
        let words = tiles * size_of::<T>().div_ceil(4);
        Ok(Self { ticket: DeviceUVec::zeroed(1, &ctx)?, words: DeviceUVec::zeroed(words, &ctx)? })
    }
}

pub(super) fn scan_all<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    kind: ScanKind,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let mut out = DeviceUVec::uninit(values.len(), ctx)?;
    let shape = LaunchShape::covering(values.len(), scan_tile::<T>(), THREADS)?;
    let mut tiles = TileStates::new::<T>(shape.grid[0] as usize, ctx)?;
    with_operator!(reduction, Op => {
        // SAFETY: `values` and `out` have `len` elements, there are words for every block, and
        // they and the ticket are zero.
        unsafe {
            scan::<T, Op>().launch(
                ctx.stream(),
                shape,
                &[
                    values.into(),
                    (&mut out).into(),
                    (values.len() as u64).into(),
                    u32::from(kind == ScanKind::Inclusive).into(),
                    Op::identity::<T>().into(),
                    (&mut tiles.ticket).into(),
                    (&mut tiles.words).into(),
                ],
            )?;
        }
    });
    Ok(out)
}

pub(super) fn compact_by<T: Number>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    Ok(split::<T::Bits, DropRest>(&values.cast(), flags, 0, ctx)?.0.cast())
}

pub(super) fn partition<T: Number>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<(DeviceUVec<T>, DeviceUVec<T>)> {
    let (kept, rest) = split::<T::Bits, KeepRest>(&values.cast(), flags, values.len(), ctx)?;
    Ok((kept.cast(), rest.cast()))
}

/// What has a flag, and the rest (one kernel for each width, whatever the type), for which there is room for `rest_len` elements.
fn split<T: KernelType, Rest: KernelName>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    rest_len: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<T>, DeviceUVec<T>)> {
    let mut kept = DeviceUVec::uninit(values.len(), ctx)?;
    let mut rest = DeviceUVec::uninit(rest_len, ctx)?;
    let mut count = DeviceUVec::<u64>::uninit(1, &temporary(ctx)?)?;
    let shape = LaunchShape::covering(values.len(), TILE, THREADS)?;
    let mut tiles = TileStates::new::<u64>(shape.grid[0] as usize, ctx)?;
    // SAFETY: values and flags are equally many (checked by the caller) and fit in `kept`, and in
    // `rest` if it is written; the states are as in `scan_all`.
    unsafe {
        compact::<T, Rest>().launch(
            ctx.stream(),
            shape,
            &[
                values.into(),
                flags.into(),
                (values.len() as u64).into(),
                (&mut kept).into(),
                (&mut rest).into(),
                (&mut count).into(),
                (&mut tiles.ticket).into(),
                (&mut tiles.words).into(),
            ],
        )?;
    }
    let count = count.element(0)? as usize;
    kept.truncate(count)?;
    rest.truncate(values.len() - count)?;
    Ok((kept, rest))
}

/// Bytes of shared memory that bins may take; more would leave few blocks on a multiprocessor.
const SHARED_BIN_BYTES: u32 = 32 << 10;

pub(super) fn histogram<T: Number>(
    values: &DeviceSpan<T>,
    num_bins: u32,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let mut counts = DeviceUVec::zeroed(num_bins as usize, ctx)?;
    let is_shared = num_bins <= SHARED_BIN_BYTES / 4;
    let (kernel, shared_bytes) =
        if is_shared { (histogram_shared::<T>(), num_bins * 4) } else { (histogram_global::<T>(), 0) };
    let shape = striding(&kernel, values.len().div_ceil(THREADS as usize), shared_bytes, ctx)?;
    let arguments = [values.into(), (values.len() as u64).into(), num_bins.into(), (&mut counts).into()];
    // SAFETY: `values` has `len` elements, `counts` and the shared memory have `num_bins`.
    unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    Ok(counts)
}

pub(super) fn segmented<T: Number, O: Offset>(
    values: &DeviceSpan<T>,
    offsets: &DeviceSpan<O>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let segments = offsets.len().saturating_sub(1);
    let mut out = DeviceUVec::uninit(segments, ctx)?;
    with_operator!(reduction, Op => {
        let kernel = segmented_reduce::<T, O, Op>();
        let shape = striding(&kernel, segments.div_ceil((THREADS / 32) as usize), 0, ctx)?;
        // SAFETY: `offsets` has one element more than there are segments; the kernel cuts segments off
        // at the end of the values.
        unsafe {
            kernel.launch(
                ctx.stream(),
                shape,
                &[
                    values.into(),
                    (values.len() as u64).into(),
                    offsets.into(),
                    (segments as u64).into(),
                    Op::identity::<T>().into(),
                    (&mut out).into(),
                ],
            )?;
        }
    });
    Ok(out)
}

pub(super) fn merge_splits<T: Number>(
    a: &DeviceSpan<T>,
    b: &DeviceSpan<T>,
    tile: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let kernel = merge_path::<T>();
    let mut splits = DeviceUVec::uninit((a.len() + b.len()).div_ceil(tile) + 1, ctx)?;
    let len = splits.len() as u64;
    let shape = striding(&kernel, splits.len().div_ceil(THREADS as usize), 0, ctx)?;
    // SAFETY: the lists have the lengths given; there is room for each split.
    unsafe {
        kernel.launch(
            ctx.stream(),
            shape,
            &[
                a.into(),
                (a.len() as u64).into(),
                b.into(),
                (b.len() as u64).into(),
                (tile as u64).into(),
                (&mut splits).into(),
                len.into(),
            ],
        )?;
    }
    Ok(splits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shapes stay exact where 32 bits would not hold the lengths.
    #[test]
    fn tiles_of_lengths_beyond_31_bits() {
        for len in [1usize << 31, (1 << 33) + 1, 1 << 40] {
            let blocks = LaunchShape::covering(len, TILE, THREADS).unwrap().grid[0] as usize;
            assert!((blocks - 1) * TILE < len && len <= blocks * TILE, "{len}");
        }
        let error = LaunchShape::covering(usize::MAX, TILE, THREADS).unwrap_err();
        assert!(error.to_string().contains("blocks in x is over the limit of 2147483647"), "{error}");
        assert_eq!(LaunchShape::covering(0, 1, THREADS).unwrap().grid, [1, 1, 1]);
    }

    #[test]
    fn the_family_has_each_kernel_once() {
        let mut names: Vec<_> =
            super::super::kernels().iter().map(|kernel| kernel.name().to_owned()).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
