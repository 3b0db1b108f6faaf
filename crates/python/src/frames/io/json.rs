//! JSON.

use std::path::PathBuf;

use cuprum_column::TimeUnit;
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
        .map(PyDataFrame::from)
}

/// Writes the rows of a frame as JSON records to a path; returns the text where there is none.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn write_json(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: Option<PathBuf>,
    lines: bool,
    decimals: u8,
    iso: bool,
    unit: &str,
    ascii: bool,
    compression_name: Option<&str>,
) -> PyResult<Option<String>> {
    let unit = unit_of(unit)?;
    let compression = compression(compression_name)?;
    let options = json::WriteOptions { lines, decimals, iso, unit, ascii, nulls: true, compression };
    let frame = frame.frame()?;
    work(py, "to_json", UNKNOWN_SIZE, || frame.write_json(path.as_deref(), &options))
}

pub(crate) fn unit_of(unit: &str) -> PyResult<TimeUnit> {
    Ok(match unit {
        "s" => TimeUnit::Seconds,
        "ms" => TimeUnit::Milliseconds,
        "us" => TimeUnit::Microseconds,
        "ns" => TimeUnit::Nanoseconds,
        other => {
            return Err(PyValueError::new_err(format!("Invalid value '{other}' for option 'date_unit'")));
        }
    })
}
