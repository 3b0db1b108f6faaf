//! Merges on a GPU: of two runs after the other, by merge path.

use cuprum_column::{Column, ColumnDeviceView, Context, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

use cuprum_keys::equality::cuda::row_column;
use cuprum_keys::order::cuda::{DeviceKeys, RowOrder};
use cuprum_keys::order::{NullOrder, Order, flatten};
use cuprum_keys::sorting::sorted_order;

kernels! {
    pub static MERGE: "merge.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread writes one after the other.
        ROWS = 8;

    fn merge_words(
        words: In<u64>, rows: Option<In<u32>>, bounds: In<u64>, pairs: usize, n: usize, out_words: Out<u64>,
        out_rows: Out<u32>,
    );
    fn merge_columns(
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, rows: Option<In<u32>>,
        bounds: In<u64>, pairs: usize, n: usize, out_rows: Out<u32>,
    );
}

/// More runs are sorted: each time that their number halves, all rows are read and written.
const MOST_RUNS: usize = 16;

/// The order of rows of which runs that end at `ends`, the last one at the last row, are in order; a merge is stable.
pub(super) fn merged_order(
    keys: &Table,
    mut ends: Vec<u64>,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Column> {
    // Runs without rows are none.
    ends.dedup();
    ends.retain(|&end| end > 0);
    let len = keys.num_rows();
    if ends.len() > MOST_RUNS {
        return sorted_order(keys, orders, nulls, ctx);
    }
    let temporary = &ctx.temporary()?;
    let (keys, orders) = flatten(keys, orders, nulls, temporary)?;
    let keys = DeviceKeys::new(&keys, &orders, nulls, temporary)?;
    let mut words = if len > 0 { keys.only_word(temporary)? } else { None };
    let mut rows: Option<DeviceUVec<u32>> = None;
    let grid = Grid::striding(len.div_ceil(ROWS as usize), THREADS);
    while ends.len() > 1 {
        // An odd one is paired with an empty one.
        let mut bounds = vec![0];
        bounds.extend(&ends);
        if ends.len() % 2 == 1 {
            bounds.push(len as u64);
        }
        let pairs = bounds.len() / 2;
        let on_device = DeviceUVec::from_slice(&bounds, temporary)?;
        let mut out = DeviceUVec::<u32>::uninit(len, temporary)?;
        match &mut words {
            Some(words) => {
                let mut moved = DeviceUVec::<u64>::uninit(len, temporary)?;
                // SAFETY: the bounds ascend to the number of rows; there are a word and a place for each.
                unsafe {
                    merge_words(
                        ctx,
                        grid,
                        &*words,
                        rows.as_ref(),
                        &on_device,
                        pairs,
                        len,
                        &mut moved,
                        &mut out,
                    )?;
                }
                *words = moved;
            }
            None => {
                let (views, directions) = (&keys.views, keys.directions.as_ref());
                // SAFETY: the bounds ascend to the number of rows, whose numbers are `rows`; there is a place for each.
                unsafe {
                    let rows = rows.as_ref();
                    merge_columns(
                        ctx, grid, views, keys.order, directions, rows, &on_device, pairs, len, &mut out,
                    )?;
                }
            }
        }
        rows = Some(out);
        ends = bounds.iter().skip(2).step_by(2).copied().collect();
    }
    let rows = match rows {
        Some(rows) => rows,
        None => cuprum_runtime::primitives::sequence(0, 1, len, ctx)?,
    };
    row_column(rows, len, ctx)
}
