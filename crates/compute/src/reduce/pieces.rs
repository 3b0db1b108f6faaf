//! Rows of many groups in pieces whose groups have their statistics in shared memory, on a GPU.
//!
//! Some more groups than fit are taken range by range: the blocks of all ranges read the same rows at about the same
//! time. Of many the rows are brought together by their groups, and each piece is of one part, or of a range of its groups.
//! Where a part has too many groups for shared memory, it has few enough for the cache.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_runtime::{DeviceUVec, primitives};

use crate::partitioning::cuda::{MOST_BY_SCALE, by_scale};

/// The most ranges that all rows are read for.
const MOST_RANGES: usize = 2;
/// The most ranges that the rows of a part are read for, which the cache has the second time.
const MOST_RANGES_OF_PART: usize = 6;
/// Pieces in all, about: a few for each multiprocessor.
const PIECES: usize = 1024;
/// Rows of a piece whose groups are in the cache: blocks take pieces of so many parts at a time as have room there, so that
/// they do not meet in the few groups of one.
const ROWS_IN_CACHE: usize = 1 << 13;
/// The fewest rows of a piece…
const LEAST_ROWS: usize = 4096;
/// … and for each of its groups, which a block adds to those in device memory.
const ROWS_OF_GROUP: usize = 24;

/// How rows are cut into pieces.
pub(super) struct Pieces {
    way: Way,
    /// The groups of a piece.
    pub(super) held: usize,
}

#[derive(Clone, Copy)]
enum Way {
    Ranges(usize),
    /// Parts, so many, by groups times the scale ÷ 2³².
    Parts {
        parts: u32,
        scale: u32,
        is_shared: bool,
    },
}

/// Rows as they are taken in.
pub(super) struct Together {
    /// Groups, values and, where they are wanted, numbers of rows, if they were moved.
    pub(super) moved: Option<Vec<Column>>,
    /// The first row, the one behind the last and the first group of each piece.
    pub(super) pieces: DeviceUVec<u64>,
    /// Whether the groups of a piece fit shared memory.
    pub(super) is_shared: bool,
}

impl Pieces {
    /// For groups that need so many bytes each, where the `room` of a block in shared memory is not enough for all.
    pub(super) fn plan(groups: usize, bytes: usize, room: usize) -> Self {
        let fitting = (room / bytes).max(1);
        let ranges = groups.div_ceil(fitting);
        if ranges <= MOST_RANGES {
            return Self { way: Way::Ranges(ranges), held: groups.div_ceil(ranges) };
        }
        let parts = (MOST_BY_SCALE as usize).min(groups / 2).max(1);
        let scale = (parts << 32) / groups;
        let of_part = (1usize << 32).div_ceil(scale);
        let ranges = of_part.div_ceil(fitting);
        let is_shared = ranges <= MOST_RANGES_OF_PART;
        let held = if is_shared { of_part.div_ceil(ranges) } else { groups };
        Self { way: Way::Parts { parts: parts as u32, scale: scale as u32, is_shared }, held }
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
            Way::Parts { parts, scale, is_shared } => {
                let mut columns = vec![ids.clone(), values.clone()];
                if needs_rows {
                    let numbers = primitives::sequence(0u32, 1, rows, ctx)?;
                    let numbers = numbers.into_buffer().try_into()?;
                    columns.push(Column::from_buffer(DataType::UInt32, rows, numbers, None)?);
                }
                let (moved, offsets) = by_scale(&Table::new(columns)?, ids, scale, parts, ctx)?;
                let moved = Some(moved.columns().to_vec());
                let mut pieces = Vec::new();
                if is_shared {
                    let about = rows.div_ceil(PIECES).max(LEAST_ROWS).max(ROWS_OF_GROUP * self.held);
                    let first_group = |part: usize| (part << 32).div_ceil(scale as usize);
                    for (part, range) in offsets.windows(2).enumerate() {
                        let in_part = range[1] - range[0];
                        let each = in_part.div_ceil((in_part / about).max(1)).max(1);
                        for first in (range[0]..range[1]).step_by(each) {
                            let end = range[1].min(first + each);
                            for group in (first_group(part)..first_group(part + 1)).step_by(self.held) {
                                pieces.extend([first, end, group].map(|x| x as u64));
                            }
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
