//! DLPack, both ways: version 1.0 and, for consumers that know no version, the structure before it.
//!
//! Columns are immutable: a tensor that shares their memory says that it is read-only, and where the
//! structure cannot say so the memory is copied. Imported tensors are always copied, as their owner may go on
//! writing. Memory of an emulated GPU has DLPack's device type for tests (`kDLExtDev`),
//! which no other library reads.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use cuprum_column::{Buffer, Column, Context, DataType, Device, Error, Result, Table};
use cuprum_runtime::{DeviceBuffer, Stream, host_vec};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::copying;
use super::table::PyTable;
use crate::errors::IntoPyResult;
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;

const LEGACY: &CStr = c"dltensor";
const LEGACY_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const EXTENSION: i32 = 12;
const CUDA_MANAGED: i32 = 13;

const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
struct TensorDevice {
    kind: i32,
    id: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct TensorType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: TensorDevice,
    dimensions: i32,
    data_type: TensorType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct Legacy {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Legacy)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// Type codes: signed, unsigned, float, boolean.
fn tensor_type(data_type: DataType) -> Option<TensorType> {
    let code = match data_type {
        DataType::Bool8 => 6,
        t if t.is_signed_integer() => 0,
        t if t.is_unsigned_integer() => 1,
        t if t.is_float() => 2,
        _ => return None,
    };
    Some(TensorType { code, bits: (data_type.size()? * 8) as u8, lanes: 1 })
}

fn data_type(tensor: TensorType) -> PyResult<DataType> {
    let name = match (tensor.lanes, tensor.code, tensor.bits) {
        (1, 0, bits @ (8 | 16 | 32 | 64)) => Some(format!("int{bits}")),
        (1, 1, bits @ (8 | 16 | 32 | 64)) => Some(format!("uint{bits}")),
        (1, 2, bits @ (32 | 64)) => Some(format!("float{bits}")),
        (1, 6, 8) => Some("bool".to_owned()),
        _ => None,
    };
    name.and_then(|name| DataType::from_name(&name)).ok_or_else(|| {
        PyTypeError::new_err(format!(
            "a tensor of type code {}, {} bits and {} lanes has no column type",
            tensor.code, tensor.bits, tensor.lanes
        ))
    })
}

/// DLPack's name for a device.
pub fn device_pair(device: Device) -> (i32, i32) {
    match device {
        Device::Cpu => (CPU, 0),
        Device::Cuda(ordinal) if device.is_emulated() => (EXTENSION, ordinal as i32),
        Device::Cuda(ordinal) => (CUDA, ordinal as i32),
    }
}

fn device_named(device: TensorDevice) -> PyResult<Device> {
    let ordinal = u32::try_from(device.id).ok();
    match (device.kind, ordinal) {
        (CPU | CUDA_HOST, _) => Ok(Device::Cpu),
        (CUDA | CUDA_MANAGED, Some(ordinal)) if !Device::Cuda(ordinal).is_emulated() => {
            Ok(Device::Cuda(ordinal))
        }
        (EXTENSION, Some(ordinal)) if Device::Cuda(ordinal) == Device::EMULATOR => Ok(Device::EMULATOR),
        _ => Err(PyBufferError::new_err(format!(
            "a tensor on the device ({}, {}) cannot be read; known are memory of the host and of CUDA",
            device.kind, device.id
        ))),
    }
}

/// The owner of an exported tensor.
struct Exported {
    shape: [i64; 2],
    strides: [i64; 2],
    _data: Buffer,
}

unsafe extern "C" fn delete_legacy(tensor: *mut Legacy) {
    // SAFETY: the consumer calls this once, with the tensor that `capsule` made from two boxes.
    unsafe {
        let tensor = Box::from_raw(tensor);
        drop(Box::from_raw(tensor.context.cast::<Exported>()));
    }
}

unsafe extern "C" fn delete_versioned(tensor: *mut Versioned) {
    // SAFETY: the consumer calls this once, with the tensor that `capsule` made from two boxes.
    unsafe {
        let tensor = Box::from_raw(tensor);
        drop(Box::from_raw(tensor.context.cast::<Exported>()));
    }
}

/// Deletes the tensor of a capsule that nobody has taken.
unsafe extern "C" fn drop_legacy(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter passes the capsule; a taken one has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, LEGACY.as_ptr()) == 1 {
            delete_legacy(ffi::PyCapsule_GetPointer(capsule, LEGACY.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn drop_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter passes the capsule; a taken one has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// Elements in memory, of one column or of several of one length behind each other.
struct Source {
    data: Buffer,
    rows: usize,
    columns: Option<usize>,
    data_type: TensorType,
    flags: u64,
}

fn capsule(py: Python<'_>, source: Source, versioned: bool) -> PyResult<Bound<'_, PyAny>> {
    let rows = source.rows as i64;
    let (kind, id) = device_pair(source.data.device());
    let data = source.data.expose().py()?.as_ptr().cast();
    let (shape, strides) = ([rows, source.columns.unwrap_or(0) as i64], [1, rows]);
    let exported = Box::into_raw(Box::new(Exported { shape, strides, _data: source.data }));
    // SAFETY: just made; the arrays live as long as the box.
    let (shape, strides) = unsafe { (&raw mut (*exported).shape, &raw mut (*exported).strides) };
    let tensor = Tensor {
        data: if source.rows == 0 { std::ptr::null_mut() } else { data },
        device: TensorDevice { kind, id },
        dimensions: if source.columns.is_some() { 2 } else { 1 },
        data_type: source.data_type,
        shape: shape.cast(),
        strides: strides.cast(),
        byte_offset: 0,
    };
    let context = exported.cast();
    // SAFETY: the capsule owns the boxes until a consumer takes them; its destructor deletes what
    // nobody took. A capsule that could not be made leaves an exception, and a few bytes behind.
    unsafe {
        let object = if versioned {
            let flags = source.flags;
            let managed =
                Versioned { major: 1, minor: 0, context, deleter: Some(delete_versioned), flags, tensor };
            let managed = Box::into_raw(Box::new(managed));
            ffi::PyCapsule_New(managed.cast(), VERSIONED.as_ptr(), Some(drop_versioned))
        } else {
            let managed = Box::into_raw(Box::new(Legacy { tensor, context, deleter: Some(delete_legacy) }));
            ffi::PyCapsule_New(managed.cast(), LEGACY.as_ptr(), Some(drop_legacy))
        };
        Bound::from_owned_ptr_or_err(py, object)
    }
}

fn elements(column: &Column) -> PyResult<(Buffer, TensorType)> {
    let data_type = column.data_type();
    let Some(tensor) = tensor_type(data_type) else {
        return Err(PyBufferError::new_err(format!(
            "a {data_type} column is no tensor; numbers and booleans are"
        )));
    };
    if column.null_count().py()? > 0 {
        return Err(PyBufferError::new_err(format!(
            "a column with {} nulls is no tensor; replace or drop them first",
            column.null_count().py()?
        )));
    }
    let size = data_type.size().unwrap_or(1);
    let data = match column.data() {
        Some(data) => data.slice(column.offset() * size, column.len() * size).py()?,
        None => Context::beside(Device::Cpu).and_then(|host| Buffer::copy_from_slice(&[], &host)).py()?,
    };
    Ok((data, tensor))
}

/// Lets the stream that a consumer names (as the protocol numbers them) wait for the memory.
fn order(py: Python<'_>, data: &Buffer, consumer: Option<isize>) -> PyResult<()> {
    let device = data.device();
    let handle = match (device, consumer) {
        (Device::Cpu, None | Some(-1)) | (_, Some(-1)) => return Ok(()),
        (Device::Cpu, Some(stream)) => {
            return Err(PyValueError::new_err(format!("`stream` is {stream}, but the memory is the host's")));
        }
        // The legacy default stream.
        (_, None) => 1,
        (_, Some(0)) => {
            return Err(PyValueError::new_err("`stream` is 0, which could be either default stream"));
        }
        (_, Some(stream)) => stream as usize,
    };
    let ours = Stream::current(device).py()?;
    data.ready_on(&ours).py()?;
    if device.is_emulated() {
        return py.detach(|| ours.synchronize()).py();
    }
    // SAFETY: the protocol promises a stream of the device.
    unsafe { ours.let_foreign_wait(handle) }.py()
}

/// `__dlpack__` of a column.
pub fn export<'py>(
    py: Python<'py>,
    column: &Column,
    stream: Option<isize>,
    max_version: Option<(u32, u32)>,
    dl_device: Option<(i32, i32)>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let (data, data_type) = elements(column)?;
    let versioned = max_version.is_some_and(|(major, _)| major >= 1);
    let target = match dl_device {
        None => data.device(),
        Some(pair) if pair == device_pair(data.device()) => data.device(),
        Some((CPU, _)) => Device::Cpu,
        Some(pair) => {
            return Err(PyBufferError::new_err(format!(
                "`dl_device` is {pair:?}; the column can be had on {:?} and on the host",
                device_pair(data.device())
            )));
        }
    };
    let moves = target != data.device();
    let copies = copy == Some(true) || moves || !versioned;
    if copies && copy == Some(false) {
        return Err(PyBufferError::new_err(if moves {
            "`copy` is False, but the column is on another device than `dl_device`"
        } else {
            "`copy` is False, but a tensor of DLPack before 1.0 cannot say that it is read-only"
        }));
    }
    let (data, flags) = if copies {
        let ctx = Context::on(target).py()?;
        (py.detach(|| copying::copy_buffer(&data, &ctx)).py()?, IS_COPIED)
    } else {
        (data, READ_ONLY)
    };
    // A copy to the host is waited for; the stream is that of a GPU.
    order(py, &data, stream.filter(|_| data.device() != Device::Cpu || !moves))?;
    let source = Source { data, rows: column.len(), columns: None, data_type, flags };
    capsule(py, source, versioned)
}

/// A table of columns of one numeric type without nulls as a tensor of two dimensions, column by
/// column in memory, in a capsule `dltensor`. The memory is the tensor's own.
#[pyfunction]
#[pyo3(signature = (input, stream=None, mr=None))]
fn to_dlpack<'py>(
    py: Python<'py>,
    input: PyRef<'py, PyTable>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'py, PyResource>>,
) -> PyResult<Bound<'py, PyAny>> {
    let table = input.table();
    let Some(first) = table.columns().first() else {
        return Err(PyValueError::new_err("`input` has no columns, and so its tensor no type"));
    };
    let data_type = first.data_type();
    if let Some(i) = table.columns().iter().position(|column| column.data_type() != data_type) {
        return Err(PyTypeError::new_err(format!(
            "`input` has columns of types {data_type} and {} (column {i}); a tensor has one",
            table.columns()[i].data_type()
        )));
    }
    let parts = table.columns().iter().map(elements).collect::<PyResult<Vec<_>>>()?;
    let ctx = rmm::context(first.device(), stream, mr)?;
    let data = py.detach(|| {
        let bytes = parts.iter().map(|(part, _)| part.len()).sum();
        let mut data = DeviceBuffer::uninit(bytes, &ctx)?;
        let mut at = 0;
        for (part, _) in &parts {
            part.copy_to(&mut data, at)?;
            at += part.len();
        }
        Buffer::try_from(data)
    });
    let data = data.py()?;
    py.detach(|| data.ready_on(ctx.stream()).and_then(|()| ctx.stream().synchronize())).py()?;
    let (rows, columns) = (table.num_rows(), Some(table.num_columns()));
    capsule(py, Source { data, rows, columns, data_type: parts[0].1, flags: IS_COPIED }, false)
}

/// A tensor that was taken out of its capsule: deleted when it goes.
enum Taken {
    Legacy(NonNull<Legacy>),
    Versioned(NonNull<Versioned>),
}

// SAFETY: the deleter may be called from any thread (DLPack), and nothing else uses the pointer.
unsafe impl Send for Taken {}
// SAFETY: shared access only reads.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: the tensor was taken from its capsule, so that this is the only call. Producers may
        // need the GIL for it.
        Python::attach(|_| unsafe {
            match self {
                Self::Legacy(tensor) => {
                    if let Some(delete) = tensor.as_ref().deleter {
                        delete(tensor.as_ptr());
                    }
                }
                Self::Versioned(tensor) => {
                    if let Some(delete) = tensor.as_ref().deleter {
                        delete(tensor.as_ptr());
                    }
                }
            }
        });
    }
}

