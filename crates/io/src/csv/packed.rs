//! Reading what is packed by gzip in the pieces in which it is unpacked.
//!
//! One thread unpacks a piece, which ends at a line end that lies outside quotes if their number is a guide, and goes on
//! to parse it, while the next thread unpacks the next piece. The pieces are kept, so that a column whose type proves
//! wrong can be parsed again. All else that is odd (damage, a field that does not fit, a record that does not end where
//! its piece does, or none within some pieces, such as where lines end in `\r` alone) is left to whoever reads the text
//! at once; so are some rows of the start (`nrows`).

use cuprum_column::{Context, Result};
use cuprum_runtime::parallel;

use super::assemble::{Output, Places, RowRange};
use super::chunk::Rules;
use super::header;
use super::read::{Held, Passed, Reading, SpanResult, Task, locate};
use super::scan;
use super::split::Span;
use super::words::Vocabulary;
use super::{ReadOptions, Source};
use crate::NamedTable;
use crate::gzip::{self, Odd, Piece, Pieces};
use crate::pipeline;
use crate::progress::Progress;

/// The table of a source that is packed by gzip; `None` for all others, and where anything is odd.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    rules: &Rules,
    progress: &Progress,
    ctx: &Context,
) -> Result<Option<NamedTable>> {
    if !gzip::in_pieces() || options.nrows.is_some() || parallel::num_threads() == 1 {
        return Ok(None);
    }
    let Some((packed, len)) = gzip::packed(source, options.compression)? else { return Ok(None) };
    progress.expect(len);
    match in_pieces(source, options, rules, packed, progress, ctx) {
        Ok(table) => Ok(Some(table)),
        Err(Odd::Text) => Ok(None),
        Err(Odd::Failed(error)) => Err(error),
    }
}

fn in_pieces(
    source: &Source,
    options: &ReadOptions,
    rules: &Rules,
    packed: impl std::io::Read + Send,
    progress: &Progress,
    ctx: &Context,
) -> Result<NamedTable, Odd> {
    let quote = rules.dialect.quote;
    let mut pieces = Pieces::new(packed, options.chunk_bytes.max(1))?;
    // The first piece has the header and a record at least, unless there is none.
    let first = pieces.next(|text| {
        let start = header::columns(options, rules.dialect, text, text.len()).ok()?.data_start;
        record_end(&text[start..], quote).map(|end| start + end)
    })?;
    let first = first.ok_or(Odd::Text)?;
    let bytes = (first.padded(), first.text().len());
    // Whatever is wrong with the header is told by whoever reads all.
    let Ok(Some((columns, _))) = locate(source, options, rules, bytes, true) else { return Err(Odd::Text) };
    let rules = rules.of_first(options, &columns, bytes);
    let reading = Reading { source, options, rules: &rules, columns: &columns, progress, ctx };
    let (wishes, words) = reading.wanted()?;
    let words = words.each();
    let span = span_of(&first, columns.data_start, quote);
    let tasks = reading.guess(&wishes, &words, bytes, &samples(&first, span, quote), false);

    let unpacked = std::iter::once(Ok((first, columns.data_start))).chain(std::iter::from_fn(|| {
        let before = pieces.taken();
        let piece = pieces.next(|text| record_end(text, quote)).transpose()?;
        progress.advance(pieces.taken() - before);
        Some(piece.map(|piece| (piece, 0)))
    }));
    let parse = |piece: Result<(Piece, usize), Odd>| {
        let (piece, start) = piece?;
        parsed(&reading, piece, start, &tasks, &words)
    };
    let mut done = Vec::new();
    let put = |one: Parsed| {
        done.push(one);
        Ok(())
    };
    pipeline::in_order(unpacked, 2 * parallel::num_threads(), ctx, parse, put)?;

    let mut passed: Vec<Passed> = tasks.iter().map(|_| Passed::new(Vec::new())).collect();
    let (mut pieces, mut spans, mut rows, mut total) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for one in done {
        pieces.push(one.piece);
        rows.push(RowRange { start: total, len: one.span.lines });
        total += one.span.lines;
        spans.push(one.span);
        for ((column, output), result) in passed.iter_mut().zip(one.outputs).zip(one.result.columns) {
            column.outputs.push(output);
            column.add(result);
        }
    }
    Ok(reading.complete(Held::Pieces(pieces), spans, (&wishes, &words), &tasks, (passed, rows))?)
}

/// What became of a piece.
struct Parsed {
    piece: Piece,
    span: Span,
    outputs: Vec<Output>,
    result: SpanResult,
}

