//! The primitives on the host: morsels over the thread pool.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytemuck::Pod;

use super::number::{Bin, Number, Offset, Operator, Reduction, ScanKind, with_operator};
use crate::context::Context;
use crate::device_uvec::{DeviceScalar, DeviceSpan, DeviceUVec};
use crate::error::Result;
use crate::host_uvec::OutputSlice;
use crate::parallel::{self, MORSEL};

/// A new vector whose morsels `write` fills, given their ranges and places.
fn from_morsels<T: Number>(
    len: usize,
    ctx: &Context,
    write: impl Fn(Range<usize>, &mut [T]) + Sync,
) -> Result<DeviceUVec<T>> {
    let mut out = DeviceUVec::uninit(len, ctx)?;
    let places = OutputSlice::new(out.as_host_slice_mut()?);
    parallel::for_ranges(len, MORSEL, ctx, &|range| {
        // SAFETY: the ranges are disjoint and below `len`.
        write(range.clone(), unsafe { places_of(&places, range) });
        Ok(())
    })?;
    Ok(out)
}

/// Places of a vector that hold something, if only what was in the memory before.
///
/// # Safety
/// As [`OutputSlice::slice`].
#[allow(clippy::mut_from_ref)]
pub(super) unsafe fn places_of<'a, T: Pod>(places: &OutputSlice<'a, T>, range: Range<usize>) -> &'a mut [T] {
    // SAFETY: the range lies inside the output and no other thread accesses it, as the caller says. Memory of a vector
    // counts as initialised, and every bit pattern is a value.
    unsafe { &mut *(std::ptr::from_mut(places.slice(range)) as *mut [T]) }
}

pub(super) fn fill<T: Number>(value: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    from_morsels(len, ctx, |_, out| out.fill(value))
}

pub(super) fn sequence<T: Number>(start: T, step: T, len: usize, ctx: &Context) -> Result<DeviceUVec<T>> {
    from_morsels(len, ctx, |range, out| {
        for (i, place) in range.zip(out) {
            *place = T::term(start, step, i);
        }
    })
}

pub(super) fn map<A: Number, R: Number>(
    values: &DeviceSpan<A>,
    function: impl Fn(A) -> R + Sync,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    let values = values.as_host_slice()?;
    from_morsels(values.len(), ctx, |range, out| {
        for (&value, place) in values[range].iter().zip(out) {
            *place = function(value);
        }
    })
}

/// All values combined, in several independent chains, so that the processor need not wait for one.
fn combine_all<T: Number, Op: Operator>(values: &[T]) -> T {
    let mut chains = [Op::identity::<T>(); 16];
    let mut chunks = values.chunks_exact(chains.len());
    for chunk in &mut chunks {
        for (chain, &value) in chains.iter_mut().zip(chunk) {
            *chain = Op::combine(*chain, value);
        }
    }
    let rest = chunks.remainder().iter().copied();
    chains.into_iter().chain(rest).fold(Op::identity(), Op::combine)
}

pub(super) fn reduce<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceScalar<T>> {
    let values = values.as_host_slice()?;
    let result = with_operator!(reduction, Op => {
        let parts = parallel::map_morsels(values.len(), ctx, |range| Ok(combine_all::<T, Op>(&values[range])))?;
        parts.into_iter().fold(Op::identity(), Op::combine)
    });
    DeviceScalar::new(result, ctx)
}

