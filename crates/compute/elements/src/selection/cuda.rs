//! Selected rows on a GPU: their bits and where each tile of them goes, made in one pass.

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Native, Result, UNKNOWN_NULL_COUNT,
    null_mask,
};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use crate::row_numbers::rows_fit_32_bits;

kernels! {
    pub static SELECTION: "selection.cu" where
        /// Threads of every block, each of which has a word of 32 rows.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 8;

    fn select_true(mask: ColumnDeviceView, words: Out<u32>, starts: Out<u64>, states: Out<u64>);
    fn select_present(
        columns: Structs<ColumnDeviceView>, num_columns: u32, threshold: u32, nan_is_null: bool, n: usize,
        words: Out<u32>, starts: Out<u64>, states: Out<u64>,
    );
    fn select_numbers(
        numbers: In<u32>, n: usize, number: u32, there: bool, words: Out<u32>, starts: Out<u64>, states: Out<u64>,
    );
    fn rank_words(words: In<u32>, starts: Out<u64>, ranks: Out<u32>, states: Out<u64>);
    fn keep_values<Value in [u8, u16, u32, u64, Word16]>(
        column: ColumnDeviceView, words: In<u32>, starts: In<u64>, out: Out<u8>,
    );
    fn keep_rows<I in [u32, u64]>(words: In<u32>, starts: In<u64>, out: Out<I>);
    fn keep_numbers(numbers: In<u32>, words: In<u32>, starts: In<u64>, out: Out<u32>);
    fn keep_validity(column: ColumnDeviceView, words: In<u32>, starts: In<u64>, out: Out<u32>);
}

kernel_names! {
    /// Values of 16 bytes, as `cuprum/pack.cuh` calls them.
    struct Word16;
}

/// Rows of a tile.
const TILE: usize = (THREADS * 32) as usize;

/// Words of 32 bits, one bit for each of `len` rows, in whole tiles: all 0.
pub fn no_rows(len: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    DeviceUVec::zeroed(len.div_ceil(TILE).max(1) * THREADS as usize, &ctx.temporary()?)
}

/// Rows to keep, on a GPU.
pub struct Selection {
    /// A bit for each row, in whole tiles.
    words: DeviceUVec<u32>,
    /// Kept rows before each tile, and in all.
    starts: DeviceUVec<u64>,
    len: usize,
    count: usize,
}

impl Selection {
    /// The rows where a boolean column is true and not null.
    pub fn of_true(mask: &Column, ctx: &Context) -> Result<Self> {
        let view = DeviceView::new(mask)?;
        Self::new(mask.len(), ctx, |grid, words, starts, states| {
            // SAFETY: there are words and states for each tile of the mask's rows, and one start more.
            unsafe { select_true(ctx, grid, &view, words, starts, states) }
        })
    }

    /// The rows that have at least `threshold` values among `columns` of `len` rows.
    pub fn of_present(
        columns: &[Column],
        threshold: usize,
        nan_is_null: bool,
        len: usize,
        ctx: &Context,
    ) -> Result<Self> {
        let views = DeviceViews::new(columns, ctx)?;
        let (count, threshold) = (views.num_columns(), threshold.min(columns.len() + 1) as u32);
        Self::new(len, ctx, |grid, words, starts, states| {
            // SAFETY: as in `of_true`; the columns have `len` rows.
            unsafe {
                select_present(ctx, grid, &views, count, threshold, nan_is_null, len, words, starts, states)
            }
        })
    }

    /// The places of numbers that are `there`, or of those that are the largest one.
    pub fn of_numbers(numbers: &DeviceUVec<u32>, there: bool, ctx: &Context) -> Result<Self> {
        Self::by_number(numbers, u32::MAX, !there, ctx)
    }

    /// The places of a number.
    pub fn of_number(numbers: &DeviceUVec<u32>, number: u32, ctx: &Context) -> Result<Self> {
        Self::by_number(numbers, number, true, ctx)
    }

    fn by_number(numbers: &DeviceUVec<u32>, number: u32, there: bool, ctx: &Context) -> Result<Self> {
        let len = numbers.len();
        Self::new(len, ctx, |grid, words, starts, states| {
            // SAFETY: as in `of_true`.
            unsafe { select_numbers(ctx, grid, numbers, len, number, there, words, starts, states) }
        })
    }

