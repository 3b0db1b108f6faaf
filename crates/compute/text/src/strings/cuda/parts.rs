//! Parts of rows: see [`slice`](super::super::slice), [`strip`](super::super::strip) and
//! [`replace`](super::super::replace).

use cuprum_column::{Column, Context, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::super::characters::{KINDS, SPACE};

kernels! {
    pub static PARTS: "parts.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn strip_texts(
        column: TextsDeviceView, at_start: bool, at_end: bool, codes: Option<In<u32>>, num_codes: u32,
        kinds: Option<In<u32>>, kind: u32, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn slice_texts(
        column: TextsDeviceView, start: i64, stop: i64, has_stop: bool,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn step_over_texts(
        column: TextsDeviceView, start: i64, has_start: bool, stop: i64, has_stop: bool, step: i64,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn characters_of_texts(
        column: TextsDeviceView, position: i64,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
    fn remove_affix(
        column: TextsDeviceView, affix: In<u8>, size: usize, at_end: bool,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// See [`strip`](super::super::strip::strip): at the start, the end or both.
pub(in super::super) fn strip(
    column: &Column,
    (at_start, at_end): (bool, bool),
    chars: Option<&str>,
    ctx: &Context,
) -> Result<Column> {
    let temporary = ctx.temporary()?;
    let (mut codes, mut kinds) = (None, None);
    if let Some(chars) = chars {
        let mut set: Vec<u32> = chars.chars().map(u32::from).collect();
        set.sort_unstable();
        codes = Some(DeviceUVec::from_slice(&set, &temporary)?);
    } else {
        kinds = Some(DeviceUVec::from_slice(&KINDS, &temporary)?);
    }
    let num_codes = codes.as_ref().map_or(0, |codes| codes.len() as u32);
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, Some, nulls, ctx, |grid, texts, out| {
        let (codes, kinds) = (codes.as_ref(), kinds.as_ref());
        // SAFETY: there are `num_codes` codes, or kinds of all characters; sizes, offsets and bytes are those of the
        // rows.
        unsafe {
            strip_texts(
                ctx, grid, texts, at_start, at_end, codes, num_codes, kinds, SPACE, out.narrow, out.wide,
                out.bytes,
            )
        }
    })
}

/// See [`slice`](super::super::slice::slice); `step` is not 0.
pub(in super::super) fn slice(
    column: &Column,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
    ctx: &Context,
) -> Result<Column> {
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    let (has_start, from) = (start.is_some(), start.unwrap_or(0));
    let (has_stop, to) = (stop.is_some(), stop.unwrap_or(0));
    make_from_texts(column, Some, nulls, ctx, |grid, texts, out| {
        let (narrow, wide, bytes) = (out.narrow, out.wide, out.bytes);
        // SAFETY: sizes, offsets and bytes are those of the rows.
        unsafe {
            if step == 1 {
                slice_texts(ctx, grid, texts, from, to, has_stop, narrow, wide, bytes)
            } else {
                step_over_texts(ctx, grid, texts, from, has_start, to, has_stop, step, narrow, wide, bytes)
            }
        }
    })
}

/// See [`get`](super::super::slice::get).
pub(in super::super) fn get(column: &Column, position: i64, ctx: &Context) -> Result<Column> {
    make_from_texts(column, Some, Nulls::Made, ctx, |grid, texts, out| {
        // SAFETY: sizes, offsets, bytes and validity are those of the rows.
        unsafe {
            characters_of_texts(ctx, grid, texts, position, out.narrow, out.wide, out.bytes, out.validity)
        }
    })
}

/// Rows without `affix` where they begin with it, or end with it.
pub(in super::super) fn without_affix(
    column: &Column,
    affix: &str,
    at_end: bool,
    ctx: &Context,
) -> Result<Column> {
    let (affix, size) = (DeviceUVec::from_slice(affix.as_bytes(), &ctx.temporary()?)?, affix.len());
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, Some, nulls, ctx, |grid, texts, out| {
        // SAFETY: the affix has `size` bytes; sizes, offsets and bytes are those of the rows.
        unsafe { remove_affix(ctx, grid, texts, &affix, size, at_end, out.narrow, out.wide, out.bytes) }
    })
}
