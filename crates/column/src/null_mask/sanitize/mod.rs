//! Nulls of columns that have columns inside.
//!
//! A null string or list should have no characters or elements, and rows that are null in a struct should be
//! null in its fields. Columns from elsewhere need not keep to that; these functions detect it, and put it
//! right.

mod cpu;
mod cuda;
mod offset;

use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::{self, Bits, BitwiseOperator, Number, Reduction, ScanKind};
use cuprum_runtime::{Buffer, Context, DeviceSpan, DeviceUVec, Error, Result};

use super::mask_buffer::{bits_of, with_null_count};
use crate::column::Column;
use crate::types::DataType;

pub use cuda::SANITIZE;
use offset::Offset;

/// Runs code with a type alias bound to the integers that offsets are.
macro_rules! dispatch_offset {
    ($offsets:expr, $O:ident => $body:expr) => {
        match $offsets.data_type() {
            DataType::Int32 => {
                type $O = i32;
                $body
            }
            DataType::Int64 => {
                type $O = i64;
                $body
            }
            other => Err(Error::data_type(format!("offsets are {other}, not int32 or int64"))),
        }
    };
}

/// Whether a null string or list could have characters or elements, by the columns' types alone: there
/// is a mask on a column of strings or lists, or on structs around one. Costs nothing.
pub fn may_have_nonempty_nulls(column: &Column) -> bool {
    fn has_offsets(column: &Column) -> bool {
        match column.data_type() {
            DataType::String | DataType::List => true,
            DataType::Struct => column.children().iter().any(has_offsets),
            _ => false,
        }
    }
    match column.data_type() {
        DataType::String => column.mask().is_some(),
        DataType::List => {
            column.mask().is_some() || column.children().iter().skip(1).any(may_have_nonempty_nulls)
        }
        DataType::Struct if column.mask().is_some() => has_offsets(column),
        DataType::Struct => column.children().iter().any(may_have_nonempty_nulls),
        _ => false,
    }
}

/// Whether a null string or list among the rows, or inside them at any level, has characters or elements.
/// The contents of a null struct count as null.
pub fn has_nonempty_nulls(column: &Column, ctx: &Context) -> Result<bool> {
    func_range!(c"null_mask.has_nonempty_nulls");
    check_device!(ctx, [column]);
    if column.is_empty() || !may_have_nonempty_nulls(column) {
        return Ok(false);
    }
    match column.data_type() {
        DataType::Struct => {
            for field in valid_fields(column, ctx)? {
                if has_nonempty_nulls(&field, ctx)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        DataType::List => {
            Ok(null_rows_have_elements(column, ctx)? || has_nonempty_nulls(&column.elements()?, ctx)?)
        }
        _ => null_rows_have_elements(column, ctx),
    }
}

/// The same rows with null strings and lists emptied, at every level; the contents of a null struct become
/// null too. Columns without any are shared, not copied. Waits for a GPU.
pub fn purge_nonempty_nulls(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"null_mask.purge_nonempty_nulls");
    check_device!(ctx, [column]);
    if !has_nonempty_nulls(column, ctx)? {
        return Ok(column.clone());
    }
    if column.data_type() == DataType::Struct {
        let fields = valid_fields(column, ctx)?;
        let fields = fields.iter().map(|field| purge_nonempty_nulls(field, ctx)).collect::<Result<_>>()?;
        return Column::structs(column.len(), fields, column.copy_mask(ctx)?);
    }
    let purged = without_null_rows(column, ctx)?;
    match purged.children() {
        [offsets, elements] => {
            let elements = purge_nonempty_nulls(elements, ctx)?;
            Ok(purged.with_children(vec![offsets.clone(), elements]))
        }
        _ => Ok(purged),
    }
}

/// The same rows, null also where `mask` (from bit 0 on) has zeros; in structs so are the fields, at every
/// level. Shares all memory but the masks that change. Columns of [`Empty`](DataType::Empty) stay as they
/// are.
///
/// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where the mask has fewer bits than the column
/// rows.
pub fn superimpose_nulls(mask: &Buffer, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"null_mask.superimpose_nulls");
    check_device!(ctx, [mask, column]);
    let bits = bits_of(mask, 0, column.len(), ctx)?;
    Ok(superimposed(&bits, column, ctx)?.unwrap_or_else(|| column.clone()))
}