    fn new(
        len: usize,
        ctx: &Context,
        launch: impl FnOnce(Grid, &mut DeviceUVec<u32>, &mut DeviceUVec<u64>, &mut DeviceUVec<u64>) -> Result<()>,
    ) -> Result<Self> {
        let (tiles, temporary) = (len.div_ceil(TILE).max(1), ctx.temporary()?);
        let mut words = DeviceUVec::uninit(tiles * THREADS as usize, &temporary)?;
        let mut starts = DeviceUVec::uninit(tiles + 1, &temporary)?;
        let mut states = DeviceUVec::zeroed(1 + 2 * tiles, &temporary)?;
        launch(Grid::of(tiles, THREADS), &mut words, &mut starts, &mut states)?;
        let count = starts.element(tiles)? as usize;
        Ok(Self { words, starts, len, count })
    }

    /// The rows whose bit is set in words of [`no_rows`], and how many are set before each word.
    pub fn of_words(words: DeviceUVec<u32>, len: usize, ctx: &Context) -> Result<(Self, DeviceUVec<u32>)> {
        let (tiles, temporary) = (len.div_ceil(TILE).max(1), ctx.temporary()?);
        let mut starts = DeviceUVec::uninit(tiles + 1, &temporary)?;
        let mut ranks = DeviceUVec::uninit(words.len(), &temporary)?;
        let mut states = DeviceUVec::zeroed(1 + 2 * tiles, &temporary)?;
        // SAFETY: there are words, ranks and states for each tile, and one start more.
        unsafe { rank_words(ctx, Grid::of(tiles, THREADS), &words, &mut starts, &mut ranks, &mut states)? };
        let count = starts.element(tiles)? as usize;
        Ok((Self { words, starts, len, count }, ranks))
    }

    /// A bit for each row.
    pub fn words(&self) -> &DeviceUVec<u32> {
        &self.words
    }

    /// The number of rows that there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of rows kept.
    pub fn count(&self) -> usize {
        self.count
    }

    fn grid(&self) -> Grid {
        Grid::covering(self.len, TILE, THREADS)
    }

    /// The numbers of the kept rows, ascending.
    pub fn rows<I: Native>(&self, ctx: &Context) -> Result<DeviceUVec<I>> {
        let mut rows = DeviceUVec::<I>::uninit(self.count, ctx)?;
        // SAFETY: the starts count the bits, so there is a place for each.
        unsafe { keep_rows::<I>(ctx, self.grid(), &self.words, &self.starts, &mut rows)? };
        Ok(rows)
    }

    /// The numbers at the kept places.
    pub fn keep_u32(&self, numbers: &DeviceUVec<u32>, ctx: &Context) -> Result<DeviceUVec<u32>> {
        let mut kept = DeviceUVec::<u32>::uninit(self.count, ctx)?;
        // SAFETY: as in `rows`; there are as many numbers as rows.
        unsafe { keep_numbers(ctx, self.grid(), numbers, &self.words, &self.starts, &mut kept)? };
        Ok(kept)
    }

    /// The kept rows of a column of fixed width.
    pub fn keep(&self, column: &Column, ctx: &Context) -> Result<Column> {
        let size = column.data_type().size().unwrap_or(0);
        let view = DeviceView::new(column)?;
        let mut out = DeviceUVec::<u8>::uninit(self.count * size, ctx)?;
        let launch = match size {
            1 => keep_values::<u8>,
            2 => keep_values::<u16>,
            4 => keep_values::<u32>,
            8 => keep_values::<u64>,
            _ => keep_values::<Word16>,
        };
        let (grid, words, starts) = (self.grid(), &self.words, &self.starts);
        // SAFETY: the column has values of this width for all rows; as in `rows`.
        unsafe { launch(ctx, grid, &view, words, starts, &mut out)? };
        let mask = if column.mask().is_some() {
            let bytes = null_mask::bitmask_allocation_size_bytes(self.count);
            let mut mask = DeviceUVec::<u32>::zeroed(bytes / 4, ctx)?;
            // SAFETY: the mask has a bit for each row, `mask` for each that is kept.
            unsafe { keep_validity(ctx, grid, &view, words, starts, &mut mask)? };
            Some((mask.into_buffer().try_into()?, UNKNOWN_NULL_COUNT))
        } else {
            None
        };
        Column::from_buffer(column.data_type(), self.count, out.into_buffer().try_into()?, mask)
    }
}

/// The numbers of the kept rows as a column: `Int32` while the rows fit 32 bits, else `Int64`.
pub fn selected_rows(selection: &Selection, ctx: &Context) -> Result<Column> {
    let (data_type, rows) = if rows_fit_32_bits(selection.len) {
        (DataType::Int32, selection.rows::<u32>(ctx)?.into_buffer())
    } else {
        (DataType::Int64, selection.rows::<u64>(ctx)?.into_buffer())
    };
    Column::from_buffer(data_type, selection.count, rows.try_into()?, None)
}
