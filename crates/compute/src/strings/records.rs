//! Parts and matches as lists, and the texts of lists as one.

use cuprum_column::{Column, Context, DataType, Error, Result, StringBuilder};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;
use regex::Regex;

use super::pattern::{self, Anchor};
use super::split::{Cuts, Parts, parts_around, parts_between};
use crate::row_pieces::{Lists, RowPieces};
use crate::string_rows::{SHORT_MORSEL, from_writer};

/// [`split`](super::split::split) with the parts of every row as a list.
pub fn split_record(
    column: &Column,
    separator: Option<&str>,
    limit: Option<usize>,
    reverse: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.split_record");
    host_only!(ctx, [column], split_record(&column, separator, limit, reverse));
    let cuts = Cuts::new(separator, limit.unwrap_or(usize::MAX), reverse)?;
    records(column, ctx, || (), |(), row, parts| cuts.parts(row, parts))
}

/// [`split_regex`](super::split::split_regex) with the parts of every row as a list.
pub fn split_record_regex(
    column: &Column,
    pattern: &str,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.split_record_regex");
    host_only!(ctx, [column], split_record_regex(&column, pattern, limit));
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let limit = limit.unwrap_or(usize::MAX);
    records(column, ctx, || regex.clone(), |re, row, parts| parts_between(re, limit, row, parts))
}

/// [`partition`](super::split::partition) with the three parts of every row as a list.
pub fn partition_record(column: &Column, separator: &str, reverse: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.partition_record");
    host_only!(ctx, [column], partition_record(&column, separator, reverse));
    if separator.is_empty() {
        return Err(Error::invalid_argument("`separator` must not be empty"));
    }
    records(column, ctx, || (), |(), row, parts| parts_around(row, separator, reverse, parts))
}

/// Lists of what a regular expression matches in each row, from left to right without overlap: what its group has
/// (nothing is the empty text), the whole match for a pattern without groups. Python's `re.findall`.
///
/// An empty match may follow another match at once, as in Python.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for patterns that are none, and with
/// [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for more than one group.
pub fn find_all(column: &Column, pattern: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.find_all");
    host_only!(ctx, [column], find_all(&column, pattern));
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let group = regex.captures_len() - 1;
    if group > 1 {
        return Err(Error::unsupported(format!(
            "`pattern` {pattern:?} has {group} groups, whose matches are no texts; extract all of them instead"
        )));
    }
    records(
        column,
        ctx,
        || regex.clone(),
        |re, row, parts| {
            each_match(re, row, |places| parts.push(places.get(group).unwrap_or((0, 0))));
        },
    )
}

/// The groups of all matches of a regular expression, a row for each match: the number of its row and its number in
/// the row (both `Int64`), then a column of texts for every group of `pattern`, null where it takes no part.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a pattern without groups.
pub fn extract_all(column: &Column, pattern: &str, ctx: &Context) -> Result<Vec<Column>> {
    func_range!(c"strings.extract_all");
    host_only!(ctx, [column], extract_all(&column, pattern));
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let groups = regex.captures_len() - 1;
    if groups == 0 {
        return Err(Error::invalid_argument(format!("`pattern` {pattern:?} contains no capture groups")));
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let morsels = parallel::map_ranges(rows.len(), SHORT_MORSEL, ctx, |range| {
        let regex = regex.clone();
        let mut counts = Vec::with_capacity(range.len());
        let mut texts: Vec<StringBuilder> = (0..groups).map(|_| StringBuilder::default()).collect();
        for row in range {
            let mut count = 0;
            if let Some(row) = rows.get_opt(row) {
                each_match(&regex, row, |places| {
                    count += 1;
                    for (group, texts) in texts.iter_mut().enumerate() {
                        texts.push_opt(places.get(group + 1).map(|(from, to)| &row[from..to]));
                    }
                });
            }
            counts.push(count);
        }
        Ok((counts, texts))
    })?;
    let pieces = RowPieces::new(rows.len(), ctx, |row| morsels[row / SHORT_MORSEL].0[row % SHORT_MORSEL])?;
    let mut columns = vec![
        Column::from_values(pieces.fill(ctx, |row, _| row as i64)?),
        Column::from_values(pieces.fill(ctx, |_, k| k as i64)?),
    ];
    let mut texts: Vec<Vec<StringBuilder>> = (0..groups).map(|_| Vec::new()).collect();
    for (_, builders) in morsels {
        for (all, builder) in texts.iter_mut().zip(builders) {
            all.push(builder);
        }
    }
    for builders in texts {
        columns.push(StringBuilder::finish_all(builders, ctx)?);
    }
    Ok(columns)
}

/// The texts of every list with `separator` between them; null where the list or one of its elements is.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for what are no lists of texts.
pub fn join_lists(lists: &Column, separator: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.join_lists");
    host_only!(ctx, [lists], join_lists(&lists, separator));
    let view = lists.view()?;
    let rows = Lists::new(&view)?;
    if rows.elements().data_type() != DataType::String {
        let kind = rows.elements().data_type();
        return Err(Error::data_type(format!("`lists` has elements of type {kind}, no texts")));
    }
    let elements = rows.elements().view()?;
    let texts = elements.strings()?;
    from_writer(lists.len(), ctx, |row, out| {
        if !rows.is_valid(row) {
            return Ok(false);
        }
        let [start, count] = rows.span(row);
        for k in 0..count {
            let Some(text) = texts.get_opt(start + k) else { return Ok(false) };
            if k > 0 {
                out.push_str(separator);
            }
            out.push_str(text);
        }
        Ok(true)
    })
}

/// Calls `f` with the places of the groups of every match, group 0 being the whole.
fn each_match(regex: &Regex, row: &str, mut f: impl FnMut(&regex::CaptureLocations)) {
    let mut places = regex.capture_locations();
    let mut at = 0;
    while at <= row.len() {
        let Some(found) = regex.captures_read_at(&mut places, row, at) else { return };
        f(&places);
        at = found.end();
        if found.is_empty() {
            at += row[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// A list of texts for each row, the parts of it that `f` appends to an empty list; null where the row is.
fn records<S>(
    column: &Column,
    ctx: &Context,
    state: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, &str, &mut Parts) + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    let morsels = parallel::map_ranges(rows.len(), SHORT_MORSEL, ctx, |range| {
        let (mut state, mut parts) = (state(), Parts::new());
        let mut counts = Vec::with_capacity(range.len());
        let mut texts = StringBuilder::default();
        for row in range {
            parts.clear();
            if let Some(row) = rows.get_opt(row) {
                f(&mut state, row, &mut parts);
                parts.iter().for_each(|&(from, to)| texts.push(&row[from..to]));
            }
            counts.push(parts.len());
        }
        Ok((counts, texts))
    })?;
    let pieces = RowPieces::new(rows.len(), ctx, |row| morsels[row / SHORT_MORSEL].0[row % SHORT_MORSEL])?;
    let texts = StringBuilder::finish_all(morsels.into_iter().map(|(_, texts)| texts).collect(), ctx)?;
    Column::lists(pieces.offsets(ctx)?, texts, column.copy_mask(ctx)?)
}
