//! Concatenation on the CPU: the output is sized first, then every part is copied into place. Work is
//! cut by the output, so that thousands of small parts cost no more than one.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::strings::{Offsets, SMALL_STRINGS};
use cuprum_column::{Buffer, Column, Context, DataType, HostUVec, Native, Result, null_mask};
use cuprum_runtime::parallel;

use cuprum_elements::stable_partition::running_sum;

/// Bytes of the output that are one piece of work.
const BYTES: usize = 512 << 10;

/// The parts of `range` (counted over all parts) in order: which part, and what of it. `starts` is the
/// [`running_sum`] of the parts' lengths.
fn parts_of(starts: &[usize], range: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
    let Range { start, end } = range;
    let first = starts.partition_point(|&bound| bound <= start).saturating_sub(1);
    starts[first..]
        .windows(2)
        .enumerate()
        .take_while(move |(_, bounds)| bounds[0] < end)
        .map(move |(i, bounds)| {
            let from = bounds[0].max(start);
            (first + i, from - bounds[0]..bounds[1].min(end).max(from) - bounds[0])
        })
        .filter(|(_, rows)| !rows.is_empty())
}

/// The bytes `range` of the data of each column, one after the other.
pub(super) fn join_bytes(columns: &[&Column], ranges: &[Range<usize>], ctx: &Context) -> Result<Buffer> {
    let spans = columns.iter().map(|column| column.data().map(Buffer::span::<u8>).transpose());
    let spans = spans.collect::<Result<Vec<_>>>()?;
    let sources = spans.iter().zip(ranges).map(|(span, range)| match span {
        Some(span) => Ok(&span.as_host_slice()?[range.clone()]),
        None => Ok(&[][..]),
    });
    let sources = sources.collect::<Result<Vec<&[u8]>>>()?;
    let starts = running_sum(sources.iter().map(|source| source.len()));
    let mut out = HostUVec::<u8>::uninit(starts[sources.len()], ctx)?;
    let slots = out.output();
    parallel::map_ranges(starts[sources.len()], BYTES, ctx, |range| {
        for (part, bytes) in parts_of(&starts, range) {
            let at = starts[part];
            // SAFETY: parts and ranges are disjoint.
            let slots = unsafe { slots.slice(at + bytes.start..at + bytes.end) };
            slots.write_copy_of_slice(&sources[part][bytes]);
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all bytes.
    Ok(unsafe { out.assume_init() }.into_buffer())
}

/// The validity of all columns, one after the other; `None` where nothing is null.
pub(super) fn join_masks(columns: &[&Column], ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    if !columns.iter().any(|column| column.mask().is_some() && column.has_nulls()) {
        return Ok(None);
    }
    let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    let parts: Vec<_> = views.iter().map(|view| (view.len(), view.validity())).collect();
    null_mask::concatenated(&parts, ctx).map(Some)
}

/// The offsets of all columns of strings or lists, made to follow each other, and for each column what
/// of its characters or elements they point to.
pub(super) fn join_offsets(columns: &[&Column], ctx: &Context) -> Result<(Column, Vec<Range<usize>>)> {
    let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    let parts = views.iter().map(|view| match view.data_type() {
        DataType::List => Ok(view.lists()?.offsets()),
        _ => Ok(view.strings()?.offsets()),
    });
    let parts = parts.collect::<Result<Vec<Offsets<'_>>>>()?;
    let ranges: Vec<Range<usize>> = parts
        .iter()
        .map(|part| if part.is_empty() { 0..0 } else { part.range(0).start..part.range(part.len() - 1).end })
        .collect();
    let bases = running_sum(ranges.iter().map(ExactSizeIterator::len));
    let offsets = if bases[parts.len()] <= SMALL_STRINGS {
        shifted::<i32>(&parts, &ranges, &bases, ctx)?
    } else {
        shifted::<i64>(&parts, &ranges, &bases, ctx)?
    };
    Ok((offsets, ranges))
}

fn shifted<O: Native>(
    parts: &[Offsets<'_>],
    ranges: &[Range<usize>],
    bases: &[usize],
    ctx: &Context,
) -> Result<Column> {
    let starts = running_sum(parts.iter().map(Offsets::len));
    let len = starts[parts.len()];
    let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
    let slots = offsets.output();
    parallel::map_morsels(len, ctx, |range| {
        for (part, rows) in parts_of(&starts, range) {
            let shift = bases[part] as i64 - ranges[part].start as i64;
            let at = starts[part];
            // SAFETY: parts and morsels are disjoint.
            let slots = unsafe { slots.slice(at + rows.start..at + rows.end) };
            match &parts[part] {
                Offsets::Small(o) => shift_offsets(&o[rows], shift, slots),
                Offsets::Large(o) => shift_offsets(&o[rows], shift, slots),
            }
        }
        Ok(())
    })?;
    offsets[len] = MaybeUninit::new(O::from_i64(bases[parts.len()] as i64));
    // SAFETY: the morsels cover all rows; the last offset is written above.
    Ok(Column::from_values(unsafe { offsets.assume_init() }))
}

/// `offsets + shift`.
fn shift_offsets<S: Native, O: Native>(offsets: &[S], shift: i64, out: &mut [MaybeUninit<O>]) {
    for (slot, offset) in out.iter_mut().zip(offsets) {
        slot.write(O::from_i64(offset.as_i64() + shift));
    }
}
