//! Avro.

use std::path::PathBuf;

use cuprum::Frame;
use cuprum_io::avro;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{source, written};
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

/// Reads Avro from a path or bytes.
#[pyfunction]
pub fn read_avro(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    skip_rows: usize,
    num_rows: Option<usize>,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    let options = avro::ReadOptions { columns, skip_rows, num_rows };
    work(py, "read_avro", UNKNOWN_SIZE, || cuprum::io::read_avro(source).options(options).finish())
        .map(PyDataFrame::from)
}

/// Writes Avro; `index` None writes row labels unless they are the default ones.
#[pyfunction]
pub fn write_avro(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: PathBuf,
    index: Option<bool>,
    compression_name: Option<&str>,
) -> PyResult<()> {
    let compression = match compression_name {
        None | Some("null" | "uncompressed") => avro::Compression::None,
        Some("deflate") => avro::Compression::Deflate,
        Some("snappy") => avro::Compression::Snappy,
        Some("zstandard" | "zstd") => avro::Compression::Zstd,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`compression` is '{other}'; known are 'snappy', 'deflate', 'zstandard', 'null' and None"
            )));
        }
    };
    let options = avro::WriteOptions { compression, ..avro::WriteOptions::default() };
    let frame = written(py, "to_avro", &frame, index)?;
    let rows = frame.num_rows();
    work(py, "to_avro", rows.max(UNKNOWN_SIZE / 2), || {
        frame.write_avro(path).index(index != Some(false)).options(options).finish()
    })
}
