//! `pylibcuprum.io`: files as tables with the names of their columns, and tables as files.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Context, Device, Result};
use cuprum_io::{Content, avro, json, orc, parquet};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use super::data_type::PyDataType;
use super::export::metadata_of;
use super::table::PyTable;
use crate::errors::IntoPyResult;
use crate::frames::io::parquet::{PyCondition, PyWriteOptions, closed, filter};
use crate::frames::io::{compression, source};
use crate::frames::io::{json as json_frames, orc as orc_frames};
use crate::run::{UNKNOWN_SIZE, run};

/// A table, the names of its columns with those of their children, and the metadata of the file.
type Read<'py> = (PyTable, Bound<'py, PyList>, Vec<(String, String)>);

/// Reads on the host; what was read goes to the device of new data.
fn read<'py>(
    py: Python<'py>,
    operation: &str,
    work: impl FnOnce(&Context) -> Result<Content> + Send,
) -> PyResult<Read<'py>> {
    let content = run(py, operation, UNKNOWN_SIZE, |ctx: &Context| ctx.scope(|| placed(work)))?;
    described(py, content)
}

fn placed(work: impl FnOnce(&Context) -> Result<Content>) -> Result<Content> {
    let mut content = work(&Context::beside(Device::Cpu)?)?;
    content.data.table = content.data.table.to_device(&Context::current())?;
    Ok(content)
}

fn described(py: Python<'_>, content: Content) -> PyResult<Read<'_>> {
    let names = content.fields.iter().map(|field| name(py, field)).collect::<PyResult<Vec<_>>>()?;
    Ok((PyTable::new_from(content.data.table), PyList::new(py, names)?, content.metadata))
}

/// The name of a column and those of its children.
fn name<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyTuple>> {
    let children = PyList::empty(py);
    let mut arrow = field.data_type();
    while let ArrowType::Dictionary(_, values) = arrow {
        arrow = values;
    }
    match arrow {
        ArrowType::List(element)
        | ArrowType::LargeList(element)
        | ArrowType::FixedSizeList(element, _)
        | ArrowType::Map(element, _) => {
            children.append(("offsets", PyList::empty(py)))?;
            children.append(name(py, element)?)?;
        }
        ArrowType::Binary | ArrowType::LargeBinary | ArrowType::FixedSizeBinary(_) => {
            children.append(("offsets", PyList::empty(py)))?;
            children.append(("element", PyList::empty(py)))?;
        }
        ArrowType::Struct(fields) => {
            for field in fields {
                children.append(name(py, field)?)?;
            }
        }
        _ => {}
    }
    (field.name(), children).into_pyobject(py)
}

/// The metadata of columns from `ColumnMetadata` objects.
fn columns_of(columns: &Bound<'_, PyAny>) -> PyResult<Vec<ColumnMetadata>> {
    columns.try_iter()?.map(|one| metadata_of(&one?)).collect()
}

#[pyfunction]
fn read_avro<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    columns: Option<Vec<String>>,
    skip_rows: usize,
    num_rows: Option<usize>,
) -> PyResult<Read<'py>> {
    let source = source(data)?;
    let options = avro::ReadOptions { columns, skip_rows, num_rows };
    read(py, "read_avro", |ctx| avro::read_avro(&source, &options, ctx))
}

#[pyfunction]
fn read_orc<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    columns: Option<Vec<String>>,
    stripes: Option<Vec<usize>>,
    skip_rows: usize,
    num_rows: Option<usize>,
    unit: &str,
) -> PyResult<Read<'py>> {
    let source = source(data)?;
    let unit = orc_frames::unit_of(unit)?;
    let options = orc::ReadOptions { columns, stripes, skip_rows, num_rows, filter: None, unit };
    read(py, "read_orc", |ctx| orc::read_orc(&source, &options, ctx))
}

/// Lines, or a document of records.
#[pyfunction]
fn read_json<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    lines: bool,
    mixed_as_text: bool,
    compression_name: Option<&str>,
) -> PyResult<Read<'py>> {
    let source = source(data)?;
    let compression = compression(compression_name)?;
    let options = json::ReadOptions { lines, mixed_as_text, compression, ..json::ReadOptions::default() };
    read(py, "read_json", |ctx| json::read_json(&source, &options, ctx).map(|read| read.content))
}

