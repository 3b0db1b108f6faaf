//! Texts that are kept: rows that follow each other are copied at once; where few do, each is copied by itself, without
//! a branch for its length.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::null_mask::SetBits;
use cuprum_column::strings::{self, SMALL_STRINGS};
use cuprum_column::{Buffer, Column, Context, Error, HostUVec, Native, Offsets, Result, StringsView};
use cuprum_runtime::{cache, parallel};

use crate::distribute::running_sum;
use crate::selection::{Selection, WORDS};

/// The texts that are selected, with the validity of the selected rows.
pub(super) fn keep(
    column: &Column,
    selection: &Selection,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let texts = view.strings()?;
    match texts.offsets() {
        Offsets::Small(offsets) => keep_at(&texts, offsets, selection, mask, ctx),
        Offsets::Large(offsets) => keep_at(&texts, offsets, selection, mask, ctx),
    }
}

/// [`keep`] of texts at offsets of either width.
fn keep_at<I: Native>(
    texts: &StringsView<'_>,
    offsets: &[I],
    selection: &Selection,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let start = |row: usize| offsets[row].as_i64();
    let sizes = parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |morsels| {
        let mut size = 0i64;
        for m in morsels {
            if scattered(selection, m) {
                let ahead = |rows: Range<usize>| cache::fetch_ahead(bytemuck::cast_slice(&offsets[rows]));
                each_row(selection, m, ahead, |row| size += start(row + 1) - start(row));
            } else {
                runs(selection, m, |rows| size += start(rows.end) - start(rows.start));
            }
        }
        usize::try_from(size).map_err(|_| changed())
    })?;
    let starts = running_sum(sizes.into_iter());
    if starts.last().is_none_or(|&total| total <= SMALL_STRINGS) {
        fill::<I, i32>(texts, offsets, selection, &starts, mask, ctx)
    } else {
        fill::<I, i64>(texts, offsets, selection, &starts, mask, ctx)
    }
}

/// The texts whose morsels begin at the bytes `starts` of the result.
fn fill<I: Native, O: Native>(
    texts: &StringsView<'_>,
    offsets: &[I],
    selection: &Selection,
    starts: &[usize],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let start = |row: usize| offsets[row].as_i64();
    let (kept, total) = (selection.count(), starts.last().copied().unwrap_or(0));
    let mut out_offsets = HostUVec::<O>::uninit(kept + 1, ctx)?;
    let mut out_chars = HostUVec::<u8>::uninit(total, ctx)?;
    let (offset_slots, char_slots) = (out_offsets.output(), out_chars.output());
    parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |morsels| {
        for m in morsels {
            // SAFETY: the output rows and characters of a morsel are its own: they follow each other.
            let (places, chars) = unsafe {
                (
                    offset_slots.slice(selection.starts[m]..selection.starts[m + 1]),
                    char_slots.slice(starts[m]..starts[m + 1]),
                )
            };
            // The texts of rows that are about to be copied, and as much behind them as they take.
            let ahead = |rows: Range<usize>| {
                let place = |row| usize::try_from(start(row)).ok();
                let chars = (place(rows.start), place(rows.end));
                if let (Some(first), Some(end)) = chars
                    && let Some(chars) = texts.chars().get(first..end.min(first + FETCHED))
                {
                    cache::fetch_ahead(chars);
                }
            };
            let mut run = Run { texts: texts.chars(), offsets, base: starts[m], places, chars, whole: true };
            if scattered(selection, m) {
                each_row(selection, m, ahead, |row| run.copy_row(row));
            } else {
                runs(selection, m, |rows| run.copy(rows));
            }
            if !(run.whole && run.places.is_empty() && run.chars.is_empty()) {
                return Err(changed());
            }
        }
        Ok(())
    })?;
    out_offsets[kept] = MaybeUninit::new(O::from_i64(total as i64));
    // SAFETY: every morsel has written all of its places and characters.
    let (offsets, chars) = unsafe { (out_offsets.assume_init(), out_chars.assume_init()) };
    // SAFETY: the offsets never decrease within a run, which ends where the next one begins, and every row
    // has the characters of a row of `texts`.
    unsafe { strings::from_parts(kept, Column::from_values(offsets), chars.into_buffer(), mask) }
}

/// Where the runs of a morsel go: what is not yet written of its places and characters.
struct Run<'a, I, O> {
    texts: &'a [u8],
    offsets: &'a [I],
    /// The byte of the result at which `chars` begin.
    base: usize,
    places: &'a mut [MaybeUninit<O>],
    chars: &'a mut [MaybeUninit<u8>],
    /// False once something did not fit.
    whole: bool,
}

