//! From all rows to buckets that fit the cache.
//!
//! A bucket is a range of first words; buckets follow each other in the order of the keys, so sorting
//! each of them sorts everything. Rows go to their buckets in one stable
//! [distribution](cuprum_elements::stable_partition).

use cuprum_column::{Context, HostUVec, Result};
use cuprum_runtime::parallel::{self, MORSEL};

use super::sort_keys::{BLOCK, SortKeys};
use crate::order::layout::bit_width;
use cuprum_elements::stable_partition::{Destinations, changed};

/// Fewer rows than this are one bucket.
const SMALL: usize = 32 << 10;
/// Sampled words per bucket.
const OVERSAMPLING: usize = 16;
const ROWS_PER_BUCKET: usize = 32 << 10;
const MAX_DIGIT_BITS: u32 = 11;
/// No classifier has more buckets.
const MAX_BUCKETS: usize = 1 << MAX_DIGIT_BITS;
const MAX_TREE_LEVELS: u32 = 10;
const MAX_LEAVES: usize = 1 << MAX_TREE_LEVELS;

/// Maps words to buckets.
enum Classifier {
    /// Everything is one bucket.
    One,
    /// The leading bits: even enough, by the sample.
    Digit { shift: u32 },
    /// Sampled splitters in an implicit search tree (Sanders and Winkel, Super scalar sample sort,
    /// 2004): `tree[k]` has its children at `2k` and `2k + 1`.
    Splitters { sorted: Vec<u64>, tree: Vec<u64>, levels: u32 },
}

/// A plan: the bucket of every row and the place of every bucket.
pub(crate) struct Partition {
    classifier: Classifier,
    /// Bucket numbers row by row, where they cost more to find than to keep.
    ids: Option<HostUVec<u16>>,
    destinations: Destinations,
    top: u64,
}

impl Partition {
    /// A plan for the first words of `keys`; `keep_ids` when lanes will be scattered.
    pub(crate) fn new(keys: &SortKeys<'_>, keep_ids: bool, ctx: &Context) -> Result<Self> {
        let len = keys.len();
        let bits = keys.first_word_bits();
        let top = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let classifier = classifier(keys, bits);
        let buckets = match &classifier {
            Classifier::One => {
                let all = Destinations::in_blocks(len, len.max(1), 1, ctx, &|rows, counts| {
                    counts[0] = rows.len();
                    Ok(())
                })?;
                return Ok(Self { classifier, ids: None, destinations: all, top });
            }
            Classifier::Digit { shift } => (top >> shift) as usize + 1,
            Classifier::Splitters { levels, .. } => 1 << levels,
        };
        let mut ids = match classifier {
            Classifier::Digit { .. } if !keep_ids => None,
            _ => Some(HostUVec::<u16>::uninit(len, ctx)?),
        };
        let ids_out = ids.as_mut().map(HostUVec::output);
        // More blocks than threads, so that a thread that is kept waiting does not hold up the rest.
        let step = len.div_ceil(parallel::num_threads() * 4).next_multiple_of(BLOCK).max(MORSEL);
        let destinations = Destinations::in_blocks(len, step, buckets, ctx, &|range, out| {
            let mut counts = vec![0usize; MAX_BUCKETS];
            let mut words = [0u64; BLOCK];
            let mut block_ids = [0u16; BLOCK];
            for start in range.clone().step_by(BLOCK) {
                ctx.check()?;
                let rows = BLOCK.min(range.end - start);
                keys.fill(start, &mut words[..rows]);
                classifier.classify(&words[..rows], &mut block_ids[..rows]);
                block_ids[..rows].iter().for_each(|&id| counts[id as usize % MAX_BUCKETS] += 1);
                if let Some(out) = &ids_out {
                    // SAFETY: the rows belong to this block alone.
                    unsafe { out.slice(start..start + rows) }.write_copy_of_slice(&block_ids[..rows]);
                }
            }
            out.copy_from_slice(&counts[..buckets]);
            Ok(())
        })?;
        // SAFETY: the blocks cover all rows.
        let ids = ids.map(|ids| unsafe { ids.assume_init() });
        // Words are in the range that was found for them, unless others write to the keys meanwhile.
        if destinations.len() == len {
            Ok(Self { classifier, ids, destinations, top })
        } else {
            Err(changed())
        }
    }

