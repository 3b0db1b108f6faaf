//! Numbering of distinct keys in the order of their first rows.
//!
//! Three ways, all with the same result:
//! - keys below a small bound index a table of first rows;
//! - few distinct keys: every thread numbers a contiguous range of rows with a table of its own; the
//!   tables are merged in the order of the ranges (which keeps first-appearance order), where that takes
//!   long by all threads, each of which merges the keys with some hashes;
//! - many distinct keys: rows are partitioned by hash, each part has a table that fits the
//!   second-level cache, and a bitmap of first rows with its ranks gives the numbers.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use cuprum_column::{Bitmap, Context, Error, HostUVec, Result};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};

use super::hash_table::{AHEAD, BATCH, HashKey, IdTable, NONE};
use super::marked_rows::MarkedRows;
use crate::distribute::{Destinations, running_sum};

/// A source of one key per row.
pub(crate) trait Keys: Sync {
    type Key: HashKey;

    /// What a table keeps of its rows beside their keys.
    type Kept: Keep;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Writes the keys of `rows`; `out` has the same length.
    fn fill(&self, rows: Range<usize>, out: &mut [Self::Key]);

    /// Keeps what there is to keep of `row`, which has brought `key`. There is room for it.
    #[inline(always)]
    fn keep(&self, _key: Self::Key, _row: usize, _kept: &mut Self::Kept) {}

    /// Whether `row`, whose key is `key`, equals the first row of an id with an equal key.
    #[inline(always)]
    fn same(&self, _key: Self::Key, _row: usize, _first: (u32, u32), _kept: &Self::Kept) -> bool {
        true
    }
}

/// What is kept of rows, by the ids that they have brought.
pub(crate) trait Keep: Default + Send + Sync {
    /// Makes room for `more` rows.
    fn reserve(&mut self, more: usize) -> Result<()>;

    fn clear(&mut self);
}

/// Nothing: keys that are equal are those of equal rows.
impl Keep for () {
    fn reserve(&mut self, _more: usize) -> Result<()> {
        Ok(())
    }

    fn clear(&mut self) {}
}

/// The ids of the distinct keys of some rows.
struct Ids<S: Keys> {
    table: IdTable<S::Key>,
    kept: S::Kept,
}

impl<S: Keys> Ids<S> {
    /// See [`IdTable::new`].
    fn new(expected: usize, skip: u32) -> Result<Self> {
        let mut ids = Self { table: IdTable::new(expected, skip)?, kept: S::Kept::default() };
        ids.kept.reserve(expected.min(8 * BATCH))?;
        Ok(ids)
    }

    /// Makes room for `more` keys.
    #[inline]
    fn reserve(&mut self, more: usize) -> Result<()> {
        self.table.reserve(more)?;
        self.kept.reserve(more)
    }

    /// The id of a row. There must be room for a key more.
    #[inline(always)]
    fn id(&mut self, keys: &S, key: S::Key, hash: u64, row: usize) -> u32 {
        let (known, kept) = (self.table.len(), &self.kept);
        let same = |id, first| keys.same(key, row, (id, first), kept);
        let id = self.table.id(key, hash, row as u32, same);
        if self.table.len() > known {
            keys.keep(key, row, &mut self.kept);
        }
        id
    }

    /// Forgets all ids, but for the rows that brought them.
    fn take_first_rows(&mut self) -> Vec<u32> {
        self.kept.clear();
        self.table.take_first_rows()
    }
}

/// Rows numbered by their distinct keys.
pub(crate) struct Factorized {
    /// The number of each row's key, `u32::MAX` for rows that were left out.
    pub(crate) ids: HostUVec<u32>,
    /// The first row of each number, ascending.
    pub(crate) first_rows: HostUVec<u32>,
}

/// When to do what; tests force the rare ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    /// The largest bound for which keys index a table.
    pub(crate) direct_bound: u64,
    /// More distinct keys than this (estimated, divided by the threads) are partitioned.
    pub(crate) partition_above: usize,
    /// Ranges of rows with a table each.
    pub(crate) ranges: Option<usize>,
    /// The most keys of such a table; with more, rows are partitioned after all.
    pub(crate) most_keys: Option<usize>,
}

