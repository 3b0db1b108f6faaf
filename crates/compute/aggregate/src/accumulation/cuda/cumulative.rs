//! Running reductions of all rows of a column in one pass over it.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result};
use cuprum_elements::gather::cuda::buffer;
use cuprum_runtime::kernel::{Grid, KernelName, Out};
use cuprum_runtime::primitives::{Number, OrderedTiles};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use crate::aggregation::CumulativeOp;

kernels! {
    pub static CUMULATIVE: "cumulative.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of every thread.
        ITEMS = 16;

    fn running_column<R in [i64, u64, f32, f64], O in [RunningSum, RunningProduct, RunningMin, RunningMax]>(
        column: ColumnDeviceView, num_tiles: usize, size: u32, out: Out<u8>, ticket: Out<u64>, words: Out<u64>,
    );
}

kernel_names! {
    struct RunningSum;
    struct RunningProduct;
    struct RunningMin;
    struct RunningMax;
}

/// The running reduction of all rows of a column of up to 8 bytes, with its nulls; rows that are NaN are NaN. `to` is the
/// type of the result, for extremes that of the column.
pub(super) fn cumulative(column: &Column, op: CumulativeOp, to: DataType, ctx: &Context) -> Result<Column> {
    match op {
        CumulativeOp::Sum => of_type::<RunningSum>(column, to, ctx),
        CumulativeOp::Product => of_type::<RunningProduct>(column, to, ctx),
        CumulativeOp::Min => of_type::<RunningMin>(column, to, ctx),
        CumulativeOp::Max => of_type::<RunningMax>(column, to, ctx),
    }
}

fn of_type<O: KernelName>(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    match to {
        DataType::Float32 => run::<f32, O>(column, to, ctx),
        DataType::Float64 => run::<f64, O>(column, to, ctx),
        to if to.is_unsigned_integer() || to == DataType::Bool8 => run::<u64, O>(column, to, ctx),
        to => run::<i64, O>(column, to, ctx),
    }
}

fn run<R: Number, O: KernelName>(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let (rows, size) = (column.len(), to.size().unwrap_or(8));
    let tiles = rows.div_ceil((THREADS * ITEMS) as usize);
    let mut out = DeviceUVec::<u8>::uninit(rows * size, ctx)?;
    if tiles > 0 {
        let view = DeviceView::new(column)?;
        let OrderedTiles { mut ticket, mut words } = OrderedTiles::new::<R>(tiles, ctx)?;
        let (grid, size) = (Grid::of(tiles, THREADS), size as u32);
        // SAFETY: there are `size` bytes for each row, and states for so many tiles, which are zero as the ticket is.
        unsafe { running_column::<R, O>(ctx, grid, &view, tiles, size, &mut out, &mut ticket, &mut words)? };
    }
    Column::from_buffer(to, rows, buffer(out)?, column.copy_mask(ctx)?)
}
