//! MinHash: sketches of texts, whose equal places estimate Jaccard's index of their runs of characters.
//!
//! A. Broder, On the resemblance and containment of documents (1997), with permutations `h · a + b` of the hashes `h`
//! modulo the prime 2⁶¹ − 1, in unsigned integers of 64 bits that wrap around; the results are libcudf's to the bit.

use cuprum_column::{Column, Context, DataType, Error, Native, Result};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

use super::texts::windows_or_whole;
use cuprum_elements::hashing::functions::{murmur3_x64_128, murmur3_x86_32};
use cuprum_elements::row_pieces::RowPieces;

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
    if width < 2 {
        return Err(Error::invalid_argument(format!(
            "`width` is {width}; runs are of 2 characters and more"
        )));
    }
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
    let (a, b) = (a.view()?, b.view()?);
    let (a, b) = (a.values::<H>()?, b.values::<H>()?);
    let pieces = RowPieces::new(rows.len(), ctx, |row| rows.get_opt(row).map_or(0, |_| a.len()))?;
    let hashes = pieces.fill_rows(ctx, |row, least: &mut [H]| {
        let text = rows.get_opt(row).unwrap_or("");
        for (i, run) in windows_or_whole(text, width).enumerate() {
            let hash = H::hash(run.as_bytes(), seed);
            for ((least, &a), &b) in least.iter_mut().zip(a).zip(b) {
                let permuted = hash.permuted(a, b);
                *least = if i == 0 { permuted } else { permuted.min(*least) };
            }
        }
        Ok(())
    })?;
    let elements = Column::new(H::TYPE, hashes, None)?;
    Column::lists(pieces.offsets(ctx)?, elements, column.copy_mask(ctx)?)
}
