//! Moving rows: gather, scatter, copy-if-else, and whole ranges of rows.
//!
//! A *gather map* is a column of row numbers: row `i` of the result is row `map[i]` of the input. A
//! *scatter map* says the opposite: row `i` of the source goes to row `map[i]` of the result. Maps are of
//! any integer type. Row numbers that count from the end, as −1 for the last row, are made ordinary ones
//! by [`rows_from_end`]; for all other functions a negative number is outside of every table, and a map
//! with −1 where there is no row is what joins give.
//!
//! Everything takes columns of every type: lists, structs and dictionaries are moved by moving what is
//! inside. Dictionaries keep their keys; where two with different keys meet, the keys are merged. All
//! functions keep the type of what they move, never look at values under nulls and produce the same rows
//! in the same order on every device and whatever the number of threads. Inputs stay as they are.

pub(crate) mod cpu;
pub(crate) mod cuda;
mod like;
mod nested;
pub(crate) mod packed;
mod ranges;
mod sample;
mod scatter;
#[cfg(test)]
pub(crate) mod tests;

use cuprum_column::{
    Column, Context, DataType, Error, HostUVec, Native, Result, Scalar, Table, dispatch_storage,
    have_same_types,
};
use cuprum_runtime::nvtx::func_range;

use crate::binaryop::Operand;
pub use crate::contiguous_split::{split, split_table};
use crate::stream_compaction::mask_to_rows;
pub use like::{MaskAllocationPolicy, allocate_like, empty_like};
use like::{check_scalar, scalar_rows};
pub use ranges::{copy_range, copy_range_in_place, reverse, shift, slice};
pub use sample::{sample, sample_rows};
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

/// `map` with numbers below 0 counted from the end: −1 is the last of `num_rows` rows. The result is
/// `Int64` and has the map's nulls; numbers below −`num_rows` stay negative. A map of unsigned integers
/// is returned as it is.
///
/// Fails with `DataType` when the map is not of integers.
pub fn rows_from_end(map: &Column, num_rows: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.rows_from_end");
    if map.data_type().is_unsigned_integer() {
        return Ok(map.clone());
    }
    check_integers("map", map)?;
    if ctx.is_on_gpu() {
        return cuda::count_from_end(map, num_rows, ctx);
    }
    dispatch_storage!(map.data_type(), T => {
        let view = map.view()?;
        let values = view.values::<T>()?;
        let rows = HostUVec::from_fn(map.len(), ctx, |i| {
            let row = values[i].as_i64();
            if row < 0 { row.saturating_add(num_rows as i64) } else { row }
        })?;
        Column::new(DataType::Int64, rows, map.copy_mask(ctx)?)
    }, else => Err(Error::data_type("`map` must hold integers")))
}

fn outside_error(position: usize, row: String, num_rows: usize) -> Error {
    Error::out_of_range(format!("`map` has row {row} at position {position}; there are {num_rows} rows"))
}

fn check_integers(name: &str, map: &Column) -> Result<()> {
    if map.data_type().is_integer() {
        return Ok(());
    }
    Err(Error::data_type(format!("`{name}` must hold integers, not {}", map.data_type())))
}

/// The rows `map` of `table`, in the order of the map.
///
/// `map` has any integer type. A null entry gives a null row; an entry outside `[0, num_rows)` is
/// handled by `policy`.
///
/// Fails with `DataType` when the map is not of integers and with `OutOfRange` by the policy.
pub fn gather(table: &Table, map: &Column, policy: OutOfBoundsPolicy, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.gather");
    if ctx.is_on_gpu() {
        check_integers("map", map)?;
        let rows = cuda::Rows::new(map, table.num_rows(), policy, ctx)?;
        return Table::with_rows(cuda::gather_columns(&columns_of(table), &rows, ctx)?, map.len());
    }
    let map = map.view()?;
    let map = cpu::Map::new(&map, table.num_rows(), policy, ctx)?;
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
    if ctx.is_on_gpu() {
        check_integers("map", map)?;
        return cuda::gather(column, &cuda::Rows::new(map, column.len(), policy, ctx)?, ctx);
    }
    let map = map.view()?;
    let map = cpu::Map::new(&map, column.len(), policy, ctx)?;
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
    Ok(scatter_columns(&[source], source.len(), map, &[target], target.len(), ctx)?.remove(0))
}

