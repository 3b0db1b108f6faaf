//! Floats as texts and texts as floats: see [`convert`](super::super::convert).

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, Result, TextsDeviceView};
use cuprum_elements::string_map::OnError;
use cuprum_elements::string_map::cuda::{make_from_rows, parse_texts};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::{DeviceUVec, kernels};
use fast_float2::FastFloat;

use super::super::values;
use super::powers_of_ten::POWERS_OF_TEN;

kernels! {
    pub static FLOATS: "floats.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 4096;

    fn print_floats<T in [f32, f64]>(
        column: ColumnDeviceView, powers: In<u64>,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn parse_floats<T in [f32, f64]>(
        column: TextsDeviceView, powers: In<u64>,
        values: Out<T>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
}

/// Bytes of the longest float.
const LONGEST: usize = "-2.2250738585072014e-308".len();

/// Floats of type `T` as [`to_strings`](super::super::convert::to_strings) has them.
pub(in super::super) fn as_texts<T: Number>(column: &Column, ctx: &Context) -> Result<Column> {
    let powers = DeviceUVec::from_slice(&POWERS_OF_TEN, &ctx.temporary()?)?;
    make_from_rows(column, LONGEST, ctx, |grid, rows, out| {
        // SAFETY: the column has values of `T`, there are all powers; sizes, offsets and bytes are those of the rows.
        unsafe { print_floats::<T>(ctx, grid, rows, &powers, out.narrow, out.wide, out.bytes) }
    })
}

/// Texts as floats of type `T`.
pub(in super::super) fn of_texts<T: Number + FastFloat>(
    column: &Column,
    to: DataType,
    on_error: OnError,
    ctx: &Context,
) -> Result<Column> {
    let powers = DeviceUVec::from_slice(&POWERS_OF_TEN, &ctx.temporary()?)?;
    parse_texts(column, to, on_error, ctx, values::parse_float::<T>, |grid, texts, out| {
        let (values, first_bad, validity) = (out.values, out.first_bad, out.validity);
        // SAFETY: there are all powers, a place and a bit for each row.
        unsafe { parse_floats::<T>(ctx, grid, texts, &powers, values, first_bad, validity) }
    })
}