    /// The number of bits behind the leading ones, where these alone give the bucket.
    pub(crate) fn digit_shift(&self) -> Option<u32> {
        match self.classifier {
            Classifier::Digit { shift } => Some(shift),
            _ => None,
        }
    }

    pub(crate) fn num_buckets(&self) -> usize {
        self.destinations.num_parts()
    }

    /// Bucket `b` has the places `bounds[b]..bounds[b + 1]`.
    pub(crate) fn bounds(&self) -> &[usize] {
        self.destinations.bounds()
    }

    /// The first and the last word that bucket `b` may hold.
    pub(crate) fn words(&self, b: usize) -> (u64, u64) {
        match &self.classifier {
            Classifier::One => (0, self.top),
            Classifier::Digit { shift } => {
                let low = (b as u64) << shift;
                (low, low | ((1 << shift) - 1))
            }
            Classifier::Splitters { sorted, .. } => {
                let low = if b == 0 { 0 } else { sorted[b - 1] };
                let high = sorted.get(b).map_or(self.top, |next| next.saturating_sub(1).min(self.top));
                (low, high.max(low))
            }
        }
    }

    /// One `u64` per row, bucket after bucket, rows of a bucket in their order: `record(bucket, row, word)`.
    pub(crate) fn scatter_records(
        &self,
        keys: &SortKeys<'_>,
        ctx: &Context,
        record: impl Fn(usize, usize, u64) -> u64 + Sync + Copy,
    ) -> Result<HostUVec<u64>> {
        let mut records = HostUVec::<u64>::uninit(keys.len(), ctx)?;
        let out = records.output();
        self.destinations.each_block(ctx, &|range, cursors| {
            // Copies of their own: stores through `out` might alias what a reference leads to.
            let (out, record) = (out, record);
            let mut words = [0u64; BLOCK];
            let mut block_ids = [0u16; BLOCK];
            for start in range.clone().step_by(BLOCK) {
                ctx.check()?;
                let rows = BLOCK.min(range.end - start);
                keys.fill(start, &mut words[..rows]);
                let ids = if let Some(ids) = &self.ids {
                    &ids[start..start + rows]
                } else {
                    self.classifier.classify(&words[..rows], &mut block_ids[..rows]);
                    &block_ids[..rows]
                };
                for (i, (&id, &word)) in ids.iter().zip(&words[..rows]).enumerate() {
                    if let Some(place) = cursors.next(id as usize) {
                        // SAFETY: cursors give out places below the number of rows, each once.
                        unsafe { out.write(place, record(id as usize, start + i, word)) };
                    }
                }
            }
            Ok(())
        })?;
        // SAFETY: every place was given out, and there are as many as rows.
        Ok(unsafe { records.assume_init() })
    }

    /// `value(row)` for every row, bucket after bucket, rows of a bucket in their order. The plan must
    /// have been made with `keep_ids`.
    pub(crate) fn scatter_lane<T: Copy + Send + Sync>(
        &self,
        value: impl Fn(usize) -> T + Sync + Send + Copy,
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        let Some(ids) = &self.ids else {
            assert!(self.num_buckets() == 1, "bucket numbers were kept");
            return HostUVec::from_fn(self.destinations.len(), ctx, value);
        };
        let mut lane = HostUVec::<T>::uninit(ids.len(), ctx)?;
        let out = lane.output();
        self.destinations.each_block(ctx, &|range, cursors| {
            // Copies of their own: stores through `out` might alias what a reference leads to.
            let (out, value) = (out, value);
            for (row, &id) in range.clone().zip(&ids[range]) {
                if let Some(place) = cursors.next(id as usize) {
                    // SAFETY: cursors give out places below the number of rows, each once.
                    unsafe { out.write(place, value(row)) };
                }
            }
            Ok(())
        })?;
        // SAFETY: every place was given out, and there are as many as rows.
        Ok(unsafe { lane.assume_init() })
    }
}

