//! Cutting the text into chunks that begin at records.

use cuprum_column::{Context, Result};
use cuprum_runtime::parallel;

use super::scan::{self, Counts};

/// A stretch of the text that begins at a record, as far as can be known before parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The start of its first record.
    pub(super) start: usize,
    /// Records that start here or later are in the next span.
    pub(super) stop: usize,
    /// It holds at most this many records; exactly as many where every line is one.
    pub(super) lines: usize,
}

/// The spans of `data[start..end]`, of about `chunk` bytes each, and whether there are any quotes.
///
/// A span begins after a line end that an even number of quotes precede. That is right unless quotes
/// occur inside unquoted fields; the caller checks, so a wrong guess costs time only.
pub(super) fn spans(
    data: &[u8],
    (start, end): (usize, usize),
    chunk: usize,
    quote: u8,
    ctx: &Context,
) -> Result<(Vec<Span>, bool)> {
    let mut counts = parallel::map_ranges(end - start, chunk, ctx, |range| {
        Ok(scan::count(&data[start + range.start..start + range.end], quote))
    })?;
    for (k, counts) in counts.iter_mut().enumerate() {
        // A line end of two bytes that is cut in two has been counted twice.
        let border = start + (k + 1) * chunk;
        if border < end && data[border - 1] == b'\r' && data[border] == b'\n' {
            counts.lines -= 1;
        }
    }
    let quotes = counts.iter().any(|c| c.quotes > 0);
    // The start of each span, and the number of lines before it.
    let mut starts = vec![(start, 0)];
    let mut before = Counts::default();
    for (k, counts) in counts.iter().enumerate() {
        let border = start + k * chunk;
        let previous = starts[starts.len() - 1];
        if k > 0 && border > previous.0 {
            if let Some((at, lines)) = next_record(data, border, end, quote, before.quotes % 2 == 1) {
                starts.push((at, before.lines + lines));
            } else {
                break;
            }
        }
        before.lines += counts.lines;
        before.quotes += counts.quotes;
    }
    let total: usize = counts.iter().map(|c| c.lines).sum();
    // The last record may have no line end.
    starts.push((end, total + 1));
    let spans = starts
        .windows(2)
        .map(|pair| Span { start: pair[0].0, stop: pair[1].0, lines: pair[1].1 - pair[0].1 })
        .filter(|span| span.start < span.stop)
        .collect();
    Ok((spans, quotes))
}

/// The first position behind a `\n` outside quotes at or after `from`, and the line ends passed.
fn next_record(data: &[u8], from: usize, end: usize, quote: u8, quoted: bool) -> Option<(usize, usize)> {
    let (mut at, mut quoted, mut lines) = (from, quoted, 0);
    loop {
        at = scan::find(data, at, end, [b'\n', b'\r', quote, quote]);
        if at >= end {
            return None;
        }
        match data[at] {
            b'\n' if !quoted => return Some((at + 1, lines + 1)),
            b'\n' => lines += 1,
            b'\r' if at + 1 >= end || data[at + 1] != b'\n' => lines += 1,
            byte if byte == quote => quoted = !quoted,
            _ => {}
        }
        at += 1;
    }
}
