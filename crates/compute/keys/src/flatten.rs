//! Structs as keys: the columns without structs that they are compared by.
//!
//! A struct is compared field by field, the first field first; fields that are structs likewise. A null
//! struct equals a null struct and nothing else (not a struct of nulls either), and is placed among others as
//! nulls are. So a struct column stands for a column that is null where the struct is and else of one value,
//! followed by its fields, which are null where the struct is (the flattening of libcudf's
//! `structs::utilities`).

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Result, Scalar, Table, null_mask};
use cuprum_runtime::primitives;

/// The columns that a column is compared by; the first is null exactly where the column is.
pub fn leaves(column: &Column, ctx: &Context) -> Result<Vec<Column>> {
    let mut leaves = Vec::new();
    if column.data_type() == DataType::Struct {
        add_leaves(&null_mask::push_down_nulls(column, ctx)?, &mut leaves, ctx)?;
    } else {
        leaves.push(column.clone());
    }
    Ok(leaves)
}

/// [`leaves`] of a column whose nulls are nulls of its fields.
fn add_leaves(column: &Column, leaves: &mut Vec<Column>, ctx: &Context) -> Result<()> {
    if column.data_type() != DataType::Struct {
        leaves.push(column.clone());
        return Ok(());
    }
    let present = Column::from_scalar(&Scalar::from(true), column.len(), ctx)?;
    leaves.push(present.with_mask(column.copy_mask(ctx)?, ctx)?);
    (0..column.children().len()).try_for_each(|i| add_leaves(&column.field(i)?, leaves, ctx))
}

/// [`leaves`] by which a GPU, to whose keys NaN is null, tells the two apart: before floats a column that is null where
/// they are, else of one value.
pub fn leaves_with_nan(column: &Column, ctx: &Context) -> Result<Vec<Column>> {
    let mut all = Vec::new();
    for leaf in leaves(column, ctx)? {
        if leaf.data_type().is_float() {
            let ones = primitives::fill(1u8, leaf.len(), ctx)?.into_buffer().try_into()?;
            all.push(Column::from_buffer(DataType::Bool8, leaf.len(), ones, leaf.copy_mask(ctx)?)?);
        }
        all.push(leaf);
    }
    Ok(all)
}

/// Whether the columns that a column is compared by have values of their own: no lists, no dictionaries.
pub fn has_plain_leaves(column: &Column) -> bool {
    match column.data_type() {
        DataType::Struct => column.children().iter().all(has_plain_leaves),
        other => other.storage() != Storage::Children,
    }
}

/// Whether keys on a GPU, to which NaN is null, distinguish the rows of a column: it has not both.
pub fn tells_nan_from_null(column: &Column) -> bool {
    fn any(column: &Column, is: &dyn Fn(&Column) -> bool) -> bool {
        is(column) || column.children().iter().any(|child| any(child, is))
    }
    !(any(column, &|column| column.data_type().is_float()) && any(column, &Column::has_nulls))
}

/// The columns that the rows of a table are compared by, and for each the column that it belongs to; the table
/// itself where it has no structs.
pub fn flatten<'t>(table: &'t Table, ctx: &Context) -> Result<(Cow<'t, Table>, Vec<usize>)> {
    if table.columns().iter().all(|column| column.data_type() != DataType::Struct) {
        return Ok((Cow::Borrowed(table), (0..table.num_columns()).collect()));
    }
    let (mut columns, mut origins) = (Vec::new(), Vec::new());
    for (c, column) in table.columns().iter().enumerate() {
        columns.extend(leaves(column, ctx)?);
        origins.resize(columns.len(), c);
    }
    Ok((Cow::Owned(Table::with_rows(columns, table.num_rows())?), origins))
}
