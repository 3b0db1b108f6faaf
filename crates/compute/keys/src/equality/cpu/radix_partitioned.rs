//! Rows partitioned by the hashes of their keys, and numbered partition by partition.
//!
//! A partition has all rows of its keys, in their order, and so few keys that its hash table fits a cache. Keys are numbered
//! as they come within a partition; the ranks of the first rows of all partitions give the group ids. Accumulation goes on
//! partition by partition and needs no group id of a row ([`PartitionedRows`]); those of all rows are made where they are
//! asked for ([`RadixPartitioned::numbers`]).
//!
//! Keys that a sample finds in many rows have partitions of their own, whose rows need no table.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::cache::RANDOM_AHEAD;
use cuprum_runtime::parallel::{self, for_ranges};

use super::hash_table::{BATCH, HashKey, NONE};
use super::key_source::{Factorized, Ids, KeySource, is_valid};
use super::marked_rows::MarkedRows;
use cuprum_elements::stable_partition::{Destinations, running_sum};

/// Rows in partitions.
pub struct PartitionedRows {
    /// The place of each row, [`NONE`] for rows in no partition.
    pub to: HostUVec<u32>,
    /// The first place of each partition.
    pub destinations: Destinations,
    /// The group of each place, counted within its partition.
    pub ids: HostUVec<u32>,
}

/// Partitions of rows by their keys.
struct Partitions<K: HashKey> {
    bits: u32,
    destinations: Destinations,
    /// The key at every place, and its row.
    keys: HostUVec<K>,
    rows: HostUVec<u32>,
    /// The place of every row, if it is wanted.
    to: Option<HostUVec<u32>>,
}

impl<K: HashKey> Partitions<K> {
    /// The rows that are set in `valid`, partitioned by the upper bits of their hashes, as many bits as suit the cardinality;
    /// behind them one partition for each of the `frequent` keys.
    fn new<S: KeySource<Key = K>>(
        keys: &S,
        valid: Option<Bitmap<'_>>,
        keys_about: usize,
        frequent: &[K],
        with_places: bool,
        ctx: &Context,
    ) -> Result<Self> {
        let rows = keys.len();
        let bits: u32 = if keys_about > 6 << 20 { 9 } else { 7 };
        let part_of = |key: K| {
            // A choice and not a branch: which rows have a frequent key cannot be foreseen.
            let by_hash = (key.hash() >> (64 - bits)) as usize;
            let own = (1 << bits..).zip(frequent);
            own.fold(by_hash, |part, (own, other)| if *other == key { own } else { part })
        };
        // The destination of each row: by part, in row order within it.
        let destinations = Destinations::new(rows, (1 << bits) + frequent.len(), ctx, &|block, counts| {
            let mut buffer = [K::zeroed(); BATCH];
            for start in block.clone().step_by(BATCH) {
                let batch = start..(start + BATCH).min(block.end);
                let buffer = &mut buffer[..batch.len()];
                keys.fill(batch, buffer);
                for (i, key) in buffer.iter().enumerate() {
                    if is_valid(valid, start + i) {
                        counts[part_of(*key)] += 1;
                    }
                }
            }
            Ok(())
        })?;
        let moved = destinations.len();
        let mut part_keys = HostUVec::<K>::uninit(moved, ctx)?;
        let mut part_rows = HostUVec::<u32>::uninit(moved, ctx)?;
        let mut to = HostUVec::<u32>::uninit(if with_places { rows } else { 0 }, ctx)?;
        let (keys_out, rows_out, to_out) = (part_keys.output(), part_rows.output(), to.output());
        destinations.each_block(ctx, &|block, cursors| {
            let mut buffer = [K::zeroed(); BATCH];
            for start in block.clone().step_by(BATCH) {
                let batch = start..(start + BATCH).min(block.end);
                let buffer = &mut buffer[..batch.len()];
                keys.fill(batch, buffer);
                for (i, &key) in buffer.iter().enumerate() {
                    let row = start + i;
                    let place = if is_valid(valid, row) { cursors.next(part_of(key)) } else { None };
                    if let Some(place) = place {
                        // SAFETY: cursors give out places below `moved`, each once.
                        unsafe {
                            keys_out.write(place, key);
                            rows_out.write(place, row as u32);
                        }
                    }
                    if with_places {
                        // SAFETY: there are as many as rows, and each row is in one block.
                        unsafe { to_out.write(row, place.map_or(NONE, |place| place as u32)) };
                    }
                }
            }
            Ok(())
        })?;
        // SAFETY: every place was given out, and every row passed, if places of rows are wanted.
        let (keys, rows, to) =
            unsafe { (part_keys.assume_init(), part_rows.assume_init(), to.assume_init()) };
        Ok(Self { bits, destinations, keys, rows, to: with_places.then_some(to) })
    }

