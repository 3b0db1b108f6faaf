//! Decimals as texts and texts as decimals on a GPU.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, Error, Result, TextsDeviceView};
use cuprum_runtime::kernel::Out;
use cuprum_runtime::kernels;

use super::scale;
use crate::string_map::OnError;
use crate::string_map::cuda::{make_from_rows, read_texts};

kernels! {
    pub static DECIMAL_TEXTS: "decimal_texts.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn print_decimals(
        column: ColumnDeviceView, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn parse_decimals<T in [i32, i64]>(
        column: TextsDeviceView, scale: i32, values: Out<T>, first_bad: Out<u64>,
    );
    fn parse_wide_decimals(column: TextsDeviceView, scale: i32, values: Out<u64>, first_bad: Out<u64>);
}

/// See [`to_texts`](super::to_texts).
pub(super) fn to_texts(from: &Column, ctx: &Context) -> Result<Column> {
    let kind = from.data_type();
    if !kind.is_decimal() {
        return Err(super::not_decimal(kind));
    }
    make_from_rows(from, longest(kind), ctx, |grid, rows, out| {
        // SAFETY: the column has decimals; sizes, offsets and bytes are those of the rows.
        unsafe { print_decimals(ctx, grid, rows, out.narrow, out.wide, out.bytes) }
    })
}

/// Bytes of the longest text of a decimal.
fn longest(kind: DataType) -> usize {
    let digits = match kind.size() {
        Some(4) => 10,
        Some(8) => 19,
        _ => 39,
    };
    let places = scale(kind).unsigned_abs() as usize;
    let unsigned = match i8::try_from(scale(kind)) {
        Ok(0..) => digits + places,
        Ok(_) => digits.max(places + 1) + 1,
        Err(_) => digits + "e-2147483648".len(),
    };
    unsigned + 1
}

/// See [`from_texts`](super::from_texts); `to` is a decimal type, and `no_value` the error for a row and its text.
pub(super) fn from_texts(
    texts: &Column,
    to: DataType,
    no_value: impl FnOnce(usize, &str) -> Error,
    ctx: &Context,
) -> Result<Column> {
    let scale = scale(to);
    macro_rules! read_as {
        ($T:ty, $kernel:expr) => {
            read_texts::<$T>(texts, to, OnError::Fail, ctx, no_value, |grid, texts, out| {
                // SAFETY: there is a place for each row.
                unsafe { $kernel(ctx, grid, texts, scale, out.values, out.first_bad) }
            })
        };
    }
    match to {
        DataType::Decimal32(_) => read_as!(i32, parse_decimals::<i32>),
        DataType::Decimal64(_) => read_as!(i64, parse_decimals::<i64>),
        DataType::Decimal128(_) => read_as!(u64, parse_wide_decimals),
        other => Err(super::not_decimal(other)),
    }
}
