//! Rows with more text: see [`pad`](super::super::pad) and [`slice`](super::super::slice).

use cuprum_column::{Column, ColumnDeviceView, Context, DeviceView, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::super::strip::Side;

kernels! {
    pub static FILLED: "filled.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn pad_texts(
        column: TextsDeviceView, width: usize, sides: u32, fill: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn zero_fill_texts(
        column: TextsDeviceView, width: usize, widths: ColumnDeviceView,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
    fn repeat_texts(
        column: TextsDeviceView, count: usize, counts: ColumnDeviceView,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
    fn replace_slices(
        column: TextsDeviceView, start: i64, stop: i64, has_stop: bool, replacement: In<u8>, size: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// A number for all rows, or a column with one for each of as many rows.
#[derive(Clone, Copy)]
pub(in super::super) enum Count<'a> {
    All(usize),
    Each(&'a Column),
}

impl Count<'_> {
    fn all(self) -> usize {
        match self {
            Self::All(count) => count,
            Self::Each(_) => 0,
        }
    }

    fn view(&self) -> Result<DeviceView<'_>> {
        match self {
            Self::All(_) => Ok(DeviceView::empty()),
            Self::Each(counts) => DeviceView::new(counts),
        }
    }

    fn nulls(self, column: &Column, ctx: &Context) -> Result<Nulls> {
        match self {
            Self::Each(counts) if counts.mask().is_some() => Ok(Nulls::Made),
            _ => Ok(Nulls::Of(column.copy_mask(ctx)?)),
        }
    }
}

/// See [`pad`](super::super::pad::pad).
pub(in super::super) fn pad(
    column: &Column,
    width: usize,
    side: Side,
    fill: char,
    ctx: &Context,
) -> Result<Column> {
    let added = column.len().checked_mul(width).and_then(|added| added.checked_mul(fill.len_utf8()));
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    let sides = match side {
        Side::Left => 1,
        Side::Right => 2,
        Side::Both => 3,
    };
    make_from_texts(
        column,
        |bytes| bytes.checked_add(added?),
        nulls,
        ctx,
        |grid, texts, out| {
            // SAFETY: sizes, offsets and bytes are those of the rows.
            unsafe {
                pad_texts(ctx, grid, texts, width, sides, u32::from(fill), out.narrow, out.wide, out.bytes)
            }
        },
    )
}

/// See [`zfill`](super::super::pad::zfill) and [`zfill_each`](super::super::pad::zfill_each).
pub(in super::super) fn zfill(column: &Column, width: Count<'_>, ctx: &Context) -> Result<Column> {
    let (all, widths, nulls) = (width.all(), width.view()?, width.nulls(column, ctx)?);
    let most = |bytes: usize| match width {
        Count::All(width) => bytes.checked_add(column.len().checked_mul(width)?),
        Count::Each(_) => None,
    };
    make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        // SAFETY: there is a width for each row; sizes, offsets, bytes and validity are those of the rows.
        unsafe {
            zero_fill_texts(ctx, grid, texts, all, &widths, out.narrow, out.wide, out.bytes, out.validity)
        }
    })
}

/// See [`repeat`](super::super::pad::repeat) and [`repeat_each`](super::super::pad::repeat_each).
pub(in super::super) fn repeat(column: &Column, count: Count<'_>, ctx: &Context) -> Result<Column> {
    let (all, counts, nulls) = (count.all(), count.view()?, count.nulls(column, ctx)?);
    let most = |bytes: usize| match count {
        Count::All(count) => bytes.checked_mul(count),
        Count::Each(_) => None,
    };
    make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        // SAFETY: there is a count for each row; sizes, offsets, bytes and validity are those of the rows.
        unsafe { repeat_texts(ctx, grid, texts, all, &counts, out.narrow, out.wide, out.bytes, out.validity) }
    })
}

/// See [`slice_replace`](super::super::slice::slice_replace).
pub(in super::super) fn slice_replace(
    column: &Column,
    start: Option<i64>,
    stop: Option<i64>,
    replacement: &str,
    ctx: &Context,
) -> Result<Column> {
    let added = column.len().checked_mul(replacement.len());
    let (text, size) =
        (DeviceUVec::from_slice(replacement.as_bytes(), &ctx.temporary()?)?, replacement.len());
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(
        column,
        |bytes| bytes.checked_add(added?),
        nulls,
        ctx,
        |grid, texts, out| {
            let (start, has_stop, stop) = (start.unwrap_or(0), stop.is_some(), stop.unwrap_or(0));
            // SAFETY: the replacement has `size` bytes; sizes, offsets and bytes are those of the rows.
            unsafe {
                replace_slices(
                    ctx, grid, texts, start, stop, has_stop, &text, size, out.narrow, out.wide, out.bytes,
                )
            }
        },
    )
}
