//! Columns and tables end to end.

pub mod assembly;
pub mod cpu;
pub mod cuda;
mod dictionary;
#[cfg(test)]
mod tests;

use cuprum_column::{
    Buffer, Column, Context, DataType, Device, Error, Result, Table, have_same_types, strings,
};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

/// The rows of all `columns`, in order. All have one type with all that is inside; nulls are kept. The
/// keys of dictionaries are merged where they differ, and the indices follow.
///
/// A single column is returned as it is, sharing its memory. Work is cut by the result, so that thousands
/// of short columns take no longer than a few long ones.
///
/// Fails with `InvalidArgument` when no column is given and with `DataType` when the types differ.
///
/// ```
/// # use cuprum_keys as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::concatenate::concatenate;
///
/// let ctx = Context::current();
/// let (a, b) = (Column::from_slice(&[1, 2], &ctx)?, Column::from_options(&[None, Some(4)], &ctx)?);
/// let both = concatenate(&[&a, &b], &ctx)?;
/// assert_eq!((both.len(), both.null_count()?), (4, 1));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn concatenate(columns: &[&Column], ctx: &Context) -> Result<Column> {
    func_range!(c"concatenate.concatenate");
    check_device!(ctx, [columns]);
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
        if !have_same_types(column, first) {
            let data_type = first.data_type();
            return Err(Error::data_type(format!(
                "columns {i} and 0 are both {data_type}, but not the same inside"
            )));
        }
    }
    let filled: Vec<&Column> = columns.iter().copied().filter(|c| !c.is_empty()).collect();
    match filled.as_slice() {
        [] => Ok((*first).clone()),
        [only] => Ok((*only).clone()),
        _ => join(&filled, ctx),
    }
}

/// Two columns or more, of one type.
fn join(columns: &[&Column], ctx: &Context) -> Result<Column> {
    let data_type = columns[0].data_type();
    let len = total_rows(columns.iter().map(|column| column.len()))?;
    if data_type == DataType::Empty {
        return Column::nulls(DataType::Empty, len, &Context::on(Device::Cpu)?);
    }
    let mask = on_device!(ctx, join_masks(columns))?;
    if let Some(size) = data_type.size() {
        let bytes = |column: &&Column| column.offset() * size..(column.offset() + column.len()) * size;
        let ranges: Vec<_> = columns.iter().map(bytes).collect();
        let data = on_device!(ctx, join_bytes(columns, &ranges))?;
        return Column::from_buffer(data_type, len, data, mask);
    }
    match data_type {
        DataType::String => {
            let (offsets, ranges) = on_device!(ctx, join_offsets(columns))?;
            let chars = on_device!(ctx, join_bytes(columns, &ranges))?;
            // SAFETY: the offsets of each column follow those of the one before, as its rows do.
            unsafe { strings::from_parts(len, offsets, chars, mask) }
        }
        DataType::List => {
            let (offsets, ranges) = on_device!(ctx, join_offsets(columns))?;
            let elements = columns.iter().zip(ranges);
            let elements = elements.map(|(c, range)| c.children()[1].slice(range.start, range.len()));
            let elements = concatenate_all(&elements.collect::<Result<Vec<_>>>()?, ctx)?;
            // SAFETY: the offsets of each column follow those of the one before, as its elements do.
            unsafe { Column::from_parts_unchecked(data_type, len, 0, None, mask, vec![offsets, elements]) }
        }
        DataType::Struct => {
            let field = |i: usize| {
                let parts = columns.iter().map(|column| column.field(i)).collect::<Result<Vec<_>>>()?;
                concatenate_all(&parts, ctx)
            };
            let fields = (0..columns[0].children().len()).map(field).collect::<Result<Vec<_>>>()?;
            Column::structs(len, fields, mask)
        }
        DataType::Dictionary32 => dictionary::join(columns, mask, ctx),
        other => Err(Error::unsupported(format!("{other} columns cannot be concatenated"))),
    }
}

fn concatenate_all(columns: &[Column], ctx: &Context) -> Result<Column> {
    concatenate(&columns.iter().collect::<Vec<_>>(), ctx)
}

/// The validity of all `columns`, one after the other, and the number of nulls, which is
/// [`UNKNOWN_NULL_COUNT`](cuprum_column::UNKNOWN_NULL_COUNT) on a GPU; `None` where no mask has a null. The
/// columns may be of different types.
pub fn concatenate_masks(columns: &[&Column], ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    func_range!(c"concatenate.concatenate_masks");
    check_device!(ctx, [columns]);
    total_rows(columns.iter().map(|column| column.len()))?;
    on_device!(ctx, join_masks(columns))
}

/// The rows of all `tables`, in order; column `i` of the result consists of the columns `i`.
///
/// Tables without columns count with their rows.
///
/// Fails with `InvalidArgument` when no table is given, with `Logic` when the numbers of columns
/// differ and with `DataType` when the types do.
pub fn concatenate_tables(tables: &[&Table], ctx: &Context) -> Result<Table> {
    func_range!(c"concatenate.concatenate_tables");
    check_device!(ctx, [tables]);
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
    Table::with_rows(columns, total_rows(tables.iter().map(|table| table.num_rows()))?)
}

/// The rows of all parts: they may be more than can be counted where no memory stands behind them.
fn total_rows(mut lengths: impl Iterator<Item = usize>) -> Result<usize> {
    lengths
        .try_fold(0usize, usize::checked_add)
        .ok_or_else(|| Error::overflow("the rows that are to be concatenated are more than 2^64"))
}
