//! `Table` of pylibcuprum.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Column, Context, Device, Table};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::binding::{Argument, device_of};
use super::data_type::PyDataType;
use super::{copying, export, scalar};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::{arrow, rmm};

/// Columns of one length, without names.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, Table
/// >>> table = Table([Column.from_iterable_of_py([1, None])])
/// >>> table.shape(), table.num_columns()
/// ((2, 1), 1)
/// >>> table.columns()[0].to_pylist()
/// [1, None]
#[pyclass(frozen, module = "pylibcuprum.table", name = "Table")]
pub struct PyTable(Mutex<Table>);

impl PyTable {
    pub fn new_from(table: Table) -> Self {
        Self(Mutex::new(table))
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn table(&self) -> Table {
        self.lock().clone()
    }
}

/// The table that the argument `name` stands for: a `Table`, an object with a method `columns`, or a
/// sequence of columns.
pub fn table_of(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Table> {
    if let Ok(table) = object.cast::<PyTable>() {
        return Ok(table.get().table());
    }
    let columns = if object.hasattr("columns")? { object.call_method0("columns")? } else { object.clone() };
    let items = columns.try_iter().map_err(|_| {
        PyTypeError::new_err(format!(
            "`{name}` must be a Table or a sequence of columns, not {}",
            object.get_type()
        ))
    })?;
    let columns = items.enumerate().map(|(i, item)| {
        let item = item?;
        let column = item.cast::<PyColumn>().map_err(|_| {
            PyTypeError::new_err(format!("`{name}[{i}]` must be a Column, not {}", item.get_type()))
        })?;
        column.borrow().stored()
    });
    Table::new(columns.collect::<PyResult<_>>()?).py()
}

/// A column or a table, as an argument or a result. A column is a table of one.
pub enum ColumnOrTable {
    Column(Table),
    Table(Table),
}

impl ColumnOrTable {
    pub fn is_column(&self) -> bool {
        matches!(self, Self::Column(_))
    }

    pub fn table(&self) -> &Table {
        match self {
            Self::Column(table) | Self::Table(table) => table,
        }
    }

    /// Another table of the same kind.
    pub fn like(&self, table: Table) -> Self {
        match self {
            Self::Column(_) => Self::Column(table),
            Self::Table(_) => Self::Table(table),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for ColumnOrTable {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyColumn>() {
            Ok(column) => Table::new(vec![column.borrow().stored()?]).py().map(Self::Column),
            Err(_) => table_of("input", &object).map(Self::Table),
        }
    }
}

impl<'py> IntoPyObject<'py> for ColumnOrTable {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Column(table) => {
                Ok(Bound::new(py, PyColumn::plain(table.into_columns().remove(0)))?.into_any())
            }
            Self::Table(table) => Ok(Bound::new(py, PyTable::new_from(table))?.into_any()),
        }
    }
}

/// The metadata of each column; numbers for names where there is none.
fn described(metadata: Option<&Bound<'_, PyAny>>, columns: usize) -> PyResult<Vec<ColumnMetadata>> {
    let Some(metadata) = metadata else {
        return Ok((0..columns).map(|i| ColumnMetadata::named(i.to_string())).collect());
    };
    let each = metadata.try_iter()?.map(|one| export::metadata_of(&one?)).collect::<PyResult<Vec<_>>>()?;
    if each.len() == columns {
        return Ok(each);
    }
    Err(PyValueError::new_err(format!("`metadata` describes {} columns, there are {columns}", each.len())))
}

/// A table in a capsule, as the protocol hands it over.
#[pyclass(frozen, module = "pylibcuprum.table")]
struct StreamCapsule(Py<PyAny>);

#[pymethods]
impl StreamCapsule {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__(&self, py: Python<'_>, requested_schema: Option<&Bound<'_, PyAny>>) -> Py<PyAny> {
        let _ = requested_schema;
        self.0.clone_ref(py)
    }
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (columns, num_rows=None))]
    fn new(columns: &Bound<'_, PyAny>, num_rows: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let num_rows = num_rows.map(|rows| usize::read("num_rows", rows)).transpose()?;
        let columns = columns
            .try_iter()?
            .map(|column| column?.extract::<PyRef<'_, PyColumn>>()?.stored())
            .collect::<PyResult<Vec<_>>>()?;
        let rows = num_rows.unwrap_or_else(|| columns.first().map_or(0, Column::len));
        Table::with_rows(columns, rows).py_argument().map(Self::new_from)
    }

    /// The number of columns.
    fn num_columns(&self) -> usize {
        self.lock().num_columns()
    }

    /// The number of rows.
    fn num_rows(&self) -> usize {
        self.lock().num_rows()
    }

    /// Rows and columns.
    fn shape(&self) -> (usize, usize) {
        let table = self.lock();
        (table.num_rows(), table.num_columns())
    }

    /// The columns.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table().into_columns().into_iter().map(PyColumn::plain))
    }

    /// The columns, which leave the table: it is empty afterwards.
    fn release(&self) -> Vec<PyColumn> {
        let taken = std::mem::take(&mut *self.lock());
        taken.into_columns().into_iter().map(PyColumn::plain).collect()
    }