/// The same rows, where the fields of structs are null where the structs are, at every level, also in lists.
/// Shares all memory but the masks that change.
pub fn push_down_nulls(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"null_mask.push_down_nulls");
    check_device!(ctx, [column]);
    Ok(pushed_down(column, ctx)?.unwrap_or_else(|| column.clone()))
}

/// [`superimpose_nulls`]; `None` where nothing changes.
fn superimposed(valid: &Bits, column: &Column, ctx: &Context) -> Result<Option<Column>> {
    if column.data_type() == DataType::Empty || column.is_empty() {
        return Ok(None);
    }
    let len = column.len();
    let masks: Vec<Bits> = std::iter::once(valid.clone()).chain(column.validity(ctx)?).collect();
    let (mask, nulls) = with_null_count(primitives::bitmask(&masks, BitwiseOperator::And, 0, ctx)?, len)?;
    let fields = if column.data_type() == DataType::Struct {
        let both = Bits::of(&mask, 0, len)?;
        changed_fields(column, |field| superimposed(&both, field, ctx))?
    } else {
        None
    };
    let is_same = nulls == column.null_count()?;
    match fields {
        None if is_same => Ok(None),
        None => column.with_mask(Some((mask, nulls)), ctx).map(Some),
        Some(fields) => Column::structs(len, fields, Some((mask, nulls))).map(Some),
    }
}

/// [`push_down_nulls`]; `None` where nothing changes.
fn pushed_down(column: &Column, ctx: &Context) -> Result<Option<Column>> {
    match (column.data_type(), column.children()) {
        (DataType::List, [offsets, elements]) => {
            let elements = pushed_down(elements, ctx)?;
            Ok(elements.map(|elements| column.with_children(vec![offsets.clone(), elements])))
        }
        (DataType::Struct, _) => {
            let valid = nulls_of(column, ctx)?;
            let fields = changed_fields(column, |field| {
                let changed = match &valid {
                    Some(valid) => superimposed(valid, field, ctx)?,
                    None => None,
                };
                let below = pushed_down(changed.as_ref().unwrap_or(field), ctx)?;
                Ok(below.or(changed))
            })?;
            let Some(fields) = fields else { return Ok(None) };
            Column::structs(column.len(), fields, column.copy_mask(ctx)?).map(Some)
        }
        _ => Ok(None),
    }
}

/// The fields of structs with those changed that `change` changes; `None` where it changes none.
fn changed_fields(
    column: &Column,
    change: impl Fn(&Column) -> Result<Option<Column>>,
) -> Result<Option<Vec<Column>>> {
    let mut is_changed = false;
    let fields = (0..column.children().len()).map(|i| {
        let field = column.field(i)?;
        let changed = change(&field)?;
        is_changed |= changed.is_some();
        Ok(changed.unwrap_or(field))
    });
    let fields = fields.collect::<Result<_>>()?;
    Ok(is_changed.then_some(fields))
}

/// The validity of the rows; `None` without nulls.
fn nulls_of<'a>(column: &'a Column, ctx: &Context) -> Result<Option<Bits<'a>>> {
    if column.null_count()? == 0 { Ok(None) } else { column.validity(ctx) }
}

/// The fields of structs, null where these are.
fn valid_fields(column: &Column, ctx: &Context) -> Result<Vec<Column>> {
    let fields = (0..column.children().len()).map(|i| column.field(i));
    match nulls_of(column, ctx)? {
        None => fields.collect(),
        Some(valid) => fields
            .map(|field| {
                let field = field?;
                Ok(superimposed(&valid, &field, ctx)?.unwrap_or(field))
            })
            .collect(),
    }
}

// ---- Strings and lists ------------------------------------------------------------------------------

