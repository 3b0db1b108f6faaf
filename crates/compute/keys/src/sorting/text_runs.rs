//! Columns of texts that come many times each, one behind the other.
//!
//! The offset of a text follows from the counts of it and those before it, so that every thread writes its
//! rows without looking at others, and a block of copies, which the first-level cache holds, is written again
//! and again.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Buffer, Column, Context, Error, HostUVec, Native, Result, strings};
use cuprum_runtime::cache::Writer;
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{MORSEL, for_ranges};

/// Bytes of copies that are written together, about.
const BLOCK: usize = 4096;

/// A text, and how many rows have it.
pub(super) struct TextRun<'t> {
    pub(super) text: &'t [u8],
    pub(super) rows: usize,
}

/// Runs, and where each of them begins.
struct Runs<'t> {
    runs: &'t [TextRun<'t>],
    /// The rows before each run, and all.
    rows: Vec<usize>,
    /// The bytes before each run, and all.
    bytes: Vec<usize>,
}

/// The texts of `runs`, each as often as it occurs; rows not set in the mask are null.
///
/// # Safety
/// The texts are UTF-8.
pub(super) unsafe fn column(
    runs: &[TextRun<'_>],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let mut rows = host_vec::with_capacity(runs.len() + 1)?;
    let mut bytes = host_vec::with_capacity(runs.len() + 1)?;
    let (mut row, mut byte) = (0usize, 0usize);
    for run in runs {
        rows.push(row);
        bytes.push(byte);
        let next = run.text.len().checked_mul(run.rows).and_then(|size| byte.checked_add(size));
        let (Some(next_row), Some(next_byte)) = (row.checked_add(run.rows), next) else {
            return Err(Error::overflow(format!("{} strings do not fit in memory", run.rows)));
        };
        (row, byte) = (next_row, next_byte);
    }
    rows.push(row);
    bytes.push(byte);
    let runs = Runs { runs, rows, bytes };
    let (offsets, chars) =
        if byte <= strings::SMALL_STRINGS { runs.fill::<i32>(ctx)? } else { runs.fill::<i64>(ctx)? };
    // SAFETY: the offsets are a running sum of the lengths of texts, which the caller knows to be UTF-8.
    unsafe { strings::from_parts(row, offsets, chars, mask) }
}

impl Runs<'_> {
    fn fill<O: Native>(&self, ctx: &Context) -> Result<(Column, Buffer)> {
        let (len, total) = (self.rows[self.runs.len()], self.bytes[self.runs.len()]);
        let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
        let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
        let (offsets_out, chars_out) = (offsets.output(), chars.output());
        for_ranges(len, MORSEL, ctx, &|rows| {
            self.each(rows, |text, rows, first| {
                // SAFETY: ranges of rows are disjoint, and so are the characters of the rows.
                let (offsets, chars) = unsafe {
                    (offsets_out.slice(rows.clone()), chars_out.slice(first..first + rows.len() * text.len()))
                };
                for (i, offset) in offsets.iter_mut().enumerate() {
                    offset.write(O::from_i64((first + i * text.len()) as i64));
                }
                repeat(text, chars, total);
            });
            Ok(())
        })?;
        offsets[len] = MaybeUninit::new(O::from_i64(total as i64));
        // SAFETY: every row is of a run, and all offsets and characters of the rows of every range were written.
        let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
        Ok((Column::from_values(offsets), chars.into_buffer()))
    }

    /// `f(text, rows, first byte)` of the rows of each run among `rows`.
    fn each(&self, rows: Range<usize>, mut f: impl FnMut(&[u8], Range<usize>, usize)) {
        let mut run = self.rows.partition_point(|&before| before <= rows.start).saturating_sub(1);
        let mut row = rows.start;
        while row < rows.end {
            let (text, end) = (self.runs[run].text, self.rows[run + 1].min(rows.end));
            f(text, row..end, self.bytes[run] + (row - self.rows[run]) * text.len());
            (row, run) = (end, run + 1);
        }
    }
}

/// Writes `text` again and again, until `out`, which is some part of an output of `output_bytes`, is full.
fn repeat(text: &[u8], out: &mut [MaybeUninit<u8>], output_bytes: usize) {
    if text.is_empty() {
        return;
    }
    let block = (text.len() * (BLOCK / text.len()).max(1)).min(out.len());
    let (head, rest) = out.split_at_mut(block);
    for place in head.chunks_mut(text.len()) {
        place.write_copy_of_slice(&text[..place.len()]);
    }
    // SAFETY: the loop has written all of it.
    let head: &[u8] = unsafe { head.assume_init_ref() };
    let writer = Writer::new(output_bytes);
    for place in rest.chunks_mut(block.max(1)) {
        writer.copy_to(&head[..place.len()], place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_every_length() {
        let ctx = &Context::current();
        let long = "é".repeat(BLOCK);
        for rows in [[0, 1, 2, 3], [3, 0, 0, 1], [700, 5, MORSEL, 90], [0; 4], [MORSEL - 1, 1, 1, 2 * MORSEL]]
        {
            let texts = ["", "a", "seven b", if rows[3] < 4 { &long } else { "last" }];
            let runs: Vec<_> =
                texts.iter().zip(rows).map(|(text, rows)| TextRun { text: text.as_bytes(), rows }).collect();
            // SAFETY: they are texts.
            let column = unsafe { column(&runs, None, ctx) }.unwrap();
            let view = column.view().unwrap();
            let expected = texts.iter().zip(rows).flat_map(|(text, rows)| std::iter::repeat_n(*text, rows));
            let strings = view.strings().unwrap();
            assert!(strings.iter().eq(expected.map(Some)), "{rows:?}");
            assert_eq!(column.len(), rows.iter().sum::<usize>());
        }
    }

    #[test]
    fn more_than_there_can_be() {
        let ctx = &Context::current();
        for text in ["", "ab"] {
            let run = || TextRun { text: text.as_bytes(), rows: usize::MAX };
            // SAFETY: they are texts.
            let error = unsafe { column(&[run(), run()], None, ctx) }.unwrap_err();
            assert_eq!(error.kind(), cuprum_column::ErrorKind::Overflow);
        }
    }
}