impl Taken {
    /// Takes the tensor of a capsule, which is renamed so that nobody takes it again.
    fn from_capsule(capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let take = |name: &CStr, used: &'static CStr| {
            let pointer = capsule.pointer_checked(Some(name)).ok()?;
            // SAFETY: the capsule is valid; the new name lives for good.
            let renamed = unsafe { ffi::PyCapsule_SetName(capsule.as_ptr(), used.as_ptr()) };
            (renamed == 0).then_some(pointer)
        };
        if let Some(pointer) = take(VERSIONED, VERSIONED_USED) {
            let taken = Self::Versioned(pointer.cast());
            // SAFETY: a capsule of this name holds a versioned tensor (DLPack); its version comes first
            // in every version.
            let major = unsafe { pointer.cast::<Versioned>().as_ref().major };
            if major != 1 {
                return Err(PyBufferError::new_err(format!("the tensor is of DLPack {major}; 1 is known")));
            }
            return Ok(taken);
        }
        if let Some(pointer) = take(LEGACY, LEGACY_USED) {
            return Ok(Self::Legacy(pointer.cast()));
        }
        Err(PyValueError::new_err("`managed_tensor` is no capsule of DLPack, or one that was used before"))
    }

    fn tensor(&self) -> &Tensor {
        // SAFETY: alive until `self` goes.
        unsafe {
            match self {
                Self::Legacy(tensor) => &tensor.as_ref().tensor,
                Self::Versioned(tensor) => &tensor.as_ref().tensor,
            }
        }
    }
}

