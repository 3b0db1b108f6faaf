//! Parquet.

use std::path::PathBuf;

use cuprum::Frame;
use cuprum_io::parquet;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{source, written};
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

/// Reads Parquet from a path or bytes.
#[pyfunction]
#[pyo3(signature = (data, columns=None, row_groups=None, nrows=None, skip_rows=0, filters=None, pandas_metadata=true))]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
pub fn read_parquet(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    row_groups: Option<Vec<usize>>,
    nrows: Option<usize>,
    skip_rows: usize,
    filters: Option<Vec<Vec<PyCondition<'_>>>>,
    pandas_metadata: bool,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    let filter = filters.map(filter).transpose()?;
    let options = parquet::ReadOptions { columns, row_groups, nrows, skip_rows, filter, pandas_metadata };
    work(py, "read_parquet", UNKNOWN_SIZE, || cuprum::io::read_parquet(source).options(options).finish())
        .map(PyDataFrame)
}

/// A column, an operator, and values, each behind the name of its kind.
type PyCondition<'py> = (String, String, Vec<(String, Bound<'py, PyAny>)>);

fn filter(lists: Vec<Vec<PyCondition<'_>>>) -> PyResult<parquet::Filter> {
    let lists = lists.into_iter().map(|all| all.into_iter().map(condition).collect());
    Ok(parquet::Filter(lists.collect::<PyResult<_>>()?))
}

fn condition((column, operator, values): PyCondition<'_>) -> PyResult<parquet::Condition> {
    use parquet::{Operator, Value};
    let operator = match &*operator {
        "==" => Operator::Equal,
        "!=" => Operator::NotEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterEqual,
        "in" => Operator::In,
        "not in" => Operator::NotIn,
        other => return Err(PyValueError::new_err(format!("`filters`: {other:?} is no operator"))),
    };
    let value = |(kind, value): (String, Bound<'_, PyAny>)| {
        Ok(match &*kind {
            "null" => Value::Null,
            "int" => Value::Int(value.extract()?),
            "float" => Value::Float(value.extract()?),
            "bool" => Value::Bool(value.extract()?),
            "text" => Value::Text(value.extract()?),
            "bytes" => Value::Bytes(value.extract()?),
            "decimal" => {
                let (unscaled, scale) = value.extract()?;
                Value::Decimal { unscaled, scale }
            }
            "time" => Value::Time { nanoseconds: value.extract()?, zoned: false },
            "instant" => Value::Time { nanoseconds: value.extract()?, zoned: true },
            "duration" => Value::Duration(value.extract()?),
            other => return Err(PyValueError::new_err(format!("`filters`: {other:?} is no kind of value"))),
        })
    };
    let values = values.into_iter().map(value).collect::<PyResult<_>>()?;
    Ok(parquet::Condition { column, operator, values })
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
    let frame = written(py, "to_parquet", &frame, index)?;
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
