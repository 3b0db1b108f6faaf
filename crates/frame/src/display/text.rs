//! Plain text.

use cuprum_column::Result;

use super::cells::{column_cells, escape, label_cells};
use super::{DisplayOptions, columns_at_ends, ends};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::{Categories, Dtype, TypedColumn};

/// A column of text: header rows, then cells, all of one width.
struct Strip {
    cells: Vec<String>,
    width: usize,
}

impl Strip {
    /// Makes the strip at least `width` wide; its cells stay on the left or on the right.
    fn widen(&mut self, width: usize, left: bool) {
        if self.width < width {
            let pad = if left { pad_right } else { pad_left };
            for cell in &mut self.cells {
                *cell = pad(cell, width);
            }
            self.width = width;
        }
    }
}

pub(super) fn data_frame(frame: &DataFrame, options: &DisplayOptions) -> Result<String> {
    if frame.num_columns() == 0 || frame.num_rows() == 0 {
        return empty_frame(frame, options);
    }
    let (head, tail, cut) = options.rows(frame.num_rows());
    let parts = ends(frame, head, tail)?;
    let depth = frame.accessor().num_levels();
    let names = options.labels.index
        && options.labels.index_names
        && frame.index().names().iter().any(Option::is_some);

    let indexes: Vec<&Index> = parts.iter().map(IndexedFrame::index).collect();
    let depth_shown = if options.labels.header { depth } else { 0 };
    let mut strips = vec![];
    if options.labels.index {
        strips.push(index_strip(&indexes, frame, depth_shown, names, options)?);
    }
    let header_rows = depth_shown + usize::from(names);

    let count = frame.num_columns();
    let (left, right) = columns_at_ends(count, options.max_columns.unwrap_or(count));
    let shown: Vec<usize> = (0..left).chain(count - right..count).collect();
    let headers = headers(&frame.select_positions(&shown)?, depth, options)?;
    let build = |at: usize| -> Result<Strip> {
        let columns: Vec<_> = parts.iter().map(|p| &p.columns()[shown[at]]).collect();
        let mut cells = if options.labels.header { headers[at].clone() } else { vec![] };
        cells.resize(header_rows, String::new());
        let values = column_cells(&columns, options)?;
        if options.labels.index {
            cells.extend(values);
        } else {
            cells.extend(values.iter().map(|cell| cell.trim_start().to_owned()));
        }
        Ok(justify_right(cells, options.max_column_width))
    };

    let mut cut_columns = left + right < count;
    let mut left = (0..left).map(&build).collect::<Result<Vec<_>>>()?;
    let mut right = (left.len()..shown.len()).map(&build).collect::<Result<Vec<_>>>()?;
    if options.max_columns.is_none()
        && let Some(width) = options.width
    {
        let widths: Vec<usize> = strips.iter().chain(&left).map(|s| s.width).collect();
        if let Some(shown) = columns_that_fit(widths, width) {
            cut_columns = true;
            right = left.split_off(left.len() - shown / 2);
            left.truncate(shown / 2);
        }
    }
    strips.append(&mut left);
    if cut_columns {
        let dots = vec![" ...".to_owned(); header_rows + head + tail];
        strips.push(Strip { cells: dots, width: 4 });
    }
    strips.append(&mut right);

    if cut {
        for (i, strip) in strips.iter_mut().enumerate() {
            let dots = if strip.width > 3 { "..." } else { ".." };
            strip.widen(dots.len(), i == 0 && options.labels.index);
            let cell = if i == 0 && options.labels.index {
                pad_right(dots, strip.width)
            } else {
                pad_left(dots, strip.width)
            };
            strip.cells.insert(header_rows + head, cell);
        }
    }
    let mut out = lines(
        &strips,
        options.labels.index,
        // Where columns are left out so that a line fits, it is not broken.
        if options.max_columns.is_none() { None } else { options.width },
    );
    if options.dimensions.holds(cut || cut_columns) {
        out.push_str(&dimensions(frame));
    }
    Ok(out)
}

fn dimensions(frame: &DataFrame) -> String {
    format!("\n\n[{} rows x {} columns]", frame.num_rows(), frame.num_columns())
}

