//! Compaction on the CPU: the rows to keep as bits, a count per morsel, then every column of a
//! morsel is written to its final place.

use std::mem::MaybeUninit;

use bytemuck::Pod;
use cuprum_column::null_mask::SetBits;
use cuprum_column::{Bitmap, Buffer, Column, ColumnView, Context, DataType, HostUVec, Native, Result, Table};
use cuprum_runtime::{OutputSlice, parallel};

use super::compress::compress;
use crate::concatenate::cpu::{concatenate_bits, running_sum};
use crate::copying::cpu::{
    Map, columns_at_once, dispatch_width, gather_columns, typed_slice, uninit_elements,
};
use crate::copying::{OutOfBoundsPolicy, rows_fit_32_bits};

/// Words of bits per range of parallel work.
const WORDS: usize = parallel::MORSEL / 64;

/// Eight booleans as eight bits, the first one lowest; every byte that is not 0 counts as true.
#[inline(always)]
fn pack_8(bytes: u64) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let ones = (((bytes & LOW) + LOW) | bytes) >> 7 & 0x0101_0101_0101_0101;
    ones.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Up to 64 booleans as bits.
#[inline]
pub(crate) fn pack_bools(values: &[u8]) -> u64 {
    let mut word = 0;
    let (eights, rest) = values.as_chunks::<8>();
    for (i, bytes) in eights.iter().enumerate() {
        word |= pack_8(u64::from_le_bytes(*bytes)) << (8 * i);
    }
    for (i, &value) in rest.iter().enumerate() {
        word |= u64::from(value != 0) << (8 * eights.len() + i);
    }
    word
}

