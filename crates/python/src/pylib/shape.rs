//! Arrays of several dimensions as lists.

use cuprum_column::{Column, Context, Device, Error, HostUVec, Result};
use pyo3::prelude::*;

/// Whether an array lies in memory row by row without gaps: the C order.
///
/// `strides` are in bytes; None stands for that order. Axes of length 1 may have any stride, and so
/// may all axes of an array without elements.
#[pyfunction]
#[pyo3(signature = (shape, strides, itemsize))]
pub fn is_c_contiguous(shape: Vec<usize>, strides: Option<Vec<isize>>, itemsize: usize) -> bool {
    let Some(strides) = strides else { return true };
    if strides.len() != shape.len() {
        return false;
    }
    if shape.contains(&0) {
        return true;
    }
    let mut expected = itemsize as i128;
    shape.iter().zip(strides).rev().all(|(&length, stride)| {
        let fits = length == 1 || stride as i128 == expected;
        expected = expected.saturating_mul(length as i128);
        fits
    })
}

/// The number of elements of a shape; `None` where it is too large.
pub fn elements(shape: &[usize]) -> Option<usize> {
    // Zeros come first, so that a large axis next to one does not overflow.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |product, &length| product.checked_mul(length))
}

/// The elements of an array in C order as rows along its first axis: lists of lists for every further
/// one. One dimension is the column itself.
pub fn nest(flat: Column, shape: &[usize]) -> Result<Column> {
    let mut column = flat;
    for axis in (1..shape.len()).rev() {
        let rows = elements(&shape[..axis]).ok_or_else(|| Error::overflow(format!("shape {shape:?}")))?;
        column = Column::lists(even_offsets(rows, shape[axis], column.device())?, column, None)?;
    }
    Ok(column)
}

/// The offsets of `rows` lists of `length` elements each.
fn even_offsets(rows: usize, length: usize, device: Device) -> Result<Column> {
    let (host, total) = (Context::on(Device::Cpu)?, rows.checked_mul(length));
    let count = rows.checked_add(1).filter(|_| total.is_some());
    let count = count.ok_or_else(|| Error::overflow(format!("{rows} lists of {length} elements")))?;
    let offsets = if total.is_some_and(|total| i32::try_from(total).is_ok()) {
        Column::from_values(HostUVec::from_fn(count, &host, |i| (i * length) as i32)?)
    } else {
        Column::from_values(HostUVec::from_fn(count, &host, |i| (i * length) as i64)?)
    };
    offsets.to_device(&Context::on(device)?)
}
