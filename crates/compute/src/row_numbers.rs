//! Row numbers: the integers that gather maps, results of joins and groups hold.

use cuprum_column::{Column, Context, DataType, HostUVec, Native, Result};

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
pub(crate) fn row_column(numbers: HostUVec<u32>, rows: usize, ctx: &Context) -> Result<Column> {
    if i32::try_from(rows).is_ok() {
        // The bits of a number below 2³¹ are those of the same i32, and the bits of `NONE` those of −1.
        Column::from_buffer(DataType::Int32, numbers.len(), numbers.into_buffer(), None)
    } else {
        let wide = |i: usize| if numbers[i] == u32::MAX { -1 } else { i64::from(numbers[i]) };
        Ok(Column::from_values(HostUVec::from_fn(numbers.len(), ctx, wide)?))
    }
}
