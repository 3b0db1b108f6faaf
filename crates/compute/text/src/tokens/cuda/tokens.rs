//! Tokens and runs of characters: see [`tokenize`](super::super::tokenize), [`replace`](super::super::replace) and
//! [`ngrams`](super::super::ngrams).

use cuprum_column::{Buffer, Column, Context, DataType, Result, TextsDeviceView, TextsView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts, make_texts, map_texts, texts_grid};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels, primitives};

use super::super::delimiters::Delimiters;
use super::delimiters::DeviceDelimiters;
use super::vocabulary::DeviceTable;
use crate::strings::cuda::spans::{self, Parts};

kernels! {
    pub static TOKENS: "tokens.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn count_tokens_of_texts(column: TextsDeviceView, words: In<u64>, count: usize, kind: u32, out: Out<i32>);
    fn note_tokens(
        column: TextsDeviceView, words: In<u64>, count: usize, kind: u32, n: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, starts: Option<Out<u64>>, ends: Option<Out<u64>>,
    );
    fn texts_of_token_runs(
        column_bytes: Option<In<u8>>, starts: In<u64>, ends: In<u64>, n: usize, words: In<u64>, count: usize,
        kind: u32, separator: In<u8>, size: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn replace_tokens_of_texts(
        column: TextsDeviceView, targets: TextsDeviceView, slots: In<i32>, num_slots: usize,
        replacements: TextsDeviceView, words: In<u64>, count: usize, kind: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn filter_tokens_of_texts(
        column: TextsDeviceView, least: usize, replacement: In<u8>, size: usize, words: In<u64>, count: usize,
        kind: u32, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn join_tokens_of_texts(
        column: TextsDeviceView, words: In<u64>, count: usize, kind: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn note_windows(
        column: TextsDeviceView, n: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, starts: Option<Out<u64>>, ends: Option<Out<u64>>,
    );
    fn hash_windows(
        column: TextsDeviceView, n: usize, seed: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, values: Option<Out<u32>>,
    );
    fn flag_texts(column: TextsDeviceView, out: Out<u8>);
    fn texts_of_row_runs(
        column: TextsDeviceView, kept: In<u64>, num_runs: usize, n: usize, separator: In<u8>, size: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// The number of bytes of all rows, and maybe of others.
fn all_bytes(column: &Column) -> usize {
    column.data().map_or(0, Buffer::len)
}

/// The most tokens that rows can have: something stands between two of them.
fn most_tokens(bytes: usize, rows: usize) -> usize {
    bytes.saturating_add(rows) / 2
}

/// See [`count_tokens`](super::super::tokenize::count_tokens).
pub(in super::super) fn count(column: &Column, delimiters: &Delimiters, ctx: &Context) -> Result<Column> {
    let between = DeviceDelimiters::new(delimiters, ctx)?;
    let counts = map_texts(column, DataType::Int32, ctx, |grid, texts, out| {
        let DeviceDelimiters { words, count, kind } = &between;
        // SAFETY: the words are those of delimiters, and there is a place for each row.
        unsafe { count_tokens_of_texts(ctx, grid, texts, words, *count, *kind, out) }
    })?;
    counts.with_mask(None, ctx)
}

/// The places of all runs of `n` tokens of each row.
fn noted<'a>(column: &'a Column, between: &DeviceDelimiters, n: usize, ctx: &Context) -> Result<Parts<'a>> {
    let DeviceDelimiters { words, count, kind } = between;
    spans::note_parts(column, Some(all_bytes(column)), ctx, |grid, texts, out| {
        // SAFETY: the words are those of delimiters; counts, offsets and places are those of the rows.
        unsafe {
            note_tokens(ctx, grid, texts, words, *count, *kind, n, out.narrow, out.wide, out.starts, out.ends)
        }
    })
}

/// See [`tokenize`](super::super::tokenize::tokenize).
pub(in super::super) fn tokenize(column: &Column, delimiters: &Delimiters, ctx: &Context) -> Result<Column> {
    noted(column, &DeviceDelimiters::new(delimiters, ctx)?, 1, ctx)?.all_texts(1, ctx)
}

/// See [`ngrams_tokenize`](super::super::ngrams::ngrams_tokenize).
pub(in super::super) fn token_runs(
    column: &Column,
    n: usize,
    delimiters: &Delimiters,
    separator: &str,
    ctx: &Context,
) -> Result<Column> {
    let between = DeviceDelimiters::new(delimiters, ctx)?;
    let (runs, size) = (noted(column, &between, n, ctx)?, separator.len());
    let separator = DeviceUVec::from_slice(separator.as_bytes(), &ctx.temporary()?)?;
    let view = runs.view();
    let (len, bytes) = (view.starts.len(), view.bytes()?);
    // A token is in n runs at most.
    let added = len.checked_mul(size).and_then(|added| added.checked_mul(n));
    let most = all_bytes(column).checked_mul(n).and_then(|most| most.checked_add(added?));
    make_texts(len, most, Nulls::Of(None), ctx, |out| {
        let DeviceDelimiters { words, count, kind } = &between;
        // SAFETY: the runs are of the column's bytes, the words those of delimiters, the separator has `size` bytes;
        // sizes, offsets and bytes are those of the runs.
        unsafe {
            texts_of_token_runs(
                ctx,
                texts_grid(len),
                bytes.as_ref(),
                &view.starts,
                &view.ends,
                len,
                words,
                *count,
                *kind,
                &separator,
                size,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })
}

/// See [`replace_tokens`](super::super::replace::replace_tokens): there is one replacement, or one for each target; no
/// target is null, nor is a replacement. The table has `num_slots` slots.
pub(in super::super) fn replace(
    column: &Column,
    targets: &Column,
    num_slots: usize,
    replacements: &Column,
    delimiters: &Delimiters,
    ctx: &Context,
) -> Result<Column> {
    TextsView::new(column)?;
    let between = DeviceDelimiters::new(delimiters, ctx)?;
    let table = DeviceTable::new(targets, num_slots, &ctx.temporary()?)?;
    let (targets, others) = (TextsView::new(targets)?, TextsView::new(replacements)?);
    let longest = all_bytes(replacements);
    let most = |bytes: usize| {
        most_tokens(bytes, column.len()).checked_mul(longest).and_then(|added| added.checked_add(bytes))
    };
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        let DeviceDelimiters { words, count, kind } = &between;
        // SAFETY: the table is that of the targets, the words are those of delimiters; sizes, offsets and bytes are those
        // of the rows.
        unsafe {
            replace_tokens_of_texts(
                ctx,
                grid,
                texts,
                &targets,
                &table.slots,
                num_slots,
                &others,
                words,
                *count,
                *kind,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })
}

/// See [`filter_tokens`](super::super::replace::filter_tokens).
pub(in super::super) fn filter(
    column: &Column,
    least: usize,
    replacement: &str,
    delimiters: &Delimiters,
    ctx: &Context,
) -> Result<Column> {
    let between = DeviceDelimiters::new(delimiters, ctx)?;
    let size = replacement.len();
    let replacement = DeviceUVec::from_slice(replacement.as_bytes(), &ctx.temporary()?)?;
    let most = |bytes: usize| {
        most_tokens(bytes, column.len()).checked_mul(size).and_then(|added| added.checked_add(bytes))
    };
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        let DeviceDelimiters { words, count, kind } = &between;
        // SAFETY: the replacement has `size` bytes, the words are those of delimiters; sizes, offsets and bytes are those
        // of the rows.
        unsafe {
            filter_tokens_of_texts(
                ctx,
                grid,
                texts,
                least,
                &replacement,
                size,
                words,
                *count,
                *kind,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })
}

/// The tokens of each row with a space between them.
pub(in super::super) fn joined(column: &Column, delimiters: &Delimiters, ctx: &Context) -> Result<Column> {
    let between = DeviceDelimiters::new(delimiters, ctx)?;
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, Some, nulls, ctx, |grid, texts, out| {
        let DeviceDelimiters { words, count, kind } = &between;
        // SAFETY: the words are those of delimiters; sizes, offsets and bytes are those of the rows.
        unsafe {
            join_tokens_of_texts(ctx, grid, texts, words, *count, *kind, out.narrow, out.wide, out.bytes)
        }
    })
}

/// The places of all runs of `n` characters of each row.
pub(in super::super) fn windows<'a>(column: &'a Column, n: usize, ctx: &Context) -> Result<Parts<'a>> {
    spans::note_parts(column, Some(all_bytes(column)), ctx, |grid, texts, out| {
        // SAFETY: counts, offsets and places are those of the rows.
        unsafe { note_windows(ctx, grid, texts, n, out.narrow, out.wide, out.starts, out.ends) }
    })
}

/// The hashes of all runs of `n` characters of each row as lists without nulls.
pub(in super::super) fn window_hashes(column: &Column, n: usize, seed: u32, ctx: &Context) -> Result<Column> {
    let most = Some(all_bytes(column));
    spans::note_values(column, DataType::UInt32, most, None, ctx, |grid, texts, out| {
        // SAFETY: counts, offsets and places are those of the rows.
        unsafe { hash_windows(ctx, grid, texts, n, seed, out.narrow, out.wide, out.values) }
    })
}

/// The rows that have a text which is not empty.
pub(in super::super) fn nonempty_rows(column: &Column, ctx: &Context) -> Result<DeviceUVec<u64>> {
    let (len, temporary, view) = (column.len(), ctx.temporary()?, TextsView::new(column)?);
    let mut flags = DeviceUVec::<u8>::uninit(len, &temporary)?;
    // SAFETY: there is a flag for each row.
    unsafe { flag_texts(ctx, texts_grid(len), &view, &mut flags)? };
    let rows = primitives::sequence::<u64>(0, 1, len, &temporary)?;
    primitives::compact(&rows.span(), &flags.span(), &temporary)
}

/// Every run of `n` of the rows `kept`, with `separator` between them.
pub(in super::super) fn row_runs(
    column: &Column,
    kept: &DeviceUVec<u64>,
    n: usize,
    separator: &str,
    ctx: &Context,
) -> Result<Column> {
    let (len, size, view) = ((kept.len() + 1).saturating_sub(n), separator.len(), TextsView::new(column)?);
    let separator = DeviceUVec::from_slice(separator.as_bytes(), &ctx.temporary()?)?;
    let added = len.checked_mul(size).and_then(|added| added.checked_mul(n));
    let most = all_bytes(column).checked_mul(n).and_then(|most| most.checked_add(added?));
    make_texts(len, most, Nulls::Of(None), ctx, |out| {
        // SAFETY: there are n − 1 kept rows behind the first ones of runs; the separator has `size` bytes; sizes, offsets
        // and bytes are those of the runs.
        unsafe {
            texts_of_row_runs(
                ctx,
                texts_grid(len),
                &view,
                kept,
                len,
                n,
                &separator,
                size,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })
}