/// Options of reading Parquet: columns, row groups, the most rows, rows that are passed over, filters.
type Wanted<'py> =
    (Option<Vec<String>>, Option<Vec<usize>>, Option<usize>, usize, Option<Vec<Vec<PyCondition<'py>>>>);

fn parquet_options(wanted: Wanted<'_>) -> PyResult<parquet::ReadOptions> {
    let (columns, row_groups, nrows, skip_rows, filters) = wanted;
    let filter = filters.map(filter).transpose()?;
    let options =
        parquet::ReadOptions { columns, row_groups, nrows, skip_rows, filter, ..Default::default() };
    Ok(parquet::ReadOptions { pandas_metadata: false, ..options })
}

#[pyfunction]
fn read_parquet<'py>(py: Python<'py>, data: &Bound<'py, PyAny>, wanted: Wanted<'py>) -> PyResult<Read<'py>> {
    let source = source(data)?;
    let options = parquet_options(wanted)?;
    read(py, "read_parquet", |ctx| parquet::read_parquet(&source, &options, ctx))
}

/// A Parquet file that is read in pieces.
#[pyclass(frozen, module = "cuprum._cuprum")]
struct ParquetPieces(Mutex<parquet::ChunkedReader>);

#[pymethods]
impl ParquetPieces {
    #[new]
    fn new(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        wanted: Wanted<'_>,
        limit: Option<usize>,
        pass_limit: Option<usize>,
    ) -> PyResult<Self> {
        let source = source(data)?;
        let options = parquet_options(wanted)?;
        let reader = run(py, "ChunkedParquetReader", UNKNOWN_SIZE, |ctx: &Context| {
            ctx.scope(|| {
                parquet::ChunkedReader::new(&source, &options, limit, &Context::beside(Device::Cpu)?)
            })
        })?;
        let reader = match pass_limit {
            Some(bytes) => reader.with_pass_limit(bytes),
            None => reader,
        };
        Ok(Self(Mutex::new(reader)))
    }

    fn has_next(&self, py: Python<'_>) -> bool {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).has_next())
    }

    /// The next piece; None where there is none.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Option<Read<'py>>> {
        let next = || {
            let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).next();
            next.map(|piece| placed(|_| piece)).transpose()
        };
        let piece = run(py, "ChunkedParquetReader", UNKNOWN_SIZE, |ctx: &Context| ctx.scope(next))?;
        piece.map(|content| described(py, content)).transpose()
    }
}

#[pyfunction]
fn write_parquet(
    py: Python<'_>,
    table: PyRef<'_, PyTable>,
    columns: &Bound<'_, PyAny>,
    path: PathBuf,
    options: PyWriteOptions,
) -> PyResult<()> {
    let (table, columns, options) = (table.table(), columns_of(columns)?, options.options()?);
    run(py, "write_parquet", UNKNOWN_SIZE, |_| {
        parquet::write_parquet_with(
            &table.to_host()?,
            &columns,
            &path,
            &options,
            &Context::beside(Device::Cpu)?,
        )
    })
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
fn write_orc(
    py: Python<'_>,
    table: PyRef<'_, PyTable>,
    columns: &Bound<'_, PyAny>,
    path: PathBuf,
    compression_name: Option<&str>,
    stripe_bytes: Option<usize>,
    stripe_rows: Option<usize>,
    metadata: Vec<(String, String)>,
) -> PyResult<()> {
    let (table, columns) = (table.table(), columns_of(columns)?);
    let mut options = orc_frames::write_options(compression_name, stripe_bytes, stripe_rows)?;
    options.metadata = metadata;
    run(py, "write_orc", UNKNOWN_SIZE, |_| {
        orc::write_orc(&table.to_host()?, &columns, &path, &options, &Context::beside(Device::Cpu)?)
    })
}

/// A file to which tables are written below each other.
enum Begun {
    Parquet(Box<parquet::ChunkedWriter>),
    Orc(Box<orc::ChunkedWriter>),
}

/// A file of Parquet or ORC to which tables are written below each other.
#[pyclass(frozen, module = "cuprum._cuprum")]
struct TablesWriter(Mutex<Option<Begun>>);

#[pymethods]
impl TablesWriter {
    #[staticmethod]
    fn parquet(path: PathBuf, options: PyWriteOptions) -> PyResult<Self> {
        let options = options.options()?;
        let writer = parquet::ChunkedWriter::new(&path, &options, &Context::beside(Device::Cpu).py()?);
        Ok(Self(Mutex::new(Some(Begun::Parquet(Box::new(writer))))))
    }

    #[staticmethod]
    fn orc(
        path: PathBuf,
        compression_name: Option<&str>,
        stripe_bytes: Option<usize>,
        stripe_rows: Option<usize>,
        metadata: Vec<(String, String)>,
    ) -> PyResult<Self> {
        let mut options = orc_frames::write_options(compression_name, stripe_bytes, stripe_rows)?;
        options.metadata = metadata;
        let writer = orc::ChunkedWriter::new(&path, &options, &Context::beside(Device::Cpu).py()?);
        Ok(Self(Mutex::new(Some(Begun::Orc(Box::new(writer))))))
    }

    fn write(&self, py: Python<'_>, table: PyRef<'_, PyTable>, columns: &Bound<'_, PyAny>) -> PyResult<()> {
        let (table, columns) = (table.table(), columns_of(columns)?);
        run(py, "write", UNKNOWN_SIZE, |_| {
            let table = table.to_host()?;
            match self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                Some(Begun::Parquet(writer)) => writer.write(&table, &columns),
                Some(Begun::Orc(writer)) => writer.write(&table, &columns),
                None => Err(closed()),
            }
        })
    }

    /// Ends the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        run(py, "close", UNKNOWN_SIZE, |_| {
            let writer = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            match writer.ok_or_else(closed)? {
                Begun::Parquet(writer) => writer.finish(),
                Begun::Orc(writer) => writer.finish(),
            }
        })
    }
}

