//! Avro.

use cuprum_io::avro;
use pyo3::prelude::*;

use super::source;
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
        .map(PyDataFrame)
}
