//! Numbering of distinct keys in the order of their first rows.
//!
//! Three ways, all with the same result:
//! - keys below a small bound index a table of first rows;
//! - few distinct keys: every thread numbers a contiguous range of rows with a table of its own, the
//!   tables are merged in the order of the ranges (which keeps first-appearance order);
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
use crate::distribute::Destinations;

/// A source of one key per row.
pub(crate) trait Keys: Sync {
    type Key: HashKey;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Writes the keys of `rows`; `out` has the same length.
    fn fill(&self, rows: Range<usize>, out: &mut [Self::Key]);

    /// Whether rows `a` and `b`, whose keys are both `key`, are equal.
    #[inline(always)]
    fn same(&self, _key: Self::Key, _a: usize, _b: usize) -> bool {
        true
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
    let mut seen = IdTable::new(SAMPLE, 0)?;
    let mut key = [<S::Key as bytemuck::Zeroable>::zeroed()];
    let mut taken = 0usize;
    for i in 0..SAMPLE {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let step = rows / SAMPLE;
        let row = i * step + (random >> 33) as usize % step;
        if is_valid(valid, row) {
            keys.fill(row..row + 1, &mut key);
            seen.id(key[0], key[0].hash(), row as u32, |other| keys.same(key[0], row, other as usize));
            taken += 1;
        }
    }
    let distinct = seen.first_rows().len() as f64;
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
    let tables: Vec<IdTable<S::Key>> = parallel::map_ranges(ranges.len(), 1, ctx, |part| {
        let range = ranges[part.start].clone();
        // SAFETY: the ranges are disjoint and lie inside the rows.
        let out = unsafe { out.slice(range.clone()) };
        let mut table = IdTable::new(BATCH, 0)?;
        let mut batch = Batch::new();
        for start in range.clone().step_by(BATCH) {
            if (start - range.start) % MORSEL == 0 {
                ctx.check()?;
            }
            if table.len() > most {
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

    let mut tables = tables.into_iter();
    let Some(mut merged) = tables.next() else {
        return Ok(Some(Factorized { ids, first_rows: HostUVec::from_slice(&[], ctx)? }));
    };
    let mut maps = Vec::new();
    for table in tables {
        merged.reserve(table.len())?;
        let map: Vec<u32> = table
            .keys()?
            .into_iter()
            .zip(table.first_rows())
            .map(|(key, &row)| {
                merged.id(key, key.hash(), row, |other| keys.same(key, row as usize, other as usize))
            })
            .collect();
        maps.push(map);
    }
    for (map, range) in maps.iter().zip(&ranges[1..]) {
        renumber(&mut ids[range.clone()], ctx, |id| map.get(id as usize).copied().unwrap_or(NONE))?;
    }
    Ok(Some(Factorized { ids, first_rows: HostUVec::from_slice(merged.first_rows(), ctx)? }))
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
        table: &mut IdTable<K>,
        keys: &S,
        valid: Option<Bitmap<'_>>,
        start: usize,
        mut write: impl FnMut(usize, u32),
    ) {
        let far = table.is_far();
        if far {
            self.hashes[..AHEAD].iter().for_each(|hash| table.prefetch(*hash));
        }
        for (i, &key) in self.keys.iter().enumerate() {
            if far {
                table.prefetch(self.hashes[i + AHEAD]);
            }
            let row = start + i;
            let id = if is_valid(valid, row) {
                table.id(key, self.hashes[i], row as u32, |other| keys.same(key, row, other as usize))
            } else {
                NONE
            };
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
            let mut table = spare.map_or_else(|| IdTable::<K>::new((groups >> bits) + BATCH, bits), Ok)?;
            let mut seen = 0;
            for (i, (&key, &row)) in part_keys.iter().zip(part_rows).enumerate() {
                if i % BATCH == 0 {
                    table.reserve(BATCH)?;
                }
                if let Some(next) = part_keys.get(i + AHEAD) {
                    table.prefetch(next.hash());
                }
                let same = |other: u32| keys.same(key, row as usize, other as usize);
                let id = table.id(key, key.hash(), row, same);
                if let Some(ids) = &mut ids {
                    ids[i].write(id);
                }
                if table.first_rows().len() > seen {
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

/// Numbers rows by codes below `bound`, which `fill` writes: the codes index a table.
pub(crate) fn factorize_direct(
    rows: usize,
    bound: u64,
    valid: Option<Bitmap<'_>>,
    fill: &(dyn Fn(Range<usize>, &mut [u64]) + Sync),
    ctx: &Context,
) -> Result<Factorized> {
    check_rows(rows)?;
    let bound = bound as usize;
    let mut table = HostUVec::filled(NONE, bound, ctx)?;
    let first = atomic(&mut table);
    let scan = |range: Range<usize>| {
        let mut buffer = [0u64; BATCH];
        let mut found = 0usize;
        for start in range.clone().step_by(BATCH) {
            let batch = start..(start + BATCH).min(range.end);
            let codes = &mut buffer[..batch.len()];
            fill(batch, codes);
            for (i, &code) in codes.iter().enumerate() {
                let row = (start + i) as u32;
                // Codes are below the bound, unless others write to the keys meanwhile.
                let Some(slot) = first.get(code as usize) else { continue };
                // Rows ascend within a range, so nearly always the slot holds an earlier row.
                if slot.load(Ordering::Relaxed) > row && is_valid(valid, start + i) {
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
    let first_rows = if bound <= rows / 1024 {
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
        HostUVec::from_fn(seen.len(), ctx, |id| seen[id].0)?
    } else {
        let first = MarkedRows::new(rows, ctx)?;
        for_ranges(bound, MORSEL, ctx, &|range| {
            table[range].iter().filter(|row| **row != NONE).for_each(|&row| first.mark(row));
            Ok(())
        })?;
        let ranks = first.rank(ctx)?;
        renumber(&mut table, ctx, |row| if row == NONE { NONE } else { ranks.of(row) })?;
        ranks.rows(ctx)?
    };
    let table = &table[..];
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
