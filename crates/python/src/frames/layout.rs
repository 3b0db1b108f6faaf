//! Options of printing.

use cuprum::display::{DisplayOptions, FloatFormat, Footer, HtmlOptions, Shown};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Display options from keyword arguments of their names; those that are left out have their defaults.
pub fn options(layout: Option<&Bound<'_, PyDict>>) -> PyResult<DisplayOptions> {
    let mut options = DisplayOptions::default();
    for (name, value) in layout.into_iter().flatten() {
        match name.extract::<&str>()? {
            "max_rows" => options.max_rows = value.extract()?,
            "min_rows" => options.min_rows = value.extract()?,
            "max_columns" => options.max_columns = value.extract()?,
            "width" => options.width = value.extract()?,
            "max_column_width" => options.max_column_width = value.extract()?,
            "precision" => options.precision = value.extract()?,
            "dimensions" => {
                options.dimensions = match value.extract()? {
                    Some(true) => Shown::Always,
                    Some(false) => Shown::Never,
                    None => Shown::IfCut,
                };
            }
            "header" => options.labels.header = value.extract()?,
            "index" => options.labels.index = value.extract()?,
            "index_names" => options.labels.index_names = value.extract()?,
            "missing" => options.missing = value.extract()?,
            "float_format" => {
                let (digits, scientific, thousands) = value.extract()?;
                options.float_format = Some(FloatFormat { digits, scientific, thousands });
            }
            "footer" => {
                let (name, length, dtype): (_, bool, _) = value.extract()?;
                let length = if length { Shown::Always } else { Shown::Never };
                options.footer = Footer { name, length, dtype };
            }
            other => return Err(PyTypeError::new_err(format!("there is no display option '{other}'"))),
        }
    }
    Ok(options)
}

/// Options of a table in HTML from keyword arguments of their names.
pub fn html(table: &Bound<'_, PyDict>) -> PyResult<HtmlOptions> {
    let mut options = HtmlOptions::default();
    for (name, value) in table {
        match name.extract::<&str>()? {
            "notebook" => options.notebook = value.extract()?,
            "bold_rows" => options.bold_rows = value.extract()?,
            "escape" => options.escape = value.extract()?,
            "border" => options.border = value.extract()?,
            "classes" => options.classes = value.extract()?,
            "table_id" => options.table_id = value.extract()?,
            other => return Err(PyTypeError::new_err(format!("a table has no '{other}'"))),
        }
    }
    Ok(options)
}
