//! Counts, means and sums of squared deviations merged on a GPU, in an order that the number of rows alone
//! decides.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::{Reduction, reduce};
use cuprum_runtime::{DeviceUVec, kernels};

use super::grouping::Grouping;
use crate::accumulation::cuda::row_groups::ids_of;
use cuprum_elements::gather::cuda::sorted_with_positions;
use cuprum_keys::order::cuda::numbers_column;

kernels! {
    pub static M2_MERGE: "m2_merge.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of every thread.
        ITEMS = 4,
        /// Tiles of every thread that goes over their totals.
        TILES = 4;

    fn look_at_parts(
        parts: ColumnDeviceView, counts: ColumnDeviceView, means: ColumnDeviceView, squares: ColumnDeviceView,
        numbers: Out<f64>, failed: Out<u32>,
    );
    fn total_parts(
        parts: ColumnDeviceView, counts: ColumnDeviceView, means: ColumnDeviceView, squares: ColumnDeviceView,
        ids: In<u32>, rows: In<u32>, totals: Out<u64>,
    );
    fn run_over_parts(totals: Out<u64>, tiles: usize);
    fn write_parts(
        parts: ColumnDeviceView, counts: ColumnDeviceView, means: ColumnDeviceView, squares: ColumnDeviceView,
        ids: In<u32>, rows: In<u32>, totals: In<u64>, groups: usize, out_counts: Out<i64>, out_means: Out<f64>,
        out_squares: Out<f64>,
    );
}

/// See [`super::merge_m2`]: the count, of 64 bits, the mean and the squares of each group; `fields` are those of the parts.
/// `None` where a part is not as it should be, or there may be too many values.
pub(super) fn merged(
    grouping: &Grouping,
    parts: &Column,
    fields: &[Column; 3],
    ctx: &Context,
) -> Result<Option<[Column; 3]>> {
    let (rows, groups, temporary) = (parts.len(), grouping.num_groups, &ctx.temporary()?);
    let mut counts = DeviceUVec::<i64>::zeroed(groups, ctx)?;
    let mut means = DeviceUVec::<f64>::zeroed(groups, ctx)?;
    let mut squares = DeviceUVec::<f64>::zeroed(groups, ctx)?;
    let ids = grouping.narrow_ids(temporary)?;
    if let Some(ids) = ids_of(&ids)? {
        let of_parts = DeviceView::new(parts)?;
        let [a, b, c] = [&fields[0], &fields[1], &fields[2]].map(DeviceView::new);
        let (a, b, c) = (&a?, &b?, &c?);
        let mut numbers = DeviceUVec::<f64>::uninit(rows, temporary)?;
        let mut failed = DeviceUVec::<u32>::zeroed(1, temporary)?;
        // SAFETY: the fields have a value for each part, and there is a place for it.
        unsafe {
            let grid = Grid::striding(rows, THREADS);
            look_at_parts(ctx, grid, &of_parts, a, b, c, &mut numbers, &mut failed)?;
        }
        /// Sums of counts below it, rounded, fit 64 bits.
        const MOST: f64 = 9e18;
        let all = reduce(&numbers.span(), Reduction::Sum, temporary)?.value()?;
        if failed.element(0)? != 0 || all > MOST {
            return Ok(None);
        }
        let (ids, order) = sorted_with_positions::<u32, u32>(&ids.span, 0..u32::BITS, temporary)?;
        let tiles = rows.div_ceil((THREADS * ITEMS) as usize);
        let (grid, mut totals) = (Grid::of(tiles, THREADS), DeviceUVec::<u64>::uninit(4 * tiles, temporary)?);
        // SAFETY: the rows are all of them, with an id for each; each tile has its words, and each group its results.
        unsafe {
            total_parts(ctx, grid, &of_parts, a, b, c, &ids, &order, &mut totals)?;
            run_over_parts(ctx, Grid::of(1, THREADS), &mut totals, tiles)?;
            write_parts(
                ctx,
                grid,
                &of_parts,
                a,
                b,
                c,
                &ids,
                &order,
                &totals,
                groups,
                &mut counts,
                &mut means,
                &mut squares,
            )?;
        }
    }
    let floats = |values| numbers_column(DataType::Float64, values);
    Ok(Some([numbers_column(DataType::Int64, counts)?, floats(means)?, floats(squares)?]))
}
