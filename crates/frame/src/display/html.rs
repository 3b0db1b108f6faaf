//! HTML for notebooks.

use cuprum_column::Result;

use super::cells::column_cells;
use super::text::{label_text, label_texts, printed_label, row_label_texts};
use super::{DisplayOptions, HtmlOptions, columns_at_ends, ends};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::missing_among;

/// Column labels of several levels are centred over their columns, so they are aligned otherwise.
const STYLE: &str = "<style scoped>
    .dataframe tbody tr th:only-of-type {
        vertical-align: middle;
    }

    .dataframe tbody tr th {
        vertical-align: top;
    }

HEADER</style>
";

pub(super) fn data_frame(frame: &DataFrame, options: &DisplayOptions, html: &HtmlOptions) -> Result<String> {
    let (head, tail, cut) = options.rows(frame.num_rows());
    let parts = ends(frame, head, tail)?;
    let rows = head + tail;
    let count = frame.num_columns();
    let (left, right) = columns_at_ends(count, options.max_columns.unwrap_or(20));
    let cut_columns = left + right < count;
    let dots = if cut_columns { Some(None) } else { None };
    let shown: Vec<Option<usize>> =
        (0..left).map(Some).chain(dots).chain((count - right..count).map(Some)).collect();

    let depth = frame.accessor().num_levels();
    let levels = if options.labels.index { frame.index().num_levels() } else { 0 };
    let escape = |text: &str| if html.escape { escape(text) } else { text.to_owned() };
    let mut labels = vec![];
    if levels > 0 {
        for cells in row_label_texts(&parts.iter().map(IndexedFrame::index).collect::<Vec<_>>(), options)? {
            labels.push(cells.into_iter().map(|cell| cell.trim_start().to_owned()).collect::<Vec<_>>());
        }
    }
    let formatted = depth > 1 || html.notebook;
    let above = if formatted { label_texts(frame, depth, options)? } else { vec![] };
    let columns: Vec<Option<Vec<String>>> = shown
        .iter()
        .map(|i| {
            let cells =
                |i: usize| column_cells(&parts.iter().map(|p| &p.columns()[i]).collect::<Vec<_>>(), options);
            i.map(cells).transpose()
        })
        .collect::<Result<_>>()?;

    let names = options.labels.index
        && options.labels.index_names
        && frame.index().names().iter().any(Option::is_some);
    let mut header = String::new();
    if depth > 1 {
        header.push_str("    .dataframe thead tr th {\n        text-align: left;\n    }\n");
        if names {
            header
                .push_str("\n    .dataframe thead tr:last-of-type th {\n        text-align: right;\n    }\n");
        }
    } else {
        header.push_str("    .dataframe thead th {\n        text-align: right;\n    }\n");
    }
    let mut out = String::new();
    if html.notebook {
        out.push_str(&format!("<div>\n{}", STYLE.replace("HEADER", &header)));
    }
    out.push_str(&table_tag(html));
    let header_rows = if options.labels.header { depth } else { 0 };
    if header_rows > 0 || names {
        out.push_str("  <thead>\n");
    }
    for level in 0..header_rows {
        out.push_str(if depth > 1 { "    <tr>\n" } else { "    <tr style=\"text-align: right;\">\n" });
        // Above the labels of rows stands what the level of the columns is called.
        let name = frame.accessor().level_names().get(level).cloned().flatten();
        let name =
            name.filter(|_| options.labels.index_names).map_or_else(String::new, |name| label_text(&name));
        if levels > 0 {
            out.push_str(&"      <th></th>\n".repeat(levels - 1));
            out.push_str(&format!("      <th>{}</th>\n", escape(&name)));
        }
        let texts: Vec<Vec<String>> = shown
            .iter()
            .map(|i| match i {
                Some(i) if formatted => above[..=level].iter().map(|l| l[*i].trim().to_owned()).collect(),
                // In a file, labels of one level are not formatted, as in pandas.
                Some(i) if frame.labels()[*i].is_missing() => {
                    vec![missing_among(frame.labels().iter()).into()]
                }
                Some(i) => vec![label_text(&frame.labels()[*i])],
                None => vec!["...".into()],
            })
            .collect();
        for (start, span) in runs(&texts, level + 1 < depth) {
            let text = escape(texts[start].last().map_or("", String::as_str));
            match span {
                1 => out.push_str(&format!("      <th>{text}</th>\n")),
                _ => out.push_str(&format!("      <th colspan=\"{span}\" halign=\"left\">{text}</th>\n")),
            }
        }
        out.push_str("    </tr>\n");
    }
    if names {
        out.push_str("    <tr>\n");
        for name in frame.index().names() {
            let name = name.as_ref().map_or_else(String::new, printed_label);
            out.push_str(&format!("      <th>{}</th>\n", escape(&name)));
        }
        out.push_str(&"      <th></th>\n".repeat(shown.len()));
        out.push_str("    </tr>\n");
    }
    if header_rows > 0 || names {
        out.push_str("  </thead>\n");
    }
    out.push_str("  <tbody>\n");
    // Rows that an outer label spans; a frame that is cut starts anew after the cut.
    let spans: Vec<Vec<usize>> = (0..levels)
        .map(|level| {
            let keys: Vec<Vec<String>> = (0..rows)
                .map(|row| {
                    let part = usize::from(cut && row >= head).to_string();
                    labels[..=level].iter().map(|l| l[row].clone()).chain([part]).collect()
                })
                .collect();
            let mut spans = vec![0; rows];
            for (start, span) in runs(&keys, level + 1 < levels) {
                spans[start] = span;
            }
            spans
        })
        .collect();
    let tag = if html.bold_rows { "th" } else { "td" };
    for row in 0..rows {
        if cut && row == head {
            out.push_str("    <tr>\n");
            out.push_str(&format!("      <{tag}>...</{tag}>\n").repeat(levels));
            out.push_str(&"      <td>...</td>\n".repeat(shown.len()));
            out.push_str("    </tr>\n");
        }
        out.push_str("    <tr>\n");
        for (label, spans) in labels.iter().zip(&spans) {
            let text = escape(&label[row]);
            match spans[row] {
                0 => {}
                1 => out.push_str(&format!("      <{tag}>{text}</{tag}>\n")),
                span => {
                    out.push_str(&format!("      <{tag} rowspan=\"{span}\" valign=\"top\">{text}</{tag}>\n"));
                }
            }
        }
        for column in &columns {
            let cell = column.as_ref().map_or("...", |c| c[row].trim());
            out.push_str(&format!(
                "      <td>{}</td>\n",
                escape(&clip(
                    cell,
                    options.max_column_width.saturating_sub(usize::from(options.labels.index))
                ))
            ));
        }
        out.push_str("    </tr>\n");
    }
    out.push_str("  </tbody>\n</table>");
    if options.dimensions.holds(cut || cut_columns) {
        out.push_str(&format!("\n<p>{} rows × {count} columns</p>", frame.num_rows()));
    }
    if html.notebook {
        out.push_str("\n</div>");
    }
    Ok(out)
}

fn table_tag(html: &HtmlOptions) -> String {
    let border = if html.border > 0 { format!(" border=\"{}\"", html.border) } else { String::new() };
    let classes: Vec<&str> =
        ["dataframe"].into_iter().chain(html.classes.iter().map(String::as_str)).collect();
    let classes = escape(&classes.join(" ")).replace('"', "&quot;");
    let id = html
        .table_id
        .as_ref()
        .map_or_else(String::new, |id| format!(" id=\"{}\"", escape(id).replace('"', "&quot;")));
    format!("<table{border} class=\"{classes}\"{id}>\n")
}

/// Start and length of the runs of equal keys; of single keys where `merge` is false.
fn runs(keys: &[Vec<String>], merge: bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = vec![];
    for (i, key) in keys.iter().enumerate() {
        match runs.last_mut() {
            Some((start, span)) if merge && keys[*start] == *key => *span += 1,
            _ => runs.push((i, 1)),
        }
    }
    runs
}

fn clip(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    let kept: String = cell.chars().take(width.saturating_sub(3)).collect();
    format!("{kept}...")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
