//! `pylibcuprum.contiguous_split`: tables in one block of memory.

use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::{Buffer, Context, Device, Result, Table};
use cuprum_compute::contiguous_split::{self, ChunkedPack, PackedColumns};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyMemoryView};

use crate::copying::positions;
use crate::errors::IntoPyResult;
use crate::pylib::binding::device_of;
use crate::pylib::memory_view::MemoryView;
use crate::pylib::table::{PyTable, table_of};
use crate::rmm;
use crate::rmm::buffer::PyDeviceBuffer;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::{run, run_on};

/// Blocks of other libraries are shared where they begin at a multiple of this many bytes, which suits every
/// element, and copied elsewhere.
const SHARED_ALIGNMENT: usize = 16;

/// The context that the arguments name, else that of the table's device.
fn context(
    table: &Table,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<Context> {
    rmm::context(device_of(table.columns()), stream, mr)
}

fn metadata_view<'py>(py: Python<'py>, metadata: &[u8]) -> PyResult<Bound<'py, PyMemoryView>> {
    PyMemoryView::from(PyBytes::new(py, metadata).as_any())
}

/// A table in one block of memory: its metadata and its data.
///
/// Made by `pack`, taken by `unpack`.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, contiguous_split
/// >>> contiguous_split.pack([Column.from_iterable_of_py([1, 2])])  # doctest: +ELLIPSIS
/// PackedColumns(... bytes of metadata, 64 of data)
#[pyclass(frozen, module = "pylibcuprum.contiguous_split", name = "PackedColumns")]
pub struct PyPackedColumns(Mutex<Option<PackedColumns>>);

impl PyPackedColumns {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Option<PackedColumns>> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

fn released() -> PyErr {
    PyValueError::new_err("the packed columns have been released")
}

#[pymethods]
impl PyPackedColumns {
    /// Give up metadata and data; the object is of no use afterwards.
    ///
    /// Parameters
    /// ----------
    /// stream : Stream, optional
    ///     Without effect: the data knows what it has to wait for.
    ///
    /// Returns
    /// -------
    /// tuple
    ///     A memoryview of the metadata, and a gpumemoryview of the data.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where they were given up before.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column, contiguous_split
    /// >>> metadata, data = contiguous_split.pack([Column.from_iterable_of_py([1, 2])]).release()
    /// >>> data.size
    /// 64
    #[pyo3(signature = (stream=None))]
    fn release<'py>(
        &self,
        py: Python<'py>,
        stream: Option<StreamArgument>,
    ) -> PyResult<(Bound<'py, PyMemoryView>, MemoryView)> {
        // The data knows what it has to wait for.
        let _ = stream;
        let (metadata, data) = self.lock(py).take().ok_or_else(released)?.into_parts();
        Ok((metadata_view(py, &metadata)?, MemoryView::of(data)))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match &*self.lock(py) {
            Some(packed) => format!(
                "PackedColumns({} bytes of metadata, {} of data)",
                packed.metadata().len(),
                packed.data().len()
            ),
            None => "PackedColumns(released)".to_owned(),
        }
    }
}

