//! Tests for patterns, and where and how often they occur.

use cuprum_column::{Column, Context, DataType, HostUVec, Result};
use cuprum_runtime::backend::{check_device, host_only, on_device};
use cuprum_runtime::nvtx::func_range;
use memchr::memmem::{self, Finder};

use super::attributes::saturate;
use super::cuda::groups;
use super::cuda::pattern as by_pattern;
use super::cuda::search::{self, Wanted};
use super::pattern::{self, Anchor};
use super::pattern_kernels::by_kernels;
use super::records::each_match;
use super::slice::resolve;
use cuprum_elements::fused::{Looks, of_texts};
use cuprum_elements::string_map as rows;

/// Whether a row contains `pattern`, a regular expression (`regex`) or plain text; `Bool8`.
///
/// Without `case_sensitive`, characters match when their simple case foldings agree.
pub fn contains(
    column: &Column,
    pattern: &str,
    regex: bool,
    case_sensitive: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.contains");
    check_device!(ctx, [column]);
    if is_plain(pattern, regex, case_sensitive) {
        return on_device!(
            ctx,
            contains_text(column, pattern, ctx),
            looked_at(column, Looks::Contains, pattern, ctx),
        );
    }
    let escaped = regex::escape(pattern);
    let pattern = if regex { pattern } else { &escaped };
    if let Some(found) = by_kernels(
        column,
        (pattern, case_sensitive, Anchor::Anywhere),
        ctx,
        by_pattern::is_match,
        groups::is_match,
    )? {
        return Ok(found);
    }
    host_only!(ctx, [column], contains(&column, pattern, true, case_sensitive));
    is_match(column, &pattern::compile(pattern, case_sensitive, Anchor::Anywhere)?, ctx)
}

/// Whether a pattern is found where its bytes are.
pub(super) fn is_plain(pattern: &str, regex: bool, case_sensitive: bool) -> bool {
    case_sensitive && (!regex || !pattern.chars().any(is_special))
}

/// Whether a character may mean something else than itself in a regular expression.
fn is_special(c: char) -> bool {
    matches!(c, '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$')
}

fn is_match(column: &Column, regex: &regex::Regex, ctx: &Context) -> Result<Column> {
    // A regex of its own for every morsel: threads would contend for one cache.
    rows::map_values_with(
        column,
        DataType::Bool8,
        ctx,
        || regex.clone(),
        |re, row| u8::from(re.is_match(row)),
    )
}

/// Searches all characters of a morsel at once, then finds the row of each hit.
fn contains_text(column: &Column, text: &str, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let strings = view.strings()?;
    let finder = Finder::new(text);
    // SAFETY: the closure first fills the whole slice it gets.
    let values = unsafe {
        HostUVec::from_morsels(strings.len(), ctx, |range, out| {
            out.fill(std::mem::MaybeUninit::new(u8::from(text.is_empty())));
            if text.is_empty() || range.is_empty() {
                return Ok(());
            }
            let end = strings.range(range.end - 1).end;
            let mut at = strings.range(range.start).start;
            let mut row = range.start;
            while let Some(found) = finder.find(&strings.chars()[at..end]) {
                let hit = at + found;
                while strings.range(row).end <= hit {
                    row += 1;
                }
                let row_end = strings.range(row).end;
                if hit + text.len() <= row_end {
                    out[row - range.start].write(1);
                    at = row_end;
                } else {
                    // The hit reaches into the next row.
                    at = hit + 1;
                }
            }
            Ok(())
        })?
    };
    Column::new(DataType::Bool8, values, column.copy_mask(ctx)?)
}

/// Whether each text of a column on a GPU passes a test with a plain text.
fn looked_at(column: &Column, looks: Looks, literal: &str, ctx: &Context) -> Result<Column> {
    of_texts(column, DataType::Bool8, ctx, |formula, text| {
        let literal = formula.literal_text(literal, ctx)?;
        Ok(formula.text_looks(looks, text, &literal))
    })
}

/// Whether a row starts with `text`; `Bool8`.
pub fn starts_with(column: &Column, text: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.starts_with");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return looked_at(column, Looks::StartsWith, text, ctx);
    }
    rows::map_bools(column, ctx, |row| row.as_bytes().starts_with(text.as_bytes()))
}

/// Whether a row ends with `text`; `Bool8`.
pub fn ends_with(column: &Column, text: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.ends_with");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return looked_at(column, Looks::EndsWith, text, ctx);
    }
    rows::map_bools(column, ctx, |row| row.as_bytes().ends_with(text.as_bytes()))
}

/// Whether a regular expression matches at the start of a row (pandas' `match`); `Bool8`.
pub fn matches(column: &Column, pattern: &str, case_sensitive: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.matches");
    check_device!(ctx, [column]);
    if let Some(found) = by_kernels(
        column,
        (pattern, case_sensitive, Anchor::Start),
        ctx,
        by_pattern::is_match,
        groups::is_match,
    )? {
        return Ok(found);
    }
    host_only!(ctx, [column], matches(&column, pattern, case_sensitive));
    is_match(column, &pattern::compile(pattern, case_sensitive, Anchor::Start)?, ctx)
}