/// One word per 64 rows, made by `word` for the rows it is given the number of.
pub(crate) fn words_from_fn(
    len: usize,
    ctx: &Context,
    word: impl Fn(usize) -> u64 + Sync,
) -> Result<HostUVec<u64>> {
    let words = len.div_ceil(64);
    let mut out = HostUVec::<u64>::uninit(words, ctx)?;
    let slots = out.output();
    parallel::map_ranges(words, WORDS, ctx, |range| {
        for w in range {
            // SAFETY: every word belongs to one range.
            unsafe { slots.write(w, word(w)) };
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all words.
    Ok(unsafe { out.assume_init() })
}

/// Bits of the rows where a boolean column is true and not null; bits past the end are 0.
pub(crate) fn true_words(mask: &Column, ctx: &Context) -> Result<HostUVec<u64>> {
    let view = mask.view()?;
    let (values, validity) = (view.values::<u8>()?, view.validity());
    words_from_fn(mask.len(), ctx, |w| {
        let word = pack_bools(&values[w * 64..values.len().min(w * 64 + 64)]);
        validity.map_or(word, |bits| word & bits.word(w))
    })
}

/// Bits of the rows that have at least `threshold` values among `columns`.
pub(crate) fn present_words(
    columns: &[&Column],
    threshold: usize,
    nan_is_null: bool,
    len: usize,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    let present = views.iter().map(|view| Present::new(view, nan_is_null)).collect::<Result<Vec<_>>>()?;
    words_from_fn(len, ctx, |w| {
        let rows = (len - w * 64).min(64);
        let all = u64::MAX >> (64 - rows);
        if threshold == present.len() {
            return present.iter().fold(all, |bits, p| bits & p.word(w));
        }
        if threshold == 1 {
            return present.iter().fold(0, |bits, p| bits | p.word(w)) & all;
        }
        let mut counts = [0usize; 64];
        for p in &present {
            SetBits(p.word(w)).for_each(|bit| counts[bit] += 1);
        }
        (0..rows).fold(0, |bits, row| bits | u64::from(counts[row] >= threshold) << row)
    })
}

/// Where a column has values: not null and, if asked, not NaN.
struct Present<'a> {
    validity: Option<Bitmap<'a>>,
    floats: Floats<'a>,
}

enum Floats<'a> {
    None,
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'a> Present<'a> {
    fn new(view: &'a ColumnView<'_>, nan_is_null: bool) -> Result<Self> {
        let floats = match view.data_type() {
            DataType::Float32 if nan_is_null => Floats::F32(view.values()?),
            DataType::Float64 if nan_is_null => Floats::F64(view.values()?),
            _ => Floats::None,
        };
        Ok(Self { validity: view.validity(), floats })
    }

    fn word(&self, w: usize) -> u64 {
        let valid = self.validity.map_or(u64::MAX, |bits| bits.word(w));
        valid
            & match self.floats {
                Floats::None => u64::MAX,
                Floats::F32(values) => number_bits(values, w),
                Floats::F64(values) => number_bits(values, w),
            }
    }
}

/// Bits of the values `[64 w, 64 w + 64)` that are not NaN.
pub(crate) fn number_bits<T: Native>(values: &[T], w: usize) -> u64 {
    let chunk = &values[w * 64..values.len().min(w * 64 + 64)];
    chunk.iter().enumerate().fold(0, |bits, (i, v)| bits | u64::from(!v.is_nan()) << i)
}

/// Rows to keep: bits, and where the rows of each morsel go.
pub(crate) struct Selection {
    words: HostUVec<u64>,
    len: usize,
    /// Kept rows before each morsel, and in all.
    starts: Vec<usize>,
}

impl Selection {
    /// A selection from one bit per row; bits past `len` are 0.
    pub(crate) fn new(words: HostUVec<u64>, len: usize, ctx: &Context) -> Result<Self> {
        let counts = parallel::map_ranges(words.len(), WORDS, ctx, |range| {
            Ok(words[range].iter().map(|w| w.count_ones() as usize).sum::<usize>())
        })?;
        let starts = running_sum(counts.into_iter());
        Ok(Self { words, len, starts })
    }

    /// The number of rows kept.
    pub(crate) fn count(&self) -> usize {
        *self.starts.last().expect("there is a first start")
    }

    /// Calls `f(first row, words, first output row)` for every morsel, in parallel.
    pub(crate) fn for_each_morsel(
        &self,
        ctx: &Context,
        f: &(dyn Fn(usize, &[u64], usize) + Sync),
    ) -> Result<()> {
        parallel::map_ranges(self.starts.len() - 1, 1, ctx, |range| {
            for m in range {
                let words = &self.words[m * WORDS..self.words.len().min((m + 1) * WORDS)];
                f(m * WORDS * 64, words, self.starts[m]);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The words of morsel `m` in blocks: (first row, words, first output row).
    fn blocks(&self, m: usize) -> impl Iterator<Item = (usize, &[u64], usize)> {
        let words = &self.words[m * WORDS..self.words.len().min((m + 1) * WORDS)];
        let mut at = self.starts[m];
        words.chunks(BLOCK / 64).enumerate().map(move |(b, words)| {
            let start = at;
            at += words.iter().map(|w| w.count_ones() as usize).sum::<usize>();
            ((m * WORDS * 64) + b * BLOCK, words, start)
        })
    }
}

/// Rows whose kept positions are listed before the columns are moved: the list stays in the first
/// level of the cache.
const BLOCK: usize = 2048;

/// The rows of `table` that are selected.
pub(crate) fn keep(table: &Table, selection: &Selection, ctx: &Context) -> Result<Table> {
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
        .filter(|(_, view)| view.data_type().is_fixed_width())
        .filter_map(|(i, view)| Some((i, view.validity()?)))
        .collect();
    // Per morsel, for every fixed-width column with nulls, the validity of the kept rows from bit 0 on.
    let morsel_bits = parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |range| {
        let mut bits = Vec::new();
        for m in range {
            if !lanes.is_empty() {
                keep_morsel(&lanes, selection, m)?;
            }
            let words = &selection.words[m * WORDS..selection.words.len().min((m + 1) * WORDS)];
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
        masks[*column] = Some(concatenate_bits(&parts, ctx)?);
    }
    let mut results = Vec::with_capacity(outputs.len());
    for ((column, out), mask) in columns.iter().zip(outputs).zip(masks) {
        results.push(if let Some(out) = out {
            // SAFETY: every morsel wrote as many elements as it has set bits.
            let data = unsafe { out.assume_init() }.into_buffer();
            Column::from_buffer(column.data_type(), kept, data, mask)?
        } else {
            let rows = match rows {
                Some(rows) => rows,
                None => rows.insert(selected_rows(selection, ctx)?),
            };
            let rows = rows.view()?;
            let map = Map::new(&rows, column.len(), OutOfBoundsPolicy::Check, ctx)?;
            gather_columns(&[column], &map, ctx)?.remove(0)
        });
    }
    Ok(results)
}

/// A fixed-width column, the size of its elements and where those that are kept go.
type Lane<'a> = (&'a ColumnView<'a>, usize, OutputSlice<'a, u8>);

/// Moves the kept rows of morsel `m` of every column to their places.
fn keep_morsel(lanes: &[Lane<'_>], selection: &Selection, m: usize) -> Result<()> {
    let mut positions = [0u16; BLOCK];
    for (first, words, at) in selection.blocks(m) {
        let count: usize = words.iter().map(|w| w.count_ones() as usize).sum();
        let rows = (selection.len - first).min(BLOCK);
        // Listed for the first column that needs them.
        let mut listed = None;
        for (column, size, out) in lanes {
            dispatch_width!(size, T => {
                let source = &column.raw_values::<T>()?[first..first + rows];
                // SAFETY: the output rows [at, at + count) belong to this block alone: blocks follow
                // each other by the counts of their bits.
                let out = unsafe { typed_slice::<T>(out, at..at + count) };
                if count == rows {
                    out.write_copy_of_slice(source);
                } else if !compress(words, source, out) {
                    let listed = *listed.get_or_insert_with(|| list_set_bits(words, &mut positions));
                    take(source, &positions[..listed], out);
                }
            });
        }
    }
    Ok(())
}

/// Writes the positions of the set bits of `words` (at most [`BLOCK`] bits); returns their number.
fn list_set_bits(words: &[u64], positions: &mut [u16; BLOCK]) -> usize {
    let mut count = 0;
    for (w, &word) in words.iter().enumerate() {
        let base = (w * 64) as u16;
        let mut bits = word;
        while bits != 0 {
            positions[count] = base + bits.trailing_zeros() as u16;
            count += 1;
            bits &= bits - 1;
        }
    }
    count
}

fn take<T: Pod>(source: &[T], positions: &[u16], out: &mut [MaybeUninit<T>]) {
    for (slot, &position) in out.iter_mut().zip(positions) {
        slot.write(source[position as usize]);
    }
}

/// The bits of `source` that are selected by `words`, which begin at word `first`, packed from bit 0.
fn compact_bits(source: Bitmap<'_>, first: usize, words: &[u64]) -> Vec<u64> {
    let mut packed = Vec::with_capacity(words.len() + 1);
    let (mut current, mut filled) = (0u64, 0u32);
    for (w, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if count == 0 {
            continue;
        }
        let bits = extract_bits(source.word(first + w), word);
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

/// The numbers of the selected rows, ascending.
pub(crate) fn selected_rows(selection: &Selection, ctx: &Context) -> Result<Column> {
    if rows_fit_32_bits(selection.len) {
        rows_of::<i32>(selection, ctx)
    } else {
        rows_of::<i64>(selection, ctx)
    }
}

fn rows_of<I: Native>(selection: &Selection, ctx: &Context) -> Result<Column> {
    let mut out = HostUVec::<I>::uninit(selection.count(), ctx)?;
    let slots = out.output();
    parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |range| {
        for m in range {
            let mut positions = [0u16; BLOCK];
            for (first, words, at) in selection.blocks(m) {
                let count = list_set_bits(words, &mut positions);
                // SAFETY: the output rows [at, at + count) belong to this block alone.
                let out = unsafe { slots.slice(at..at + count) };
                for (slot, &position) in out.iter_mut().zip(&positions) {
                    slot.write(I::from_i64(first as i64 + i64::from(position)));
                }
            }
        }
        Ok(())
    })?;
    // SAFETY: the blocks cover the output, as their starts are the running sum of their counts.
    Ok(Column::from_values(unsafe { out.assume_init() }))
}