/// The checked layout of a tensor: elements `first + row * row_stride + column * column_stride`.
struct TensorLayout {
    first: *const u8,
    data_type: DataType,
    device: Device,
    rows: usize,
    columns: usize,
    /// In elements.
    row_stride: i64,
    column_stride: i64,
}

// SAFETY: an address, which is read only while the tensor is alive.
unsafe impl Send for TensorLayout {}
// SAFETY: an address, which is read only while the tensor is alive.
unsafe impl Sync for TensorLayout {}

fn layout(tensor: &Tensor) -> PyResult<TensorLayout> {
    let data_type = data_type(tensor.data_type)?;
    let device = device_named(tensor.device)?;
    let dimensions = match tensor.dimensions {
        n @ (1 | 2) if !tensor.shape.is_null() => n as usize,
        n => {
            return Err(PyValueError::new_err(format!(
                "the tensor has {n} dimensions; a table needs 1 or 2"
            )));
        }
    };
    // SAFETY: the tensor has as many lengths, and strides where there are any (DLPack).
    let (shape, strides) = unsafe {
        let strides =
            (!tensor.strides.is_null()).then(|| std::slice::from_raw_parts(tensor.strides, dimensions));
        (std::slice::from_raw_parts(tensor.shape, dimensions), strides)
    };
    let invalid =
        || PyValueError::new_err(format!("the tensor has the shape {shape:?} and strides {strides:?}"));
    let length = |i: usize| usize::try_from(shape[i]).map_err(|_| invalid());
    let (rows, columns) = (length(0)?, if dimensions == 2 { length(1)? } else { 1 });
    let (row_stride, column_stride) = match (strides, dimensions) {
        (Some(strides), 2) => (strides[0], strides[1]),
        (Some(strides), _) => (strides[0], 0),
        (None, 2) => (shape[1], 1),
        (None, _) => (1, 0),
    };
    let size = data_type.size().unwrap_or(1) as i128;
    let reach = |count: usize, stride: i64| (count.max(1) as i128 - 1) * i128::from(stride) * size;
    let (down, across) = (reach(rows, row_stride), reach(columns, column_stride));
    let most = isize::MAX as i128;
    if down.abs() > most || across.abs() > most || (rows as i128) * (columns as i128) > most / size {
        return Err(invalid());
    }
    let first =
        (tensor.data as usize).checked_add(usize::try_from(tensor.byte_offset)?).ok_or_else(invalid)?;
    if rows > 0 && columns > 0 && tensor.data.is_null() {
        return Err(PyValueError::new_err(format!("the tensor of shape {shape:?} has no memory")));
    }
    Ok(TensorLayout {
        first: first as *const u8,
        data_type,
        device,
        rows,
        columns,
        row_stride,
        column_stride,
    })
}

