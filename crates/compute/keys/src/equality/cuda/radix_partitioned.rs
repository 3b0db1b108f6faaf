//! Rows partitioned by the hashes of their codes, on a GPU.
//!
//! A table that is larger than the cache is read at random: each probe costs 64 bytes of device memory, however small a
//! slot is. The upper bits of a code's hash are the slot at which its probe begins. Rows that are partitioned by these bits,
//! 256 partitions in one pass over tiles, therefore probe a piece of the table that the cache holds. No partition needs to
//! be of some size.
//!
//! Partitioning costs two passes over the keys, and one to put the numbers back in row order. It pays where rows are many
//! times the keys, in tables of half a gigabyte and more.

use cuprum_column::{Column, Context, DeviceViews, Result, Table};
use cuprum_runtime::DeviceUVec;

use super::kernels::{a_block_each, back_in_order, count_parts};
use super::strategy::CodePlan;
use cuprum_elements::partitioning::tiles::{Moves, PARTS_COUNTED, ROWS_COUNTED, move_counted};

/// Partitioned keys.
pub(super) struct RadixPartitioned {
    table: Table,
    moves: Moves<u32>,
}

impl RadixPartitioned {
    /// Partitions the rows of `keys`; `with_way_back` keeps the place of each row.
    pub(super) fn new(
        views: &DeviceViews<'_>,
        plan: &CodePlan,
        keys: &Table,
        with_way_back: bool,
        ctx: &Context,
    ) -> Result<Self> {
        let rows = keys.num_rows();
        let tiles = rows.div_ceil(ROWS_COUNTED);
        let mut part_of_row = DeviceUVec::<u8>::uninit(rows, ctx)?;
        let mut counts = DeviceUVec::<u32>::uninit(tiles * PARTS_COUNTED, ctx)?;
        let (of_rows, of_parts) = (&mut part_of_row, &mut counts);
        let (grid, parts, count) = (a_block_each(tiles), &plan.parts, plan.num_columns);
        // SAFETY: the columns have `rows` rows, each with a part; there is a count for each part of each tile.
        unsafe { count_parts(ctx, grid, views, parts, count, rows, ROWS_COUNTED, of_rows, of_parts)? };
        let (table, moves) = move_counted(keys, &part_of_row, &counts, with_way_back, ctx)?;
        Ok(Self { table, moves })
    }

    /// The ranges of rows that are inserted side by side, as a power of two: as many as have their pieces of a table of
    /// `1 << bits` slots in the cache together. In one range all rows of a key would come at the same time, and none would
    /// find the key inserted.
    pub(super) fn range_bits(bits: u32) -> u32 {
        28u32.saturating_sub(bits).min(6)
    }

    pub(super) fn columns(&self) -> &[Column] {
        self.table.columns()
    }

    /// The row at each place.
    pub(super) fn rows(&self) -> &DeviceUVec<u32> {
        &self.moves.rows
    }

    /// The place of each row, where the way back was asked for.
    pub(super) fn into_places(self) -> Option<DeviceUVec<u32>> {
        self.moves.places
    }
}

/// Values by place, in row order.
pub(super) fn in_order_of_rows(
    at_places: &DeviceUVec<u32>,
    places: &DeviceUVec<u32>,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    let rows = places.len();
    let mut out = DeviceUVec::uninit(rows, ctx)?;
    let grid = a_block_each(rows.div_ceil(ROWS_COUNTED));
    // SAFETY: each row has a place, of which there are as many.
    unsafe { back_in_order(ctx, grid, at_places, places, rows, ROWS_COUNTED, &mut out)? };
    Ok(out)
}
