//! Plain text in rows: see [`find`](super::super::find), [`find_each`](super::super::find_each) and
//! [`replace`](super::super::replace).

use cuprum_column::{Column, Context, DataType, Result, TextsDeviceView, TextsView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts, map_texts};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

kernels! {
    pub static SEARCH_TEXT: "search.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn find_in_texts(
        column: TextsDeviceView, text: Option<In<u8>>, size: usize, each: TextsDeviceView, start: i64, stop: i64,
        has_stop: bool, is_last: bool, out: Out<i32>,
    );
    fn has_text(column: TextsDeviceView, each: TextsDeviceView, place: u32, out: Out<u8>);
    fn count_in_texts(column: TextsDeviceView, wanted: In<u8>, size: usize, out: Out<i32>);
    fn replace_text(
        column: TextsDeviceView, wanted: In<u8>, wanted_size: usize, replacement: In<u8>, size: usize, limit: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn replace_texts(
        column: TextsDeviceView, texts: In<u8>, starts: In<u64>, num_wanted: u32, limit: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// A text to look for in all rows, or one for each of as many.
#[derive(Clone, Copy)]
pub(in super::super) enum Wanted<'a> {
    Text(&'a str),
    Each(&'a Column),
}

/// The position of what is wanted in the characters `[start, stop)` of each row, the last one with `is_last`; see
/// [`find`](super::super::find::find).
pub(in super::super) fn find(
    column: &Column,
    wanted: Wanted<'_>,
    (start, stop): (i64, Option<i64>),
    is_last: bool,
    ctx: &Context,
) -> Result<Column> {
    let (text, each) = match wanted {
        Wanted::Text(text) => {
            (Some(DeviceUVec::from_slice(text.as_bytes(), &ctx.temporary()?)?), TextsView::empty())
        }
        Wanted::Each(texts) => (None, TextsView::new(texts)?),
    };
    let size = text.as_ref().map_or(0, DeviceUVec::len);
    map_texts(column, DataType::Int32, ctx, |grid, texts, out| {
        let (has_stop, stop) = (stop.is_some(), stop.unwrap_or(0));
        // SAFETY: the text has `size` bytes, or there is one for each row; so there is a place.
        unsafe {
            find_in_texts(ctx, grid, texts, text.as_ref(), size, &each, start, stop, has_stop, is_last, out)
        }
    })
}

/// See [`has_each`](super::super::find_each::has_each); places are numbered as there.
pub(in super::super) fn has_each(
    column: &Column,
    targets: &Column,
    place: u32,
    ctx: &Context,
) -> Result<Column> {
    let each = TextsView::new(targets)?;
    map_texts(column, DataType::Bool8, ctx, |grid, texts, out| {
        // SAFETY: there is a text and a place for each row.
        unsafe { has_text(ctx, grid, texts, &each, place, out) }
    })
}

/// See [`count`](super::super::find::count), of plain text.
pub(in super::super) fn count(column: &Column, text: &str, ctx: &Context) -> Result<Column> {
    let (wanted, size) = (DeviceUVec::from_slice(text.as_bytes(), &ctx.temporary()?)?, text.len());
    map_texts(column, DataType::Int32, ctx, |grid, texts, out| {
        // SAFETY: the text has `size` bytes, and there is a place for each row.
        unsafe { count_in_texts(ctx, grid, texts, &wanted, size, out) }
    })
}

/// See [`replace`](super::super::replace::replace), of plain text.
pub(in super::super) fn replace(
    column: &Column,
    text: &str,
    replacement: &str,
    limit: usize,
    ctx: &Context,
) -> Result<Column> {
    let (temporary, wanted_size, size) = (ctx.temporary()?, text.len(), replacement.len());
    let wanted = DeviceUVec::from_slice(text.as_bytes(), &temporary)?;
    let replaced = DeviceUVec::from_slice(replacement.as_bytes(), &temporary)?;
    let most = |bytes: usize| {
        // As often as there is room for the text.
        let times = bytes / wanted_size.max(1) + column.len();
        bytes.checked_add(times.min(limit.saturating_mul(column.len())).checked_mul(size)?)
    };
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        // SAFETY: the texts have as many bytes; sizes, offsets and bytes are those of the rows.
        unsafe {
            replace_text(
                ctx,
                grid,
                texts,
                &wanted,
                wanted_size,
                &replaced,
                size,
                limit,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })
}

/// See [`replace_multiple`](super::super::replace::replace_multiple): `pairs` of a text that is not empty and what
/// replaces it.
pub(in super::super) fn replace_multiple(
    column: &Column,
    pairs: &[(&str, &str)],
    limit: usize,
    ctx: &Context,
) -> Result<Column> {
    let temporary = ctx.temporary()?;
    let texts: Vec<&str> = pairs.iter().map(|pair| pair.0).chain(pairs.iter().map(|pair| pair.1)).collect();
    let mut starts = vec![0];
    starts.extend(texts.iter().scan(0, |end, text| {
        *end += text.len() as u64;
        Some(*end)
    }));
    let growth = pairs.iter().map(|(wanted, new)| new.len().div_ceil(wanted.len())).max().unwrap_or(1).max(1);
    let bytes = DeviceUVec::from_slice(texts.concat().as_bytes(), &temporary)?;
    let starts = DeviceUVec::from_slice(&starts, &temporary)?;
    let (nulls, count) = (Nulls::Of(column.copy_mask(ctx)?), pairs.len() as u32);
    make_from_texts(
        column,
        |bytes| bytes.checked_mul(growth),
        nulls,
        ctx,
        |grid, texts, out| {
            // SAFETY: `starts` are those of the texts; sizes, offsets and bytes are those of the rows.
            unsafe {
                replace_texts(
                    ctx, grid, texts, &bytes, &starts, count, limit, out.narrow, out.wide, out.bytes,
                )
            }
        },
    )
}