impl Tuning {
    pub(crate) fn for_rows(rows: usize) -> Self {
        Self {
            direct_bound: (rows as u64 * 4).clamp(1 << 10, 1 << 23),
            partition_above: 500_000,
            ranges: None,
            most_keys: None,
        }
    }
}

/// Fails where row numbers would not fit in 32 bits.
pub(crate) fn check_rows(rows: usize) -> Result<()> {
    if rows >= NONE as usize {
        return Err(Error::unsupported(format!("numbering the keys of {rows} rows (2^32 - 1 or more)")));
    }
    Ok(())
}

/// Numbers the rows of `keys` that are set in `valid` (all, without it).
pub(crate) fn factorize<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Factorized> {
    match few_or_many(keys, valid, tuning, ctx)? {
        Extent::Few(factorized) => Ok(factorized),
        Extent::Many(keys_about) => by_partition(keys, valid, keys_about, ctx),
    }
}

/// A row of every distinct key of the rows of `keys` that are set in `valid`, in lists and in no order: for
/// those who want no numbers of all rows, which take longer to make than tables of the keys.
pub(crate) fn distinct<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Vec<Vec<u32>>> {
    match few_or_many(keys, valid, tuning, ctx)? {
        Extent::Few(factorized) => Ok(vec![factorized.first_rows.to_vec()]),
        Extent::Many(keys_about) => {
            let parted = PartedRows::new(keys, valid, keys_about, ctx)?;
            parted.fill_tables(keys, keys_about, ctx, &|_| None, &|_| {})
        }
    }
}

/// Numbers the rows of `keys` that are set in `valid` where they have few distinct keys: no more than `most`, if a
/// sample is right, and at most so many in the rows of a thread.
pub(crate) fn with_few_keys<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    most: usize,
    ctx: &Context,
) -> Result<Option<Factorized>> {
    check_rows(keys.len())?;
    // Tables of more keys leave the cache.
    let most = most.min(1 << 16);
    if estimate_distinct(keys, valid)? > most {
        return Ok(None);
    }
    by_range(keys, valid, None, most, ctx)
}

/// How many distinct keys there are.
enum Extent {
    /// So few that they are numbered already.
    Few(Factorized),
    /// About so many.
    Many(usize),
}

fn few_or_many<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Extent> {
    check_rows(keys.len())?;
    let threads = parallel::num_threads();
    let groups = estimate_distinct(keys, valid)?;
    if groups.saturating_mul(threads) > tuning.partition_above {
        return Ok(Extent::Many(groups));
    }
    // Skewed keys have more distinct values than a sample tells: tables that fill say so.
    let most = tuning.most_keys.unwrap_or(tuning.partition_above.saturating_mul(2) / threads);
    Ok(match by_range(keys, valid, tuning.ranges, most, ctx)? {
        Some(factorized) => Extent::Few(factorized),
        None => Extent::Many(most.saturating_mul(threads).min(keys.len())),
    })
}

#[inline(always)]
fn is_valid(valid: Option<Bitmap<'_>>, row: usize) -> bool {
    valid.is_none_or(|bits| bits.get(row))
}

/// The number of distinct keys, from a sample of rows all over the column: solves
/// `distinct in sample = g (1 − e^(−sample / g))`, exact for equally frequent keys. Skewed keys have
/// more distinct values than that.
fn estimate_distinct<S: Keys>(keys: &S, valid: Option<Bitmap<'_>>) -> Result<usize> {
    const SAMPLE: usize = 4096;
    let rows = keys.len();
    if rows <= 4 * SAMPLE {
        return Ok(rows.min(SAMPLE));
    }
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    let mut seen = Ids::<S>::new(SAMPLE, 0)?;
    let mut key = [<S::Key as bytemuck::Zeroable>::zeroed()];
    let mut taken = 0usize;
    for i in 0..SAMPLE {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let step = rows / SAMPLE;
        let row = i * step + (random >> 33) as usize % step;
        if is_valid(valid, row) {
            keys.fill(row..row + 1, &mut key);
            seen.id(keys, key[0], key[0].hash(), row);
            taken += 1;
        }
    }
    let distinct = seen.table.len() as f64;
    let taken = taken as f64;
    let (mut low, mut high) = (distinct.max(1.0), rows as f64);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if middle * -(-taken / middle).exp_m1() < distinct { low = middle } else { high = middle }
    }
    Ok(high as usize)
}

