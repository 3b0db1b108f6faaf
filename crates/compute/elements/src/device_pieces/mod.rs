//! [`row_pieces`](crate::row_pieces) on a GPU, and the elements of lists that they are.
//!
//! A module of its own: gathers of lists stand on those of the host, these stand on gathers.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Native, Result};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceUVec, kernels};

use crate::gather::cuda::{GatherMap, Numbers, buffer, numbers_below, offsets_of};
use crate::row_numbers::rows_fit_32_bits;

kernels! {
    pub static ROW_PIECES: "row_pieces.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Pieces that a thread goes over.
        ITEMS = 8;

    fn list_lengths(lists: Structs<ColumnDeviceView>, n: usize, least: usize, lengths: Out<u64>);
    fn counted_lengths(counts: ColumnDeviceView, lengths: Out<u64>, odd: Out<u32>);
    fn piece_rows<Row in [u32, u64]>(starts: In<u64>, n: usize, total: usize, rows: Out<Row>);
    fn piece_positions(starts: In<u64>, n: usize, total: usize, positions: Out<i32>);
    fn piece_elements<Element in [u32, u64]>(
        lists: Structs<ColumnDeviceView>, starts: In<u64>, n: usize, total: usize, reversed: bool,
        elements: Out<Element>,
    );
    fn values_at(values: In<u64>, places: In<u64>, n: usize, out: Out<u64>);
}

/// Pieces that a block goes over.
const TILE: usize = (THREADS * ITEMS) as usize;

/// The number of pieces of each row, as offsets among all of them: [`RowPieces`](crate::row_pieces::RowPieces) on a GPU.
pub struct RowPieces {
    /// The first piece of each row and, at last, the number of all.
    starts: DeviceUVec<u64>,
    total: usize,
}

impl RowPieces {
    /// As many pieces for each row as it has a length; there is one more of these than rows, and it is 0.
    ///
    /// Fails with `Overflow` where all of them are more than 2⁶³ − 1; the sum of the lengths fits 64 bits.
    pub fn new(lengths: &DeviceUVec<u64>, ctx: &Context) -> Result<Self> {
        Self::of_starts(primitives::scan(&lengths.span(), Reduction::Sum, ScanKind::Exclusive, ctx)?)
    }

    /// Rows whose first pieces are known, and the number of all, which is the last of `starts`.
    pub fn of_starts(starts: DeviceUVec<u64>) -> Result<Self> {
        let total = starts.element(starts.len() - 1)?;
        let total = usize::try_from(total).ok().filter(|&total| i64::try_from(total).is_ok());
        Ok(Self { total: total.ok_or_else(crate::row_pieces::too_many)?, starts })
    }

    /// `count` pieces for each of `rows` rows; all of them can be counted.
    pub fn uniform(rows: usize, count: usize, ctx: &Context) -> Result<Self> {
        let starts = primitives::sequence(0, count as u64, rows + 1, &ctx.temporary()?)?;
        Ok(Self { starts, total: rows * count })
    }

    /// The lengths of lists, those of null ones 0; at least `least` pieces for each.
    pub fn of_lists(lists: &Column, least: usize, ctx: &Context) -> Result<Self> {
        Self::new(&lengths_of(lists, least, ctx)?, ctx)
    }

