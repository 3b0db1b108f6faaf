//! Parts between separators, one column per part.

use cuprum_column::{Column, Context, DataType, Device, Error, ErrorKind, Result, StringBuilder};
use cuprum_runtime::backend::{check_device, host_only};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;
use memchr::memmem::{Finder, FinderRev};
use regex::Regex;

use super::automaton::Automata;
use super::categories::is_space;
use super::cuda::spans::{self, At};
use super::pattern::{self, Anchor};
use cuprum_elements::string_map::{self, SHORT_MORSEL, bytes_of};

/// The parts of every row between occurrences of `separator` (runs of white space for `None`, as
/// Python's `str.split()`), at most `limit` splits, counted from the end with `reverse`.
///
/// As many columns as the row with the most parts has; a row with fewer is null in the rest, a null
/// row in all of them. A column without a part (no rows, all of them null or empty) gives one
/// column, or none where there are no rows.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for an empty separator, and with
/// [`OutOfMemory`](cuprum_column::ErrorKind::OutOfMemory) where a row has so many parts that as many columns
/// do not fit the memory that is free.
pub fn split(
    column: &Column,
    separator: Option<&str>,
    limit: Option<usize>,
    reverse: bool,
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"strings.split");
    check_device!(ctx, [column]);
    let limit = limit.unwrap_or(usize::MAX);
    if ctx.is_on_gpu() {
        check_separator(separator)?;
        let parts = spans::parts(column, At::Separator(separator), limit, reverse, ctx)?;
        return parts.map_or_else(|| Ok(Vec::new()), |parts| columns_of(&parts, column, ctx));
    }
    let most = most_parts(column)?;
    // One part more is enough to know that there are too many.
    let limit = limit.min(most);
    let cuts = Cuts::new(separator, limit, reverse)?;
    expand(column, most, ctx, || (), |(), row, parts| cuts.parts(row, parts))
}

/// [`split`] at the matches of a regular expression, which are found from the left; with `reverse` the last ones
/// count. An empty match splits too, also one that follows another match at once, as in Python's `re.split`.
///
/// Fails for patterns that are none with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), and
/// as [`split`] where there are too many parts.
pub fn split_regex(
    column: &Column,
    pattern: &str,
    limit: Option<usize>,
    reverse: bool,
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"strings.split_regex");
    check_device!(ctx, [column]);
    let split = |column: &Column, automata: &Automata, ctx: &Context| {
        let parts = spans::parts(column, At::Between(automata), limit.unwrap_or(usize::MAX), reverse, ctx)?;
        parts.map(|parts| columns_of(&parts, column, ctx)).transpose()
    };
    if ctx.is_on_gpu()
        && let Some(automata) = pattern::compiled(pattern, true, Anchor::Anywhere)?.automata()
        && let Some(columns) = split(column, &automata, ctx)?
    {
        return Ok(columns);
    }
    host_only!(ctx, [column], split_regex(&column, pattern, limit, reverse));
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let most = most_parts(column)?;
    let limit = limit.unwrap_or(usize::MAX).min(most);
    expand(
        column,
        most,
        ctx,
        || regex.clone(),
        |re, row, parts| {
            parts_between(re, limit, reverse, row, parts);
        },
    )
}

/// The parts between the first `limit` matches, or with `reverse` the last ones.
pub(super) fn parts_between(regex: &Regex, limit: usize, reverse: bool, row: &str, parts: &mut Parts) {
    let (mut start, mut at) = (0, 0);
    let first = if reverse { usize::MAX } else { limit };
    while at <= row.len() && parts.len() < first {
        let Some(found) = regex.find_at(row, at) else { break };
        parts.push((start, found.start()));
        start = found.end();
        let behind = if found.is_empty() { row[start..].chars().next().map_or(1, char::len_utf8) } else { 0 };
        at = start + behind;
    }
    parts.push((start, row.len()));
    if reverse && parts.len() - 1 > limit {
        let joined = parts.len() - 1 - limit;
        let end = parts[joined].1;
        parts.drain(..joined);
        parts[0] = (0, end);
    }
}

/// Three columns: the text before the first `separator` (the last one with `reverse`), the separator,
/// and the text behind it. Without a separator the row is in the first column (the last one with
/// `reverse`) and the others are empty, as Python's `str.partition` has it.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for an empty separator.
pub fn partition(column: &Column, separator: &str, reverse: bool, ctx: &Context) -> Result<Vec<Column>> {
    func_range!(c"strings.partition");
    check_device!(ctx, [column]);
    check_separator(Some(separator))?;
    if ctx.is_on_gpu() {
        let Some(parts) = spans::parts(column, At::Around(separator), usize::MAX, reverse, ctx)? else {
            return Ok(Vec::new());
        };
        return (0..3).map(|part| parts.texts(part, false, ctx)).collect();
    }
    let mut columns = expand(
        column,
        usize::MAX,
        ctx,
        || (),
        |(), row, parts| parts_around(row, separator, reverse, parts),
    )?;
    // Nothing but nulls: three columns all the same.
    while columns.len() < 3 {
        columns.push(Column::nulls(cuprum_column::DataType::String, column.len(), ctx)?);
    }
    Ok(columns)
}

