//! JSON.

use cuprum_io::json;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{compression, source};
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

/// Reads JSON from a path or bytes.
#[pyfunction]
pub fn read_json(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    layout: &str,
    lines: bool,
    nrows: Option<usize>,
    mixed_as_text: bool,
    compression_name: Option<&str>,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    let layout = match layout {
        "columns" => json::Layout::Columns,
        "index" => json::Layout::Index,
        "split" => json::Layout::Split,
        "series" => json::Layout::Series,
        "split series" => json::Layout::SplitSeries,
        other => return Err(PyValueError::new_err(format!("there is no layout '{other}'"))),
    };
    let compression = compression(compression_name)?;
    let options = json::ReadOptions { layout, lines, nrows, mixed_as_text, compression };
    work(py, "read_json", UNKNOWN_SIZE, || cuprum::io::read_json(source).options(options).finish())
        .map(PyDataFrame)
}