    /// The first row of every key of every partition; together they have about `keys_about` keys. `ids` gives the places for the
    /// numbers of a partition's rows, if they are wanted, and `first` gets every first row.
    #[inline(always)]
    fn number<'o, S: KeySource<Key = K>>(
        &self,
        keys: &S,
        keys_about: usize,
        ctx: &Context,
        ids: &(impl Fn(Range<usize>) -> Option<&'o mut [MaybeUninit<u32>]> + Sync),
        first: &(impl Fn(u32) + Sync),
    ) -> Result<Vec<Vec<u32>>> {
        let expected = keys_about >> self.bits;
        let spare_tables = Mutex::new(Vec::new());
        parallel::map_ranges(self.destinations.num_parts(), 1, ctx, |part| {
            let range = self.destinations.part(part.start);
            let mut ids = ids(range.clone());
            let (part_keys, part_rows) = (&self.keys[range.clone()], &self.rows[range]);
            if part.start >> self.bits != 0 {
                // One key.
                if let Some(ids) = &mut ids {
                    ids.fill(MaybeUninit::new(0));
                }
                part_rows.iter().take(1).for_each(|&row| first(row));
                return Ok(part_rows.iter().take(1).copied().collect());
            }
            // A table goes from part to part: fresh memory would cost more than clearing.
            let spare = spare_tables.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut table = spare.map_or_else(|| Ids::<S>::new(expected + BATCH, self.bits), Ok)?;
            let mut seen = 0;
            for (i, (key, &row)) in part_keys.iter().zip(part_rows).enumerate() {
                if i % BATCH == 0 {
                    table.reserve(BATCH)?;
                }
                if let Some(next) = part_keys.get(i + RANDOM_AHEAD) {
                    table.table.prefetch(next.hash());
                }
                let id = table.id(keys, key, key.hash(), row as usize);
                if let Some(ids) = &mut ids {
                    ids[i].write(id);
                }
                if table.table.len() > seen {
                    first(row);
                    seen += 1;
                }
            }
            let first_rows = table.take_first_rows();
            spare_tables.lock().unwrap_or_else(PoisonError::into_inner).push(table);
            Ok(first_rows)
        })
    }
}

/// A row of every distinct key of the rows that are set in `valid`, partition by partition.
pub(super) fn first_rows<S: KeySource>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    keys_about: usize,
    ctx: &Context,
) -> Result<Vec<Vec<u32>>> {
    let rows = Partitions::new(keys, valid, keys_about, &[], false, ctx)?;
    rows.number(keys, keys_about, ctx, &|_| None, &|_| {})
}

/// Rows in partitions, with the numbers of their keys.
pub struct RadixPartitioned {
    /// The rows.
    pub rows: PartitionedRows,
    /// The number of keys before each partition, and of all.
    pub starts: Vec<usize>,
    /// The group id of every key, partition after partition.
    numbers: HostUVec<u32>,
    /// The partition of every group, in the upper 32 bits, and its number there.
    pub places: HostUVec<u64>,
    /// The first row of every group.
    pub(crate) first_rows: HostUVec<u32>,
}

