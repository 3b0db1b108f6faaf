//! Parallel loops that are compiled once: the closures of a loop over morsels are called through a
//! pointer, once per morsel, so that ten element types do not make ten copies of the thread pool's
//! machinery.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Buffer, Column, Context, DataType, HostUVec, Result, null_mask};
use cuprum_runtime::parallel;

use super::hash_table::NONE;

/// `f` for every range of `step` of `len` rows, in parallel.
pub(crate) fn for_ranges(
    len: usize,
    step: usize,
    ctx: &Context,
    f: &(dyn Fn(Range<usize>) -> Result<()> + Sync),
) -> Result<()> {
    parallel::map_ranges(len, step, ctx, f).map(|_| ())
}

/// Writes the elements of a range to the slice it gets.
type FillMorsel<'f, T> = dyn Fn(Range<usize>, &mut [MaybeUninit<T>]) + Sync + 'f;

/// A vector filled in parallel, morsel by morsel.
///
/// # Safety
/// Where `f` returns, it has written every element of the slice it got.
pub(crate) unsafe fn fill_vec<T: Copy + Send + Sync>(
    len: usize,
    ctx: &Context,
    f: &FillMorsel<'_, T>,
) -> Result<HostUVec<T>> {
    // SAFETY: as the caller promises.
    unsafe {
        HostUVec::from_morsels(len, ctx, |range, out| {
            f(range, out);
            Ok(())
        })
    }
}

/// `f(i)` for every `i` below `len`, computed in parallel.
pub(crate) fn collect_vec<T: Copy + Send + Sync>(
    len: usize,
    ctx: &Context,
    f: impl Fn(usize) -> T + Sync,
) -> Result<HostUVec<T>> {
    // SAFETY: the closure writes the whole slice it gets.
    unsafe {
        fill_vec(len, ctx, &|range, out| {
            for (slot, i) in out.iter_mut().zip(range) {
                slot.write(f(i));
            }
        })
    }
}

/// A mask whose bit `i` is `f(i)`, with the number of nulls.
pub(crate) fn collect_mask(
    len: usize,
    ctx: &Context,
    f: impl Fn(usize) -> bool + Sync,
) -> Result<(Buffer, usize)> {
    mask_words(len, ctx, &|w| {
        (w * 64..len.min(w * 64 + 64)).enumerate().fold(0, |bits, (bit, i)| bits | u64::from(f(i)) << bit)
    })
}

/// A mask by words, with the number of nulls.
pub(crate) fn mask_words(
    len: usize,
    ctx: &Context,
    word: &(dyn Fn(usize) -> u64 + Sync),
) -> Result<(Buffer, usize)> {
    null_mask::from_words(len, ctx, word)
}

/// Row numbers below `rows` as a column: `Int32` where `rows` fits it, else `Int64`. No row is −1.
pub(crate) fn row_column(numbers: HostUVec<u32>, rows: usize, ctx: &Context) -> Result<Column> {
    if i32::try_from(rows).is_ok() {
        // The bits of a number below 2³¹ are those of the same i32, and the bits of `NONE` those of −1.
        Column::from_buffer(DataType::Int32, numbers.len(), numbers.into_buffer(), None)
    } else {
        let wide = |i: usize| if numbers[i] == NONE { -1 } else { i64::from(numbers[i]) };
        Ok(Column::from_values(collect_vec(numbers.len(), ctx, wide)?))
    }
}
