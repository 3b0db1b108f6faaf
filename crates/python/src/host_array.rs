//! Columns as Python buffers: `numpy.frombuffer` views them without a copy.

use std::ffi::c_int;

use cuprum_column::{
    Bitmap, Buffer, Column, Context, DataType, Detail, Device, Error, HostUVec, Result, TimeUnit,
    dispatch_storage,
};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::dtype;
use crate::errors::IntoPyResult;

/// Read-only host memory of one column, one-dimensional and packed: a copy for columns of other devices.
///
/// Implements the buffer protocol; ``numpy.frombuffer(array, dtype=array.dtype)`` is a view that
/// keeps the memory alive.
#[pyclass(frozen, module = "cuprum", name = "HostArray")]
pub struct HostArray {
    buffer: Buffer,
    len: usize,
    /// The NumPy dtype to view the memory with.
    numpy: String,
}

impl HostArray {
    fn copied<T: bytemuck::NoUninit>(values: HostUVec<T>, numpy: String) -> Self {
        let len = values.len();
        Self { buffer: values.into_buffer(), len, numpy }
    }

    /// The number of values.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The address of the values, valid as long as this lives.
    pub fn address(&self) -> Result<*const u8> {
        Ok(self.buffer.expose()?.as_ptr())
    }

    /// The stored values of a fixed-width column, shared; undefined under nulls. Days are stored in
    /// 32 bits and come out as `int32`.
    pub fn stored(column: &Column) -> Result<Self> {
        let (column, data_type) = (&column.to_host()?, column.data_type());
        dispatch_storage!(data_type, T => {
            // Checks the length, so that the slice below is in range.
            let view = column.view()?;
            let values = view.values::<T>()?;
            let buffer = match column.data() {
                Some(data) => data.slice(column.offset() * size_of::<T>(), size_of_val(values))?,
                None => Buffer::copy_from_slice(&[], &Context::beside(Device::Cpu)?)?,
            };
            let numpy = match data_type {
                DataType::Timestamp(TimeUnit::Days) | DataType::Duration(TimeUnit::Days) => "int32".to_owned(),
                other => dtype::numpy_name(other),
            };
            Ok(Self { buffer, len: column.len(), numpy })
        }, else => {
            Err(Error::data_type(format!("{data_type} is no type of NumPy arrays")))
        })
    }

    /// The values as NumPy holds them, nulls written in NumPy's way: NaN, which makes integers
    /// float64, and NaT. Shared where nothing has to change. Booleans with nulls have no such form
    /// and fail with [`DataType`](cuprum_column::ErrorKind::DataType), an integer that float64 would
    /// round with [`Overflow`](cuprum_column::ErrorKind::Overflow).
    pub fn with_missing(column: &Column) -> Result<Self> {
        let (column, ctx) = (&column.to_host()?, &Context::beside(Device::Cpu)?);
        let data_type = column.data_type();
        let days =
            matches!(data_type, DataType::Timestamp(TimeUnit::Days) | DataType::Duration(TimeUnit::Days));
        let view = column.view()?;
        let Some(validity) = view.validity() else {
            if days {
                let values = view.values::<i32>()?;
                let wide = HostUVec::from_fn(values.len(), ctx, |i| i64::from(values[i]))?;
                return Ok(Self::copied(wide, dtype::numpy_name(data_type)));
            }
            return Self::stored(column);
        };
        let len = column.len();
        let name = dtype::numpy_name(data_type);
        if data_type == DataType::Bool8 {
            return Err(Error::data_type("a bool column with nulls has no packed NumPy form"));
        }
        if data_type == DataType::Float32 {
            let values = view.values::<f32>()?;
            let filled = |i| if validity.get(i) { values[i] } else { f32::NAN };
            return Ok(Self::copied(HostUVec::from_fn(len, ctx, filled)?, name));
        }
        dispatch_storage!(data_type, T => {
            use cuprum_column::Native;
            let values = view.values::<T>()?;
            if data_type.is_numeric() {
                match data_type {
                    DataType::Int64 => check_exact(view.values::<i64>()?, validity, i64::unsigned_abs)?,
                    DataType::UInt64 => check_exact(view.values::<u64>()?, validity, |value| value)?,
                    _ => {}
                }
                let filled = |i: usize| if validity.get(i) { values[i].as_f64() } else { f64::NAN };
                // as_f64 goes through the type itself, so unsigned values keep their size.
                Ok(Self::copied(HostUVec::from_fn(len, ctx, filled)?, "float64".to_owned()))
            } else {
                let filled = |i: usize| if validity.get(i) { values[i].as_i64() } else { i64::MIN };
                Ok(Self::copied(HostUVec::from_fn(len, ctx, filled)?, name))
            }
        }, else => Self::stored(column))
    }

