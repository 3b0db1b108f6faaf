//! Moving rows: gather, scatter, copy-if-else, shift, reverse.
//!
//! A *gather map* is a column of row numbers: row `i` of the result is row `map[i]` of the input. A
//! *scatter map* says the opposite: row `i` of the source goes to row `map[i]` of the result.
//!
//! All functions keep the data type of what they move, never look at values under nulls and produce
//! the same rows in the same order whatever the number of threads.

pub(crate) mod cpu;
mod scatter;
#[cfg(test)]
pub(crate) mod tests;

use cuprum_column::{Column, Context, DataType, Error, Native, Result, Scalar, Table};
use cuprum_runtime::nvtx::func_range;

use crate::binaryop::Operand;
use crate::concatenate::concatenate;
pub(crate) use scatter::{Texts, choose_rows};

/// What a gather map may point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfBoundsPolicy {
    /// A row number outside the input gives a null row.
    Nullify,
    /// A row number outside the input is an [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) error.
    Check,
}

/// Integers that row numbers are kept in. Negative numbers are outside every table.
pub trait RowIndex: Native {
    /// A number that is no row: −1, or the largest unsigned number.
    const NONE: Self;

    /// The row as an offset; numbers that are no row become larger than any table.
    fn row(self) -> usize;

    /// The row number as an index.
    fn from_row(row: usize) -> Self;
}

macro_rules! row_index {
    ($($t:ty => $none:expr;)*) => {$(
        impl RowIndex for $t {
            const NONE: Self = $none;
            #[inline(always)]
            fn row(self) -> usize { self as isize as usize }
            #[inline(always)]
            fn from_row(row: usize) -> Self { row as Self }
        }
    )*};
}

row_index! {
    i32 => -1;
    u32 => u32::MAX;
    i64 => -1;
    u64 => u64::MAX;
}

/// Whether row numbers of a table of `rows` rows are kept in 32 bits (`Int32`), else `Int64`.
pub fn rows_fit_32_bits(rows: usize) -> bool {
    i32::try_from(rows).is_ok()
}

/// The rows `map` of `table`, in the order of the map.
///
/// `map` has any integer type. A null entry gives a null row; an entry outside `[0, num_rows)` is
/// handled by `policy`.
///
/// Fails with `DataType` when the map is not of integers and with `OutOfRange` by the policy.
pub fn gather(table: &Table, map: &Column, policy: OutOfBoundsPolicy, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.gather");
    let map = cpu::Map::new(map, table.num_rows(), policy, ctx)?;
    cpu::gather_table(table, &map, ctx)
}

/// [`gather`] of one column.
pub fn gather_column(
    column: &Column,
    map: &Column,
    policy: OutOfBoundsPolicy,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"copying.gather_column");
    let map = cpu::Map::new(map, column.len(), policy, ctx)?;
    Ok(cpu::gather_columns(&[column], &map, ctx)?.remove(0))
}

/// The rows `rows` of `column`, all of which must exist.
///
/// Fails with `OutOfRange` at the first row that does not.
pub fn gather_rows<I: RowIndex>(column: &Column, rows: &[I], ctx: &Context) -> Result<Column> {
    func_range!(c"copying.gather_rows");
    let map = cpu::Map::from_rows(rows, column.len(), OutOfBoundsPolicy::Check, ctx)?;
    Ok(cpu::gather_columns(&[column], &map, ctx)?.remove(0))
}

/// The rows `rows` of `column`; null where there is no such row, as for [`RowIndex::NONE`].
pub fn gather_rows_or_null<I: RowIndex>(column: &Column, rows: &[I], ctx: &Context) -> Result<Column> {
    func_range!(c"copying.gather_rows_or_null");
    let map = cpu::Map::from_rows(rows, column.len(), OutOfBoundsPolicy::Nullify, ctx)?;
    Ok(cpu::gather_columns(&[column], &map, ctx)?.remove(0))
}

/// [`gather_rows`] of every column of a table, in one pass over the row numbers.
pub fn gather_table_rows<I: RowIndex>(table: &Table, rows: &[I], ctx: &Context) -> Result<Table> {
    func_range!(c"copying.gather_table_rows");
    let map = cpu::Map::from_rows(rows, table.num_rows(), OutOfBoundsPolicy::Check, ctx)?;
    cpu::gather_table(table, &map, ctx)
}

