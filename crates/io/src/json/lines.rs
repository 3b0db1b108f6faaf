//! JSON Lines: parts of whole lines, parsed in parallel.

use std::ops::Range;

use cuprum_column::{Context, Result};
use cuprum_runtime::parallel;

use super::alike::Alike;
use super::columns::{self, Unlike};
use super::parse::{Fault, Parser, RawColumns};
use super::rows::{RowKind, Rows};
use super::values::Fields;
use crate::progress::Progress;

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
    let mut all = Vec::with_capacity(done.len());
    let mut kind = None;
    let mut is_unlike = false;
    for result in done {
        let (fields, own) = match result {
            Ok(rows) => rows,
            Err(fault) => return Ok(Err(fault)),
        };
        let (Some(own), false) = (own, fields.len == 0) else { continue };
        let expected = *kind.get_or_insert(own);
        is_unlike |= own != expected;
        all.push(fields);
    }
    if is_unlike || kinds(&all).is_err() {
        // The place where they differ is found by going through all of it once more.
        if let Err(fault) = part(text, base, raw) {
            return Ok(Err(fault));
        }
    }
    Ok(Ok((all, kind)))
}

/// The columns of all parts.
pub(super) fn kinds(parts: &[Fields]) -> Result<Vec<(String, columns::Kind)>, Unlike> {
    let mut kinds = Vec::new();
    for part in parts {
        columns::join_fields(&mut kinds, columns::Kind::fields(part))?;
    }
    Ok(kinds)
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
