//! Compaction on the CPU: the rows to keep as bits, a count per morsel, then every column of a
//! morsel is written to its final place.

use std::mem::MaybeUninit;

use bytemuck::Pod;
use cuprum_column::null_mask::SetBits;
use cuprum_column::{Bitmap, Buffer, Column, ColumnView, Context, DataType, Result, Table, null_mask};
use cuprum_runtime::cache::Appender;
use cuprum_runtime::{OutputSlice, parallel};

use super::compress::compress;
use super::text;
use cuprum_elements::elements::{columns_at_once, dispatch_width, typed_slice, uninit_elements};
use cuprum_elements::gather::OutOfBoundsPolicy;
use cuprum_elements::gather::cpu::Map;
use cuprum_elements::gather::gather_one;
use cuprum_elements::selection::{BLOCK, Selection, WORDS, list_set_bits, selected_rows};
use cuprum_elements::stable_partition::changed;

/// Fewer texts than one in so many are gathered by their row numbers.
const SPARSE: usize = 16;

/// The rows of `table` that are selected.
#[doc(hidden)]
pub fn keep(table: &Table, selection: &Selection, ctx: &Context) -> Result<Table> {
    let (len, kept) = (selection.len, selection.count());
    debug_assert_eq!(table.num_rows(), len);
    if kept == len {
        return Ok(table.clone());
    }
    if kept == 0 {
        return table.slice(0, 0);
    }
    let mut rows = None;
    let mut columns = Vec::with_capacity(table.num_columns());
    for some in table.columns().chunks(columns_at_once(table.num_columns(), ctx)) {
        columns.extend(keep_columns(some, selection, &mut rows, ctx)?);
    }
    Table::with_rows(columns, kept)
}

/// Some columns of a table. `rows` are the numbers of the selected rows, once they are asked for.
fn keep_columns(
    columns: &[Column],
    selection: &Selection,
    rows: &mut Option<Column>,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let kept = selection.count();
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let mut outputs = Vec::new();
    for column in columns {
        outputs.push(match column.data_type().size() {
            Some(size) => Some(uninit_elements(kept, size, ctx)?),
            None => None,
        });
    }
    let lanes: Vec<Lane<'_>> = views
        .iter()
        .zip(&mut outputs)
        .filter_map(|(view, out)| Some((view, view.data_type().size()?, out.as_mut()?.output())))
        .collect();
    let masked: Vec<(usize, Bitmap<'_>)> = views
        .iter()
        .enumerate()
        .filter(|(_, view)| view.data_type().is_fixed_width() || view.data_type() == DataType::String)
        .filter_map(|(i, view)| Some((i, view.validity()?)))
        .collect();
    // Per morsel, for every column of values or texts with nulls, the validity of the kept rows from bit 0 on.
    let morsel_bits = parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |range| {
        let mut bits = Vec::new();
        for m in range {
            if !lanes.is_empty() {
                keep_morsel(&lanes, selection, m)?;
            }
            let (_, words) = selection.morsel(m);
            bits = masked.iter().map(|(_, source)| compact_bits(*source, m * WORDS, words)).collect();
        }
        Ok(bits)
    })?;
    drop(lanes);
    let mut masks: Vec<Option<(Buffer, usize)>> = vec![None; outputs.len()];
    for (slot, (column, _)) in masked.iter().enumerate() {
        let parts: Vec<(usize, Option<Bitmap<'_>>)> = morsel_bits
            .iter()
            .enumerate()
            .map(|(m, bits)| {
                let rows = selection.starts[m + 1] - selection.starts[m];
                (rows, Some(Bitmap::new(bytemuck::cast_slice(&bits[slot]), 0, rows)))
            })
            .collect();
        masks[*column] = Some(null_mask::concatenated(&parts, ctx)?);
    }
    let mut results = Vec::with_capacity(outputs.len());
    for ((column, out), mask) in columns.iter().zip(outputs).zip(masks) {
        results.push(if let Some(out) = out {
            // SAFETY: every morsel wrote as many elements as it has set bits.
            let data = unsafe { out.assume_init() }.into_buffer();
            Column::from_buffer(column.data_type(), kept, data, mask)?
        } else if column.data_type() == DataType::String && kept >= selection.len / SPARSE {
            text::keep(column, selection, mask, ctx)?
        } else {
            let rows = match rows {
                Some(rows) => rows,
                None => rows.insert(selected_rows(selection, ctx)?),
            };
            let rows = rows.view()?;
            let map = Map::new(&rows, column.len(), OutOfBoundsPolicy::Check, ctx)?;
            gather_one(column, &map, ctx)?
        });
    }
    Ok(results)
}

/// A fixed-width column, the size of its elements and where those that are kept go.
type Lane<'a> = (&'a ColumnView<'a>, usize, OutputSlice<'a, u8>);

