//! Rows of any key columns as integers that are equal exactly when the rows are.
//!
//! Group-by, join, distinct and membership all ask one question: which rows have equal keys? This
//! family answers it once. Each key column becomes a column of codes below a known bound:
//!
//! | column | code | bound |
//! |---|---|---|
//! | integers, times, booleans | value − smallest value | range of the values |
//! | floats | order-preserving bits − smallest (−0.0 is 0.0, every NaN is one NaN) | range of the bits |
//! | 128-bit decimals | stored value − smallest value; two codes where that takes more than 64 bits | range of the values |
//! | strings, structs, lists, dictionaries | number of the distinct value, in order of first appearance | number of distinct values |
//!
//! A null has a code of its own. Several columns are packed into one code by multiplying their
//! bounds while the product fits 64 bits; where it does not, pairs of codes are numbered anew
//! ([`cpu`]) and packing goes on with the number. A small bound lets users of the codes index
//! a plain table; everything else hashes one integer, whatever the keys were.
//!
//! Codes are made chunk by chunk where they are needed ([`EqualityKeys`]); [`encode`] writes them out.

mod column_range;
pub mod cpu;
pub mod cuda;
mod equality_keys;
mod options;
pub mod row_limit;
pub mod string_keys;
#[cfg(test)]
mod tests;
mod valid_rows;

use cuprum_column::{
    Buffer, Column, Context, Device, Error, HostUVec, Result, Table, have_same_types, type_name,
};
use cuprum_runtime::backend::{OnDevice, check_device};
use cuprum_runtime::nvtx::func_range;

use crate::flatten::flatten;
use crate::list_keys::MissingElements;

pub use equality_keys::{EqualityKeys, Numbered, number_or_part, number_rows};
pub use options::EncodeOptions;
use row_limit::most_rows;
#[doc(hidden)]
pub use valid_rows::valid_rows;

/// The rows of one table as codes; see [`encode`].
#[derive(Debug)]
pub struct RowCodes {
    /// One code per row: `UInt64`, without nulls.
    pub codes: Column,
    /// Every code is below it; `u64::MAX` if no bound is known. Never more than needed by much:
    /// for dense keys it is close to the number of distinct rows.
    pub bound: u64,
    /// The rows without a missing key as a mask with its number of nulls; `None` where no key is
    /// missing. NaN is missing if the codes were made with `nan_is_null`.
    pub valid: Option<(Buffer, usize)>,
}

impl OnDevice for RowCodes {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.codes
            .elsewhere(device)
            .or_else(|| self.valid.as_ref().and_then(|(mask, _)| mask.elsewhere(device)))
    }

    fn types(&self) -> String {
        format!("codes of {} rows", self.codes.len())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        let codes = self.codes.moved_to(ctx)?;
        Ok(Self { codes, bound: self.bound, valid: self.valid.moved_to(ctx)? })
    }
}

/// The rows of every table as codes of one code space: two rows, of one table or of two, have equal
/// codes exactly when all their keys are equal.
///
/// Keys are compared column by column, in position. A null equals a null and nothing else; NaN
/// equals NaN (whatever its bits) and −0.0 equals 0.0. Structs are equal where all their fields are; a null
/// struct is no struct of nulls. Lists are equal where they have as many elements, all equal; dictionaries are
/// their values. Rows of tables without columns are all equal.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where tables differ in the number of columns, with
/// [`DataType`](crate::ErrorKind::DataType) where columns of one position differ in type, and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more in all where values must
/// be numbered (strings, or keys too wide for 64 bits).
pub fn encode(tables: &[&Table], ctx: &Context) -> Result<Vec<RowCodes>> {
    func_range!(c"equality.encode");
    check_device!(ctx, [tables]);
    encode_with(tables, EncodeOptions::default(), ctx)
}

