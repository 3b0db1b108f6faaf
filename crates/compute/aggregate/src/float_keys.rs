//! Floats as integers that order as they do, so that NaN is a value like others.

use cuprum_column::{Column, Context, DataType, HostUVec, Native, Result, UNKNOWN_NULL_COUNT};
use cuprum_keys::ordered_bits::Ordered;
use cuprum_runtime::primitives::{Number, Transform, transform};

/// See [`as_keys`](crate::nan_values::as_keys).
pub(crate) fn as_integers(column: &Column, ctx: &Context) -> Result<Column> {
    match column.data_type() {
        DataType::Float32 => mapped::<f32, u32, _>(
            column,
            &Transform {
                expression: "x != x ? ~0u : __float_as_uint(x + 0.0f) ^ (u32(__float_as_int(x + 0.0f) >> 31) | 1u << 31)",
                function: |value: f32| value.ordered_with_nan() as u32,
            },
            ctx,
        ),
        DataType::Float64 => mapped::<f64, u64, _>(
            column,
            &Transform {
                expression: "x != x ? ~0ull : u64(__double_as_longlong(x + 0.0)) ^ (u64(__double_as_longlong(x + 0.0) >> 63) | 1ull << 63)",
                function: Ordered::ordered_with_nan,
            },
            ctx,
        ),
        DataType::Struct => {
            let fields = (0..column.children().len())
                .map(|i| as_integers(&column.field(i)?, ctx))
                .collect::<Result<Vec<_>>>()?;
            Column::structs(column.len(), fields, column.copy_mask(ctx)?)
        }
        DataType::List | DataType::Dictionary32 if !column.is_empty() => {
            let children = vec![column.children()[0].clone(), as_integers(&column.children()[1], ctx)?];
            let (len, offset) = (column.len(), column.offset());
            let mask = column.mask().map(|mask| (mask.clone(), UNKNOWN_NULL_COUNT));
            // SAFETY: the children have the lengths that they had; only their values are others.
            unsafe { Column::from_parts_unchecked(column.data_type(), len, offset, None, mask, children) }
        }
        _ => Ok(column.clone()),
    }
}

/// What the operation gives for each value, with the nulls of the column.
pub(crate) fn mapped<T: Number + Native, U: Number + Native, F: Fn(T) -> U + Sync>(
    column: &Column,
    operation: &Transform<F>,
    ctx: &Context,
) -> Result<Column> {
    if ctx.is_on_gpu() {
        let Some(data) = column.data() else { return Ok(Column::empty(U::DATA_TYPE)) };
        let values = data.span::<T>()?.slice(column.offset()..column.offset() + column.len())?;
        let mapped = transform(&values, operation, ctx)?.into_buffer().try_into()?;
        return Column::from_buffer(U::DATA_TYPE, column.len(), mapped, column.copy_mask(ctx)?);
    }
    let view = column.view()?;
    let values = view.values::<T>()?;
    let mapped = HostUVec::from_fn(values.len(), ctx, |row| (operation.function)(values[row]))?;
    Column::new(U::DATA_TYPE, mapped, column.copy_mask(ctx)?)
}
