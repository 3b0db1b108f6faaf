//! Hashes and digests of rows as kernels.

use cuprum_column::{Column, Context, DeviceViews, Result};
use cuprum_runtime::driver::LaunchShape;
use cuprum_runtime::kernel::{Argument, Family, Kernel, KernelName};
use cuprum_runtime::{DeviceUVec, kernels, memory, primitives};

use super::DigestAlgorithm;
use super::plan::{Branch, Part, Plan};

kernels! {
    static HASHING: "hashing.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ROWS = 4,
        /// Levels that a branch may have, see `MAX_DEPTH` of columns.
        MAX_LEVELS = 64;

    fn hash_rows<F: KernelName, Word: KernelType>(
        columns: &DeviceViews, first: u32, end: u32, n: u64, seed: Word, is_first: u32, out: &mut [Word],
        out_high: Option<&mut [Word]>,
    );
    fn hash_branch<F: KernelName>(
        columns: &DeviceViews, first_level: u32, num_levels: u32, first_counted: u32, has_nulls: u32,
        leaves: Option<&[u32]>, n: u64, is_first: u32, out: &mut [u32],
    );
}

kernels! {
    static DIGESTS: "digests.cu" where
        /// Threads of every block.
        DIGEST_THREADS = 128;

    fn digest_rows<A: KernelName>(columns: &DeviceViews, num_columns: u32, n: u64, hex: &mut [u8]);
}

macro_rules! names {
    ($($name:ident),*) => {$(
        pub(super) struct $name;

        impl KernelName for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

names!(Murmur3, XxHash32, Identity, XxHash64, Murmur3Wide);
names!(Md5, Sha1, Sha224, Sha256, Sha384, Sha512);

/// The kernels of the family.
pub(super) fn all_kernels() -> Vec<Kernel> {
    vec![
        hash_rows::<Murmur3, u32>(),
        hash_rows::<XxHash32, u32>(),
        hash_rows::<Identity, u32>(),
        hash_rows::<XxHash64, u64>(),
        hash_rows::<Murmur3Wide, u64>(),
        hash_branch::<Murmur3>(),
        hash_branch::<XxHash32>(),
        digest_rows::<Md5>(),
        digest_rows::<Sha1>(),
        digest_rows::<Sha224>(),
        digest_rows::<Sha256>(),
        digest_rows::<Sha384>(),
        digest_rows::<Sha512>(),
    ]
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
                plain_into::<F, u32>(&views, range, len, seed, i == 0, &mut out, None, ctx)?;
            }
            Part::Branch(branch) => branch_into::<F>(plan, &views, branch, seed, i == 0, &mut out, ctx)?,
        }
    }
    Ok(out)
}

/// The hash of 64 bits of each of `len` rows of columns without nesting.
pub(super) fn rows_64<F: KernelName>(
    columns: &[Column],
    len: usize,
    seed: u64,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let views = DeviceViews::new(columns, ctx)?;
    let mut out = DeviceUVec::uninit(len, ctx)?;
    plain_into::<F, u64>(&views, 0..views.num_columns(), len, seed, true, &mut out, None, ctx)?;
    Ok(out)
}

/// The same for 128 bits, the first half and the second.
pub(super) fn rows_128<F: KernelName>(
    columns: &[Column],
    len: usize,
    seed: u64,
    ctx: &Context,
) -> Result<[DeviceUVec<u64>; 2]> {
    let views = DeviceViews::new(columns, ctx)?;
    let (mut low, mut high) = (DeviceUVec::uninit(len, ctx)?, DeviceUVec::uninit(len, ctx)?);
    let range = 0..views.num_columns();
    plain_into::<F, u64>(&views, range, len, seed, true, &mut low, Some(&mut high), ctx)?;
    Ok([low, high])
}

/// Columns `range` of the views, which have no nesting, into the hashes of `len` rows.
#[allow(clippy::too_many_arguments)]
fn plain_into<F: KernelName, Word: cuprum_runtime::kernel::KernelType>(
    views: &DeviceViews,
    range: std::ops::Range<u32>,
    len: usize,
    seed: Word,
    is_first: bool,
    out: &mut DeviceUVec<Word>,
    out_high: Option<&mut DeviceUVec<Word>>,
    ctx: &Context,
) -> Result<()> {
    let shape = LaunchShape::covering(len, (THREADS * ROWS) as usize, THREADS)?;
    let arguments: [Argument; 8] = [
        views.into(),
        range.start.into(),
        range.end.into(),
        (len as u64).into(),
        seed.into(),
        u32::from(is_first).into(),
        out.into(),
        out_high.into(),
    ];
    // SAFETY: columns and outputs have `len` rows; the second output is there where the hash is wide.
    unsafe { hash_rows::<F, Word>().launch(ctx.stream(), shape, &arguments) }
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
    let temporary = Context::new(ctx.stream().clone(), memory::current_resource(ctx.stream().device())?);
    let leaves = match branch.leaf {
        Some(leaf) => {
            let len = plan.columns[leaf].len();
            let mut leaves = DeviceUVec::uninit(len, &temporary)?;
            let leaf = leaf as u32;
            plain_into::<F, u32>(views, leaf..leaf + 1, len, seed, true, &mut leaves, None, ctx)?;
            Some(leaves)
        }
        None => None,
    };
    let len = out.len();
    let shape = LaunchShape::covering(len, THREADS as usize, THREADS)?;
    let first_counted = branch.first_counted;
    let arguments: [Argument; 9] = [
        views.into(),
        (branch.levels.start as u32).into(),
        (branch.levels.len() as u32).into(),
        (first_counted as u32).into(),
        u32::from(plan.has_nulls).into(),
        leaves.as_ref().into(),
        (len as u64).into(),
        u32::from(is_first).into(),
        out.into(),
    ];
    // SAFETY: the levels lead from `len` rows to the rows of the leaf, of which each has a hash.
    unsafe { hash_branch::<F>().launch(ctx.stream(), shape, &arguments) }
}

/// The digests of `len` rows in hexadecimal, one behind the other.
pub(super) fn digests(
    columns: &[Column],
    len: usize,
    algorithm: DigestAlgorithm,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let kernel = match algorithm {
        DigestAlgorithm::Md5 => digest_rows::<Md5>(),
        DigestAlgorithm::Sha1 => digest_rows::<Sha1>(),
        DigestAlgorithm::Sha224 => digest_rows::<Sha224>(),
        DigestAlgorithm::Sha256 => digest_rows::<Sha256>(),
        DigestAlgorithm::Sha384 => digest_rows::<Sha384>(),
        DigestAlgorithm::Sha512 => digest_rows::<Sha512>(),
    };
    let views = DeviceViews::new(columns, ctx)?;
    let mut hex = DeviceUVec::uninit(len * algorithm.hex_digits(), ctx)?;
    let shape = LaunchShape::covering(len, DIGEST_THREADS as usize, DIGEST_THREADS)?;
    let arguments: [Argument; 4] =
        [(&views).into(), views.num_columns().into(), (len as u64).into(), (&mut hex).into()];
    // SAFETY: the columns have `len` rows, and there is room for the digits of each.
    unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    Ok(hex)
}

/// The kernels that hash and digest rows.
pub(super) const FAMILY: Family = Family { name: "hashing", kernels: all_kernels };