    /// A copy in memory of a resource.
    ///
    /// Parameters
    /// ----------
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// Table
    ///     The same rows, sharing nothing.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column, Table
    /// >>> table = Table([Column.from_iterable_of_py([1, None])])
    /// >>> table.copy().num_rows()
    /// 2
    #[pyo3(signature = (stream=None, mr=None))]
    fn copy(
        &self,
        py: Python<'_>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let table = self.table();
        let ctx = rmm::context(device_of(table.columns()), stream, mr)?;
        let copy = || {
            let columns = table.columns().iter().map(|column| copying::copy_column(column, &ctx));
            Table::with_rows(columns.collect::<cuprum_column::Result<_>>()?, table.num_rows())
        };
        py.detach(copy).py().map(Self::new_from)
    }

    /// The same rows on a device.
    ///
    /// Parameters
    /// ----------
    /// device : Device, str or int, optional
    ///     The device; by default that of ``mr`` or of ``stream``, else the first GPU.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// Table
    ///     The rows there; sharing memory where they are there already.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column, Table
    /// >>> table = Table([Column.from_iterable_of_py([1, None])])
    /// >>> table.to_device("cpu").num_rows()
    /// 2
    #[pyo3(signature = (device=None, stream=None, mr=None))]
    fn to_device(
        &self,
        py: Python<'_>,
        device: Option<&Bound<'_, PyAny>>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let ctx = copying::target(device, stream, mr)?;
        let table = self.table();
        py.detach(|| table.to_device(&ctx)).py().map(Self::new_from)
    }

    /// The same rows in host memory.
    fn to_host(&self, py: Python<'_>) -> PyResult<Self> {
        let table = self.table();
        py.detach(|| table.to_host()).py().map(Self::new_from)
    }

    /// The table as a ``pyarrow.Table``, sharing memory where the layouts agree.
    ///
    /// Parameters
    /// ----------
    /// metadata : list of ColumnMetadata or str, optional
    ///     The names of the columns, which are called by their numbers without it.
    /// stream : Stream, optional
    ///     Without effect: the work is done when the call returns.
    ///
    /// Returns
    /// -------
    /// pyarrow.Table
    ///     The rows in their order.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For metadata of another number of columns.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column, Table
    /// >>> table = Table([Column.from_iterable_of_py([1, None])])
    /// >>> table.to_arrow(["a"]).column_names
    /// ['a']
    #[pyo3(signature = (metadata=None, stream=None))]
    fn to_arrow<'py>(
        slf: &Bound<'py, Self>,
        metadata: Option<&Bound<'py, PyAny>>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = stream;
        let py = slf.py();
        let table = slf.get().table();
        let capsule = arrow::stream_capsule_with(py, &table, &described(metadata, table.num_columns())?)?;
        py.import("pyarrow")?.call_method1("table", (StreamCapsule(capsule.unbind()),))
    }

    /// A table of an object that exports Arrow data: a stream of record batches, or an array of structs.
    ///
    /// Parameters
    /// ----------
    /// arrow_like : object
    ///     The exporter; memory is shared where the layouts agree.
    /// dtype : DataType, optional
    ///     The type that every column has to have.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// Table
    ///     The rows in their order, without the names of columns.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For an object that exports nothing of the kind.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column, Table
    /// >>> table = Table([Column.from_iterable_of_py([1, None])])
    /// >>> import pyarrow
    /// >>> Table.from_arrow(pyarrow.table({"a": [1, 2]})).shape()
    /// (2, 1)
    #[staticmethod]
    #[pyo3(signature = (arrow_like, dtype=None, stream=None, mr=None))]
    fn from_arrow(
        py: Python<'_>,
        arrow_like: &Bound<'_, PyAny>,
        dtype: Option<PyRef<'_, PyDataType>>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let (_, table) = arrow::table_from(arrow_like)?;
        let dtype = dtype.map(|dtype| dtype.0);
        table.columns().iter().try_for_each(|column| scalar::expect_type(column.data_type(), dtype))?;
        if stream.is_none() && mr.is_none() {
            return Ok(Self::new_from(table));
        }
        let ctx: Context = rmm::context(Device::chosen(), stream, mr)?;
        py.detach(|| table.to_device(&ctx)).py().map(Self::new_from)
    }

    /// The Arrow schema of the rows as structs; `metadata` describes each column.
    #[pyo3(signature = (metadata=None))]
    fn _to_schema<'py>(
        &self,
        py: Python<'py>,
        metadata: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = self.table();
        export::rows_schema(py, &table, &described(metadata, table.num_columns())?)
    }

    #[pyo3(signature = (stream=None))]
    fn _to_host_array<'py>(
        &self,
        py: Python<'py>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = stream;
        let table = self.table();
        arrow::table_array_capsules(py, &table, &described(None, table.num_columns())?)?.get_item(1)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The protocol lets a producer ignore a request it cannot meet.
        let _ = requested_schema;
        let table = self.table();
        arrow::stream_capsule_with(py, &table, &described(None, table.num_columns())?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = self.table();
        export::rows_schema(py, &table, &described(None, table.num_columns())?)
    }

    /// The rows as an array of structs.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let table = self.table();
        arrow::table_array_capsules(py, &table, &described(None, table.num_columns())?)
    }

    /// The rows as an array of structs in the memory of their device.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_device_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let table = self.table();
        arrow::table_device_array_capsules(py, &table, &described(None, table.num_columns())?)
    }

    fn __repr__(&self) -> String {
        format!("Table(num_columns={}, num_rows={})", self.num_columns(), self.num_rows())
    }
}
