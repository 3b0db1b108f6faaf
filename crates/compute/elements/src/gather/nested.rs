//! Gather of columns of every type. Children are walked here, once for all devices; values, masks, characters
//! and offsets are moved by `cpu.rs` and `cuda.rs`.

use cuprum_column::{Buffer, Column, Context, DataType, Device, Error, Result, Table};

use crate::elements::columns_at_once;

/// Row numbers on a device, and their gathers of the parts of columns.
pub trait LeafGather: Sized {
    /// The number of row numbers.
    fn len(&self) -> usize;

    /// The rows of columns of fixed width, none or any number of them.
    fn fixed_width(&self, columns: &[&Column], ctx: &Context) -> Result<Vec<Column>>;

    /// The validity of the rows of a column; `None` where none can be null.
    fn mask(&self, column: &Column, ctx: &Context) -> Result<Option<(Buffer, usize)>>;

    /// The rows of a column of strings; `mask` is their validity.
    fn strings(&self, column: &Column, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column>;

    /// The offsets of the rows of a column of lists, and which of its elements these have.
    fn lists(&self, column: &Column, ctx: &Context) -> Result<(Column, Self)>;
}

/// The rows of every column; all columns have one length, which the row numbers are for.
#[doc(hidden)]
pub fn gather_columns<R: LeafGather>(columns: &[&Column], rows: &R, ctx: &Context) -> Result<Vec<Column>> {
    let mut gathered = Vec::with_capacity(columns.len());
    for some in columns.chunks(columns_at_once(columns.len(), ctx)) {
        let has_values = |column: &&Column| column.data_type().size().is_some();
        let values: Vec<&Column> = some.iter().copied().filter(has_values).collect();
        let mut values = rows.fixed_width(&values, ctx)?.into_iter();
        for column in some {
            let done = if has_values(column) { values.next() } else { None };
            gathered.push(done.map_or_else(|| gather_children(column, rows, ctx), Ok)?);
        }
    }
    Ok(gathered)
}

/// The rows of every column of a table.
#[doc(hidden)]
pub fn gather_table<R: LeafGather>(table: &Table, rows: &R, ctx: &Context) -> Result<Table> {
    let columns: Vec<&Column> = table.columns().iter().collect();
    Table::with_rows(gather_columns(&columns, rows, ctx)?, rows.len())
}

/// The rows of one column.
#[doc(hidden)]
pub fn gather_one<R: LeafGather>(column: &Column, rows: &R, ctx: &Context) -> Result<Column> {
    Ok(gather_columns(&[column], rows, ctx)?.remove(0))
}

/// The rows of a column whose rows are in its children.
fn gather_children<R: LeafGather>(column: &Column, rows: &R, ctx: &Context) -> Result<Column> {
    let (data_type, len) = (column.data_type(), rows.len());
    if data_type == DataType::Empty {
        // Without memory it is on every device.
        return Column::nulls(data_type, len, &Context::on(Device::Cpu)?);
    }
    let mask = rows.mask(column, ctx)?;
    let children = match data_type {
        DataType::String => return rows.strings(column, mask, ctx),
        DataType::List => {
            let (offsets, elements) = rows.lists(column, ctx)?;
            vec![offsets, gather_one(&column.children()[1], &elements, ctx)?]
        }
        DataType::Struct => {
            let fields = (0..column.children().len()).map(|i| column.field(i)).collect::<Result<Vec<_>>>()?;
            gather_columns(&fields.iter().collect::<Vec<_>>(), rows, ctx)?
        }
        DataType::Dictionary32 => {
            // Nulls belong to the dictionary, not to its indices.
            let indices = gather_one(&column.indices()?, rows, ctx)?.with_mask(None, ctx)?;
            vec![indices, column.keys()?.clone()]
        }
        other => return Err(Error::unsupported(format!("rows of {other} columns cannot be moved"))),
    };
    // SAFETY: the children have the same rows, in the same order: offsets are the running sum of the lengths
    // that the elements were gathered with, and valid rows have the indices that they had among the keys.
    unsafe { Column::from_parts_unchecked(data_type, len, 0, None, mask, children) }
}
