//! Readers and writers.

mod avro;
mod csv;
mod feather;
pub(crate) mod json;
pub(crate) mod orc;
pub(crate) mod parquet;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use cuprum::{DataFrame, Frame, Index};
use cuprum_column::{Error, ErrorKind};
use cuprum_io::source::{Compression, Source};
use cuprum_io::{Fetch, Remote, Watch, atomic_file};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::dataframe::PyDataFrame;
use super::work;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(avro::read_avro, module)?)?;
    module.add_function(wrap_pyfunction!(avro::write_avro, module)?)?;
    module.add_function(wrap_pyfunction!(csv::read_csv, module)?)?;
    module.add_function(wrap_pyfunction!(csv::csv_header_fields, module)?)?;
    module.add_function(wrap_pyfunction!(csv::csv_end_of_records, module)?)?;
    module.add_function(wrap_pyfunction!(csv::csv_plain_text, module)?)?;
    module.add_function(wrap_pyfunction!(csv::write_csv, module)?)?;
    module.add_function(wrap_pyfunction!(feather::read_feather, module)?)?;
    module.add_function(wrap_pyfunction!(feather::write_feather, module)?)?;
    module.add_function(wrap_pyfunction!(json::read_json, module)?)?;
    module.add_function(wrap_pyfunction!(orc::write_orc, module)?)?;
    module.add_function(wrap_pyfunction!(json::write_json, module)?)?;
    module.add_function(wrap_pyfunction!(write_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(parquet::write_parquet, module)?)?;
    module.add_class::<parquet::PyParquetWriter>()?;
    module.add_class::<PyWatch>()?;
    Ok(())
}

/// Work on files that is watched, of the thread that `begin` was called on.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Watch")]
struct PyWatch(Watch);

#[pymethods]
impl PyWatch {
    #[new]
    fn new() -> Self {
        Self(Watch::default())
    }

    /// Watches what this thread reads and writes from now on.
    fn begin(&self) {
        Watch::set(Some(self.0.clone()));
    }

    /// Watches it no longer.
    #[staticmethod]
    fn end() {
        Watch::set(None);
    }

    /// The share of the newest work that has been done, from 0 to 1, where that is known.
    fn share(&self) -> Option<f64> {
        self.0.share()
    }
}

/// Writes bytes to a path, where all of them are or what was there before.
#[pyfunction]
fn write_bytes(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    py.detach(|| atomic_file::write(&path, |out| out.write_all(content).map_err(|e| Error::io(&path, e))))
        .map_err(crate::errors::to_py)
}

/// A path, bytes, a name and bytes, or a name, a length and what fetches pieces.
pub(crate) fn source(obj: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(bytes) = obj.cast::<PyBytes>() {
        return Ok(Source::from(bytes.as_bytes()));
    }
    if obj.is_instance_of::<PyTuple>() {
        if obj.len()? == 3 {
            let (name, len, piece): (String, u64, Py<PyAny>) = obj.extract()?;
            let fetch = PieceOfPython { name: name.clone(), piece };
            return Ok(Source::Remote(Remote::new(name, len, Arc::new(fetch))));
        }
        let (name, bytes): (String, Bound<'_, PyBytes>) = obj.extract()?;
        return Ok(Source::Named(name.into(), Arc::from(bytes.as_bytes())));
    }
    Ok(Source::from(obj.extract::<PathBuf>()?))
}

/// A function of Python that returns the bytes from one position to another.
struct PieceOfPython {
    name: String,
    piece: Py<PyAny>,
}

impl Fetch for PieceOfPython {
    fn fetch(&self, place: Range<u64>) -> cuprum_column::Result<Vec<u8>> {
        let called = Python::attach(|py| {
            let bytes = self.piece.call1(py, (place.start, place.end))?;
            Ok::<_, PyErr>(bytes.bind(py).cast::<PyBytes>()?.as_bytes().to_vec())
        });
        called.map_err(|e| {
            let what = format!("{}: bytes {} to {}: {e}", self.name, place.start, place.end);
            Error::new(ErrorKind::Io, what)
        })
    }
}

pub(crate) fn compression(name: Option<&str>) -> PyResult<Compression> {
    Ok(match name {
        None => Compression::None,
        Some("infer") => Compression::Infer,
        Some("gzip" | "gz") => Compression::Gzip,
        Some("bz2") => Compression::Bzip2,
        Some("xz") => Compression::Xz,
        Some("zip") => Compression::Zip,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`compression` is '{other}'; known are 'infer', 'gzip', 'bz2', 'xz', 'zip' and None"
            )));
        }
    })
}

/// A frame as it is written with row labels: where these are asked for by name, a range is written out as well.
pub(crate) fn written(
    py: Python<'_>,
    operation: &str,
    frame: &PyDataFrame,
    index: Option<bool>,
) -> PyResult<DataFrame> {
    use cuprum::IndexedFrame;
    let frame = frame.frame()?.clone();
    if index != Some(true) || frame.num_columns() == 0 {
        return Ok(frame);
    }
    let labels = frame.index().clone();
    let names = labels.names().to_vec();
    let columns = work(py, operation, frame.num_rows(), || labels.columns())?;
    let labels = Index::from_columns(columns, names).map_err(crate::errors::to_py)?;
    frame.with_index(labels).map_err(crate::errors::to_py)
}
