//! Columns of the type of another one: empty, of zeros, of one value.

use cuprum_column::{
    Column, Context, DataType, Device, Error, Result, Scalar, UNKNOWN_NULL_COUNT, have_same_types, null_mask,
};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives;
use cuprum_runtime::{Buffer, DeviceUVec};

use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};

/// Whether a new column gets a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskAllocationPolicy {
    /// No mask.
    Never,
    /// A mask if the other column has one.
    Retain,
    /// A mask.
    Always,
}

/// A column without rows, of the type of `column` with all that is inside. It shares no memory.
pub fn empty_like(column: &Column) -> Result<Column> {
    func_range!(c"copying.empty_like");
    let data_type = column.data_type();
    let children = match (data_type, column.children()) {
        (DataType::List, [_, elements]) => vec![Column::empty(DataType::Int32), empty_like(elements)?],
        (_, children) if data_type.is_nested() || data_type == DataType::Dictionary32 => {
            children.iter().map(empty_like).collect::<Result<_>>()?
        }
        _ => return Ok(Column::empty(data_type)),
    };
    // SAFETY: nothing refers to anything: there are no rows.
    unsafe { Column::from_parts_unchecked(data_type, 0, 0, None, None, children) }
}

/// A column of `len` zeros of the fixed-width type of `column`, on the context's device. A mask that the
/// policy gives it is all valid.
///
/// Fails with `DataType` for types of no fixed width.
pub fn allocate_like(
    column: &Column,
    len: usize,
    policy: MaskAllocationPolicy,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"copying.allocate_like");
    check_device!(ctx, []);
    let Some(size) = column.data_type().size() else {
        return Err(Error::data_type(format!(
            "`column` is {}, which has no fixed width",
            column.data_type()
        )));
    };
    let bytes = len
        .checked_mul(size)
        .ok_or_else(|| Error::overflow(format!("{len} rows of {size} bytes do not fit in memory")))?;
    let data: Buffer = DeviceUVec::<u8>::zeroed(bytes, ctx)?.into_buffer().try_into()?;
    let has_mask = match policy {
        MaskAllocationPolicy::Never => false,
        MaskAllocationPolicy::Retain => column.mask().is_some(),
        MaskAllocationPolicy::Always => true,
    };
    let mask = if has_mask {
        Some((null_mask::create_null_mask(len, null_mask::MaskState::AllValid, ctx)?, UNKNOWN_NULL_COUNT))
    } else {
        None
    };
    Column::from_buffer(column.data_type(), len, data, mask)
}

/// Fails with `DataType` where a scalar is no element of a column: it is of another type, also inside.
/// The elements of a dictionary are its keys.
pub(super) fn check_scalar(name: &str, scalar: &Scalar, column: &Column) -> Result<()> {
    let expected = match column.data_type() {
        DataType::Dictionary32 => column.keys()?.data_type(),
        data_type => data_type,
    };
    let is_same_inside = || scalar.row().is_none_or(|row| have_same_types(row, column));
    if scalar.data_type() == expected && is_same_inside() {
        return Ok(());
    }
    Err(Error::data_type(format!(
        "`{name}` is {}, the column has elements of {expected}",
        scalar.data_type()
    )))
}

/// `len` rows of `scalar` as a column of the type of `like`, on the context's device.
pub(crate) fn scalar_rows(scalar: &Scalar, like: &Column, len: usize, ctx: &Context) -> Result<Column> {
    let data_type = like.data_type();
    let is_plain = data_type.size().is_some() || data_type == DataType::String;
    if is_plain && !ctx.is_on_gpu() {
        return Column::from_scalar(scalar, len, ctx);
    }
    if scalar.is_null() {
        return gather_column(&like.slice(0, 0)?, &constant(-1, len, ctx)?, OutOfBoundsPolicy::Nullify, ctx);
    }
    let host = Context::on(Device::Cpu)?;
    let row = match (data_type, scalar.row()) {
        (DataType::Dictionary32, _) => {
            let key = Column::from_scalar(scalar, 1, &host)?;
            Column::dictionary(Column::from_slice(&[0u8], &host)?, key, None)?
        }
        (_, Some(row)) => row.clone(),
        (_, None) => Column::from_scalar(scalar, 1, &host)?,
    };
    let row = row.to_host()?.to_device(ctx)?;
    if len == 1 {
        return Ok(row);
    }
    gather_column(&row, &constant(0, len, ctx)?, OutOfBoundsPolicy::Check, ctx)
}

/// The same row number `len` times.
fn constant(row: i32, len: usize, ctx: &Context) -> Result<Column> {
    let rows = primitives::fill(row, len, ctx)?;
    Column::from_buffer(DataType::Int32, len, rows.into_buffer().try_into()?, None)
}