fn parsed(
    reading: &Reading<'_>,
    piece: Piece,
    start: usize,
    tasks: &[Task],
    words: &[&Vocabulary],
) -> Result<Parsed, Odd> {
    let mut span = span_of(&piece, start, reading.rules.dialect.quote);
    let mut outputs = Vec::with_capacity(tasks.len());
    for task in tasks {
        outputs.push(Output::new(task.storage(), span.lines, reading.ctx)?);
    }
    let places: Vec<Places<'_>> = outputs.iter_mut().map(Output::places).collect();
    let bytes = (piece.padded(), span.stop);
    // SAFETY: the outputs are of this piece alone, and have so many rows.
    let result = unsafe { reading.span(bytes, span, 0..span.lines, tasks, words, &places) };
    drop(places);
    let result = result.map_err(|_| Odd::Text)?;
    if result.parsed.next != span.stop {
        return Err(Odd::Text);
    }
    span.lines = result.parsed.rows;
    Ok(Parsed { piece, span, outputs, result })
}

/// All of a piece from `start` on.
fn span_of(piece: &Piece, start: usize, quote: u8) -> Span {
    let text = piece.text();
    Span { start, stop: text.len(), lines: scan::count(&text[start..], quote).lines + 1 }
}

/// Where the first record after the last line end outside quotes starts; `None` where there is no such line end.
fn record_end(text: &[u8], quote: u8) -> Option<usize> {
    let mut is_quoted = scan::count(text, quote).quotes % 2 == 1;
    let mut end = text.len();
    loop {
        let at = memchr::memrchr(b'\n', &text[..end])?;
        is_quoted ^= scan::count(&text[at..end], quote).quotes % 2 == 1;
        if !is_quoted {
            return Some(at + 1);
        }
        end = at;
    }
}

/// Some places of the first piece that are looked at for types.
fn samples(piece: &Piece, all: Span, quote: u8) -> Vec<Span> {
    const PLACES: usize = 8;
    let text = piece.text();
    let len = all.stop - all.start;
    if scan::count(text, quote).quotes > 0 {
        return vec![all];
    }
    let mut spans = Vec::with_capacity(PLACES);
    for place in 0..PLACES {
        let from = all.start + len / PLACES * place;
        let start = if place == 0 {
            from
        } else {
            memchr::memchr(b'\n', &text[from..]).map_or(all.stop, |at| from + at + 1)
        };
        if start < all.stop && spans.last().is_none_or(|last: &Span| last.start < start) {
            spans.push(Span { start, ..all });
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::tests::packed;
    use crate::csv::{Compression, read_csv};
    use cuprum_testing::assert_table_eq;

    /// What is read in pieces of a text packed by gzip; `None` where it is odd.
    fn pieces(text: &str, chunk_bytes: usize) -> Option<NamedTable> {
        let options = ReadOptions { chunk_bytes, compression: Compression::Gzip, ..ReadOptions::default() };
        let (source, ctx) = (Source::from(packed(text.as_bytes())), Context::current());
        let rules = Rules::of(&options);
        let (bytes, _) = gzip::packed(&source, options.compression).unwrap().unwrap();
        match in_pieces(&source, &options, &rules, bytes, &Progress::silent(), &ctx) {
            Ok(table) => Some(table),
            Err(Odd::Text) => None,
            Err(Odd::Failed(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn common_texts_are_read_in_pieces() {
        let row = |i: i32| format!("{i},\"x\n{i}\",{}\r\n", f64::from(i) / 8.0);
        let rows = (0..20_000).map(row).collect::<Vec<_>>().concat();
        // The last row changes types that the first ones have.
        for last in ["", "1,2,3\n", "x,2,y\n", "7,2,0.5"] {
            let text = format!("a,b,c\n{rows}{last}");
            let whole =
                read_csv(&Source::from(text.as_bytes()), &ReadOptions::default(), &Context::current())
                    .unwrap();
            for chunk in [100, 5000, 1 << 20] {
                let got = pieces(&text, chunk).unwrap();
                assert_eq!(got.names, whole.names);
                assert_table_eq(&got.table, &whole.table);
            }
        }
        for text in ["a,b", "a,b\n", "a\n1", "a\n\"1\"\n", "\u{feff}a\n1\n"] {
            assert!(pieces(text, 1).is_some(), "{text:?}");
        }
    }

    #[test]
    fn odd_texts_are_not() {
        let long = format!("a\n\"{}", "x\n".repeat(400_000));
        for text in ["", "a\n1,2\n", "a\n\"1", &"1\r".repeat(400_000), &long] {
            assert!(pieces(text, 100).is_none(), "{}", text.len());
        }
        // A quote inside of a field makes lines end within quotes.
        assert!(pieces(&format!("a,b\n1\",\"x\n{}\"\n", "y\n".repeat(20_000)), 100).is_none());
    }
}