/// One table per range of rows, merged in order; none where a table gets more than `most` keys, for which
/// it has neither the cache nor the memory, and merging would take too long.
pub(super) fn by_range<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    ranges: Option<usize>,
    most: usize,
    ctx: &Context,
) -> Result<Option<Factorized>> {
    let rows = keys.len();
    let ranges = match ranges {
        None => parallel::thread_ranges(rows),
        Some(n) => {
            let step = rows.div_ceil(n).max(1);
            (0..n).map(|i| (i * step).min(rows)..((i + 1) * step).min(rows)).collect()
        }
    };
    let mut ids = HostUVec::<u32>::uninit(rows, ctx)?;
    let out = ids.output();
    let full = AtomicBool::new(false);
    let tables: Vec<Ids<S>> = parallel::map_ranges(ranges.len(), 1, ctx, |part| {
        let range = ranges[part.start].clone();
        // SAFETY: the ranges are disjoint and lie inside the rows.
        let out = unsafe { out.slice(range.clone()) };
        let mut table = Ids::<S>::new(BATCH, 0)?;
        let mut batch = Batch::new();
        for start in range.clone().step_by(BATCH) {
            if (start - range.start) % MORSEL == 0 {
                ctx.check()?;
            }
            if table.table.len() > most {
                full.store(true, Ordering::Relaxed);
            }
            if full.load(Ordering::Relaxed) {
                break;
            }
            table.reserve(BATCH)?;
            let end = (start + BATCH).min(range.end);
            batch.load(keys, start..end);
            let ids = &mut out[start - range.start..end - range.start];
            batch.number(&mut table, keys, valid, start, |i, id| {
                ids[i].write(id);
            });
        }
        Ok(table)
    })?;
    if full.into_inner() {
        return Ok(None);
    }
    // SAFETY: the ranges cover all rows, and every row of a range was written: no range was left.
    let mut ids = unsafe { ids.assume_init() };

    let merged = if tables[1.min(tables.len())..].iter().map(|ids| ids.table.len()).sum::<usize>() > FEW_KEYS
    {
        merge_by_hash(&tables, keys, ctx)?
    } else {
        merge_in_order(tables, keys, ctx)?
    };
    // The ids of the first range are what they were: no key comes before its keys.
    for (map, range) in merged.maps.iter().zip(&ranges).skip(1) {
        renumber(&mut ids[range.clone()], ctx, |id| map.get(id as usize).copied().unwrap_or(NONE))?;
    }
    Ok(Some(Factorized { ids, first_rows: merged.first_rows }))
}

/// The keys of the tables of several ranges of rows with numbers of their own.
struct Merged {
    /// For each table, from its ids to the numbers.
    maps: Vec<Vec<u32>>,
    /// The first row of each number.
    first_rows: HostUVec<u32>,
}

/// Tables that have more keys in all are merged by all threads.
const FEW_KEYS: usize = 4096;

/// Merges tables in the order of their rows.
fn merge_in_order<S: Keys>(tables: Vec<Ids<S>>, keys: &S, ctx: &Context) -> Result<Merged> {
    let mut tables = tables.into_iter();
    let Some(mut merged) = tables.next() else {
        return Ok(Merged { maps: Vec::new(), first_rows: HostUVec::from_slice(&[], ctx)? });
    };
    let mut maps = vec![Vec::new()];
    for Ids { table, .. } in tables {
        merged.reserve(table.len())?;
        let rows = table.keys().iter().zip(table.first_rows());
        maps.push(rows.map(|(&key, &row)| merged.id(keys, key, key.hash(), row as usize)).collect());
    }
    Ok(Merged { maps, first_rows: HostUVec::from_slice(merged.table.first_rows(), ctx)? })
}

