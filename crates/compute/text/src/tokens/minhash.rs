//! MinHash: sketches of texts, whose equal places estimate Jaccard's index of their runs of characters.
//!
//! A. Broder, On the resemblance and containment of documents (1997), with permutations `h · a + b` of the hashes `h`
//! modulo the prime 2⁶¹ − 1, in unsigned integers of 64 bits that wrap around; the results are libcudf's to the bit.

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Error, Native, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Number;

use super::cuda;
use super::cuda::minhash::Permutations;
use super::strings::windows_or_whole;
use cuprum_elements::hashing::functions::{murmur3_x64_128, murmur3_x86_32};
use cuprum_elements::row_pieces::{Lists, RowPieces};

const PRIME: u64 = (1 << 61) - 1;

/// For each row a list of as many `UInt32` as `a` and `b` have: place `i` is the least `(h · a[i] + b[i]) mod (2⁶¹ − 1)`,
/// in its lowest 32 bits, of all runs of `width` characters, `h` being the `MurmurHash3_x86_32` of a run with the seed.
/// A shorter text is one run; an empty one has zeros. A null row gives a null.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a `width` below 2, where `a` is empty
/// or has nulls, as may `b`, and where `b` has another length; with [`DataType`](cuprum_column::ErrorKind::DataType)
/// where they are not of `UInt32`.
pub fn minhash(
    column: &Column,
    seed: u32,
    a: &Column,
    b: &Column,
    width: usize,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.minhash");
    check_device!(ctx, [column, a, b]);
    of_texts::<u32>(column, seed, a, b, width, ctx)
}

/// [`minhash`] of `UInt64`, with the first half of the `MurmurHash3_x64_128` of each run, and all bits kept.
pub fn minhash64(
    column: &Column,
    seed: u64,
    a: &Column,
    b: &Column,
    width: usize,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.minhash64");
    check_device!(ctx, [column, a, b]);
    of_texts::<u64>(column, seed, a, b, width, ctx)
}

/// [`minhash`] of lists of texts: a run is `ngrams` texts of a list one after the other, whose bytes are hashed as one
/// text. A shorter list is one run, an empty one has zeros; texts that are null are empty. A null list gives a null.
///
/// Fails as [`minhash`] does, with `ngrams` for `width`, and with [`DataType`](cuprum_column::ErrorKind::DataType) for
/// columns that are no lists of texts.
pub fn minhash_ngrams(
    lists: &Column,
    ngrams: usize,
    seed: u32,
    a: &Column,
    b: &Column,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.minhash_ngrams");
    check_device!(ctx, [lists, a, b]);
    of_lists::<u32>(lists, ngrams, seed, a, b, ctx)
}

/// [`minhash_ngrams`] of `UInt64`, with the hashes of [`minhash64`].
pub fn minhash64_ngrams(
    lists: &Column,
    ngrams: usize,
    seed: u64,
    a: &Column,
    b: &Column,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.minhash64_ngrams");
    check_device!(ctx, [lists, a, b]);
    of_lists::<u64>(lists, ngrams, seed, a, b, ctx)
}

/// The integers that hashes are.
trait Hash: Native + Number + Ord {
    const TYPE: DataType;

    fn hash(bytes: &[u8], seed: Self) -> Self;

    fn permuted(self, a: Self, b: Self) -> Self;
}

impl Hash for u32 {
    const TYPE: DataType = DataType::UInt32;

    fn hash(bytes: &[u8], seed: Self) -> Self {
        murmur3_x86_32(bytes, seed)
    }

    #[inline]
    fn permuted(self, a: Self, b: Self) -> Self {
        ((u64::from(self) * u64::from(a) + u64::from(b)) % PRIME) as u32
    }
}

impl Hash for u64 {
    const TYPE: DataType = DataType::UInt64;

    fn hash(bytes: &[u8], seed: Self) -> Self {
        murmur3_x64_128(bytes, seed)[0]
    }

    #[inline]
    fn permuted(self, a: Self, b: Self) -> Self {
        self.wrapping_mul(a).wrapping_add(b) % PRIME
    }
}

