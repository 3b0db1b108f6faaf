//! `__cuda_array_interface__`, versions 2 and 3, both ways.
//!
//! Memory on an emulated GPU is memory of the host that pretends: other libraries would take its
//! addresses for a GPU's. So it has no interface in public; [`_device_interface`] and
//! [`_column_from_device_interface`] are for the tests, which say which device they mean.

use std::ptr::NonNull;

use cuprum_column::{Buffer, Column, Context, DataType, Device, null_mask};
use cuprum_runtime::Stream;
use pyo3::exceptions::{PyAttributeError, PyNotImplementedError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::data_type::typestr;
use super::shape;
use crate::column::PyColumn;
use crate::cuda::device;
use crate::errors::IntoPyResult;

pub const ATTRIBUTE: &str = "__cuda_array_interface__";

/// Stands for the address of no memory.
const NO_ADDRESS: usize = 64;

/// The description of a contiguous array by its interface.
struct Described {
    address: usize,
    shape: Vec<usize>,
    elements: usize,
    data_type: DataType,
    /// Bits instead of bytes, as masks may be.
    bits: bool,
    stream: Option<usize>,
}

fn invalid(text: String) -> PyErr {
    PyValueError::new_err(format!("`{ATTRIBUTE}` {text}"))
}

fn describe(interface: &Bound<'_, PyDict>) -> PyResult<Described> {
    let optional = |name: &str| Ok::<_, PyErr>(interface.get_item(name)?.filter(|value| !value.is_none()));
    let field = |name: &str| optional(name)?.ok_or_else(|| invalid(format!("has no '{name}'")));
    let version: i64 = field("version")?.extract()?;
    if version < 2 {
        return Err(invalid(format!("is of version {version}; 2 and 3 are known")));
    }
    let code: String = field("typestr")?.extract()?;
    let bits = code.get(1..) == Some("t1");
    let little = cfg!(target_endian = "little");
    if code.starts_with(if little { '>' } else { '<' }) && !code.ends_with('1') {
        return Err(invalid(format!("has the typestr '{code}', of another byte order")));
    }
    let name = if bits { Some("u1") } else { code.get(1..) };
    let named = name.and_then(DataType::from_name).filter(|t| t.is_fixed_width());
    let days = |t: &DataType| t.is_chrono() && t.size() == Some(4);
    let data_type = named
        .filter(|t| !days(t))
        .ok_or_else(|| PyTypeError::new_err(format!("an array of type '{code}' has no column type")))?;
    let shape: Vec<usize> = field("shape")?.extract()?;
    let size = data_type.size().unwrap_or(1);
    let elements = shape::elements(&shape)
        .filter(|n| n.checked_mul(size).is_some_and(|bytes| isize::try_from(bytes).is_ok()))
        .ok_or_else(|| invalid(format!("has the shape {shape:?}, which is too large")))?;
    let strides: Option<Vec<isize>> = optional("strides")?.map(|s| s.extract()).transpose()?;
    if !shape::is_c_contiguous(shape.clone(), strides.clone(), size) {
        return Err(invalid(format!(
            "has the strides {strides:?} for the shape {shape:?}; the array has to be contiguous"
        )));
    }
    let (address, _read_only): (usize, bool) = field("data")?.extract()?;
    if elements > 0 && (address == 0 || !address.is_multiple_of(size)) {
        return Err(invalid(format!("has the address {address:#x} for elements of {size} bytes")));
    }
    let stream: Option<usize> = optional("stream")?.map(|s| s.extract()).transpose()?;
    if stream == Some(0) {
        return Err(invalid("has the stream 0, which could be either default stream".to_owned()));
    }
    Ok(Described { address, shape, elements, data_type, bits, stream })
}

fn interface_of<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    if !obj.hasattr(ATTRIBUTE)? {
        return Err(PyTypeError::new_err(format!("`obj` has no {ATTRIBUTE}: it is a {}", obj.get_type())));
    }
    obj.getattr(ATTRIBUTE)?.cast_into().map_err(Into::into)
}