/// Merges tables by the hashes of their keys, with the same result: a key has its first row in the first table that
/// has it, and first rows are numbered in their order.
fn merge_by_hash<S: Keys>(tables: &[Ids<S>], keys: &S, ctx: &Context) -> Result<Merged> {
    const BITS: u32 = 4;
    let starts = running_sum(tables.iter().map(|ids| ids.table.len()));
    let total = starts[tables.len()];
    let marked = MarkedRows::new(keys.len(), ctx)?;
    // The first row of the key of every id of every table.
    let mut firsts = HostUVec::<u32>::uninit(total, ctx)?;
    let out = firsts.output();
    for_ranges(1 << BITS, 1, ctx, &|part| {
        let mut merged = Ids::<S>::new((total >> BITS) / tables.len() + BATCH, BITS)?;
        for (Ids { table, .. }, start) in tables.iter().zip(&starts) {
            merged.reserve(BATCH)?;
            for (i, (&key, &row)) in table.keys().iter().zip(table.first_rows()).enumerate() {
                if i % BATCH == 0 {
                    merged.reserve(BATCH)?;
                }
                let hash = key.hash();
                if (hash >> (64 - BITS)) as usize != part.start {
                    continue;
                }
                let id = merged.id(keys, key, hash, row as usize);
                // SAFETY: every id of a table has a place of its own, and its key belongs to one part.
                unsafe { out.write(start + i, merged.table.first_rows()[id as usize]) };
            }
        }
        merged.table.first_rows().iter().for_each(|&row| marked.mark(row));
        Ok(())
    })?;
    // SAFETY: the key of every id belongs to a part.
    let firsts = unsafe { firsts.assume_init() };
    let ranks = marked.rank(ctx)?;
    let maps = parallel::map_ranges(tables.len(), 1, ctx, |table| {
        Ok(firsts[starts[table.start]..starts[table.end]].iter().map(|&row| ranks.of(row)).collect())
    })?;
    Ok(Merged { maps, first_rows: ranks.rows(ctx)? })
}

/// Keys and hashes of a batch of rows.
struct Batch<K> {
    keys: Vec<K>,
    hashes: Vec<u64>,
}

impl<K: HashKey> Batch<K> {
    fn new() -> Self {
        Self { keys: vec![K::zeroed(); BATCH], hashes: vec![0; BATCH + AHEAD] }
    }

    fn load<S: Keys<Key = K>>(&mut self, keys: &S, rows: Range<usize>) {
        let len = rows.len();
        self.keys.resize(len, K::zeroed());
        keys.fill(rows, &mut self.keys);
        self.hash();
    }

    fn hash(&mut self) {
        for (hash, key) in self.hashes.iter_mut().zip(&self.keys) {
            *hash = key.hash();
        }
    }

    /// The id of every row of the batch, which starts at row `start`.
    #[inline(always)]
    fn number<S: Keys<Key = K>>(
        &self,
        ids: &mut Ids<S>,
        keys: &S,
        valid: Option<Bitmap<'_>>,
        start: usize,
        mut write: impl FnMut(usize, u32),
    ) {
        let far = ids.table.is_far();
        if far {
            self.hashes[..AHEAD].iter().for_each(|hash| ids.table.prefetch(*hash));
        }
        for (i, &key) in self.keys.iter().enumerate() {
            if far {
                ids.table.prefetch(self.hashes[i + AHEAD]);
            }
            let row = start + i;
            let id = if is_valid(valid, row) { ids.id(keys, key, self.hashes[i], row) } else { NONE };
            write(i, id);
        }
    }
}

/// Rows by the hashes of their keys.
struct PartedRows<K: HashKey> {
    bits: u32,
    destinations: Destinations,
    /// The key at every place, and its row.
    keys: HostUVec<K>,
    rows: HostUVec<u32>,
}

