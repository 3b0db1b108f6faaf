//! Tables of texts, and the numbers they give: see [`vocabulary`](super::super::vocabulary).

use cuprum_column::{Column, Context, DataType, Result, TextsDeviceView, TextsView};
use cuprum_elements::string_map::cuda::texts_grid;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels, primitives};

use super::super::delimiters::Delimiters;
use super::delimiters::DeviceDelimiters;
use crate::strings::cuda::spans::{self, ValuesOut};

kernels! {
    pub static VOCABULARY: "vocabulary.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn enter_texts(texts: TextsDeviceView, slots: Out<i32>, num_slots: usize, longest: Out<u64>);
    fn find_text_row(
        texts: TextsDeviceView, slots: In<i32>, num_slots: usize, text: In<u8>, size: usize, out: Out<i32>,
    );
    fn numbers_of_tokens(
        column: TextsDeviceView, texts: TextsDeviceView, slots: In<i32>, num_slots: usize, otherwise: i32,
        words: In<u64>, count: usize, kind: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, values: Option<Out<i32>>,
    );
    fn numbers_of_parts(
        column: TextsDeviceView, texts: TextsDeviceView, slots: In<i32>, num_slots: usize, longest: usize,
        unknown: i32, most: usize, words: In<u64>, count: usize, kind: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, values: Option<Out<i32>>,
    );
}

/// The rows of a column of texts by their texts, the first of equal ones: see `cuprum/text_table.cuh`.
#[derive(Debug)]
pub(in super::super) struct DeviceTable {
    pub(super) slots: DeviceUVec<i32>,
    /// Bytes of the longest text.
    longest: usize,
}

impl DeviceTable {
    /// The table of a column without nulls, in `num_slots` slots: a power of two, more than twice as many as rows, which
    /// are fewer than 2³¹.
    pub(in super::super) fn new(texts: &Column, num_slots: usize, ctx: &Context) -> Result<Self> {
        let (view, mut slots) = (TextsView::new(texts)?, primitives::fill(-1i32, num_slots, ctx)?);
        let mut longest = DeviceUVec::<u64>::zeroed(1, &ctx.temporary()?)?;
        // SAFETY: the slots are free, and enough for all rows.
        unsafe { enter_texts(ctx, texts_grid(texts.len()), &view, &mut slots, num_slots, &mut longest)? };
        let longest = usize::try_from(longest.element(0)?).unwrap_or(usize::MAX);
        Ok(Self { slots, longest })
    }

    /// The row of a text among those of the table.
    pub(in super::super) fn find(&self, texts: &Column, text: &str, ctx: &Context) -> Result<Option<i32>> {
        let (view, temporary, num_slots) = (TextsView::new(texts)?, ctx.temporary()?, self.slots.len());
        let (wanted, size) = (DeviceUVec::from_slice(text.as_bytes(), &temporary)?, text.len());
        let mut row = DeviceUVec::<i32>::uninit(1, &temporary)?;
        // SAFETY: the table is that of the texts, the text has `size` bytes.
        unsafe {
            find_text_row(ctx, Grid::of(1, THREADS), &view, &self.slots, num_slots, &wanted, size, &mut row)?;
        }
        Ok(Some(row.element(0)?).filter(|row| *row >= 0))
    }
}

/// See [`tokenize_with_vocabulary`](super::super::vocabulary::tokenize_with_vocabulary).
pub(in super::super) fn of_tokens(
    column: &Column,
    vocabulary: (&Column, &DeviceTable),
    delimiters: &Delimiters,
    otherwise: i32,
    ctx: &Context,
) -> Result<Column> {
    numbers(column, vocabulary, delimiters, ctx, |grid, rows, known, between, out| {
        let (DeviceDelimiters { words, count, kind }, slots) = (between, &vocabulary.1.slots);
        let ValuesOut { narrow, wide, values } = out;
        // SAFETY: the table is that of the texts, the words are those of delimiters; counts, offsets and places are those
        // of the rows.
        unsafe {
            numbers_of_tokens(
                ctx,
                grid,
                rows,
                known,
                slots,
                slots.len(),
                otherwise,
                words,
                *count,
                *kind,
                narrow,
                wide,
                values,
            )
        }
    })
}

/// See [`wordpiece_tokenize`](super::super::vocabulary::wordpiece_tokenize): `most` words of each row.
pub(in super::super) fn of_parts(
    column: &Column,
    vocabulary: (&Column, &DeviceTable),
    delimiters: &Delimiters,
    unknown: i32,
    most: usize,
    ctx: &Context,
) -> Result<Column> {
    numbers(column, vocabulary, delimiters, ctx, |grid, rows, known, between, out| {
        let (DeviceDelimiters { words, count, kind }, table) = (between, vocabulary.1);
        let ValuesOut { narrow, wide, values } = out;
        // SAFETY: as in `of_tokens`.
        unsafe {
            numbers_of_parts(
                ctx,
                grid,
                rows,
                known,
                &table.slots,
                table.slots.len(),
                table.longest,
                unknown,
                most,
                words,
                *count,
                *kind,
                narrow,
                wide,
                values,
            )
        }
    })
}

/// The numbers of each row as lists, null where the row is.
fn numbers(
    column: &Column,
    (texts, _): (&Column, &DeviceTable),
    delimiters: &Delimiters,
    ctx: &Context,
    mut launch: impl FnMut(
        Grid,
        &TextsView<'_>,
        &TextsView<'_>,
        &DeviceDelimiters,
        ValuesOut<'_, i32>,
    ) -> Result<()>,
) -> Result<Column> {
    let (between, known) = (DeviceDelimiters::new(delimiters, ctx)?, TextsView::new(texts)?);
    // A number for each byte at most.
    let (most, mask) = (column.data().map_or(0, |data| data.len()), column.copy_mask(ctx)?);
    spans::note_values(column, DataType::Int32, Some(most), mask, ctx, |grid, rows, out| {
        launch(grid, rows, &known, &between, out)
    })
}
