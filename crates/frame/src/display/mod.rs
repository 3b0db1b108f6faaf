//! Frames as text and as HTML, laid out as pandas does.
//!
//! Only the rows that are shown are looked at. Null prints as `NaN` in float and text columns, `NaT`
//! in columns of times and `<NA>` in integer and boolean columns.

mod cells;
mod html;
mod text;

use std::fmt;

use cuprum_column::Result;

use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::series::Series;

/// How much of a frame is shown.
#[derive(Clone, Copy, Debug)]
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
    /// Whether the shape is printed under every frame, not only under those that are cut.
    pub show_dimensions: bool,
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
            show_dimensions: false,
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
            ..Self::default()
        }
    }

    /// How many rows at the top and at the bottom are shown of `len`, and whether that cuts any.
    fn rows(&self, len: usize) -> (usize, usize, bool) {
        if len <= self.max_rows {
            return (len, 0, false);
        }
        let shown = self.min_rows.min(self.max_rows).max(2);
        (shown / 2 + shown % 2, shown / 2, true)
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

    /// The frame as an HTML table for notebooks.
    pub fn to_html(&self, options: &DisplayOptions) -> Result<String> {
        html::data_frame(self, options)
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
