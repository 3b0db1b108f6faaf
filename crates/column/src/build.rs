//! Constructors of columns that need modules above [`Column`]: from strings, scalars, and nulls of any type.

use cuprum_runtime::{Buffer, Context, Device, Error, HostUVec, Result, primitives};

use crate::column::Column;
use crate::null_mask;
use crate::scalar::{Scalar, Value};
use crate::stored::Native;
use crate::strings;
use crate::types::{DataType, Storage};
use crate::view::ColumnView;

impl Column {
    /// A copy of `values` as a column of `T`'s own type without nulls.
    pub fn from_slice<T: Native>(values: &[T], ctx: &Context) -> Result<Self> {
        by_host(ctx, |ctx| Ok(Self::from_values(HostUVec::from_slice(values, ctx)?)))
    }

    /// A column of `T`'s own type from optional values.
    pub fn from_options<T: Native>(values: &[Option<T>], ctx: &Context) -> Result<Self> {
        by_host(ctx, |ctx| {
            let data = HostUVec::from_fn(values.len(), ctx, |i| values[i].unwrap_or(T::zeroed()))?;
            let mask = null_mask::from_fn(values.len(), ctx, |i| values[i].is_some())?;
            Self::new(T::DATA_TYPE, data, Some(mask))
        })
    }

    /// A boolean column without nulls.
    pub fn from_bools(values: &[bool], ctx: &Context) -> Result<Self> {
        by_host(ctx, |ctx| {
            Self::new(DataType::Bool8, HostUVec::from_fn(values.len(), ctx, |i| u8::from(values[i]))?, None)
        })
    }

    /// A string column without nulls.
    pub fn from_strs<S: AsRef<str> + Sync>(values: &[S], ctx: &Context) -> Result<Self> {
        by_host(ctx, |ctx| strings::from_fn(values.len(), ctx, |i| Some(values[i].as_ref())))
    }

    /// A string column from optional values.
    pub fn from_opt_strs<S: AsRef<str> + Sync>(values: &[Option<S>], ctx: &Context) -> Result<Self> {
        by_host(ctx, |ctx| strings::from_fn(values.len(), ctx, |i| values[i].as_ref().map(AsRef::as_ref)))
    }

    /// `len` copies of one scalar.
    pub fn from_scalar(scalar: &Scalar, len: usize, ctx: &Context) -> Result<Self> {
        let data_type = scalar.data_type();
        let no_value = || Err(Error::data_type(format!("{scalar} is not a value of {data_type}")));
        if ctx.is_on_gpu() && !scalar.is_null() {
            crate::dispatch_storage!(data_type, T => {
                let Some(value) = scalar.to_native::<T>()? else { return no_value() };
                let data = primitives::fill(value, len, ctx)?.into_buffer();
                return Self::from_buffer(data_type, len, data.try_into()?, None);
            }, else => {});
        }
        by_host(ctx, |ctx| match scalar.value() {
            Value::Null => Self::nulls(data_type, len, ctx),
            Value::String(text) => strings::from_fn(len, ctx, |_| Some(text)),
            Value::Nested(row) => repeat(row, len, ctx),
            Value::Decimal(value) if data_type.storage() == Storage::I128 => {
                let data = HostUVec::filled(*value, len, ctx)?.into_buffer();
                Self::from_buffer(data_type, len, data, None)
            }
            _ => crate::dispatch_storage!(data_type, T => {
                let Some(value) = scalar.to_native::<T>()? else { return no_value() };
                Self::new(data_type, HostUVec::filled(value, len, ctx)?, None)
            }, else => no_value()),
        })
    }

    /// A column of `len` nulls. Lists are lists of [`Empty`](DataType::Empty), structs have no fields
    /// and dictionaries keys of `Empty`; [`nulls_like`](Self::nulls_like) has all of a type.
    pub fn nulls(data_type: DataType, len: usize, ctx: &Context) -> Result<Self> {
        Self::nulls_like(&Self::empty(data_type), len, ctx)
    }

