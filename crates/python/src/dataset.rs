//! Data sets.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_schema::DataType as ArrowType;
use cuprum::io::{DatasetReader, ParquetDatasetAppender};
use cuprum::types::{Categorical, Categories};
use cuprum::{Dtype, Frame, TypedColumn};
use cuprum_column::{Context, Device, Result};
use cuprum_io::Source;
use cuprum_io::dataset::{Dataset, DatasetOptions, Part, shown_in_order};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrow::field_from_schema;
use crate::errors::to_py;
use crate::frames::dataframe::PyDataFrame;
use crate::frames::io::orc::unit_of;
use crate::frames::io::parquet::{PyCondition, PyWriteOptions, closed, filter};
use crate::frames::io::{source, written};
use crate::frames::{label, work};
use crate::run::UNKNOWN_SIZE;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyDataset>()?;
    module.add_class::<PyParquetDatasetWriter>()?;
    module.add_function(wrap_pyfunction!(write_parquet_dataset, module)?)?;
    module.add_function(wrap_pyfunction!(below_each_other, module)?)?;
    module.add_function(wrap_pyfunction!(shown, module)?)?;
    Ok(())
}

/// Files that are one table.
#[pyclass(name = "Dataset", module = "cuprum._cuprum", frozen)]
struct PyDataset(Dataset);

