//! The primitives as kernels: grids, temporary memory and launches.

use std::sync::Arc;

use super::number::{Number, Offset, Operator, Reduction, ScanKind, with_operator};
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceUVec};
use crate::error::Result;
use crate::fork::RwLock;
use crate::kernel::{
    GeneratedKernel, Grid, In, KernelName, KernelParameter, KernelType, Out, Parameter, Source,
};
use crate::{kernel_names, kernels};

kernels! {
    pub static PRIMITIVES: "primitives.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Elements that a thread has in flight.
        ITEMS = 16,
        /// The same for scans, where larger tiles mean fewer waits for the tile before.
        SCAN_ITEMS = 32,
        /// The same for scans of 4 bytes: as many bytes as of 8.
        SCAN_ITEMS_OF_4 = 64;

    fn fill<T in [u8, u16, u32, u64]>(out: Out<T>, n: usize, value: T);
    fn sequence<T in NUMBERS>(out: Out<T>, n: usize, start: T, step: T);
    fn convert<T in [u32, u64], R in [i32, u64]>(values: In<T>, n: usize, out: Out<R>);
    fn reduce<T in NUMBERS, O in [Sum, Min, Max]>(
        values: In<T>, n: usize, identity: T, partials: Out<T>, finished: Out<u32>, out: Out<T>,
    );
    fn scan<T in NUMBERS, O in [Sum, Min, Max]>(
        values: In<T>, out: Out<T>, n: usize, inclusive: u32, identity: T, ticket: Out<u64>, words: Out<u64>,
    );
    fn compact<T in [u8, u16, u32, u64], Rest in [KeepRest, DropRest]>(
        values: In<T>, flags: In<u8>, n: usize, kept: Out<T>, rest: Out<T>, count: Out<u64>,
        ticket: Out<u64>, words: Out<u64>,
    );
    fn histogram_shared<T in [u8, u16, u32]>(values: In<T>, n: usize, num_bins: u32, counts: Out<u64>);
    fn histogram_global<T in [u8, u16, u32]>(values: In<T>, n: usize, num_bins: u32, counts: Out<u64>);
    fn segmented_reduce<T in NUMBERS, O in [i32, i64], Op in [Sum, Min, Max]>(
        values: In<T>, n: usize, offsets: In<O>, segments: usize, lanes: u32, identity: T, out: Out<T>,
    );
    fn merge_path<T in NUMBERS>(
        a: In<T>, a_len: usize, b: In<T>, b_len: usize, tile: usize, splits: Out<u64>, num_splits: usize,
    );
}

kernel_names! {
    struct KeepRest;
    struct DropRest;
}

/// Elements that a block takes at a time.
const TILE: usize = (THREADS * ITEMS) as usize;

/// The same of a scan.
fn scan_tile<T>() -> usize {
    (THREADS * if size_of::<T>() == 4 { SCAN_ITEMS_OF_4 } else { SCAN_ITEMS }) as usize
}

pub(super) fn fill_with<T: Number>(value: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    let mut out = DeviceUVec::<T::Bits>::uninit(len, ctx)?;
    let grid = Grid::covering(len, TILE, THREADS);
    // SAFETY: `out` has `len` elements.
    unsafe { fill::<T::Bits>(ctx, grid, &mut out, len, value.to_kernel_bits())? };
    Ok(out.cast())
}

pub(super) fn sequence_of<T: Number>(start: T, step: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    let mut out = DeviceUVec::uninit(len, ctx)?;
    // SAFETY: `out` has `len` elements.
    unsafe { sequence::<T>(ctx, Grid::covering(len, TILE, THREADS), &mut out, len, start, step)? };
    Ok(out)
}

pub(super) fn converted<T: KernelType, R: KernelType>(
    values: &DeviceSpan<T>,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    let (len, mut out) = (values.len(), DeviceUVec::uninit(values.len(), ctx)?);
    // SAFETY: both have `len` elements.
    unsafe { convert::<T, R>(ctx, Grid::striding(len, THREADS), values, len, &mut out)? };
    Ok(out)
}