/// Part `position` of [`split`] at all separators (from the end where it is negative); null where there is none.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for an empty separator.
pub fn split_part(column: &Column, separator: Option<&str>, position: i64, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.split_part");
    check_device!(ctx, [column]);
    let (reverse, place) = (position < 0, if position < 0 { -(position + 1) } else { position });
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    // Text behind the wanted part need not be cut.
    let limit = place.saturating_add(1);
    if ctx.is_on_gpu() {
        check_separator(separator)?;
        let parts = spans::parts(column, At::Separator(separator), limit, reverse, ctx)?;
        return match parts {
            Some(parts) => parts.texts(place, reverse, ctx),
            None => Ok(Column::empty(DataType::String)),
        };
    }
    let cuts = Cuts::new(separator, limit, reverse)?;
    string_map::map_parts_with(column, ctx, Parts::new, |parts, row| {
        parts.clear();
        cuts.parts(row, parts);
        let at = if reverse { parts.len().checked_sub(place.checked_add(1)?)? } else { place };
        parts.get(at).map(|&(from, to)| &row[from..to])
    })
}

/// Fails where a separator is empty.
pub(super) fn check_separator(separator: Option<&str>) -> Result<()> {
    if separator == Some("") { Err(Error::invalid_argument("`separator` must not be empty")) } else { Ok(()) }
}

/// A column for each part that some row has, of one on a GPU; see [`split`].
fn columns_of(parts: &spans::Parts<'_>, column: &Column, ctx: &Context) -> Result<Vec<Column>> {
    let (rows, width) = (column.len(), parts.most(ctx)?.max(usize::from(!column.is_empty())));
    let bytes = rows.saturating_mul(PART_BYTES.0).saturating_add(PART_BYTES.1);
    if width.saturating_mul(bytes) > LITTLE {
        let most = (ctx.resource().device().memory_info()?.free / bytes).max(FEW);
        if width > most {
            return Err(too_many_parts(parts.first_with_more_than(most)?, most, rows));
        }
    }
    (0..width).map(|part| parts.texts(part, false, ctx)).collect()
}

/// Byte ranges of the parts of a row.
pub(super) type Parts = Vec<(usize, usize)>;

/// The parts before, of and after a separator; see [`partition`].
pub(super) fn parts_around(row: &str, separator: &str, reverse: bool, parts: &mut Parts) {
    let found = if reverse { row.rfind(separator) } else { row.find(separator) };
    let end = row.len();
    match found {
        Some(at) => {
            let behind = at + separator.len();
            parts.extend([(0, at), (at, behind), (behind, end)]);
        }
        None if reverse => parts.extend([(0, 0), (0, 0), (0, end)]),
        None => parts.extend([(0, end), (end, end), (end, end)]),
    }
}

/// The separators of rows, and the most cuts.
pub(super) struct Cuts<'a> {
    at: Separators<'a>,
    limit: usize,
}

