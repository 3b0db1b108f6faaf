//! Frames as text and as HTML, laid out as pandas does.
//!
//! Only the rows that are shown are looked at. Null prints as `NaN` in float and text columns, `NaT`
//! in columns of times and `<NA>` in integer and boolean columns.

mod cells;
mod html;
mod objects;
mod text;

use std::fmt;

use cuprum_column::Result;

use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::series::Series;

/// Options of printing a frame.
#[derive(Clone, Debug)]
pub struct DisplayOptions {
    /// Frames of more rows are cut in the middle.
    pub max_rows: usize,
    /// The rows that stay of a frame that is cut.
    pub min_rows: usize,
    /// Frames of more columns are cut in the middle; `None`: as many as fit the width.
    pub max_columns: Option<usize>,
    /// Characters in a line; longer lines go on in a second block. `None`: no limit.
    pub width: Option<usize>,
    /// Characters in a cell.
    pub max_column_width: usize,
    /// Digits after the decimal point.
    pub precision: usize,
    /// When the shape is printed below.
    pub dimensions: Shown,
    /// The labels that are printed.
    pub labels: LabelsShown,
    /// The text of missing elements instead of `NaN`, `NaT` and `<NA>`.
    pub missing: Option<String>,
    /// The format of floats instead of the shortest one that aligns them.
    pub float_format: Option<FloatFormat>,
    /// The footer of a series.
    pub footer: Footer,
}

/// The labels that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelsShown {
    /// Those of columns; of a series, the names of its index.
    pub header: bool,
    /// Those of rows.
    pub index: bool,
    /// The names of the levels of the labels of rows.
    pub index_names: bool,
}

/// Digits of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Digits after the decimal point.
    pub digits: usize,
    /// Whether with an exponent.
    pub scientific: bool,
    /// Whether thousands are set off by commas.
    pub thousands: bool,
}

/// The footer of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footer {
    /// Its name, if it has one.
    pub name: bool,
    /// Its length.
    pub length: Shown,
    /// Its type.
    pub dtype: bool,
}

/// Conditions of printing the shape or the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Never.
    Never,
    /// If rows or columns are left out.
    IfCut,
    /// Always.
    Always,
}

impl Shown {
    fn holds(self, cut: bool) -> bool {
        self == Self::Always || (self == Self::IfCut && cut)
    }
}

/// Options of a table in HTML.
#[derive(Clone, Debug)]
pub struct HtmlOptions {
    /// Whether the table stands in a `div` with the style of notebooks.
    pub notebook: bool,
    /// Whether labels of rows are header cells.
    pub bold_rows: bool,
    /// Whether `<`, `>` and `&` in texts stand for themselves.
    pub escape: bool,
    /// The width of the border; none without one.
    pub border: usize,
    /// Classes beside `dataframe`.
    pub classes: Vec<String>,
    /// The identifier of the table.
    pub table_id: Option<String>,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self { notebook: true, bold_rows: true, escape: true, border: 1, classes: vec![], table_id: None }
    }
}

impl Default for DisplayOptions {
    fn default() -> Self {
        Self {
            max_rows: 60,
            min_rows: 10,
            max_columns: Some(20),
            width: Some(80),
            max_column_width: 50,
            precision: 6,
            dimensions: Shown::IfCut,
            labels: LabelsShown { header: true, index: true, index_names: true },
            missing: None,
            float_format: None,
            footer: Footer { name: true, length: Shown::IfCut, dtype: true },
        }
    }
}

impl DisplayOptions {
    /// Everything, on lines of any length: pandas' `to_string`.
    pub fn whole() -> Self {
        Self {
            max_rows: usize::MAX,
            max_columns: Some(usize::MAX),
            width: None,
            max_column_width: usize::MAX,
            dimensions: Shown::Never,
            footer: Footer { name: false, length: Shown::Never, dtype: false },
            ..Self::default()
        }
    }

    /// The number of rows of `len` that are shown at the top and at the bottom, and whether that cuts any.
    fn rows(&self, len: usize) -> (usize, usize, bool) {
        if len <= self.max_rows {
            return (len, 0, false);
        }
        match self.min_rows.min(self.max_rows) / 2 {
            0 => (1, 0, true),
            half => (half, half, true),
        }
    }
}

/// The number of columns of `count` that are shown on the left and on the right where `most` are.
fn columns_at_ends(count: usize, most: usize) -> (usize, usize) {
    match most / 2 {
        _ if count <= most => (count, 0),
        0 => (1, 0),
        half => (half, half),
    }
}

/// The first `head` and the last `tail` rows of a frame.
fn ends<F: IndexedFrame>(frame: &F, head: usize, tail: usize) -> Result<Vec<F>> {
    let mut parts = vec![frame.slice(0, head)?];
    if tail > 0 {
        parts.push(frame.slice(frame.num_rows() - tail, tail)?);
    }
    Ok(parts)
}

impl DataFrame {
    /// The frame as text.
    pub fn to_text(&self, options: &DisplayOptions) -> Result<String> {
        text::data_frame(self, options)
    }

    /// The frame as an HTML table.
    pub fn to_html(&self, options: &DisplayOptions, html: &HtmlOptions) -> Result<String> {
        html::data_frame(self, options, html)
    }
}

impl Series {
    /// The series as text, with its name, its length where it is cut, and its type.
    pub fn to_text(&self, options: &DisplayOptions) -> Result<String> {
        text::series(self, options)
    }
}

impl fmt::Display for DataFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(&DisplayOptions::default()).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(&DisplayOptions::default()).map_err(|_| fmt::Error)?)
    }
}
