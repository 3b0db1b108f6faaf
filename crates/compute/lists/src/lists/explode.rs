//! Elements as rows.

use cuprum_column::{Column, Context, Result, Table, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::dense::{gather_pieces, row_numbers};
use super::elements::check_counts;
use super::{check_lists, cuda};
use cuprum_elements::gather::gather_table;
use cuprum_elements::row_pieces::{Lists, RowPieces};
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather};

/// A row for each element of the lists in column `column`: the element in place of the list, beside it the
/// other columns of the list's row. Rows whose list is empty or null are left out.
///
/// Fails with `OutOfRange` where there is no such column.
///
/// ```
/// # use cuprum_lists as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::lists::explode;
///
/// let ctx = Context::current();
/// let elements = Column::from_slice(&[5, 10, 15, 20], &ctx)?;
/// let lists = Column::lists(Column::from_slice(&[0, 3, 3, 4], &ctx)?, elements, None)?;
/// let table = Table::new(vec![lists, Column::from_slice(&[100, 200, 300], &ctx)?])?;
/// let rows = explode(&table, 0, &ctx)?;
/// assert_eq!(rows.columns()[0].view()?.values::<i32>()?, [5, 10, 15, 20]);
/// assert_eq!(rows.columns()[1].view()?.values::<i32>()?, [100, 100, 100, 300]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn explode(table: &Table, column: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"lists.explode");
    check_device!(ctx, [table]);
    exploded(table, column, false, false, ctx)
}

/// [`explode`] that keeps the rows whose list is empty or null, with a null element.
pub fn explode_outer(table: &Table, column: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"lists.explode_outer");
    check_device!(ctx, [table]);
    exploded(table, column, true, false, ctx)
}

/// [`explode`] with the positions of the elements in their lists, `Int32`, as a column before the elements.
pub fn explode_position(table: &Table, column: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"lists.explode_position");
    check_device!(ctx, [table]);
    exploded(table, column, false, true, ctx)
}

/// [`explode_outer`] with positions as of [`explode_position`], null where there is no element.
pub fn explode_outer_position(table: &Table, column: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"lists.explode_outer_position");
    check_device!(ctx, [table]);
    exploded(table, column, true, true, ctx)
}

/// For each row that [`explode_outer`] gives the number of the row that it comes from, `Int32` where the rows
/// fit, else `Int64`; and its element.
pub fn explode_outer_rows(lists: &Column, ctx: &Context) -> Result<(Column, Column)> {
    func_range!(c"lists.explode_outer_rows");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    if ctx.is_on_gpu() {
        let rows = cuda::Exploded::new(lists, true, ctx)?;
        return Ok((rows.row_column(ctx)?, rows.elements));
    }
    let view = lists.view()?;
    let there = Lists::new(&view)?;
    let pieces = RowPieces::new(there.len(), ctx, |row| there.span(row)[1].max(1))?;
    Ok((row_numbers(&pieces, ctx)?, elements(&there, &pieces, ctx)?))
}

/// The element of each piece, null for the piece of a list without any.
fn elements(lists: &Lists<'_>, pieces: &RowPieces, ctx: &Context) -> Result<Column> {
    gather_pieces(lists.elements(), pieces, ctx, |row, k| {
        let [start, len] = lists.span(row);
        (k < len).then_some(start + k)
    })
}

fn exploded(table: &Table, column: usize, outer: bool, with_position: bool, ctx: &Context) -> Result<Table> {
    let lists = table.column(column)?;
    check_lists("column", lists)?;
    if with_position {
        check_counts(lists, ctx)?;
    }
    let others: Vec<usize> = (0..table.num_columns()).filter(|&i| i != column).collect();
    if ctx.is_on_gpu() {
        let rows = cuda::Exploded::new(lists, outer, ctx)?;
        let mut columns = gather_table(&table.select(&others)?, &rows.rows(ctx)?, ctx)?.into_columns();
        if with_position {
            columns.insert(column, rows.positions(lists, outer, ctx)?);
        }
        columns.insert(column + usize::from(with_position), rows.elements.clone());
        return Table::with_rows(columns, rows.len());
    }
    let view = lists.view()?;
    let lists = Lists::new(&view)?;
    let pieces = RowPieces::new(lists.len(), ctx, |row| lists.span(row)[1].max(usize::from(outer)))?;
    let rows = row_numbers(&pieces, ctx)?;
    let others = gather(&table.select(&others)?, &rows, OutOfBoundsPolicy::Check, ctx)?;
    let mut columns = others.into_columns();
    columns.insert(column, elements(&lists, &pieces, ctx)?);
    if with_position {
        columns.insert(column, positions(&lists, &pieces, outer, ctx)?);
    }
    Table::with_rows(columns, pieces.total())
}

/// The position of each piece in its list, null for the piece of a list without any.
fn positions(lists: &Lists<'_>, pieces: &RowPieces, outer: bool, ctx: &Context) -> Result<Column> {
    let positions = Column::from_values(pieces.fill(ctx, |_, k| k as i32)?);
    if !outer {
        return Ok(positions);
    }
    // Position 0 exists where the list has an element.
    let present = pieces.fill(ctx, |row, k| u8::from(k < lists.span(row)[1]))?;
    let mask = null_mask::from_fn(present.len(), ctx, |i| present[i] != 0)?;
    positions.with_mask(Some(mask), ctx)
}
