//! Distinct rows on a GPU: the rows that are kept as bits.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::Keep;
use cuprum_elements::selection::cuda::{Selection, no_rows, selected_rows};
use cuprum_keys::equality::cuda::{MissingKeys, first_row_bits, number_rows};

kernels! {
    pub static DISTINCT: "distinct.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn last_rows(ids: In<u32>, n: usize, last: Out<u32>);
    fn unmark_repeated(ids: In<u32>, first: In<u32>, n: usize, words: Out<u32>);
    fn mark_rows(rows: In<u32>, n: usize, words: Out<u32>);
    fn mark_ungrouped(ids: In<u32>, n: usize, words: Out<u32>);
    fn unmarked(words: In<u32>, n: usize, out: Out<u8>);
}

/// See [`super::distinct_rows`].
pub(super) fn distinct_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    let words = kept_rows(keys, keep, nulls_equal, ctx)?;
    selected_rows(&Selection::of_words(words, keys.num_rows(), ctx)?.0, ctx)
}

/// See [`super::duplicated`].
pub(super) fn duplicated(keys: &Table, keep: Keep, ctx: &Context) -> Result<Column> {
    let (words, rows) = (kept_rows(keys, keep, true, ctx)?, keys.num_rows());
    let mut repeats = DeviceUVec::uninit(rows, ctx)?;
    // SAFETY: there is a bit and a byte for each row.
    unsafe { unmarked(ctx, Grid::striding(rows, THREADS), &words, rows, &mut repeats)? };
    Column::from_buffer(DataType::Bool8, rows, repeats.into_buffer().try_into()?, None)
}

/// A bit for each row that is kept, see [`no_rows`].
fn kept_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<DeviceUVec<u32>> {
    if keep == Keep::First && nulls_equal {
        return first_row_bits(keys, ctx);
    }
    let missing = if nulls_equal { MissingKeys::Equal } else { MissingKeys::LeftOut };
    let numbers = number_rows(keys, missing, ctx)?;
    let (ids, first, rows) = (&numbers.ids, &numbers.first_rows, keys.num_rows());
    let (groups, all) = (first.len(), Grid::striding(rows, THREADS));
    let mut words = no_rows(rows, ctx)?;
    let mark = |rows: &DeviceUVec<u32>, words: &mut DeviceUVec<u32>| {
        // SAFETY: they are rows of the keys, each of which has a bit.
        unsafe { mark_rows(ctx, Grid::striding(groups, THREADS), rows, groups, words) }
    };
    match keep {
        Keep::First => mark(first, &mut words)?,
        Keep::Last => {
            let mut last = DeviceUVec::<u32>::zeroed(groups, &ctx.temporary()?)?;
            // SAFETY: the groups of rows are below their number.
            unsafe { last_rows(ctx, all, ids, rows, &mut last)? };
            mark(&last, &mut words)?;
        }
        Keep::None => {
            mark(first, &mut words)?;
            // SAFETY: the groups of rows are below their number, and their first rows have bits.
            unsafe { unmark_repeated(ctx, all, ids, first, rows, &mut words)? };
        }
    }
    if !nulls_equal {
        // SAFETY: each row has a bit.
        unsafe { mark_ungrouped(ctx, all, ids, rows, &mut words)? };
    }
    Ok(words)
}