/// [`encode`] with a choice about NaN.
pub fn encode_with(tables: &[&Table], options: EncodeOptions, ctx: &Context) -> Result<Vec<RowCodes>> {
    func_range!(c"equality.encode_with");
    check_device!(ctx, [tables]);
    if ctx.is_on_gpu() {
        return encode_on_gpu(tables, options, ctx);
    }
    let plan = EqualityKeys::to_encode(tables, options, ctx)?;
    (0..tables.len())
        .map(|t| {
            let rows = plan.table_rows(t);
            // SAFETY: `fill` writes the whole slice it gets.
            let codes = unsafe {
                HostUVec::from_morsels(rows.len(), ctx, |range, out| {
                    let out = cpu::hash_table::zeroed_slice(out);
                    plan.fill(rows.start + range.start..rows.start + range.end, out);
                    Ok(())
                })?
            };
            let codes = Column::from_values(codes);
            Ok(RowCodes { codes, bound: plan.bound(), valid: plan.valid_rows(t, ctx)? })
        })
        .collect()
}

fn encode_on_gpu(tables: &[&Table], options: EncodeOptions, ctx: &Context) -> Result<Vec<RowCodes>> {
    check_key_types(tables)?;
    let (codes, bound) = cuda::encode::encode(tables, options, ctx)?;
    let mut first = 0;
    let of_table = |table: &&Table| {
        let own = codes.slice(first, table.num_rows())?;
        first += table.num_rows();
        let valid = cuda::encode::valid_rows(table, options.nan_is_null, ctx)?;
        Ok(RowCodes { codes: own, bound, valid })
    };
    tables.iter().map(of_table).collect()
}

/// Fails with `Logic` where tables of keys differ in the number of columns, with `DataType` where columns of one position
/// differ in type, with all that is inside.
#[doc(hidden)]
pub fn check_key_types(tables: &[&Table]) -> Result<()> {
    let Some((first, others)) = tables.split_first() else { return Ok(()) };
    for other in others {
        if first.num_columns() != other.num_columns() {
            let (a, b) = (first.num_columns(), other.num_columns());
            return Err(Error::logic(format!("the key tables have {a} and {b} columns")));
        }
        for (position, (a, b)) in first.columns().iter().zip(other.columns()).enumerate() {
            if !have_same_types(a, b) {
                let (a, b) = (type_name(a), type_name(b));
                return Err(Error::data_type(format!(
                    "key {position} is {a} in one table and {b} in another"
                )));
            }
        }
    }
    Ok(())
}

/// Whether two tables have the same types and the same rows in the same order: nulls, of fields too, equal each
/// other or nothing, NaN equals NaN, −0.0 equals 0.0.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for columns of `Empty`.
pub fn tables_equal(left: &Table, right: &Table, nulls_equal: bool, ctx: &Context) -> Result<bool> {
    func_range!(c"equality.tables_equal");
    check_device!(ctx, [left, right]);
    let (columns, others) = (left.columns(), right.columns());
    let is_alike = columns.len() == others.len()
        && columns.iter().zip(others).all(|(column, other)| have_same_types(column, other));
    if left.num_rows() != right.num_rows() || !is_alike {
        return Ok(false);
    }
    let elements = MissingElements::unequal(false);
    if !nulls_equal && flatten(left, |_| elements, ctx)?.0.columns().iter().any(Column::has_nulls) {
        return Ok(false);
    }
    if ctx.is_on_gpu() {
        return cuda::have_equal_rows(left, right, ctx);
    }
    // Rows of both are numbered together.
    let most = most_rows() / 2;
    for start in (0..left.num_rows().max(1)).step_by(most) {
        let len = most.min(left.num_rows() - start);
        let encoded = encode(&[&left.slice(start, len)?, &right.slice(start, len)?], ctx)?;
        let (left, right) = (encoded[0].codes.view()?, encoded[1].codes.view()?);
        if left.values::<u64>()? != right.values::<u64>()? {
            return Ok(false);
        }
    }
    Ok(true)
}
