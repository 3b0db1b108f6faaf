//! Hexadecimal numbers, addresses, URLs and the numbers of characters: see [`forms`](super::super::forms).

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, ErrorKind, Result, TextsDeviceView, TextsView,
};
use cuprum_elements::gather::cuda::buffer;
use cuprum_elements::string_map::OnError;
use cuprum_elements::string_map::cuda::{Nulls, make_from_rows, make_from_texts, parse_texts, texts_grid};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceUVec, kernels};

kernels! {
    pub static FORMS: "forms.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 4096;

    fn count_code_points(column: TextsDeviceView, counts: Out<u64>);
    fn write_code_points(column: TextsDeviceView, starts: In<u64>, points: Out<i32>);
    fn parse_hexadecimal(column: TextsDeviceView, values: Out<i64>, first_bad: Out<u64>);
    fn print_hexadecimal(
        column: ColumnDeviceView, all_bits: u64,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn parse_addresses(column: TextsDeviceView, values: Out<u32>, first_bad: Out<u64>);
    fn print_addresses(
        column: ColumnDeviceView, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn encode_urls(
        column: TextsDeviceView, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn decode_urls(
        column: TextsDeviceView, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// See [`code_points`](super::super::forms::code_points).
pub(in super::super) fn code_points(column: &Column, ctx: &Context) -> Result<Column> {
    let (len, view, temporary) = (column.len(), TextsView::new(column)?, ctx.temporary()?);
    if len == 0 {
        return Ok(Column::empty(DataType::Int32));
    }
    let mut counts = DeviceUVec::uninit(len + 1, &temporary)?;
    // SAFETY: there is a place for each row.
    unsafe { count_code_points(ctx, texts_grid(len), &view, &mut counts)? };
    let starts = primitives::scan(&counts.span(), Reduction::Sum, ScanKind::Exclusive, &temporary)?;
    let total = starts.element(len)? as usize;
    let mut points = DeviceUVec::uninit(total, ctx)?;
    if total > 0 {
        // SAFETY: the rows have as many characters as they were counted with.
        unsafe { write_code_points(ctx, texts_grid(len), &view, &starts, &mut points)? };
    }
    Column::from_buffer(DataType::Int32, total, buffer(points)?, None)
}

/// See [`hex_to_integers`](super::super::forms::hex_to_integers).
pub(in super::super) fn hex_to_integers(
    column: &Column,
    parse: impl Fn(&str) -> Result<i64, ErrorKind>,
    ctx: &Context,
) -> Result<Column> {
    parse_texts(column, DataType::Int64, OnError::Fail, ctx, parse, |grid, texts, out| {
        // SAFETY: there is a place for each row.
        unsafe { parse_hexadecimal(ctx, grid, texts, out.values, out.first_bad) }
    })
}

/// See [`integers_to_hex`](super::super::forms::integers_to_hex); `all_bits` are those of the type.
pub(in super::super) fn integers_to_hex(column: &Column, all_bits: u64, ctx: &Context) -> Result<Column> {
    make_from_rows(column, 2 * size_of::<u64>(), ctx, |grid, rows, out| {
        // SAFETY: the column has integers; sizes, offsets and bytes are those of the rows.
        unsafe { print_hexadecimal(ctx, grid, rows, all_bits, out.narrow, out.wide, out.bytes) }
    })
}

/// See [`ipv4_to_integers`](super::super::forms::ipv4_to_integers).
pub(in super::super) fn ipv4_to_integers(
    column: &Column,
    parse: impl Fn(&str) -> Result<u32, ErrorKind>,
    ctx: &Context,
) -> Result<Column> {
    parse_texts(column, DataType::UInt32, OnError::Fail, ctx, parse, |grid, texts, out| {
        // SAFETY: there is a place for each row.
        unsafe { parse_addresses(ctx, grid, texts, out.values, out.first_bad) }
    })
}

/// See [`integers_to_ipv4`](super::super::forms::integers_to_ipv4).
pub(in super::super) fn integers_to_ipv4(column: &Column, ctx: &Context) -> Result<Column> {
    make_from_rows(column, "255.255.255.255".len(), ctx, |grid, rows, out| {
        // SAFETY: the column has `u32`; sizes, offsets and bytes are those of the rows.
        unsafe { print_addresses(ctx, grid, rows, out.narrow, out.wide, out.bytes) }
    })
}

/// See [`url_encode`](super::super::forms::url_encode).
pub(in super::super) fn url_encode(column: &Column, ctx: &Context) -> Result<Column> {
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(
        column,
        |bytes| bytes.checked_mul("%00".len()),
        nulls,
        ctx,
        |grid, texts, out| {
            // SAFETY: sizes, offsets and bytes are those of the rows.
            unsafe { encode_urls(ctx, grid, texts, out.narrow, out.wide, out.bytes) }
        },
    )
}

/// See [`url_decode`](super::super::forms::url_decode): a replacement has as many bytes as the `%` and digits that it
/// stands for.
pub(in super::super) fn url_decode(column: &Column, ctx: &Context) -> Result<Column> {
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, Some, nulls, ctx, |grid, texts, out| {
        // SAFETY: sizes, offsets and bytes are those of the rows.
        unsafe { decode_urls(ctx, grid, texts, out.narrow, out.wide, out.bytes) }
    })
}
