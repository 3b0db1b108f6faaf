//! Keeping some rows: boolean masks, dropping nulls, distinct rows.
//!
//! Rows that are kept stay in their order.

mod compress;
pub(crate) mod cpu;
pub mod distinct;
mod runs;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

pub use runs::{apply_deletion_mask, drop_nans, unique_count, unique_rows};

use crate::selection::{Selection, present_words, selected_rows, true_words};

/// The rows of `table` for which `mask` is true; a null in the mask drops its row.
///
/// Fails with `DataType` when the mask is not boolean and with `Logic` when its length differs.
pub fn apply_boolean_mask(table: &Table, mask: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"stream_compaction.apply_boolean_mask");
    host_only!(ctx, [table, mask], apply_boolean_mask(&table, &mask));
    check_mask(mask)?;
    if mask.len() != table.num_rows() {
        return Err(Error::logic(format!(
            "`mask` has {} rows, the table has {}",
            mask.len(),
            table.num_rows()
        )));
    }
    let selection = Selection::new(true_words(mask, ctx)?, mask.len(), ctx)?;
    cpu::keep(table, &selection, ctx)
}

/// The numbers of the rows for which `mask` is true and not null, ascending; `Int32` while the rows
/// of the mask fit 32 bits, else `Int64`.
///
/// Fails with `DataType` when the mask is not boolean.
pub fn mask_to_rows(mask: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.mask_to_rows");
    host_only!(ctx, [mask], mask_to_rows(&mask));
    check_mask(mask)?;
    let selection = Selection::new(true_words(mask, ctx)?, mask.len(), ctx)?;
    selected_rows(&selection, ctx)
}

/// The rows of `table` with at least `threshold` values that are not missing among the columns
/// `keys`. Missing is null and, with `nan_is_null`, NaN.
///
/// `threshold = keys.len()` keeps the rows without any missing value, `threshold = 1` those with
/// some value, 0 all rows.
///
/// Fails with `OutOfRange` when a key is no column of the table.
pub fn drop_nulls(
    table: &Table,
    keys: &[usize],
    threshold: usize,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Table> {
    func_range!(c"stream_compaction.drop_nulls");
    host_only!(ctx, [table], drop_nulls(&table, keys, threshold, nan_is_null));
    let columns = keys.iter().map(|&k| table.column(k)).collect::<Result<Vec<_>>>()?;
    if threshold == 0 {
        return Ok(table.clone());
    }
    let may_miss = |c: &Column| c.has_nulls() || (nan_is_null && c.data_type().is_float());
    if threshold <= keys.len() && !columns.iter().any(|c| may_miss(c)) {
        return Ok(table.clone());
    }
    let words = present_words(&columns, threshold, nan_is_null, table.num_rows(), ctx)?;
    let selection = Selection::new(words, table.num_rows(), ctx)?;
    cpu::keep(table, &selection, ctx)
}

fn check_mask(mask: &Column) -> Result<()> {
    if mask.data_type() == DataType::Bool8 {
        return Ok(());
    }
    Err(Error::data_type(format!("`mask` must be bool, not {}", mask.data_type())))
}
