//! MinHash: sketches of texts, whose equal places estimate Jaccard's index of their runs of characters.
//!
//! A. Broder, On the resemblance and containment of documents (1997), with permutations `h · a + b` of the hashes `h`
//! modulo the prime 2⁶¹ − 1, in unsigned integers of 64 bits that wrap around; the results are libcudf's to the bit.

use cuprum_column::{Column, Context, DataType, Error, Native, Result};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

use super::texts::windows_or_whole;
use crate::hashing::functions::{murmur3_x64_128, murmur3_x86_32};
use crate::row_pieces::{Lists, RowPieces};

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
    host_only!(ctx, [column, a, b], minhash(&column, seed, &a, &b, width));
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
    host_only!(ctx, [column, a, b], minhash64(&column, seed, &a, &b, width));
    of_texts::<u64>(column, seed, a, b, width, ctx)
}

/// [`minhash`] of lists of texts: a run is `n` texts of a list, one behind the other, whose bytes are hashed together.
/// A shorter list is one run; an empty one has zeros. Null texts count as empty ones.
pub fn minhash_ngrams(
    lists: &Column,
    n: usize,
    seed: u32,
    a: &Column,
    b: &Column,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.minhash_ngrams");
    host_only!(ctx, [lists, a, b], minhash_ngrams(&lists, n, seed, &a, &b));
    of_lists::<u32>(lists, n, seed, a, b, ctx)
}

/// [`minhash_ngrams`] of `UInt64`, as [`minhash64`] has it.
pub fn minhash64_ngrams(
    lists: &Column,
    n: usize,
    seed: u64,
    a: &Column,
    b: &Column,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.minhash64_ngrams");
    host_only!(ctx, [lists, a, b], minhash64_ngrams(&lists, n, seed, &a, &b));
    of_lists::<u64>(lists, n, seed, a, b, ctx)
}

/// The integers that hashes are.
trait Hash: Native + Ord {
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
    let view = column.view()?;
    let rows = view.strings()?;
    let is_valid = |row: usize| rows.get_opt(row).is_some();
    sketches::<H>(column, "width", width, a, b, ctx, is_valid, |row, take| {
        let text = rows.get_opt(row).unwrap_or("");
        windows_or_whole(text, width).for_each(|run| take(H::hash(run.as_bytes(), seed)));
    })
}

fn of_lists<H: Hash>(
    lists: &Column,
    n: usize,
    seed: H,
    a: &Column,
    b: &Column,
    ctx: &Context,
) -> Result<Column> {
    let view = lists.view()?;
    let rows = Lists::new(&view)?;
    if rows.elements().data_type() != DataType::String {
        let kind = rows.elements().data_type();
        return Err(Error::data_type(format!("`lists` has elements of type {kind}, no texts")));
    }
    let elements = rows.elements().view()?;
    let texts = elements.strings()?;
    sketches::<H>(
        lists,
        "n",
        n,
        a,
        b,
        ctx,
        |row| rows.is_valid(row),
        |row, take| {
            let [start, count] = rows.span(row);
            let (runs, len) = if count < n { (count.min(1), count) } else { (count - n + 1, n) };
            let mut bytes = Vec::new();
            for run in 0..runs {
                bytes.clear();
                for text in start + run..start + run + len {
                    bytes.extend_from_slice(texts.get_opt(text).unwrap_or("").as_bytes());
                }
                take(H::hash(&bytes, seed));
            }
        },
    )
}

/// The lists of the least permuted hashes of each row, whose hashes `each` gives.
#[allow(clippy::too_many_arguments)] // The arguments of its callers.
fn sketches<H: Hash>(
    column: &Column,
    name: &str,
    width: usize,
    a: &Column,
    b: &Column,
    ctx: &Context,
    is_valid: impl Fn(usize) -> bool + Sync,
    each: impl Fn(usize, &mut dyn FnMut(H)) + Sync,
) -> Result<Column> {
    if width < 2 {
        return Err(Error::invalid_argument(format!("`{name}` is {width}; it is 2 at least")));
    }
    for (name, numbers) in [("a", a), ("b", b)] {
        if numbers.data_type() != H::TYPE {
            let kind = numbers.data_type();
            return Err(Error::data_type(format!("`{name}` is of {kind}, not of {}", H::TYPE)));
        }
        if numbers.count_nulls()? > 0 {
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
    let (a, b) = (a.view()?, b.view()?);
    let (a, b) = (a.values::<H>()?, b.values::<H>()?);
    let pieces = RowPieces::new(column.len(), ctx, |row| if is_valid(row) { a.len() } else { 0 })?;
    let hashes = pieces.fill_rows(ctx, |row, least: &mut [H]| {
        let mut first = true;
        each(row, &mut |hash| {
            for ((least, &a), &b) in least.iter_mut().zip(a).zip(b) {
                let permuted = hash.permuted(a, b);
                if first || permuted < *least {
                    *least = permuted;
                }
            }
            first = false;
        });
        Ok(())
    })?;
    let elements = Column::new(H::TYPE, hashes, None)?;
    Column::lists(pieces.offsets(ctx)?, elements, column.copy_mask(ctx)?)
}
