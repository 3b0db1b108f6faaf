//! HTML for notebooks.

use cuprum_column::Result;

use super::cells::{column_cells, label_cells};
use super::{DisplayOptions, ends};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;

const STYLE: &str = "<style scoped>
    .dataframe tbody tr th:only-of-type {
        vertical-align: middle;
    }

    .dataframe tbody tr th {
        vertical-align: top;
    }

    .dataframe thead th {
        text-align: right;
    }
</style>
";

pub(super) fn data_frame(frame: &DataFrame, options: &DisplayOptions) -> Result<String> {
    let (head, tail, cut) = options.rows(frame.num_rows());
    let parts = ends(frame, head, tail)?;
    let rows = head + tail;
    let count = frame.num_columns();
    let max_columns = options.max_columns.unwrap_or(20).max(2);
    let shown: Vec<Option<usize>> = if count > max_columns {
        let (left, right) = (max_columns.div_ceil(2), max_columns / 2);
        (0..left).map(Some).chain([None]).chain((count - right..count).map(Some)).collect()
    } else {
        (0..count).map(Some).collect()
    };

    let depth = frame.accessor().num_levels();
    let levels = frame.index().num_levels();
    let mut labels = vec![];
    for level in 0..levels {
        let columns = parts.iter().map(|p| p.index().level(level)).collect::<Result<Vec<_>>>()?;
        labels.push(label_cells(&columns.iter().collect::<Vec<_>>(), options)?);
    }
    let columns: Vec<Option<Vec<String>>> = shown
        .iter()
        .map(|i| {
            let cells =
                |i: usize| column_cells(&parts.iter().map(|p| &p.columns()[i]).collect::<Vec<_>>(), options);
            i.map(cells).transpose()
        })
        .collect::<Result<_>>()?;

    let mut out = format!("<div>\n{STYLE}<table border=\"1\" class=\"dataframe\">\n  <thead>\n");
    for level in 0..depth {
        out.push_str("    <tr style=\"text-align: right;\">\n");
        out.push_str(&"      <th></th>\n".repeat(levels));
        for i in &shown {
            let text = match i.map(|i| &frame.labels()[i]) {
                Some(Label::Tuple(parts)) if depth > 1 => parts[level].to_string(),
                Some(label) => label.to_string(),
                None => "...".into(),
            };
            out.push_str(&format!("      <th>{}</th>\n", escape(&text)));
        }
        out.push_str("    </tr>\n");
    }
    if frame.index().names().iter().any(Option::is_some) {
        out.push_str("    <tr>\n");
        for name in frame.index().names() {
            let name = name.as_ref().map_or_else(String::new, ToString::to_string);
            out.push_str(&format!("      <th>{}</th>\n", escape(&name)));
        }
        out.push_str(&"      <th></th>\n".repeat(shown.len()));
        out.push_str("    </tr>\n");
    }
    out.push_str("  </thead>\n  <tbody>\n");
    for row in 0..rows {
        if cut && row == head {
            out.push_str("    <tr>\n");
            out.push_str(&"      <th>...</th>\n".repeat(levels));
            out.push_str(&"      <td>...</td>\n".repeat(shown.len()));
            out.push_str("    </tr>\n");
        }
        out.push_str("    <tr>\n");
        for label in &labels {
            out.push_str(&format!("      <th>{}</th>\n", escape(&label[row])));
        }
        for column in &columns {
            let cell = column.as_ref().map_or("...", |c| c[row].trim());
            out.push_str(&format!("      <td>{}</td>\n", escape(&clip(cell, options.max_column_width))));
        }
        out.push_str("    </tr>\n");
    }
    out.push_str("  </tbody>\n</table>\n");
    if cut || count > max_columns || options.show_dimensions {
        out.push_str(&format!("<p>{} rows × {count} columns</p>\n", frame.num_rows()));
    }
    out.push_str("</div>");
    Ok(out)
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
