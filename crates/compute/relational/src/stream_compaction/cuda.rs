//! Compaction on a GPU: columns of fixed width by the bits of the kept rows, children of others by the
//! numbers of these rows.

use cuprum_column::{Context, Result, Table};

use cuprum_elements::gather::cuda::{GatherMap, Numbers, numbers_below};
use cuprum_elements::gather::gather_one;
use cuprum_elements::selection::cuda::Selection;

/// The rows of `table` that are selected.
pub(super) fn keep(table: &Table, selection: &Selection, ctx: &Context) -> Result<Table> {
    let kept = selection.count();
    if kept == selection.len() {
        return Ok(table.clone());
    }
    if kept == 0 {
        return table.slice(0, 0);
    }
    let mut rows = None;
    let mut columns = Vec::with_capacity(table.num_columns());
    for column in table.columns() {
        columns.push(if column.data_type().size().is_some() {
            selection.keep(column, ctx)?
        } else {
            let rows = match &rows {
                Some(rows) => rows,
                None => {
                    let temporary = ctx.temporary()?;
                    let numbers = numbers_below!(selection.len(), I => selection.rows::<I>(&temporary)?);
                    rows.insert(GatherMap::from(numbers))
                }
            };
            gather_one(column, rows, ctx)?
        });
    }
    Table::with_rows(columns, kept)
}