/// Moves the kept rows of morsel `m` of every column to their places.
fn keep_morsel(lanes: &[Lane<'_>], selection: &Selection, m: usize) -> Result<()> {
    let (first, words) = selection.morsel(m);
    let rows = (selection.len - first).min(words.len() * 64);
    let kept = selection.starts[m]..selection.starts[m + 1];
    let mut rest = Vec::new();
    for lane in lanes {
        let (column, size, out) = lane;
        dispatch_width!(size, T => {
            let source = &column.raw_values::<T>()?[first..first + rows];
            // SAFETY: the output rows `kept` belong to this morsel alone: morsels follow each other by the
            // counts of their bits.
            let places = unsafe { out.slice(kept.start * size..kept.end * size) };
            if kept.len() == rows {
                let source: &[u8] = bytemuck::cast_slice(source);
                places.write_copy_of_slice(source);
                continue;
            }
            let mut appender = Appender::new(out.len(), places);
            if !compress(words, source, &mut appender) {
                rest.push(lane);
            } else if !appender.finish() {
                return Err(changed());
            }
        });
    }
    if rest.is_empty() {
        return Ok(());
    }
    let mut positions = [0u16; BLOCK];
    for (first, words, at) in selection.blocks(m) {
        let count = list_set_bits(words, &mut positions);
        for (column, size, out) in &rest {
            dispatch_width!(size, T => {
                let source = &column.raw_values::<T>()?[first..];
                // SAFETY: the output rows of a morsel are its own, and those of its blocks follow each other by the counts of
                // their bits.
                let out = unsafe { typed_slice::<T>(out, at..at + count) };
                take(source, &positions[..count], out);
            });
        }
    }
    Ok(())
}

fn take<T: Pod>(source: &[T], positions: &[u16], out: &mut [MaybeUninit<T>]) {
    for (slot, &position) in out.iter_mut().zip(positions) {
        slot.write(source[position as usize]);
    }
}

/// The bits of `source` that are selected by `words`, which begin at word `first`, packed from bit 0.
fn compact_bits(source: Bitmap<'_>, first: usize, words: &[u64]) -> Vec<u64> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[target_feature(enable = "bmi2")]
        fn extracted(source: Bitmap<'_>, first: usize, words: &[u64]) -> Vec<u64> {
            compacted(source, first, words, |bits, mask| std::arch::x86_64::_pext_u64(bits, mask))
        }
        // SAFETY: the processor has the instruction.
        return unsafe { extracted(source, first, words) };
    }
    compacted(source, first, words, extract_bits)
}

/// [`compact_bits`] with a function that packs those of a word.
#[inline(always)]
fn compacted(source: Bitmap<'_>, first: usize, words: &[u64], extract: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    let mut packed = Vec::with_capacity(words.len() + 1);
    let (mut current, mut filled) = (0u64, 0u32);
    for (w, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if count == 0 {
            continue;
        }
        let bits = extract(source.word(first + w), word);
        current |= bits << filled;
        if filled + count >= 64 {
            packed.push(current);
            current = if filled == 0 { 0 } else { bits >> (64 - filled) };
            filled = filled + count - 64;
        } else {
            filled += count;
        }
    }
    packed.push(current);
    packed
}

/// The bits of `bits` under the set bits of `mask`, packed to the right (parallel bit extract).
#[inline]
fn extract_bits(bits: u64, mask: u64) -> u64 {
    if mask == u64::MAX || bits & mask == 0 {
        return bits & mask;
    }
    if bits & mask == mask {
        return u64::MAX >> (64 - mask.count_ones());
    }
    let mut packed = 0;
    for (i, bit) in SetBits(mask).enumerate() {
        packed |= (bits >> bit & 1) << i;
    }
    packed
}
