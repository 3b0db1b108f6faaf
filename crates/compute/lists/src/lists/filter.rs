//! Some of the elements of each list, by booleans.

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::dense::{Dense, null_in_either};
use super::{check_lists, check_rows, cuda, rows_of_word};
use cuprum_elements::selection::{true_words, words_from_fn};

/// The elements of each list whose boolean in the row's list is true; a null is false. Null where the list
/// or its mask is.
///
/// Fails with `DataType` where the mask is not of lists of booleans, and with `Logic` where it has not one
/// boolean for each element.
pub fn apply_boolean_mask(lists: &Column, mask: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.apply_boolean_mask");
    check_device!(ctx, [lists, mask]);
    masked(lists, mask, true, ctx)
}

/// The elements of each list whose boolean in the row's list is not true; otherwise as
/// [`apply_boolean_mask`].
pub fn apply_deletion_mask(lists: &Column, mask: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.apply_deletion_mask");
    check_device!(ctx, [lists, mask]);
    masked(lists, mask, false, ctx)
}

fn masked(lists: &Column, mask: &Column, kept: bool, ctx: &Context) -> Result<Column> {
    check_lists("lists", lists)?;
    check_lists("mask", mask)?;
    check_rows("mask", mask, "lists", lists)?;
    let booleans = mask.children()[1].data_type();
    if booleans != DataType::Bool8 {
        return Err(Error::data_type(format!("`mask` must hold lists of booleans, not of {booleans}")));
    }
    let (lists, mask) = (null_in_either(lists, mask, ctx)?, null_in_either(mask, lists, ctx)?);
    if ctx.is_on_gpu() {
        return cuda::masked(&lists, &mask, kept, ctx)?.map_err(|row| {
            let len = |column: &Column| Ok(column.slice(row, 1)?.elements()?.len());
            len(&lists).and_then(|own| Ok(other_length(row, own, len(&mask)?))).unwrap_or_else(|error| error)
        });
    }
    let (dense, marks) = (Dense::new(&lists, ctx)?, Dense::new(&mask, ctx)?);
    let differs = |row: &usize| dense.pieces.count(*row) != marks.pieces.count(*row);
    if let Some(row) = (0..lists.len()).find(differs) {
        return Err(other_length(row, dense.pieces.count(row), marks.pieces.count(row)));
    }
    let mut words = true_words(&marks.elements, ctx)?;
    if !kept {
        let (trues, len) = (words, dense.elements.len());
        words = words_from_fn(len, ctx, |w| !trues[w] & rows_of_word(len, w))?;
    }
    dense.kept(words, ctx)?.into_lists(&lists, ctx)
}

fn other_length(row: usize, len: usize, booleans: usize) -> Error {
    Error::logic(format!("list {row} has {len} elements, its `mask` has {booleans}"))
}