    /// As many pieces for each row as a column of integers without nulls says; `None` where one is below 0, or so large
    /// that the caller has to look whether all can be counted.
    pub fn of_counts(counts: &Column, ctx: &Context) -> Result<Option<Self>> {
        let temporary = &ctx.temporary()?;
        let mut lengths = DeviceUVec::<u64>::uninit(counts.len() + 1, temporary)?;
        let mut odd = DeviceUVec::<u32>::zeroed(1, temporary)?;
        let (grid, view) = (Grid::striding(counts.len() + 1, THREADS), DeviceView::new(counts)?);
        // SAFETY: there is one length more than rows.
        unsafe { counted_lengths(ctx, grid, &view, &mut lengths, &mut odd)? };
        // So many numbers of 32 bits may not fit 64 bits together.
        if odd.element(0)? != 0 || counts.len() > u32::MAX as usize {
            return Ok(None);
        }
        Self::new(&lengths, ctx).map(Some)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of pieces of all rows.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The first piece of each row and, at last, the number of all.
    pub fn starts(&self) -> &DeviceUVec<u64> {
        &self.starts
    }

    /// The offsets of the rows' pieces, as those of lists: `Int32` where they fit, else `Int64`.
    pub fn into_offsets(self, ctx: &Context) -> Result<Column> {
        offsets_of(self.starts, self.total, ctx)
    }

    /// The number of the row of each piece.
    pub fn row_numbers(&self, ctx: &Context) -> Result<GatherMap> {
        Ok(GatherMap::from(
            numbers_below!(self.rows(), Row => self.rows_of_pieces::<Row>(&ctx.temporary()?)?),
        ))
    }

    /// [`row_numbers`](Self::row_numbers) as a column: `Int32` where the rows fit, else `Int64`.
    pub fn row_column(&self, ctx: &Context) -> Result<Column> {
        let (data_type, rows) = if rows_fit_32_bits(self.rows()) {
            (DataType::Int32, buffer(self.rows_of_pieces::<u32>(ctx)?)?)
        } else {
            (DataType::Int64, buffer(self.rows_of_pieces::<u64>(ctx)?)?)
        };
        Column::from_buffer(data_type, self.total, rows, None)
    }

    fn rows_of_pieces<Row: Native>(&self, ctx: &Context) -> Result<DeviceUVec<Row>> {
        let mut rows = DeviceUVec::<Row>::uninit(self.total, ctx)?;
        let (n, total) = (self.rows(), self.total);
        // SAFETY: there is one start more than rows, and a place for each piece.
        unsafe { piece_rows::<Row>(ctx, self.grid(), &self.starts, n, total, &mut rows)? };
        Ok(rows)
    }

    /// The position of each piece in its row: `Int32`, which holds all of them.
    pub fn positions(&self, ctx: &Context) -> Result<Column> {
        let mut positions = DeviceUVec::<i32>::uninit(self.total, ctx)?;
        let (n, total) = (self.rows(), self.total);
        // SAFETY: as for the rows.
        unsafe { piece_positions(ctx, self.grid(), &self.starts, n, total, &mut positions)? };
        Column::from_buffer(DataType::Int32, self.total, buffer(positions)?, None)
    }

    /// The element, a row of child 1 of `lists`, that each piece of a list is, from the first or, `reversed`, from the
    /// last on; none for pieces behind the end of their list.
    pub fn elements(&self, lists: &Column, reversed: bool, ctx: &Context) -> Result<GatherMap> {
        let temporary = &ctx.temporary()?;
        let views = DeviceViews::new(std::slice::from_ref(lists), temporary)?;
        let (n, total) = (self.rows(), self.total);
        let numbers = numbers_below!(lists.children()[1].len(), Element => {
            let mut elements = DeviceUVec::<Element>::uninit(total, temporary)?;
            // SAFETY: there is one start more than lists, and a place for each piece.
            unsafe {
                piece_elements::<Element>(
                    ctx, self.grid(), &views, &self.starts, n, total, reversed, &mut elements,
                )?;
            }
            elements
        });
        Ok(GatherMap::or_null(numbers))
    }

    /// The grid of a kernel that goes over all pieces, of blocks of 256 threads with 2048 pieces each.
    pub fn grid(&self) -> Grid {
        Grid::covering(self.total, TILE, THREADS)
    }
}

/// The length of each list, but at least `least`; null lists have none. 0 behind the last row.
pub fn lengths_of(lists: &Column, least: usize, ctx: &Context) -> Result<DeviceUVec<u64>> {
    let (rows, temporary) = (lists.len(), &ctx.temporary()?);
    let views = DeviceViews::new(std::slice::from_ref(lists), temporary)?;
    let mut lengths = DeviceUVec::<u64>::uninit(rows + 1, temporary)?;
    let grid = Grid::striding(rows + 1, THREADS);
    // SAFETY: there is one length more than lists.
    unsafe { list_lengths(ctx, grid, &views, rows, least, &mut lengths)? };
    Ok(lengths)
}

/// The values at the places; every place is within the values.
pub fn values_at_places(
    values: &DeviceUVec<u64>,
    places: &DeviceUVec<u64>,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let mut out = DeviceUVec::<u64>::uninit(places.len(), ctx)?;
    let grid = Grid::striding(places.len(), THREADS);
    // SAFETY: there is a value at each place, and one for each of `out`.
    unsafe { values_at(ctx, grid, values, places, places.len(), &mut out)? };
    Ok(out)
}