enum Separators<'a> {
    Spaces,
    SpacesReverse,
    Text(Box<Finder<'a>>),
    TextReverse(FinderRev<'a>),
}

impl<'a> Cuts<'a> {
    /// Cuts at `separator`, white space for `None`; see [`split`].
    pub(super) fn new(separator: Option<&'a str>, limit: usize, reverse: bool) -> Result<Self> {
        check_separator(separator)?;
        let at = match (separator, reverse) {
            (None, false) => Separators::Spaces,
            (None, true) => Separators::SpacesReverse,
            (Some(separator), false) => Separators::Text(Box::new(Finder::new(separator))),
            (Some(separator), true) => Separators::TextReverse(FinderRev::new(separator)),
        };
        Ok(Self { at, limit })
    }

    /// Appends the parts of a row to an empty list.
    pub(super) fn parts(&self, row: &str, parts: &mut Parts) {
        match &self.at {
            Separators::Spaces => spaces(row, self.limit, parts),
            Separators::SpacesReverse => spaces_reverse(row, self.limit, parts),
            Separators::Text(finder) => {
                let mut at = 0;
                for found in finder.find_iter(row.as_bytes()).take(self.limit) {
                    parts.push((at, found));
                    at = found + finder.needle().len();
                }
                parts.push((at, row.len()));
            }
            Separators::TextReverse(finder) => {
                let mut end = row.len();
                for found in finder.rfind_iter(row.as_bytes()).take(self.limit) {
                    parts.push((found + finder.needle().len(), end));
                    end = found;
                }
                parts.push((0, end));
                parts.reverse();
            }
        }
    }
}

fn spaces(row: &str, limit: usize, parts: &mut Parts) {
    let mut rest = row.trim_start_matches(is_space);
    while !rest.is_empty() {
        let at = row.len() - rest.len();
        let end = if parts.len() == limit { None } else { rest.find(is_space) };
        let Some(end) = end else {
            parts.push((at, row.len()));
            return;
        };
        parts.push((at, at + end));
        rest = rest[end..].trim_start_matches(is_space);
    }
}

fn spaces_reverse(row: &str, limit: usize, parts: &mut Parts) {
    let mut rest = row.trim_end_matches(is_space);
    while !rest.is_empty() {
        let found =
            if parts.len() == limit { None } else { rest.char_indices().rfind(|&(_, c)| is_space(c)) };
        let Some((at, space)) = found else {
            parts.push((0, rest.len()));
            break;
        };
        parts.push((at + space.len_utf8(), rest.len()));
        rest = rest[..at].trim_end_matches(is_space);
    }
    parts.reverse();
}

/// Bytes that a row takes in a column of parts, besides its text, and a column: while it is made and at the
/// end.
const PART_BYTES: (usize, usize) = (12, 1024);

/// So much memory is not worth looking for how much is free.
const LITTLE: usize = 16 << 20;
/// So many columns are tried in any case: free memory is an estimate.
const FEW: usize = 64;

/// About how many parts a row may have so that as many columns fit the memory that is free; [`usize::MAX`]
/// where the text is too short for more.
fn most_parts(column: &Column) -> Result<usize> {
    let view = column.view()?;
    let rows = view.strings()?;
    let bytes = rows.len().saturating_mul(PART_BYTES.0).saturating_add(PART_BYTES.1);
    if bytes_of(&rows, &(0..rows.len())).saturating_add(1).saturating_mul(bytes) <= LITTLE {
        return Ok(usize::MAX);
    }
    Ok((Device::Cpu.memory_info()?.free / bytes).max(FEW))
}

#[cold]
fn too_many_parts(row: usize, most: usize, rows: usize) -> Error {
    let message = format!(
        "row {row} has more than {most} parts; as many columns of {rows} rows do not fit the memory that is \
         free, where `limit` allows them"
    );
    Error::new(ErrorKind::OutOfMemory, message)
}

/// One column per part; `f` appends the parts of a row to an empty list. Fails where there are more than
/// `most`.
fn expand<S>(
    column: &Column,
    most: usize,
    ctx: &Context,
    state: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, &str, &mut Parts) + Sync,
) -> Result<Vec<Column>> {
    let column = column.view()?;
    let view = column.strings()?;
    let morsels = parallel::map_ranges(view.len(), SHORT_MORSEL, ctx, |range| {
        let (mut state, mut parts) = (state(), Parts::new());
        let mut builders: Vec<StringBuilder> = Vec::new();
        let start = range.start;
        for i in range {
            parts.clear();
            let row = view.get_opt(i).unwrap_or("");
            if view.validity().is_none_or(|bits| bits.get(i)) {
                f(&mut state, row, &mut parts);
            }
            if parts.len() > most {
                return Err(too_many_parts(i, most, view.len()));
            }
            while builders.len() < parts.len() {
                let mut builder = StringBuilder::default();
                (start..i).for_each(|_| builder.push_null());
                builders.push(builder);
            }
            for (part, builder) in builders.iter_mut().enumerate() {
                builder.push_opt(parts.get(part).map(|&(from, to)| &row[from..to]));
            }
        }
        Ok(builders)
    })?;
    let width = morsels.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(!view.is_empty()));
    let mut columns: Vec<Vec<StringBuilder>> = (0..width).map(|_| Vec::new()).collect();
    for (m, builders) in morsels.into_iter().enumerate() {
        let mut builders = builders.into_iter();
        for column in &mut columns {
            column.push(builders.next().unwrap_or_else(|| {
                let mut builder = StringBuilder::default();
                let start = m * SHORT_MORSEL;
                (start..(start + SHORT_MORSEL).min(view.len())).for_each(|_| builder.push_null());
                builder
            }));
        }
    }
    columns.into_iter().map(|parts| StringBuilder::finish_all(parts, ctx)).collect()
}
