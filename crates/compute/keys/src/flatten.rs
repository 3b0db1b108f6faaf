//! Nested columns as keys: the columns of plain values that they are compared by.
//!
//! A struct is compared field by field, the first field first; fields that are structs likewise. A null
//! struct equals a null struct and nothing else (not a struct of nulls either), and is placed among others as
//! nulls are. So a struct column stands for a column that is null where the struct is and else of one value,
//! followed by its fields, which are null where the struct is (the flattening of libcudf's
//! `structs::utilities`). Lists are compared by [texts](crate::list_keys), dictionaries by their values.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DataType, Result, Scalar, Table, null_mask};
use cuprum_elements::gather::dictionary_values;
use cuprum_runtime::primitives;

use crate::list_keys::{MissingElements, texts_of_rows};

/// Whether a column is compared by other columns.
pub fn is_flattened(column: &Column) -> bool {
    is_flattened_type(column.data_type())
}

/// Whether columns of a type are compared by other columns.
pub fn is_flattened_type(data_type: DataType) -> bool {
    matches!(data_type, DataType::List | DataType::Struct | DataType::Dictionary32)
}

/// The columns that a column is compared by; the first is null exactly where the column is, or where it has a missing
/// element that makes the row missing.
pub fn leaves(column: &Column, elements: MissingElements, ctx: &Context) -> Result<Vec<Column>> {
    let mut leaves = Vec::new();
    if column.data_type() == DataType::Struct {
        add_leaves(&null_mask::push_down_nulls(column, ctx)?, elements, &mut leaves, ctx)?;
    } else {
        add_leaves(column, elements, &mut leaves, ctx)?;
    }
    Ok(leaves)
}

/// [`leaves`] of a column whose nulls are nulls of its fields.
fn add_leaves(
    column: &Column,
    elements: MissingElements,
    leaves: &mut Vec<Column>,
    ctx: &Context,
) -> Result<()> {
    match column.data_type() {
        DataType::Struct => {
            let present = Column::from_scalar(&Scalar::from(true), column.len(), ctx)?;
            leaves.push(present.with_mask(column.copy_mask(ctx)?, ctx)?);
            (0..column.children().len())
                .try_for_each(|i| add_leaves(&column.field(i)?, elements, leaves, ctx))
        }
        DataType::List => {
            leaves.push(texts_of_rows(column, elements, ctx)?);
            Ok(())
        }
        DataType::Dictionary32 => add_leaves(&dictionary_values(column, ctx)?, elements, leaves, ctx),
        _ => {
            leaves.push(column.clone());
            Ok(())
        }
    }
}

/// [`leaves`] by which a GPU, to whose keys NaN is null, tells the two apart: before floats a column that is null where
/// they are, else of one value.
pub fn leaves_with_nan(column: &Column, ctx: &Context) -> Result<Vec<Column>> {
    let mut all = Vec::new();
    for leaf in leaves(column, MissingElements::equal(false), ctx)? {
        if leaf.data_type().is_float() {
            let ones = primitives::fill(1u8, leaf.len(), ctx)?.into_buffer().try_into()?;
            all.push(Column::from_buffer(DataType::Bool8, leaf.len(), ones, leaf.copy_mask(ctx)?)?);
        }
        all.push(leaf);
    }
    Ok(all)
}

/// Whether keys on a GPU, to which NaN is null, distinguish the rows of a column: it has not both.
pub fn tells_nan_from_null(column: &Column) -> bool {
    fn any(column: &Column, is: &dyn Fn(&Column) -> bool) -> bool {
        is(column) || column.children().iter().any(|child| any(child, is))
    }
    !(any(column, &|column| column.data_type().is_float()) && any(column, &Column::has_nulls))
}

/// The columns that the rows of a table are compared by, and for each the column that it belongs to; the table
/// itself where it has no nested columns. `elements` is for each column.
pub fn flatten<'t>(
    table: &'t Table,
    elements: impl Fn(usize) -> MissingElements,
    ctx: &Context,
) -> Result<(Cow<'t, Table>, Vec<usize>)> {
    if !table.columns().iter().any(is_flattened) {
        return Ok((Cow::Borrowed(table), (0..table.num_columns()).collect()));
    }
    let (mut columns, mut origins) = (Vec::new(), Vec::new());
    for (c, column) in table.columns().iter().enumerate() {
        columns.extend(leaves(column, elements(c), ctx)?);
        origins.resize(columns.len(), c);
    }
    Ok((Cow::Owned(Table::with_rows(columns, table.num_rows())?), origins))
}
