//! Few distinct keys: every thread numbers pieces of the rows with a hash table of its own; the tables are merged, where
//! that takes long by all threads, each of which merges the keys with some hashes, and numbered by the first rows of all.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_elements::stable_partition::running_sum;
use cuprum_runtime::cache::RANDOM_AHEAD;
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};

use super::hash_table::{BATCH, HashKey, NONE};
use super::key_source::{Factorized, Ids, KeySource, is_valid};
use super::marked_rows::MarkedRows;
use super::renumber::{atomic, renumber_alone};

/// A table for each thread, which takes one piece of the rows after the other, merged by first rows; none where a
/// table gets more than `most` keys, for which it has neither the cache nor the memory, and merging would take too
/// long.
///
/// No thread has rows of its own from the start: on a machine with other work some are twice as slow as others.
pub(crate) fn number_by_thread<S: KeySource>(
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
fn merge_few<S: KeySource>(tables: Vec<Ids<S>>, keys: &S, ctx: &Context) -> Result<Merged> {
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
fn merge_by_hash<S: KeySource>(tables: &[Ids<S>], keys: &S, ctx: &Context) -> Result<Merged> {
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

    fn load<S: KeySource<Key = K>>(&mut self, keys: &S, rows: Range<usize>) {
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
    fn number<S: KeySource<Key = K>>(
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
