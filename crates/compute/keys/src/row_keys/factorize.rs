//! Numbering of distinct keys in the order of their first rows.
//!
//! Three ways, all with the same result:
//! - keys below a small bound index a table of first rows;
//! - few distinct keys: every thread numbers pieces of the rows with a table of its own; the tables are merged,
//!   where that takes long by all threads, each of which merges the keys with some hashes, and numbered by the
//!   first rows of all;
//! - many distinct keys: rows are partitioned by hash, each part has a table that fits the
//!   second-level cache, and a bitmap of first rows with its ranks gives the numbers.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use cuprum_column::{Bitmap, Context, Error, HostUVec, Result};
use cuprum_runtime::cache::{self, RANDOM_AHEAD};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};

use super::hash_table::{BATCH, HashKey, IdTable, NONE};
use super::marked_rows::MarkedRows;
use super::parted::{self, Parted};
use cuprum_elements::distribute::running_sum;

/// A source of one key per row.
pub trait Keys: Sync {
    /// What is hashed and compared.
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
pub trait Keep: Default + Send + Sync {
    /// Makes room for `more` rows.
    fn reserve(&mut self, more: usize) -> Result<()>;

    /// Forgets all rows.
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
pub(super) struct Ids<S: Keys> {
    pub(super) table: IdTable<S::Key>,
    kept: S::Kept,
}

impl<S: Keys> Ids<S> {
    /// See [`IdTable::new`].
    pub(super) fn new(expected: usize, skip: u32) -> Result<Self> {
        let mut ids = Self { table: IdTable::new(expected, skip)?, kept: S::Kept::default() };
        ids.kept.reserve(expected.min(8 * BATCH))?;
        Ok(ids)
    }

    /// Makes room for `more` keys.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) -> Result<()> {
        self.table.reserve(more)?;
        self.kept.reserve(more)
    }

    /// The id of a row. There must be room for a key more.
    #[inline(always)]
    pub(super) fn id(&mut self, keys: &S, key: &S::Key, hash: u64, row: usize) -> u32 {
        let (known, kept) = (self.table.len(), &self.kept);
        let same = |id, first| keys.same(*key, row, (id, first), kept);
        let id = self.table.id(key, hash, row as u32, same);
        if self.table.len() > known {
            keys.keep(*key, row, &mut self.kept);
        }
        id
    }

    /// Forgets all ids, but for the rows that brought them.
    pub(super) fn take_first_rows(&mut self) -> Vec<u32> {
        self.kept.clear();
        self.table.take_first_rows()
    }
}

/// Rows numbered by their distinct keys.
pub struct Factorized {
    /// The number of each row's key, `u32::MAX` for rows that were left out.
    pub ids: HostUVec<u32>,
    /// The first row of each number, ascending.
    pub first_rows: HostUVec<u32>,
}

/// When to do what; tests force the rare ways.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The largest bound for which keys index a table.
    pub direct_bound: u64,
    /// More distinct keys than this (estimated, divided by the threads) are partitioned.
    pub partition_above: usize,
    /// So many pieces of the rows, and threads that take them.
    pub pieces: Option<usize>,
    /// The most keys of such a table; with more, rows are partitioned after all.
    pub most_keys: Option<usize>,
    /// Groups of more keys than this (estimated, whatever the threads) that index no table stay in parts: see
    /// [`Parted`].
    pub parted_above: usize,
    /// Groups of so many rows or more look the numbers of few keys up where they are needed.
    pub coded_from: usize,
}

impl Tuning {
    /// What was measured to be fast for so many rows.
    pub fn for_rows(rows: usize) -> Self {
        Self {
            direct_bound: (rows as u64 * 4).clamp(1 << 10, 1 << 23),
            partition_above: 500_000,
            pieces: None,
            most_keys: None,
            // Moving few rows to many parts costs more than it brings.
            parted_above: if rows < 1 << 19 { usize::MAX } else { 1 << 15 },
            coded_from: 1 << 16,
        }
    }