/// [`gather_rows_or_null`] of every column of a table, in one pass over the row numbers.
pub fn gather_table_rows_or_null<I: RowIndex>(table: &Table, rows: &[I], ctx: &Context) -> Result<Table> {
    func_range!(c"copying.gather_table_rows_or_null");
    let map = cpu::Map::from_rows(rows, table.num_rows(), OutOfBoundsPolicy::Nullify, ctx)?;
    cpu::gather_table(table, &map, ctx)
}

/// `target` with row `map[i]` replaced by row `i` of `source`, for every `i`; the last one wins
/// where several go to the same row. Nulls of the source are moved like values.
///
/// Fails with `DataType` when the types differ or the map is not of integers, with `Logic` when
/// `map` and `source` differ in length, with `InvalidArgument` for a null in the map and with
/// `OutOfRange` for an entry that is no row of `target`.
pub fn scatter(source: &Column, map: &Column, target: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.scatter");
    if source.len() != map.len() {
        return Err(Error::logic(format!("`source` has {} rows, `map` has {}", source.len(), map.len())));
    }
    same_type("source", source.data_type(), "target", target.data_type())?;
    scatter::scatter(source, &scatter_map(map, target, ctx)?, target, ctx)
}

/// `target` with every row of `map` replaced by `value`.
///
/// Fails as [`scatter`] does.
pub fn scatter_scalar(value: &Scalar, map: &Column, target: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.scatter_scalar");
    same_type("value", value.data_type(), "target", target.data_type())?;
    scatter::scatter_scalar(value, &scatter_map(map, target, ctx)?, target, ctx)
}

fn scatter_map<'a>(map: &'a Column, target: &Column, ctx: &Context) -> Result<cpu::Map<'a>> {
    if map.has_nulls() {
        return Err(Error::invalid_argument(format!("`map` of a scatter has {} nulls", map.null_count())));
    }
    cpu::Map::new(map, target.len(), OutOfBoundsPolicy::Check, ctx)
}

/// Row by row `lhs` where `mask` is true, `rhs` where it is false or null.
///
/// Both operands have the same data type; a scalar stands for as many rows as the mask has.
///
/// Fails with `DataType` when the types differ or the mask is not boolean and with `Logic` when the
/// lengths differ.
pub fn copy_if_else<'a>(
    lhs: impl Into<Operand<'a>>,
    rhs: impl Into<Operand<'a>>,
    mask: &Column,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"copying.copy_if_else");
    let (lhs, rhs) = (lhs.into(), rhs.into());
    same_type("lhs", lhs.data_type(), "rhs", rhs.data_type())?;
    same_type("mask", mask.data_type(), "a mask", DataType::Bool8)?;
    for (name, operand) in [("lhs", lhs), ("rhs", rhs)] {
        if let Operand::Column(column) = operand
            && column.len() != mask.len()
        {
            return Err(Error::logic(format!(
                "`{name}` has {} rows, `mask` has {}",
                column.len(),
                mask.len()
            )));
        }
    }
    scatter::copy_if_else(lhs, rhs, mask, ctx)
}

/// The rows moved down by `offset` (up, where it is negative); rows that become free are `fill`.
///
/// Fails with `DataType` when `fill` is not of the column's type.
pub fn shift(column: &Column, offset: i64, fill: &Scalar, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.shift");
    same_type("fill", fill.data_type(), "column", column.data_type())?;
    let len = column.len();
    let free = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX).min(len);
    if free == 0 {
        return Ok(column.clone());
    }
    let filled = Column::from_scalar(fill, free, ctx)?;
    if offset > 0 {
        concatenate(&[&filled, &column.slice(0, len - free)?], ctx)
    } else {
        concatenate(&[&column.slice(free, len - free)?, &filled], ctx)
    }
}

/// The rows from last to first.
pub fn reverse(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.reverse");
    let len = column.len();
    if rows_fit_32_bits(len) {
        let rows = cuprum_column::HostUVec::from_fn(len, ctx, |i| (len - 1 - i) as i32)?;
        gather_rows(column, &rows, ctx)
    } else {
        let rows = cuprum_column::HostUVec::from_fn(len, ctx, |i| (len - 1 - i) as i64)?;
        gather_rows(column, &rows, ctx)
    }
}

/// Fails with `DataType` unless the two types are the same.
fn same_type(name: &str, actual: DataType, other: &str, expected: DataType) -> Result<()> {
    if actual == expected {
        return Ok(());
    }
    Err(Error::data_type(format!("`{name}` is {actual}, {other} is {expected}")))
}
