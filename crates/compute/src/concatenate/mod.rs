//! Columns and tables end to end.

pub(crate) mod cpu;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::nvtx::func_range;

/// The rows of all `columns`, in order. All have one data type; nulls are kept.
///
/// A single column is returned as it is, sharing its memory.
///
/// Fails with `InvalidArgument` when no column is given and with `DataType` when the types differ.
pub fn concatenate(columns: &[&Column], ctx: &Context) -> Result<Column> {
    func_range!(c"concatenate.concatenate");
    let Some(first) = columns.first() else {
        return Err(Error::invalid_argument("`columns` is empty: there is nothing to concatenate"));
    };
    for (i, column) in columns.iter().enumerate() {
        if column.data_type() != first.data_type() {
            return Err(Error::data_type(format!(
                "column {i} is {}, column 0 is {}",
                column.data_type(),
                first.data_type()
            )));
        }
    }
    let filled: Vec<&Column> = columns.iter().copied().filter(|c| !c.is_empty()).collect();
    match filled.as_slice() {
        [] => Ok((*first).clone()),
        [only] => Ok((*only).clone()),
        _ => cpu::concatenate(&filled, ctx),
    }
}

/// The rows of all `tables`, in order; column `i` of the result is made of the columns `i`.
///
/// Tables without columns count with their rows.
///
/// Fails with `InvalidArgument` when no table is given, with `Logic` when the numbers of columns
/// differ and with `DataType` when the types do.
pub fn concatenate_tables(tables: &[&Table], ctx: &Context) -> Result<Table> {
    func_range!(c"concatenate.concatenate_tables");
    let Some(first) = tables.first() else {
        return Err(Error::invalid_argument("`tables` is empty: there is nothing to concatenate"));
    };
    let num_columns = first.num_columns();
    for (i, table) in tables.iter().enumerate() {
        if table.num_columns() != num_columns {
            return Err(Error::logic(format!(
                "table {i} has {} columns, table 0 has {num_columns}",
                table.num_columns()
            )));
        }
    }
    let columns = (0..num_columns)
        .map(|c| {
            let parts: Vec<&Column> = tables.iter().map(|t| &t.columns()[c]).collect();
            concatenate(&parts, ctx).map_err(|e| e.context(format!("column {c} of the tables")))
        })
        .collect::<Result<Vec<_>>>()?;
    Table::with_rows(columns, tables.iter().map(|t| t.num_rows()).sum())
}