    /// Every way to number rows, for tests.
    #[doc(hidden)]
    pub fn each(rows: usize) -> [Option<Self>; 8] {
        let base = Self::for_rows(rows);
        [
            None,
            Some(Self { direct_bound: u64::MAX >> 40, ..base }),
            Some(Self { direct_bound: 0, partition_above: usize::MAX, pieces: Some(1), ..base }),
            Some(Self { direct_bound: 0, partition_above: usize::MAX, pieces: Some(3), ..base }),
            Some(Self { direct_bound: 0, partition_above: 0, ..base }),
            // Tables that are full at once, or only some of them.
            Some(Self { direct_bound: 0, partition_above: usize::MAX, most_keys: Some(0), ..base }),
            Some(Self {
                direct_bound: 0,
                partition_above: usize::MAX,
                pieces: Some(3),
                most_keys: Some(40),
                ..base
            }),
            // Rows that stay in parts.
            Some(Self { direct_bound: 0, parted_above: 0, ..base }),
        ]
    }
}

/// Fails where row numbers would not fit in 32 bits.
pub fn check_rows(rows: usize) -> Result<()> {
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
        Extent::Many(keys_about) => Parted::new(keys, valid, keys_about, &[], ctx)?.into_numbers(ctx),
    }
}

/// A row of every distinct key of the rows of `keys` that are set in `valid`, in lists and in no order: for
/// those who want no numbers of all rows, which take longer to make than tables of the keys.
#[doc(hidden)]
pub fn distinct<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Vec<Vec<u32>>> {
    match few_or_many(keys, valid, tuning, ctx)? {
        Extent::Few(factorized) => Ok(vec![factorized.first_rows.to_vec()]),
        Extent::Many(keys_about) => parted::first_rows(keys, valid, keys_about, ctx),
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
    by_thread(keys, valid, None, most, ctx)
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
    Ok(match by_thread(keys, valid, tuning.pieces, most, ctx)? {
        Some(factorized) => Extent::Few(factorized),
        None => Extent::Many(most.saturating_mul(threads).min(keys.len())),
    })
}

#[inline(always)]
pub(super) fn is_valid(valid: Option<Bitmap<'_>>, row: usize) -> bool {
    valid.is_none_or(|bits| bits.get(row))
}

/// The keys of some rows from all over a column.
pub(super) struct Sample<K> {
    /// The rows looked at that are valid.
    taken: usize,
    /// The distinct keys, and how many of the rows have them.
    keys: Vec<K>,
    counts: Vec<u32>,
}

/// Places where rows are looked at.
const SAMPLES: usize = 4096;

impl<K: HashKey> Sample<K> {
    /// `run` neighbours at each of [`SAMPLES`] places, which are chosen the same way whatever there is; all of few rows.
    fn new<S: Keys<Key = K>>(keys: &S, valid: Option<Bitmap<'_>>, run: usize) -> Result<Self> {
        let rows = keys.len();
        let (places, step) = if rows <= SAMPLES * run { (1, rows) } else { (SAMPLES, rows / SAMPLES) };
        let run = if places == 1 { rows } else { run };
        let mut random = 0x2545_F491_4F6C_DD1Du64;
        let mut seen = Ids::<S>::new(SAMPLES, 0)?;
        let mut batch = vec![K::zeroed(); run.min(BATCH)];
        let (mut taken, mut counts) = (0, Vec::new());
        for place in 0..places {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let start = place * step + (random >> 33) as usize % (step - run + 1);
            for start in (start..start + run).step_by(BATCH).take(run.div_ceil(BATCH)) {
                let batch = &mut batch[..(rows - start).min(run).min(BATCH)];
                keys.fill(start..start + batch.len(), batch);
                seen.reserve(batch.len())?;
                for (row, key) in (start..).zip(&*batch) {
                    if is_valid(valid, row) {
                        let id = seen.id(keys, key, key.hash(), row) as usize;
                        counts.resize(counts.len().max(id + 1), 0);
                        counts[id] += 1;
                        taken += 1;
                    }
                }
            }
        }
        Ok(Self { taken, keys: seen.table.keys().to_vec(), counts })
    }

    /// The number of distinct keys of all `rows`: solves `distinct in sample = g (1 − e^(−sample / g))`, exact for
    /// equally frequent keys. Skewed keys have more distinct values than that.
    fn distinct(&self, rows: usize) -> usize {
        let (distinct, taken) = (self.counts.len() as f64, self.taken as f64);
        let (mut low, mut high) = (distinct.max(1.0), rows as f64);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if middle * -(-taken / middle).exp_m1() < distinct { low = middle } else { high = middle }
        }
        high as usize
    }

    /// How many distinct keys there are at least, for keys of any frequencies, from how many the sample has once and
    /// twice (Chao, 1984: "Nonparametric estimation of the number of classes in a population").
    fn distinct_at_least(&self) -> f64 {
        let with = |count| self.counts.iter().filter(|other| **other == count).count() as f64;
        let (once, twice) = (with(1), with(2));
        self.counts.len() as f64 + once * (once - 1.0) / (2.0 * (twice + 1.0))
    }

    /// The keys that more than a sixteenth of the rows have.
    pub(super) fn frequent(&self) -> Vec<K> {
        let frequent = |count: u32| count as usize * 16 > self.taken;
        self.keys
            .iter()
            .zip(&self.counts)
            .filter(|(_, count)| frequent(**count))
            .map(|(key, _)| *key)
            .collect()
    }
}