    /// One boolean per row, true where the row is null: pandas' masks.
    pub fn null_flags(column: &Column) -> Result<Self> {
        let (column, ctx) = (&column.to_host()?, &Context::beside(Device::Cpu)?);
        let view = column.view()?;
        let validity = view.validity();
        let flags = HostUVec::from_fn(column.len(), ctx, |i| u8::from(validity.is_some_and(|v| !v.get(i))))?;
        Ok(Self::copied(flags, "bool".to_owned()))
    }
}

/// Refuses integers of more than the 53 significant bits that float64 has.
fn check_exact<T: Copy + std::fmt::Display>(
    values: &[T],
    validity: Bitmap<'_>,
    magnitude: impl Fn(T) -> u64,
) -> Result<()> {
    let rounded = |&i: &usize| {
        let magnitude = magnitude(values[i]);
        let significant = u64::BITS - magnitude.leading_zeros() - magnitude.trailing_zeros().min(63);
        magnitude >> f64::MANTISSA_DIGITS != 0 && significant > f64::MANTISSA_DIGITS && validity.get(i)
    };
    match (0..values.len()).find(rounded) {
        None => Ok(()),
        Some(i) => Err(Error::overflow(format!(
            "{} in row {i} has no exact float64, which integers beside missing ones become: pass `nullable=True` \
             (pandas' types) or `na_value=None` (objects), or cast to float64",
            values[i]
        ))
        .with_detail(Detail::InexactInteger { value: values[i].to_string() })),
    }
}

#[pymethods]
impl HostArray {
    /// The name of the NumPy dtype of the elements.
    #[getter]
    fn dtype(&self) -> &str {
        &self.numpy
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// # Safety
    /// `view` is null or a buffer to fill in, as the interpreter calls it.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let this = slf.get();
        // SAFETY: as the interpreter calls it.
        unsafe { fill_view(&this.buffer, slf.as_any(), view, flags) }
    }
}

/// Fills in a buffer of Python with host memory that `owner` keeps alive.
///
/// # Safety
/// `view` is null or a buffer to fill in, as the interpreter calls it.
pub unsafe fn fill_view(
    memory: &Buffer,
    owner: &Bound<'_, PyAny>,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("no buffer to fill in"));
    }
    if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
        // SAFETY: the interpreter passes a buffer it may read `obj` of after a failure.
        unsafe { (*view).obj = std::ptr::null_mut() };
        return Err(PyBufferError::new_err("the memory is read-only"));
    }
    let address = memory.expose().py().inspect_err(|_| {
        // SAFETY: the interpreter passes a buffer it may read `obj` of after a failure.
        unsafe { (*view).obj = std::ptr::null_mut() };
    })?;
    // Bytes, which NumPy views as any dtype: its times have no format of their own.
    let format = if flags & ffi::PyBUF_FORMAT == 0 { std::ptr::null_mut() } else { c"B".as_ptr().cast_mut() };
    let (null, strides) = (std::ptr::null_mut(), ffi::PyBUF_STRIDES & !ffi::PyBUF_ND);
    // SAFETY: `view` is valid for writes (interpreter's contract). The memory lives as long as
    // `owner`, of which the view gets a reference; `shape` and `strides` stay null or point into
    // the view itself, as the protocol allows for one dimension of bytes.
    unsafe {
        (*view).buf = address.as_ptr().cast();
        (*view).len = memory.len() as ffi::Py_ssize_t;
        (*view).readonly = 1;
        (*view).itemsize = 1;
        (*view).ndim = 1;
        (*view).format = format;
        (*view).shape = if flags & ffi::PyBUF_ND == 0 { null } else { &raw mut (*view).len };
        (*view).strides = if flags & strides == 0 { null } else { &raw mut (*view).itemsize };
        (*view).suboffsets = null;
        (*view).internal = std::ptr::null_mut();
        (*view).obj = owner.clone().into_ptr();
    }
    Ok(())
}
