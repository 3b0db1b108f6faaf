//! Row numbers in sorted order, and whether there is anything to do.

use std::sync::atomic::{AtomicBool, Ordering as Atomic};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::{Column, Context, HostUVec, Result};
use cuprum_runtime::parallel::{self, MORSEL};

use cuprum_elements::row_numbers::RowIndex;

use super::bucket::{refine, sort_records};
use super::partition::Partition;
use super::sort_keys::{BLOCK, SortKeys};
use crate::order::layout::bit_width;

pub(crate) fn sorted_order(keys: &SortKeys<'_>, ctx: &Context) -> Result<Column> {
    if i32::try_from(keys.len()).is_ok() {
        Ok(Column::from_values(sorted_rows::<i32>(keys, ctx)?))
    } else {
        Ok(Column::from_values(sorted_rows::<i64>(keys, ctx)?))
    }
}

/// The row numbers in the order of the keys.
pub(crate) fn sorted_rows<R: RowIndex>(keys: &SortKeys<'_>, ctx: &Context) -> Result<HostUVec<R>> {
    let len = keys.len();
    if is_sorted(keys, ctx)? {
        return HostUVec::from_fn(len, ctx, R::from_row);
    }
    let partition = Partition::new(keys, false, ctx)?;
    let row_bits = bit_width(len as u64 - 1);
    let row_mask = (1u64 << row_bits) - 1;
    // A record is the leading bits of a word's distance from its bucket's first word, then the row.
    let layouts: Vec<RecordBits> =
        (0..partition.num_buckets()).map(|b| RecordBits::new(partition.words(b), row_bits)).collect();
    let mut records = if let Some(shift) = partition.digit_shift() {
        let (mask, dropped) = ((1u64 << shift) - 1, layouts[0].dropped);
        partition
            .scatter_records(keys, ctx, |_, row, word| (word & mask) >> dropped << row_bits | row as u64)?
    } else {
        let layouts = layouts.as_slice();
        partition.scatter_records(keys, ctx, move |bucket, row, word| {
            let layout = &layouts[bucket];
            word.wrapping_sub(layout.first) >> layout.dropped << row_bits | row as u64
        })?
    };
    let mut rows = HostUVec::<R>::uninit(len, ctx)?;
    let work = split(&mut records, partition.bounds()).into_iter().zip(split(&mut rows, partition.bounds()));
    let work: Vec<_> = work.zip(&layouts).collect();
    in_buckets(work, ctx, |((records, out), layout), scratch: &mut Vec<u64>| {
        if scratch.len() < records.len() {
            scratch.resize(records.len(), 0);
        }
        sort_records(records, scratch, row_bits, row_bits + layout.bits);
        for (out, record) in out.iter_mut().zip(records.iter()) {
            out.write(R::from_row((record & row_mask) as usize));
        }
        if layout.dropped > 0 || keys.num_words() > 1 {
            let word = usize::from(layout.dropped == 0);
            let mut start = 0;
            for run in records.chunk_by(|a, b| a >> row_bits == b >> row_bits) {
                if run.len() > 1 {
                    // SAFETY: the loop above has written all of `out`.
                    let run = unsafe { out[start..start + run.len()].assume_init_mut() };
                    refine(run, keys, word, &|row: R| row.row());
                }
                start += run.len();
            }
        }
    })?;
    // SAFETY: the buckets cover all places, and each writes all of its own.
    Ok(unsafe { rows.assume_init() })
}

/// The bits of a bucket's words that fit next to a position.
pub(crate) struct RecordBits {
    pub(crate) first: u64,
    /// Bits kept.
    pub(crate) bits: u32,
    /// Low bits left out.
    pub(crate) dropped: u32,
}

impl RecordBits {
    pub(crate) fn new((first, last): (u64, u64), position_bits: u32) -> Self {
        let bits = bit_width(last - first);
        let dropped = (bits + position_bits).saturating_sub(64);
        Self { first, bits: bits - dropped, dropped }
    }
}

/// The pieces of `all` that `bounds` cut out.
pub(crate) fn split<'a, T>(mut all: &'a mut [T], bounds: &[usize]) -> Vec<&'a mut [T]> {
    let mut pieces = Vec::with_capacity(bounds.len());
    for bound in bounds.windows(2) {
        let (piece, rest) = std::mem::take(&mut all).split_at_mut(bound[1] - bound[0]);
        pieces.push(piece);
        all = rest;
    }
    pieces
}

/// Runs `sort` for every bucket in parallel, with scratch memory that goes from bucket to bucket.
pub(crate) fn in_buckets<W: Send, S: Default + Send>(
    work: Vec<W>,
    ctx: &Context,
    sort: impl Fn(W, &mut S) + Sync,
) -> Result<()> {
    let work: Vec<Mutex<Option<W>>> = work.into_iter().map(|work| Mutex::new(Some(work))).collect();
    let spare = Mutex::new(Vec::<S>::new());
    parallel::for_ranges(work.len(), 1, ctx, &|bucket| {
        let mut scratch = locked(&spare).pop().unwrap_or_default();
        if let Some(work) = locked(&work[bucket.start]).take() {
            sort(work, &mut scratch);
        }
        locked(&spare).push(scratch);
        Ok(())
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the rows are in order already.
pub(crate) fn is_sorted(keys: &SortKeys<'_>, ctx: &Context) -> Result<bool> {
    let len = keys.len();
    if keys.num_words() == 0 || len < 2 {
        return Ok(true);
    }
    let disorder = AtomicBool::new(false);
    // Most tables show disorder at once; one morsel's start shows it without waking the threads.
    if !run_is_sorted(keys, 0..BLOCK.min(len)) {
        return Ok(false);
    }
    parallel::map_ranges(len, MORSEL, ctx, |range| {
        if !disorder.load(Atomic::Relaxed) {
            let end = (range.end + 1).min(len);
            if !run_is_sorted(keys, range.start..end) {
                disorder.store(true, Atomic::Relaxed);
            }
        }
        Ok(())
    })?;
    Ok(!disorder.into_inner())
}

fn run_is_sorted(keys: &SortKeys<'_>, range: std::ops::Range<usize>) -> bool {
    let mut words = [0u64; BLOCK];
    let one_word = keys.num_words() == 1;
    // Blocks overlap by a row, so that no pair is left out.
    for start in range.clone().step_by(BLOCK - 1) {
        let rows = BLOCK.min(range.end - start);
        let words = &mut words[..rows];
        keys.fill(start, words);
        let sorted = if one_word {
            words.is_sorted()
        } else {
            words.windows(2).enumerate().all(|(i, pair)| {
                pair[0] < pair[1] || (pair[0] == pair[1] && keys.compare(1, start + i, start + i + 1).is_le())
            })
        };
        if !sorted {
            return false;
        }
    }
    true
}
