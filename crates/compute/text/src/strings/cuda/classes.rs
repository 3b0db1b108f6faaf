//! Classes of characters: see [`attributes`](super::super::attributes), [`filter`](super::super::filter) and
//! [`replace::translate`](super::super::replace::translate).

use std::collections::BTreeMap;

use cuprum_column::{Column, Context, DataType, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts, map_texts};
use cuprum_runtime::kernel::{In, KernelName, Out};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use super::super::characters::KINDS;

kernels! {
    pub static CLASSES: "classes.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn test_characters<Test in [AllOfKind, OneCase, TitleCase]>(
        column: TextsDeviceView, kinds: In<u32>, kind: u32, out: Out<u8>,
    );
    fn filter_kinds(
        column: TextsDeviceView, kinds: In<u32>, remove: u32, removes_all: bool, keep: u32,
        replacement: In<u8>, size: usize, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn filter_ranges(
        column: TextsDeviceView, ranges: In<u32>, num_ranges: u32, keeps: bool,
        replacement: In<u8>, size: usize, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn translate_characters(
        column: TextsDeviceView, codes: In<u32>, num_codes: u32, starts: In<u64>, texts: In<u8>,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

kernel_names! {
    pub(in super::super) struct AllOfKind;
    pub(in super::super) struct OneCase;
    pub(in super::super) struct TitleCase;
}

/// Whether the test holds for each row, with characters of `kind`; `Bool8`.
pub(in super::super) fn test<Test: KernelName>(column: &Column, kind: u32, ctx: &Context) -> Result<Column> {
    let kinds = DeviceUVec::from_slice(&KINDS, &ctx.temporary()?)?;
    map_texts(column, DataType::Bool8, ctx, |grid, texts, out| {
        // SAFETY: there are kinds of all characters, and a place for each row.
        unsafe { test_characters::<Test>(ctx, grid, texts, &kinds, kind, out) }
    })
}

/// Rows with `replacement` for characters of the kinds `remove` (all of them where it is `None`) and of none of the
/// kinds `keep`.
pub(in super::super) fn filter(
    column: &Column,
    remove: Option<u32>,
    keep: u32,
    replacement: &str,
    ctx: &Context,
) -> Result<Column> {
    let (temporary, size) = (ctx.temporary()?, replacement.len());
    let kinds = DeviceUVec::from_slice(&KINDS, &temporary)?;
    let text = DeviceUVec::from_slice(replacement.as_bytes(), &temporary)?;
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(
        column,
        |bytes| bytes.checked_mul(size.max(1)),
        nulls,
        ctx,
        |grid, texts, out| {
            let (removes_all, remove) = (remove.is_none(), remove.unwrap_or(0));
            // SAFETY: there are kinds of all characters, the replacement has `size` bytes; sizes, offsets and bytes are
            // those of the rows.
            unsafe {
                filter_kinds(
                    ctx,
                    grid,
                    texts,
                    &kinds,
                    remove,
                    removes_all,
                    keep,
                    &text,
                    size,
                    out.narrow,
                    out.wide,
                    out.bytes,
                )
            }
        },
    )
}

/// See [`filter_characters`](super::super::filter::filter_characters).
pub(in super::super) fn filter_characters(
    column: &Column,
    ranges: &[(char, char)],
    keeps: bool,
    replacement: &str,
    ctx: &Context,
) -> Result<Column> {
    let (temporary, size) = (ctx.temporary()?, replacement.len());
    let pairs: Vec<u32> = ranges.iter().flat_map(|&(first, last)| [first as u32, last as u32]).collect();
    let pairs = DeviceUVec::from_slice(&pairs, &temporary)?;
    let text = DeviceUVec::from_slice(replacement.as_bytes(), &temporary)?;
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(
        column,
        |bytes| bytes.checked_mul(size.max(1)),
        nulls,
        ctx,
        |grid, texts, out| {
            let num_ranges = ranges.len() as u32;
            // SAFETY: there are as many pairs, the replacement has `size` bytes; sizes, offsets and bytes are those of the
            // rows.
            unsafe {
                filter_ranges(
                    ctx, grid, texts, &pairs, num_ranges, keeps, &text, size, out.narrow, out.wide, out.bytes,
                )
            }
        },
    )
}

/// See [`translate`](super::super::replace::translate).
pub(in super::super) fn translate(column: &Column, table: &[(char, &str)], ctx: &Context) -> Result<Column> {
    let table: BTreeMap<char, &str> = table.iter().copied().collect();
    let (temporary, codes) = (ctx.temporary()?, table.keys().map(|&c| c as u32).collect::<Vec<_>>());
    let mut starts = vec![0];
    starts.extend(table.values().scan(0, |end, text| {
        *end += text.len() as u64;
        Some(*end)
    }));
    let longest = table.values().map(|text| text.len()).max().unwrap_or(0).max(1);
    let all: String = table.values().copied().collect();
    let (codes, starts) =
        (DeviceUVec::from_slice(&codes, &temporary)?, DeviceUVec::from_slice(&starts, &temporary)?);
    let replaced = DeviceUVec::from_slice(all.as_bytes(), &temporary)?;
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(
        column,
        |bytes| bytes.checked_mul(longest),
        nulls,
        ctx,
        |grid, texts, out| {
            let num_codes = codes.len() as u32;
            // SAFETY: each code has its text; sizes, offsets and bytes are those of the rows.
            unsafe {
                translate_characters(
                    ctx, grid, texts, &codes, num_codes, &starts, &replaced, out.narrow, out.wide, out.bytes,
                )
            }
        },
    )
}