impl TensorLayout {
    /// The address of column `i`.
    fn column(&self, i: usize) -> *const u8 {
        let size = self.data_type.size().unwrap_or(1) as i64;
        self.first.wrapping_offset((i as i64 * self.column_stride * size) as isize)
    }

    fn copy(&self, taken: Taken, ctx: &Context) -> Result<Table> {
        let size = self.data_type.size().unwrap_or(1);
        let bytes = self.rows * size;
        let taken = std::sync::Arc::new(taken);
        let mut columns = Vec::with_capacity(self.columns.min(1 << 16));
        for i in 0..self.columns {
            ctx.check()?;
            let first = NonNull::new(self.column(i).cast_mut()).filter(|_| bytes > 0);
            let data = match first {
                None => DeviceBuffer::from_host(&[], ctx)?.try_into()?,
                Some(first) if self.row_stride == 1 || self.rows == 1 => {
                    let stream = Stream::current(self.device)?;
                    // SAFETY: the tensor's memory, which is kept until the copy is made: the buffer
                    // waits for it when it goes.
                    let theirs = unsafe { Buffer::from_foreign_on(&stream, first, bytes, taken.clone()) };
                    copying::copy_buffer(&theirs, ctx)?
                }
                Some(first) if self.device == Device::Cpu => {
                    let mut gathered = host_vec::zeroed::<u8>(bytes)?;
                    for (row, place) in gathered.chunks_exact_mut(size).enumerate() {
                        let at = (row as i64 * self.row_stride * size as i64) as isize;
                        // SAFETY: the tensor says that these bytes are there; checked to be in range.
                        unsafe {
                            std::ptr::copy_nonoverlapping(
                                first.as_ptr().offset(at),
                                place.as_mut_ptr(),
                                size,
                            );
                        }
                    }
                    DeviceBuffer::from_host(&gathered, ctx)?.try_into()?
                }
                Some(_) => {
                    return Err(Error::unsupported(format!(
                        "the rows of a tensor on {} lie {} elements apart; make it column-major first",
                        self.device, self.row_stride
                    )));
                }
            };
            columns.push(Column::from_buffer(self.data_type, self.rows, data, None)?);
        }
        Table::with_rows(columns, self.rows)
    }
}

