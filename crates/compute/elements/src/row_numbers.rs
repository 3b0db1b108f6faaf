//! Row numbers: the integers that gather maps, results of joins and groups hold.

use std::ops::Deref;

use cuprum_column::{Column, ColumnView, Context, DataType, Error, HostUVec, Native, Result};

/// Integers that row numbers are kept in. Negative numbers are outside every table.
pub trait RowIndex: Native {
    /// A number that is no row: −1, or the largest unsigned number.
    const NONE: Self;

    /// The row as an offset; numbers that are no row become larger than any table.
    fn row(self) -> usize;

    /// The row number as an index.
    fn from_row(row: usize) -> Self;
}

macro_rules! row_index {
    ($($t:ty => $none:expr;)*) => {$(
        impl RowIndex for $t {
            const NONE: Self = $none;
            #[inline(always)]
            fn row(self) -> usize { self as isize as usize }
            #[inline(always)]
            fn from_row(row: usize) -> Self { row as Self }
        }
    )*};
}

row_index! {
    i32 => -1;
    u32 => u32::MAX;
    i64 => -1;
    u64 => u64::MAX;
}

/// Whether row numbers of a table of `rows` rows are kept in 32 bits (`Int32`), else `Int64`.
pub fn rows_fit_32_bits(rows: usize) -> bool {
    i32::try_from(rows).is_ok()
}

/// Row numbers below `rows` as a column: `Int32` where `rows` fits it, else `Int64`. No row is −1.
pub fn row_column(numbers: HostUVec<u32>, rows: usize, ctx: &Context) -> Result<Column> {
    if i32::try_from(rows).is_ok() {
        // The bits of a number below 2³¹ are those of the same i32, and the bits of `NONE` those of −1.
        Column::from_buffer(DataType::Int32, numbers.len(), numbers.into_buffer(), None)
    } else {
        let wide = |i: usize| if numbers[i] == u32::MAX { -1 } else { i64::from(numbers[i]) };
        Ok(Column::from_values(HostUVec::from_fn(numbers.len(), ctx, wide)?))
    }
}

/// Row numbers, or numbers of groups, of a column in 32 bits: for loops over host memory.
pub enum NarrowRows<'a> {
    /// The column's own memory.
    Shared(&'a [u32]),
    /// A copy, where the column has 64 bits.
    Owned(HostUVec<u32>),
}

impl<'a> NarrowRows<'a> {
    /// The numbers in `column`, of `Int32` or `Int64` without nulls: maps that joins give, the groups of rows.
    /// Numbers that are negative, or do not fit 32 bits, become `u32::MAX`.
    ///
    /// Fails with `DataType` for columns of other types, and with `InvalidArgument` for nulls; `name` is
    /// the name of the column in messages.
    pub fn new(name: &str, column: &'a ColumnView<'_>, ctx: &Context) -> Result<Self> {
        if column.validity().is_some() {
            return Err(Error::invalid_argument(format!("`{name}` has nulls; no row is -1")));
        }
        match column.data_type() {
            // The bits of −1 are those of the largest unsigned number, and other negative numbers are larger
            // than any row that an `Int32` holds.
            DataType::Int32 => Ok(Self::Shared(bytemuck::cast_slice(column.values::<i32>()?))),
            DataType::Int64 => {
                let rows = column.values::<i64>()?;
                let narrow = |i: usize| u32::try_from(rows[i]).unwrap_or(u32::MAX);
                Ok(Self::Owned(HostUVec::from_fn(rows.len(), ctx, narrow)?))
            }
            other => Err(Error::data_type(format!("`{name}` must be of int32 or int64, not {other}"))),
        }
    }
}

impl Deref for NarrowRows<'_> {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Self::Shared(rows) => rows,
            Self::Owned(rows) => rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    #[test]
    fn wide_numbers_become_narrow_ones() {
        let ctx = &Context::current();
        let narrow = |column: &Column| {
            let view = column.view().unwrap();
            NarrowRows::new("rows", &view, ctx)
                .map(|rows| rows.to_vec())
                .map_err(|e| (e.kind(), e.to_string()))
        };
        let wide = [0, 7, u32::MAX as i64 - 1, -1, i64::MIN, 1 << 32, i64::MAX];
        let none = u32::MAX;
        assert_eq!(
            narrow(&Column::from_slice(&wide, ctx).unwrap()).unwrap(),
            [0, 7, none - 1, none, none, none, none]
        );
        assert_eq!(narrow(&Column::from_slice(&[0, 7, -1], ctx).unwrap()).unwrap(), [0, 7, none]);
        let (kind, message) = narrow(&Column::from_slice(&[1u8], ctx).unwrap()).unwrap_err();
        assert_eq!(kind, ErrorKind::DataType);
        assert!(message.contains("`rows`") && message.contains("uint8"), "{message}");
        let (kind, message) = narrow(&Column::from_options(&[Some(1), None], ctx).unwrap()).unwrap_err();
        assert_eq!(kind, ErrorKind::InvalidArgument);
        assert!(message.contains("`rows`"), "{message}");
    }
}
