//! Rows of strings and lists as kernels.

use cuprum_runtime::driver::LaunchShape;
use cuprum_runtime::kernel::{Family, Kernel};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Context, DeviceSpan, DeviceUVec, Result, kernels};

use super::Offset;

kernels! {
    static NESTED: "nested.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn row_lengths_of<O: KernelType>(
        offsets: &[O], words: Option<&[u32]>, first_bit: u64, kind: u32, rows: u64, lengths: &mut [O],
    );
    fn element_flags_of<O: KernelType>(
        offsets: &[O], row_flags: &[u8], rows: u64, flags: &mut [u8], elements: u64,
    );
}

/// The kernels of nested nulls; those of masks are [primitives](cuprum_runtime::primitives).
pub const FAMILY: Family = Family { name: "null_mask", kernels };

fn kernels() -> Vec<Kernel> {
    vec![
        row_lengths_of::<i32>(),
        row_lengths_of::<i64>(),
        element_flags_of::<i32>(),
        element_flags_of::<i64>(),
    ]
}

fn striding(kernel: &Kernel, blocks: usize, ctx: &Context) -> Result<LaunchShape> {
    kernel.resident_shape(ctx.stream().device(), THREADS, 0, blocks as u64)
}

pub(super) fn row_lengths<O: Offset>(
    offsets: &DeviceSpan<O>,
    bits: Option<&Bits>,
    are_valid: bool,
    ctx: &Context,
) -> Result<DeviceUVec<O>> {
    let kernel = row_lengths_of::<O>();
    let rows = offsets.len() - 1;
    let mut lengths = DeviceUVec::uninit(rows, ctx)?;
    let shape = striding(&kernel, rows.div_ceil(THREADS as usize), ctx)?;
    let words = bits.map(Bits::words).transpose()?;
    let arguments = [
        offsets.into(),
        words.as_ref().into(),
        bits.map_or(0, |bits| bits.offset() as u64).into(),
        u32::from(are_valid).into(),
        (rows as u64).into(),
        (&mut lengths).into(),
    ];
    // SAFETY: there is one offset more than rows, a length for each row, and a bit for each where there are
    // any, since they are those of the column's rows.
    unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    Ok(lengths)
}

pub(super) fn element_flags<O: Offset>(
    offsets: &DeviceSpan<O>,
    row_flags: &DeviceSpan<u8>,
    len: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let kernel = element_flags_of::<O>();
    let rows = offsets.len() - 1;
    let mut flags = DeviceUVec::uninit(len, ctx)?;
    let shape = striding(&kernel, rows.div_ceil((THREADS / 32) as usize), ctx)?;
    let arguments =
        [offsets.into(), row_flags.into(), (rows as u64).into(), (&mut flags).into(), (len as u64).into()];
    // SAFETY: there is one offset more than rows, and a flag for each row; the kernel cuts rows off at `len`.
    unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    Ok(flags)
}
