//! Distances: see [`distances`](super::super::distances).

use cuprum_column::{Column, Context, DataType, Result, TextsDeviceView, TextsView, null_mask};
use cuprum_elements::gather::cuda::buffer;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::row_memory::{BUDGET, RowMemory, in_runs};

kernels! {
    pub static DISTANCES: "distances.cu" where
        /// Threads of every block; a warp has one row.
        THREADS = 128;

    fn slots_of_rows(column: TextsDeviceView, other: TextsDeviceView, sizes: Out<u64>);
    fn jaccard_of_texts(
        column: TextsDeviceView, other: TextsDeviceView, width: usize, first: usize, last: usize, starts: In<u64>,
        base: usize, memory: Out<u64>, out: Out<f32>,
    );
    fn rises_of_rows(column: TextsDeviceView, targets: TextsDeviceView, sizes: Out<u64>);
    fn edit_distances(
        column: TextsDeviceView, targets: TextsDeviceView, first: usize, last: usize, starts: In<u64>, base: usize,
        memory: Out<i8>, out: Out<i32>,
    );
}

/// Rows of a block.
const ROWS: usize = THREADS as usize / 32;

/// See [`jaccard_index`](super::super::distances::jaccard_index): the columns have as many rows.
pub(in super::super) fn jaccard_index(
    column: &Column,
    other: &Column,
    width: usize,
    ctx: &Context,
) -> Result<Column> {
    jaccard_within(column, other, width, BUDGET, ctx)
}

/// [`jaccard_index`] with memory for the hashes of long rows, some of them at a time.
pub(super) fn jaccard_within(
    column: &Column,
    other: &Column,
    width: usize,
    budget: usize,
    ctx: &Context,
) -> Result<Column> {
    let (len, rows, others) = (column.len(), TextsView::new(column)?, TextsView::new(other)?);
    let mut sizes = DeviceUVec::<u64>::uninit(len + 1, &ctx.temporary()?)?;
    // SAFETY: there is one size more than rows.
    unsafe { slots_of_rows(ctx, row_grid(len + 1), &rows, &others, &mut sizes)? };
    let mut out = DeviceUVec::<f32>::uninit(len, ctx)?;
    in_runs::<u64>(&sizes, budget, ctx, |RowMemory { rows: run, starts, base, memory }| {
        let grid = Grid::covering(run.len(), ROWS, THREADS);
        // SAFETY: the memory is that of these rows, and there is a place for each.
        unsafe {
            jaccard_of_texts(
                ctx, grid, &rows, &others, width, run.start, run.end, starts, base, memory, &mut out,
            )
        }
    })?;
    Column::from_buffer(DataType::Float32, len, buffer(out)?, null_mask::bitmask_and(&[column, other], ctx)?)
}

/// See [`edit_distance`](super::super::distances::edit_distance): there are as many targets as rows, or one.
pub(in super::super) fn edit_distance(column: &Column, targets: &Column, ctx: &Context) -> Result<Column> {
    edit_distance_within(column, targets, BUDGET, ctx)
}

/// [`edit_distance`] with memory for the tables of long rows, some of them at a time.
pub(super) fn edit_distance_within(
    column: &Column,
    targets: &Column,
    budget: usize,
    ctx: &Context,
) -> Result<Column> {
    let (len, rows, others) = (column.len(), TextsView::new(column)?, TextsView::new(targets)?);
    let mut sizes = DeviceUVec::<u64>::uninit(len + 1, &ctx.temporary()?)?;
    // SAFETY: there is one size more than rows.
    unsafe { rises_of_rows(ctx, row_grid(len + 1), &rows, &others, &mut sizes)? };
    let mut out = DeviceUVec::<i32>::uninit(len, ctx)?;
    in_runs::<i8>(&sizes, budget, ctx, |RowMemory { rows: run, starts, base, memory }| {
        let grid = Grid::covering(run.len(), ROWS, THREADS);
        // SAFETY: the memory is that of these rows, and there is a place for each.
        unsafe {
            edit_distances(ctx, grid, &rows, &others, run.start, run.end, starts, base, memory, &mut out)
        }
    })?;
    Column::from_buffer(DataType::Int32, len, buffer(out)?, None)
}

/// The grid of a kernel with a thread for each of `len` rows.
fn row_grid(len: usize) -> Grid {
    Grid::covering(len, THREADS as usize, THREADS)
}