/// Copy a Table, or a sequence of columns, into one block of memory.
///
/// Parameters
/// ----------
/// input : Table or list of Column
///     The columns.
/// stream : Stream, optional
///     The stream of the device that the work is given to.
/// mr : DeviceMemoryResource, optional
///     Where the block is allocated; by default from the current resource of the device.
///
/// Returns
/// -------
/// PackedColumns
///     The block, and metadata that say where the columns are in it.
///
/// Examples
/// --------
/// >>> import pylibcuprum
/// >>> table = pylibcuprum.Table([pylibcuprum.Column.from_iterable_of_py([1, None])])
/// >>> packed = pylibcuprum.contiguous_split.pack(table)
/// >>> pylibcuprum.contiguous_split.unpack(packed).num_rows()
/// 2
#[pyfunction]
#[pyo3(signature = (input, stream=None, mr=None))]
fn pack(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyPackedColumns> {
    let table = table_of("input", input)?;
    let ctx = context(&table, stream, mr)?;
    let rows = table.num_rows();
    let packed = run_on(py, "pack", rows, ctx, |ctx| contiguous_split::pack(&table, ctx))?;
    Ok(PyPackedColumns(Mutex::new(Some(packed))))
}

/// Copy the rows of a table before, between and behind some positions, each part into one block of memory.
///
/// Parameters
/// ----------
/// input : Table or list of Column
///     The columns.
/// splits : list of int
///     The positions, which ascend.
/// stream : Stream, optional
///     The stream of the device that the work is given to.
/// mr : DeviceMemoryResource, optional
///     Where the blocks are allocated; by default from the current resource of the device.
///
/// Returns
/// -------
/// list of PackedColumns
///     One part more than there are positions; `unpack` gives its rows.
///
/// Raises
/// ------
/// IndexError
///     Where a position is behind the last row.
/// ValueError
///     Where positions decrease.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, contiguous_split as cs
/// >>> parts = cs.contiguous_split([Column.from_iterable_of_py([10, 12, 14, 16])], [1, 3])
/// >>> [cs.unpack(part).columns()[0].to_pylist() for part in parts]
/// [[10], [12, 14], [16]]
#[pyfunction]
#[pyo3(name = "contiguous_split", signature = (input, splits, stream=None, mr=None))]
fn split_into_blocks(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    splits: Vec<i64>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<Vec<PyPackedColumns>> {
    let table = table_of("input", input)?;
    let splits = positions("splits", &splits)?;
    let ctx = context(&table, stream, mr)?;
    let rows = table.num_rows();
    let parts = run_on(py, "contiguous_split", rows, ctx, |ctx| {
        contiguous_split::contiguous_split(&table, &splits, ctx)
    })?;
    Ok(parts.into_iter().map(|part| PyPackedColumns(Mutex::new(Some(part.into_parts().1)))).collect())
}

/// Return the metadata of a table that lies in one block already.
///
/// Parameters
/// ----------
/// table : Table or list of Column
///     Columns whose memory is in the block, such as those of `unpack` or slices of them.
/// contiguous_buffer : gpumemoryview
///     The block.
///
/// Returns
/// -------
/// memoryview
///     What `unpack_from_memoryviews` takes with the block.
///
/// Raises
/// ------
/// ValueError
///     Where memory of a column is not in the block.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, contiguous_split as cs
/// >>> metadata, block = cs.pack([Column.from_iterable_of_py([10, 12, 14])]).release()
/// >>> table = cs.unpack_from_memoryviews(metadata, block)
/// >>> bytes(cs.pack_metadata(table, block)) == bytes(metadata)
/// True
#[pyfunction]
fn pack_metadata<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    contiguous_buffer: &Bound<'py, MemoryView>,
) -> PyResult<Bound<'py, PyMemoryView>> {
    let table = table_of("table", table)?;
    metadata_view(py, &contiguous_split::pack_metadata(&table, &contiguous_buffer.get().buffer).py()?)
}

/// Return the Table that was packed, which shares the memory.
///
/// Parameters
/// ----------
/// input : PackedColumns
///     What `pack` returned.
/// stream : Stream, optional
///     Without effect: nothing is copied.
///
/// Returns
/// -------
/// Table
///     The columns.
///
/// Raises
/// ------
/// ValueError
///     Where the packed columns were released.
///
/// Examples
/// --------
/// >>> import pylibcuprum
/// >>> table = pylibcuprum.Table([pylibcuprum.Column.from_iterable_of_py([1, None])])
/// >>> packed = pylibcuprum.contiguous_split.pack(table)
/// >>> pylibcuprum.contiguous_split.unpack(packed).num_columns()
/// 1
#[pyfunction]
#[pyo3(signature = (input, stream=None))]
fn unpack(
    py: Python<'_>,
    input: &Bound<'_, PyPackedColumns>,
    stream: Option<StreamArgument>,
) -> PyResult<PyTable> {
    // Nothing is copied, so nothing is given to a stream.
    let _ = stream;
    let packed = input.get().lock(py).clone().ok_or_else(released)?;
    contiguous_split::unpack(&packed).py().map(PyTable::new_from)
}

