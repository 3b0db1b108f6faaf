//! Blocks on the CPU: one parallel pass over the output, in units of [`UNIT`] bytes.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Bitmap, Context, Result, dispatch_storage};
use cuprum_runtime::{OutputSlice, parallel};

use super::Target;
use super::layout::{BlockLayout, OffsetPlace, Operation, Piece};

/// Bytes that a thread writes at a time; a multiple of the alignment, so that a unit never ends within a
/// word.
const UNIT: usize = 1 << 20;

/// The offsets at `places`.
pub(super) fn offsets_at(places: &[OffsetPlace<'_>]) -> Result<Vec<i64>> {
    let at = |place: &OffsetPlace<'_>| {
        let (column, row) = (place.column, place.row - place.column.offset());
        dispatch_storage!(column.data_type(), T => {
            use cuprum_column::Native;
            Ok(column.view()?.values::<T>()?[row].as_i64())
        }, else => Err(super::no_offsets(column.data_type())))
    };
    places.iter().map(at).collect()
}

/// Writes the bytes `window` of the row of blocks to `targets`, which cover them in order.
pub(super) fn copy(
    layout: &BlockLayout,
    window: Range<usize>,
    targets: &mut [Target<'_>],
    ctx: &Context,
) -> Result<()> {
    let mut outputs = Vec::with_capacity(targets.len());
    for target in targets {
        outputs.push((target.begin, OutputSlice::new(target.memory.as_host_slice_mut()?)));
    }
    parallel::for_ranges(window.len(), UNIT, ctx, &|unit| {
        let unit = window.start + unit.start..window.start + unit.end;
        let first = layout.pieces.partition_point(|piece| piece.end() <= unit.start);
        for piece in layout.pieces[first..].iter().take_while(|piece| piece.begin < unit.end) {
            let cut = unit.start.max(piece.begin)..unit.end.min(piece.end());
            let (begin, output) = outputs[outputs.partition_point(|(begin, _)| *begin <= cut.start) - 1];
            // SAFETY: targets cover the window, and neither units nor pieces overlap.
            let out = unsafe { output.slice(cut.start - begin..cut.end - begin) };
            let source = layout.sources[piece.source].span()?;
            write(piece, source.as_host_slice()?, cut.start - piece.begin, out)?;
        }
        Ok(())
    })
}

/// Writes the piece from its byte `at` on, a multiple of 8: all of `out`.
fn write(piece: &Piece, source: &[u8], at: usize, out: &mut [MaybeUninit<u8>]) -> Result<()> {
    if let Operation::Shift { bits } = piece.operation {
        shift(Bitmap::new(source, piece.from, bits), at / 8, out);
        return Ok(());
    }
    let (out, padding) = out.split_at_mut(piece.bytes.saturating_sub(at).min(out.len()));
    padding.fill(MaybeUninit::new(0));
    if out.is_empty() {
        return Ok(());
    }
    let source = &source[piece.from + at..][..out.len()];
    match piece.operation {
        Operation::Rebase32(base) => rebase(source, out, |v| (i32::from_ne_bytes(v) - base).to_ne_bytes()),
        Operation::Rebase64(base) => rebase(source, out, |v| (i64::from_ne_bytes(v) - base).to_ne_bytes()),
        _ => {
            out.write_copy_of_slice(source);
        }
    }
    Ok(())
}

fn rebase<const N: usize>(source: &[u8], out: &mut [MaybeUninit<u8>], f: impl Fn([u8; N]) -> [u8; N]) {
    let (values, _) = source.as_chunks::<N>();
    let (slots, _) = out.as_chunks_mut::<N>();
    for (slot, &value) in slots.iter_mut().zip(values) {
        slot.write_copy_of_slice(&f(value));
    }
}

/// Writes the words of a mask from word `first` on, zeros behind the last bit.
fn shift(bits: Bitmap<'_>, first: usize, out: &mut [MaybeUninit<u8>]) {
    let (slots, _) = out.as_chunks_mut::<8>();
    for (i, slot) in slots.iter_mut().enumerate() {
        slot.write_copy_of_slice(&bits.word(first + i).to_le_bytes());
    }
}