/// The number of columns that stay of a frame that is too wide, by the rule of pandas 3.1: strips, the first
/// of which has the row labels, are taken from the middle until a line with dots fits, then as many columns
/// stay on either side. `None` where all fit.
fn columns_that_fit(mut widths: Vec<usize>, width: usize) -> Option<usize> {
    const DOTS: usize = " ...".len() + 1;
    let columns = widths.len() - 1;
    let mut line = widths.iter().map(|w| w + 1).sum::<usize>() - 1;
    if line < width {
        return None;
    }
    line += DOTS;
    while line + 1 > width && widths.len() > 1 {
        // Python rounds halves to even.
        let half = widths.len() / 2;
        let middle = if widths.len() % 2 == 1 { half + half % 2 } else { half };
        line = line.saturating_sub(widths.remove(middle) + 1);
    }
    Some((widths.len() - 1).max(2)).filter(|shown| *shown < columns)
}

fn empty_frame(frame: &DataFrame, options: &DisplayOptions) -> Result<String> {
    let labels: Vec<String> = frame.labels().iter().map(ToString::to_string).collect();
    const SHOWN: usize = 100;
    let some = frame.index().slice(0, frame.num_rows().min(SHOWN))?;
    let levels = index_blocks(&[&some], &DisplayOptions::default())?;
    let mut rows: Vec<String> = if levels.len() == 1 {
        levels[0].iter().map(|label| label.trim_start().to_owned()).collect()
    } else {
        (0..some.len())
            .map(|row| {
                format!("({})", levels.iter().map(|l| l[row].trim_start()).collect::<Vec<_>>().join(", "))
            })
            .collect()
    };
    if frame.num_rows() > SHOWN {
        rows.push("...".to_owned());
    }
    let mut out = format!("Empty DataFrame\nColumns: [{}]\nIndex: [{}]", labels.join(", "), rows.join(", "));
    if options.dimensions.holds(options.rows(frame.num_rows()).2) {
        out.push_str(&dimensions(frame));
    }
    Ok(out)
}

/// The header texts of every column: one per level, outer labels that repeat left blank.
fn headers(frame: &DataFrame, depth: usize, options: &DisplayOptions) -> Result<Vec<Vec<String>>> {
    let mut previous: Vec<String> = vec![];
    let shown = label_texts(frame, depth, options)?;
    let numbers = frame.labels().iter().all(|l| matches!(l, Label::Int(_)));
    // Beside negative numbers the others have a place for a sign.
    let signed = frame.labels().iter().any(|l| matches!(l, Label::Int(number) if *number < 0));
    let number = |label: &Label| match label {
        Label::Int(number) if signed && *number >= 0 => format!(" {number}"),
        label => label.to_string(),
    };
    let digits = frame.labels().iter().map(|l| length(&number(l))).max().unwrap_or(0);
    frame
        .accessor()
        .iter()
        .enumerate()
        .map(|(at, (label, column))| {
            // Numbers have a place for a sign, which labels of one level leave free.
            let space = if column.dtype().is_numeric() && depth == 1 { " " } else { "" };
            let parts: Vec<String> = match label {
                Label::Tuple(_) if depth > 1 => shown.iter().map(|level| level[at].clone()).collect(),
                label if numbers => vec![format!("{space}{}", pad_right(&number(label), digits))],
                _ => vec![format!("{space}{}", shown[0][at])],
            };
            let mut same = true;
            let shown = parts
                .iter()
                .enumerate()
                .map(|(level, text)| {
                    same = same && level + 1 < depth && previous.get(level) == Some(text);
                    if same { String::new() } else { text.clone() }
                })
                .collect();
            previous = parts;
            Ok(shown)
        })
        .collect()
}

/// The labels of every level as texts: times and floats as a column of them shows them.
pub(super) fn label_texts(
    frame: &DataFrame,
    depth: usize,
    options: &DisplayOptions,
) -> Result<Vec<Vec<String>>> {
    let formatted = |level: usize| {
        frame.labels().iter().any(|label| {
            let part = if depth > 1 { label.parts().get(level) } else { Some(label) };
            matches!(
                part,
                Some(Label::Timestamp(..) | Label::Instant(..) | Label::Duration(..) | Label::Float(_))
            )
        })
    };
    (0..depth)
        .map(|level| {
            let index = if formatted(level) { Some(frame.accessor().to_index()?) } else { None };
            if let Some(column) = index.and_then(|index| index.level(level).ok()) {
                let cells = label_cells(&[&column], options)?;
                let signed = cells.iter().any(|cell| cell.starts_with('-'));
                let is_number = column.dtype().is_numeric();
                let trimmed = |cell: &String| {
                    let text = cell.trim();
                    let place = if is_number && signed && !text.starts_with('-') { " " } else { "" };
                    format!("{place}{text}")
                };
                let cells: Vec<String> = cells.iter().map(trimmed).collect();
                return Ok(if is_number { of_one_width(cells) } else { cells });
            }
            let text = |label: &Label| match label {
                Label::Tuple(parts) if depth > 1 => shown_label(&parts[level]),
                label => shown_label(label),
            };
            let texts: Vec<String> = frame.labels().iter().map(text).collect();
            let part = |label: &Label| match label {
                Label::Tuple(parts) if depth > 1 => parts.get(level).cloned(),
                label => Some(label.clone()),
            };
            let all = |is: fn(&Label) -> bool| frame.labels().iter().all(|l| part(l).is_some_and(|l| is(&l)));
            let of_one_kind = all(|label| matches!(label, Label::Bool(_)))
                || depth > 1 && all(|label| matches!(label, Label::Int(_)));
            Ok(if of_one_kind { of_one_width(texts) } else { texts })
        })
        .collect()
}