/// Return the Table of metadata and data, wherever these come from; both are checked.
///
/// Parameters
/// ----------
/// metadata : bytes or memoryview
///     The metadata of packed columns.
/// gpu_data : gpumemoryview, DeviceBuffer, HostArray or bytes
///     The data. It is shared where nobody can change it (bytes, a HostArray, a DeviceBuffer, which cannot be
///     changed any more), else copied.
/// stream : Stream, optional
///     Without effect.
///
/// Returns
/// -------
/// Table
///     The columns.
///
/// Examples
/// --------
/// >>> import pylibcuprum
/// >>> table = pylibcuprum.Table([pylibcuprum.Column.from_iterable_of_py([1, None])])
/// >>> metadata, data = pylibcuprum.contiguous_split.pack(table).release()
/// >>> pylibcuprum.contiguous_split.unpack_from_memoryviews(metadata, data).num_rows()
/// 2
#[pyfunction]
#[pyo3(signature = (metadata, gpu_data, stream=None))]
fn unpack_from_memoryviews(
    py: Python<'_>,
    metadata: &Bound<'_, PyAny>,
    gpu_data: &Bound<'_, PyAny>,
    stream: Option<StreamArgument>,
) -> PyResult<PyTable> {
    let metadata = bytes_of("metadata", metadata)?;
    let data = if let Ok(view) = gpu_data.cast::<MemoryView>() {
        view.get().buffer.clone()
    } else if let Ok(buffer) = gpu_data.cast::<PyDeviceBuffer>() {
        buffer.get().share(py).py()?
    } else {
        shared(bytes_of("gpu_data", gpu_data)?).py()?
    };
    // Memory on a GPU is waited for where it is checked.
    let _ = stream;
    let bytes = metadata.as_bytes();
    let table = run(py, "unpack", data.len(), |_| contiguous_split::unpack_from(bytes, &data))?;
    Ok(PyTable::new_from(table))
}

/// The bytes of an object, copied unless nobody can change them.
fn bytes_of<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = object.cast_exact::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let view = PyMemoryView::from(object).map_err(|_| {
        PyTypeError::new_err(format!("`{name}` must be bytes or a buffer, not {}", object.get_type()))
    })?;
    Ok(view.call_method0("tobytes")?.cast_into()?)
}

/// Bytes of Python as a buffer.
fn shared(bytes: Bound<'_, PyBytes>) -> Result<Buffer> {
    let slice = bytes.as_bytes();
    if !(slice.as_ptr() as usize).is_multiple_of(SHARED_ALIGNMENT) {
        return Buffer::copy_from_slice(slice, &Context::beside(Device::Cpu)?);
    }
    let (first, len) = (NonNull::from(slice).cast(), slice.len());
    // SAFETY: objects of the type bytes never change, and the reference keeps this one alive.
    Ok(unsafe { Buffer::from_foreign(first, len, bytes.unbind()) })
}

/// Packs a table in chunks, where there is no memory for all of it at once.
///
/// Examples
/// --------
/// >>> from cuprum.rmm import DeviceBuffer
/// >>> from pylibcuprum import Column, Table
/// >>> from pylibcuprum.contiguous_split import ChunkedPack
/// >>> packing = ChunkedPack.create(Table([Column.from_iterable_of_py([1, 2])]), 1 << 20)
/// >>> packing.has_next(), packing.get_total_contiguous_size()
/// (True, 64)
#[pyclass(frozen, module = "pylibcuprum.contiguous_split", name = "ChunkedPack")]
pub struct PyChunkedPack(Mutex<ChunkedPack>);

