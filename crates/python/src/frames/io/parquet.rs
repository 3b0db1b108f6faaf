//! Parquet.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use cuprum::Frame;
use cuprum_column::Error;
use cuprum_io::parquet;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::written;
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

/// A column, an operator, and values, each behind the name of its kind.
pub(crate) type PyCondition<'py> = (String, String, Vec<(String, Bound<'py, PyAny>)>);

pub(crate) fn filter(lists: Vec<Vec<PyCondition<'_>>>) -> PyResult<parquet::Filter> {
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

/// Options of writing a file.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PyWriteOptions {
    compression: Option<String>,
    compression_level: Option<i32>,
    row_group_rows: Option<usize>,
    row_group_bytes: Option<usize>,
    page_rows: Option<usize>,
    page_bytes: Option<usize>,
    dictionary_bytes: Option<usize>,
    statistics: String,
    dictionary: bool,
    columns: Vec<PyColumnOptions>,
    arrow_schema: bool,
    pages_v2: bool,
    metadata: Vec<(String, String)>,
}

/// A name, whether a dictionary is written, an encoding, the values and probability of a bloom filter, and whether
/// the column is not compressed.
type PyColumnOptions = (String, Option<bool>, Option<String>, Option<(Option<u64>, f64)>, bool);

impl PyWriteOptions {
    pub(crate) fn options(self) -> PyResult<parquet::WriteOptions> {
        let compression = self.compression()?;
        let statistics = match &*self.statistics {
            "NONE" => parquet::Statistics::None,
            "ROWGROUP" => parquet::Statistics::RowGroup,
            "PAGE" | "COLUMN" => parquet::Statistics::Page,
            other => {
                return Err(PyValueError::new_err(format!(
                    "`statistics` is '{other}'; known are 'NONE', 'ROWGROUP', 'PAGE' and 'COLUMN'"
                )));
            }
        };
        let defaults = parquet::WriteOptions::default();
        let columns = self.columns.into_iter().map(column_options).collect::<PyResult<_>>()?;
        Ok(parquet::WriteOptions {
            compression,
            row_group_rows: self.row_group_rows.unwrap_or(defaults.row_group_rows),
            row_group_bytes: self.row_group_bytes,
            page_rows: self.page_rows,
            page_bytes: self.page_bytes,
            dictionary_bytes: self.dictionary_bytes,
            statistics,
            metadata: self.metadata,
            dictionary: self.dictionary,
            columns,
            arrow_schema: self.arrow_schema,
            pages_v2: self.pages_v2,
        })
    }

    fn compression(&self) -> PyResult<parquet::Compression> {
        let level = self.compression_level;
        let natural = |default: u32| match level {
            None => Ok(default),
            Some(level) => u32::try_from(level).map_err(|_| {
                PyValueError::new_err(format!("`compression_level` is {level}, there is no such level"))
            }),
        };
        Ok(match self.compression.as_deref() {
            Some("zstd") => parquet::Compression::Zstd { level: level.unwrap_or(3) },
            Some("gzip") => parquet::Compression::Gzip { level: natural(6)? },
            Some("brotli") => parquet::Compression::Brotli { level: natural(1)? },
            None | Some("snappy" | "lz4") if level.is_some() => {
                let name = self.compression.as_deref().unwrap_or("None");
                return Err(PyValueError::new_err(format!("`compression_level`: {name} has no levels")));
            }
            None => parquet::Compression::None,
            Some("snappy") => parquet::Compression::Snappy,
            Some("lz4") => parquet::Compression::Lz4,
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "`compression` is '{other}'; known are 'snappy', 'zstd', 'gzip', 'lz4', 'brotli' and None"
                )));
            }
        })
    }
}

fn column_options(
    (name, dictionary, encoding, bloom, uncompressed): PyColumnOptions,
) -> PyResult<(String, parquet::ColumnOptions)> {
    use parquet::Encoding;
    let encoding = match encoding.as_deref() {
        None => None,
        Some("PLAIN") => Some(Encoding::Plain),
        Some("DELTA_BINARY_PACKED") => Some(Encoding::DeltaBinaryPacked),
        Some("DELTA_LENGTH_BYTE_ARRAY") => Some(Encoding::DeltaLengthByteArray),
        Some("DELTA_BYTE_ARRAY") => Some(Encoding::DeltaByteArray),
        Some("BYTE_STREAM_SPLIT") => Some(Encoding::ByteStreamSplit),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`column_encoding` of column '{name}' is '{other}'; known are 'PLAIN', 'DICTIONARY', \
                 'DELTA_BINARY_PACKED', 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY', 'BYTE_STREAM_SPLIT' and \
                 'USE_DEFAULT'"
            )));
        }
    };
    let bloom =
        bloom.map(|(distinct_values, false_positives)| parquet::Bloom { distinct_values, false_positives });
    Ok((name, parquet::ColumnOptions { dictionary, encoding, bloom, uncompressed }))
}

/// Writes Parquet; `index` None writes row labels unless they are the default ones.
#[pyfunction]
#[pyo3(signature = (frame, path, options, index=None))]
pub fn write_parquet(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: PathBuf,
    options: PyWriteOptions,
    index: Option<bool>,
) -> PyResult<()> {
    let options = options.options()?;
    let frame = written(py, "to_parquet", &frame, index)?;
    let rows = frame.num_rows();
    work(py, "to_parquet", rows.max(UNKNOWN_SIZE / 2), || {
        frame.write_parquet(path).index(index != Some(false)).options(options).finish()
    })
}

/// A Parquet file to which frames are written below each other.
#[pyclass(name = "ParquetWriter", module = "cuprum._cuprum", frozen)]
pub struct PyParquetWriter {
    index: Option<bool>,
    writer: Mutex<Option<cuprum::io::ParquetAppender>>,
}

#[pymethods]
impl PyParquetWriter {
    #[new]
    #[pyo3(signature = (path, options, index=None))]
    fn new(path: PathBuf, options: PyWriteOptions, index: Option<bool>) -> PyResult<Self> {
        let writer = cuprum::io::ParquetAppender::new(path, index != Some(false), options.options()?);
        Ok(Self { index, writer: Mutex::new(Some(writer)) })
    }

    /// Writes a frame below the others.
    fn write(&self, py: Python<'_>, frame: PyRef<'_, PyDataFrame>) -> PyResult<()> {
        let frame = written(py, "ParquetWriter.write_table", &frame, self.index)?;
        let rows = frame.num_rows();
        work(py, "ParquetWriter.write_table", rows.max(UNKNOWN_SIZE / 2), || {
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            writer.as_mut().ok_or_else(closed)?.write(&frame)
        })
    }

    /// Ends the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        work(py, "ParquetWriter.close", UNKNOWN_SIZE, || {
            let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
            writer.ok_or_else(closed)?.finish()
        })
    }

    /// Forgets the file, of which nothing is left.
    fn abandon(&self) {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

pub(crate) fn closed() -> Error {
    Error::invalid_argument("the writer is closed")
}