impl Described {
    /// The memory, shared with `owner` and ordered after what its stream was given.
    fn buffer(&self, owner: &Bound<'_, PyAny>, stream: &Stream) -> PyResult<Buffer> {
        if let Some(foreign) = self.stream {
            // SAFETY: the interface promises a stream of the device of the memory.
            unsafe { stream.wait_for_foreign(foreign) }.py()?;
        }
        let size = if self.bits { 0 } else { self.data_type.size().unwrap_or(1) };
        let bytes = if self.bits { self.elements.div_ceil(8) } else { self.elements * size };
        let first = NonNull::new(self.address as *mut u8).unwrap_or(NonNull::dangling());
        // SAFETY: the interface promises this memory while its object lives, of which the buffer keeps
        // a reference; nobody writes to it, which is asked of whoever shares memory with a column.
        Ok(unsafe { Buffer::from_foreign_on(stream, first, bytes, owner.clone().unbind()) })
    }
}

/// The contiguous memory of an object with the interface.
pub fn buffer_from(obj: &Bound<'_, PyAny>, device: Device) -> PyResult<Buffer> {
    describe(&interface_of(obj)?)?.buffer(obj, &Stream::current(device).py()?)
}

/// A column of an object with the interface, on the device of `stream`; lists for every dimension
/// beyond the first.
pub fn column_from(obj: &Bound<'_, PyAny>, stream: &Stream) -> PyResult<Column> {
    column_from_interface(&interface_of(obj)?, obj, stream)
}

fn column_from_interface(
    interface: &Bound<'_, PyDict>,
    owner: &Bound<'_, PyAny>,
    stream: &Stream,
) -> PyResult<Column> {
    let array = describe(interface)?;
    if array.bits || array.shape.is_empty() {
        return Err(invalid(format!(
            "has the shape {:?}; a column needs a dimension and whole bytes",
            array.shape
        )));
    }
    let data = array.buffer(owner, stream)?;
    let mask = match interface.get_item("mask")?.filter(|mask| !mask.is_none()) {
        Some(mask) if array.shape.len() == 1 => Some(mask_from(&mask, array.elements, stream)?),
        Some(_) => return Err(PyNotImplementedError::new_err("masks of arrays with several dimensions")),
        None => None,
    };
    let column = Column::from_buffer(array.data_type, array.elements, data, mask).py_argument()?;
    shape::nest(column, &array.shape).py_argument()
}

/// A mask from an array of `len` bits or of bytes, where what is not 0 is valid.
fn mask_from(mask: &Bound<'_, PyAny>, len: usize, stream: &Stream) -> PyResult<(Buffer, usize)> {
    let described = describe(&interface_of(mask)?)?;
    if described.elements != len || described.shape.len() != 1 || described.data_type.size() != Some(1) {
        return Err(invalid(format!(
            "has a mask of shape {:?} and type {} for {len} elements",
            described.shape, described.data_type
        )));
    }
    let buffer = described.buffer(mask, stream)?;
    let move_mask = || {
        let (host, target) = (Context::on(Device::Cpu)?, Context::on(stream.device())?);
        let bytes = buffer.to_device(&host)?;
        let bytes = bytes.span::<u8>()?;
        let bytes = bytes.as_host_slice()?;
        let valid = |i: usize| if described.bits { bytes[i / 8] >> (i % 8) & 1 != 0 } else { bytes[i] != 0 };
        let (bits, nulls) = null_mask::from_fn(len, &host, valid)?;
        Ok((bits.to_device(&target)?, nulls))
    };
    move_mask().py()
}

/// An interface of `len` elements that begin where the buffer does, in order with nothing: the work
/// that writes them is waited for.
pub fn interface<'py>(
    py: Python<'py>,
    buffer: &Buffer,
    len: usize,
    code: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let stream = Stream::current(buffer.device()).py()?;
    py.detach(|| buffer.ready_on(&stream).and_then(|()| stream.synchronize())).py()?;
    let interface = PyDict::new(py);
    // CUDA's interface has no address for no elements.
    let address = if len == 0 { 0 } else { buffer.expose().py()?.as_ptr() as usize };
    interface.set_item("data", (address, true))?;
    interface.set_item("shape", (len,))?;
    interface.set_item("strides", py.None())?;
    interface.set_item("typestr", code)?;
    interface.set_item("version", 3)?;
    if buffer.device() != Device::Cpu {
        interface.set_item("stream", py.None())?;
    }
    Ok(interface)
}

/// The bits of a mask, as the object that an interface names.
#[pyclass(frozen, module = "pylibcuprum.column")]
struct MaskBits {
    interface: Py<PyDict>,
    _buffer: Buffer,
}

#[pymethods]
impl MaskBits {
    #[getter]
    fn __cuda_array_interface__(&self, py: Python<'_>) -> Py<PyDict> {
        self.interface.clone_ref(py)
    }
}