/// `measure` of every morsel, then `place` with the total of all morsels before it, by the thread that
/// has the morsel in its cache. Returns the total.
///
/// Morsels are taken in order, so whoever waits waits for a morsel that a thread is at work on.
fn in_order<S: Copy + Send + Sync>(
    len: usize,
    identity: S,
    combine: impl Fn(S, S) -> S + Sync,
    ctx: &Context,
    measure: impl Fn(Range<usize>) -> S + Sync,
    place: impl Fn(Range<usize>, S) + Sync,
) -> Result<S> {
    let prefixes: Vec<OnceLock<S>> = (0..len.div_ceil(MORSEL)).map(|_| OnceLock::new()).collect();
    let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let prefix_of = |morsel: usize| loop {
        match prefixes[morsel].get() {
            Some(&prefix) => return Some(prefix),
            None if is_stopped.load(Ordering::Relaxed) => return None,
            None => std::thread::yield_now(),
        }
    };
    let work = || {
        loop {
            let morsel = next.fetch_add(1, Ordering::Relaxed);
            if morsel >= prefixes.len() {
                return;
            }
            if ctx.check().is_err() {
                return is_stopped.store(true, Ordering::Relaxed);
            }
            let range = morsel * MORSEL..((morsel + 1) * MORSEL).min(len);
            let measured = measure(range.clone());
            let before = if morsel == 0 { Some(identity) } else { prefix_of(morsel - 1) };
            let Some(before) = before else { return };
            // Each morsel is taken once, so its prefix is not there yet.
            let _ = prefixes[morsel].set(combine(before, measured));
            place(range, before);
        }
    };
    let threads = parallel::num_threads().min(prefixes.len());
    parallel::for_ranges(threads, 1, ctx, &|_| {
        work();
        Ok(())
    })?;
    ctx.check()?;
    Ok(prefixes.last().and_then(OnceLock::get).copied().unwrap_or(identity))
}

pub(super) fn scan<T: Number>(
    values: &DeviceSpan<T>,
    reduction: Reduction,
    kind: ScanKind,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let values = values.as_host_slice()?;
    let mut out = DeviceUVec::uninit(values.len(), ctx)?;
    let places = OutputSlice::new(out.as_host_slice_mut()?);
    with_operator!(reduction, Op => {
        in_order(
            values.len(),
            Op::identity::<T>(),
            Op::combine,
            ctx,
            |range| combine_all::<T, Op>(&values[range]),
            |range, mut running| {
                // SAFETY: the ranges are disjoint and below `len`.
                let out = unsafe { places_of(&places, range.clone()) };
                for (&value, place) in values[range].iter().zip(out) {
                    let before = running;
                    running = Op::combine(running, value);
                    *place = if kind == ScanKind::Inclusive { running } else { before };
                }
            },
        )?
    });
    Ok(out)
}

fn count_flags(flags: &[u8]) -> usize {
    // Counted in bytes as far as these go, so that one instruction counts sixteen flags.
    let chunks = flags.chunks(u8::MAX.into());
    chunks.map(|chunk| usize::from(chunk.iter().map(|&flag| u8::from(flag != 0)).sum::<u8>())).sum()
}

/// Writes the values whose flag `is_chosen` to `out`, which has room for exactly these.
fn choose<T: Number>(values: &[T], flags: &[u8], mut out: &mut [T], is_chosen: impl Fn(u8) -> bool) {
    // Twice as many places as can be taken, so that the mask below bounds every index.
    let mut chosen = [T::default(); 128];
    for (values, flags) in values.chunks(64).zip(flags.chunks(64)) {
        let mut count = 0;
        // Every value is written, and stays where it is chosen: no branch depends on the data.
        for (&value, &flag) in values.iter().zip(flags) {
            chosen[count & 127] = value;
            count += usize::from(is_chosen(flag));
        }
        let (places, rest) = out.split_at_mut(count);
        places.copy_from_slice(&chosen[..count]);
        out = rest;
    }
}

pub(super) fn compact<T: Number>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let (values, flags) = (values.as_host_slice()?, flags.as_host_slice()?);
    let mut kept = DeviceUVec::uninit(values.len(), ctx)?;
    let places = OutputSlice::new(kept.as_host_slice_mut()?);
    let count = in_order(
        values.len(),
        0,
        |a, b| a + b,
        ctx,
        |range| count_flags(&flags[range]),
        |range, before| {
            let (values, flags) = (&values[range.clone()], &flags[range]);
            // As many as were counted, unless others write to the flags meanwhile.
            let end = (before + count_flags(flags)).min(places.len());
            // SAFETY: each morsel writes as many places as it has flags, behind those of all before it, and
            // none behind the last.
            let out = unsafe { places_of(&places, before..end) };
            choose(values, flags, out, |flag| flag != 0);
        },
    )?;
    kept.truncate(count)?;
    Ok(kept)
}

