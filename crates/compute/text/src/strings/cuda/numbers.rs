//! Numbers as texts and texts as numbers: see [`convert`](super::super::convert).

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, Native, Result, TextsDeviceView};
use cuprum_elements::string_map::OnError;
use cuprum_elements::string_map::cuda::{make_from_rows, parse_texts};
use cuprum_runtime::kernel::Out;
use cuprum_runtime::kernels;

use super::super::values;

kernels! {
    pub static NUMBERS: "numbers.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 4096;

    fn print_integers(
        column: ColumnDeviceView, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn print_bools(
        column: ColumnDeviceView, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn parse_integers<T in [u8, u16, u32, u64]>(
        column: TextsDeviceView, is_signed: bool, values: Out<T>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
    fn parse_bools(
        column: TextsDeviceView, values: Out<u8>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
}

/// Integers as [`to_strings`](super::super::convert::to_strings) has them.
pub(in super::super) fn integers_as_texts(column: &Column, ctx: &Context) -> Result<Column> {
    let longest = match column.data_type().size() {
        Some(1) => "-128".len(),
        Some(2) => "-32768".len(),
        Some(4) => "-2147483648".len(),
        _ => "-9223372036854775808".len(),
    };
    make_from_rows(column, longest, ctx, |grid, rows, out| {
        // SAFETY: the column has integers; sizes, offsets and bytes are those of the rows.
        unsafe { print_integers(ctx, grid, rows, out.narrow, out.wide, out.bytes) }
    })
}

/// Truth values as [`to_strings`](super::super::convert::to_strings) has them.
pub(in super::super) fn bools_as_texts(column: &Column, ctx: &Context) -> Result<Column> {
    make_from_rows(column, "False".len(), ctx, |grid, rows, out| {
        // SAFETY: the column has truth values; sizes, offsets and bytes are those of the rows.
        unsafe { print_bools(ctx, grid, rows, out.narrow, out.wide, out.bytes) }
    })
}

/// Texts as integers of type `T`.
pub(in super::super) fn texts_as_integers<T>(
    column: &Column,
    to: DataType,
    on_error: OnError,
    ctx: &Context,
) -> Result<Column>
where
    T: Native + std::str::FromStr<Err = std::num::ParseIntError>,
{
    let parse = values::parse_integer::<T>;
    macro_rules! read_as {
        ($Bits:ty) => {
            parse_texts::<$Bits, T>(column, to, on_error, ctx, parse, |grid, texts, out| {
                // SAFETY: there is a place and a bit for each row.
                unsafe {
                    let (values, first_bad, validity) = (out.values, out.first_bad, out.validity);
                    parse_integers::<$Bits>(ctx, grid, texts, T::IS_SIGNED, values, first_bad, validity)
                }
            })
        };
    }
    match size_of::<T>() {
        1 => read_as!(u8),
        2 => read_as!(u16),
        4 => read_as!(u32),
        _ => read_as!(u64),
    }
}

/// Texts as truth values.
pub(in super::super) fn texts_as_bools(column: &Column, on_error: OnError, ctx: &Context) -> Result<Column> {
    parse_texts(column, DataType::Bool8, on_error, ctx, values::parse_bool, |grid, texts, out| {
        // SAFETY: there is a place and a bit for each row.
        unsafe { parse_bools(ctx, grid, texts, out.values, out.first_bad, out.validity) }
    })
}