fn of_texts<H: Hash>(
    column: &Column,
    seed: H,
    a: &Column,
    b: &Column,
    width: usize,
    ctx: &Context,
) -> Result<Column> {
    check_strings(column)?;
    if width < 2 {
        return Err(Error::invalid_argument(format!(
            "`width` is {width}; runs are of 2 characters and more"
        )));
    }
    check_permutations::<H>(a, b)?;
    if ctx.is_on_gpu() {
        return cuda::minhash::of_texts(column, width, &Permutations { a, b, seed }, H::TYPE, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let is_valid = |row: usize| rows.get_opt(row).is_some();
    sketches(column, [a, b], is_valid, ctx, |row, take| {
        for run in windows_or_whole(rows.get_opt(row).unwrap_or(""), width) {
            take(H::hash(run.as_bytes(), seed));
        }
    })
}

fn of_lists<H: Hash>(
    lists: &Column,
    ngrams: usize,
    seed: H,
    a: &Column,
    b: &Column,
    ctx: &Context,
) -> Result<Column> {
    if ngrams < 2 {
        return Err(Error::invalid_argument(format!("`ngrams` is {ngrams}; runs are of 2 texts and more")));
    }
    let kind = lists.elements()?.data_type();
    if kind != DataType::String {
        return Err(Error::data_type(format!("the lists have elements of type {kind}, no texts")));
    }
    check_permutations::<H>(a, b)?;
    if ctx.is_on_gpu() {
        return cuda::minhash::of_lists(lists, ngrams, &Permutations { a, b, seed }, H::TYPE, ctx);
    }
    let view = lists.view()?;
    let rows = Lists::new(&view)?;
    let elements = rows.elements().view()?;
    let texts = elements.strings()?;
    sketches(
        lists,
        [a, b],
        |row| rows.is_valid(row),
        ctx,
        |row, take| {
            let [start, count] = rows.span(row);
            let runs = if count == 0 { 0 } else { count.saturating_sub(ngrams) + 1 };
            let mut run = Vec::new();
            for first in start..start + runs {
                run.clear();
                for text in first..first + ngrams.min(count) {
                    run.extend_from_slice(texts.get_opt(text).unwrap_or("").as_bytes());
                }
                take(H::hash(&run, seed));
            }
        },
    )
}

/// Whether the factors and what is added are of the right type, and as many, without nulls.
fn check_permutations<H: Hash>(a: &Column, b: &Column) -> Result<()> {
    for (name, numbers) in [("a", a), ("b", b)] {
        if numbers.data_type() != H::TYPE {
            let kind = numbers.data_type();
            return Err(Error::data_type(format!("`{name}` is of {kind}, not of {}", H::TYPE)));
        }
        if numbers.null_count()? > 0 {
            return Err(Error::invalid_argument(format!("`{name}` has nulls")));
        }
    }
    if a.is_empty() || a.len() != b.len() {
        return Err(Error::invalid_argument(format!(
            "`a` has {} numbers and `b` {}; they have as many, one at least",
            a.len(),
            b.len()
        )));
    }
    Ok(())
}

/// A list for each row: at place `i` the least of all hashes that `each` gives for it, permuted by `a[i]` and `b[i]`;
/// zeros where it gives none, nothing where the row is not valid.
fn sketches<H: Hash>(
    column: &Column,
    [a, b]: [&Column; 2],
    is_valid: impl Fn(usize) -> bool + Sync,
    ctx: &Context,
    each: impl Fn(usize, &mut dyn FnMut(H)) + Sync,
) -> Result<Column> {
    let (a, b) = (a.view()?, b.view()?);
    let (a, b) = (a.values::<H>()?, b.values::<H>()?);
    let pieces = RowPieces::new(column.len(), ctx, |row| if is_valid(row) { a.len() } else { 0 })?;
    let hashes = pieces.fill_rows(ctx, |row, least: &mut [H]| {
        let mut is_first = true;
        each(row, &mut |hash| {
            for ((least, &a), &b) in least.iter_mut().zip(a).zip(b) {
                let permuted = hash.permuted(a, b);
                *least = if is_first { permuted } else { permuted.min(*least) };
            }
            is_first = false;
        });
        Ok(())
    })?;
    let elements = Column::new(H::TYPE, hashes, None)?;
    Column::lists(pieces.offsets(ctx)?, elements, column.copy_mask(ctx)?)
}
