//! Arrow IPC files and streams.

use std::path::PathBuf;

use cuprum::Frame;
use cuprum_io::feather;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{source, written};
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

/// Reads an Arrow IPC file or stream from a path or bytes.
#[pyfunction]
#[pyo3(signature = (data, columns=None))]
pub fn read_feather(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    work(py, "read_feather", UNKNOWN_SIZE, || {
        let reader = cuprum::io::read_feather(source);
        match columns {
            Some(columns) => reader.columns(columns),
            None => reader,
        }
        .finish()
    })
    .map(PyDataFrame::from)
}

/// Writes an Arrow IPC file or stream; `index` None writes row labels unless they are the default ones.
#[pyfunction]
#[pyo3(signature = (frame, path, index, compression_name, compression_level, batch_rows, stream))]
#[allow(clippy::too_many_arguments)]
pub fn write_feather(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: PathBuf,
    index: Option<bool>,
    compression_name: Option<&str>,
    compression_level: Option<i32>,
    batch_rows: Option<usize>,
    stream: bool,
) -> PyResult<()> {
    let compression = match compression_name {
        None | Some("uncompressed") => feather::Compression::None,
        Some("lz4") => feather::Compression::Lz4,
        Some("zstd") => feather::Compression::Zstd { level: compression_level.unwrap_or(3) },
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`compression` is '{other}'; known are 'lz4', 'zstd', 'uncompressed' and None"
            )));
        }
    };
    if compression_level.is_some() && compression_name != Some("zstd") {
        return Err(PyValueError::new_err("`compression_level` is for `compression`='zstd' only"));
    }
    let mut options = feather::WriteOptions { compression, stream, ..feather::WriteOptions::default() };
    if let Some(rows) = batch_rows {
        if rows == 0 {
            return Err(PyValueError::new_err("`chunksize` is 0; a record batch has at least one row"));
        }
        options.batch_rows = rows;
    }
    let frame = written(py, "to_feather", &frame, index)?;
    let rows = frame.num_rows();
    work(py, "to_feather", rows.max(UNKNOWN_SIZE / 2), || {
        frame.write_feather(path).index(index != Some(false)).options(options).finish()
    })
}
