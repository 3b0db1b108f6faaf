//! Rows that are selected: a bit per row, made from booleans or from validity, and where the selected
//! rows go. In host memory here; on a GPU in [`cuda`].

pub mod cuda;

use cuprum_column::null_mask::SetBits;
use cuprum_column::{Bitmap, Column, ColumnView, Context, DataType, HostUVec, Native, Result};
use cuprum_runtime::backend::on_device;
use cuprum_runtime::parallel;

use crate::row_numbers::rows_fit_32_bits;
use crate::stable_partition::running_sum;

/// Words of bits per range of parallel work.
pub const WORDS: usize = parallel::MORSEL / 64;

/// Eight booleans as eight bits, the first one lowest; every byte that is not 0 counts as true.
#[inline(always)]
fn pack_8(bytes: u64) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let ones = (((bytes & LOW) + LOW) | bytes) >> 7 & 0x0101_0101_0101_0101;
    ones.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// 64 booleans as bits.
#[inline(always)]
fn pack_64(values: &[u8; 64]) -> u64 {
    #[cfg(target_feature = "sse2")]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_setzero_si128};
        let (sixteens, _) = values.as_chunks::<16>();
        !sixteens.iter().rev().fold(0, |word, sixteen| {
            // SAFETY: there are 16 bytes to load, and the processor has SSE2.
            let zeros = unsafe {
                let vector = _mm_loadu_si128(sixteen.as_ptr().cast());
                _mm_movemask_epi8(_mm_cmpeq_epi8(vector, _mm_setzero_si128()))
            };
            word << 16 | zeros as u64
        })
    }
    #[cfg(not(target_feature = "sse2"))]
    {
        let (eights, _) = values.as_chunks::<8>();
        eights.iter().rev().fold(0, |word, eight| word << 8 | pack_8(u64::from_le_bytes(*eight)))
    }
}

/// Up to 64 booleans as bits.
#[inline]
pub fn pack_bools(values: &[u8]) -> u64 {
    if let Ok(all) = values.try_into() {
        return pack_64(all);
    }
    let mut word = 0;
    let (eights, rest) = values.as_chunks::<8>();
    for (i, bytes) in eights.iter().enumerate() {
        word |= pack_8(u64::from_le_bytes(*bytes)) << (8 * i);
    }
    for (i, &value) in rest.iter().enumerate() {
        word |= u64::from(value != 0) << (8 * eights.len() + i);
    }
    word
}

/// Bits as 64 bytes that are 0 or not, so that a loop over elements with them can be vectorised.
#[inline(always)]
pub fn unpack_bits(word: u64) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (eight, bits) in bytes.as_chunks_mut().0.iter_mut().zip(word.to_le_bytes()) {
        // Each byte gets all eight bits, and keeps its own.
        let own = u64::from(bits).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        *eight = own.to_le_bytes();
    }
    bytes
}