/// The number of distinct keys; see [`Sample::distinct`].
fn estimate_distinct<S: Keys>(keys: &S, valid: Option<Bitmap<'_>>) -> Result<usize> {
    let rows = keys.len();
    if rows <= 4 * SAMPLES {
        return Ok(rows.min(SAMPLES));
    }
    Ok(Sample::new(keys, valid, 1)?.distinct(rows))
}

/// A sample of keys that are more than `least`, whatever the number of threads, and about how many there are.
pub(super) fn sample_of_many<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    least: usize,
) -> Result<Option<(Sample<S::Key>, usize)>> {
    let rows = keys.len();
    if rows <= least {
        return Ok(None);
    }
    let sample = Sample::new(keys, valid, 1)?;
    let distinct = sample.distinct(rows);
    if distinct > 4 * least {
        return Ok(Some((sample, distinct)));
    }
    // Few keys of many rows and many keys of the others look like some thousands in a small sample.
    if sample.distinct_at_least() * 8.0 < least as f64 {
        return Ok(None);
    }
    let sample = Sample::new(keys, valid, 16)?;
    let distinct = sample.distinct_at_least();
    Ok((distinct > least as f64).then_some((sample, distinct as usize)))
}

/// A table for each thread, which takes one piece of the rows after the other, merged by first rows; none where a
/// table gets more than `most` keys, for which it has neither the cache nor the memory, and merging would take too
/// long.
///
/// No thread has rows of its own from the start: on a machine with other work some are twice as slow as others.
pub(super) fn by_thread<S: Keys>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    pieces: Option<usize>,
    most: usize,
    ctx: &Context,
) -> Result<Option<Factorized>> {
    let rows = keys.len();
    let threads = pieces.unwrap_or_else(parallel::num_threads);
    let piece = pieces.map_or(MORSEL, |n| rows.div_ceil(n).max(1));
    let num_pieces = rows.div_ceil(piece);
    let mut ids = HostUVec::<u32>::uninit(rows, ctx)?;
    let out = ids.output();
    let (next, full) = (AtomicUsize::new(0), AtomicBool::new(false));
    let tables: Vec<(Ids<S>, Vec<usize>)> =
        parallel::map_ranges(threads.min(num_pieces).max(1), 1, ctx, |_| {
            let mut table = Ids::<S>::new(BATCH, 0)?;
            let mut taken = Vec::new();
            let mut batch = Batch::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= num_pieces || full.load(Ordering::Relaxed) {
                    return Ok((table, taken));
                }
                ctx.check()?;
                let range = number * piece..((number + 1) * piece).min(rows);
                // SAFETY: each piece is given out once, and they are disjoint and lie inside the rows.
                let out = unsafe { out.slice(range.clone()) };
                for start in range.clone().step_by(BATCH) {
                    if table.table.len() > most {
                        full.store(true, Ordering::Relaxed);
                        return Ok((table, taken));
                    }
                    table.reserve(BATCH)?;
                    let end = (start + BATCH).min(range.end);
                    batch.load(keys, start..end);
                    let ids = &mut out[start - range.start..end - range.start];
                    batch.number(&mut table, keys, valid, start, |i, id| {
                        ids[i].write(id);
                    });
                }
                taken.push(number);
            }
        })?;
    if full.into_inner() {
        return Ok(None);
    }
    // SAFETY: every piece was given out, and every row of it written, since no table was full.
    let mut ids = unsafe { ids.assume_init() };
    let (tables, taken): (Vec<Ids<S>>, Vec<Vec<usize>>) = tables.into_iter().unzip();
    let merged = if tables[1..].iter().map(|ids| ids.table.len()).sum::<usize>() > FEW_KEYS {
        merge_by_hash(&tables, keys, ctx)?
    } else {
        merge_few(tables, keys, ctx)?
    };
    let mut map_of = vec![0; num_pieces];
    for (thread, pieces) in taken.iter().enumerate() {
        pieces.iter().for_each(|&number| map_of[number] = thread);
    }
    let changes: Vec<bool> =
        merged.maps.iter().map(|map| map.iter().zip(0..).any(|(a, b)| *a != b)).collect();
    let numbers = atomic(&mut ids);
    for_ranges(rows, piece, ctx, &|range| {
        let thread = map_of[range.start / piece];
        if changes[thread] {
            let map = &merged.maps[thread];
            renumber_alone(&numbers[range], |id| map.get(id as usize).copied().unwrap_or(NONE));
        }
        Ok(())
    })?;
    Ok(Some(Factorized { ids, first_rows: merged.first_rows }))
}

