//! Lines of a width: see [`wrap`](super::super::wrap).

use cuprum_column::{Column, Context, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts};
use cuprum_runtime::kernel::Out;
use cuprum_runtime::kernels;

kernels! {
    pub static WRAP: "wrap.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn wrap_texts(
        column: TextsDeviceView, width: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// See [`wrap`](super::super::wrap::wrap).
pub(in super::super) fn wrap(column: &Column, width: usize, ctx: &Context) -> Result<Column> {
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(column, Some, nulls, ctx, |grid, texts, out| {
        // SAFETY: sizes, offsets and bytes are those of the rows.
        unsafe { wrap_texts(ctx, grid, texts, width, out.narrow, out.wide, out.bytes) }
    })
}