/// One word per 64 rows, made by `word` for the rows it is given the number of.
pub fn words_from_fn(len: usize, ctx: &Context, word: impl Fn(usize) -> u64 + Sync) -> Result<HostUVec<u64>> {
    let words = len.div_ceil(64);
    let mut out = HostUVec::<u64>::uninit(words, ctx)?;
    let slots = out.output();
    parallel::map_ranges(words, WORDS, ctx, |range| {
        for w in range {
            // SAFETY: every word belongs to one range.
            unsafe { slots.write(w, word(w)) };
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all words.
    Ok(unsafe { out.assume_init() })
}

/// Bits of the rows where a boolean column is true and not null; bits past the end are 0.
pub fn true_words(mask: &Column, ctx: &Context) -> Result<HostUVec<u64>> {
    let view = mask.view()?;
    let (values, validity) = (view.values::<u8>()?, view.validity());
    words_from_fn(mask.len(), ctx, |w| {
        let word = pack_bools(&values[w * 64..values.len().min(w * 64 + 64)]);
        validity.map_or(word, |bits| word & bits.word(w))
    })
}

/// Bits of the rows that have at least `threshold` values among `columns`.
pub fn present_words(
    columns: &[&Column],
    threshold: usize,
    nan_is_null: bool,
    len: usize,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    let present = views.iter().map(|view| Present::new(view, nan_is_null)).collect::<Result<Vec<_>>>()?;
    words_from_fn(len, ctx, |w| {
        let rows = (len - w * 64).min(64);
        let all = u64::MAX >> (64 - rows);
        if threshold == present.len() {
            return present.iter().fold(all, |bits, p| bits & p.word(w));
        }
        if threshold == 1 {
            return present.iter().fold(0, |bits, p| bits | p.word(w)) & all;
        }
        let mut counts = [0usize; 64];
        for p in &present {
            SetBits(p.word(w)).for_each(|bit| counts[bit] += 1);
        }
        (0..rows).fold(0, |bits, row| bits | u64::from(counts[row] >= threshold) << row)
    })
}

/// The presence of a column's values: not null and, if asked, not NaN.
struct Present<'a> {
    /// Columns of no type have nulls and no mask.
    is_empty_type: bool,
    validity: Option<Bitmap<'a>>,
    floats: Floats<'a>,
}

enum Floats<'a> {
    None,
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'a> Present<'a> {
    fn new(view: &'a ColumnView<'_>, nan_is_null: bool) -> Result<Self> {
        let floats = match view.data_type() {
            DataType::Float32 if nan_is_null => Floats::F32(view.values()?),
            DataType::Float64 if nan_is_null => Floats::F64(view.values()?),
            _ => Floats::None,
        };
        let is_empty_type = view.data_type() == DataType::Empty;
        Ok(Self { is_empty_type, validity: view.validity(), floats })
    }

    fn word(&self, w: usize) -> u64 {
        if self.is_empty_type {
            return 0;
        }
        let valid = self.validity.map_or(u64::MAX, |bits| bits.word(w));
        valid
            & match self.floats {
                Floats::None => u64::MAX,
                Floats::F32(values) => number_bits(values, w),
                Floats::F64(values) => number_bits(values, w),
            }
    }
}

/// Bits of the values `[64 w, 64 w + 64)` that are not NaN.
pub fn number_bits<T: Native>(values: &[T], w: usize) -> u64 {
    let chunk = &values[w * 64..values.len().min(w * 64 + 64)];
    // Bytes first, a loop that can be vectorised.
    let mut are_numbers = [0; 64];
    for (is_number, value) in are_numbers.iter_mut().zip(chunk) {
        *is_number = u8::from(!value.is_nan());
    }
    pack_bools(&are_numbers[..chunk.len()])
}

/// Rows to keep: bits, and where the rows of each morsel go.
pub struct Selection {
    /// A bit for each row; those past `len` are 0.
    pub words: HostUVec<u64>,
    /// The number of rows.
    pub len: usize,
    /// Kept rows before each morsel, and in all.
    pub starts: Vec<usize>,
}

impl Selection {
    /// A selection from one bit per row; bits past `len` are 0.
    pub fn new(words: HostUVec<u64>, len: usize, ctx: &Context) -> Result<Self> {
        let counts = parallel::map_ranges(words.len(), WORDS, ctx, |range| {
            Ok(words[range].iter().map(|w| w.count_ones() as usize).sum::<usize>())
        })?;
        let starts = running_sum(counts.into_iter());
        Ok(Self { words, len, starts })
    }

    /// The number of rows kept.
    pub fn count(&self) -> usize {
        *self.starts.last().expect("there is a first start")
    }

    /// The rows kept, ascending.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(w, &word)| SetBits(word).map(move |bit| w * 64 + bit))
    }

    /// The last row kept.
    pub fn last_row(&self) -> Option<usize> {
        let w = self.words.iter().rposition(|&word| word != 0)?;
        Some(w * 64 + 63 - self.words[w].leading_zeros() as usize)
    }

    /// Calls `f(first row, words, first output row)` for every morsel, in parallel.
    pub fn for_each_morsel(&self, ctx: &Context, f: &(dyn Fn(usize, &[u64], usize) + Sync)) -> Result<()> {
        parallel::map_ranges(self.starts.len() - 1, 1, ctx, |range| {
            for m in range {
                let (first, words) = self.morsel(m);
                f(first, words, self.starts[m]);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The first row of morsel `m`, and its words.
    #[inline]
    pub fn morsel(&self, m: usize) -> (usize, &[u64]) {
        (m * WORDS * 64, &self.words[m * WORDS..self.words.len().min((m + 1) * WORDS)])
    }

    /// The words of morsel `m` in blocks: (first row, words, first output row).
    #[inline]
    pub fn blocks(&self, m: usize) -> impl Iterator<Item = (usize, &[u64], usize)> {
        let ((first, words), mut at) = (self.morsel(m), self.starts[m]);
        words.chunks(BLOCK / 64).enumerate().map(move |(b, words)| {
            let start = at;
            at += words.iter().map(|w| w.count_ones() as usize).sum::<usize>();
            (first + b * BLOCK, words, start)
        })
    }
}

/// Rows whose kept positions are listed before the columns are moved: the list stays in the first
/// level of the cache.
pub const BLOCK: usize = 2048;

/// Writes the positions of the set bits of `words` (at most [`BLOCK`] bits); returns their number.
#[inline]
pub fn list_set_bits(words: &[u64], positions: &mut [u16; BLOCK]) -> usize {
    let mut count = 0;
    for (w, &word) in words.iter().enumerate() {
        let base = (w * 64) as u16;
        let mut bits = word;
        while bits != 0 {
            positions[count] = base + bits.trailing_zeros() as u16;
            count += 1;
            bits &= bits - 1;
        }
    }
    count
}

/// The numbers of the rows where a boolean column is true and not null, ascending.
pub fn true_rows(mask: &Column, ctx: &Context) -> Result<Column> {
    on_device!(
        ctx,
        selected_rows(&Selection::new(true_words(mask, ctx)?, mask.len(), ctx)?, ctx),
        cuda::selected_rows(&cuda::Selection::of_true(mask, ctx)?, ctx)
    )
}

/// The numbers of the selected rows, ascending.
pub fn selected_rows(selection: &Selection, ctx: &Context) -> Result<Column> {
    if rows_fit_32_bits(selection.len) {
        rows_of::<i32>(selection, ctx)
    } else {
        rows_of::<i64>(selection, ctx)
    }
}

fn rows_of<I: Native>(selection: &Selection, ctx: &Context) -> Result<Column> {
    let mut out = HostUVec::<I>::uninit(selection.count(), ctx)?;
    let slots = out.output();
    parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |range| {
        for m in range {
            let mut positions = [0u16; BLOCK];
            for (first, words, at) in selection.blocks(m) {
                let count = list_set_bits(words, &mut positions);
                // SAFETY: the output rows [at, at + count) belong to this block alone.
                let out = unsafe { slots.slice(at..at + count) };
                for (slot, &position) in out.iter_mut().zip(&positions) {
                    slot.write(I::from_i64(first as i64 + i64::from(position)));
                }
            }
        }
        Ok(())
    })?;
    // SAFETY: the blocks cover the output, as their starts are the running sum of their counts.
    Ok(Column::from_values(unsafe { out.assume_init() }))
}