impl std::fmt::Debug for RadixPartitioned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rows in {} parts", self.rows.to.len(), self.starts.len() - 1)
    }
}

impl RadixPartitioned {
    /// Partitions the rows that are set in `valid`, which have about `keys_about` keys. Two rows with one of the `frequent` keys
    /// are equal.
    pub(crate) fn new<S: KeySource>(
        keys: &S,
        valid: Option<Bitmap<'_>>,
        keys_about: usize,
        frequent: &[S::Key],
        ctx: &Context,
    ) -> Result<Self> {
        let radix_partitioned = Partitions::new(keys, valid, keys_about, frequent, true, ctx)?;
        let first = MarkedRows::new(keys.len(), ctx)?;
        let mut ids = HostUVec::<u32>::uninit(radix_partitioned.destinations.len(), ctx)?;
        let out = ids.output();
        // SAFETY: the parts are disjoint.
        let places = |part| Some(unsafe { out.slice(part) });
        let tables = radix_partitioned.number(keys, keys_about, ctx, &places, &|row| first.mark(row))?;
        // SAFETY: every place of every part was written.
        let ids = unsafe { ids.assume_init() };
        // Keys and rows are freed here.
        let Partitions { destinations, to, .. } = radix_partitioned;
        let ranks = first.rank(ctx)?;
        let starts = running_sum(tables.iter().map(Vec::len));
        let total = starts[tables.len()];
        let mut numbers = HostUVec::<u32>::uninit(total, ctx)?;
        let mut places = HostUVec::<u64>::uninit(total, ctx)?;
        let (numbers_out, places_out) = (numbers.output(), places.output());
        for_ranges(tables.len(), 1, ctx, &|part| {
            for (i, &row) in tables[part.start].iter().enumerate() {
                let number = ranks.of(row);
                // SAFETY: each key has a place in its part, and a first row of its own, of which `ranks` tells how
                // many are before it.
                unsafe {
                    numbers_out.write(starts[part.start] + i, number);
                    places_out.write(number as usize, (part.start as u64) << 32 | i as u64);
                }
            }
            Ok(())
        })?;
        // SAFETY: all keys of all parts were written.
        let (numbers, places) = unsafe { (numbers.assume_init(), places.assume_init()) };
        let to = to.map_or_else(|| HostUVec::from_slice(&[], ctx), Ok)?;
        let rows = PartitionedRows { to, destinations, ids };
        Ok(Self { rows, starts, numbers, places, first_rows: ranks.rows(ctx)? })
    }

    /// The group id of each row, [`NONE`] for rows in no partition.
    pub fn numbers(&self, ctx: &Context) -> Result<HostUVec<u32>> {
        let PartitionedRows { to, destinations, ids } = &self.rows;
        let mut numbers = HostUVec::<u32>::uninit(ids.len(), ctx)?;
        let out = numbers.output();
        for_ranges(destinations.num_parts(), 1, ctx, &|part| {
            let own = &self.numbers[self.starts[part.start]..self.starts[part.end]];
            let places = destinations.part(part.start);
            // SAFETY: the parts are disjoint and have all places.
            let out = unsafe { out.slice(places.clone()) };
            for (out, id) in out.iter_mut().zip(&ids[places]) {
                out.write(own[*id as usize]);
            }
            Ok(())
        })?;
        // SAFETY: the places of all parts are all there are.
        let numbers = unsafe { numbers.assume_init() };
        HostUVec::from_fn(to.len(), ctx, |row| numbers.get(to[row] as usize).copied().unwrap_or(NONE))
    }

    /// The group ids of all rows, and the first rows.
    pub fn into_numbers(self, ctx: &Context) -> Result<Factorized> {
        Ok(Factorized { ids: self.numbers(ctx)?, first_rows: self.first_rows })
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The first row of each key, ascending; they are taken out.
    pub fn take_first_rows(&mut self, ctx: &Context) -> Result<HostUVec<u32>> {
        Ok(std::mem::replace(&mut self.first_rows, HostUVec::from_slice(&[], ctx)?))
    }
}
