//! Reading times on a GPU.

use cuprum_column::{Column, Context, DataType, ErrorKind, Result, TextsDeviceView, TimeUnit};
use cuprum_elements::string_map::OnError;
use cuprum_elements::string_map::cuda::parse_texts;
use cuprum_runtime::kernel::Out;
use cuprum_runtime::kernels;

kernels! {
    pub static PARSE_TIMES: "parse_times.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn parse_iso_times<T in [i32, i64]>(
        column: TextsDeviceView, per_day: i64, values: Out<T>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
}

/// Texts in a form of ISO 8601 as times of `unit`; `parse` is what the CPU does.
pub(super) fn parse_iso(
    column: &Column,
    unit: TimeUnit,
    on_error: OnError,
    parse: impl Fn(&str) -> Result<i64, ErrorKind>,
    ctx: &Context,
) -> Result<Column> {
    let (to, per_day) = (DataType::Timestamp(unit), unit.per_day());
    macro_rules! read_as {
        ($T:ty) => {
            parse_texts::<$T, i64>(column, to, on_error, ctx, parse, |grid, texts, out| {
                let (values, first_bad, validity) = (out.values, out.first_bad, out.validity);
                // SAFETY: there is a place and a bit for each row.
                unsafe { parse_iso_times::<$T>(ctx, grid, texts, per_day, values, first_bad, validity) }
            })
        };
    }
    if unit == TimeUnit::Days { read_as!(i32) } else { read_as!(i64) }
}