/// A table of the columns of a tensor of one or two dimensions, in memory of its own.
///
/// `managed_tensor` is a capsule of DLPack or an object with `__dlpack__`.
#[pyfunction]
#[pyo3(signature = (managed_tensor, stream=None, mr=None))]
fn from_dlpack(
    managed_tensor: &Bound<'_, PyAny>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyTable> {
    let py = managed_tensor.py();
    let capsule = if managed_tensor.is_instance_of::<PyCapsule>() {
        managed_tensor.clone()
    } else if managed_tensor.hasattr("__dlpack__")? {
        let wanted = PyDict::new(py);
        wanted.set_item("max_version", (1, 0))?;
        match managed_tensor.call_method("__dlpack__", (), Some(&wanted)) {
            // A producer from before 1.0 does not know the argument.
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                managed_tensor.call_method0("__dlpack__")?
            }
            other => other?,
        }
    } else {
        return Err(PyTypeError::new_err(format!(
            "`managed_tensor` must be a capsule or have __dlpack__; it is a {}",
            managed_tensor.get_type()
        )));
    };
    let taken = Taken::from_capsule(&capsule.cast_into::<PyCapsule>()?)?;
    let layout = layout(taken.tensor())?;
    let ctx = rmm::context(layout.device, stream, mr)?;
    if layout.device != Device::Cpu && !layout.device.is_emulated() {
        // The producer made the legacy default stream wait, as none was named.
        // SAFETY: 1 is a stream of every device.
        unsafe { Stream::current(layout.device).py()?.wait_for_foreign(1) }.py()?;
    }
    // Letting go of the tensor may take the GIL.
    py.detach(|| layout.copy(taken, &ctx)).py().map(PyTable::new_from)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(to_dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(from_dlpack, module)?)
}