/// The keys of several tables with numbers of their own.
struct Merged {
    /// For each table, from its ids to the numbers.
    maps: Vec<Vec<u32>>,
    /// The first row of each number.
    first_rows: HostUVec<u32>,
}

/// Tables that have more keys in all are merged by all threads.
const FEW_KEYS: usize = 4096;

/// Merges tables by one thread.
fn merge_few<S: Keys>(tables: Vec<Ids<S>>, keys: &S, ctx: &Context) -> Result<Merged> {
    let mut tables = tables.into_iter();
    let Some(mut merged) = tables.next() else {
        return Ok(Merged { maps: Vec::new(), first_rows: HostUVec::from_slice(&[], ctx)? });
    };
    let mut first_rows = merged.table.first_rows().to_vec();
    let mut maps: Vec<Vec<u32>> = vec![(0..first_rows.len() as u32).collect()];
    for Ids { table, .. } in tables {
        merged.reserve(table.len())?;
        let ids = table.keys().iter().zip(table.first_rows()).map(|(key, &row)| {
            let id = merged.id(keys, key, key.hash(), row as usize);
            match first_rows.get_mut(id as usize) {
                Some(first) => *first = row.min(*first),
                None => first_rows.push(row),
            }
            id
        });
        maps.push(ids.collect());
    }
    let mut order: Vec<u32> = (0..first_rows.len() as u32).collect();
    order.sort_unstable_by_key(|&id| first_rows[id as usize]);
    let mut number_of = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&id, number)| number_of[id as usize] = number);
    maps.iter_mut().flatten().for_each(|id| *id = number_of[*id as usize]);
    let first_rows = HostUVec::from_fn(order.len(), ctx, |number| first_rows[order[number] as usize])?;
    Ok(Merged { maps, first_rows })
}

/// Merges tables by the hashes of their keys, with the same result.
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
        let (mut first_rows, mut places) = (Vec::new(), Vec::new());
        for (Ids { table, .. }, start) in tables.iter().zip(&starts) {
            for (i, (key, &row)) in table.keys().iter().zip(table.first_rows()).enumerate() {
                if i % BATCH == 0 {
                    merged.reserve(BATCH)?;
                }
                let hash = key.hash();
                if (hash >> (64 - BITS)) as usize != part.start {
                    continue;
                }
                let id = merged.id(keys, key, hash, row as usize);
                match first_rows.get_mut(id as usize) {
                    Some(first) => *first = row.min(*first),
                    None => first_rows.push(row),
                }
                places.push((start + i, id));
            }
        }
        for (place, id) in places {
            // SAFETY: every id of a table has a place of its own, and its key belongs to one part.
            unsafe { out.write(place, first_rows[id as usize]) };
        }
        first_rows.iter().for_each(|&row| marked.mark(row));
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
        Self { keys: vec![K::zeroed(); BATCH], hashes: vec![0; BATCH + RANDOM_AHEAD] }
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
            self.hashes[..RANDOM_AHEAD].iter().for_each(|hash| ids.table.prefetch(*hash));
        }
        for (i, key) in self.keys.iter().enumerate() {
            if far {
                ids.table.prefetch(self.hashes[i + RANDOM_AHEAD]);
            }
            let row = start + i;
            let id = if is_valid(valid, row) { ids.id(keys, key, self.hashes[i], row) } else { NONE };
            write(i, id);
        }
    }
}

