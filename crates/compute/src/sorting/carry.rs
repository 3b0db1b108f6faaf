//! Sorting tables: rows travel along with their keys where that is cheaper than gathering them.

use cuprum_column::DeviceUVec;
use cuprum_column::{Column, Context, Result, Table, dispatch_storage, null_mask, strings};

use super::keys::SortKeys;
use super::order::{RowNumber, is_sorted, sorted_rows};

pub(super) fn sort_by_key(
    values: &Table,
    _keys: &Table,
    prepared: &SortKeys<'_>,
    ctx: &Context,
) -> Result<Table> {
    if is_sorted(prepared, ctx)? {
        return Ok(values.clone());
    }
    if i32::try_from(prepared.len()).is_ok() {
        gather_all(values, &sorted_rows::<i32>(prepared, ctx)?, ctx)
    } else {
        gather_all(values, &sorted_rows::<i64>(prepared, ctx)?, ctx)
    }
}

fn gather_all<R: RowNumber>(values: &Table, rows: &[R], ctx: &Context) -> Result<Table> {
    let columns = values.columns().iter().map(|c| gather(c, rows, ctx)).collect::<Result<_>>()?;
    Table::with_rows(columns, rows.len())
}

/// The rows of a column in the order `rows`, which is a permutation.
fn gather<R: RowNumber>(column: &Column, rows: &[R], ctx: &Context) -> Result<Column> {
    let view = column.view();
    let mask = match view.validity() {
        None => None,
        Some(bits) => Some(null_mask::from_fn(rows.len(), ctx, |i| bits.get(rows[i].row()))?),
    };
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        Column::new(column.data_type(), DeviceUVec::from_fn(rows.len(), ctx, |i| values[rows[i].row()])?, mask)
    }, else => {
        let strings = view.strings()?;
        // SAFETY: the rows of a string column are valid UTF-8; of a null one, none is taken.
        unsafe {
            strings::from_bytes_fn(rows.len(), ctx, mask, |i| {
                let row = rows[i].row();
                if strings.validity().is_none_or(|bits| bits.get(row)) { strings.bytes(row) } else { &[] }
            })
        }
    })
}
