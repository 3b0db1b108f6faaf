//! Rows of many groups in pieces whose groups have their statistics in shared memory, on a GPU.
//!
//! A few more groups than fit are taken range by range: the blocks of all ranges read the same rows at about
//! the same time. With many the rows are partitioned by the upper bits of their groups, and each piece is of
//! one part. A part with too many groups for shared memory has few enough for the cache.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_runtime::{DeviceUVec, primitives};

use cuprum_elements::partitioning::cuda::{MOST_BY_UPPER_BITS, by_upper_bits};

/// The most ranges that rows are read for.
const MOST_RANGES: usize = 2;
/// WorkUnits in all, about: a few for each multiprocessor.
const PIECES: usize = 1024;
/// Rows of a piece whose groups are in the cache: blocks take pieces of so many parts at a time as have room there, so that
/// they do not meet in the few groups of one.
const ROWS_IN_CACHE: usize = 1 << 13;
/// The fewest rows of a piece.
const LEAST_ROWS: usize = 4096;

/// The way in which rows are cut into pieces.
pub(super) struct WorkUnits {
    way: Way,
    /// The groups of a piece.
    pub(super) held: usize,
}

#[derive(Clone, Copy)]
enum Way {
    Ranges(usize),
    /// By the bits of groups from this one on, which gives so many parts.
    Parts(u32, u32, bool),
}

/// Rows in the order of accumulation.
pub(super) struct Together {
    /// Groups, values and, where they are wanted, numbers of rows, if they were moved.
    pub(super) moved: Option<Vec<Column>>,
    /// The first row, the one behind the last and the first group of each piece.
    pub(super) pieces: DeviceUVec<u64>,
    /// Whether the groups of a piece fit shared memory.
    pub(super) is_shared: bool,
}

impl WorkUnits {
    /// For groups that need so many bytes each, where `most_shared` are not enough for all.
    pub(super) fn plan(groups: usize, bytes: usize, most_shared: usize, ctx: &Context) -> Result<Self> {
        let fitting = (most_shared / bytes).max(1);
        let ranges = groups.div_ceil(fitting);
        if ranges <= MOST_RANGES {
            return Ok(Self { way: Way::Ranges(ranges), held: groups.div_ceil(ranges) });
        }
        let shift = (groups - 1).checked_ilog2().map_or(0, |top| (top + 1).saturating_sub(8));
        let parts = ((groups - 1) >> shift) as u32 + 1;
        debug_assert!(parts <= MOST_BY_UPPER_BITS);
        let device = ctx.stream().device().properties()?.compute_capability;
        // Twice as much where a block can have it: fewer blocks at a time are better than none.
        let more =
            if matches!(device, Some((8, 0) | (9 | 10, _))) { most_shared / 2 * 3 } else { most_shared };
        let is_shared = bytes << shift <= more;
        let held = if is_shared { 1 << shift } else { groups };
        Ok(Self { way: Way::Parts(shift, parts, is_shared), held })
    }

    /// The rows of `values`, whose groups are `ids`, with their numbers where these are wanted.
    pub(super) fn of(
        &self,
        ids: &Column,
        values: &Column,
        needs_rows: bool,
        ctx: &Context,
    ) -> Result<Together> {
        let rows = values.len();
        match self.way {
            Way::Ranges(ranges) => {
                let each = rows.div_ceil(PIECES / ranges).max(LEAST_ROWS);
                let mut pieces = Vec::new();
                for first in (0..rows).step_by(each) {
                    for range in 0..ranges {
                        pieces.extend([first, rows.min(first + each), range * self.held].map(|x| x as u64));
                    }
                }
                let pieces = DeviceUVec::from_slice(&pieces, ctx)?;
                Ok(Together { moved: None, pieces, is_shared: true })
            }
            Way::Parts(shift, parts, is_shared) => {
                let mut columns = vec![ids.clone(), values.clone()];
                if needs_rows {
                    let numbers = primitives::sequence(0u32, 1, rows, ctx)?;
                    let numbers = numbers.into_buffer().try_into()?;
                    columns.push(Column::from_buffer(DataType::UInt32, rows, numbers, None)?);
                }
                let (moved, offsets) = by_upper_bits(&Table::new(columns)?, ids, shift, parts, ctx)?;
                let moved = Some(moved.columns().to_vec());
                let mut pieces = Vec::new();
                if is_shared {
                    let each = rows.div_ceil(PIECES).max(LEAST_ROWS);
                    for (part, range) in offsets.windows(2).enumerate() {
                        for first in (range[0]..range[1]).step_by(each) {
                            let end = range[1].min(first + each);
                            pieces.extend([first, end, part << shift].map(|x| x as u64));
                        }
                    }
                } else {
                    for first in (0..rows).step_by(ROWS_IN_CACHE) {
                        pieces.extend([first, rows.min(first + ROWS_IN_CACHE), 0].map(|x| x as u64));
                    }
                }
                Ok(Together { moved, pieces: DeviceUVec::from_slice(&pieces, ctx)?, is_shared })
            }
        }
    }
}