impl<K: HashKey> PartedRows<K> {
    /// The rows that are set in `valid`; they have about so many distinct keys.
    fn new<S: Keys<Key = K>>(
        keys: &S,
        valid: Option<Bitmap<'_>>,
        groups: usize,
        ctx: &Context,
    ) -> Result<Self> {
        let rows = keys.len();
        let bits: u32 = if groups > 6 << 20 { 9 } else { 7 };
        let part_of = |key: K| (key.hash() >> (64 - bits)) as usize;

        // Where each row goes: by part, in row order within it.
        let destinations = Destinations::new(rows, 1 << bits, ctx, &|block, counts| {
            let mut buffer = [<K as bytemuck::Zeroable>::zeroed(); BATCH];
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
        let (keys_out, rows_out) = (part_keys.output(), part_rows.output());
        destinations.each_block(ctx, &|block, cursors| {
            let mut buffer = [<K as bytemuck::Zeroable>::zeroed(); BATCH];
            for start in block.clone().step_by(BATCH) {
                let batch = start..(start + BATCH).min(block.end);
                let buffer = &mut buffer[..batch.len()];
                keys.fill(batch, buffer);
                for (i, &key) in buffer.iter().enumerate() {
                    if is_valid(valid, start + i)
                        && let Some(to) = cursors.next(part_of(key))
                    {
                        // SAFETY: cursors give out places below `moved`, each once.
                        unsafe {
                            keys_out.write(to, key);
                            rows_out.write(to, (start + i) as u32);
                        }
                    }
                }
            }
            Ok(())
        })?;
        // SAFETY: every place was given out.
        let (keys, rows) = unsafe { (part_keys.assume_init(), part_rows.assume_init()) };
        Ok(Self { bits, destinations, keys, rows })
    }

    /// A table for each part, which has about as many of `groups` keys as the others: the first row of every
    /// key. `ids` gives the places for the numbers of a part's rows among its keys, if they are wanted, and
    /// `first` gets every first row.
    #[inline(always)]
    fn fill_tables<'o, S: Keys<Key = K>>(
        &self,
        keys: &S,
        groups: usize,
        ctx: &Context,
        ids: &(impl Fn(Range<usize>) -> Option<&'o mut [MaybeUninit<u32>]> + Sync),
        first: &(impl Fn(u32) + Sync),
    ) -> Result<Vec<Vec<u32>>> {
        let bits = self.bits;
        let spare_tables = Mutex::new(Vec::new());
        parallel::map_ranges(1 << bits, 1, ctx, |part| {
            let range = self.destinations.part(part.start);
            let mut ids = ids(range.clone());
            let (part_keys, part_rows) = (&self.keys[range.clone()], &self.rows[range]);
            // A table goes from part to part: fresh memory would cost more than clearing.
            let spare = spare_tables.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut table = spare.map_or_else(|| Ids::<S>::new((groups >> bits) + BATCH, bits), Ok)?;
            let mut seen = 0;
            for (i, (&key, &row)) in part_keys.iter().zip(part_rows).enumerate() {
                if i % BATCH == 0 {
                    table.reserve(BATCH)?;
                }
                if let Some(next) = part_keys.get(i + AHEAD) {
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

/// Partitions by hash, a table for each.
fn by_partition<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    groups: usize,
    ctx: &Context,
) -> Result<Factorized> {
    let rows = keys.len();
    let parted = PartedRows::new(keys, valid, groups, ctx)?;
    let (destinations, part_rows) = (&parted.destinations, &parted.rows);
    let moved = destinations.len();
    let first = MarkedRows::new(rows, ctx)?;
    let mut local_ids = HostUVec::<u32>::uninit(moved, ctx)?;
    let local_out = local_ids.output();
    // SAFETY: the parts are disjoint.
    let ids = |part| Some(unsafe { local_out.slice(part) });
    let tables = parted.fill_tables(keys, groups, ctx, &ids, &|row| first.mark(row))?;
    // SAFETY: every place of every part was written.
    let local_ids = unsafe { local_ids.assume_init() };

    let ranks = first.rank(ctx)?;
    // Rows that were left out have no place in any part; the others are written below.
    let mut ids = if moved == rows {
        HostUVec::<u32>::uninit(rows, ctx)?
    } else {
        let mut ids = HostUVec::<u32>::uninit(rows, ctx)?;
        let out = ids.output();
        for_ranges(rows, MORSEL, ctx, &|range| {
            // SAFETY: the morsels are disjoint.
            unsafe { out.slice(range) }.fill(MaybeUninit::new(NONE));
            Ok(())
        })?;
        ids
    };
    let out = ids.output();
    for_ranges(destinations.num_parts(), 1, ctx, &|part| {
        let map: Vec<u32> = tables[part.start].iter().map(|&row| ranks.of(row)).collect();
        let range = destinations.part(part.start);
        for (&row, &local) in part_rows[range.clone()].iter().zip(&local_ids[range]) {
            // SAFETY: every row is in one part at most, and below the number of rows.
            unsafe { out.write(row as usize, map[local as usize]) };
        }
        Ok(())
    })?;
    // SAFETY: all rows are in a part, or were written before.
    let ids = unsafe { ids.assume_init() };
    Ok(Factorized { ids, first_rows: ranks.rows(ctx)? })
}

/// Writes the codes of rows.
type FillCodes<'a> = dyn Fn(Range<usize>, &mut [u64]) + Sync + 'a;

/// Codes of rows, all below a bound, of which those count that are valid.
pub(super) struct DirectCodes<'a> {
    pub(super) rows: usize,
    pub(super) bound: usize,
    pub(super) valid: Option<Bitmap<'a>>,
    pub(super) fill: &'a FillCodes<'a>,
}

/// The number of each code, [`NONE`] of those that no row has, and the first row of each number.
pub(super) struct Numbered {
    pub(super) of_codes: HostUVec<u32>,
    pub(super) first_rows: HostUVec<u32>,
}

/// The fewest codes for which each thread has a table of its own: nearly all rows of fewer are known after a glance.
const MANY_CODES: usize = 1 << 16;

/// Numbers rows by codes below `bound`, which `fill` writes: the codes index a table.
pub(crate) fn factorize_direct(
    rows: usize,
    bound: u64,
    valid: Option<Bitmap<'_>>,
    fill: &FillCodes<'_>,
    ctx: &Context,
) -> Result<Factorized> {
    check_rows(rows)?;
    let codes = DirectCodes { rows, bound: bound as usize, valid, fill };
    let ranges = parallel::thread_ranges(rows);
    let is_dense = codes.bound.saturating_mul(ranges.len()) <= 2 * rows;
    let Numbered { of_codes, first_rows } = match codes.bound >= MANY_CODES && is_dense {
        true => codes.number_by_range(&ranges, ctx)?,
        false => codes.number_together(ctx)?,
    };
    let table = &of_codes[..];
    // SAFETY: the closure writes every place of its slice.
    let ids = unsafe {
        HostUVec::from_morsels(rows, ctx, |range, out| {
            let mut buffer = [0u64; BATCH];
            for start in range.clone().step_by(BATCH) {
                let batch = start..(start + BATCH).min(range.end);
                let codes = &mut buffer[..batch.len()];
                let out = &mut out[start - range.start..batch.end - range.start];
                fill(batch, codes);
                for (slot, code) in out.iter_mut().zip(codes) {
                    slot.write(table.get(*code as usize).copied().unwrap_or(NONE));
                }
                if let Some(valid) = valid {
                    for (i, slot) in out.iter_mut().enumerate() {
                        if !valid.get(start + i) {
                            slot.write(NONE);
                        }
                    }
                }
            }
            Ok(())
        })?
    };
    Ok(Factorized { ids, first_rows })
}

impl DirectCodes<'_> {
    /// One table of first rows, which all threads lower.
    pub(super) fn number_together(&self, ctx: &Context) -> Result<Numbered> {
        let (rows, bound) = (self.rows, self.bound);
        let mut table = HostUVec::filled(NONE, bound, ctx)?;
        let first = atomic(&mut table);
        let scan = |range: Range<usize>| {
            let mut buffer = [0u64; BATCH];
            let mut found = 0usize;
            for start in range.clone().step_by(BATCH) {
                let batch = start..(start + BATCH).min(range.end);
                let codes = &mut buffer[..batch.len()];
                (self.fill)(batch, codes);
                for (i, &code) in codes.iter().enumerate() {
                    let row = (start + i) as u32;
                    // Codes are below the bound, unless others write to the keys meanwhile.
                    let Some(slot) = first.get(code as usize) else { continue };
                    // Rows ascend within a range, so nearly always the slot holds an earlier row.
                    if slot.load(Ordering::Relaxed) > row && is_valid(self.valid, start + i) {
                        found += usize::from(slot.fetch_min(row, Ordering::Relaxed) == NONE);
                    }
                }
            }
            found
        };
        // Once every code has been seen, later rows are first rows of nothing.
        let (mut done, mut step, mut found) = (0, 2 * MORSEL, 0);
        while done < rows && found < bound {
            let end = rows.min(done + step);
            let part = AtomicUsize::new(0);
            for_ranges(end - done, MORSEL, ctx, &|range| {
                part.fetch_add(scan(done + range.start..done + range.end), Ordering::Relaxed);
                Ok(())
            })?;
            found += part.into_inner();
            (done, step) = (end, step * 2);
        }
        if bound <= rows / 1024 {
            let mut seen: Vec<(u32, u32)> = table
                .iter()
                .enumerate()
                .filter(|(_, row)| **row != NONE)
                .map(|(code, &row)| (row, code as u32))
                .collect();
            seen.sort_unstable();
            for (id, (_, code)) in seen.iter().enumerate() {
                table[*code as usize] = id as u32;
            }
            let first_rows = HostUVec::from_fn(seen.len(), ctx, |id| seen[id].0)?;
            return Ok(Numbered { of_codes: table, first_rows });
        }
        let first = MarkedRows::new(rows, ctx)?;
        for_ranges(bound, MORSEL, ctx, &|range| {
            table[range].iter().filter(|row| **row != NONE).for_each(|&row| first.mark(row));
            Ok(())
        })?;
        numbered(table, first, ctx)
    }

    /// A table of first rows for each range of rows, so that no thread waits for memory that others write to. The
    /// ranges begin at multiples of 64.
    pub(super) fn number_by_range(&self, ranges: &[Range<usize>], ctx: &Context) -> Result<Numbered> {
        let tables = parallel::map_ranges(ranges.len(), 1, ctx, |part| {
            let rows = ranges[part.start].clone();
            let mut table = HostUVec::filled(NONE, self.bound, ctx)?;
            let mut buffer = [0u64; BATCH];
            // Backwards: the row that is written last is the first, so that none is read or compared.
            for start in rows.clone().step_by(BATCH).rev() {
                let batch = start..(start + BATCH).min(rows.end);
                let codes = &mut buffer[..batch.len()];
                (self.fill)(batch, codes);
                for (i, &code) in codes.iter().enumerate().rev() {
                    // Codes are below the bound, unless others write to the keys meanwhile.
                    if let Some(first) = table.get_mut(code as usize)
                        && is_valid(self.valid, start + i)
                    {
                        *first = (start + i) as u32;
                    }
                }
            }
            Ok(table)
        })?;
        // SAFETY: the closure writes every place of its slice.
        let all = unsafe {
            HostUVec::from_morsels(self.bound, ctx, |codes, out| {
                let mut block = [NONE; BATCH];
                for (start, out) in codes.clone().step_by(BATCH).zip(out.chunks_mut(BATCH)) {
                    let (codes, block) = (start..start + out.len(), &mut block[..out.len()]);
                    block.fill(NONE);
                    for table in &tables {
                        block.iter_mut().zip(&table[codes.clone()]).for_each(|(a, b)| *a = (*a).min(*b));
                    }
                    out.iter_mut().zip(block).for_each(|(slot, row)| {
                        slot.write(*row);
                    });
                }
                Ok(())
            })?
        };
        let first = MarkedRows::new(self.rows, ctx)?;
        for_ranges(ranges.len(), 1, ctx, &|part| {
            for (own, all) in tables[part.start].iter().zip(all.iter()) {
                if *own != NONE && own == all {
                    first.mark_alone(*own);
                }
            }
            Ok(())
        })?;
        drop(tables);
        numbered(all, first, ctx)
    }
}

/// Codes numbered by the first rows of each, all of which are marked.
fn numbered(mut first_of_codes: HostUVec<u32>, first: MarkedRows, ctx: &Context) -> Result<Numbered> {
    let ranks = first.rank(ctx)?;
    renumber(&mut first_of_codes, ctx, |row| if row == NONE { NONE } else { ranks.of(row) })?;
    Ok(Numbered { of_codes: first_of_codes, first_rows: ranks.rows(ctx)? })
}

/// Replaces every number by `f` of it.
pub(crate) fn renumber(numbers: &mut [u32], ctx: &Context, f: impl Fn(u32) -> u32 + Sync) -> Result<()> {
    let numbers = atomic(numbers);
    for_ranges(numbers.len(), MORSEL, ctx, &|range| {
        for number in &numbers[range] {
            // Each number belongs to one range, so to one thread.
            number.store(f(number.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
        Ok(())
    })
}

/// The same numbers, for threads to change.
pub(crate) fn atomic(values: &mut [u32]) -> &[AtomicU32] {
    // SAFETY: AtomicU32 has the size and alignment of u32, and the exclusive borrow means that all
    // access goes through the result while it lives.
    unsafe { &*(std::ptr::from_mut(values) as *const [AtomicU32]) }
}
