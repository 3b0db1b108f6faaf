//! Hashes and digests of rows as kernels.

use std::ops::Range;

use cuprum_column::{Column, ColumnDeviceView, Context, DeviceViews, Error, Result};
use cuprum_runtime::kernel::{Grid, In, KernelName, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels, primitives};

use super::DigestAlgorithm;
use super::plan::{Branch, Part, Plan};

kernels! {
    pub static HASHING: "hashing.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ROWS = 4,
        /// Levels that a branch may have, see `MAX_DEPTH` of columns.
        MAX_LEVELS = 64;

    fn hash_rows<F in [Murmur3, XxHash32, Identity], Word in [u32]>(
        columns: Structs<ColumnDeviceView>, first: u32, end: u32, n: usize, seed: Word, is_first: u32,
        out: Out<Word>, out_high: Option<Out<Word>>,
    );
    fn hash_rows_wide = hash_rows<F in [XxHash64, Murmur3Wide], Word in [u64]>(
        columns: Structs<ColumnDeviceView>, first: u32, end: u32, n: usize, seed: Word, is_first: u32,
        out: Out<Word>, out_high: Option<Out<Word>>,
    );
    fn hash_branch<F in [Murmur3, XxHash32]>(
        columns: Structs<ColumnDeviceView>, first_level: u32, num_levels: u32, first_counted: u32,
        has_nulls: u32, leaves: Option<In<u32>>, n: usize, is_first: u32, out: Out<u32>,
    );
}

kernels! {
    pub static DIGESTS: "digests.cu" where
        /// Threads of every block.
        DIGEST_THREADS = 128;

    fn digest_rows<A in [Md5, Sha1, Sha224, Sha256, Sha384, Sha512]>(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, hex: Out<u8>,
    );
}

kernel_names! {
    pub(super) struct Murmur3;
    pub(super) struct XxHash32;
    pub(super) struct Identity;
    pub(super) struct XxHash64;
    pub(super) struct Murmur3Wide;
    struct Md5;
    struct Sha1;
    struct Sha224;
    struct Sha256;
    struct Sha384;
    struct Sha512;
}

/// The grid for hashes of `len` rows.
fn hashing_grid(len: usize) -> Grid {
    Grid::covering(len, (THREADS * ROWS) as usize, THREADS)
}

/// The hash of each of `len` rows of any columns.
pub(super) fn rows<F: KernelName>(
    plan: &Plan,
    len: usize,
    seed: u32,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    if plan.parts.is_empty() {
        return primitives::fill(seed, len, ctx);
    }
    let views = DeviceViews::new(&plan.columns, ctx)?;
    let mut out = DeviceUVec::uninit(len, ctx)?;
    for (i, part) in plan.parts.iter().enumerate() {
        match part {
            Part::Plain(range) => {
                let range = range.start as u32..range.end as u32;
                plain_into::<F>(&views, range, len, seed, i == 0, &mut out, ctx)?;
            }
            Part::Branch(branch) => branch_into::<F>(plan, &views, branch, seed, i == 0, &mut out, ctx)?,
        }
    }
    Ok(out)
}

/// The same of columns without nesting.
pub(super) fn plain_rows<F: KernelName>(
    columns: &[Column],
    len: usize,
    seed: u32,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    if columns.is_empty() {
        return primitives::fill(seed, len, ctx);
    }
    let (views, mut out) = (DeviceViews::new(columns, ctx)?, DeviceUVec::uninit(len, ctx)?);
    plain_into::<F>(&views, 0..views.num_columns(), len, seed, true, &mut out, ctx)?;
    Ok(out)
}

/// The hash of one or of two words of 64 bits of each of `len` rows of columns without nesting.
pub(super) fn wide_rows<F: KernelName, const WORDS: usize>(
    columns: &[Column],
    len: usize,
    seed: u64,
    ctx: &Context,
) -> Result<[DeviceUVec<u64>; WORDS]> {
    let (views, word) = (DeviceViews::new(columns, ctx)?, || DeviceUVec::uninit(len, ctx));
    let (mut low, mut high) = (word()?, if WORDS == 2 { Some(word()?) } else { None });
    let (grid, end) = (hashing_grid(len), views.num_columns());
    // SAFETY: columns and outputs have `len` rows.
    unsafe { hash_rows_wide::<F, u64>(ctx, grid, &views, 0, end, len, seed, 1, &mut low, high.as_mut())? };
    let words: Vec<_> = [Some(low), high].into_iter().flatten().collect();
    words.try_into().map_err(|_| Error::logic(format!("hashes have one word or two, not {WORDS}")))
}

/// Columns `range` of the views, which have no nesting, into the hashes of `len` rows.
fn plain_into<F: KernelName>(
    views: &DeviceViews,
    range: Range<u32>,
    len: usize,
    seed: u32,
    is_first: bool,
    out: &mut DeviceUVec<u32>,
    ctx: &Context,
) -> Result<()> {
    let (grid, is_first, high) = (hashing_grid(len), u32::from(is_first), None::<&mut DeviceUVec<u32>>);
    // SAFETY: columns and output have `len` rows.
    unsafe { hash_rows::<F, u32>(ctx, grid, views, range.start, range.end, len, seed, is_first, out, high) }
}

fn branch_into<F: KernelName>(
    plan: &Plan,
    views: &DeviceViews,
    branch: &Branch,
    seed: u32,
    is_first: bool,
    out: &mut DeviceUVec<u32>,
    ctx: &Context,
) -> Result<()> {
    let hash_leaf = |leaf: usize| {
        let (len, number) = (plan.columns[leaf].len(), leaf as u32);
        let mut leaves = DeviceUVec::uninit(len, &ctx.temporary()?)?;
        plain_into::<F>(views, number..number + 1, len, seed, true, &mut leaves, ctx)?;
        Ok::<_, Error>(leaves)
    };
    let leaves = branch.leaf.map(hash_leaf).transpose()?;
    let (first, levels) = (branch.levels.start as u32, branch.levels.len() as u32);
    let (counted, nulls, len) = (branch.first_counted as u32, u32::from(plan.has_nulls), out.len());
    let (grid, leaves, is_first) =
        (Grid::covering(len, THREADS as usize, THREADS), leaves.as_ref(), u32::from(is_first));
    // SAFETY: the levels lead from `len` rows to the rows of the leaf, of which each has a hash.
    unsafe { hash_branch::<F>(ctx, grid, views, first, levels, counted, nulls, leaves, len, is_first, out) }
}

/// The digests of `len` rows in hexadecimal, one behind the other.
pub(super) fn digests(
    columns: &[Column],
    len: usize,
    algorithm: DigestAlgorithm,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let views = DeviceViews::new(columns, ctx)?;
    let mut hex = DeviceUVec::uninit(len * algorithm.hex_digits(), ctx)?;
    let (grid, count) = (Grid::covering(len, DIGEST_THREADS as usize, DIGEST_THREADS), views.num_columns());
    let launch = match algorithm {
        DigestAlgorithm::Md5 => digest_rows::<Md5>,
        DigestAlgorithm::Sha1 => digest_rows::<Sha1>,
        DigestAlgorithm::Sha224 => digest_rows::<Sha224>,
        DigestAlgorithm::Sha256 => digest_rows::<Sha256>,
        DigestAlgorithm::Sha384 => digest_rows::<Sha384>,
        DigestAlgorithm::Sha512 => digest_rows::<Sha512>,
    };
    // SAFETY: the columns have `len` rows, and there is room for the digits of each.
    unsafe { launch(ctx, grid, &views, count, len, &mut hex)? };
    Ok(hex)
}