/// Writes rows as JSON; returns the text where there is no path.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
fn write_json(
    py: Python<'_>,
    table: PyRef<'_, PyTable>,
    columns: &Bound<'_, PyAny>,
    path: Option<PathBuf>,
    lines: bool,
    decimals: u8,
    iso: bool,
    unit: &str,
    ascii: bool,
    nulls: bool,
    compression_name: Option<&str>,
) -> PyResult<Option<String>> {
    let (table, columns) = (table.table(), columns_of(columns)?);
    let unit = json_frames::unit_of(unit)?;
    let compression = compression(compression_name)?;
    let options = json::WriteOptions { lines, decimals, iso, unit, ascii, nulls, compression };
    run(py, "write_json", UNKNOWN_SIZE, |_| {
        let ctx = Context::beside(Device::Cpu)?;
        json::write_json_with(&table.to_host()?, &columns, path.as_deref(), &options, &ctx)
    })
}

/// The footer of a Parquet file, as dicts.
#[pyfunction]
fn parquet_footer<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    alone: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let footer = footer(py, data, alone)?;
    let dict = PyDict::new(py);
    dict.set_item("version", footer.version())?;
    dict.set_item("num_rows", footer.num_rows())?;
    dict.set_item("created_by", footer.created_by())?;
    dict.set_item("metadata", footer.key_values())?;
    dict.set_item("schema", schema_node(py, &footer.schema())?)?;
    let types = footer.types().py()?;
    let types: Vec<_> = types.into_iter().map(|(name, of)| (name, of.map(PyDataType))).collect();
    dict.set_item("types", types)?;
    let groups = PyList::empty(py);
    for group in footer.row_groups() {
        let one = PyDict::new(py);
        one.set_item("num_rows", group.num_rows)?;
        one.set_item("total_byte_size", group.total_byte_size)?;
        one.set_item("total_compressed_size", group.total_compressed_size)?;
        one.set_item("file_offset", group.file_offset)?;
        one.set_item("ordinal", group.ordinal)?;
        one.set_item("sorting_columns", group.sorting_columns)?;
        let chunks = PyList::empty(py);
        for chunk in group.columns {
            let own = PyDict::new(py);
            own.set_item("file_path", chunk.file_path)?;
            own.set_item("file_offset", chunk.file_offset)?;
            own.set_item("offset_index", chunk.offset_index)?;
            own.set_item("column_index", chunk.column_index)?;
            own.set_item("path", chunk.path)?;
            own.set_item("num_values", chunk.num_values)?;
            own.set_item("total_uncompressed_size", chunk.total_uncompressed_size)?;
            own.set_item("total_compressed_size", chunk.total_compressed_size)?;
            chunks.append(own)?;
        }
        one.set_item("columns", chunks)?;
        groups.append(one)?;
    }
    dict.set_item("row_groups", groups)?;
    Ok(dict)
}

