//! Running reductions of texts on a GPU.

use cuprum_column::{Column, Context, DataType, Error, Result, Table, TextsDeviceView, TextsView, strings};
use cuprum_elements::gather::cuda::buffer;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elements::selection::true_rows;
use cuprum_elements::string_map::cuda::RowOffsets;
use cuprum_elementwise::unary::is_valid;
use cuprum_keys::order::NullOrder;
use cuprum_keys::sorting::sorted_order;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::{Reduction, ScanKind, scan};
use cuprum_runtime::{DeviceUVec, kernels};

use crate::accumulation::cuda::running;
use crate::aggregation::CumulativeOp;

kernels! {
    pub static RUNNING_TEXTS: "running_texts.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Bytes that a thread writes side by side.
        ITEMS = 16;

    fn sizes_of_texts(column: TextsDeviceView, sizes: Out<u64>);
    fn sizes_up_to(column: TextsDeviceView, ends: In<u64>, sizes: Out<u64>);
    fn write_beginnings(
        column: TextsDeviceView, offsets: In<u64>, rows: usize, total: usize, out: Out<u8>,
    );
}

/// See [`super::cumulative::texts`].
pub(super) fn texts(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    if op == CumulativeOp::Sum { joined(column, ctx) } else { extremes(column, op, ctx) }
}

/// The smallest or the largest texts so far, by the places of rows in the order of all.
fn extremes(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let sorted =
        |column: &Column| sorted_order(&Table::new(vec![column.clone()])?, &[], NullOrder::Last, temporary);
    let order = sorted(column)?;
    // The row numbers in the order of an order are the places of the rows.
    let places = sorted(&order)?.with_mask(column.copy_mask(temporary)?, temporary)?;
    let to = places.data_type();
    let best = running::cumulative(&places, op, false, to, temporary)?;
    let best = best.ok_or_else(|| Error::logic("places are no durations"))?;
    let rows = gather_column(&order, &best, OutOfBoundsPolicy::Check, temporary)?;
    gather_column(column, &rows, OutOfBoundsPolicy::Check, ctx)
}

/// All texts up to each, one behind the other.
fn joined(column: &Column, ctx: &Context) -> Result<Column> {
    let (rows, temporary) = (column.len(), &ctx.temporary()?);
    if rows == 0 {
        return Ok(Column::empty(DataType::String));
    }
    // Nulls may have bytes, too.
    let present = match column.mask() {
        None => column.clone(),
        Some(_) => {
            let rows = true_rows(&is_valid(column, temporary)?, temporary)?;
            gather_column(column, &rows, OutOfBoundsPolicy::Check, temporary)?
        }
    };
    let (view, grid) = (TextsView::new(column)?, Grid::striding(rows + 1, THREADS));
    let mut sizes = DeviceUVec::<u64>::uninit(rows + 1, temporary)?;
    // SAFETY: there is a place for each row, and for what is behind them.
    unsafe { sizes_of_texts(ctx, grid, &view, &mut sizes)? };
    let ends = scan(&sizes.span(), Reduction::Sum, ScanKind::Inclusive, temporary)?;
    // SAFETY: as above.
    unsafe { sizes_up_to(ctx, grid, &view, &ends, &mut sizes)? };
    let (offsets, total) = RowOffsets::Wide(sizes).summed(ctx)?;
    let mut bytes = DeviceUVec::<u8>::uninit(total, ctx)?;
    if let (RowOffsets::Wide(offsets), true) = (&offsets, total > 0) {
        let view = TextsView::new(&present)?;
        let grid = Grid::striding(total.div_ceil(ITEMS as usize), THREADS);
        // SAFETY: at least one text is valid, no row is longer than all valid texts together, and there are `total` bytes.
        unsafe { write_beginnings(ctx, grid, &view, offsets, rows, total, &mut bytes)? };
    }
    // SAFETY: the offsets are a running sum of sizes, and each row ends where a text does.
    unsafe {
        strings::from_parts(rows, offsets.into_column(total, ctx)?, buffer(bytes)?, column.copy_mask(ctx)?)
    }
}
