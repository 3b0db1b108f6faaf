//! Characters by position.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use cuprum_elements::string_map as rows;

/// The characters `[start, stop)` of every row in steps of `step`, with Python's slice semantics:
/// negative positions count from the end, positions outside are cut, a negative step walks back.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a step of 0.
pub fn slice(
    column: &Column,
    start: Option<i64>,
    stop: Option<i64>,
    step: Option<i64>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.slice");
    check_device!(ctx, [column]);
    match step.unwrap_or(1) {
        0 => Err(Error::invalid_argument("`step` of a slice must not be 0")),
        step if ctx.is_on_gpu() => cuda::parts::slice(column, start, stop, step, ctx),
        1 => rows::map_parts(column, ctx, |row| Some(part(row, start, stop))),
        step => rows::map_text_with(column, ctx, Vec::new, |chars, row, out| {
            chars.clear();
            chars.extend(row.chars());
            let (mut at, stop) = resolve(start, stop, step, chars.len());
            while if step > 0 { at < stop } else { at > stop } {
                out.push(chars[at as usize]);
                at = at.saturating_add(step);
            }
            true
        }),
    }
}

/// The character at `position` (from the end where it is negative); null where there is none.
pub fn get(column: &Column, position: i64, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.get");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::parts::get(column, position, ctx);
    }
    rows::map_parts(column, ctx, |row| {
        let (at, c) = if position >= 0 {
            row.char_indices().nth(usize::try_from(position).ok()?)?
        } else {
            row.char_indices().nth_back(usize::try_from(-(position + 1)).ok()?)?
        };
        row.get(at..at + c.len_utf8())
    })
}

/// Every row with the characters `[start, stop)` replaced by `replacement` (pandas'
/// `slice_replace`); an empty range inserts it at `start`.
pub fn slice_replace(
    column: &Column,
    start: Option<i64>,
    stop: Option<i64>,
    replacement: &str,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.slice_replace");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::filled::slice_replace(column, start, stop, replacement, ctx);
    }
    rows::map_text(column, ctx, |row, out| {
        let len = row.chars().count();
        let (first, last) = resolve(start, stop, 1, len);
        out.push_str(characters(row, 0, first as usize));
        out.push_str(replacement);
        out.push_str(characters(row, last.max(first) as usize, len));
        true
    })
}

/// The part of a row between two positions of Python's slice semantics.
fn part(row: &str, start: Option<i64>, stop: Option<i64>) -> &str {
    // Positions from the start need no length.
    if let (0.., None | Some(0..)) = (start.unwrap_or(0), stop) {
        let clamp = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
        return characters(row, clamp(start.unwrap_or(0)), stop.map_or(usize::MAX, clamp));
    }
    let len = if row.is_ascii() { row.len() } else { row.chars().count() };
    let (first, last) = resolve(start, stop, 1, len);
    characters(row, first as usize, last as usize)
}

/// The characters `[first, last)` of a row, fewer where it ends before.
pub(super) fn characters(row: &str, first: usize, last: usize) -> &str {
    if last <= first {
        return "";
    }
    // As many bytes as characters are wanted: where they are ASCII, positions are byte positions.
    let head = row.len().min(last);
    if row.as_bytes()[..head].is_ascii() {
        return &row[first.min(head)..head];
    }
    let mut ends = row.char_indices().map(|(at, _)| at).chain([row.len()]);
    let Some(from) = ends.nth(first) else { return "" };
    let to = ends.nth(last - first - 1).unwrap_or(row.len());
    &row[from..to]
}

/// The positions that a Python slice means for a sequence of `len` elements: the first one and the
/// one to stop before (−1 where a negative step runs to the start).
pub(super) fn resolve(start: Option<i64>, stop: Option<i64>, step: i64, len: usize) -> (i64, i64) {
    let len = len as i64;
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let place = |at: i64| if at < 0 { (at.saturating_add(len)).max(low) } else { at.min(high) };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    (start.map_or(first, place), stop.map_or(last, place))
}
