//! Validity bits of the pieces that readers produce in parallel, and the mask of all of them.

use cuprum_column::{Buffer, Context, Result, null_mask};

/// Validity bits of a piece of a column; no memory until something is null.
#[derive(Debug, Default)]
pub(crate) struct Validity {
    /// Rows beyond the last word are valid.
    words: Vec<u64>,
    nulls: usize,
}

impl Validity {
    /// The number of rows that were made null.
    pub(crate) fn nulls(&self) -> usize {
        self.nulls
    }

    /// Makes `row`, which is valid, null.
    #[cold]
    pub(crate) fn clear(&mut self, row: usize) {
        self.clear_zeros(row, 0, 1);
    }

    /// Makes null those of the rows `at .. at + len`, all valid so far and at most 64, whose bit is 0.
    pub(crate) fn clear_zeros(&mut self, at: usize, bits: u64, len: usize) {
        let zeros = if len < 64 { !bits & ((1 << len) - 1) } else { !bits };
        if zeros == 0 {
            return;
        }
        let (word, shift) = (at / 64, at % 64);
        if self.words.len() <= word + 1 {
            self.words.resize((word + 2).max(self.words.len() * 2), u64::MAX);
        }
        self.words[word] &= !(zeros << shift);
        if shift > 0 {
            self.words[word + 1] &= !(zeros >> (64 - shift));
        }
        self.nulls += zeros.count_ones() as usize;
    }

    /// Whether `row` is valid.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> bool {
        self.word(row / 64) >> (row % 64) & 1 != 0
    }

    /// Whether the first `rows` rows have the same nulls; there are no others.
    pub(crate) fn is_equal(&self, other: &Self, rows: usize) -> bool {
        self.nulls == other.nulls && (0..rows.div_ceil(64)).all(|w| self.word(w) == other.word(w))
    }

    /// Validity of rows `64 w` to `64 w + 63`.
    #[inline]
    fn word(&self, w: usize) -> u64 {
        self.words.get(w).copied().unwrap_or(u64::MAX)
    }
}

/// The mask of a column of `len` rows from its pieces in order, each with its number of rows; none
/// where nothing is null.
pub(crate) fn join<'a>(
    pieces: impl Iterator<Item = (&'a Validity, usize)> + Clone,
    len: usize,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    if pieces.clone().all(|(piece, _)| piece.nulls == 0) {
        return Ok(None);
    }
    let mut words = vec![0u64; len / 64 + 2];
    let mut at = 0;
    for (piece, rows) in pieces {
        let shift = at % 64;
        for w in 0..rows.div_ceil(64) {
            let mut bits = piece.word(w);
            let rest = rows - w * 64;
            if rest < 64 {
                bits &= (1 << rest) - 1;
            }
            let word = at / 64 + w;
            words[word] |= bits << shift;
            if shift > 0 {
                words[word + 1] |= bits >> (64 - shift);
            }
        }
        at += rows;
    }
    null_mask::from_words(len, ctx, |w| words[w]).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_at_any_row() {
        let ctx = Context::current();
        // Row i of a piece is null where i % 7 is 3, or in the last piece nowhere.
        let sizes = [0, 1, 63, 64, 65, 200, 100];
        let mut pieces: Vec<(Validity, usize)> = Vec::new();
        let mut expected = Vec::new();
        for (k, &rows) in sizes.iter().enumerate() {
            let null = |i: usize| k + 1 < sizes.len() && i % 7 == 3;
            let mut validity = Validity::default();
            for at in (0..rows).step_by(50) {
                let len = (rows - at).min(50);
                let bits = (0..len).filter(|&i| !null(at + i)).fold(0, |bits, i| bits | 1u64 << i);
                validity.clear_zeros(at, bits, len);
            }
            assert!((0..rows).all(|i| validity.get(i) != null(i)));
            expected.extend((0..rows).map(|i| !null(i)));
            pieces.push((validity, rows));
        }
        let pieces = pieces.iter().map(|(validity, rows)| (validity, *rows));
        let mask = join(pieces, expected.len(), &ctx).unwrap();
        let bits = null_mask::bits(mask.as_ref(), expected.len()).unwrap().unwrap();
        let (bits, nulls) = (bits.to_bitmap().unwrap(), mask.as_ref().unwrap().1);
        assert!(bits.iter().eq(expected.iter().copied()));
        assert_eq!(nulls, expected.iter().filter(|valid| !**valid).count());
        let whole = Validity::default();
        assert!(join([(&whole, 5)].into_iter(), 5, &ctx).unwrap().is_none());
    }
}
