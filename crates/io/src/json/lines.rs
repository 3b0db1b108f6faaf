//! JSON Lines: parts of whole lines, parsed in parallel.

use std::fs::File;
use std::ops::Range;

use cuprum_column::{Context, Error, Result};
use cuprum_runtime::parallel;

use super::alike::Alike;
use super::columns::{self};
use super::parse::{Fault, Parser, RawColumns};
use super::rows::{RowKind, Rows};
use super::values::Fields;
use crate::progress::Progress;
use crate::source::{Compression, Source, read_at};

/// Bytes of a part.
const PART: usize = 1 << 20;

/// The rows of a text: the parts of it, and whether columns are numbered.
pub(super) type Parts = (Vec<Fields>, Option<RowKind>);

/// The first `nrows` lines of a text that are not blank.
pub(super) fn first(text: &[u8], nrows: usize) -> &[u8] {
    let (mut end, mut rows) = (0, 0);
    while rows < nrows && end < text.len() {
        let line_end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |at| end + at + 1);
        rows += usize::from(!is_blank(&text[end..line_end]));
        end = line_end;
    }
    &text[..end]
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// Parses the lines of `text`, which begins `base` bytes into the file.
pub(super) fn parse(
    text: &[u8],
    base: usize,
    raw: &RawColumns,
    progress: &Progress,
    ctx: &Context,
) -> Result<std::result::Result<Parts, Fault>> {
    let parts = cut(text);
    let done = parallel::map_ranges(parts.len(), 1, ctx, |one| {
        let range = parts[one.start].clone();
        progress.advance(range.len() / 2);
        Ok(part(&text[range.clone()], base + range.start, raw))
    })?;
    let done = match done.into_iter().collect::<Result<Vec<_>, Fault>>() {
        Ok(done) => done,
        Err(fault) => return Ok(Err(fault)),
    };
    match joined(done, ctx)? {
        Some(parts) => Ok(Ok(parts)),
        // The place where they differ is found by going through all of it once more.
        None => Ok(part(text, base, raw).map(|(fields, kind)| (vec![fields], kind))),
    }
}

/// The parts that have rows, and what kind these are; `None` where parts do not go together.
fn joined(done: Vec<(Fields, Option<RowKind>)>, ctx: &Context) -> Result<Option<Parts>> {
    let mut all = Vec::with_capacity(done.len());
    let mut kind = None;
    for (fields, own) in done {
        let (Some(own), false) = (own, fields.len == 0) else { continue };
        if own != *kind.get_or_insert(own) {
            return Ok(None);
        }
        all.push(fields);
    }
    Ok(kinds(&all, ctx)?.map(|_| (all, kind)))
}

/// The parts of a file that is not packed, each of which is parsed as soon as it is read, and its length; `None` for
/// other sources, and where anything is odd about the text: whoever has all of it can tell what.
pub(super) fn of_file(
    source: &Source,
    compression: Compression,
    progress: &Progress,
    ctx: &Context,
) -> Result<Option<(Parts, usize)>> {
    let Source::Path(path) = source else { return Ok(None) };
    if compression.of_path(path)? != Compression::None {
        return Ok(None);
    }
    let io_error = |e| Error::io(path, e);
    let file = File::open(path).map_err(io_error)?;
    let metadata = file.metadata().map_err(io_error)?;
    let (true, Ok(len)) = (metadata.is_file(), usize::try_from(metadata.len())) else { return Ok(None) };
    if len == 0 {
        return Ok(None);
    }
    progress.expect(len);
    let raw = RawColumns::default();
    let done = parallel::map_ranges(len.div_ceil(PART), 1, ctx, |one| {
        let (start, end) = (one.start * PART, len.min(one.start * PART + PART));
        let Some(text) = lines_from(&file, len, start..end).map_err(io_error)? else { return Ok(None) };
        progress.advance(end - start);
        // A mark of the order of bytes is odd, too.
        if std::str::from_utf8(&text).is_err() {
            return Ok(None);
        }
        Ok(part(&text, start, &raw).ok())
    })?;
    let done: Option<Vec<_>> = done.into_iter().collect();
    let Some(done) = done else { return Ok(None) };
    Ok(joined(done, ctx)?.map(|parts| (parts, len)))
}

/// The lines that begin in a range of a file of `len` bytes; `None` where the last one is long.
fn lines_from(file: &File, len: usize, range: Range<usize>) -> std::io::Result<Option<Vec<u8>>> {
    /// So many bytes more are read at a time until a line ends.
    const MORE: usize = 4 << 10;
    // The byte before tells whether a line begins at the start.
    let first = range.start.saturating_sub(1);
    let mut text = Vec::with_capacity(range.end - first + MORE);
    let mut end = first;
    let mut wanted = len.min(range.end.saturating_add(MORE));
    let ended = loop {
        text.resize(wanted - first, 0);
        read_at(file, end as u64, &mut text[end - first..])?;
        let from = end.max(range.end - 1) - first;
        match memchr::memchr(b'\n', &text[from..]) {
            Some(at) => break from + at + 1,
            None if wanted == len => break text.len(),
            // Whoever has the whole text need not read it once for each part.
            None if wanted - range.end >= PART => return Ok(None),
            None => (end, wanted) = (wanted, len.min(wanted + MORE.max(wanted - range.end))),
        }
    };
    text.truncate(ended);
    if range.start > 0 {
        let begun = memchr::memchr(b'\n', &text).map_or(text.len(), |at| at + 1);
        text.drain(..begun);
    }
    Ok(Some(text))
}

/// The columns of all parts; `None` where parts do not go together.
pub(super) fn kinds(parts: &[Fields], ctx: &Context) -> Result<Option<Vec<(String, columns::Kind)>>> {
    let mut kinds = Vec::new();
    for part in parallel::map_items(parts, ctx, |part| Ok(columns::Kind::fields(part)))? {
        if columns::join_fields(&mut kinds, part).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(kinds))
}

fn cut(text: &[u8]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let least = start.saturating_add(PART);
        let end = match text.get(least..) {
            Some(rest) => memchr::memchr(b'\n', rest).map_or(text.len(), |at| least + at + 1),
            None => text.len(),
        };
        parts.push(start..end);
        start = end;
    }
    parts
}

pub(super) fn part(text: &[u8], base: usize, raw: &RawColumns) -> Result<(Fields, Option<RowKind>), Fault> {
    let mut rows = Rows::new(raw);
    let mut parser = Parser::new(&[], base);
    let mut alike = Alike::new();
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let line = &text[start..end];
        let is_taken = rows.kind == Some(RowKind::Objects) && alike.row(line, &mut rows.fields);
        if !is_taken && !is_blank(line) {
            parser = parser.after(line, base + start);
            let peek = parser.peek()?;
            rows.row(&mut parser, peek)?;
            parser.finish()?;
        }
        start = end + 1;
    }
    Ok((rows.fields, rows.kind))
}