impl PyChunkedPack {
    fn attached(&self, py: Python<'_>) -> MutexGuard<'_, ChunkedPack> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, ChunkedPack> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyChunkedPack {
    /// Prepare to pack a table in chunks.
    ///
    /// Parameters
    /// ----------
    /// input : Table or list of Column
    ///     The columns.
    /// user_buffer_size : int
    ///     The bytes of a chunk, 1 MiB at least.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// temp_mr : DeviceMemoryResource, optional
    ///     Where memory on the table's device is allocated, which comes from here alone; by default from its current
    ///     resource.
    ///
    /// Returns
    /// -------
    /// ChunkedPack
    ///     What packs them.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     For smaller chunks.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> from pylibcuprum import Column, Table
    /// >>> from pylibcuprum.contiguous_split import ChunkedPack
    /// >>> packing = ChunkedPack.create(Table([Column.from_iterable_of_py([1, 2])]), 1 << 20)
    /// >>> packing.has_next()
    /// True
    #[staticmethod]
    #[pyo3(signature = (input, user_buffer_size, stream=None, temp_mr=None))]
    fn create(
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        user_buffer_size: usize,
        stream: Option<StreamArgument>,
        temp_mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let table = table_of("input", input)?;
        let ctx = context(&table, stream, temp_mr)?;
        let pack = py.detach(|| ChunkedPack::create(&table, user_buffer_size, &ctx)).py()?;
        Ok(Self(Mutex::new(pack)))
    }

    /// Whether there are chunks left.
    fn has_next(&self, py: Python<'_>) -> bool {
        self.attached(py).has_next()
    }

    /// The bytes of all chunks together.
    fn get_total_contiguous_size(&self, py: Python<'_>) -> usize {
        self.attached(py).get_total_contiguous_size()
    }

    /// Pack the next chunk.
    ///
    /// Parameters
    /// ----------
    /// buf : DeviceBuffer
    ///     Where it is put, of the size that was said.
    ///
    /// Returns
    /// -------
    /// int
    ///     The length of the chunk.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     For a buffer of another size.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> from pylibcuprum import Column, Table
    /// >>> from pylibcuprum.contiguous_split import ChunkedPack
    /// >>> packing = ChunkedPack.create(Table([Column.from_iterable_of_py([1, 2])]), 1 << 20)
    /// >>> packing.next(DeviceBuffer(size=1 << 20)), packing.has_next()
    /// (64, False)
    fn next(&self, py: Python<'_>, buf: &Bound<'_, PyDeviceBuffer>) -> PyResult<usize> {
        let buf = buf.get();
        py.detach(|| buf.change(|memory| self.lock().next(memory))).py()
    }

    /// The metadata of the whole.
    fn build_metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let metadata = self.attached(py).build_metadata();
        metadata_view(py, &metadata)
    }

    /// Pack all chunks to the host.
    ///
    /// Parameters
    /// ----------
    /// buf : DeviceBuffer
    ///     What chunks go by way of, of the size that was said.
    ///
    /// Returns
    /// -------
    /// tuple of memoryview
    ///     Metadata and data, for `unpack_from_memoryviews`.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     For a buffer of another size.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> from pylibcuprum import Column, Table
    /// >>> from pylibcuprum.contiguous_split import ChunkedPack
    /// >>> packing = ChunkedPack.create(Table([Column.from_iterable_of_py([1, 2])]), 1 << 20)
    /// >>> metadata, data = packing.pack_to_host(DeviceBuffer(size=1 << 20))
    /// >>> len(data)
    /// 64
    fn pack_to_host<'py>(
        &self,
        py: Python<'py>,
        buf: &Bound<'py, PyDeviceBuffer>,
    ) -> PyResult<(Bound<'py, PyMemoryView>, Bound<'py, PyMemoryView>)> {
        let buf = buf.get();
        let (metadata, data) = py.detach(|| buf.change(|memory| self.lock().pack_to_host(memory))).py()?;
        let data = Bound::new(py, MemoryView::of(data))?;
        Ok((metadata_view(py, &metadata)?, PyMemoryView::from(data.as_any())?))
    }
}

/// Adds the contents of `pylibcuprum.contiguous_split`.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPackedColumns>()?;
    module.add_class::<PyChunkedPack>()?;
    module.add_function(wrap_pyfunction!(pack, module)?)?;
    module.add_function(wrap_pyfunction!(split_into_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(pack_metadata, module)?)?;
    module.add_function(wrap_pyfunction!(unpack, module)?)?;
    module.add_function(wrap_pyfunction!(unpack_from_memoryviews, module)?)
}
