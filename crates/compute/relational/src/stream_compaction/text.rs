//! Texts that are kept: rows that follow each other are copied at once; where few do, each is appended by itself, without
//! a branch for its length, to pieces that are written in whole lines.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::null_mask::SetBits;
use cuprum_column::strings::{self, SMALL_STRINGS};
use cuprum_column::{Buffer, Column, Context, HostUVec, Native, Offsets, Result, StringsView};
use cuprum_runtime::cache::{self, Appender};
use cuprum_runtime::parallel;

use cuprum_elements::elements::widened;
use cuprum_elements::selection::{Selection, WORDS};
use cuprum_elements::stable_partition::{changed, running_sum};

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
                for (rows, word) in selected_words(selection, m) {
                    let offsets = &offsets[rows.start..=rows.end];
                    cache::fetch_far_ahead(bytemuck::cast_slice(offsets));
                    size = size.wrapping_add(bytes_of(offsets, word));
                }
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
                    cache::fetch_far_ahead(chars);
                }
            };
            let whole = if scattered(selection, m) {
                let rows = Scattered { texts: texts.chars(), offsets, base: starts[m], places };
                rows.append(selection, m, ahead, Appender::new(total, chars))
            } else {
                let mut run =
                    Run { texts: texts.chars(), offsets, base: starts[m], places, chars, whole: true };
                runs(selection, m, |rows| run.copy(rows));
                run.whole && run.places.is_empty() && run.chars.is_empty()
            };
            if !whole {
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

/// The output of a morsel's runs: the unwritten rest of its places and characters.
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

    /// `None` where the rows have changed since they were measured: others may write to them.
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

/// The output of the texts of single rows.
struct Scattered<'a, I, O> {
    texts: &'a [u8],
    offsets: &'a [I],
    /// The byte of the result at which they begin.
    base: usize,
    places: &'a mut [MaybeUninit<O>],
}

impl<I: Native, O: Native> Scattered<'_, I, O> {
    /// Appends the selected rows of a morsel, calling `ahead` before each 64 rows; false where they are not what they
    /// were when they were measured.
    fn append(
        self,
        selection: &Selection,
        m: usize,
        ahead: impl Fn(Range<usize>),
        mut out: Appender<'_>,
    ) -> bool {
        let (mut at, mut places) = (self.base, self.places.iter_mut());
        for (rows, word) in selected_words(selection, m) {
            let offsets = &self.offsets[rows.start..=rows.end];
            ahead(rows);
            for bit in SetBits(word) {
                let (Some(first), Some(end)) = (offsets.get(bit), offsets.get(bit + 1)) else { return false };
                let (first, end) = (first.as_i64() as usize, end.as_i64() as usize);
                let Some(place) = places.next() else { return false };
                place.write(O::from_i64(at as i64));
                let len = end.wrapping_sub(first);
                if len <= SHORT
                    && let Some(text) = self.texts.get(first..).and_then(<[u8]>::first_chunk::<SHORT>)
                {
                    // Bytes behind the text are overwritten by the next texts.
                    *out.place() = *text;
                    out.take(len);
                } else {
                    let Some(text) = self.texts.get(first..end) else { return false };
                    out.append(text);
                }
                at += len;
            }
        }
        out.finish() && places.next().is_none()
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

/// The rows of a morsel, 64 at a time, with a bit for each that is selected.
fn selected_words(selection: &Selection, m: usize) -> impl Iterator<Item = (Range<usize>, u64)> {
    let words = &selection.words[m * WORDS..selection.words.len().min((m + 1) * WORDS)];
    words.iter().enumerate().map(move |(w, &word)| {
        let first = (m * WORDS + w) * 64;
        (first..selection.len.min(first + 64), word)
    })
}

#[inline(always)]
fn bytes_of_plain<I: Native>(offsets: &[I], word: u64) -> i64 {
    let len = |row: usize| {
        let len = offsets[row + 1].as_i64().wrapping_sub(offsets[row].as_i64());
        if word & (1 << row) != 0 { len } else { 0 }
    };
    // A loop of a constant length: others are not vectorised as well.
    let sum = |size: i64, row| size.wrapping_add(len(row));
    if offsets.len() == 65 { (0..64).fold(0, sum) } else { (0..offsets.len() - 1).fold(0, sum) }
}

widened! {
    /// The bytes of the texts between `offsets`, of which there are 64 at most, under the set bits of `word`.
    bytes_of is bytes_of_plain [I: Native] (offsets: &[I], word: u64) -> i64
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
