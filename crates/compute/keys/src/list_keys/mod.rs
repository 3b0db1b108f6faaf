//! Lists as keys: texts that are equal, and in order, exactly as the lists are.
//!
//! A list is compared element by element, the first element first; a list with which another one begins comes before
//! it. The text of a list is the *codes* of its elements, one after the other. No code is a prefix of another one, so
//! texts compare as the lists do. All that sorts, hashes and looks up texts takes lists so, on every device.
//!
//! | element | code |
//! |---|---|
//! | missing, before all others | `01` |
//! | number, time, truth value | its [ordered form](crate::ordered_bits), seven bits a byte, the first byte with `20` |
//! | text | `20`, its bytes (`00` as `01 02`, `01` as `01 03`), `00` |
//! | struct | `20`, the codes of its fields |
//! | list | `20`, the codes of its elements, `00` |
//! | missing, behind all others | `7f` |
//!
//! Codes are of ASCII and of whole characters of the texts inside, so these are texts as any others (compare the keys of
//! FoundationDB's tuples). Dictionaries are their values.

mod cpu;
pub mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Result};
use cuprum_elements::gather::dictionary_values;
use cuprum_runtime::backend::on_device;

/// The bytes that codes begin and end with.
const END: u8 = 0x00;
const MISSING_FIRST: u8 = 0x01;
const VALUE: u8 = 0x20;
const MISSING_LAST: u8 = 0x7f;

/// The treatment of missing elements of lists that are keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingElements {
    place: Place,
    is_nan_missing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    First,
    Last,
    /// The whole row is missing.
    InTheirRow,
}

impl MissingElements {
    /// Null equals null and NaN equals NaN; the two are the same or differ.
    pub fn equal(is_nan_missing: bool) -> Self {
        Self { place: Place::First, is_nan_missing }
    }

    /// Rows with a missing element, at any depth, are missing: they equal nothing.
    pub fn unequal(is_nan_missing: bool) -> Self {
        Self { place: Place::InTheirRow, is_nan_missing }
    }

    /// Null and NaN are the same, and are before all values, or behind them.
    pub fn in_order(are_first: bool) -> Self {
        Self { place: if are_first { Place::First } else { Place::Last }, is_nan_missing: true }
    }

    /// The code of a missing element, where rows with one are not missing themselves.
    fn code(self) -> u8 {
        if self.place == Place::Last { MISSING_LAST } else { MISSING_FIRST }
    }
}

/// The texts that the rows of a column of lists or structs are compared by, null where these are.
pub fn texts_of_rows(column: &Column, missing: MissingElements, ctx: &Context) -> Result<Column> {
    let codes = codes_inside(column, missing, &ctx.temporary()?)?;
    joined(column, &codes, true, missing, ctx)
}

/// The codes of the elements of lists, or of each field of structs.
fn codes_inside(column: &Column, missing: MissingElements, ctx: &Context) -> Result<Vec<Column>> {
    if column.data_type() == DataType::List {
        return Ok(vec![codes(&column.elements()?, missing, ctx)?]);
    }
    (0..column.children().len()).map(|i| codes(&column.field(i)?, missing, ctx)).collect()
}

/// The code of each row; null where a row is missing and makes its list missing.
fn codes(column: &Column, missing: MissingElements, ctx: &Context) -> Result<Column> {
    match column.data_type() {
        DataType::List | DataType::Struct => {
            joined(column, &codes_inside(column, missing, ctx)?, false, missing, ctx)
        }
        DataType::Dictionary32 => codes(&dictionary_values(column, ctx)?, missing, ctx),
        _ => on_device!(ctx, cpu::codes(column, missing, ctx), cuda::codes(column, missing, ctx)),
    }
}

/// The codes of lists from those of their elements, or of structs from those of their fields; of lists also the texts
/// that they are compared by, which have no code around them.
fn joined(
    column: &Column,
    parts: &[Column],
    is_key: bool,
    missing: MissingElements,
    ctx: &Context,
) -> Result<Column> {
    on_device!(
        ctx,
        cpu::joined(column, parts, is_key, missing, ctx),
        cuda::joined(column, parts, is_key, missing, ctx)
    )
}