/// The footer of a file, or bytes that are one alone.
fn footer(py: Python<'_>, data: &Bound<'_, PyAny>, alone: bool) -> PyResult<parquet::Footer> {
    if alone {
        let bytes = data.cast::<PyBytes>()?.as_bytes();
        return run(py, "FileMetaData", UNKNOWN_SIZE, |_| parquet::Footer::from_bytes(bytes));
    }
    let source = source(data)?;
    run(py, "read_parquet_metadata", UNKNOWN_SIZE, |_| parquet::Footer::read(&source))
}

fn schema_node<'py>(py: Python<'py>, node: &parquet::SchemaNode) -> PyResult<Bound<'py, PyTuple>> {
    let children = node.children.iter().map(|child| schema_node(py, child)).collect::<PyResult<Vec<_>>>()?;
    (&node.name, node.field_id, PyList::new(py, children)?).into_pyobject(py)
}

/// The footers of several files, in bytes, as a file of one footer.
#[pyfunction]
fn merge_parquet_footers<'py>(
    py: Python<'py>,
    footers: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let footers: Vec<&[u8]> = footers.iter().map(PyBytesMethods::as_bytes).collect();
    let merged = run(py, "merge_row_group_metadata", UNKNOWN_SIZE, |_| {
        let footers = footers.iter().map(|bytes| parquet::Footer::from_bytes(bytes));
        parquet::Footer::merged(&footers.collect::<Result<Vec<_>>>()?)?.to_file()
    })?;
    Ok(PyBytes::new(py, &merged))
}

/// The footer of a file as a file of its own, which says that all else is in the file `path`.
#[pyfunction]
fn parquet_footer_of<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    path: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let footer = footer(py, data, false)?;
    Ok(PyBytes::new(py, &footer.in_file(path).and_then(|footer| footer.to_file()).py()?))
}

/// The statistics of the columns of a stripe or a file.
type OfColumns<'py> = Vec<Bound<'py, PyDict>>;

/// The names of the types of an ORC file, the statistics of all of it, and those of its stripes.
#[pyfunction]
fn orc_statistics<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
) -> PyResult<(Vec<String>, OfColumns<'py>, Vec<OfColumns<'py>>)> {
    let source = source(data)?;
    let read = run(py, "read_parsed_orc_statistics", UNKNOWN_SIZE, |_| orc::read_statistics(&source))?;
    let each = |columns: &[orc::ColumnStatistics]| columns.iter().map(|one| statistics(py, one)).collect();
    let stripes = read.stripes.iter().map(|columns| each(columns)).collect::<PyResult<Vec<Vec<_>>>>()?;
    Ok((read.names, each(&read.file)?, stripes))
}

fn statistics<'py>(py: Python<'py>, column: &orc::ColumnStatistics) -> PyResult<Bound<'py, PyDict>> {
    use orc::Statistic;
    let dict = PyDict::new(py);
    dict.set_item("number_of_values", column.number_of_values)?;
    dict.set_item("has_null", column.has_null)?;
    for (name, statistic) in &column.others {
        match statistic {
            Statistic::Integer(value) => dict.set_item(name, value)?,
            Statistic::Float(value) => dict.set_item(name, value)?,
            Statistic::Text(value) => dict.set_item(name, value)?,
            Statistic::Counts(values) => dict.set_item(name, values)?,
        }
    }
    Ok(dict)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let io = PyModule::new(module.py(), "_io")?;
    io.add_class::<ParquetPieces>()?;
    io.add_class::<TablesWriter>()?;
    io.add_function(wrap_pyfunction!(read_avro, &io)?)?;
    io.add_function(wrap_pyfunction!(read_orc, &io)?)?;
    io.add_function(wrap_pyfunction!(read_json, &io)?)?;
    io.add_function(wrap_pyfunction!(read_parquet, &io)?)?;
    io.add_function(wrap_pyfunction!(write_parquet, &io)?)?;
    io.add_function(wrap_pyfunction!(write_orc, &io)?)?;
    io.add_function(wrap_pyfunction!(write_json, &io)?)?;
    io.add_function(wrap_pyfunction!(parquet_footer, &io)?)?;
    io.add_function(wrap_pyfunction!(merge_parquet_footers, &io)?)?;
    io.add_function(wrap_pyfunction!(parquet_footer_of, &io)?)?;
    io.add_function(wrap_pyfunction!(orc_statistics, &io)?)?;
    module.add("_io", io)
}
