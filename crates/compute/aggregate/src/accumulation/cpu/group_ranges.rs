//! Groups in ranges, each of which has the accumulators of its groups alone.

use std::ops::Range;

use cuprum_column::{Context, Result};
use cuprum_elements::stable_partition::Destinations;
use cuprum_keys::equality::cpu::hash_table::NONE;

use super::block::Unit;

/// Rows that one thread moves at a time; their positions in a block fit 16 bits.
pub(crate) const MOVED_BLOCK: usize = 32 << 10;

/// Groups in parts of `1 << shift`.
#[derive(Clone, Copy)]
pub(crate) struct GroupRanges {
    pub(crate) groups: usize,
    pub(crate) shift: u32,
    /// Rows of a part that are accumulated together, so many that merging costs at most a sixteenth.
    pub(crate) chunk: usize,
}

impl GroupRanges {
    pub(super) fn new(groups: usize, chunk: usize) -> Self {
        let shift = groups.div_ceil(256).next_power_of_two().trailing_zeros().max(12);
        Self { groups, shift, chunk: chunk.max(16 << shift) }
    }

    pub(crate) fn len(self) -> usize {
        self.groups.div_ceil(1 << self.shift)
    }

    /// The number of groups of the first part.
    pub(crate) fn first_groups(self) -> usize {
        self.groups.min(1 << self.shift)
    }

    /// The groups of a part.
    pub(crate) fn part(self, part: usize) -> Range<usize> {
        part << self.shift..((part + 1) << self.shift).min(self.groups)
    }

    /// The part of a group.
    #[inline(always)]
    pub(crate) fn of(self, group: u32) -> usize {
        group as usize >> self.shift
    }

    /// The bits that number a group within its part.
    pub(crate) fn mask(self) -> u32 {
        (1 << self.shift) - 1
    }

    /// The destinations of rows with these ids, by blocks of `block` rows.
    pub(crate) fn destinations(self, ids: &[u32], block: usize, ctx: &Context) -> Result<Destinations> {
        Destinations::in_blocks(ids.len(), block, self.len(), ctx, &|block, counts| {
            for &id in &ids[block] {
                if (id as usize) < self.groups {
                    counts[self.of(id)] += 1;
                }
            }
            Ok(())
        })
    }

    /// `place(row, destination, id)` for every row, with ids that are counted from the first one of the part;
    /// [`NONE`] is the destination of rows in no group.
    /// Destinations are different and below the length of `destinations`, which are those of `ids`.
    pub(super) fn each(
        self,
        ids: &[u32],
        destinations: &Destinations,
        ctx: &Context,
        place: impl Fn(usize, u32, u32) + Sync,
    ) -> Result<()> {
        destinations.each_block(ctx, &|block, cursors| {
            for row in block {
                let id = ids[row];
                let inside = (id as usize) < self.groups;
                let to = if inside { cursors.next(self.of(id)) } else { None };
                place(row, to.map_or(NONE, |to| to as u32), id & self.mask());
            }
            Ok(())
        })
    }
}

/// The operations on units.
pub(crate) struct Kernel<'k, A> {
    /// Makes accumulators of a number of groups.
    pub(crate) new: &'k (dyn Fn(usize) -> Result<A> + Sync),
    /// Accumulates the rows of a unit.
    pub(crate) update: &'k (dyn Fn(&Unit<'_>, &mut A) + Sync),
    /// Merges the accumulators of later rows of the same groups, in the order of the rows.
    pub(crate) merge: &'k (dyn Fn(&mut A, &[A]) + Sync),
}

/// The first of the states, with the others merged into it.
pub(crate) fn merged<A>(mut states: Vec<A>, merge: &dyn Fn(&mut A, &[A])) -> Option<A> {
    let (first, later) = states.split_first_mut()?;
    merge(first, later);
    states.truncate(1);
    states.pop()
}
