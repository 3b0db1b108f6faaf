//! Samples of keys, and the estimates of the cardinality from them.

use cuprum_column::{Bitmap, Result};

use super::hash_table::{BATCH, HashKey};
use super::key_source::{Ids, KeySource, is_valid};

/// Places of the sample.
const SAMPLES: usize = 4096;

/// The keys of some rows from all over a column.
pub(crate) struct Sample<K> {
    /// The valid rows of the sample.
    taken: usize,
    /// The distinct keys, and how many of the rows have them.
    keys: Vec<K>,
    counts: Vec<u32>,
}

impl<K: HashKey> Sample<K> {
    /// `run` neighbours at each of [`SAMPLES`] places, which are chosen the same way whatever there is; all of few rows.
    fn new<S: KeySource<Key = K>>(keys: &S, valid: Option<Bitmap<'_>>, run: usize) -> Result<Self> {
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

    /// A lower bound of the cardinality, for keys of any frequencies, from the numbers of keys that the
    /// sample has once and twice (Chao, 1984: "Nonparametric estimation of the number of classes in a
    /// population").
    fn distinct_at_least(&self) -> f64 {
        let with = |count| self.counts.iter().filter(|other| **other == count).count() as f64;
        let (once, twice) = (with(1), with(2));
        self.counts.len() as f64 + once * (once - 1.0) / (2.0 * (twice + 1.0))
    }

    /// The keys that more than a sixteenth of the rows have.
    pub(crate) fn frequent(&self) -> Vec<K> {
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
pub(super) fn estimate_distinct<S: KeySource>(keys: &S, valid: Option<Bitmap<'_>>) -> Result<usize> {
    let rows = keys.len();
    if rows <= 4 * SAMPLES {
        return Ok(rows.min(SAMPLES));
    }
    Ok(Sample::new(keys, valid, 1)?.distinct(rows))
}

/// A sample and the estimated cardinality, where that is more than `least`, whatever the number of threads.
pub(crate) fn sample_of_many<S: KeySource>(
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
