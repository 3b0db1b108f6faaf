//! Stable distribution of rows to numbered parts: count, running sum, scatter.
//!
//! Every block of rows counts its rows of each part; a running sum over parts, then blocks, gives each
//! block places of its own in every part; in a second pass the rows of a block go to these places in their
//! order. Parts follow each other, and rows keep their order within a part, whatever the number of threads.
//!
//! Both passes look at the rows, which may be in memory that others write to meanwhile (a `NumPy` array that
//! shares it, say). So [`Cursors`] give out the places that were counted and no others, and
//! [`Destinations::each_block`] fails unless all of them were taken: no write leaves the output, and none
//! of its places stays unwritten.

use std::ops::Range;

use cuprum_column::{Context, Error, Result};
use cuprum_runtime::{host_vec, parallel};

/// Rows that one thread distributes at a time. Fixed, so that destinations do not depend on threads.
pub const BLOCK: usize = 64 << 10;

/// Adds the rows of each part, among those of a block, to the counts of the parts.
pub(crate) type CountBlock<'a> = dyn Fn(Range<usize>, &mut [usize]) -> Result<()> + Sync + 'a;

/// The places of rows that are distributed to parts, in row order within each part.
pub struct Destinations {
    rows: usize,
    block: usize,
    /// For every block, the first place of its rows in every part; at the end, where the parts end.
    starts: Vec<usize>,
    /// The first place of every part, and the number of places.
    parts: Vec<usize>,
}

impl Destinations {
    /// Counts: `count_block` is called for blocks of rows and adds the rows of each part to the
    /// counts it gets. Rows that it does not count have no place.
    pub fn new(rows: usize, parts: usize, ctx: &Context, count_block: &CountBlock) -> Result<Self> {
        Self::in_blocks(rows, BLOCK, parts, ctx, count_block)
    }

    /// [`new`](Self::new) with blocks of another size.
    pub fn in_blocks(
        rows: usize,
        block: usize,
        parts: usize,
        ctx: &Context,
        count_block: &CountBlock,
    ) -> Result<Self> {
        let counts = parallel::map_ranges(rows, block, ctx, |range| {
            let mut counts = host_vec::zeroed::<usize>(parts)?;
            count_block(range, &mut counts)?;
            Ok(counts)
        })?;
        let mut starts = host_vec::zeroed((counts.len() + 1).saturating_mul(parts))?;
        let mut part_starts = host_vec::with_capacity(parts + 1)?;
        let mut sum = 0;
        for part in 0..parts {
            part_starts.push(sum);
            for (block, counts) in counts.iter().enumerate() {
                starts[block * parts + part] = sum;
                sum += counts[part];
            }
            starts[counts.len() * parts + part] = sum;
        }
        part_starts.push(sum);
        Ok(Self { rows, block, starts, parts: part_starts })
    }

    /// The number of rows that have a place.
    pub fn len(&self) -> usize {
        self.parts[self.num_parts()]
    }

    /// The number of parts.
    pub fn num_parts(&self) -> usize {
        self.parts.len() - 1
    }

    /// The number of rows of a block that have a place.
    #[inline]
    pub fn rows_of_block(&self, block: usize) -> usize {
        let parts = self.num_parts();
        let (starts, ends) = self.starts[block * parts..(block + 2) * parts].split_at(parts);
        starts.iter().zip(ends).map(|(start, end)| end - start).sum()
    }

    /// The places of a part.
    #[inline]
    pub fn part(&self, part: usize) -> Range<usize> {
        self.parts[part]..self.parts[part + 1]
    }

    /// The bounds of the parts.
    pub fn bounds(&self) -> &[usize] {
        &self.parts
    }

    /// Calls `place` for every block of rows, in parallel, with the places of its rows.
    ///
    /// Fails unless `place` has taken all of them: then rows are in other parts than they were counted in.
    pub fn each_block(
        &self,
        ctx: &Context,
        place: &(dyn Fn(Range<usize>, &mut Cursors) -> Result<()> + Sync),
    ) -> Result<()> {
        let parts = self.num_parts();
        parallel::for_ranges(self.rows, self.block, ctx, &|range| {
            let block = range.start / self.block * parts;
            let (starts, ends) = self.starts[block..block + 2 * parts].split_at(parts);
            let places = starts.iter().zip(ends).map(|(&next, &end)| Places { next, end });
            let mut cursors = Cursors(host_vec::collect(places)?.into_boxed_slice());
            place(range, &mut cursors)?;
            if cursors.0.iter().all(|places| places.next == places.end) { Ok(()) } else { Err(changed()) }
        })
    }
}

/// The places of one block's rows in every part.
///
/// No place is given out twice, by the cursors of whatever block, and each is below
/// [`Destinations::len`].
pub struct Cursors(Box<[Places]>);

#[derive(Clone, Copy)]
struct Places {
    next: usize,
    end: usize,
}

impl Cursors {
    /// The next place in a part; none where all that were counted have been given out.
    #[inline(always)]
    pub fn next(&mut self, part: usize) -> Option<usize> {
        let places = self.0.get_mut(part)?;
        let place = places.next;
        if place >= places.end {
            return None;
        }
        places.next = place + 1;
        Some(place)
    }
}

/// The failure of an algorithm that reads its input twice and found it different.
pub fn changed() -> Error {
    Error::logic("the input was written to while it was being read: values changed between two passes")
}

/// 0, then the sums of the first 1, 2, … lengths.
pub fn running_sum(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sums = vec![0];
    let mut sum = 0;
    for length in lengths {
        sum += length;
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn count(parts: impl Fn(usize) -> usize + Sync, rows: usize, number: usize) -> Destinations {
        let ctx = Context::current();
        Destinations::in_blocks(rows, 100, number, &ctx, &|range, counts| {
            range.for_each(|row| counts[parts(row)] += 1);
            Ok(())
        })
        .unwrap()
    }

    #[test]
    fn distribution_is_a_stable_sort() {
        let ctx = Context::current();
        for rows in [0, 1, 99, 100, 101, 1000] {
            let part_of = |row: usize| row * 7 % 5;
            let destinations = count(part_of, rows, 5);
            let moved: Vec<AtomicUsize> = (0..rows).map(|_| AtomicUsize::new(usize::MAX)).collect();
            let place = |range: Range<usize>, cursors: &mut Cursors| {
                for row in range {
                    moved[cursors.next(part_of(row)).unwrap()].store(row, Ordering::Relaxed);
                }
                Ok(())
            };
            destinations.each_block(&ctx, &place).unwrap();
            let mut expected: Vec<usize> = (0..rows).collect();
            expected.sort_by_key(|&row| part_of(row));
            assert_eq!(moved.into_iter().map(AtomicUsize::into_inner).collect::<Vec<_>>(), expected);
            assert_eq!((destinations.len(), destinations.part(4).end), (rows, rows));
        }
    }

    /// Rows that are in other parts, or in none that there is, the second time.
    #[test]
    fn places_that_were_not_counted_are_not_given_out() {
        let ctx = Context::current();
        let destinations = count(|row| row % 4, 1000, 4);
        for other in [|_| 0, |_| 3, |_| 4, |row| row % 3, |_| usize::MAX] {
            let given: Vec<AtomicUsize> = (0..1000).map(|_| AtomicUsize::new(0)).collect();
            let place = |range: Range<usize>, cursors: &mut Cursors| {
                for place in range.filter_map(|row| cursors.next(other(row))) {
                    given[place].fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            };
            let error = destinations.each_block(&ctx, &place).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Logic);
            assert!(given.iter().all(|times| times.load(Ordering::Relaxed) <= 1));
        }
    }
}