/// A label as it stands above a column or before a row.
fn shown_label(label: &Label) -> String {
    if label.is_missing() { "NaN".to_owned() } else { printed_label(label) }
}

/// A label as it stands in a text: on one line.
pub(super) fn printed_label(label: &Label) -> String {
    escape(&label_text(label))
}

/// A label as it stands in a table: the texts of tuples are without quotes.
pub(super) fn label_text(label: &Label) -> String {
    match label {
        Label::Tuple(parts) => {
            format!("({})", parts.iter().map(label_text).collect::<Vec<_>>().join(", "))
        }
        label => label.to_string(),
    }
}

/// Texts with spaces behind them, as pandas makes those of numbers and truth values equally wide.
fn of_one_width(texts: Vec<String>) -> Vec<String> {
    let width = texts.iter().map(|text| length(text)).max().unwrap_or(0);
    texts.into_iter().map(|text| pad_right(&text, width)).collect()
}

/// The row labels, one left-justified block per level, outer labels that repeat left blank.
fn index_strip(
    parts: &[&Index],
    frame: &DataFrame,
    depth: usize,
    names: bool,
    options: &DisplayOptions,
) -> Result<Strip> {
    let mut blocks = index_blocks(parts, options)?;
    if names {
        for (block, name) in blocks.iter_mut().zip(frame.index().names()) {
            block.insert(0, name.as_ref().map_or_else(String::new, printed_label));
        }
    }
    // The names of the columns' levels stand above all of it.
    let mut cells = vec![String::new(); depth];
    for (cell, level_name) in cells.iter_mut().zip(frame.accessor().level_names()) {
        if let Some(name) = level_name {
            *cell = printed_label(name);
        }
    }
    cells.append(&mut join_blocks(blocks, 1).cells);
    Ok(join_blocks(vec![cells], 1))
}

/// The row labels of every level as they are shown, outer ones where inner ones are.
fn index_blocks(parts: &[&Index], options: &DisplayOptions) -> Result<Vec<Vec<String>>> {
    let mut blocks = row_label_texts(parts, options)?;
    if parts.iter().any(|part| part.as_mixed().is_some()) {
        return Ok(blocks);
    }
    let depth = blocks.len();
    for row in (1..blocks[0].len()).rev() {
        for block in &mut blocks[..depth - 1] {
            if block[row] != block[row - 1] {
                break;
            }
            block[row].clear();
        }
    }
    Ok(blocks)
}

/// The row labels of every level as texts.
pub(super) fn row_label_texts(parts: &[&Index], options: &DisplayOptions) -> Result<Vec<Vec<String>>> {
    if parts.iter().any(|part| part.as_mixed().is_some()) {
        let labels: Vec<Label> = parts.iter().map(|part| part.labels()).collect::<Result<Vec<_>>>()?.concat();
        let depth = parts[0].num_levels();
        let text = |label: &Label, level: usize| match label {
            Label::Tuple(parts) if depth > 1 => shown_label(&parts[level]),
            label => shown_label(label),
        };
        return Ok((0..depth).map(|level| labels.iter().map(|l| text(l, level)).collect()).collect());
    }
    let columns = parts.iter().map(|p| p.columns()).collect::<Result<Vec<_>>>()?;
    let depth = columns[0].len();
    let mut blocks: Vec<Vec<String>> = (0..depth)
        .map(|level| label_cells(&columns.iter().map(|c| &c[level]).collect::<Vec<_>>(), options))
        .collect::<Result<_>>()?;
    if depth > 1 {
        for (level, block) in blocks.iter_mut().enumerate() {
            // As pandas writes the missing value of these types that is not among the labels of the level.
            let of_level: Vec<&TypedColumn> = columns.iter().map(|c| &c[level]).collect();
            let dtype = of_level[0].dtype();
            if matches!(dtype, Dtype::String(_) | Dtype::Categorical(_) | Dtype::Interval(_))
                && !parts.iter().any(|index| index.has_missing_label(level))
            {
                name_missing(block, &of_level)?;
            }
        }
    }
    Ok(blocks)
}