/// The offsets of the rows of a string or list column that has some.
fn offsets_of<O: Offset>(column: &Column) -> Result<DeviceSpan<'_, O>> {
    let first = column.offset();
    let child = column.offsets_child().ok_or_else(|| Error::logic("there are rows but no offsets"))?;
    let data = child.data().ok_or_else(|| Error::logic("the offsets have no data"))?;
    data.span()?.slice(child.offset() + first..child.offset() + first + column.len() + 1)
}

/// The length of each row; 0 for those of the other kind where `bits` say which are valid and which null.
fn row_lengths<O: Offset>(
    offsets: &DeviceSpan<O>,
    bits: Option<&Bits>,
    are_valid: bool,
    ctx: &Context,
) -> Result<DeviceUVec<O>> {
    on_device!(ctx, row_lengths(offsets, bits, are_valid))
}

/// The flag of its row for each of the `len` elements from the first row's on.
fn element_flags<O: Offset>(
    offsets: &DeviceSpan<O>,
    row_flags: &DeviceSpan<u8>,
    len: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    on_device!(ctx, element_flags(offsets, row_flags, len))
}

fn null_rows_have_elements(column: &Column, ctx: &Context) -> Result<bool> {
    let Some(valid) = nulls_of(column, ctx)? else { return Ok(false) };
    dispatch_offset!(column.children()[0], O => {
        let lengths = row_lengths::<O>(&offsets_of(column)?, Some(&valid), false, ctx)?;
        Ok(primitives::reduce(&lengths.span(), Reduction::Max, ctx)?.value()? > 0)
    })
}

/// A string or list column, which has rows, with its null rows emptied, but not those inside of lists.
fn without_null_rows(column: &Column, ctx: &Context) -> Result<Column> {
    let valid = nulls_of(column, ctx)?;
    let rows = column.offset()..column.offset() + column.len();
    let inner = column.child_range(rows)?;
    dispatch_offset!(column.children()[0], O => {
        let offsets = offsets_of::<O>(column)?;
        let new_offsets = offsets_from(row_lengths(&offsets, valid.as_ref(), true, ctx)?, ctx)?;
        let flags = match &valid {
            None => None,
            Some(valid) => {
                let rows = primitives::unpack_bits(valid, ctx)?;
                Some(element_flags(&offsets, &rows.span(), inner.len(), ctx)?)
            }
        };
        let (chars, elements) = inner_of(column, inner, flags.as_ref(), ctx)?;
        assembled(column.data_type(), column.len(), new_offsets, chars, elements, column.copy_mask(ctx)?)
    })
}

/// The characters or the elements `range` of a column that have a flag.
fn inner_of(
    column: &Column,
    range: std::ops::Range<usize>,
    flags: Option<&DeviceUVec<u8>>,
    ctx: &Context,
) -> Result<(Option<Buffer>, Option<Column>)> {
    if let Some(elements) = column.children().get(1) {
        let elements = elements.slice(range.start, range.len())?;
        return Ok((
            None,
            Some(match flags {
                Some(flags) => filtered(&elements, flags, ctx)?,
                None => elements,
            }),
        ));
    }
    let chars = match (column.data(), flags) {
        (Some(chars), Some(flags)) => kept::<u8>(chars, range, flags, ctx)?,
        (Some(chars), None) => chars.slice(range.start, range.len())?,
        (None, _) => DeviceUVec::<u8>::uninit(0, ctx)?.into_buffer().try_into()?,
    };
    Ok((Some(chars), None))
}

fn assembled(
    data_type: DataType,
    len: usize,
    offsets: Column,
    chars: Option<Buffer>,
    elements: Option<Column>,
    mask: Option<(Buffer, usize)>,
) -> Result<Column> {
    let children = std::iter::once(offsets).chain(elements).collect();
    // SAFETY: the offsets are sums of the lengths of rows that were kept whole, and their contents
    // were kept with them in the same order.
    unsafe { Column::from_parts_unchecked(data_type, len, 0, chars, mask, children) }
}

