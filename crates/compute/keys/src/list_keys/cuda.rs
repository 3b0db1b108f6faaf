//! On a GPU.

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Result, TextsDeviceView, TextsView,
};
use cuprum_elements::string_map::cuda::{Nulls, TextsOut, make_texts, texts_grid};
use cuprum_runtime::kernel::{Out, Structs};
use cuprum_runtime::kernels;

use super::{MissingElements, Place};

kernels! {
    pub static LIST_KEYS: "list_keys.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn codes_of_values(
        column: ColumnDeviceView, is_nan_missing: bool, missing: u8,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
    fn codes_of_texts(
        column: TextsDeviceView, missing: u8,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
    fn joined_codes(
        columns: Structs<ColumnDeviceView>, num_parts: u32, is_key: bool, missing: u8,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
}

/// The code of missing elements, and the nulls of the codes; 0 where missing elements are null.
fn code_of_missing(missing: MissingElements) -> (u8, Nulls) {
    match missing.place {
        Place::InTheirRow => (0, Nulls::Made),
        Place::First | Place::Last => (missing.code(), Nulls::Of(None)),
    }
}

/// See [`super::codes`]; the column has values of its own.
pub(super) fn codes(column: &Column, missing: MissingElements, ctx: &Context) -> Result<Column> {
    let (len, grid) = (column.len(), texts_grid(column.len()));
    let (code, nulls) = code_of_missing(missing);
    if column.data_type() == DataType::String {
        let view = TextsView::new(column)?;
        let bytes = column.data().map_or(0, |data| data.len());
        // Every byte may be one that takes two.
        let most = bytes.checked_mul(2).and_then(|bytes| bytes.checked_add(len.checked_mul(2)?));
        return make_texts(len, most, nulls, ctx, |TextsOut { narrow, wide, bytes, validity }| {
            // SAFETY: the sizes, offsets, bytes and bits are those of the rows.
            unsafe { codes_of_texts(ctx, grid, &view, code, narrow, wide, bytes, validity) }
        });
    }
    let view = DeviceView::new(column)?;
    let longest = column.data_type().size().map_or(1, |size| (8 * size).div_ceil(7));
    make_texts(len, len.checked_mul(longest), nulls, ctx, |TextsOut { narrow, wide, bytes, validity }| {
        let nan = missing.is_nan_missing;
        // SAFETY: as above.
        unsafe { codes_of_values(ctx, grid, &view, nan, code, narrow, wide, bytes, validity) }
    })
}

/// See [`super::joined`].
pub(super) fn joined(
    column: &Column,
    parts: &[Column],
    is_key: bool,
    missing: MissingElements,
    ctx: &Context,
) -> Result<Column> {
    let len = column.len();
    let columns = [std::slice::from_ref(column), parts].concat();
    let views = DeviceViews::new(&columns, ctx)?;
    let (code, nulls) = code_of_missing(missing);
    let nulls = match nulls {
        Nulls::Of(_) if is_key => Nulls::Of(column.copy_mask(ctx)?),
        nulls => nulls,
    };
    let of_parts =
        parts.iter().try_fold(0usize, |sum, part| sum.checked_add(part.data().map_or(0, |data| data.len())));
    let most = of_parts.and_then(|bytes| bytes.checked_add(len.checked_mul(2)?));
    make_texts(len, most, nulls, ctx, |TextsOut { narrow, wide, bytes, validity }| {
        let (grid, num_parts) = (texts_grid(len), parts.len() as u32);
        // SAFETY: the first column has `len` rows; the parts have one for each of its elements, or of its rows.
        unsafe { joined_codes(ctx, grid, &views, num_parts, is_key, code, narrow, wide, bytes, validity) }
    })
}