/// Puts `nan` in the place of every missing label.
fn name_missing(block: &mut [String], parts: &[&TypedColumn]) -> Result<()> {
    let mut cells = block.iter_mut();
    for part in parts {
        for row in 0..part.len() {
            let Some(cell) = cells.next() else { return Ok(()) };
            if part.get(row)?.is_null() {
                "nan".clone_into(cell);
            }
        }
    }
    Ok(())
}

fn join_blocks(blocks: Vec<Vec<String>>, gap: usize) -> Strip {
    let rows = blocks[0].len();
    let mut cells = vec![String::new(); rows];
    for (i, block) in blocks.iter().enumerate() {
        let width = block.iter().map(|c| length(c)).max().unwrap_or(0);
        for (cell, text) in cells.iter_mut().zip(block) {
            if i > 0 {
                cell.push_str(&" ".repeat(gap));
            }
            cell.push_str(&pad_right(text, width));
        }
    }
    let width = cells.first().map_or(0, |c| length(c));
    Strip { cells, width }
}

fn justify_right(cells: Vec<String>, max: usize) -> Strip {
    let width = cells.iter().map(|c| length(c)).max().unwrap_or(0).min(max);
    let cells = cells
        .into_iter()
        .map(|cell| {
            if length(&cell) > width && width > 3 {
                let kept: String = cell.chars().take(width - 3).collect();
                format!("{kept}...")
            } else {
                pad_left(&cell, width)
            }
        })
        .collect();
    Strip { cells, width }
}

/// The strips side by side; the labels of the rows, which are the first if there are any, on the left
/// of every block of lines that fits `width`.
fn lines(strips: &[Strip], has_labels: bool, width: Option<usize>) -> String {
    let (index, columns) = strips.split_at(usize::from(has_labels));
    let rows = strips[0].cells.len();
    let mut blocks: Vec<&[Strip]> = vec![];
    match width {
        Some(width) => {
            // pandas' rule: two characters stay free for the mark that a block goes on, one at the end.
            let room = width.saturating_sub(index.first().map_or(0, |index| index.width) + 1);
            let (mut start, mut used) = (0, 0);
            for (i, strip) in columns.iter().enumerate() {
                used += strip.width + 1;
                let free = if i + 1 == columns.len() { 1 } else { 2 };
                if used + free > room && i > 0 {
                    blocks.push(&columns[start..i]);
                    (start, used) = (i, strip.width + 1);
                }
            }
            blocks.push(&columns[start..]);
        }
        _ => blocks.push(columns),
    }
    let mut out = String::new();
    let last = blocks.len() - 1;
    for (b, block) in blocks.iter().enumerate() {
        for row in 0..rows {
            let mut line = String::new();
            for (at, strip) in index.iter().chain(*block).enumerate() {
                if at > 0 {
                    line.push(' ');
                }
                line.push_str(&strip.cells[row]);
            }
            if b < last {
                line.push_str(if row == 0 { "  \\" } else { "   " });
            } else if last > 0 {
                line.push_str("  ");
            }
            if row > 0 {
                out.push('\n');
            }
            out.push_str(&line);
        }
        if b < last {
            out.push_str("\n\n");
        }
    }
    out
}

pub(super) fn series(series: &Series, options: &DisplayOptions) -> Result<String> {
    if series.is_empty() {
        return Ok(format!("Series([], {})", footer(series, options, false)?));
    }
    let (head, tail, cut) = options.rows(series.len());
    let parts = ends(series, head, tail)?;
    let indexes: Vec<&Index> = parts.iter().map(IndexedFrame::index).collect();
    let mut blocks = index_blocks(&indexes, options)?;
    let names: Vec<String> =
        series.index().names().iter().map(|n| n.as_ref().map_or_else(String::new, printed_label)).collect();
    let named = options.labels.header && names.iter().any(|n| !n.is_empty());
    let heading = if named && names.len() > 1 {
        // The names stand above the levels; a single one may be wider than its labels.
        for (block, name) in blocks.iter_mut().zip(&names) {
            block.insert(0, name.clone());
        }
        None
    } else {
        named.then(|| names[0].clone())
    };
    let mut labels = join_blocks(blocks, 2);
    let heading = match heading {
        None if named => Some(labels.cells.remove(0)),
        heading => heading,
    };
    let cells = column_cells(&parts.iter().map(Series::column).collect::<Vec<_>>(), options)?;
    let values = if options.labels.index {
        justify_right(cells, options.max_column_width)
    } else {
        let cells = cells.iter().map(|cell| cell.trim_start().to_owned()).collect();
        justify_right(cells, options.max_column_width)
    };

    let mut lines: Vec<String> = heading.into_iter().collect();
    let dots = cut.then(|| center(if values.width > 3 { "..." } else { ".." }, values.width));
    let width = dots.as_ref().map_or(0, |dots| length(dots));
    let line = |label: &str, value: &str| {
        let value = pad_right(value, width);
        if options.labels.index { format!("{label}   {value}") } else { value }
    };
    lines.extend(labels.cells.iter().zip(&values.cells).map(|(label, value)| line(label, value)));
    if let Some(dots) = &dots {
        lines.insert(lines.len() - tail, line(&" ".repeat(labels.width), dots));
    }
    let footer = footer(series, options, cut)?;
    if !footer.is_empty() {
        lines.push(footer);
    }
    Ok(lines.join("\n"))
}

