//! Vowels and consonants: see [`stemmer`](super::super::stemmer).

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::map_texts;
use cuprum_runtime::kernel::Out;
use cuprum_runtime::kernels;

kernels! {
    pub static STEMMER: "stemmer.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn is_letter_of_texts(
        column: TextsDeviceView, vowels: bool, position: i64, positions: ColumnDeviceView, out: Out<u8>,
    );
    fn measure_texts(column: TextsDeviceView, out: Out<i32>);
}

/// See [`is_letter`](super::super::stemmer::is_letter).
pub(in super::super) fn is_letter(
    column: &Column,
    vowels: bool,
    position: i64,
    ctx: &Context,
) -> Result<Column> {
    letters(column, vowels, position, &DeviceView::empty(), ctx)
}

/// See [`is_letter_at`](super::super::stemmer::is_letter_at); the positions are integers without nulls, as many as rows.
pub(in super::super) fn is_letter_at(
    column: &Column,
    vowels: bool,
    positions: &Column,
    ctx: &Context,
) -> Result<Column> {
    letters(column, vowels, 0, &DeviceView::new(positions)?, ctx)
}

fn letters(
    column: &Column,
    vowels: bool,
    position: i64,
    positions: &DeviceView<'_>,
    ctx: &Context,
) -> Result<Column> {
    map_texts(column, DataType::Bool8, ctx, |grid, texts, out| {
        // SAFETY: there is a position for each row, or none; and a place.
        unsafe { is_letter_of_texts(ctx, grid, texts, vowels, position, positions, out) }
    })
}

/// See [`porter_stemmer_measure`](super::super::stemmer::porter_stemmer_measure).
pub(in super::super) fn measure(column: &Column, ctx: &Context) -> Result<Column> {
    map_texts(column, DataType::Int32, ctx, |grid, texts, out| {
        // SAFETY: there is a place for each row.
        unsafe { measure_texts(ctx, grid, texts, out) }
    })
}