    /// A column of `len` nulls of the type of `like`, with all that is inside.
    pub fn nulls_like(like: &Self, len: usize, ctx: &Context) -> Result<Self> {
        let data_type = like.data_type();
        by_host(ctx, |ctx| {
            let mask = Some((null_mask::uniform(false, len, ctx)?, len));
            crate::dispatch_storage!(data_type, T => {
                Self::new(data_type, HostUVec::<T>::zeroed(len, ctx)?, mask)
            }, else => match (data_type, like.children()) {
                (DataType::String, _) => strings::from_fn(len, ctx, |_| None),
                (DataType::List, [_, elements]) => {
                    let offsets = Self::from_values(HostUVec::<i32>::zeroed(len + 1, ctx)?);
                    Self::lists(offsets, Self::nulls_like(elements, 0, ctx)?, mask)
                }
                (DataType::Struct, fields) => {
                    let fields = fields.iter().map(|field| Self::nulls_like(field, len, ctx));
                    Self::structs(len, fields.collect::<Result<_>>()?, mask)
                }
                (DataType::Dictionary32, [_, keys]) => {
                    let indices = Self::from_values(HostUVec::<u8>::zeroed(len, ctx)?);
                    Self::dictionary(indices, Self::nulls_like(keys, 0, ctx)?, mask)
                }
                (DataType::Decimal128(_), _) => {
                    let data = HostUVec::<i128>::zeroed(len, ctx)?.into_buffer();
                    Self::from_buffer(data_type, len, data, mask)
                }
                _ => Self::assemble(data_type, len, None, mask, None),
            })
        })
    }
}

/// The column that `build` makes in host memory, on the context's device.
fn by_host(ctx: &Context, build: impl FnOnce(&Context) -> Result<Column>) -> Result<Column> {
    if ctx.resource().device() == Device::Cpu {
        return build(ctx);
    }
    let host = Context::on(Device::Cpu)?.with_cancel(ctx.cancel_token().clone());
    build(&host)?.to_device(ctx)
}

/// The rows of a column, all of them `times` times, one repetition after the other.
///
/// Fails with [`Overflow`](crate::ErrorKind::Overflow) where there are more than can be counted.
fn repeat(column: &Column, times: usize, ctx: &Context) -> Result<Column> {
    let column = &column.to_host()?;
    let (len, data_type) = (column.len(), column.data_type());
    let too_many = || Error::overflow(format!("{len} rows of {data_type}, {times} times"));
    let rows = len.checked_mul(times).filter(|&rows| isize::try_from(rows).is_ok()).ok_or_else(too_many)?;
    let view = column.view()?;
    let mask = match view.validity() {
        Some(bits) => Some(null_mask::from_fn(rows, ctx, |i| bits.get(i % len))?),
        None => None,
    };
    match data_type {
        DataType::String => {
            let strings = view.strings()?;
            // SAFETY: rows of string columns are UTF-8.
            unsafe { strings::from_bytes_fn(rows, ctx, mask, |i| strings.bytes(i % len)) }
        }
        DataType::List => {
            let lists = view.lists()?;
            let elements = column.elements()?;
            let first = if len == 0 { 0 } else { lists.range(0).start };
            elements.len().checked_mul(times).filter(|&n| i64::try_from(n).is_ok()).ok_or_else(too_many)?;
            let offset = |i: usize| match len {
                0 => 0,
                _ if i == rows => elements.len() * times,
                _ => i / len * elements.len() + lists.range(i % len).start - first,
            };
            let offsets = if i32::try_from(elements.len() * times).is_ok() {
                Column::from_values(HostUVec::from_fn(rows + 1, ctx, |i| offset(i) as i32)?)
            } else {
                Column::from_values(HostUVec::from_fn(rows + 1, ctx, |i| offset(i) as i64)?)
            };
            Column::lists(offsets, repeat(&elements, times, ctx)?, mask)
        }
        DataType::Struct => {
            let fields = (0..column.children().len()).map(|i| repeat(&column.field(i)?, times, ctx));
            Column::structs(rows, fields.collect::<Result<_>>()?, mask)
        }
        DataType::Dictionary32 => {
            let children = vec![repeat(&column.indices()?, times, ctx)?, column.keys()?.clone()];
            // SAFETY: valid rows have the indices that they had among the same keys.
            unsafe { Column::from_parts_unchecked(data_type, rows, 0, None, mask, children) }
        }
        _ => match data_type.size() {
            None => Column::nulls(data_type, rows, ctx),
            Some(1) => repeat_values::<u8>(&view, rows, mask, ctx),
            Some(2) => repeat_values::<u16>(&view, rows, mask, ctx),
            Some(4) => repeat_values::<u32>(&view, rows, mask, ctx),
            Some(8) => repeat_values::<u64>(&view, rows, mask, ctx),
            Some(_) => repeat_values::<[u64; 2]>(&view, rows, mask, ctx),
        },
    }
}

fn repeat_values<T: bytemuck::Pod + Send + Sync>(
    view: &ColumnView<'_>,
    rows: usize,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let values = view.raw_values::<T>()?;
    let data = HostUVec::from_fn(rows, ctx, |i| values[i % values.len()])?;
    Column::from_buffer(view.data_type(), rows, data.into_buffer(), mask)
}