impl Classifier {
    #[inline]
    fn classify(&self, words: &[u64], ids: &mut [u16]) {
        match self {
            Self::One => ids.fill(0),
            Self::Digit { shift } => {
                ids.iter_mut().zip(words).for_each(|(id, word)| *id = (word >> shift) as u16);
            }
            Self::Splitters { tree, levels, .. } => {
                const LANES: usize = 8;
                let leaves = 1usize << levels;
                // A length known to the compiler, so that no step checks it.
                let Some(tree) = tree.first_chunk::<MAX_LEAVES>() else {
                    unreachable!("trees are made with room for all leaves")
                };
                let find = |words: &[u64; LANES]| {
                    // Eight searches at a time hide each other's latency.
                    let mut node = [1usize; LANES];
                    for _ in 0..*levels {
                        for lane in 0..LANES {
                            let splitter = tree[node[lane] % MAX_LEAVES];
                            node[lane] = 2 * node[lane] + usize::from(words[lane] >= splitter);
                        }
                    }
                    node
                };
                let (word_chunks, word_rest) = words.as_chunks::<LANES>();
                let (id_chunks, id_rest) = ids.as_chunks_mut::<LANES>();
                for (ids, words) in id_chunks.iter_mut().zip(word_chunks) {
                    let node = find(words);
                    (0..LANES).for_each(|lane| ids[lane] = (node[lane] - leaves) as u16);
                }
                let mut padded = [0; LANES];
                padded[..word_rest.len()].copy_from_slice(word_rest);
                let node = find(&padded);
                id_rest.iter_mut().zip(node).for_each(|(id, node)| *id = (node - leaves) as u16);
            }
        }
    }
}

/// Chooses buckets of some thousand rows from a sample of the first words.
fn classifier(keys: &SortKeys<'_>, bits: u32) -> Classifier {
    let len = keys.len();
    if len <= SMALL || bits == 0 {
        return Classifier::One;
    }
    if bits <= MAX_DIGIT_BITS {
        // One word per bucket: nothing is left to sort.
        return Classifier::Digit { shift: 0 };
    }
    // Some 20 000 rows per bucket: as many streams in the scatter as in the passes within a bucket.
    let levels = bit_width((len / ROWS_PER_BUCKET) as u64).clamp(3, MAX_TREE_LEVELS);
    let digit_bits = levels.min(MAX_DIGIT_BITS);
    let shift = bits - digit_bits;
    let sampled = OVERSAMPLING << digit_bits;
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut sample: Vec<u64> = (0..sampled)
        .map(|_| {
            // A multiplicative generator modulo 2^64 is random enough to pick rows.
            state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            keys.word_at(0, ((u128::from(state) * len as u128) >> 64) as usize)
        })
        .collect();
    sample.sort_unstable();
    let fullest = sample.chunk_by(|a, b| a >> shift == b >> shift).map(<[u64]>::len).max().unwrap_or(0);
    if fullest <= 5 * OVERSAMPLING {
        return Classifier::Digit { shift };
    }
    let leaves = 1usize << levels;
    let mut sorted: Vec<u64> = Vec::with_capacity(leaves);
    let step = sampled / leaves;
    let mut heavy = None;
    for i in 1..leaves {
        let splitter = sample[i * step];
        if sorted.last() != Some(&splitter) && heavy != Some(splitter) {
            sorted.push(splitter);
        } else if heavy != Some(splitter) {
            // So frequent a word gets a bucket of its own: [splitter, splitter + 1).
            heavy = Some(splitter);
            if let Some(next) = splitter.checked_add(1) {
                sorted.push(next);
            }
        }
    }
    sorted.dedup();
    // Frequent words that follow each other: [w, w + 1), then w + 1 again.
    sorted.sort_unstable();
    sorted.resize(leaves - 1, u64::MAX);
    let mut tree = vec![0; MAX_LEAVES];
    let mut in_order = sorted.iter().copied();
    fill_tree(&mut tree[..leaves], 1, &mut in_order);
    Classifier::Splitters { sorted, tree, levels }
}

fn fill_tree(tree: &mut [u64], node: usize, in_order: &mut impl Iterator<Item = u64>) {
    if node < tree.len() {
        fill_tree(tree, 2 * node, in_order);
        tree[node] = in_order.next().unwrap_or(u64::MAX);
        fill_tree(tree, 2 * node + 1, in_order);
    }
}
