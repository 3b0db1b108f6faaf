//! Stable distribution of rows: where each row goes when rows are moved part by part, and the rows
//! of each group.

use std::ops::Range;

use cuprum_column::{Context, Result};
use cuprum_runtime::parallel;

/// Rows that one thread distributes at a time. Fixed, so that destinations do not depend on threads.
pub(crate) const BLOCK: usize = 64 << 10;

/// The places of rows that are distributed to parts, in row order within each part.
pub(crate) struct Destinations {
    /// For every block, the first place of its rows in every part.
    starts: Vec<usize>,
    /// The first place of every part, and the number of places.
    parts: Vec<usize>,
}

impl Destinations {
    /// Counts: `count_block` is called for blocks of rows and adds the rows of each part to the
    /// counts it gets.
    pub(crate) fn new(
        rows: usize,
        parts: usize,
        ctx: &Context,
        count_block: &(dyn Fn(Range<usize>, &mut [usize]) + Sync),
    ) -> Result<Self> {
        let counts = parallel::map_ranges(rows, BLOCK, ctx, |block| {
            let mut counts = vec![0usize; parts];
            count_block(block, &mut counts);
            Ok(counts)
        })?;
        Ok(Self::from_counts(&counts, parts))
    }

    /// From the number of rows of every part in every block.
    pub(crate) fn from_counts(counts: &[Vec<usize>], parts: usize) -> Self {
        let mut starts = vec![0; counts.len() * parts];
        let mut part_starts = Vec::with_capacity(parts + 1);
        let mut sum = 0;
        for part in 0..parts {
            part_starts.push(sum);
            for (block, counts) in counts.iter().enumerate() {
                starts[block * parts + part] = sum;
                sum += counts[part];
            }
        }
        part_starts.push(sum);
        Self { starts, parts: part_starts }
    }

    /// The number of rows that have a place.
    pub(crate) fn len(&self) -> usize {
        self.parts[self.num_parts()]
    }

    pub(crate) fn num_parts(&self) -> usize {
        self.parts.len() - 1
    }

    /// The places of a part.
    pub(crate) fn part(&self, part: usize) -> Range<usize> {
        self.parts[part]..self.parts[part + 1]
    }

    /// The next place in every part for the rows of a block.
    pub(crate) fn cursors(&self, block: usize) -> Cursors {
        let parts = self.num_parts();
        Cursors(self.starts[block * parts..(block + 1) * parts].to_vec())
    }
}

/// The next place of one block's rows in every part.
pub(crate) struct Cursors(Vec<usize>);

impl Cursors {
    #[inline(always)]
    pub(crate) fn next(&mut self, part: usize) -> usize {
        let place = self.0[part];
        self.0[part] = place + 1;
        place
    }
}

/// 0, then the sums of the first 1, 2, … lengths.
pub(crate) fn running_sum(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sums = vec![0];
    let mut sum = 0;
    for length in lengths {
        sum += length;
        sums.push(sum);
    }
    sums
}
