//! Sketches: see [`minhash`](super::super::minhash).

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Error, Native, Result,
    TextsDeviceView, TextsView, null_mask,
};
use cuprum_elements::device_pieces::RowPieces;
use cuprum_elements::gather::cuda::buffer;
use cuprum_elements::row_pieces;
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

kernels! {
    pub static MINHASH: "minhash.cu" where
        /// Threads of every block; a warp has one row.
        THREADS = 128;

    fn sketch_lengths(column: ColumnDeviceView, num: usize, lengths: Out<u64>);
    fn sketch_texts<Hash in [u32, u64]>(
        column: TextsDeviceView, width: usize, seed: Hash, a: In<Hash>, b: In<Hash>, num: usize, starts: In<u64>,
        out: Out<Hash>,
    );
    fn sketch_lists<Hash in [u32, u64]>(
        lists: Structs<ColumnDeviceView>, texts: TextsDeviceView, width: usize, seed: Hash, a: In<Hash>, b: In<Hash>,
        num: usize, starts: In<u64>, out: Out<Hash>,
    );
}

/// Rows of a block.
const ROWS: usize = THREADS as usize / 32;

/// The permutations of hashes, as many of `a` as of `b`, and the seed.
pub(in super::super) struct Permutations<'a, H> {
    pub(in super::super) a: &'a Column,
    pub(in super::super) b: &'a Column,
    pub(in super::super) seed: H,
}

/// See [`minhash`](super::super::minhash::minhash) and [`minhash64`](super::super::minhash::minhash64).
pub(in super::super) fn of_texts<H: Native + Number>(
    column: &Column,
    width: usize,
    by: &Permutations<'_, H>,
    data_type: DataType,
    ctx: &Context,
) -> Result<Column> {
    let view = TextsView::new(column)?;
    sketches(column, by, data_type, ctx, |grid, a, b, starts, out| {
        // SAFETY: there are as many of `a` as of `b`, and places for them in each valid row.
        unsafe { sketch_texts::<H>(ctx, grid, &view, width, by.seed, a, b, a.len(), starts, out) }
    })
}

/// See [`minhash_ngrams`](super::super::minhash::minhash_ngrams): the elements of the lists are texts.
pub(in super::super) fn of_lists<H: Native + Number>(
    lists: &Column,
    width: usize,
    by: &Permutations<'_, H>,
    data_type: DataType,
    ctx: &Context,
) -> Result<Column> {
    let temporary = ctx.temporary()?;
    let texts = null_mask::purge_nonempty_nulls(&lists.children()[1], &temporary)?;
    let (views, view) = (DeviceViews::new(std::slice::from_ref(lists), &temporary)?, TextsView::new(&texts)?);
    sketches(lists, by, data_type, ctx, |grid, a, b, starts, out| {
        // SAFETY: as in `of_texts`; the texts are the elements of the lists.
        unsafe { sketch_lists::<H>(ctx, grid, &views, &view, width, by.seed, a, b, a.len(), starts, out) }
    })
}

fn sketches<H: Native + Number>(
    column: &Column,
    by: &Permutations<'_, H>,
    data_type: DataType,
    ctx: &Context,
    launch: impl FnOnce(
        Grid,
        &DeviceSpan<'_, H>,
        &DeviceSpan<'_, H>,
        &DeviceUVec<u64>,
        &mut DeviceUVec<H>,
    ) -> Result<()>,
) -> Result<Column> {
    let (len, temporary) = (column.len(), ctx.temporary()?);
    let (a, b) = (values::<H>(by.a)?, values::<H>(by.b)?);
    let mut lengths = DeviceUVec::<u64>::uninit(len + 1, &temporary)?;
    let grid = Grid::covering(len + 1, THREADS as usize, THREADS);
    // SAFETY: there is one length more than rows.
    unsafe { sketch_lengths(ctx, grid, &DeviceView::new(column)?, a.len(), &mut lengths)? };
    // So many numbers may not be counted together.
    if len.checked_mul(a.len()).is_none_or(|most| i64::try_from(most).is_err()) {
        return Err(row_pieces::too_many());
    }
    let pieces = RowPieces::new(&lengths, ctx)?;
    let mut out = DeviceUVec::<H>::uninit(pieces.total(), ctx)?;
    if pieces.total() > 0 {
        launch(Grid::covering(len, ROWS, THREADS), &a, &b, pieces.starts(), &mut out)?;
    }
    let elements = Column::from_buffer(data_type, pieces.total(), buffer(out)?, None)?;
    // SAFETY: the offsets are a running sum of how many hashes each row has.
    unsafe { Column::lists_unchecked(pieces.into_offsets(ctx)?, elements, column.copy_mask(ctx)?) }
}

/// The values of a column, which has some.
fn values<T: Native + Number>(column: &Column) -> Result<DeviceSpan<'_, T>> {
    let rows = column.offset()..column.offset() + column.len();
    let data = column.data().ok_or_else(|| Error::logic("a column of numbers has no memory"))?;
    data.span::<T>()?.slice(rows)
}
