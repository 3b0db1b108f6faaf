//! How much of a frame is printed.

use cuprum::DisplayOptions;
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
            "show_dimensions" => options.show_dimensions = value.extract()?,
            other => return Err(PyTypeError::new_err(format!("there is no display option '{other}'"))),
        }
    }
    Ok(options)
}
