//! Sets of rows as bitmaps that threads mark together, and the ranks of their members.

use std::sync::atomic::{AtomicU64, Ordering};

use cuprum_column::{Context, HostUVec, Result, null_mask::SetBits};
use cuprum_runtime::cache::{self, RANDOM_AHEAD};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{MORSEL, for_ranges};

/// A set of rows.
pub struct MarkedRows {
    words: Vec<AtomicU64>,
}

/// The number of marked rows before each row.
pub struct Ranks {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl MarkedRows {
    /// None of `rows` rows is marked.
    pub fn new(rows: usize, ctx: &Context) -> Result<Self> {
        ctx.check()?;
        Ok(Self { words: host_vec::collect((0..rows.div_ceil(64)).map(|_| AtomicU64::new(0)))? })
    }

    /// Adds a row.
    #[inline(always)]
    pub fn mark(&self, row: u32) {
        self.words[row as usize / 64].fetch_or(1 << (row % 64), Ordering::Relaxed);
    }

    /// Adds those of `rows` that there are; words that others mark, too, are asked for ahead.
    pub(crate) fn mark_all(&self, rows: &[u32]) {
        for (i, &row) in rows.iter().enumerate() {
            if let Some(next) = rows.get(i + RANDOM_AHEAD) {
                cache::fetch_to_write(&self.words, *next as usize / 64);
            }
            if (row as usize) / 64 < self.words.len() {
                self.mark(row);
            }
        }
    }

    /// Marks a row that is likely to be marked already.
    #[inline(always)]
    pub fn mark_again(&self, row: u32) {
        if !self.contains(row) {
            self.mark(row);
        }
    }

    /// Whether a row is marked.
    #[inline(always)]
    pub fn contains(&self, row: u32) -> bool {
        self.words[row as usize / 64].load(Ordering::Relaxed) >> (row % 64) & 1 != 0
    }

    /// Counts the marked rows.
    pub fn rank(self, ctx: &Context) -> Result<Ranks> {
        ctx.check()?;
        let words: Vec<u64> = self.words.into_iter().map(AtomicU64::into_inner).collect();
        let mut sum = 0;
        let mut before: Vec<u32> = host_vec::with_capacity(words.len() + 1)?;
        for word in &words {
            before.push(sum);
            sum += word.count_ones();
        }
        before.push(sum);
        Ok(Ranks { words, before })
    }
}

impl Ranks {
    /// The number of marked rows before `row`.
    #[inline(always)]
    pub fn of(&self, row: u32) -> u32 {
        let (w, bit) = (row as usize / 64, row % 64);
        self.before[w] + (self.words[w] & ((1 << bit) - 1)).count_ones()
    }

    /// The marked rows, ascending.
    pub fn rows(&self, ctx: &Context) -> Result<HostUVec<u32>> {
        let len = *self.before.last().expect("one more than words") as usize;
        let mut rows = HostUVec::<u32>::uninit(len, ctx)?;
        let out = rows.output();
        for_ranges(self.words.len(), MORSEL / 8, ctx, &|range| {
            let mut at = self.before[range.start] as usize;
            for w in range {
                for bit in SetBits(self.words[w]) {
                    // SAFETY: `before` counts the bits, so every range has places of its own.
                    unsafe { out.write(at, (w * 64 + bit) as u32) };
                    at += 1;
                }
            }
            Ok(())
        })?;
        // SAFETY: as many places were written as there are bits.
        Ok(unsafe { rows.assume_init() })
    }
}
