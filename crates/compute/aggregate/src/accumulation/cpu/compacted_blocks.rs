//! Rows of a block that are accumulated, put next to each other while rows of other groups and missing values lie
//! between them.
//!
//! A branch on each row would be a guess, so rows are written in any case and counted or not; AVX-512 compresses eight
//! of them in a register.

use cuprum_column::{Bitmap, Native};

use super::block::{Accumulable, BLOCK};
use cuprum_keys::equality::cpu::hash_table::NONE;

/// The groups and the numbers of a block's rows that are kept.
pub(crate) struct CompactedBlock {
    ids: [u32; BLOCK],
    /// As bits.
    numbers: [u64; BLOCK],
    len: usize,
}

impl CompactedBlock {
    pub(crate) fn new() -> Self {
        Self { ids: [NONE; BLOCK], numbers: [0; BLOCK], len: 0 }
    }

    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids[..self.len]
    }

    /// The numbers, which were taken as such.
    pub(crate) fn numbers<N: Accumulable>(&self) -> &[N] {
        const { assert!(size_of::<N>() == size_of::<u64>() && align_of::<N>() <= align_of::<u64>()) };
        // SAFETY: numbers are integers and floats of 64 bits, of which all bits are some.
        unsafe { std::slice::from_raw_parts(self.numbers.as_ptr().cast(), self.len) }
    }

    /// Takes, instead of those there are, the rows that have one of the first `groups` and a value that is there: of as
    /// many ids as values, a block at most.
    pub(crate) fn take<T: Native, N: Accumulable>(
        &mut self,
        ids: &[u32],
        values: &[T],
        valid: Option<Bitmap<'_>>,
        groups: u32,
    ) {
        let mut words = [u64::MAX; BLOCK / 64];
        if let Some(valid) = valid {
            words.iter_mut().zip(valid.words()).for_each(|(word, there)| *word = there);
        }
        let values = &values[..ids.len()];
        self.len = 0;
        let first =
            if N::stored(values).is_some() { self.take_eights(ids, values, &words, groups) } else { 0 };
        for (i, (id, value)) in ids.iter().zip(values).enumerate().skip(first) {
            // There are no more than rows before this one, which are fewer than a block has.
            self.ids[self.len % BLOCK] = *id;
            self.numbers[self.len % BLOCK] = N::from_native(*value).bits();
            let there = words[i / 64] >> (i % 64) & 1 != 0;
            self.len += usize::from((*id < groups) & !value.is_nan() & there);
        }
    }

    /// Takes values of 64 bits as they are, and returns the number of rows it has passed: none where the
    /// processor has no instructions for it.
    fn take_eights<T: Native>(
        &mut self,
        ids: &[u32],
        values: &[T],
        words: &[u64; BLOCK / 64],
        groups: u32,
    ) -> usize {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has them.
            return unsafe { avx512::take::<T>(self, ids, bytemuck::cast_slice(values), words, groups) };
        }
        let _ = (ids, values, words, groups);
        0
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use cuprum_column::Native;

    use super::{BLOCK, CompactedBlock};

    /// See [`CompactedBlock::take_eights`]: the values are bits of `T`.
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn take<T: Native>(
        kept: &mut CompactedBlock,
        ids: &[u32],
        values: &[u64],
        words: &[u64; BLOCK / 64],
        groups: u32,
    ) -> usize {
        let groups = _mm256_set1_epi32(groups as i32);
        let (ids, _) = ids.as_chunks::<8>();
        let (values, _) = values.as_chunks::<8>();
        let mut len = 0;
        for (i, (ids, values)) in ids.iter().zip(values).enumerate() {
            // SAFETY: each load reads the elements of one chunk.
            let (ids, values) = unsafe {
                (_mm256_loadu_epi32(ids.as_ptr().cast()), _mm512_loadu_epi64(values.as_ptr().cast()))
            };
            let there = (words[i / 8] >> (i % 8 * 8)) as u8;
            let mut mask = _mm256_cmplt_epu32_mask(ids, groups) & there;
            if T::IS_FLOAT {
                let values = _mm512_castsi512_pd(values);
                mask &= _mm512_cmp_pd_mask::<_CMP_ORD_Q>(values, values);
            }
            // Elements behind the kept rows are overwritten by the next ones.
            let to_ids: &mut [u32; 8] = kept.ids[len..].first_chunk_mut().expect("no more than were read");
            let to_numbers: &mut [u64; 8] =
                kept.numbers[len..].first_chunk_mut().expect("no more than were read");
            // SAFETY: each store fills the eight elements of its place.
            unsafe {
                _mm256_storeu_epi32(to_ids.as_mut_ptr().cast(), _mm256_maskz_compress_epi32(mask, ids));
                _mm512_storeu_epi64(
                    to_numbers.as_mut_ptr().cast(),
                    _mm512_maskz_compress_epi64(mask, values),
                );
            }
            len += mask.count_ones() as usize;
        }
        kept.len = len;
        ids.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Column, Context};
    use cuprum_testing::Random;

    use super::*;

    fn check<T: Native + PartialEq, N: Accumulable>(of: impl Fn(u64) -> T) {
        let ctx = &Context::current();
        let mut random = Random(7);
        let mut kept = CompactedBlock::new();
        for len in [0, 1, 7, 8, 9, 63, 64, 65, 1000, 1023, BLOCK] {
            for (groups, ids_below) in [(0, 3), (5, 5), (5, 8), (1 << 31, 1 << 32), (u32::MAX, 1 << 32)] {
                let ids: Vec<u32> = (0..len).map(|_| random.below(ids_below) as u32).collect();
                let values: Vec<Option<T>> =
                    (0..len).map(|_| (random.below(4) > 0).then(|| of(random.next()))).collect();
                let column = Column::from_options(&values, ctx).unwrap();
                let view = column.view().unwrap();
                let stored = view.values::<T>().unwrap();
                for valid in [view.validity(), None] {
                    kept.take::<T, N>(&ids, stored, valid, groups);
                    let rows: Vec<usize> = (0..len)
                        .filter(|&i| ids[i] < groups && !stored[i].is_nan())
                        .filter(|&i| valid.is_none_or(|bits| bits.get(i)))
                        .collect();
                    assert!(kept.ids().iter().copied().eq(rows.iter().map(|&i| ids[i])), "{len} {groups}");
                    let bits = kept.numbers::<N>().iter().map(|number| number.bits());
                    assert!(
                        bits.eq(rows.iter().map(|&i| N::from_native(stored[i]).bits())),
                        "{len} {groups}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_are_kept_in_their_order() {
        check::<f64, f64>(|bits| if bits % 5 == 0 { f64::NAN } else { f64::from_bits(bits) });
        check::<f32, f64>(|bits| f32::from_bits(bits as u32));
        check::<i64, i64>(|bits| bits as i64);
        check::<u64, u64>(|bits| bits);
        check::<i16, i64>(|bits| bits as i16);
        check::<u8, u64>(|bits| bits as u8);
    }
}
