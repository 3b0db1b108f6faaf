//! Pairs of rows counted on a GPU: rows are sorted by both columns, and the right one is merged run by run, where each word
//! looks for its place in the other run of its pair.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result, Table};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::NullOrder;
use cuprum_keys::order::cuda::{DeviceKeys, Tuning, nearly_sorted_rows, numbers_column, taken};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels, primitives};

use super::pair_counts::{PairCounts, pairs_among};

kernels! {
    pub static KENDALL: "kendall.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Words of every thread that sorts a tile.
        ITEMS = 8;

    fn words_of_pairs(
        left: ColumnDeviceView, right: ColumnDeviceView, lefts: Out<u64>, rights: Out<u64>, present: Out<u8>,
    );
    fn count_ties(words: In<u64>, others: Option<In<u64>>, n: usize, total: Out<u64>);
    fn sort_tiles(words: In<u64>, n: usize, sorted: Out<u64>, total: Out<u64>);
    fn merge_runs(words: In<u64>, n: usize, width: usize, merged: Out<u64>, total: Out<u64>);
}

/// See [`super::cpu::counted`]. Numbers of pairs fit 64 bits, as rows fit 32.
pub(super) fn counted(
    left: &Column,
    right: &Column,
    min_periods: usize,
    ctx: &Context,
) -> Result<Option<PairCounts>> {
    let (rows, temporary) = (left.len(), &ctx.temporary()?);
    check_rows("pairs", rows)?;
    if rows == 0 {
        return Ok(None);
    }
    let mut lefts = DeviceUVec::<u64>::uninit(rows, temporary)?;
    let mut rights = DeviceUVec::<u64>::uninit(rows, temporary)?;
    let mut present = DeviceUVec::<u8>::uninit(rows, temporary)?;
    let (left, right) = (DeviceView::new(left)?, DeviceView::new(right)?);
    let grid = Grid::striding(rows, THREADS);
    // SAFETY: both columns have so many rows, and there are places for each.
    unsafe { words_of_pairs(ctx, grid, &left, &right, &mut lefts, &mut rights, &mut present)? };
    let lefts = primitives::compact(&lefts.span(), &present.span(), temporary)?;
    let rights = primitives::compact(&rights.span(), &present.span(), temporary)?;
    let pairs = lefts.len();
    if pairs == 0 || pairs < min_periods {
        return Ok(None);
    }
    let [lefts, rights] = sorted_by_both(lefts, rights, temporary)?;
    let of_left = ties(&lefts, None, temporary)?;
    let of_both = ties(&lefts, Some(&rights), temporary)?;
    drop(lefts);
    let (rights, unlike) = inversions(rights, temporary)?;
    let of_right = ties(&rights, None, temporary)?;
    let count = |total: DeviceUVec<u64>| total.element(0).map(u128::from);
    Ok(Some(PairCounts {
        all: pairs_among(pairs as u128),
        of_left: count(of_left)?,
        of_right: count(of_right)?,
        of_both: count(of_both)?,
        unlike: count(unlike)?,
    }))
}

/// The words of both columns in the order of the left ones, then of the right ones.
fn sorted_by_both(
    lefts: DeviceUVec<u64>,
    rights: DeviceUVec<u64>,
    temporary: &Context,
) -> Result<[DeviceUVec<u64>; 2]> {
    let rows = {
        let columns = [lefts.copy(temporary)?, rights.copy(temporary)?];
        let columns = columns.map(|words| numbers_column(DataType::UInt64, words));
        let keys = Table::new(columns.into_iter().collect::<Result<_>>()?)?;
        let keys = DeviceKeys::new(&keys, &[], NullOrder::Last, temporary)?;
        nearly_sorted_rows::<u32>(&keys, Tuning::DEFAULT, temporary)?.refined(&keys, temporary)?
    };
    Ok([taken(&lefts, &rows, temporary)?, taken(&rights, &rows, temporary)?])
}

/// How many pairs are within runs of equal neighbours.
fn ties(words: &DeviceUVec<u64>, others: Option<&DeviceUVec<u64>>, ctx: &Context) -> Result<DeviceUVec<u64>> {
    let (n, mut total) = (words.len(), DeviceUVec::zeroed(1, ctx)?);
    // SAFETY: both have `n` words.
    unsafe { count_ties(ctx, Grid::striding(n, THREADS), words, others, n, &mut total)? };
    Ok(total)
}

/// The words sorted, and how many pairs of them were in descending order.
fn inversions(words: DeviceUVec<u64>, ctx: &Context) -> Result<(DeviceUVec<u64>, DeviceUVec<u64>)> {
    const TILE: usize = (THREADS * ITEMS) as usize;
    let (n, mut total) = (words.len(), DeviceUVec::zeroed(1, ctx)?);
    let (mut runs, mut merged) = (DeviceUVec::<u64>::uninit(n, ctx)?, words);
    // SAFETY: both have `n` words.
    unsafe { sort_tiles(ctx, Grid::covering(n, TILE, THREADS), &merged, n, &mut runs, &mut total)? };
    let mut width = TILE;
    while width < n {
        ctx.check()?;
        // SAFETY: as above.
        unsafe { merge_runs(ctx, Grid::striding(n, THREADS), &runs, n, width, &mut merged, &mut total)? };
        std::mem::swap(&mut runs, &mut merged);
        width *= 2;
    }
    Ok((runs, total))
}
