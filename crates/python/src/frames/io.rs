//! Readers and writers.

use std::path::PathBuf;

use cuprum::{Frame, Index};
use cuprum_io::source::{Compression, Source};
use cuprum_io::{csv, parquet};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString};

use super::dataframe::PyDataFrame;
use super::work;
use crate::dtype;
use crate::run::UNKNOWN_SIZE;

fn source(obj: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(bytes) = obj.cast::<PyBytes>() {
        return Ok(Source::from(bytes.as_bytes()));
    }
    Ok(Source::from(obj.extract::<PathBuf>()?))
}

fn byte(name: &str, text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(PyValueError::new_err(format!("`{name}` is '{text}'; it must be one ASCII character"))),
    }
}

fn compression(name: Option<&str>) -> PyResult<Compression> {
    Ok(match name {
        None => Compression::None,
        Some("infer") => Compression::Infer,
        Some("gzip" | "gz") => Compression::Gzip,
        Some("zip") => Compression::Zip,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`compression` is '{other}'; known are 'infer', 'gzip', 'zip' and None"
            )));
        }
    })
}

fn column_ref(obj: &Bound<'_, PyAny>) -> PyResult<csv::ColumnRef> {
    if let Ok(name) = obj.cast::<PyString>() {
        return Ok(csv::ColumnRef::Name(name.to_str()?.to_owned()));
    }
    if obj.is_instance_of::<PyInt>() {
        return Ok(csv::ColumnRef::Position(obj.extract()?));
    }
    Err(PyTypeError::new_err(format!("{} does not name a column: use a name or a position", obj.repr()?)))
}

fn column_refs(obj: &Bound<'_, PyAny>) -> PyResult<Vec<csv::ColumnRef>> {
    obj.try_iter()?.map(|item| column_ref(&item?)).collect()
}

/// Reads CSV from a path or bytes; `options` holds what differs from the defaults.
#[pyfunction]
pub fn read_csv(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    let mut read = csv::ReadOptions::default();
    for (key, value) in options {
        let key: String = key.extract()?;
        match key.as_str() {
            "sep" => read.separator = byte("sep", value.extract()?)?,
            "quotechar" => read.quote = byte("quotechar", value.extract()?)?,
            "header" if value.is_none() => read.header = csv::Header::None,
            "header" => read.header = csv::Header::Row(value.extract()?),
            "names" => read.names = Some(value.extract()?),
            "usecols" => read.usecols = Some(column_refs(&value)?),
            "drop_extra_fields" => read.drop_extra_fields = value.extract()?,
            "dtype" => match value.cast::<PyDict>() {
                Ok(types) => {
                    for (column, to) in types {
                        read.dtype.push((column_ref(&column)?, dtype::require_storage(&to)?));
                    }
                }
                Err(_) => read.dtype_all = Some(dtype::require_storage(&value)?),
            },
            "na_values" => read.na_values = value.extract()?,
            "keep_default_na" => read.keep_default_na = value.extract()?,
            "parse_dates" => read.parse_dates = column_refs(&value)?,
            "nrows" => read.nrows = Some(value.extract()?),
            "skiprows" => read.skiprows = value.extract()?,
            "comment" => read.comment = Some(byte("comment", value.extract()?)?),
            "skip_blank_lines" => read.skip_blank_lines = value.extract()?,
            "thousands" => read.thousands = Some(byte("thousands", value.extract()?)?),
            "decimal" => read.decimal = byte("decimal", value.extract()?)?,
            "true_values" => read.true_values = value.extract()?,
            "false_values" => read.false_values = value.extract()?,
            "compression" => read.compression = compression(value.extract()?)?,
            other => return Err(PyTypeError::new_err(format!("read_csv has no option '{other}'"))),
        }
    }
    work(py, "read_csv", UNKNOWN_SIZE, || cuprum::io::read_csv(source).options(read).finish())
        .map(PyDataFrame)
}

/// Writes CSV to a path; returns the text where there is none.
#[pyfunction]
#[pyo3(signature = (frame, path, index, sep, header, na_rep, line_terminator, compression_name))]
#[allow(clippy::too_many_arguments)]
pub fn write_csv(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: Option<PathBuf>,
    index: bool,
    sep: &str,
    header: bool,
    na_rep: String,
    line_terminator: String,
    compression_name: Option<&str>,
) -> PyResult<Option<String>> {
    let options = csv::WriteOptions {
        separator: byte("sep", sep)?,
        header,
        na_rep,
        line_terminator,
        compression: compression(compression_name)?,
        ..csv::WriteOptions::default()
    };
    let frame = &frame.0;
    let writer = match path {
        Some(path) => frame.write_csv(path),
        None => frame.to_csv(),
    };
    work(py, "to_csv", UNKNOWN_SIZE, || writer.index(index).options(options).finish())
}

/// Reads Parquet from a path or bytes.
#[pyfunction]
#[pyo3(signature = (data, columns=None, row_groups=None, nrows=None))]
pub fn read_parquet(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    row_groups: Option<Vec<usize>>,
    nrows: Option<usize>,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    let options = parquet::ReadOptions { columns, row_groups, nrows };
    work(py, "read_parquet", UNKNOWN_SIZE, || cuprum::io::read_parquet(source).options(options).finish())
        .map(PyDataFrame)
}

/// Writes Parquet; `index` None writes row labels unless they are the default ones.
#[pyfunction]
#[pyo3(signature = (frame, path, index=None, compression_name=Some("snappy"), compression_level=None, row_group_rows=None))]
pub fn write_parquet(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: PathBuf,
    index: Option<bool>,
    compression_name: Option<&str>,
    compression_level: Option<i32>,
    row_group_rows: Option<usize>,
) -> PyResult<()> {
    let compression = match compression_name {
        None => parquet::Compression::None,
        Some("snappy") => parquet::Compression::Snappy,
        Some("zstd") => parquet::Compression::Zstd { level: compression_level.unwrap_or(3) },
        Some("gzip") => parquet::Compression::Gzip,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`compression` is '{other}'; known are 'snappy', 'zstd', 'gzip' and None"
            )));
        }
    };
    let mut options = parquet::WriteOptions { compression, ..parquet::WriteOptions::default() };
    if let Some(rows) = row_group_rows {
        if rows == 0 {
            return Err(PyValueError::new_err(
                "`row_group_size_rows` is 0; a row group has at least one row",
            ));
        }
        options.row_group_rows = rows;
    }
    let mut frame = frame.0.clone();
    if index == Some(true) && frame.num_columns() > 0 {
        // Asked for by name: a range is written out as well.
        use cuprum::IndexedFrame;
        let labels = frame.index().clone();
        let names = labels.names().to_vec();
        let columns = work(py, "to_parquet", frame.num_rows(), || labels.columns())?;
        let labels = Index::from_columns(columns, names).map_err(crate::errors::to_py)?;
        frame = frame.with_index(labels).map_err(crate::errors::to_py)?;
    }
    let rows = frame.num_rows();
    work(py, "to_parquet", rows.max(UNKNOWN_SIZE / 2), || {
        frame.write_parquet(path).index(index != Some(false)).options(options).finish()
    })
}

/// Rows, row groups and column names of a Parquet file.
#[pyfunction]
pub fn read_parquet_metadata(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
) -> PyResult<(usize, usize, Vec<String>)> {
    let source = source(data)?;
    let metadata = work(py, "read_parquet_metadata", UNKNOWN_SIZE, || parquet::read_metadata(&source))?;
    Ok((metadata.num_rows, metadata.row_group_rows.len(), metadata.names))
}