pub(super) fn transform<A: Number, R: Number>(
    values: &DeviceSpan<A>,
    expression: &'static str,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    let (len, mut out) = (values.len(), DeviceUVec::<R>::uninit(values.len(), ctx)?);
    // SAFETY: both have `len` elements.
    unsafe {
        transforming(expression, [A::NAME, R::NAME]).launch(
            ctx,
            Grid::striding(len, THREADS),
            |arguments| {
                arguments.add::<In<A>>(values).add::<Out<R>>(&mut out).add::<usize>(len);
            },
        )?;
    }
    Ok(out)
}

/// The kernel of an expression between two types, made once.
fn transforming(expression: &'static str, types: [&'static str; 2]) -> Arc<GeneratedKernel> {
    type Known = Vec<(&'static str, [&'static str; 2], Arc<GeneratedKernel>)>;
    static KNOWN: RwLock<Known> = RwLock::new(Vec::new());
    let find = |known: &Known| {
        let same = known.iter().find(|known| (known.0, known.1) == (expression, types));
        same.map(|(_, _, kernel)| Arc::clone(kernel))
    };
    if let Some(kernel) = find(&KNOWN.read()) {
        return kernel;
    }
    let mut known = KNOWN.write();
    find(&known).unwrap_or_else(|| {
        let begin = format!("#define EXPRESSION ({expression})\n#line 1 \"transform.cu\"\n");
        let source = Source::generated("transform.cu", begin + include_str!("transform.cu"));
        let [value, result] = types;
        let parameters = vec![Parameter::Read(value), Parameter::Write(result), usize::PARAMETER];
        let kernel = Arc::new(GeneratedKernel::new(Arc::new(source), "transform", &types, parameters));
        known.push((expression, types, Arc::clone(&kernel)));
        kernel
    })
}

/// The most blocks of a reduction: more than any GPU holds at once.
const MOST_PARTIALS: usize = 1 << 14;

pub(super) fn reduce_all<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceScalar<T>> {
    let (len, temporary) = (values.len(), ctx.temporary()?);
    let blocks = len.div_ceil(TILE).clamp(1, MOST_PARTIALS);
    let mut partials = DeviceUVec::<T>::uninit(blocks, &temporary)?;
    let mut finished = DeviceUVec::<u32>::zeroed(1, &temporary)?;
    let mut out = DeviceUVec::uninit(1, ctx)?;
    with_operator!(reduction, Op => {
        let (grid, identity) = (Grid::resident(blocks, THREADS), Op::identity::<T>());
        // SAFETY: `values` has `len` elements, `partials` one for each block, the others have one.
        unsafe { reduce::<T, Op>(ctx, grid, values, len, identity, &mut partials, &mut finished, &mut out)? }
    });
    Ok(DeviceScalar(out))
}

/// The published states of tiles in a look-back, see `cuprum/look_back.cuh`.
struct TileStates {
    ticket: DeviceUVec<u64>,
    words: DeviceUVec<u64>,
}

impl TileStates {
    /// For values of type `T`, which are published in one word or in two.
    fn new<T>(tiles: usize, ctx: &Context) -> Result<Self> {
        let ctx = ctx.temporary()?;
        let words = tiles.max(1) * size_of::<T>().div_ceil(4);
        Ok(Self { ticket: DeviceUVec::zeroed(1, &ctx)?, words: DeviceUVec::zeroed(words, &ctx)? })
    }
}

/// The states of tiles that look back in an order of their own, see `look_back_in_order` in `cuprum/look_back.cuh`.
pub struct OrderedTiles {
    /// The number of the next tile.
    pub ticket: DeviceUVec<u64>,
    /// What tiles, groups of them and blocks of groups have published.
    pub words: DeviceUVec<u64>,
}

impl OrderedTiles {
    /// For values of type `T`, which are published in one word or in two.
    pub fn new<T>(tiles: usize, ctx: &Context) -> Result<Self> {
        /// Tiles of a group, groups of a block.
        const TOGETHER: usize = 32;
        let (groups, blocks) = (tiles / TOGETHER + 1, tiles / TOGETHER.pow(2) + 2);
        let ctx = ctx.temporary()?;
        let words = (tiles + groups + blocks) * size_of::<T>().div_ceil(4);
        Ok(Self { ticket: DeviceUVec::zeroed(1, &ctx)?, words: DeviceUVec::zeroed(words, &ctx)? })
    }
}

