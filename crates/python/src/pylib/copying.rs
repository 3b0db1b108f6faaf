//! Copies that share nothing, and columns like others.

use arrow_array::new_null_array;
use cuprum_column::arrow::{arrow_type, from_arrow};
use cuprum_column::{Buffer, Column, Context, DataType, Device, Result};
use cuprum_runtime::DeviceBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::cuda::device;
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;

/// The context of a move to `device`; where it is not named, to the device of `mr` or `stream`, or to
/// the first GPU.
pub fn target(
    device: Option<&Bound<'_, PyAny>>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<Context> {
    let named = device.map(device::parse).transpose()?;
    let default = match named {
        Some(device) => device,
        None if stream.is_some() || mr.is_some() => Device::Cpu,
        None => device::parse_gpu(None)?,
    };
    let ctx = rmm::context(default, stream, mr)?;
    let there = ctx.resource().device();
    match named {
        Some(device) if device != there => {
            Err(PyValueError::new_err(format!("`device` is {device}, `stream` or `mr` is of {there}")))
        }
        _ => Ok(ctx),
    }
}

/// The column that `make` makes in host memory, on the context's device.
pub fn made_on(ctx: &Context, make: impl FnOnce(&Context) -> Result<Column>) -> Result<Column> {
    if ctx.resource().device() == Device::Cpu {
        return make(ctx);
    }
    make(&Context::on(Device::Cpu)?)?.to_device(ctx)
}

/// A copy in memory of the context's resource.
pub fn copy_buffer(buffer: &Buffer, ctx: &Context) -> Result<Buffer> {
    let mut copy = DeviceBuffer::uninit(buffer.len(), ctx)?;
    buffer.copy_to(&mut copy, 0)?;
    copy.try_into()
}

/// A copy of the column and everything inside in memory of the context's resource; rows that a slice
/// leaves out are left out where the copy goes to another device.
pub fn copy_column(column: &Column, ctx: &Context) -> Result<Column> {
    if column.device() != ctx.resource().device() {
        return column.to_device(ctx);
    }
    let copy = |buffer: Option<&Buffer>| buffer.map(|buffer| copy_buffer(buffer, ctx)).transpose();
    let mask = match copy(column.mask())? {
        Some(mask) => Some((mask, column.null_count()?)),
        None => None,
    };
    let children = column.children().iter().map(|child| copy_column(child, ctx)).collect::<Result<_>>()?;
    let (data_type, offset) = (column.data_type(), column.offset());
    // SAFETY: the parts are copies of those of a column.
    unsafe {
        Column::from_parts_unchecked(data_type, column.len(), offset, copy(column.data())?, mask, children)
    }
}

/// A column of `len` nulls of the type of `like`, with all that is inside.
pub fn nulls_like(like: &Column, len: usize, ctx: &Context) -> Result<Column> {
    match like.data_type() {
        DataType::List | DataType::Struct | DataType::Dictionary32 => {
            from_arrow(&new_null_array(&arrow_type(like), len), ctx)
        }
        data_type => Column::nulls(data_type, len, ctx),
    }
}
