//! Parts and matches as lists, and the texts of lists as one.

use cuprum_column::{Column, Context, DataType, Error, Result, StringBuilder, TextsView, null_mask};
use cuprum_runtime::backend::{check_device, host_only, on_no_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;
use regex::Regex;

use super::automaton::Automata;
use super::cuda::groups;
use super::cuda::joined::{self, Joining};
use super::cuda::spans::{self, At};
use super::pattern::{self, Anchor};
use super::pattern_kernels::by_kernels;
use super::split::{Cuts, Parts, check_separator, parts_around, parts_between};
use cuprum_elements::row_pieces::{Lists, RowPieces};
use cuprum_elements::string_map::{SHORT_MORSEL, from_writer};

/// [`split`](super::split::split) with the parts of every row as a list.
pub fn split_record(
    column: &Column,
    separator: Option<&str>,
    limit: Option<usize>,
    reverse: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.split_record");
    check_device!(ctx, [column]);
    let limit = limit.unwrap_or(usize::MAX);
    let cuts = Cuts::new(separator, limit, reverse)?;
    if ctx.is_on_gpu() {
        return lists_of(spans::parts(column, At::Separator(separator), limit, reverse, ctx)?, ctx);
    }
    records(column, ctx, || (), |(), row, parts| cuts.parts(row, parts))
}

/// [`split_regex`](super::split::split_regex) with the parts of every row as a list.
pub fn split_record_regex(
    column: &Column,
    pattern: &str,
    limit: Option<usize>,
    reverse: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.split_record_regex");
    check_device!(ctx, [column]);
    let split = |column: &Column, automata: &Automata, ctx: &Context| {
        let parts = spans::parts(column, At::Between(automata), limit.unwrap_or(usize::MAX), reverse, ctx)?;
        parts.map(|parts| parts.into_lists(ctx)).transpose()
    };
    if ctx.is_on_gpu()
        && let Some(automata) = pattern::compiled(pattern, true, Anchor::Anywhere)?.automata()
        && let Some(lists) = split(column, &automata, ctx)?
    {
        return Ok(lists);
    }
    host_only!(ctx, [column], split_record_regex(&column, pattern, limit, reverse));
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let limit = limit.unwrap_or(usize::MAX);
    records(column, ctx, || regex.clone(), |re, row, parts| parts_between(re, limit, reverse, row, parts))
}

/// [`partition`](super::split::partition) with the three parts of every row as a list.
pub fn partition_record(column: &Column, separator: &str, reverse: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.partition_record");
    check_device!(ctx, [column]);
    check_separator(Some(separator))?;
    if ctx.is_on_gpu() {
        return lists_of(spans::parts(column, At::Around(separator), usize::MAX, reverse, ctx)?, ctx);
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
    check_device!(ctx, [column]);
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let group = regex.captures_len() - 1;
    if group > 1 {
        return Err(Error::unsupported(format!(
            "`pattern` {pattern:?} has {group} groups, whose matches are no texts; extract all of them instead"
        )));
    }
    let lists = by_kernels(
        column,
        (pattern, true, Anchor::Anywhere),
        ctx,
        |column, automata, ctx| match group {
            0 => spans::parts(column, At::Found(automata), usize::MAX, false, ctx)?
                .map(|parts| parts.into_lists(ctx))
                .transpose(),
            _ => Ok(None),
        },
        |column, compiled, ctx| groups::find_all(column, compiled, group, ctx),
    )?;
    if let Some(lists) = lists {
        return Ok(lists);
    }
    host_only!(ctx, [column], find_all(&column, pattern));
    records(
        column,
        ctx,
        || regex.clone(),
        |re, row, parts| {
            each_match(re, row, |places| parts.push(places.get(group).unwrap_or((0, 0))));
        },
    )
}

/// The lists of parts on a GPU, which are there.
fn lists_of(parts: Option<spans::Parts<'_>>, ctx: &Context) -> Result<Column> {
    parts.ok_or_else(|| Error::logic("parts without a pattern are decided"))?.into_lists(ctx)
}

/// The groups of all matches of a regular expression, a row for each match: the number of its row and its number in
/// the row (both `Int64`), then a column of texts for every group of `pattern`, null where it takes no part.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a pattern without groups.
pub fn extract_all(column: &Column, pattern: &str, ctx: &Context) -> Result<Vec<Column>> {
    func_range!(c"strings.extract_all");
    check_device!(ctx, [column]);
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let groups = regex.captures_len() - 1;
    if groups == 0 {
        return Err(no_groups(pattern));
    }
    let asked = (pattern, true, Anchor::Anywhere);
    if let Some(columns) = by_kernels(column, asked, ctx, |_, _, _| Ok(None), groups::extract_all)? {
        return Ok(columns);
    }
    host_only!(ctx, [column], extract_all(&column, pattern));
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

/// Lists of the groups of all matches in each row, one match after the other, null where a group takes no part in one;
/// null for rows without a match.
///
/// Fails as [`extract_all`].
pub fn extract_all_record(column: &Column, pattern: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.extract_all_record");
    check_device!(ctx, [column]);
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    let groups = regex.captures_len() - 1;
    if groups == 0 {
        return Err(no_groups(pattern));
    }
    let asked = (pattern, true, Anchor::Anywhere);
    if let Some(lists) = by_kernels(column, asked, ctx, |_, _, _| Ok(None), groups::extract_all_record)? {
        return Ok(lists);
    }
    host_only!(ctx, [column], extract_all_record(&column, pattern));
    let view = column.view()?;
    let rows = view.strings()?;
    let morsels = parallel::map_ranges(rows.len(), SHORT_MORSEL, ctx, |range| {
        let regex = regex.clone();
        let mut counts = Vec::with_capacity(range.len());
        let mut texts = StringBuilder::default();
        for row in range {
            let mut count = 0;
            if let Some(row) = rows.get_opt(row) {
                each_match(&regex, row, |places| {
                    count += groups;
                    for group in 1..=groups {
                        texts.push_opt(places.get(group).map(|(from, to)| &row[from..to]));
                    }
                });
            }
            counts.push(count);
        }
        Ok((counts, texts))
    })?;
    let count = |row: usize| morsels[row / SHORT_MORSEL].0[row % SHORT_MORSEL];
    let pieces = RowPieces::new(rows.len(), ctx, count)?;
    let mask = null_mask::from_fn(rows.len(), ctx, |row| count(row) > 0)?;
    let texts = StringBuilder::finish_all(morsels.into_iter().map(|(_, texts)| texts).collect(), ctx)?;
    Column::lists(pieces.offsets(ctx)?, texts, Some(mask))
}

/// The treatment of nulls and of empty lists by [`join_list_elements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinOptions {
    /// Whether nulls have separators around them.
    pub separate_nulls: bool,
    /// Whether a list of nothing becomes the empty text; else null.
    pub empty_is_text: bool,
}

on_no_device!(JoinOptions);

/// The texts of every list with separators between them; null where the list is. There is one separator, or one for
/// every row; rows where that is null are null, or have `separator_na_rep`. `na_rep` stands for nulls in lists; without
/// it lists that have one become null.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no lists of texts or no
/// texts, and with [`Logic`](cuprum_column::ErrorKind::Logic) for several separators that are not as many as
/// rows.
pub fn join_list_elements(
    lists: &Column,
    separators: &Column,
    separator_na_rep: Option<&str>,
    na_rep: Option<&str>,
    options: JoinOptions,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.join_list_elements");
    check_device!(ctx, [lists, separators]);
    if separators.len() != 1 && separators.len() != lists.len() {
        return Err(Error::logic(format!(
            "`separators` has {} rows, `lists` {}",
            separators.len(),
            lists.len()
        )));
    }
    check_lists_of_texts(lists)?;
    if ctx.is_on_gpu() {
        TextsView::new(separators)?;
        let joining = Joining {
            separators: Some(separators),
            between: separator_na_rep,
            na_rep,
            separates_nulls: options.separate_nulls,
            empty_is_text: options.empty_is_text,
            ..Joining::with("")
        };
        return joined::join(lists, &lists.children()[1], &joining, ctx);
    }
    let view = lists.view()?;
    let rows = Lists::new(&view)?;
    let (elements, between) = (rows.elements().view()?, separators.view()?);
    let (texts, between) = (elements.strings()?, between.strings()?);
    from_writer(lists.len(), ctx, |row, out| {
        let separator = between.get_opt(if between.len() == 1 { 0 } else { row }).or(separator_na_rep);
        let [start, count] = rows.span(row);
        let Some(separator) =
            separator.filter(|_| rows.is_valid(row) && (count > 0 || options.empty_is_text))
        else {
            return Ok(false);
        };
        let mut separates = false;
        for k in start..start + count {
            let text = texts.get_opt(k);
            let counts = options.separate_nulls || text.is_some();
            let Some(shown) = text.or(na_rep) else { return Ok(false) };
            if separates && counts {
                out.push_str(separator);
            }
            separates |= counts;
            out.push_str(shown);
        }
        Ok(true)
    })
}

/// Lists of texts, or of such lists to any depth, as texts: `open`, the elements with `between` between them, `close`.
/// `na_rep` stands for elements that are null; null lists stay null.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no such lists.
pub fn format_lists(
    lists: &Column,
    na_rep: &str,
    [between, open, close]: [&str; 3],
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.format_lists");
    check_device!(ctx, [lists]);
    let inner = match type_of_elements(lists)? {
        DataType::List => Some(format_lists(&lists.children()[1], na_rep, [between, open, close], ctx)?),
        _ => None,
    };
    if inner.is_none() {
        check_lists_of_texts(lists)?;
    }
    if ctx.is_on_gpu() {
        let elements = inner.as_ref().unwrap_or_else(|| &lists.children()[1]);
        let joining = Joining { open, close, na_rep: Some(na_rep), ..Joining::with(between) };
        return joined::join(lists, elements, &joining, ctx);
    }
    let view = lists.view()?;
    let rows = Lists::new(&view)?;
    let elements = inner.as_ref().unwrap_or_else(|| rows.elements()).view()?;
    let texts = elements.strings()?;
    from_writer(lists.len(), ctx, |row, out| {
        let [start, count] = rows.span(row);
        out.push_str(open);
        for k in start..start + count {
            if k > start {
                out.push_str(between);
            }
            out.push_str(texts.get_opt(k).unwrap_or(na_rep));
        }
        out.push_str(close);
        Ok(rows.is_valid(row))
    })
}

/// Fails with `DataType` for columns that are no lists.
fn type_of_elements(lists: &Column) -> Result<DataType> {
    match lists.data_type() {
        DataType::List => Ok(lists.children()[1].data_type()),
        _ => Ok(lists.elements()?.data_type()),
    }
}

fn check_lists_of_texts(lists: &Column) -> Result<()> {
    let kind = type_of_elements(lists)?;
    if kind != DataType::String {
        return Err(Error::data_type(format!("`lists` has elements of type {kind}, no texts")));
    }
    Ok(())
}

/// The texts of every list with `separator` between them; null where the list or one of its elements is.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no lists of texts.
pub fn join_lists(lists: &Column, separator: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.join_lists");
    check_device!(ctx, [lists]);
    check_lists_of_texts(lists)?;
    if ctx.is_on_gpu() {
        return joined::join(lists, &lists.children()[1], &Joining::with(separator), ctx);
    }
    let view = lists.view()?;
    let rows = Lists::new(&view)?;
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

fn no_groups(pattern: &str) -> Error {
    Error::invalid_argument(format!("`pattern` {pattern:?} contains no capture groups"))
}

/// Calls `f` with the places of the groups of every match, group 0 being the whole.
pub(super) fn each_match(regex: &Regex, row: &str, mut f: impl FnMut(&regex::CaptureLocations)) {
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
