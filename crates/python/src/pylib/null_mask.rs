//! Masks of their own: validity bits as buffers.
//!
//! The bits are read and written in host memory; masks of a GPU are copied there and back.

use cuprum_column::{Bitmap, Buffer, Column, Context, Device, Result, null_mask};
use cuprum_runtime::DeviceBuffer;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use super::memory_view::buffer_of;
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::rmm;
use crate::rmm::buffer::PyDeviceBuffer;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::PyStream;

type StreamArgument<'a, 'py> = Option<&'a Bound<'py, PyStream>>;
type ResourceArgument<'a, 'py> = Option<&'a Bound<'py, PyResource>>;

/// A mask that was made in host memory, where `ctx` says.
fn moved(mask: &Buffer, ctx: &Context) -> Result<PyDeviceBuffer> {
    mask.to_device(ctx).map(PyDeviceBuffer::shared)
}

/// Makes a mask in host memory and moves it where the arguments say, `device` where they do not.
fn made<T: Send>(
    py: Python<'_>,
    device: Device,
    (stream, mr): (StreamArgument<'_, '_>, ResourceArgument<'_, '_>),
    make: impl FnOnce(&Context) -> Result<(Buffer, T)> + Send,
) -> PyResult<(PyDeviceBuffer, T)> {
    let ctx = rmm::context(device, stream, mr)?;
    py.detach(|| {
        let (mask, rest) = make(&Context::on(Device::Cpu)?)?;
        Ok((moved(&mask, &ctx)?, rest))
    })
    .py()
}

fn empty(ctx: &Context) -> Result<Buffer> {
    Buffer::copy_from_slice(&[], ctx)
}

/// The bits `[begin, end)` of the mask `bitmask`, in host memory.
fn bits(bitmask: &Bound<'_, PyAny>, begin: usize, end: usize) -> PyResult<(Buffer, Device)> {
    let buffer = buffer_of("bitmask", bitmask)?;
    if begin > end {
        return Err(PyValueError::new_err(format!("bits {begin} to {end} are no range")));
    }
    if end.div_ceil(8) > buffer.len() {
        return Err(PyIndexError::new_err(format!(
            "bits {begin} to {end} of a mask of {} bytes",
            buffer.len()
        )));
    }
    let device = buffer.device();
    Ok((buffer.to_device(&Context::on(Device::Cpu).py()?).py()?, device))
}

#[pyfunction]
#[pyo3(signature = (col, stream=None, mr=None))]
fn copy_bitmask(
    col: PyRef<'_, PyColumn>,
    stream: Option<&Bound<'_, PyStream>>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyDeviceBuffer> {
    let (py, column) = (col.py(), col.0.clone());
    let copy = |ctx: &Context| {
        let host = column.to_host()?;
        let mask = match host.view()?.validity() {
            Some(bits) => null_mask::from_words(host.len(), ctx, |w| bits.word(w))?.0,
            None => empty(ctx)?,
        };
        Ok((mask, ()))
    };
    Ok(made(py, column.device(), (stream, mr), copy)?.0)
}

#[pyfunction]
#[pyo3(signature = (bitmask, begin_bit, end_bit, stream=None, mr=None))]
fn copy_bitmask_from_bitmask(
    bitmask: &Bound<'_, PyAny>,
    begin_bit: usize,
    end_bit: usize,
    stream: Option<&Bound<'_, PyStream>>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyDeviceBuffer> {
    let (buffer, device) = bits(bitmask, begin_bit, end_bit)?;
    let copy = |ctx: &Context| {
        let source = Bitmap::of(&buffer, begin_bit, end_bit - begin_bit);
        Ok((null_mask::from_words(source.len(), ctx, |w| source.word(w))?.0, ()))
    };
    Ok(made(bitmask.py(), device, (stream, mr), copy)?.0)
}

#[pyfunction]
fn bitmask_allocation_size_bytes(number_of_bits: usize) -> usize {
    null_mask::bitmask_allocation_size_bytes(number_of_bits)
}

#[pyfunction]
#[pyo3(signature = (size, allocated, valid, stream=None, mr=None))]
fn create_null_mask(
    py: Python<'_>,
    size: usize,
    allocated: bool,
    valid: bool,
    stream: Option<&Bound<'_, PyStream>>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyDeviceBuffer> {
    let ctx = rmm::context(Device::Cpu, stream, mr)?;
    let mask = py.detach(|| {
        let host = Context::on(Device::Cpu)?;
        let mask = if allocated { null_mask::uniform(valid, size, &host)? } else { empty(&host)? };
        DeviceBuffer::from_host(mask.as_slice()?, &ctx)
    });
    mask.py().map(PyDeviceBuffer::own)
}