/// The interface of a fixed-width column on whatever device.
pub fn export<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyDict>> {
    let code = typestr(column.data_type()).ok_or_else(|| {
        PyAttributeError::new_err(format!("a {} column has no {ATTRIBUTE}", column.data_type()))
    })?;
    let size = column.data_type().size().unwrap_or(1);
    let (offset, len) = (column.offset(), column.len());
    let data = match column.data() {
        Some(data) => data.slice(offset * size, len * size).py()?,
        None => Context::beside(Device::Cpu).and_then(|host| Buffer::copy_from_slice(&[], &host)).py()?,
    };
    let described = interface(py, &data, len, &code)?;
    if let Some(mask) = column.mask().filter(|_| column.has_nulls()) {
        let bits = aligned_bits(mask, column).py()?;
        let described_bits = interface(py, &bits, len, "|t1")?;
        let mask = MaskBits { interface: described_bits.unbind(), _buffer: bits };
        described.set_item("mask", Bound::new(py, mask)?)?;
    }
    Ok(described)
}

/// The bits of the rows of a column, from the first bit of a byte on.
fn aligned_bits(mask: &Buffer, column: &Column) -> cuprum_column::Result<Buffer> {
    let (offset, len) = (column.offset(), column.len());
    if offset.is_multiple_of(8) {
        return mask.slice(offset / 8, len.div_ceil(8));
    }
    null_mask::copy_bitmask(column, &Context::on(column.device())?)
}

/// NumPy's interface of a fixed-width column without nulls in host memory.
pub fn export_host<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyDict>> {
    const NAME: &str = "__array_interface__";
    if column.device() != Device::Cpu {
        return Err(PyAttributeError::new_err(format!("a column on {} has no {NAME}", column.device())));
    }
    if column.has_nulls() {
        return Err(PyAttributeError::new_err(format!(
            "a column with {} nulls has no {NAME}",
            column.null_count().py()?
        )));
    }
    let interface = export(py, column)?;
    if column.is_empty() {
        // NumPy wants an address also where there is nothing.
        interface.set_item("data", (NO_ADDRESS, true))?;
    }
    Ok(interface)
}

/// The interface of a column on any GPU, emulated ones too; for the package's own tests.
#[pyfunction]
fn _device_interface<'py>(py: Python<'py>, column: PyRef<'py, PyColumn>) -> PyResult<Bound<'py, PyDict>> {
    export(py, &column.0)
}

/// A column of an object whose interface is about memory of `device`; for the package's own tests.
#[pyfunction]
fn _column_from_device_interface(obj: &Bound<'_, PyAny>, device: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
    column_from(obj, &Stream::current(device::parse(device)?).py()?).map(PyColumn::plain)
}

/// A flat interface of an array in C order, and its shape.
pub fn flatten<'py>(interface: &Bound<'py, PyDict>) -> PyResult<Option<(Bound<'py, PyDict>, Vec<usize>)>> {
    let Some(dimensions) = interface.get_item("shape")?.and_then(|s| s.cast_into::<PyTuple>().ok()) else {
        return Ok(None);
    };
    if dimensions.len() < 2 {
        return Ok(None);
    }
    let shape: Vec<usize> = dimensions.extract()?;
    let code: String = interface.get_item("typestr")?.map(|c| c.extract()).transpose()?.unwrap_or_default();
    let digits: String = code.chars().skip(2).take_while(char::is_ascii_digit).collect();
    let size: usize = digits.parse().unwrap_or(0) * if code.get(1..2) == Some("U") { 4 } else { 1 };
    let strides = interface.get_item("strides")?.filter(|s| !s.is_none());
    let strides: Option<Vec<isize>> = strides.map(|s| s.extract()).transpose()?;
    if !shape::is_c_contiguous(shape.clone(), strides.clone(), size) {
        return Err(PyValueError::new_err(format!(
            "an array of shape {shape:?} with strides {strides:?} is not in C order; copy it first"
        )));
    }
    let total = shape::elements(&shape)
        .ok_or_else(|| PyValueError::new_err(format!("the shape {shape:?} is too large")))?;
    let flat = interface.copy()?;
    flat.set_item("shape", (total,))?;
    flat.set_item("strides", interface.py().None())?;
    Ok(Some((flat, shape)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_device_interface, module)?)?;
    module.add_function(wrap_pyfunction!(_column_from_device_interface, module)?)
}