#[pymethods]
impl PyDataset {
    /// Sources, each with the names of the directories that tell its keys. Without these a path or a name tells them
    /// where it is not the only one, and a directory stands for all files in it and below, with its own.
    #[new]
    fn new(py: Python<'_>, parts: Vec<(Bound<'_, PyAny>, Option<Vec<String>>)>) -> PyResult<Self> {
        let several = parts.len() > 1;
        let part =
            |(data, directories): (Bound<'_, PyAny>, Option<Vec<String>>)| Ok((source(&data)?, directories));
        let parts = parts.into_iter().map(part).collect::<PyResult<Vec<_>>>()?;
        work(py, "Dataset", UNKNOWN_SIZE / 2, || {
            let mut all = Vec::new();
            for (source, directories) in parts {
                all.append(&mut parts_of(source, directories, several)?);
            }
            Dataset::of_parts(all)
        })
        .map(Self)
    }

    /// The number of files.
    fn __len__(&self) -> usize {
        self.0.parts().len()
    }

    /// Reads files of Parquet as one frame; `row_groups` has those of each file, `schema` is an Arrow schema.
    #[pyo3(signature = (columns=None, row_groups=None, nrows=None, skip_rows=0, filters=None, pandas_metadata=true, categories=true, schema=None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
    fn read_parquet(
        &self,
        py: Python<'_>,
        columns: Option<Vec<String>>,
        row_groups: Option<Vec<Vec<usize>>>,
        nrows: Option<usize>,
        skip_rows: usize,
        filters: Option<Vec<Vec<PyCondition<'_>>>>,
        pandas_metadata: bool,
        categories: bool,
        schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyDataFrame> {
        let options = options(columns, row_groups, nrows, skip_rows, filters)?;
        let mut reader = cuprum::io::read_parquet_dataset(self.0.clone())
            .options(options)
            .row_labels(pandas_metadata)
            .keys_as_categories(categories);
        if let Some(schema) = schema {
            reader = reader.dtypes(dtypes(schema)?);
        }
        read(py, "read_parquet", reader)
    }

    /// Reads files of ORC as one frame; `stripes` has those of each file, `unit` is that of timestamps.
    #[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
    fn read_orc(
        &self,
        py: Python<'_>,
        columns: Option<Vec<String>>,
        stripes: Option<Vec<Vec<usize>>>,
        skip_rows: usize,
        num_rows: Option<usize>,
        unit: &str,
        filters: Option<Vec<Vec<PyCondition<'_>>>>,
    ) -> PyResult<PyDataFrame> {
        let options = options(columns, stripes, num_rows, skip_rows, filters)?;
        let reader = cuprum::io::read_orc_dataset(self.0.clone()).options(options).time_unit(unit_of(unit)?);
        read(py, "read_orc", reader)
    }
}

fn read(py: Python<'_>, operation: &str, reader: DatasetReader) -> PyResult<PyDataFrame> {
    work(py, operation, UNKNOWN_SIZE, || reader.finish()).map(PyDataFrame::from)
}

fn options(
    columns: Option<Vec<String>>,
    pieces: Option<Vec<Vec<usize>>>,
    num_rows: Option<usize>,
    skip_rows: usize,
    filters: Option<Vec<Vec<PyCondition<'_>>>>,
) -> PyResult<DatasetOptions> {
    let filter = filters.map(filter).transpose()?;
    Ok(DatasetOptions { columns, pieces, skip_rows, num_rows, filter, ..DatasetOptions::default() })
}

/// The names and dtypes of an Arrow schema.
fn dtypes(schema: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Dtype)>> {
    let field = field_from_schema(schema)?;
    let ArrowType::Struct(fields) = field.data_type() else {
        return Err(PyTypeError::new_err(format!("`schema` is of {}, no table", field.data_type())));
    };
    let dtype = |field: &arrow_schema::FieldRef| {
        let of_values = Dtype::from_field(field)?;
        let dtype = match field.data_type() {
            ArrowType::Dictionary(..) => {
                let none = TypedColumn::nulls(&of_values, 0, &Context::beside(Device::Cpu)?)?;
                let ordered = field.dict_is_ordered() == Some(true);
                Dtype::Categorical(Categorical::of(Categories::new(none, ordered)?))
            }
            _ => of_values,
        };
        Ok((field.name().clone(), dtype))
    };
    fields.iter().map(dtype).collect::<Result<_>>().map_err(to_py)
}

/// The files that a source stands for.
fn parts_of(source: Source, directories: Option<Vec<String>>, several: bool) -> Result<Vec<Part>> {
    let part = |directories: &[String]| {
        Ok(vec![Part::in_directories(source.clone(), directories.iter().map(String::as_str))?])
    };
    if let Some(directories) = directories {
        return part(&directories);
    }
    let names: Vec<String> = match &source {
        Source::Path(path) if path.is_dir() => return Ok(Dataset::open(path)?.parts().to_vec()),
        _ if !several => Vec::new(),
        Source::Path(path) => path.iter().map(|name| name.to_string_lossy().into_owned()).collect(),
        Source::Named(..) | Source::Remote(_) => {
            source.to_string().split(['/', '\\']).map(str::to_owned).collect()
        }
        Source::Bytes(_) => Vec::new(),
    };
    part(&names[..names.len().saturating_sub(1)])
}

/// Which of these paths, lists of names below a directory, belong to a data set, in its order.
#[pyfunction]
#[pyo3(name = "shown_in_order")]
fn shown(paths: Vec<Vec<String>>) -> Vec<usize> {
    shown_in_order(&paths)
}

/// The rows of frames of several files below each other, with the columns of all.
#[pyfunction]
fn below_each_other(
    py: Python<'_>,
    frames: Vec<PyRef<'_, PyDataFrame>>,
    files: Vec<String>,
) -> PyResult<PyDataFrame> {
    let frames = frames.iter().map(|frame| frame.frame().cloned()).collect::<PyResult<Vec<_>>>()?;
    let rows = frames.iter().map(Frame::num_rows).sum();
    work(py, "concat", rows, || cuprum::io::below_each_other(frames, &files)).map(PyDataFrame::from)
}

/// Files of Parquet in directories of the values of columns, to which frames are written below each other.
#[pyclass(name = "ParquetDatasetWriter", module = "cuprum._cuprum", frozen)]
struct PyParquetDatasetWriter {
    index: Option<bool>,
    writer: Mutex<Option<ParquetDatasetAppender>>,
}

#[pymethods]
impl PyParquetDatasetWriter {
    #[new]
    #[pyo3(signature = (root, by, file_name, options, index=None))]
    fn new(
        root: PathBuf,
        by: &Bound<'_, PyAny>,
        file_name: String,
        options: PyWriteOptions,
        index: Option<bool>,
    ) -> PyResult<Self> {
        let writer = appender(root, by, file_name, options, index)?;
        Ok(Self { index, writer: Mutex::new(Some(writer)) })
    }

    /// Writes the rows of a frame below the others.
    fn write(&self, py: Python<'_>, frame: PyRef<'_, PyDataFrame>) -> PyResult<()> {
        let frame = written(py, "ParquetDatasetWriter.write_table", &frame, self.index)?;
        let rows = frame.num_rows();
        work(py, "ParquetDatasetWriter.write_table", rows.max(UNKNOWN_SIZE / 2), || {
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            writer.as_mut().ok_or_else(closed)?.write(&frame)
        })
    }

    /// Gives all files their names; a second time there is nothing to do.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        work(py, "ParquetDatasetWriter.close", UNKNOWN_SIZE, || {
            let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
            writer.map_or(Ok(()), ParquetDatasetAppender::finish)
        })
    }

    /// Forgets the files, of which nothing is left.
    fn abandon(&self) {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Writes a frame as files of Parquet in directories of the values of columns, all of them or none.
#[pyfunction]
#[pyo3(signature = (frame, root, by, file_name, options, index=None))]
fn write_parquet_dataset(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    root: PathBuf,
    by: &Bound<'_, PyAny>,
    file_name: String,
    options: PyWriteOptions,
    index: Option<bool>,
) -> PyResult<()> {
    let to = appender(root, by, file_name, options, index)?;
    let frame = written(py, "to_parquet", &frame, index)?;
    work(py, "to_parquet", frame.num_rows().max(UNKNOWN_SIZE / 2), || to.write_whole(&frame))
}

fn appender(
    root: PathBuf,
    by: &Bound<'_, PyAny>,
    file_name: String,
    options: PyWriteOptions,
    index: Option<bool>,
) -> PyResult<ParquetDatasetAppender> {
    let to = ParquetDatasetAppender::new(root, label::list_from_py(by)?);
    Ok(to.options(options.options()?).index(index != Some(false)).file_name(file_name))
}
