//! Sorting inside a bucket: radix passes on the leading bits, insertion for the rest; and the rows
//! that tie.

use super::sort_keys::SortKeys;
use crate::order::layout::bit_width;

/// The widest digit of a counting pass, and the number of its values: the counts fit the first-level
/// cache.
const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;

/// Sorts integers that differ only in bits `[low, high)` and below; `scratch` is as long.
///
/// At most two counting passes over the leading `log2(n) + 3` bits from bit `low` up leave little
/// disorder, which insertion repairs. A skewed bucket, whose leading bits say too little, is sorted by the
/// standard library. Integers whose bits below `low` ascend to begin with need no comparison of those:
/// the passes are stable.
pub(crate) fn sort_records(records: &mut [u64], scratch: &mut [u64], low: u32, high: u32) {
    const FEW: usize = 96;
    let len = records.len();
    if high <= low || len < 2 {
        return;
    }
    if len <= FEW {
        records.sort_unstable();
        return;
    }
    let bits = (bit_width(len as u64 - 1) + 3).min(high - low).min(2 * DIGIT_BITS);
    if bits <= DIGIT_BITS && low == 0 && bits == high {
        count_and_write(records, bits);
        return;
    }
    let digit_bits = if bits <= DIGIT_BITS { bits } else { bits.div_ceil(2) };
    let shift = high - bits;
    let (low_mask, high_shift) = ((1u64 << digit_bits) - 1, shift + digit_bits);
    let high_mask = (1u64 << (bits - digit_bits)) - 1;
    let mut low_counts = [0u32; DIGITS];
    let mut high_counts = [0u32; DIGITS];
    for &record in records.iter() {
        low_counts[(record >> shift & low_mask) as usize % DIGITS] += 1;
    }
    if high_mask != 0 {
        for &record in records.iter() {
            high_counts[(record >> high_shift & high_mask) as usize % DIGITS] += 1;
        }
    }
    let scratch = &mut scratch[..len];
    scatter_by(records, scratch, &mut low_counts, shift, low_mask);
    if high_mask == 0 {
        records.copy_from_slice(scratch);
    } else {
        scatter_by(scratch, records, &mut high_counts, high_shift, high_mask);
    }
    if bits < high - low && !insertion(records, 8 * len) {
        records.sort_unstable();
    }
}

/// Sorts integers that differ in their lowest `bits` alone: how often each comes is all there is to know.
fn count_and_write(records: &mut [u64], bits: u32) {
    let mut counts = [0u32; DIGITS];
    let mask = (1u64 << bits) - 1;
    for &record in records.iter() {
        counts[(record & mask) as usize % DIGITS] += 1;
    }
    let same = records.first().map_or(0, |first| first & !mask);
    let mut rest = records;
    for (digit, count) in (0..=mask).zip(counts) {
        let (run, after) = rest.split_at_mut(count as usize);
        run.fill(same | digit);
        rest = after;
    }
}

/// One stable counting pass; `counts` are those of the digit.
fn scatter_by(from: &[u64], to: &mut [u64], counts: &mut [u32; DIGITS], shift: u32, mask: u64) {
    let mut place = 0u32;
    for count in counts.iter_mut() {
        place += std::mem::replace(count, place);
    }
    assert_eq!(from.len(), to.len());
    for &record in from {
        let slot = &mut counts[(record >> shift & mask) as usize % DIGITS];
        to[*slot as usize] = record;
        *slot += 1;
    }
}

/// Insertion sort that gives up (false) after `budget` moves.
fn insertion(records: &mut [u64], mut budget: usize) -> bool {
    for i in 1..records.len() {
        let record = records[i];
        if records[i - 1] <= record {
            continue;
        }
        let mut hole = i;
        while hole > 0 && records[hole - 1] > record {
            records[hole] = records[hole - 1];
            hole -= 1;
        }
        records[hole] = record;
        let moved = i - hole;
        if moved > budget {
            return false;
        }
        budget -= moved;
    }
    true
}

/// Sorts items whose rows tie on all words before `word` by the words from there on; stable.
pub fn refine<T: Copy>(items: &mut [T], keys: &SortKeys<'_>, word: usize, row_of: &impl Fn(T) -> usize) {
    // Sorted by insertion, which takes any order: that of keys that others write to is none.
    const FEW: usize = 20;
    if items.len() < 2 || word >= keys.num_words() {
        return;
    }
    if items.len() <= FEW {
        items.sort_by(|a, b| keys.compare(word, row_of(*a), row_of(*b)));
        return;
    }
    if let Some((strings, descending)) = keys.text(word) {
        if !keys.text_continues(word, row_of(items[0])) {
            refine(items, keys, word + 1, row_of);
            return;
        }
        let bytes = |item: T| strings.bytes(row_of(item));
        if descending {
            items.sort_by(|a, b| bytes(*b).cmp(bytes(*a)));
        } else {
            items.sort_by(|a, b| bytes(*a).cmp(bytes(*b)));
        }
        if word + 1 < keys.num_words() {
            for run in items.chunk_by_mut(|a, b| bytes(*a) == bytes(*b)) {
                refine(run, keys, word + 1, row_of);
            }
        }
        return;
    }
    let mut pairs: Vec<(u64, T)> =
        items.iter().map(|item| (keys.word_at(word, row_of(*item)), *item)).collect();
    pairs.sort_by_key(|pair| pair.0);
    items.iter_mut().zip(&pairs).for_each(|(item, pair)| *item = pair.1);
    if word + 1 < keys.num_words() {
        let mut start = 0;
        for run in pairs.chunk_by(|a, b| a.0 == b.0) {
            refine(&mut items[start..start + run.len()], keys, word + 1, row_of);
            start += run.len();
        }
    }
}
