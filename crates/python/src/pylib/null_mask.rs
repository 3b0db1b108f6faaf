//! Masks of their own: validity bits as buffers.

use cuprum_column::null_mask::{self, MaskState};
use cuprum_column::{Buffer, Column, Context, Device, Result};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::binding::device_of;
use super::column::in_words;
use super::memory_view::buffer_of;
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::rmm;
use crate::rmm::buffer::PyDeviceBuffer;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;

/// The mask of an argument `bitmask`, of which the bits from `start` up to `stop` are asked for.
fn mask_of(bitmask: &Bound<'_, PyAny>, start: usize, stop: usize) -> PyResult<Buffer> {
    if start > stop {
        return Err(PyValueError::new_err(format!("bits {start} to {stop} are no range")));
    }
    in_words(buffer_of("bitmask", bitmask)?, stop).py()
}

/// A new mask that `make` makes.
fn made(
    py: Python<'_>,
    ctx: &Context,
    make: impl FnOnce(&Context) -> Result<Buffer> + Send,
) -> PyResult<PyDeviceBuffer> {
    py.detach(|| make(ctx)).py_argument().map(PyDeviceBuffer::shared)
}

#[pyfunction]
#[pyo3(signature = (col, stream=None, mr=None))]
fn copy_bitmask(
    col: PyRef<'_, PyColumn>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyDeviceBuffer> {
    let (py, column) = (col.py(), col.0.clone());
    let ctx = rmm::context(column.device(), stream, mr)?;
    made(py, &ctx, |ctx| null_mask::copy_bitmask(&column, ctx))
}

#[pyfunction]
#[pyo3(signature = (bitmask, begin_bit, end_bit, stream=None, mr=None))]
fn copy_bitmask_from_bitmask(
    bitmask: &Bound<'_, PyAny>,
    begin_bit: usize,
    end_bit: usize,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyDeviceBuffer> {
    let mask = mask_of(bitmask, begin_bit, end_bit)?;
    let ctx = rmm::context(mask.device(), stream, mr)?;
    made(bitmask.py(), &ctx, |ctx| null_mask::copy_bitmask_from_bitmask(&mask, begin_bit, end_bit, ctx))
}

#[pyfunction]
fn bitmask_allocation_size_bytes(number_of_bits: usize) -> usize {
    null_mask::bitmask_allocation_size_bytes(number_of_bits)
}

/// `state` is the number of one of pylibcuprum's `MaskState`s.
#[pyfunction]
#[pyo3(signature = (size, state, stream=None, mr=None))]
fn create_null_mask(
    py: Python<'_>,
    size: usize,
    state: u8,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyDeviceBuffer> {
    let state = match state {
        0 => MaskState::Unallocated,
        1 => MaskState::Uninitialized,
        2 => MaskState::AllValid,
        3 => MaskState::AllNull,
        _ => return Err(PyValueError::new_err(format!("`state` {state} is no MaskState"))),
    };
    let ctx = rmm::context(Device::chosen(), stream, mr)?;
    made(py, &ctx, |ctx| null_mask::create_null_mask(size, state, ctx))
}

#[pyfunction]
#[pyo3(signature = (bitmask, begin_bit, end_bit, stream=None, mr=None))]
fn mask_to_bools(
    bitmask: &Bound<'_, PyAny>,
    begin_bit: usize,
    end_bit: usize,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyColumn> {
    let mask = mask_of(bitmask, begin_bit, end_bit)?;
    let ctx = rmm::context(mask.device(), stream, mr)?;
    let bools = bitmask.py().detach(|| null_mask::mask_to_bools(&mask, begin_bit, end_bit, &ctx));
    bools.py_argument().map(PyColumn::plain)
}

/// `bitmask_and` or `bitmask_or`.
type Combine = fn(&[&Column], &Context) -> Result<Option<(Buffer, usize)>>;

/// The masks of columns of one length combined by `combine`; no bytes where nothing is null.
fn combined(
    py: Python<'_>,
    columns: &[PyRef<'_, PyColumn>],
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
    combine: Combine,
) -> PyResult<(PyDeviceBuffer, usize)> {
    let columns: Vec<Column> = columns.iter().map(|column| column.0.clone()).collect();
    let ctx = rmm::context(device_of(&columns), stream, mr)?;
    let combined = py.detach(|| {
        let columns: Vec<&Column> = columns.iter().collect();
        match combine(&columns, &ctx)? {
            Some(combined) => Ok(combined),
            None => Ok((null_mask::create_null_mask(0, MaskState::Unallocated, &ctx)?, 0)),
        }
    });
    combined.py_argument().map(|(mask, nulls)| (PyDeviceBuffer::shared(mask), nulls))
}

#[pyfunction]
#[pyo3(signature = (columns, stream=None, mr=None))]
fn bitmask_and(
    py: Python<'_>,
    columns: Vec<PyRef<'_, PyColumn>>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<(PyDeviceBuffer, usize)> {
    combined(py, &columns, stream, mr, null_mask::bitmask_and)
}

#[pyfunction]
#[pyo3(signature = (columns, stream=None, mr=None))]
fn bitmask_or(
    py: Python<'_>,
    columns: Vec<PyRef<'_, PyColumn>>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<(PyDeviceBuffer, usize)> {
    combined(py, &columns, stream, mr, null_mask::bitmask_or)
}

#[pyfunction]
#[pyo3(signature = (bitmask, start, stop, stream=None))]
fn null_count(
    bitmask: &Bound<'_, PyAny>,
    start: usize,
    stop: usize,
    stream: Option<StreamArgument>,
) -> PyResult<usize> {
    let mask = mask_of(bitmask, start, stop)?;
    let ctx = rmm::context(mask.device(), stream, None)?;
    bitmask.py().detach(|| null_mask::null_count(Some(&mask), start, stop, &ctx)).py_argument()
}

#[pyfunction]
#[pyo3(signature = (bitmask, start, stop, stream=None))]
fn index_of_first_set_bit(
    bitmask: &Bound<'_, PyAny>,
    start: usize,
    stop: usize,
    stream: Option<StreamArgument>,
) -> PyResult<usize> {
    let mask = mask_of(bitmask, start, stop)?;
    let ctx = rmm::context(mask.device(), stream, None)?;
    let first = bitmask.py().detach(|| null_mask::index_of_first_set_bit(&mask, start, stop, &ctx));
    Ok(first.py_argument()?.unwrap_or(stop - start))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let masks = PyModule::new(module.py(), "_null_mask")?;
    masks.add_function(wrap_pyfunction!(copy_bitmask, &masks)?)?;
    masks.add_function(wrap_pyfunction!(copy_bitmask_from_bitmask, &masks)?)?;
    masks.add_function(wrap_pyfunction!(bitmask_allocation_size_bytes, &masks)?)?;
    masks.add_function(wrap_pyfunction!(create_null_mask, &masks)?)?;
    masks.add_function(wrap_pyfunction!(mask_to_bools, &masks)?)?;
    masks.add_function(wrap_pyfunction!(bitmask_and, &masks)?)?;
    masks.add_function(wrap_pyfunction!(bitmask_or, &masks)?)?;
    masks.add_function(wrap_pyfunction!(null_count, &masks)?)?;
    masks.add_function(wrap_pyfunction!(index_of_first_set_bit, &masks)?)?;
    module.add("_null_mask", masks)
}