/// The offsets of rows of such lengths.
fn offsets_from<O: Offset>(lengths: DeviceUVec<O>, ctx: &Context) -> Result<Column> {
    let ends = primitives::scan(&lengths.span(), Reduction::Sum, ScanKind::Inclusive, ctx)?.into_buffer();
    let mut offsets = DeviceUVec::<O>::zeroed(lengths.len() + 1, ctx)?.into_buffer();
    offsets.copy_range_from(size_of::<O>(), &ends, 0..ends.len())?;
    Column::from_buffer(O::DATA_TYPE, lengths.len() + 1, offsets.try_into()?, None)
}

// ---- Keeping some rows ------------------------------------------------------------------------------

/// The rows of a column that have a flag, in their order.
fn filtered(column: &Column, flags: &DeviceUVec<u8>, ctx: &Context) -> Result<Column> {
    let (offset, len) = (column.offset(), column.len());
    let rows = primitives::compact(&flags.span(), &flags.span(), ctx)?.len();
    let mask = match nulls_of(column, ctx)? {
        None => None,
        Some(valid) => {
            let bytes = primitives::unpack_bits(&valid, ctx)?;
            let bytes = primitives::compact(&bytes.span(), &flags.span(), ctx)?;
            Some(with_null_count(primitives::pack_bits(&bytes.span(), ctx)?, rows)?)
        }
    };
    match (column.data_type(), column.data()) {
        (DataType::Struct, _) => {
            let fields = (0..column.children().len()).map(|i| filtered(&column.field(i)?, flags, ctx));
            Column::structs(rows, fields.collect::<Result<_>>()?, mask)
        }
        (DataType::Dictionary32, _) => {
            let children = vec![filtered(&column.indices()?, flags, ctx)?, column.keys()?.clone()];
            // SAFETY: the indices are some of those of a dictionary with these keys.
            unsafe { Column::from_parts_unchecked(DataType::Dictionary32, rows, 0, None, mask, children) }
        }
        (data_type @ (DataType::String | DataType::List), _) if len > 0 => {
            let inner = column.child_range(offset..offset + len)?;
            dispatch_offset!(column.children()[0], O => {
                let offsets = offsets_of::<O>(column)?;
                let lengths = row_lengths(&offsets, None, true, ctx)?;
                let lengths = primitives::compact(&lengths.span(), &flags.span(), ctx)?;
                let inner_flags = element_flags(&offsets, &flags.span(), inner.len(), ctx)?;
                let (chars, elements) = inner_of(column, inner, Some(&inner_flags), ctx)?;
                assembled(data_type, rows, offsets_from(lengths, ctx)?, chars, elements, mask)
            })
        }
        (data_type, Some(data)) if data_type.is_fixed_width() => {
            let range = offset..offset + len;
            let data = match data_type.size() {
                Some(1) => kept::<u8>(data, range, flags, ctx)?,
                Some(2) => kept::<u16>(data, range, flags, ctx)?,
                Some(4) => kept::<u32>(data, range, flags, ctx)?,
                Some(8) => kept::<u64>(data, range, flags, ctx)?,
                _ => {
                    // Each half of 16 bytes goes where the row goes.
                    let halves = primitives::sequence(0i64, 2, len + 1, ctx)?;
                    let flags = element_flags(&halves.span(), &flags.span(), 2 * len, ctx)?;
                    kept::<u64>(data, 2 * offset..2 * (offset + len), &flags, ctx)?
                }
            };
            Column::from_buffer(data_type, rows, data, mask)
        }
        _ if rows == 0 => column.slice(0, 0),
        // SAFETY: columns of nothing but nulls have no parts.
        (data_type, _) => unsafe { Column::from_parts_unchecked(data_type, rows, 0, None, mask, vec![]) },
    }
}

/// The elements `range` of a buffer that have a flag.
fn kept<T: Number>(
    data: &Buffer,
    range: std::ops::Range<usize>,
    flags: &DeviceUVec<u8>,
    ctx: &Context,
) -> Result<Buffer> {
    let mut kept = primitives::compact(&data.span::<T>()?.slice(range)?, &flags.span(), ctx)?.into_buffer();
    kept.shrink_to_fit()?;
    kept.try_into()
}
