//! The row of the smallest or the largest value on a GPU, of values that no word holds: nothing is sorted.

use cuprum_column::{Column, ColumnDeviceView, Context, DeviceViews, Result};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

use crate::order::options::Order;

kernels! {
    pub static EXTREMES: "extremes.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn best_rows(
        columns: Structs<ColumnDeviceView>, num_columns: u32, rows: Option<In<u64>>, n: usize, descending: u32,
        best: Out<u64>,
    );
}

/// The number of blocks; each gives its best row.
const BLOCKS: usize = 2048;

/// The row of the value that is first in an order, the first of several; the largest number where there is no value. A value is
/// a row of the columns, at least one; the first column says whether the value is there.
pub fn best_row(columns: &[Column], order: Order, ctx: &Context) -> Result<DeviceUVec<u64>> {
    let (rows, temporary) = (columns[0].len(), &ctx.temporary()?);
    let views = DeviceViews::new(columns, temporary)?;
    let count = views.num_columns();
    let blocks = rows.div_ceil(THREADS as usize).clamp(1, BLOCKS);
    let descending = u32::from(order == Order::Descending);
    let mut of_blocks = DeviceUVec::<u64>::uninit(blocks, temporary)?;
    let mut best = DeviceUVec::<u64>::uninit(1, ctx)?;
    // SAFETY: each block has a place.
    unsafe {
        best_rows(
            ctx,
            Grid::of(blocks, THREADS),
            &views,
            count,
            None::<&DeviceUVec<u64>>,
            rows,
            descending,
            &mut of_blocks,
        )?;
        best_rows(ctx, Grid::of(1, THREADS), &views, count, Some(&of_blocks), blocks, descending, &mut best)?;
    }
    Ok(best)
}