pub(super) fn partition<T: Number>(
    values: &DeviceSpan<T>,
    flags: &DeviceSpan<u8>,
    ctx: &Context,
) -> Result<(DeviceUVec<T>, DeviceUVec<T>)> {
    let (values, flags) = (values.as_host_slice()?, flags.as_host_slice()?);
    let mut kept = DeviceUVec::uninit(values.len(), ctx)?;
    let mut rest = DeviceUVec::uninit(values.len(), ctx)?;
    let kept_places = OutputSlice::new(kept.as_host_slice_mut()?);
    let rest_places = OutputSlice::new(rest.as_host_slice_mut()?);
    let count = in_order(
        values.len(),
        0,
        |a, b| a + b,
        ctx,
        |range| count_flags(&flags[range]),
        |range, before| {
            let start = range.start - before;
            let (values, flags) = (&values[range.clone()], &flags[range]);
            let count = count_flags(flags);
            let kept_end = (before + count).min(kept_places.len());
            let rest_end = (start + values.len() - count).min(rest_places.len());
            // SAFETY: as in `compact`; elements not kept are behind all earlier ones not kept.
            let (kept, rest) = unsafe {
                (places_of(&kept_places, before..kept_end), places_of(&rest_places, start..rest_end))
            };
            choose(values, flags, kept, |flag| flag != 0);
            choose(values, flags, rest, |flag| flag == 0);
        },
    )?;
    kept.truncate(count)?;
    rest.truncate(values.len() - count)?;
    Ok((kept, rest))
}

pub(super) fn histogram<T: Bin>(
    values: &DeviceSpan<T>,
    num_bins: u32,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let values = values.as_host_slice()?;
    // One histogram for each thread, or fewer where the bins outnumber the values.
    let step = values.len().div_ceil(parallel::num_threads()).max(num_bins as usize).max(MORSEL);
    let parts = parallel::map_ranges(values.len(), step, ctx, |range| {
        let mut counts = vec![0u64; num_bins as usize];
        for &value in &values[range] {
            if let Some(count) = counts.get_mut(value.bin()) {
                *count += 1;
            }
        }
        Ok(counts)
    })?;
    let mut out = DeviceUVec::zeroed(num_bins as usize, ctx)?;
    let counts = out.as_host_slice_mut()?;
    for part in parts {
        for (count, more) in counts.iter_mut().zip(part) {
            *count += more;
        }
    }
    Ok(out)
}

pub(super) fn segmented_reduce<T: Number, O: Offset>(
    values: &DeviceSpan<T>,
    offsets: &DeviceSpan<O>,
    reduction: Reduction,
    ctx: &Context,
) -> Result<DeviceUVec<T>> {
    let (values, offsets) = (values.as_host_slice()?, offsets.as_host_slice()?);
    with_operator!(reduction, Op => {
        from_morsels(offsets.len().saturating_sub(1), ctx, |range, out| {
            for (s, place) in range.zip(out) {
                let end = offsets[s + 1].position().min(values.len());
                let start = offsets[s].position().min(end);
                *place = combine_all::<T, Op>(&values[start..end]);
            }
        })
    })
}

pub(super) fn merge_path<T: Number>(
    a: &DeviceSpan<T>,
    b: &DeviceSpan<T>,
    tile: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let (a, b) = (a.as_host_slice()?, b.as_host_slice()?);
    let all = a.len() + b.len();
    from_morsels(all.div_ceil(tile) + 1, ctx, |range, out| {
        for (k, place) in range.zip(out) {
            let diagonal = k.saturating_mul(tile).min(all);
            let (mut low, mut high) = (diagonal.saturating_sub(b.len()), diagonal.min(a.len()));
            while low < high {
                let middle = low.midpoint(high);
                if b[diagonal - 1 - middle] < a[middle] {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            *place = low as u64;
        }
    })
}