/// The footer of a series: frequency, name, length and type, and categories in a line of their own.
fn footer(series: &Series, options: &DisplayOptions, cut: bool) -> Result<String> {
    let footer = options.footer;
    let name = series.name().filter(|name| footer.name && **name != Label::Missing);
    let name = name.map(|name| format!("Name: {}", printed_label(name)));
    let length = footer.length.holds(cut).then(|| format!("Length: {}", series.len()));
    let dtype = footer.dtype.then(|| match series.dtype() {
        // pandas leaves the bounds to the dtype.
        Dtype::Interval(_) => "dtype: interval".to_owned(),
        dtype => format!("dtype: {dtype}"),
    });
    let of_periods = || match (series.index().num_levels(), series.index().dtype(0)) {
        (1, Dtype::Period(kind)) => Some(kind.to_string()),
        _ => None,
    };
    // Holidays that stand behind a frequency (see `Index::with_frequency`) are not printed, as in pandas.
    let plain = |text: &str| text.split('|').next().unwrap_or_default().to_owned();
    let frequency = series.index().frequency().map(plain).or_else(of_periods);
    let frequency = frequency.map(|frequency| format!("Freq: {frequency}"));
    let facts = [frequency, name, length, dtype].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let Dtype::Categorical(kind) = series.dtype() else { return Ok(facts) };
    let categories = categories(kind.categories(), options)?;
    Ok(if facts.is_empty() { categories } else { format!("{facts}\n{categories}") })
}

/// The number, the type and the values of categories, eight at most, and their order if it means something.
fn categories(categories: &Categories, options: &DisplayOptions) -> Result<String> {
    const MOST: usize = 8;
    let (values, len) = (categories.values(), categories.len());
    let cells = |start: usize, count: usize| -> Result<Vec<String>> {
        let part = values.slice(start, count)?;
        if matches!(part.dtype(), Dtype::String(_)) {
            let quoted = |row| {
                let text = part.get(row)?.as_str().map(escape).unwrap_or_default();
                Ok(format!("'{text}'"))
            };
            return (0..count).map(quoted).collect();
        }
        let cells = column_cells(&[&part], options)?;
        Ok(cells.iter().map(|cell| cell.trim().to_owned()).collect())
    };
    let shown = if len > MOST {
        let mut shown = cells(0, MOST / 2)?;
        shown.push("...".into());
        shown.extend(cells(len - MOST / 2, MOST / 2)?);
        shown
    } else {
        cells(0, len)?
    };
    let header = format!("Categories ({len}, {}): ", values.dtype());
    let separator = if categories.is_ordered() { " < " } else { ", " };
    let (indent, width) = (length(&header), options.width.unwrap_or(80));
    let (mut line, mut at) = (String::new(), indent);
    for (i, cell) in shown.iter().enumerate() {
        if at + separator.len() + length(cell) > width {
            line.push_str(separator.trim_end());
            line.push('\n');
            line.push_str(&" ".repeat(indent + 1));
            at = indent + 1;
        } else if i > 0 {
            line.push_str(separator);
            at += separator.len();
        }
        line.push_str(cell);
        at += length(cell);
    }
    Ok(format!("{header}[{}]", line.replace(" < ... < ", " ... ")))
}

/// As Python's `str.center`.
fn center(text: &str, width: usize) -> String {
    let pad = width.saturating_sub(length(text));
    let left = pad / 2 + (pad & width & 1);
    format!("{}{text}{}", " ".repeat(left), " ".repeat(pad - left))
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(length(text))))
}

fn pad_right(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}
