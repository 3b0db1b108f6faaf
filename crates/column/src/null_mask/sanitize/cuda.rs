//! Rows of strings and lists as kernels.

use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Context, DeviceSpan, DeviceUVec, Result, kernels};

use super::offset::Offset;

kernels! {
    /// The kernels of nested nulls; those of masks are [primitives](cuprum_runtime::primitives).
    pub static SANITIZE: "sanitize.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn row_lengths_of<O in [i32, i64]>(
        offsets: In<O>, words: Option<In<u32>>, first_bit: usize, kind: u32, rows: usize, lengths: Out<O>,
    );
    fn element_flags_of<O in [i32, i64]>(
        offsets: In<O>, row_flags: In<u8>, rows: usize, flags: Out<u8>, elements: usize,
    );
}

pub(super) fn row_lengths<O: Offset>(
    offsets: &DeviceSpan<O>,
    bits: Option<&Bits>,
    are_valid: bool,
    ctx: &Context,
) -> Result<DeviceUVec<O>> {
    let rows = offsets.len() - 1;
    let mut lengths = DeviceUVec::uninit(rows, ctx)?;
    let (words, first_bit) = (bits.map(Bits::words).transpose()?, bits.map_or(0, Bits::offset));
    let (grid, kind) = (Grid::striding(rows, THREADS), u32::from(are_valid));
    // SAFETY: there is one offset more than rows, a length for each row, and a bit for each where there are
    // any, since they are those of the column's rows.
    unsafe { row_lengths_of::<O>(ctx, grid, offsets, words.as_ref(), first_bit, kind, rows, &mut lengths)? };
    Ok(lengths)
}

pub(super) fn element_flags<O: Offset>(
    offsets: &DeviceSpan<O>,
    row_flags: &DeviceSpan<u8>,
    len: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let (rows, mut flags) = (offsets.len() - 1, DeviceUVec::uninit(len, ctx)?);
    let grid = Grid::striding(rows * 32, THREADS);
    // SAFETY: there is one offset more than rows, and a flag for each row; the kernel cuts rows off at `len`.
    unsafe { element_flags_of::<O>(ctx, grid, offsets, row_flags, rows, &mut flags, len)? };
    Ok(flags)
}