/// Numbers rows by codes below `bound`, which `fill` writes: the codes index a table.
pub(crate) fn factorize_direct(
    rows: usize,
    bound: u64,
    valid: Option<Bitmap<'_>>,
    fill: &(dyn Fn(Range<usize>, &mut [u64]) + Sync),
    ctx: &Context,
) -> Result<Factorized> {
    let (table, first_rows) = direct_table(rows, bound, valid, fill, ctx)?;
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

/// The number of each code below `bound` in order of first appearance, [`NONE`] of codes that do not come, and the first
/// row of each number.
#[doc(hidden)]
pub fn direct_table(
    rows: usize,
    bound: u64,
    valid: Option<Bitmap<'_>>,
    fill: &(dyn Fn(Range<usize>, &mut [u64]) + Sync),
    ctx: &Context,
) -> Result<(HostUVec<u32>, HostUVec<u32>)> {
    check_rows(rows)?;
    let bound = bound as usize;
    let mut table = HostUVec::filled(NONE, bound, ctx)?;
    let first = atomic(&mut table);
    let scan = |range: Range<usize>| {
        let mut buffer = [0u64; BATCH];
        let mut earlier = [0u16; BATCH];
        let mut found = 0usize;
        for start in range.clone().step_by(BATCH) {
            let batch = start..(start + BATCH).min(range.end);
            let codes = &mut buffer[..batch.len()];
            fill(batch, codes);
            // Rows ascend within a range, so nearly always the slot holds an earlier row. Those where it does not are
            // listed without a branch, which would be a guess.
            let mut len = 0;
            for (i, &code) in codes.iter().enumerate() {
                // No more than rows before it.
                earlier[len % BATCH] = i as u16;
                // Codes are below the bound, unless others write to the keys meanwhile.
                let slot = first.get(code as usize).map_or(0, |slot| slot.load(Ordering::Relaxed));
                len += usize::from(slot > (start + i) as u32);
            }
            // A core waits for each line that another has written to and can do nothing else once it has begun to
            // lower a slot, so it asks for some lines at a time before.
            for earlier in earlier[..len].chunks(RANDOM_AHEAD) {
                earlier.iter().for_each(|&i| cache::fetch_to_write(first, codes[i as usize] as usize));
                for &i in earlier {
                    let row = start + i as usize;
                    if is_valid(valid, row) {
                        let slot = &first[codes[i as usize] as usize];
                        found += usize::from(slot.fetch_min(row as u32, Ordering::Relaxed) == NONE);
                    }
                }
            }
        }
        found
    };
    // Once every code has been seen, later rows are first rows of nothing. The first steps are work for all threads, too.
    let (mut done, mut step, mut found) = (0, 2 * MORSEL, 0);
    while done < rows && found < bound {
        let end = rows.min(done + step);
        let part = AtomicUsize::new(0);
        let piece = ((end - done) / (2 * parallel::num_threads())).clamp(4 * BATCH, MORSEL);
        for_ranges(end - done, piece, ctx, &|range| {
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
            first.mark_all(&table[range]);
            Ok(())
        })?;
        let ranks = first.rank(ctx)?;
        renumber(&mut table, ctx, |row| if row == NONE { NONE } else { ranks.of(row) })?;
        ranks.rows(ctx)?
    };
    Ok((table, first_rows))
}

/// Replaces every number by `f` of it.
#[doc(hidden)]
pub fn renumber(numbers: &mut [u32], ctx: &Context, f: impl Fn(u32) -> u32 + Sync) -> Result<()> {
    let numbers = atomic(numbers);
    for_ranges(numbers.len(), MORSEL, ctx, &|range| {
        renumber_alone(&numbers[range], &f);
        Ok(())
    })
}

/// [`renumber`] of numbers that no other thread changes.
fn renumber_alone(numbers: &[AtomicU32], f: impl Fn(u32) -> u32) {
    for number in numbers {
        number.store(f(number.load(Ordering::Relaxed)), Ordering::Relaxed);
    }
}

/// The same numbers, for threads to change.
pub fn atomic(values: &mut [u32]) -> &[AtomicU32] {
    // SAFETY: AtomicU32 has the size and alignment of u32, and the exclusive borrow means that all
    // access goes through the result while it lives.
    unsafe { &*(std::ptr::from_mut(values) as *const [AtomicU32]) }
}