impl<I: Native, O: Native> Run<'_, I, O> {
    /// Copies rows that follow each other.
    fn copy(&mut self, rows: Range<usize>) {
        self.whole = self.whole && self.copied(rows).is_some();
    }

    /// Copies one row.
    #[inline(always)]
    fn copy_row(&mut self, row: usize) {
        self.whole = self.whole && self.copied_row(row).is_some();
    }

    /// [`copied`](Self::copied) of one row.
    #[inline(always)]
    fn copied_row(&mut self, row: usize) -> Option<()> {
        let first = usize::try_from(self.offsets[row].as_i64()).ok()?;
        let end = usize::try_from(self.offsets[row + 1].as_i64()).ok()?;
        let (place, further) = std::mem::take(&mut self.places).split_first_mut()?;
        place.write(O::from_i64(self.base as i64));
        self.places = further;
        let len = end.checked_sub(first)?;
        let chars = std::mem::take(&mut self.chars);
        // What is behind the text is written over by those that follow it.
        if len <= SHORT
            && let Some(source) = self.texts.get(first..).and_then(<[u8]>::first_chunk::<SHORT>)
            && let Some(target) = chars.first_chunk_mut::<SHORT>()
        {
            target.write_copy_of_slice(source);
        } else {
            chars.get_mut(..len)?.write_copy_of_slice(self.texts.get(first..end)?);
        }
        (self.base, self.chars) = (self.base + len, &mut chars[len..]);
        Some(())
    }

    /// `None` where the rows are not what they were when they were measured: others may write to them.
    fn copied(&mut self, rows: Range<usize>) -> Option<()> {
        let starts = &self.offsets[rows.start..=rows.end];
        let (first, end) = (starts[0].as_i64(), starts[rows.len()].as_i64());
        let source = self.texts.get(usize::try_from(first).ok()?..usize::try_from(end).ok()?)?;
        let (chars, rest) = std::mem::take(&mut self.chars).split_at_mut_checked(source.len())?;
        chars.write_copy_of_slice(source);
        let (places, further) = std::mem::take(&mut self.places).split_at_mut_checked(rows.len())?;
        let (mut before, mut ascend) = (first, true);
        for (place, start) in places.iter_mut().zip(starts) {
            let start = start.as_i64();
            ascend &= before <= start;
            before = start;
            place.write(O::from_i64(self.base as i64 + start - first));
        }
        (self.base, self.chars, self.places) = (self.base + source.len(), rest, further);
        (ascend && before <= end).then_some(())
    }
}

/// Texts of so many bytes, and all shorter ones, are copied by instructions that copy as many.
const SHORT: usize = 32;

/// Bytes of 64 texts that are asked for ahead, at most.
const FETCHED: usize = 4096;

/// Runs with fewer rows on average are copied row by row.
const SHORT_RUN: usize = 8;

/// Whether the selected rows of a morsel come in short runs.
fn scattered(selection: &Selection, m: usize) -> bool {
    let words = &selection.words[m * WORDS..selection.words.len().min((m + 1) * WORDS)];
    let runs: usize = words.iter().map(|word| (word & !(word << 1)).count_ones() as usize).sum();
    selection.starts[m + 1] - selection.starts[m] < runs * SHORT_RUN
}

/// Calls `f` with every selected row of a morsel, and `ahead` with each 64 rows before.
#[inline(always)]
fn each_row(selection: &Selection, m: usize, ahead: impl Fn(Range<usize>), mut f: impl FnMut(usize)) {
    let words = &selection.words[m * WORDS..selection.words.len().min((m + 1) * WORDS)];
    for (w, &word) in words.iter().enumerate() {
        let first = (m * WORDS + w) * 64;
        ahead(first..selection.len.min(first + 64));
        SetBits(word).for_each(|bit| f((m * WORDS + w) * 64 + bit));
    }
}

/// Calls `f` with every run of selected rows of a morsel.
fn runs(selection: &Selection, m: usize, mut f: impl FnMut(Range<usize>)) {
    let words = &selection.words[m * WORDS..selection.words.len().min((m + 1) * WORDS)];
    let mut open: Option<usize> = None;
    for (w, &word) in words.iter().enumerate() {
        let first = (m * WORDS + w) * 64;
        let mut at = 0;
        while at < 64 {
            let rest = word >> at;
            if open.is_none() {
                if rest == 0 {
                    break;
                }
                at += rest.trailing_zeros();
                open = Some(first + at as usize);
            } else {
                let ones = (!rest).trailing_zeros().min(64 - at);
                at += ones;
                if at < 64
                    && let Some(start) = open.take()
                {
                    f(start..first + at as usize);
                }
            }
        }
    }
    if let Some(start) = open {
        f(start..((m + 1) * WORDS * 64).min(selection.len));
    }
}

#[cold]
fn changed() -> Error {
    Error::logic("the rows of a string column changed while they were read")
}
