//! Numbers of groups and rows at which the layout of accumulation changes.

use cuprum_elements::stable_partition::BLOCK;

/// Thresholds of the layouts; tests force the rare ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayoutTuning {
    /// With more groups than this, rows are moved.
    pub(crate) chunks_up_to: usize,
    /// Rows of a chunk, at least.
    pub(crate) chunk: usize,
    /// Rows that are listed together, where rows are not to be moved.
    pub(crate) listed: Option<usize>,
    /// Rows of a run: they are moved together.
    pub(crate) run: usize,
    /// With more rows of the first part than this, of 256, they stay where they are.
    pub(crate) in_place_above: usize,
}

impl LayoutTuning {
    /// For so many rows that are to be aggregated in `budget` bytes of memory.
    pub(crate) fn within(budget: Option<usize>, rows: usize) -> Self {
        /// Bytes per row of moving a column: ids and destinations, the column before and after.
        const MOVING: usize = 28;
        /// Bytes per row of listing rows by parts.
        const LISTING: usize = 8;
        let budget = budget.filter(|&budget| rows.saturating_mul(MOVING) > budget);
        let listed = budget.map(|budget| (budget / 8 / LISTING).max(BLOCK));
        Self { chunks_up_to: 1 << 17, chunk: 1 << 16, listed, run: 1 << 21, in_place_above: 64 }
    }
}
