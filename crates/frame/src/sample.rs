//! Random rows.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use cuprum_runtime::random::Random;

/// A seed that differs from call to call.
pub(crate) fn entropy() -> u64 {
    RandomState::new().hash_one(0)
}

/// `n` numbers below `len`, each of them as likely every time.
pub(crate) fn choose_with_replacement(random: &mut Random, len: usize, n: usize) -> Vec<i64> {
    (0..n).map(|_| random.below(len as u64) as i64).collect()
}

/// `n` different numbers below `len` in random order: the first steps of a Fisher–Yates shuffle
/// that remembers only the places it has swapped.
pub(crate) fn choose(random: &mut Random, len: usize, n: usize) -> Vec<i64> {
    let mut swapped: HashMap<usize, usize> = HashMap::new();
    (0..n)
        .map(|i| {
            let j = i + random.below((len - i) as u64) as usize;
            let at_i = swapped.get(&i).copied().unwrap_or(i);
            let chosen = swapped.insert(j, at_i).unwrap_or(j);
            chosen as i64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_sample_is_a_permutation() {
        for len in [1, 2, 10, 1000] {
            let mut rows = choose(&mut Random(7), len, len);
            assert!(len < 10 || !rows.is_sorted());
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..len as i64));
        }
        let mut part = choose(&mut Random(1), 1_000_000, 100);
        part.sort_unstable();
        part.dedup();
        assert_eq!(part.len(), 100);
    }
}