pub(super) fn scan_all<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    kind: ScanKind,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let (len, tile) = (values.len(), scan_tile::<T>());
    let mut out = DeviceUVec::uninit(len, ctx)?;
    let TileStates { mut ticket, mut words } = TileStates::new::<T>(len.div_ceil(tile), ctx)?;
    with_operator!(reduction, Op => {
        let (grid, identity) = (Grid::covering(len, tile, THREADS), Op::identity::<T>());
        let inclusive = u32::from(kind == ScanKind::Inclusive);
        // SAFETY: `values` and `out` have `len` elements, there are words for every block, and they and
        // the ticket are zero.
        unsafe {
            scan::<T, Op>(ctx, grid, values, &mut out, len, inclusive, identity, &mut ticket, &mut words)?;
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

/// The elements with a flag, and the rest (one kernel for each width, whatever the type), for which there is
/// room for `rest_len` elements.
fn split<T: KernelType, Rest: KernelName>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    rest_len: usize,
    ctx: &Context,
) -> Result<(DeviceUVec<T>, DeviceUVec<T>)> {
    let (len, grid) = (values.len(), Grid::covering(values.len(), TILE, THREADS));
    let (mut kept, mut rest) = (DeviceUVec::uninit(len, ctx)?, DeviceUVec::uninit(rest_len, ctx)?);
    let mut count = DeviceUVec::<u64>::uninit(1, &ctx.temporary()?)?;
    let TileStates { mut ticket, mut words } = TileStates::new::<u64>(len.div_ceil(TILE), ctx)?;
    let (ticket, words) = (&mut ticket, &mut words);
    // SAFETY: values and flags are equally many (checked by the caller) and fit in `kept`, and in
    // `rest` if it is written; the states are as in `scan_all`.
    unsafe {
        compact::<T, Rest>(ctx, grid, values, flags, len, &mut kept, &mut rest, &mut count, ticket, words)?;
    };
    let count = count.element(0)? as usize;
    kept.truncate(count)?;
    rest.truncate(len - count)?;
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
    let (len, grid) = (values.len(), Grid::striding(values.len(), THREADS));
    // SAFETY: `values` has `len` elements, `counts` and the shared memory have `num_bins`.
    unsafe {
        if num_bins <= SHARED_BIN_BYTES / 4 {
            let grid = grid.with_shared_bytes(num_bins * 4);
            histogram_shared::<T>(ctx, grid, values, len, num_bins, &mut counts)?;
        } else {
            histogram_global::<T>(ctx, grid, values, len, num_bins, &mut counts)?;
        }
    }
    Ok(counts)
}

pub(super) fn segmented<T: Number, O: Offset>(
    values: &DeviceSpan<T>,
    offsets: &DeviceSpan<O>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let (len, segments) = (values.len(), offsets.len().saturating_sub(1));
    let mut out = DeviceUVec::uninit(segments, ctx)?;
    // A lane for every 32 bytes of a segment of average length.
    let lanes = 1 << (len.div_ceil(segments.max(1)) * size_of::<T>() / 32).clamp(1, 32).ilog2();
    let grid = Grid::striding(segments.saturating_mul(lanes as usize), THREADS);
    with_operator!(reduction, Op => {
        let identity = Op::identity::<T>();
        // SAFETY: `offsets` has one element more than there are segments; the kernel cuts segments off
        // at the end of the values.
        unsafe {
            segmented_reduce::<T, O, Op>(ctx, grid, values, len, offsets, segments, lanes, identity, &mut out)?;
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
    let len = (a.len() + b.len()).div_ceil(tile) + 1;
    let mut splits = DeviceUVec::uninit(len, ctx)?;
    let grid = Grid::striding(len, THREADS);
    // SAFETY: the lists have the lengths given; there is room for each split.
    unsafe { merge_path::<T>(ctx, grid, a, a.len(), b, b.len(), tile, &mut splits, len)? };
    Ok(splits)
}
