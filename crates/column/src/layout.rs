//! Drawings of how columns lie in memory, for people who look for a mistake in one.
//!
//! Columns are drawn with a label on each line, columns of structs in braces. Masks are read from right to
//! left: the first row is the last bit. X is a value under a null.
//!
//! ```
//! # use cuprum_column::{Column, Context};
//! # let ctx = Context::current();
//! let column = Column::from_opt_strs(&[Some("ab"), None, Some("c")], &ctx)?;
//! assert_eq!(column.layout()?.to_string(), "\
//! str (3 rows)
//! Length : 3
//! Offsets : 0, 2, 2, 3
//! Null count: 1
//!     101
//! Characters : \"abc\"");
//! # Ok::<(), cuprum_column::Error>(())
//! ```

use std::fmt::{self, Display, Formatter};

use cuprum_runtime::Result;

use crate::column::Column;
use crate::types::DataType;

/// So many values, offsets or bits are drawn; an ellipsis stands for the rest.
const SHOWN: usize = 32;

/// The drawing of a column; see [`Column::layout`].
pub struct Layout {
    column: Column,
}

impl Column {
    /// A drawing of the parts of the rows: offsets, masks, values and the columns inside, all cut to the
    /// rows of a slice, with offsets counted from its first row. Long columns are cut short. From a GPU the
    /// column is copied.
    pub fn layout(&self) -> Result<Layout> {
        Ok(Layout { column: self.to_host()? })
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lines = match self.column.data_type() {
            DataType::Struct => in_braces(&self.column),
            _ => labelled(&self.column, true),
        };
        f.write_str(&lines.map_err(|_| fmt::Error)?.join("\n"))
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// A line for each part, children below their parent.
fn labelled(column: &Column, is_top: bool) -> Result<Vec<String>> {
    let parts = Parts::of(column)?;
    let is_compound = column.data_type().is_compound();
    let kind = if is_compound { "" } else { " column" };
    let rows = if is_top { format!(" ({} rows)", column.len()) } else { String::new() };
    let mut lines = vec![format!("{}{kind}{rows}", type_name(column))];
    if is_compound {
        lines.push(format!("Length : {}", column.len()));
    }
    if let Some(offsets) = &parts.offsets {
        lines.push(format!("Offsets : {}", offsets.join(", ")));
    }
    if let Some(bits) = &parts.mask {
        lines.extend([format!("Null count: {}", column.null_count()?), format!("    {}", bits.concat())]);
    }
    match &parts.data {
        Some(Data::Values(values)) => lines.push(values.join(", ")),
        Some(Data::Characters(text)) => lines.push(format!("Characters : {text}")),
        None => {}
    }
    if !parts.children.is_empty() {
        lines.push("Children :".to_owned());
    }
    for child in &parts.children {
        lines.extend(indented(labelled(child, false)?));
    }
    Ok(lines)
}

/// `{ type = … children = { … } }`.
fn in_braces(column: &Column) -> Result<Vec<String>> {
    let parts = Parts::of(column)?;
    let mut lines = vec![format!("type = {}", column.data_type().id().name())];
    match &parts.data {
        Some(Data::Values(values)) => lines.push(format!("data = [{}]", values.join(", "))),
        Some(Data::Characters(text)) => lines.push(format!("data = {text}")),
        None => {}
    }
    if let Some(offsets) = &parts.offsets {
        lines.push(format!("offsets = [{}]", offsets.join(", ")));
    }
    if let Some(bits) = &parts.mask {
        lines.push(format!("null_mask = [{}]", bits.join(", ")));
    }
    lines.push(format!("null_count = {}", column.null_count()?));
    if let Some((last, others)) = parts.children.split_last() {
        lines.push("children = {".to_owned());
        for child in others {
            lines.extend(indented(in_braces(child)?));
            if let Some(brace) = lines.last_mut() {
                brace.push(',');
            }
        }
        lines.extend(indented(in_braces(last)?));
        lines.push("}".to_owned());
    }
    Ok(std::iter::once("{".to_owned()).chain(indented(lines)).chain(["}".to_owned()]).collect())
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("    {line}"))
}

/// The type with its children.
fn type_name(column: &Column) -> String {
    let inside = match (column.data_type(), column.children()) {
        (DataType::List | DataType::Dictionary32, [_, inside]) => type_name(inside),
        (DataType::Struct, fields) => fields.iter().map(type_name).collect::<Vec<_>>().join(", "),
        (data_type, _) => return data_type.to_string(),
    };
    let name = match column.data_type() {
        DataType::List => "List",
        DataType::Struct => "Struct",
        _ => "Dictionary",
    };
    format!("{name}<{inside}>")
}

/// The parts of a column in host memory, cut to its rows.
struct Parts {
    data: Option<Data>,
    offsets: Option<Vec<String>>,
    /// The last row first.
    mask: Option<Vec<String>>,
    children: Vec<Column>,
}

enum Data {
    Values(Vec<String>),
    Characters(String),
}

impl Parts {
    fn of(column: &Column) -> Result<Self> {
        let view = column.view()?;
        let mask = view.validity().map(|bits| {
            let bit = |i: usize| u8::from(bits.get(i)).to_string();
            let mut shown = shortened(column.len(), |i| Ok(bit(i)))?;
            shown.reverse();
            Ok(shown)
        });
        let mut parts = Self { data: None, offsets: None, mask: mask.transpose()?, children: Vec::new() };
        match column.data_type() {
            DataType::String => {
                let strings = view.strings()?;
                parts.offsets = Some(offsets(strings.len(), |i| strings.range(i)));
                let all = if strings.is_empty() { 0 } else { strings.range(0).start };
                let text = String::from_utf8_lossy(&strings.chars()[all..all + strings.total_bytes()]);
                let rest = if text.chars().count() > 2 * SHOWN { "…" } else { "" };
                let shown: String = text.chars().take(2 * SHOWN).collect();
                parts.data = Some(Data::Characters(format!("{shown:?}{rest}")));
            }
            DataType::List => {
                let lists = view.lists()?;
                parts.offsets = Some(offsets(lists.len(), |i| lists.range(i)));
                parts.children = vec![column.elements()?];
            }
            DataType::Struct => {
                let fields = (0..column.children().len()).map(|i| column.field(i));
                parts.children = fields.collect::<Result<_>>()?;
            }
            DataType::Dictionary32 => parts.children = vec![column.indices()?, column.keys()?.clone()],
            _ => {
                let value = |i: usize| {
                    let value = column.get(i)?;
                    Ok(if value.is_null() { "X".to_owned() } else { value.to_string() })
                };
                parts.data = Some(Data::Values(shortened(column.len(), value)?));
            }
        }
        Ok(parts)
    }
}

/// Offsets of rows, counted from the first.
fn offsets(rows: usize, range: impl Fn(usize) -> std::ops::Range<usize>) -> Vec<String> {
    let first = if rows == 0 { 0 } else { range(0).start };
    let at = |i: usize| if i == 0 { 0 } else { range(i - 1).end - first };
    let mut shown: Vec<String> = (0..=rows.min(SHOWN)).map(|i| at(i).to_string()).collect();
    shown.extend((rows > SHOWN).then(|| "…".to_owned()));
    shown
}

/// The first of `len` items.
fn shortened(len: usize, item: impl Fn(usize) -> Result<String>) -> Result<Vec<String>> {
    let mut shown = (0..len.min(SHOWN)).map(item).collect::<Result<Vec<_>>>()?;
    shown.extend((len > SHOWN).then(|| "…".to_owned()));
    Ok(shown)
}