/// The masks of columns of one length combined word by word; columns without one count as all valid.
fn combine(
    py: Python<'_>,
    columns: &[Column],
    arguments: (StreamArgument<'_, '_>, ResourceArgument<'_, '_>),
    operator: fn(u64, u64) -> u64,
) -> PyResult<(PyDeviceBuffer, usize)> {
    let len = columns.first().map_or(0, Column::len);
    if let Some(i) = columns.iter().position(|column| column.len() != len) {
        return Err(PyValueError::new_err(format!(
            "`columns` have {len} and {} rows (column {i})",
            columns[i].len()
        )));
    }
    let device = columns.first().map_or(Device::Cpu, Column::device);
    let combine = |ctx: &Context| {
        let hosts = columns.iter().map(Column::to_host).collect::<Result<Vec<_>>>()?;
        if hosts.iter().all(|column| !column.has_nulls()) {
            return Ok((empty(ctx)?, 0));
        }
        let masks = hosts.iter().map(|column| Ok(column.view()?.validity())).collect::<Result<Vec<_>>>()?;
        let word = |w: usize| {
            let words = masks.iter().map(|mask| mask.map_or(u64::MAX, |mask| mask.word(w)));
            words.reduce(operator).unwrap_or(u64::MAX)
        };
        null_mask::from_words(len, ctx, word)
    };
    made(py, device, arguments, combine)
}

fn columns_of(columns: &[PyRef<'_, PyColumn>]) -> Vec<Column> {
    columns.iter().map(|column| column.0.clone()).collect()
}

#[pyfunction]
#[pyo3(signature = (columns, stream=None, mr=None))]
fn bitmask_and(
    py: Python<'_>,
    columns: Vec<PyRef<'_, PyColumn>>,
    stream: Option<&Bound<'_, PyStream>>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<(PyDeviceBuffer, usize)> {
    combine(py, &columns_of(&columns), (stream, mr), |a, b| a & b)
}

#[pyfunction]
#[pyo3(signature = (columns, stream=None, mr=None))]
fn bitmask_or(
    py: Python<'_>,
    columns: Vec<PyRef<'_, PyColumn>>,
    stream: Option<&Bound<'_, PyStream>>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<(PyDeviceBuffer, usize)> {
    combine(py, &columns_of(&columns), (stream, mr), |a, b| a | b)
}

#[pyfunction]
#[pyo3(signature = (bitmask, start, stop, stream=None))]
fn null_count(
    bitmask: &Bound<'_, PyAny>,
    start: usize,
    stop: usize,
    stream: Option<&Bound<'_, PyStream>>,
) -> PyResult<usize> {
    let _ = stream;
    let (buffer, _) = bits(bitmask, start, stop)?;
    Ok(stop - start - Bitmap::of(&buffer, start, stop - start).count_set())
}

#[pyfunction]
#[pyo3(signature = (bitmask, start, stop, stream=None))]
fn index_of_first_set_bit(
    bitmask: &Bound<'_, PyAny>,
    start: usize,
    stop: usize,
    stream: Option<&Bound<'_, PyStream>>,
) -> PyResult<usize> {
    let _ = stream;
    let (buffer, _) = bits(bitmask, start, stop)?;
    Ok(Bitmap::of(&buffer, start, stop - start).set_bits().next().unwrap_or(stop - start))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let masks = PyModule::new(module.py(), "_null_mask")?;
    masks.add_function(wrap_pyfunction!(copy_bitmask, &masks)?)?;
    masks.add_function(wrap_pyfunction!(copy_bitmask_from_bitmask, &masks)?)?;
    masks.add_function(wrap_pyfunction!(bitmask_allocation_size_bytes, &masks)?)?;
    masks.add_function(wrap_pyfunction!(create_null_mask, &masks)?)?;
    masks.add_function(wrap_pyfunction!(bitmask_and, &masks)?)?;
    masks.add_function(wrap_pyfunction!(bitmask_or, &masks)?)?;
    masks.add_function(wrap_pyfunction!(null_count, &masks)?)?;
    masks.add_function(wrap_pyfunction!(index_of_first_set_bit, &masks)?)?;
    module.add("_null_mask", masks)
}
