//! Concatenation on the CPU: the output is sized first, then every part is copied into place.

use std::ops::Range;

use cuprum_column::strings::{Offsets, SMALL_STRINGS};
use cuprum_column::{
    Bitmap, Buffer, Column, Context, HostUVec, Native, Result, StringsView, null_mask, strings,
};
use cuprum_runtime::{OutputSlice, parallel};

use crate::copying::cpu::{dispatch_width, raw_values, typed_slice, uninit_elements};

/// See [`super::concatenate`]; the columns have one type.
pub(super) fn concatenate(columns: &[&Column], ctx: &Context) -> Result<Column> {
    let data_type = columns[0].data_type();
    let starts = running_sum(columns.iter().map(|c| c.len()));
    let len = starts[columns.len()];
    let mask = if columns.iter().any(|c| c.has_nulls()) {
        let parts =
            columns.iter().map(|c| Ok((c.len(), c.view()?.validity()))).collect::<Result<Vec<_>>>()?;
        Some(concatenate_bits(&parts, ctx)?)
    } else {
        None
    };
    let Some(size) = data_type.size() else {
        return concatenate_strings(columns, &starts, mask, ctx);
    };
    let mut out = uninit_elements(len, size, ctx)?;
    let slots = out.output();
    let pieces = pieces(columns.iter().map(|c| c.len()));
    dispatch_width!(size, T => {
        parallel::map_ranges(pieces.len(), 1, ctx, |range| {
            for (part, rows) in &pieces[range] {
                let source = raw_values::<T>(columns[*part])?;
                let start = starts[*part];
                // SAFETY: the pieces are disjoint ranges of the output.
                let out = unsafe { typed_slice::<T>(&slots, start + rows.start..start + rows.end) };
                out.write_copy_of_slice(&source[rows.clone()]);
            }
            Ok(())
        })?;
    });
    // SAFETY: the pieces cover every row of every column.
    let data = unsafe { out.assume_init() }.into_buffer();
    Column::from_buffer(data_type, len, data, mask)
}

/// 0, then the sums of the first 1, 2, … lengths.
pub(crate) fn running_sum(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sums = vec![0];
    let mut sum = 0;
    for length in lengths {
        sum += length;
        sums.push(sum);
    }
    sums
}

/// The parts cut into morsels: (part, rows of the part).
fn pieces(lengths: impl Iterator<Item = usize>) -> Vec<(usize, Range<usize>)> {
    const STEP: usize = 4 * parallel::MORSEL;
    lengths
        .enumerate()
        .flat_map(|(part, len)| {
            (0..len.div_ceil(STEP)).map(move |i| (part, i * STEP..((i + 1) * STEP).min(len)))
        })
        .collect()
}

/// The bits of all parts one after the other; a part without a map has only set bits.
pub(crate) fn concatenate_bits(
    parts: &[(usize, Option<Bitmap<'_>>)],
    ctx: &Context,
) -> Result<(Buffer, usize)> {
    let starts = running_sum(parts.iter().map(|(len, _)| *len));
    let len = starts[parts.len()];
    null_mask::from_words(len, ctx, |w| {
        let (start, end) = (w * 64, (w * 64 + 64).min(len));
        let mut part = starts.partition_point(|&s| s <= start) - 1;
        let (mut word, mut at) = (0u64, start);
        while at < end {
            let (part_len, bits) = &parts[part];
            let from = at - starts[part];
            let count = (part_len - from).min(end - at);
            if count > 0 {
                let piece = match bits {
                    Some(bits) => bits.slice(from..from + count).word(0),
                    None => u64::MAX >> (64 - count),
                };
                word |= piece << (at - start);
            }
            at += count;
            part += 1;
        }
        word
    })
}

fn concatenate_strings(
    columns: &[&Column],
    starts: &[usize],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let views = columns.iter().map(|c| c.view()?.strings()).collect::<Result<Vec<_>>>()?;
    let char_starts = running_sum(views.iter().map(StringsView::total_bytes));
    if char_starts[views.len()] <= SMALL_STRINGS {
        join_strings::<i32>(&views, starts, &char_starts, mask, ctx)
    } else {
        join_strings::<i64>(&views, starts, &char_starts, mask, ctx)
    }
}

fn join_strings<O: Native>(
    views: &[StringsView<'_>],
    starts: &[usize],
    char_starts: &[usize],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let (len, total) = (starts[views.len()], char_starts[views.len()]);
    let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
    let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
    let (offsets_out, chars_out) = (offsets.output(), chars.output());
    let pieces = pieces(views.iter().map(StringsView::len));
    parallel::map_ranges(pieces.len(), 1, ctx, |range| {
        for (part, rows) in &pieces[range] {
            let view = &views[*part];
            let first = view.range(0).start;
            let bytes = view.range(rows.start).start..view.range(rows.end - 1).end;
            let base = char_starts[*part];
            // SAFETY: the pieces are disjoint runs of rows, so of offsets and of characters.
            unsafe {
                chars_out
                    .slice(base + bytes.start - first..base + bytes.end - first)
                    .write_copy_of_slice(&view.chars()[bytes]);
            }
            let shift = base as i64 - first as i64;
            let place = starts[*part] + rows.start;
            match view.offsets() {
                Offsets::Small(o) => shift_offsets(&o[rows.clone()], shift, place, &offsets_out),
                Offsets::Large(o) => shift_offsets(&o[rows.clone()], shift, place, &offsets_out),
            }
        }
        Ok(())
    })?;
    offsets[len] = std::mem::MaybeUninit::new(O::from_i64(total as i64));
    // SAFETY: the pieces cover all rows; the last offset is written above. Row ranges of one column
    // follow each other without gaps, so the characters are covered too.
    let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
    // SAFETY: offsets of a column never decrease, parts follow each other, rows are UTF-8.
    unsafe { strings::from_parts(len, Column::from_values(offsets), chars.into_buffer(), mask) }
}

/// `offsets + shift` written from `place` on.
fn shift_offsets<S: Native, O: Native>(offsets: &[S], shift: i64, place: usize, out: &OutputSlice<'_, O>) {
    // SAFETY: the caller's rows belong to one piece alone.
    let out = unsafe { out.slice(place..place + offsets.len()) };
    for (slot, offset) in out.iter_mut().zip(offsets) {
        slot.write(O::from_i64(offset.as_i64() + shift));
    }
}
