//! Methods of `Column` beyond the needs of data frames.

use cuprum_column::{Buffer, Column, Context, DataType, Device, HostUVec, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::{DeviceBuffer, Stream};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::data_type::PyDataType;
use super::memory_view::{MemoryView, buffer_of};
use super::scalar::{PyScalar, expect_type};
use super::views::{ListsColumnView, StructsColumnView};
use super::{copying, device_array, dlpack, export, nested_sequence, shape};
use crate::column::{PyColumn, optional_type};
use crate::cuda::device::PyDevice;
use crate::errors::IntoPyResult;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::run_on;
use crate::{array_interface, arrow, rmm, sequence};

/// An optional buffer argument.
fn optional_buffer(name: &str, obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Buffer>> {
    obj.map(|obj| buffer_of(name, obj)).transpose()
}

/// The memory of elements of `data_type`, which has to be aligned to them.
fn data_buffer(data_type: DataType, obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Buffer>> {
    let data = optional_buffer("data", obj)?;
    let size = data_type.size().unwrap_or(1);
    match &data {
        Some(data) if !data.is_empty() && !(data.as_ptr() as usize).is_multiple_of(size) => {
            Err(PyValueError::new_err(format!(
                "`data` is at the address {:p}, elements of {data_type} take a multiple of {size}",
                data.as_ptr()
            )))
        }
        _ => Ok(data),
    }
}

/// The memory of a mask for `rows` rows; what does not hold them is refused with the other parts.
fn mask_buffer(rows: Option<usize>, obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Buffer>> {
    match (optional_buffer("mask", obj)?, rows) {
        (Some(mask), Some(rows)) => in_words(mask, rows).py().map(Some),
        (mask, _) => Ok(mask),
    }
}

/// A mask of `bits` bits as kernels read it: by whole words. A mask that is shorter on a GPU, or begins
/// between two words, is copied; one with fewer bits is left as it is.
pub fn in_words(mask: Buffer, bits: usize) -> cuprum_column::Result<Buffer> {
    let aligned = (mask.as_ptr() as usize).is_multiple_of(4);
    let whole = aligned && mask.len() >= bits.div_ceil(32) * 4;
    if mask.device() == Device::Cpu || mask.len() < bits.div_ceil(8) || whole {
        return Ok(mask);
    }
    let ctx = Context::on(mask.device())?;
    let bytes = null_mask::bitmask_allocation_size_bytes(bits).max(mask.len());
    let mut copy = DeviceBuffer::uninit(bytes, &ctx)?;
    copy.fill(0)?;
    mask.copy_to(&mut copy, 0)?;
    copy.try_into()
}

/// A mask with its null count; a negative count is counted.
fn mask_with_count(mask: Option<Buffer>, null_count: i64) -> Option<(Buffer, usize)> {
    mask.map(|mask| (mask, usize::try_from(null_count).unwrap_or(UNKNOWN_NULL_COUNT)))
}

/// The same rows, without elements or characters under nulls, and with the nulls of structs in their fields.
fn sanitized(column: Column) -> cuprum_column::Result<Column> {
    let ctx = column.context()?;
    let column = match column.copy_mask(&ctx)? {
        Some((mask, _)) if column.data_type() == DataType::Struct => {
            null_mask::superimpose_nulls(&mask, &column, &ctx)?
        }
        _ => column,
    };
    null_mask::purge_nonempty_nulls(&column, &ctx)
}

/// A null count that was given is the one there is.
fn check_count(column: &Column, given: i64, has_mask: bool) -> PyResult<()> {
    let Ok(expected) = usize::try_from(given) else { return Ok(()) };
    let counted = recounted(column).py_argument()?;
    if counted == expected || (!has_mask && expected == 0) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("`null_count` is {expected}, the mask has {counted} nulls")))
}

fn recounted(column: &Column) -> cuprum_column::Result<usize> {
    let (first, ctx) = (column.offset(), Context::on(column.device())?);
    match column.mask() {
        Some(mask) => null_mask::null_count(Some(mask), first, first + column.len(), &ctx),
        None => column.null_count(),
    }
}

fn columns_of(children: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    children.try_iter()?.map(|child| Ok(child?.extract::<PyRef<'_, PyColumn>>()?.0.clone())).collect()
}

#[pymethods]
impl PyColumn {
    /// A column from its parts, which are shared and checked down to the innermost child.
    ///
    /// `null_count` -1 is counted. Without `validate` only what takes no look at the memory's contents
    /// is checked where the caller vouches for them.
    #[new]
    #[pyo3(signature = (data_type, size, data, mask, null_count, offset, children, validate=true))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        data_type: PyRef<'_, PyDataType>,
        size: usize,
        data: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
        null_count: i64,
        offset: usize,
        children: &Bound<'_, PyAny>,
        validate: bool,
    ) -> PyResult<Self> {
        let data_type = data_type.0;
        let data = data_buffer(data_type, data)?;
        let mask = mask_buffer(size.checked_add(offset), mask)?;
        let children = columns_of(children)?;
        let has_mask = mask.is_some();
        if null_count > 0 && !has_mask && data_type != DataType::Empty {
            return Err(PyValueError::new_err(format!(
                "`null_count` is {null_count}, but there is no `mask`"
            )));
        }
        // Parts that are not checked here could make later reads leave the memory, from safe code: the
        // argument `validate` saves counting the nulls again and no more.
        let parts = mask_with_count(mask, null_count);
        let column = py.detach(|| Column::from_parts(data_type, size, offset, data, parts, children));
        let column = column.py_argument()?;
        if validate {
            check_count(&column, null_count, has_mask)?;
        }
        Ok(Self::plain(column))
    }

    /// The type of the elements.
    fn r#type(&self) -> PyDataType {
        PyDataType(self.0.data_type())
    }

    /// The device that holds the column.
    fn device(&self) -> PyDevice {
        PyDevice(self.0.device())
    }

    /// The memory of the elements from the first of the buffer on; None where there is none.
    ///
    /// For text it is that of the characters.
    fn data(&self) -> Option<MemoryView> {
        self.0.data().cloned().map(MemoryView::of)
    }

    /// Whether some of its memory has been spilled; nothing is brought back by asking.
    fn _is_spilled(&self) -> bool {
        fn away(column: &Column) -> bool {
            let own = [column.data(), column.mask()].into_iter().flatten().any(Buffer::is_spilled);
            own || column.children().iter().any(away)
        }
        away(&self.0)
    }

    /// The validity bits, from the first of the buffer on; None where nothing is null.
    fn null_mask(&self) -> Option<MemoryView> {
        self.0.mask().cloned().map(MemoryView::of)
    }

    /// The number of child columns.
    ///
    /// Text has one (offsets), lists two (offsets, elements), dictionaries two (indices, keys), structs one for each field.
    fn num_children(&self) -> usize {
        self.0.children().len()
    }

    /// A child column as it lies in memory: not cut to the rows of a slice.
    ///
    /// Parameters
    /// ----------
    /// index : int
    ///     The number of the child.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The child, sharing memory.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     For a child that is not there.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([[1, 2], [3]]).child(1).to_pylist()
    /// [1, 2, 3]
    fn child(&self, index: usize) -> PyResult<Self> {
        let children = self.0.children();
        children.get(index).cloned().map(Self::plain).ok_or_else(|| {
            PyIndexError::new_err(format!("`index` is {index}; the column has {} children", children.len()))
        })
    }

    /// The child columns.
    fn children(&self) -> Vec<Self> {
        self.0.children().iter().cloned().map(Self::plain).collect()
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
    /// Column
    ///     The same rows, sharing nothing.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([1, None]).copy().to_pylist()
    /// [1, None]
    #[pyo3(signature = (stream=None, mr=None))]
    fn copy(
        &self,
        py: Python<'_>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let ctx = rmm::context(self.0.device(), stream, mr)?;
        run_on(py, "copy", self.0.len(), ctx, |ctx| copying::copy_column(&self.0, ctx)).map(Self::plain)
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
    /// Column
    ///     The rows there; sharing memory where they are there already.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([1]).to_device("cpu").device()
    /// Device('cpu')
    #[pyo3(signature = (device=None, stream=None, mr=None))]
    fn to_device(
        &self,
        py: Python<'_>,
        device: Option<&Bound<'_, PyAny>>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let ctx = copying::target(device, stream, mr)?;
        py.detach(|| self.0.to_device(&ctx)).py().map(Self::plain)
    }

    /// The same rows in host memory.
    fn to_host(&self, py: Python<'_>) -> PyResult<Self> {
        py.detach(|| self.0.to_host()).py().map(Self::plain)
    }

    /// The same elements under another mask.
    ///
    /// Parameters
    /// ----------
    /// mask : Span or None
    ///     The validity bits, which begin at the first element of the buffer as the column's own do; None for none.
    /// null_count : int
    ///     The number of nulls; -1 is counted.
    /// validate : bool, default True
    ///     Whether the nulls are counted and compared with ``null_count``.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows, sharing the memory of elements; without elements or characters under nulls, and with the nulls of
    ///     structs in their fields.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a mask of another length, and for another number of nulls.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([1, None]).with_mask(None, 0).null_count()
    /// 0
    #[pyo3(signature = (mask, null_count, validate=true))]
    fn with_mask(&self, mask: Option<&Bound<'_, PyAny>>, null_count: i64, validate: bool) -> PyResult<Self> {
        let mask = mask_buffer(Some(self.0.offset() + self.0.len()), mask)?;
        let has_mask = mask.is_some();
        if null_count > 0 && !has_mask {
            return Err(PyValueError::new_err(format!(
                "`null_count` is {null_count}, but there is no `mask`"
            )));
        }
        let column = &self.0;
        let (data, children) = (column.data().cloned(), column.children().to_vec());
        let parts = mask_with_count(mask, null_count);
        // SAFETY: the parts are those of a column but for the mask, whose length is checked there.
        let masked = unsafe {
            Column::from_parts_unchecked(
                column.data_type(),
                column.len(),
                column.offset(),
                data,
                parts,
                children,
            )
        };
        let masked = masked.py_argument()?;
        if column.data_type().is_compound() {
            // Values under nulls may be no text or no index.
            masked.validate().py_argument()?;
        }
        if validate {
            check_count(&masked, null_count, has_mask)?;
        }
        sanitized(masked).py().map(Self::plain)
    }

    /// The parts of a column of lists.
    fn list_view(slf: PyRef<'_, Self>) -> PyResult<ListsColumnView> {
        ListsColumnView::new(slf)
    }

    /// The parts of a column of structs.
    fn struct_view(slf: PyRef<'_, Self>) -> PyResult<StructsColumnView> {
        StructsColumnView::new(slf)
    }

    /// A column that repeats a scalar.
    ///
    /// Parameters
    /// ----------
    /// scalar : Scalar
    ///     The element.
    /// size : int
    ///     The number of rows.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows, on the chosen device.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> from pylibcuprum import Scalar
    /// >>> Column.from_scalar(Scalar.from_py(7), 2).to_pylist()
    /// [7, 7]
    #[staticmethod]
    #[pyo3(signature = (scalar, size, stream=None, mr=None))]
    fn from_scalar(
        py: Python<'_>,
        scalar: PyRef<'_, PyScalar>,
        size: usize,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let (ctx, scalar) = (rmm::context(Device::chosen(), stream, mr)?, scalar.0.clone());
        let make = |ctx: &Context| copying::made_on(ctx, |ctx| Column::from_scalar(&scalar, size, ctx));
        run_on(py, "from_scalar", size, ctx, make).map(Self::plain)
    }

    /// The only row of a column of one row.
    ///
    /// Parameters
    /// ----------
    /// stream : Stream, optional
    ///     Without effect: the work is done when the call returns.
    /// mr : DeviceMemoryResource, optional
    ///     Without effect: scalars live on the host.
    ///
    /// Returns
    /// -------
    /// Scalar
    ///     The element, null where it is.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a column of another number of rows.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([7]).to_scalar()
    /// Scalar<int64>(7)
    #[pyo3(signature = (stream=None, mr=None))]
    fn to_scalar(
        &self,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<PyScalar> {
        let _ = (stream, mr);
        if self.0.len() != 1 {
            return Err(PyValueError::new_err(format!(
                "a scalar is one row; the column has {}",
                self.0.len()
            )));
        }
        self.0.to_host().and_then(|column| column.get(0)).py().map(PyScalar)
    }

    /// A column of nulls of the type of another column, with all that is inside.
    ///
    /// Parameters
    /// ----------
    /// like : Column
    ///     The other column.
    /// size : int
    ///     The number of rows.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows, on the device of the other.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.all_null_like(Column.from_iterable_of_py([[1]]), 2).to_pylist()
    /// [None, None]
    #[staticmethod]
    #[pyo3(signature = (like, size, stream=None, mr=None))]
    fn all_null_like(
        py: Python<'_>,
        like: PyRef<'_, Self>,
        size: usize,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let (like, ctx) = (like.0.clone(), rmm::context(like.0.device(), stream, mr)?);
        let make = |ctx: &Context| copying::made_on(ctx, |ctx| copying::nulls_like(&like, size, ctx));
        run_on(py, "all_null_like", size, ctx, make).map(Self::plain)
    }

    /// A column without nulls over the memory of a buffer.
    ///
    /// Parameters
    /// ----------
    /// buff : DeviceBuffer or Span
    ///     The memory, which is shared.
    /// dtype : DataType
    ///     The type of the elements.
    /// size : int
    ///     The number of rows.
    /// children : iterable of Column
    ///     The child columns, for text, lists and structs.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For memory that is too short for the rows.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> from pylibcuprum import DataType, TypeId
    /// >>> Column.from_rmm_buffer(DeviceBuffer.to_device(b"\x01\x02"), DataType(TypeId.INT8), 2, []).to_pylist()
    /// [1, 2]
    #[staticmethod]
    fn from_rmm_buffer(
        py: Python<'_>,
        buff: &Bound<'_, PyAny>,
        dtype: PyRef<'_, PyDataType>,
        size: usize,
        children: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let dtype = dtype.0;
        let (buffer, children) = (data_buffer(dtype, Some(buff))?, columns_of(children)?);
        py.detach(|| Column::from_parts(dtype, size, 0, buffer, None, children))
            .py_argument()
            .map(Self::plain)
    }

    /// The column as a ``pyarrow.Array``, sharing memory where the layouts agree.
    ///
    /// Parameters
    /// ----------
    /// metadata : ColumnMetadata or str, optional
    ///     The names of fields of structs, time zones and precisions.
    /// stream : Stream, optional
    ///     Without effect: the work is done when the call returns.
    ///
    /// Returns
    /// -------
    /// pyarrow.Array
    ///     The elements in their order; null stays null.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([1, None]).to_arrow().to_pylist()
    /// [1, None]
    #[pyo3(signature = (metadata=None, stream=None))]
    fn to_arrow<'py>(
        &self,
        py: Python<'py>,
        metadata: Option<&Bound<'py, PyAny>>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = stream;
        export::to_pyarrow(py, &self.0, metadata)
    }

    #[pyo3(signature = (metadata=None))]
    fn _to_schema<'py>(
        &self,
        py: Python<'py>,
        metadata: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        export::schema(py, &self.0, metadata)
    }

    #[pyo3(signature = (stream=None))]
    fn _to_host_array<'py>(
        &self,
        py: Python<'py>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = stream;
        arrow::array_capsules(py, &self.0.to_host().py()?)?.get_item(1)
    }

    /// A column of an object that exports an Arrow array or a stream of arrays.
    ///
    /// Parameters
    /// ----------
    /// obj : object
    ///     The exporter; memory is shared where the layouts agree.
    /// dtype : DataType, optional
    ///     The type that the data has to have.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements in their order; null stays null.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For data of another type than ``dtype``.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import pyarrow
    /// >>> Column.from_arrow(pyarrow.array([1, None])).to_pylist()
    /// [1, None]
    #[staticmethod]
    #[pyo3(signature = (obj, dtype=None, stream=None, mr=None))]
    fn from_arrow(
        py: Python<'_>,
        obj: &Bound<'_, PyAny>,
        dtype: Option<PyRef<'_, PyDataType>>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let column = arrow::column_from(obj)?;
        expect_type(column.data_type(), dtype.map(|dtype| dtype.0))?;
        if stream.is_none() && mr.is_none() {
            return Ok(Self::plain(column));
        }
        let ctx = rmm::context(Device::chosen(), stream, mr)?;
        py.detach(|| column.to_device(&ctx)).py().map(Self::plain)
    }

    /// A column that shares the memory of an object with ``__cuda_array_interface__``.
    ///
    /// Parameters
    /// ----------
    /// obj : object
    ///     An array on a GPU. Every dimension beyond the first makes lists.
    /// stream : Stream, optional
    ///     A stream of the device of the memory; by default one of the first GPU.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a stream of the CPU.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import cupy  # doctest: +SKIP
    /// >>> Column.from_cuda_array_interface(cupy.arange(3))  # doctest: +SKIP
    #[classmethod]
    #[pyo3(signature = (obj, stream=None))]
    fn from_cuda_array_interface(
        _cls: &Bound<'_, PyType>,
        obj: &Bound<'_, PyAny>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Self> {
        let stream = match stream {
            Some(stream) => stream.0,
            None => Stream::current(Device::Cuda(0)).py()?,
        };
        if stream.device() == Device::Cpu {
            return Err(PyValueError::new_err("`stream` is one of the CPU; the memory is a GPU's"));
        }
        device_array::column_from(obj, &stream).map(Self::plain)
    }

    /// A column of a copy of an array with ``__array_interface__`` in C order.
    ///
    /// Parameters
    /// ----------
    /// obj : object
    ///     The array. Every dimension beyond the first makes lists; NaT becomes null.
    /// stream : Stream, optional
    ///     A stream of the device that the column is made on; by default the chosen one.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For an object without the interface.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import numpy as np
    /// >>> Column.from_array_interface(np.array([[1, 2], [3, 4]])).to_pylist()
    /// [[1, 2], [3, 4]]
    #[classmethod]
    #[pyo3(signature = (obj, stream=None))]
    fn from_array_interface(
        _cls: &Bound<'_, PyType>,
        obj: &Bound<'_, PyAny>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Self> {
        let interface = obj.getattr_opt("__array_interface__")?.ok_or_else(|| {
            PyTypeError::new_err(format!("`obj` has no __array_interface__: it is a {}", obj.get_type()))
        })?;
        let interface = interface.cast_into::<PyDict>()?;
        let column = match device_array::flatten(&interface)? {
            Some((flat, shape)) => {
                let column = array_interface::column_from_interface(obj, &flat, true)?;
                shape::nest(column, &shape).py_argument()?
            }
            None => array_interface::column_from_interface(obj, &interface, true)?,
        };
        column.to_device(&rmm::context(Device::chosen(), stream, None)?).py().map(Self::plain)
    }

    /// `from_cuda_array_interface` or `from_array_interface`, whichever the object has.
    ///
    /// Parameters
    /// ----------
    /// obj : object
    ///     The array.
    /// stream : Stream, optional
    ///     As these functions have it.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For an object with neither interface.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import numpy as np
    /// >>> Column.from_array(np.array([1, 2])).to_pylist()
    /// [1, 2]
    #[classmethod]
    #[pyo3(signature = (obj, stream=None))]
    fn from_array(
        cls: &Bound<'_, PyType>,
        obj: &Bound<'_, PyAny>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Self> {
        if obj.hasattr(device_array::ATTRIBUTE)? {
            return Self::from_cuda_array_interface(cls, obj, stream);
        }
        if obj.hasattr("__array_interface__")? {
            return Self::from_array_interface(cls, obj, stream);
        }
        Err(PyTypeError::new_err(format!(
            "`obj` has neither __cuda_array_interface__ nor __array_interface__: it is a {}",
            obj.get_type()
        )))
    }

    /// Structs whose fields are columns of one length; none of them is null.
    ///
    /// Parameters
    /// ----------
    /// children : iterable of Column
    ///     The fields, one at least.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The structs, sharing memory.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Without fields, and for fields of several lengths.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.struct_from_children([Column.from_iterable_of_py([1, 2])]).size()
    /// 2
    #[staticmethod]
    fn struct_from_children(children: &Bound<'_, PyAny>) -> PyResult<Self> {
        let fields = columns_of(children)?;
        let Some(first) = fields.first() else {
            return Err(PyValueError::new_err("`children` is empty, and so the structs have no length"));
        };
        Column::structs(first.len(), fields, None).py_argument().map(Self::plain)
    }

    /// A column of the elements of an iterable: scalars, lists, dicts (structs), decimals.
    ///
    /// Parameters
    /// ----------
    /// obj : iterable
    ///     The elements; None, NA and NaT are null.
    /// dtype : DataType, dtype or str, optional
    ///     The type, which every element has to fit, of lists to any depth the innermost ones. By default that of the
    ///     elements: int becomes int64, int among float float64, bool, str, datetime datetime64[us], date
    ///     datetime64[D], timedelta timedelta64[us], Decimal decimal128.
    /// stream : Stream, optional
    ///     A stream of the device that the column is made on; by default the chosen one.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements in their order.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For elements of unlike types.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([[1, 2], None, []]).to_pylist()
    /// [[1, 2], None, []]
    #[staticmethod]
    #[pyo3(signature = (obj, dtype=None, stream=None))]
    fn from_iterable_of_py(
        obj: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Self> {
        let data_type = optional_type(dtype)?;
        let column = nested_sequence::column_of_elements(&sequence::list_of(obj)?, data_type)?;
        column.to_device(&rmm::context(Device::chosen(), stream, None)?).py().map(Self::plain)
    }

    /// CUDA array interface, version 3; only for numbers, booleans and times on a GPU.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let device = self.0.device();
        if device == Device::Cpu || device.is_emulated() {
            return Err(pyo3::exceptions::PyAttributeError::new_err(format!(
                "a column on {device} has no {}",
                device_array::ATTRIBUTE
            )));
        }
        device_array::export(py, &self.0)
    }

    /// NumPy's array interface, version 3; only for numbers, booleans and times without nulls in
    /// host memory.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        device_array::export_host(py, &self.0)
    }

    /// Called by NumPy where there is no array interface, so that a column never becomes one element of an array
    /// of objects.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        device_array::export_host(py, &slf.borrow().0).map_err(|error| {
            PyTypeError::new_err(format!("{}; to_arrow and to_pylist take every column", error.value(py)))
        })?;
        let keywords = PyDict::new(py);
        keywords.set_item("dtype", dtype)?;
        keywords.set_item("copy", copy)?;
        py.import("numpy")?.call_method("array", (slf,), Some(&keywords))
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<isize>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        dlpack::export(py, &self.0, stream, max_version, dl_device, copy)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::device_pair(self.0.device())
    }
}

