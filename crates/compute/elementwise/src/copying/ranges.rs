//! Whole ranges of rows: slices, a range copied into another column, shift and reverse.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_runtime::backend::{check, check_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives;

use super::like::{check_scalar, scalar_rows};
use super::same_types;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_keys::concatenate::concatenate;

/// The rows `[indices[0], indices[1])`, `[indices[2], indices[3])`, … of `table`, sharing memory.
///
/// Fails with `InvalidArgument` when the number of indices is odd or a range ends before it begins, and
/// with `OutOfRange` when it leaves the table.
pub fn slice(table: &Table, indices: &[usize]) -> Result<Vec<Table>> {
    func_range!(c"copying.slice");
    if !indices.len().is_multiple_of(2) {
        return Err(Error::invalid_argument(format!(
            "`indices` are {}; they come in pairs of begin and end",
            indices.len()
        )));
    }
    indices.chunks_exact(2).map(|range| rows_between(table, range[0], range[1])).collect()
}

fn rows_between(table: &Table, begin: usize, end: usize) -> Result<Table> {
    let Some(len) = end.checked_sub(begin) else {
        return Err(Error::invalid_argument(format!("the range from row {begin} to row {end} is reversed")));
    };
    table.slice(begin, len)
}

/// `target` with the rows from `target_begin` on replaced by the rows `[source_begin, source_end)` of
/// `source`.
///
/// Fails with `DataType` when the types differ and with `OutOfRange` when a range leaves its column.
pub fn copy_range(
    source: &Column,
    target: &Column,
    source_begin: usize,
    source_end: usize,
    target_begin: usize,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"copying.copy_range");
    check_device!(ctx, [source, target]);
    let replaced = replaced_rows(source, target, source_begin, source_end, target_begin)?;
    let (len, target_end) = (replaced.len(), replaced.end);
    if len == 0 {
        return Ok(target.clone());
    }
    let parts = [
        target.slice(0, target_begin)?,
        source.slice(source_begin, len)?,
        target.slice(target_end, target.len() - target_end)?,
    ];
    concatenate(&parts.each_ref(), ctx)
}

/// The rows of `target` that a range of `source` replaces.
fn replaced_rows(
    source: &Column,
    target: &Column,
    source_begin: usize,
    source_end: usize,
    target_begin: usize,
) -> Result<Range<usize>> {
    same_types("source", source, "target", target)?;
    if source_begin > source_end || source_end > source.len() {
        return Err(Error::out_of_range(format!(
            "rows [{source_begin}, {source_end}) of `source`, which has {} rows",
            source.len()
        )));
    }
    let len = source_end - source_begin;
    let Some(target_end) = target_begin.checked_add(len).filter(|&end| end <= target.len()) else {
        return Err(Error::out_of_range(format!(
            "{len} rows from row {target_begin} of `target` on, which has {} rows",
            target.len()
        )));
    };
    Ok(target_begin..target_end)
}

/// [`copy_range`] into `target`: into its memory where nobody else uses that, and all rows that are replaced are null or
/// none is; else a copy takes its place. Columns that share memory with it keep their rows.
///
/// Fails as [`copy_range`] does, and with `DataType` for types of no fixed width.
pub fn copy_range_in_place(
    source: &Column,
    target: &mut Column,
    source_begin: usize,
    source_end: usize,
    target_begin: usize,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"copying.copy_range_in_place");
    check_device!(ctx, [source]);
    check("target", &*target, ctx)?;
    if target.data_type().size().is_none() {
        return Err(Error::data_type(format!(
            "`target` is {}, which cannot be changed in place",
            target.data_type()
        )));
    }
    let replaced = replaced_rows(source, target, source_begin, source_end, target_begin)?;
    let rows = source.slice(source_begin, replaced.len())?;
    let nulls = rows.null_count()?;
    if nulls != 0 && nulls != rows.len() {
        *target = copy_range(source, target, source_begin, source_end, target_begin, ctx)?;
        return Ok(());
    }
    let mut view = target.view_mut(ctx)?;
    view.copy_values(&rows, replaced.start)?;
    view.set_valid(replaced, nulls == 0)
}

/// The rows moved down by `offset` (up, where it is negative); rows that become free are `fill`.
///
/// Fails with `DataType` when `fill` is not of the column's type.
pub fn shift(column: &Column, offset: i64, fill: &Scalar, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.shift");
    check_device!(ctx, [column, fill]);
    check_scalar("fill", fill, column)?;
    let len = column.len();
    let free = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX).min(len);
    if free == 0 {
        return Ok(column.clone());
    }
    let filled = scalar_rows(fill, column, free, ctx)?;
    if offset > 0 {
        concatenate(&[&filled, &column.slice(0, len - free)?], ctx)
    } else {
        concatenate(&[&column.slice(free, len - free)?, &filled], ctx)
    }
}

/// The rows from last to first.
pub fn reverse(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.reverse");
    check_device!(ctx, [column]);
    let len = column.len();
    let (data_type, rows) = if rows_fit_32_bits(len) {
        (DataType::Int32, primitives::sequence(len as i32 - 1, -1, len, ctx)?.into_buffer())
    } else {
        (DataType::Int64, primitives::sequence(len as i64 - 1, -1, len, ctx)?.into_buffer())
    };
    let map = Column::from_buffer(data_type, len, rows.try_into()?, None)?;
    gather_column(column, &map, OutOfBoundsPolicy::Check, ctx)
}