/// Whether a regular expression matches a whole row; `Bool8`.
pub fn full_match(column: &Column, pattern: &str, case_sensitive: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.full_match");
    check_device!(ctx, [column]);
    if let Some(found) = by_kernels(
        column,
        (pattern, case_sensitive, Anchor::Whole),
        ctx,
        by_pattern::is_match,
        groups::is_match,
    )? {
        return Ok(found);
    }
    host_only!(ctx, [column], full_match(&column, pattern, case_sensitive));
    is_match(column, &pattern::compile(pattern, case_sensitive, Anchor::Whole)?, ctx)
}

/// The number of occurrences of a pattern (a regular expression, or plain text) without overlap; `Int32`.
///
/// The empty pattern occurs before every character and at the end.
pub fn count(column: &Column, pattern: &str, regex: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.count");
    check_device!(ctx, [column]);
    let regex = !is_plain(pattern, regex, true);
    if regex
        && let Some(counts) =
            by_kernels(column, (pattern, true, Anchor::Anywhere), ctx, by_pattern::count, groups::count)?
    {
        return Ok(counts);
    }
    host_only!(ctx, [column] if regex, count(&column, pattern, regex));
    if ctx.is_on_gpu() {
        return search::count(column, pattern, ctx);
    }
    if !regex {
        let finder = Finder::new(pattern);
        return rows::map_values(column, DataType::Int32, ctx, |row| {
            saturate(if pattern.is_empty() {
                row.chars().count() + 1
            } else {
                finder.find_iter(row.as_bytes()).count()
            })
        });
    }
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let may_be_empty = regex.is_match("");
    rows::map_values_with(
        column,
        DataType::Int32,
        ctx,
        || regex.clone(),
        |re, row| {
            if !may_be_empty {
                return saturate(re.find_iter(row).count());
            }
            // An empty match may follow another one at once.
            let mut count = 0;
            each_match(re, row, |_| count += 1);
            saturate(count)
        },
    )
}

/// The position in characters of the first occurrence of `text` that lies within the characters
/// `[start, stop)` (Python's slice semantics), −1 where there is none; `Int32`.
pub fn find(column: &Column, text: &str, start: i64, stop: Option<i64>, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.find");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return search::find(column, Wanted::Text(text), (start, stop), false, ctx);
    }
    let finder = Finder::new(text);
    position(column, start, stop, ctx, |part| finder.find(part))
}

/// The position in characters of the first match of a regular expression, −1 where there is none; `Int32`.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for patterns that are none.
pub fn find_regex(column: &Column, pattern: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.find_regex");
    check_device!(ctx, [column]);
    if let Some(found) =
        by_kernels(column, (pattern, true, Anchor::Anywhere), ctx, by_pattern::find, groups::find)?
    {
        return Ok(found);
    }
    host_only!(ctx, [column], find_regex(&column, pattern));
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    rows::map_values_with(
        column,
        DataType::Int32,
        ctx,
        || regex.clone(),
        |re, row| re.find(row).map_or(-1, |found| saturate(row[..found.start()].chars().count())),
    )
}

/// The position in characters of the last occurrence; see [`find`].
pub fn rfind(column: &Column, text: &str, start: i64, stop: Option<i64>, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.rfind");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return search::find(column, Wanted::Text(text), (start, stop), true, ctx);
    }
    let finder = memmem::FinderRev::new(text);
    position(column, start, stop, ctx, |part| finder.rfind(part))
}

fn position(
    column: &Column,
    start: i64,
    stop: Option<i64>,
    ctx: &Context,
    find: impl Fn(&[u8]) -> Option<usize> + Sync,
) -> Result<Column> {
    rows::map_values(column, DataType::Int32, ctx, |row| place_of(row, start, stop, &find))
}

/// The position in characters of the match of `find` in the characters `[start, stop)` of a row, −1 where it
/// finds none.
pub(super) fn place_of(
    row: &str,
    start: i64,
    stop: Option<i64>,
    find: impl Fn(&[u8]) -> Option<usize>,
) -> i32 {
    if start == 0 && stop.is_none() {
        return match find(row.as_bytes()) {
            Some(at) => saturate(row[..at].chars().count()),
            None => -1,
        };
    }
    let len = if row.is_ascii() { row.len() } else { row.chars().count() };
    let (first, last) = resolve(Some(start), stop, 1, len);
    // An empty text is found at any position up to the end of the row, not behind it.
    if start > len as i64 || last < first {
        return -1;
    }
    let part = super::slice::characters(row, first as usize, last as usize);
    match find(part.as_bytes()) {
        Some(at) => saturate(first as usize + part[..at].chars().count()),
        None => -1,
    }
}
