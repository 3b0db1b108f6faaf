//! `ListsColumnView` and `StructsColumnView`.

use cuprum_column::{Column, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::rmm::stream::StreamArgument;

fn expect(column: &Column, data_type: DataType) -> PyResult<Column> {
    if column.data_type() == data_type {
        return Ok(column.clone());
    }
    Err(PyTypeError::new_err(format!("`column` is of type {}, not {data_type}", column.data_type())))
}

/// The parts of a column of lists.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column
/// >>> lists = Column.from_iterable_of_py([[1, 2], [3]]).list_view()
/// >>> lists.child().to_pylist(), lists.offsets().to_pylist()
/// ([1, 2, 3], [0, 2, 3])
#[pyclass(frozen, module = "pylibcuprum.column", name = "ListsColumnView")]
pub struct ListsColumnView(Column);

#[pymethods]
impl ListsColumnView {
    #[new]
    pub fn new(column: PyRef<'_, PyColumn>) -> PyResult<Self> {
        expect(&column.0, DataType::List).map(Self)
    }

    /// The elements of all lists, as they lie in memory: not cut to the rows of a slice.
    fn child(&self) -> PyColumn {
        PyColumn::plain(self.0.children()[1].clone())
    }

    /// The offsets of the lists in the elements; not cut to a slice.
    fn offsets(&self) -> PyColumn {
        PyColumn::plain(self.0.children()[0].clone())
    }

    /// The elements of the rows of the column.
    ///
    /// Parameters
    /// ----------
    /// stream : Stream, optional
    ///     Without effect: the work is done when the call returns.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements, cut to the rows of a slice.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> lists = Column.from_iterable_of_py([[1, 2], [3]]).list_view()
    /// >>> lists.get_sliced_child().to_pylist()
    /// [1, 2, 3]
    #[pyo3(signature = (stream=None))]
    fn get_sliced_child(&self, stream: Option<StreamArgument>) -> PyResult<PyColumn> {
        let _ = stream;
        self.0.elements().py().map(PyColumn::plain)
    }
}

/// The parts of a column of structs.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column
/// >>> structs = Column.struct_from_children([Column.from_iterable_of_py([1, 2])]).struct_view()
/// >>> structs.child().to_pylist()
/// [1, 2]
#[pyclass(frozen, module = "pylibcuprum.column", name = "StructsColumnView")]
pub struct StructsColumnView(Column);

#[pymethods]
impl StructsColumnView {
    #[new]
    pub fn new(column: PyRef<'_, PyColumn>) -> PyResult<Self> {
        expect(&column.0, DataType::Struct).map(Self)
    }

    /// The first field, as it lies in memory.
    fn child(&self) -> PyResult<PyColumn> {
        self.0
            .children()
            .first()
            .cloned()
            .map(PyColumn::plain)
            .ok_or_else(|| PyValueError::new_err("the structs have no fields"))
    }

    /// Structs have no offsets.
    #[allow(clippy::unused_self)] // A method, as that of lists is.
    fn offsets(&self) -> PyResult<PyColumn> {
        Err(PyTypeError::new_err("a column of structs has no offsets"))
    }

    /// A field, cut to the rows of the column.
    ///
    /// Parameters
    /// ----------
    /// index : int
    ///     The number of the field.
    /// stream : Stream, optional
    ///     Without effect: the work is done when the call returns.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The field, null where the struct is.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     For a field that is not there.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> structs = Column.struct_from_children([Column.from_iterable_of_py([1, 2])]).struct_view()
    /// >>> structs.get_sliced_child(0).to_pylist()
    /// [1, 2]
    #[pyo3(signature = (index, stream=None))]
    fn get_sliced_child(&self, index: usize, stream: Option<StreamArgument>) -> PyResult<PyColumn> {
        let _ = stream;
        self.0.field(index).py().map(PyColumn::plain)
    }
}
