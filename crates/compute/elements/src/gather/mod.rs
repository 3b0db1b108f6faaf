//! Gather: the rows of columns of every type by their numbers. `copying` publishes it.
//!
//! A map is looked at once ([`cpu::Map`], [`cuda::GatherMap`]); lists, structs and dictionaries are moved by
//! moving what is inside.

pub mod cpu;
pub mod cuda;
mod lists;
mod nested;
pub mod packed;
mod policy;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use crate::row_numbers::RowIndex;
pub use nested::{LeafGather, gather_one, gather_table};
pub use policy::OutOfBoundsPolicy;
pub(crate) use policy::outside_error;

/// `map` with numbers below 0 counted from the end: −1 is the last of `num_rows` rows. The result is
/// `Int64` and has the map's nulls; numbers below −`num_rows` stay negative. A map of unsigned integers
/// is returned as it is.
///
/// Fails with `DataType` when the map is not of integers.
pub fn rows_from_end(map: &Column, num_rows: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.rows_from_end");
    check_device!(ctx, [map]);
    if map.data_type().is_unsigned_integer() {
        return Ok(map.clone());
    }
    check_integers("map", map)?;
    on_device!(ctx, count_from_end(map, num_rows))
}

/// Fails where `map`, which messages call `name`, is no column of integers.
pub fn check_integers(name: &str, map: &Column) -> Result<()> {
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
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_elements::gather as copying;
/// # }
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
///
/// let ctx = Context::current();
/// let table = Table::new(vec![Column::from_slice(&[10, 20, 30], &ctx)?])?;
/// let map = Column::from_slice(&[2, 0, 2], &ctx)?;
/// let rows = gather(&table, &map, OutOfBoundsPolicy::Check, &ctx)?;
/// assert_eq!(rows.columns()[0].view()?.values::<i32>()?, [30, 10, 30]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn gather(table: &Table, map: &Column, policy: OutOfBoundsPolicy, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.gather");
    check_device!(ctx, [table, map]);
    check_integers("map", map)?;
    let columns: Vec<&Column> = table.columns().iter().collect();
    let columns = on_device!(ctx, gather_map(&columns, map, table.num_rows(), policy))?;
    Table::with_rows(columns, map.len())
}

/// [`gather`] of one column.
pub fn gather_column(
    column: &Column,
    map: &Column,
    policy: OutOfBoundsPolicy,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"copying.gather_column");
    check_device!(ctx, [column, map]);
    check_integers("map", map)?;
    Ok(on_device!(ctx, gather_map(&[column], map, column.len(), policy))?.remove(0))
}

/// The values of a dictionary, row by row.
///
/// Fails with `DataType` for columns of other types.
#[doc(hidden)]
pub fn dictionary_values(dictionary: &Column, ctx: &Context) -> Result<Column> {
    let indices = dictionary.indices()?.with_mask(dictionary.copy_mask(ctx)?, ctx)?;
    gather_column(dictionary.keys()?, &indices, OutOfBoundsPolicy::Nullify, ctx)
}

/// The rows `rows` of `column`, all of which must exist; like the functions below for algorithms of the CPU,
/// which have row numbers in a slice.
///
/// Fails with `OutOfRange` at the first row that does not.
#[doc(hidden)]
pub fn gather_rows<I: RowIndex>(column: &Column, rows: &[I], ctx: &Context) -> Result<Column> {
    let map = cpu::Map::from_rows(rows, column.len(), OutOfBoundsPolicy::Check, ctx)?;
    gather_one(column, &map, ctx)
}

/// The rows `rows` of `column`; null where there is no such row, as for [`RowIndex::NONE`].
#[doc(hidden)]
pub fn gather_rows_or_null<I: RowIndex>(column: &Column, rows: &[I], ctx: &Context) -> Result<Column> {
    let map = cpu::Map::from_rows(rows, column.len(), OutOfBoundsPolicy::Nullify, ctx)?;
    gather_one(column, &map, ctx)
}

/// [`gather_rows`] of every column of a table, in one pass over the row numbers.
#[doc(hidden)]
pub fn gather_table_rows<I: RowIndex>(table: &Table, rows: &[I], ctx: &Context) -> Result<Table> {
    let map = cpu::Map::from_rows(rows, table.num_rows(), OutOfBoundsPolicy::Check, ctx)?;
    gather_table(table, &map, ctx)
}