/// A fixed-width column of `size` zeros, or of nulls.
#[pyfunction]
#[pyo3(signature = (data_type, size, all_null, stream=None, mr=None))]
pub fn make_column(
    py: Python<'_>,
    data_type: PyRef<'_, PyDataType>,
    size: usize,
    all_null: bool,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyColumn> {
    let data_type = data_type.0;
    let bytes = data_type.size().and_then(|width| size.checked_mul(width));
    let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(|| {
        PyValueError::new_err(format!(
            "`size` is {size} elements of {data_type}: no memory can be that large"
        ))
    })?;
    let make = |ctx: &Context| {
        if all_null {
            return Column::nulls(data_type, size, ctx);
        }
        // Words, so that elements of any type are aligned.
        let data = HostUVec::<u128>::zeroed(bytes.div_ceil(16), ctx)?.into_buffer();
        Column::from_buffer(data_type, size, data, None)
    };
    let ctx = rmm::context(Device::chosen(), stream, mr)?;
    run_on(py, "make_column", size, ctx, |ctx| copying::made_on(ctx, make)).map(PyColumn::plain)
}

/// A column of no rows: of `data_type`, or of lists of it.
#[pyfunction]
#[pyo3(signature = (data_type, lists))]
pub fn make_empty_column(data_type: PyRef<'_, PyDataType>, lists: bool) -> PyResult<PyColumn> {
    let column = Column::empty(data_type.0);
    if !lists {
        return Ok(PyColumn::plain(column));
    }
    let children = vec![Column::empty(DataType::Int32), column];
    Column::from_parts(DataType::List, 0, 0, None, None, children).py().map(PyColumn::plain)
}
