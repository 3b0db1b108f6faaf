//! Random rows.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn from_entropy() -> Self {
        Self(RandomState::new().hash_one(0))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    pub(crate) fn choose_with_replacement(&mut self, len: usize, n: usize) -> Vec<i64> {
        (0..n).map(|_| self.below(len) as i64).collect()
    }

    /// `n` different numbers below `len` in random order: the first steps of a Fisher–Yates shuffle
    /// that remembers only the places it has swapped.
    pub(crate) fn choose(&mut self, len: usize, n: usize) -> Vec<i64> {
        let mut swapped: HashMap<usize, usize> = HashMap::new();
        (0..n)
            .map(|i| {
                let j = i + self.below(len - i);
                let at_i = swapped.get(&i).copied().unwrap_or(i);
                let chosen = swapped.insert(j, at_i).unwrap_or(j);
                chosen as i64
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_sample_is_a_permutation() {
        for len in [1, 2, 10, 1000] {
            let mut rows = Random::new(7).choose(len, len);
            assert!(len < 10 || !rows.is_sorted());
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..len as i64));
        }
        let mut part = Random::new(1).choose(1_000_000, 100);
        part.sort_unstable();
        part.dedup();
        assert_eq!(part.len(), 100);
    }
}