/// [`scatter`] of every column of `source` into the column of `target` at its place.
///
/// Fails with `Logic` also when the tables differ in their number of columns.
pub fn scatter_table(source: &Table, map: &Column, target: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.scatter_table");
    same_width("source", source.num_columns(), target)?;
    let (sources, targets) = (columns_of(source), columns_of(target));
    let columns = scatter_columns(&sources, source.num_rows(), map, &targets, target.num_rows(), ctx)?;
    Table::with_rows(columns, target.num_rows())
}

fn scatter_columns(
    sources: &[&Column],
    source_rows: usize,
    map: &Column,
    targets: &[&Column],
    target_rows: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    if source_rows != map.len() {
        return Err(Error::logic(format!("`source` has {source_rows} rows, `map` has {}", map.len())));
    }
    for (source, target) in sources.iter().zip(targets) {
        same_types("source", source, "target", target)?;
    }
    check_scatter_map(map)?;
    if ctx.is_on_gpu() {
        let rows = cuda::Rows::new(map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
        let rows = rows.scatter(target_rows, 1, ctx)?;
        return cuda::scatter_columns(targets, sources, &rows, ctx);
    }
    let map = map.view()?;
    let map = cpu::Map::new(&map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
    scatter::scatter(sources, &map, targets, target_rows, ctx)
}

/// `target` with every row of `map` replaced by `value`.
///
/// Fails as [`scatter`] does.
pub fn scatter_scalar(value: &Scalar, map: &Column, target: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.scatter_scalar");
    Ok(scatter_values(&[value], map, &[target], target.len(), ctx)?.remove(0))
}

/// [`scatter_scalar`] of `values[c]` into column `c` of `target`, for every `c`.
///
/// Fails with `Logic` also when there is not one value for each column.
pub fn scatter_scalars(values: &[Scalar], map: &Column, target: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.scatter_scalars");
    same_width("values", values.len(), target)?;
    let values: Vec<&Scalar> = values.iter().collect();
    let columns = scatter_values(&values, map, &columns_of(target), target.num_rows(), ctx)?;
    Table::with_rows(columns, target.num_rows())
}

fn scatter_values(
    values: &[&Scalar],
    map: &Column,
    targets: &[&Column],
    target_rows: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    for (value, target) in values.iter().zip(targets) {
        check_scalar("value", value, target)?;
    }
    check_scatter_map(map)?;
    let pairs = values.iter().zip(targets);
    if ctx.is_on_gpu() {
        let rows = cuda::Rows::new(map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
        let rows = rows.scatter(target_rows, 0, ctx)?;
        return pairs
            .map(|(value, target)| {
                cuda::gather_from_both(target, &scalar_rows(value, target, 1, ctx)?, &rows, ctx)
            })
            .collect();
    }
    let map = map.view()?;
    let map = cpu::Map::new(&map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
    let marks = scatter::marks(&map, target_rows, ctx)?;
    pairs
        .map(|(value, target)| {
            scatter::copy_if_else(Operand::Scalar(value), Operand::Column(target), &marks, ctx)
        })
        .collect()
}

fn check_scatter_map(map: &Column) -> Result<()> {
    check_integers("map", map)?;
    if map.has_nulls() {
        return Err(Error::invalid_argument(format!("`map` of a scatter has {} nulls", map.count_nulls()?)));
    }
    Ok(())
}

/// `target` with the rows where `mask` is true replaced by the rows of `source`, in order: the first true
/// row by row 0. Rows of `source` beyond the number of true rows are left out; a null in the mask is false.
///
/// Fails with `DataType` when types differ or the mask is not boolean, with `Logic` when the tables differ
/// in their number of columns or `mask` and `target` in length, and with `InvalidArgument` when there are
/// more true rows than `source` has.
pub fn boolean_mask_scatter(source: &Table, target: &Table, mask: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.boolean_mask_scatter");
    check_mask(mask, "target", target.num_rows())?;
    let map = if ctx.is_on_gpu() { cuda::true_rows(mask, ctx)? } else { mask_to_rows(mask, ctx)? };
    if map.len() > source.num_rows() {
        return Err(Error::invalid_argument(format!(
            "`source` has {} rows for the {} true rows of `mask`",
            source.num_rows(),
            map.len()
        )));
    }
    scatter_table(&source.slice(0, map.len())?, &map, target, ctx)
}

/// `target` with column `c` replaced by `values[c]` where `mask` is true; a null in the mask is false.
///
/// Fails as [`boolean_mask_scatter`] does.
pub fn boolean_mask_scatter_scalars(
    values: &[Scalar],
    target: &Table,
    mask: &Column,
    ctx: &Context,
) -> Result<Table> {
    func_range!(c"copying.boolean_mask_scatter_scalars");
    check_mask(mask, "target", target.num_rows())?;
    same_width("values", values.len(), target)?;
    let columns = target.columns().iter().zip(values).map(|(column, value)| {
        check_scalar("value", value, column)?;
        choose(Operand::Scalar(value), Operand::Column(column), mask, ctx)
    });
    Table::with_rows(columns.collect::<Result<_>>()?, target.num_rows())
}

/// Row by row `lhs` where `mask` is true, `rhs` where it is false or null.
///
/// Both operands have the same type; a scalar stands for as many rows as the mask has. The scalar beside
/// a dictionary is of the type of its keys.
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
    match (lhs, rhs) {
        (Operand::Column(lhs), Operand::Column(rhs)) => same_types("lhs", lhs, "rhs", rhs)?,
        (Operand::Scalar(lhs), Operand::Column(rhs)) => check_scalar("lhs", lhs, rhs)?,
        (Operand::Column(lhs), Operand::Scalar(rhs)) => check_scalar("rhs", rhs, lhs)?,
        (Operand::Scalar(lhs), Operand::Scalar(rhs)) => {
            same_type("lhs", lhs.data_type(), "rhs", rhs.data_type())?;
        }
    }
    for (name, operand) in [("lhs", lhs), ("rhs", rhs)] {
        if let Operand::Column(column) = operand {
            check_mask(mask, name, column.len())?;
        }
    }
    same_type("mask", mask.data_type(), "a mask", DataType::Bool8)?;
    choose(lhs, rhs, mask, ctx)
}

/// See [`copy_if_else`]; types and lengths agree.
fn choose(lhs: Operand<'_>, rhs: Operand<'_>, mask: &Column, ctx: &Context) -> Result<Column> {
    if ctx.is_on_gpu() {
        let [(lhs, lhs_step), (rhs, rhs_step)] = scatter::as_columns(lhs, rhs, ctx)?;
        let rows = cuda::choice(mask, lhs.len(), [lhs_step, rhs_step], ctx)?;
        return cuda::gather_from_both(&lhs, &rhs, &rows, ctx);
    }
    scatter::copy_if_else(lhs, rhs, mask, ctx)
}

/// Fails unless `mask` is boolean and has a row for each row of what it selects from.
fn check_mask(mask: &Column, name: &str, rows: usize) -> Result<()> {
    same_type("mask", mask.data_type(), "a mask", DataType::Bool8)?;
    if mask.len() == rows {
        return Ok(());
    }
    Err(Error::logic(format!("`{name}` has {rows} rows, `mask` has {}", mask.len())))
}

/// Fails with `DataType` unless the two types are the same.
fn same_type(name: &str, actual: DataType, other: &str, expected: DataType) -> Result<()> {
    if actual == expected {
        return Ok(());
    }
    Err(Error::data_type(format!("`{name}` is {actual}, {other} is {expected}")))
}

/// [`same_type`] with all that is inside.
fn same_types(name: &str, actual: &Column, other: &str, expected: &Column) -> Result<()> {
    same_type(name, actual.data_type(), other, expected.data_type())?;
    if have_same_types(actual, expected) {
        return Ok(());
    }
    let data_type = actual.data_type();
    Err(Error::data_type(format!("`{name}` and {other} are both {data_type}, but not the same inside")))
}

fn same_width(name: &str, columns: usize, target: &Table) -> Result<()> {
    if columns == target.num_columns() {
        return Ok(());
    }
    Err(Error::logic(format!("`{name}` has {columns} columns, `target` has {}", target.num_columns())))
}

fn columns_of(table: &Table) -> Vec<&Column> {
    table.columns().iter().collect()
}
