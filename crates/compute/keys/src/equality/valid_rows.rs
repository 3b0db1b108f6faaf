//! The rows that miss no key.

use cuprum_column::{Buffer, Column, Context, Result, null_mask};
use cuprum_runtime::primitives::Bits;

use super::column_range::not_nan_words;

/// The validity of several columns of `len` rows at once, NaN counting as null on request.
#[doc(hidden)]
pub fn valid_rows(
    columns: &[&Column],
    len: usize,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    let mut masks = Vec::new();
    for column in columns {
        if nan_is_null && column.data_type().is_float() {
            let words = not_nan_words(column, ctx)?;
            if words.1 > 0 {
                masks.push(words);
            }
        }
        if let Some(mask) = column.copy_mask(ctx)? {
            masks.push(mask);
        }
    }
    if masks.len() <= 1 {
        return Ok(masks.pop());
    }
    let masks = masks.iter().map(|(mask, _)| Bits::of(mask, 0, len)).collect::<Result<Vec<_>>>()?;
    let maps = masks.iter().map(Bits::to_bitmap).collect::<Result<Vec<_>>>()?;
    null_mask::and(&maps, len, ctx)
}
