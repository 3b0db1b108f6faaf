//! Running reductions on a GPU: of all rows in order, or of the rows of groups.
//!
//! Sums and products of integers wrap and are the CPU's to the bit, so are extremes; those of floats are combined in an
//! order that depends on the number of rows alone.

use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Native, Result, dispatch_storage,
    null_mask,
};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

use crate::aggregation::{Aggregation, CumulativeOp};
use cuprum_elements::gather::cuda::{GatherMap, gather_from_both};
use cuprum_elements::gather::gather_one;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::cuda::numbers_column;
use cuprum_keys::ordered_bits::Ordered;

kernels! {
    pub static RUNNING: "running.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of every thread.
        ITEMS = 4,
        /// Tiles of every thread that goes over their totals.
        TILES = 8;

    fn total_tiles(
        column: ColumnDeviceView, rows: Option<In<u32>>, segments: Option<In<u32>>, n: usize, reverse: bool,
        how: u32, totals: Out<u64>,
    );
    fn run_over_tiles(totals: Out<u64>, tiles: usize, how: u32);
    fn write_running(
        column: ColumnDeviceView, rows: Option<In<u32>>, segments: Option<In<u32>>, n: usize, reverse: bool,
        how: u32, totals: In<u64>, exclusive: bool, identity: u64, ends: bool, places: usize,
        wide: Option<Out<u64>>, narrow: Option<Out<u32>>, found: Option<Out<u32>>, valid: Option<Out<u8>>,
        most: i64, failed: Option<Out<u32>>,
    );
    fn low_bits<T in [u8, u16, u32]>(words: In<u64>, n: usize, out: Out<T>);
    fn total_decimals(column: ColumnDeviceView, totals: Out<u64>);
    fn run_over_decimals(totals: Out<u64>, tiles: usize);
    fn write_decimals(
        column: ColumnDeviceView, totals: In<u64>, exclusive: bool, sums: Out<u64>, failed: Out<u32>,
    );
    fn decimal_extremes_of_tiles(column: ColumnDeviceView, smallest: bool, totals: Out<u64>);
    fn run_over_decimal_extremes(totals: Out<u64>, tiles: usize, smallest: bool);
    fn write_decimal_extremes(column: ColumnDeviceView, smallest: bool, totals: In<u64>, extremes: Out<u64>);
}

/// The operations of scans, as `running.cu` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Running {
    AddIntegers = 0,
    MultiplyIntegers = 1,
    AddFloats = 2,
    MultiplyFloats = 3,
    AddSingles = 4,
    MultiplySingles = 5,
    Least = 6,
    Greatest = 7,
    Latest = 8,
    BitsOfAll = 9,
    BitsOfAny = 10,
    OddBits = 11,
}

impl Running {
    /// The scan of an operation with results of a type.
    fn of(op: CumulativeOp, to: DataType) -> Self {
        match (op, to) {
            (CumulativeOp::Min, _) => Self::Least,
            (CumulativeOp::Max, _) => Self::Greatest,
            (CumulativeOp::Sum, DataType::Float32) => Self::AddSingles,
            (CumulativeOp::Sum, DataType::Float64) => Self::AddFloats,
            (CumulativeOp::Sum, _) => Self::AddIntegers,
            (CumulativeOp::Product, DataType::Float32) => Self::MultiplySingles,
            (CumulativeOp::Product, DataType::Float64) => Self::MultiplyFloats,
            (CumulativeOp::Product, _) => Self::MultiplyIntegers,
        }
    }
}

impl Running {
    /// The bits of the identity, for sums, products and bits.
    fn identity(self) -> u64 {
        match self {
            Self::MultiplyIntegers => 1,
            Self::MultiplyFloats => 1f64.to_bits(),
            Self::MultiplySingles => 1f32.to_bits().into(),
            Self::BitsOfAll => u64::MAX,
            _ => 0,
        }
    }
}

/// Rows in an order of their own, in segments.
pub struct Segments<'a> {
    /// The rows in order; `None` for all.
    pub rows: Option<&'a DeviceSpan<'a, u32>>,
    /// The segment of every row of the column.
    pub numbers: Option<&'a DeviceSpan<'a, u32>>,
    /// From the last row to the first.
    pub reverse: bool,
}

impl Segments<'_> {
    /// All rows of a column, as one.
    pub const ALL: Self = Self { rows: None, numbers: None, reverse: false };
}

/// The outputs of a scan.
#[derive(Default)]
struct Results {
    /// Whether a row's result is the state before it.
    exclusive: bool,
    /// The most that sums are away from 0, if that is checked, and whether one is further.
    most: i64,
    failed: Option<DeviceUVec<u32>>,
    wide: Option<DeviceUVec<u64>>,
    narrow: Option<DeviceUVec<u32>>,
    found: Option<DeviceUVec<u32>>,
    valid: Option<DeviceUVec<u8>>,
}

/// Writes the results of rows, or with `places` those of the last row of each of so many segments.
fn run(
    column: &Column,
    order: &Segments<'_>,
    how: Running,
    places: Option<usize>,
    results: &mut Results,
    ctx: &Context,
) -> Result<()> {
    let n = order.rows.map_or(column.len(), DeviceSpan::len);
    let (view, identity, how) = (DeviceView::new(column)?, how.identity(), how as u32);
    let (rows, segments, reverse) = (order.rows, order.numbers, order.reverse);
    let tiles = n.div_ceil((THREADS * ITEMS) as usize);
    let grid = Grid::of(tiles, THREADS);
    if tiles == 0 {
        return Ok(());
    }
    let mut totals = DeviceUVec::<u64>::uninit(2 * tiles, &ctx.temporary()?)?;
    let (ends, places) = (places.is_some(), places.unwrap_or(0));
    // SAFETY: rows that the column does not have are left out, there is a segment and a place for each of those that
    // it has, and segments without a place are left out; each tile has its two words.
    unsafe {
        total_tiles(ctx, grid, &view, rows, segments, n, reverse, how, &mut totals)?;
        run_over_tiles(ctx, Grid::of(1, THREADS), &mut totals, tiles, how)?;
        write_running(
            ctx,
            grid,
            &view,
            rows,
            segments,
            n,
            reverse,
            how,
            &totals,
            results.exclusive,
            identity,
            ends,
            places,
            results.wide.as_mut(),
            results.narrow.as_mut(),
            results.found.as_mut(),
            results.valid.as_mut(),
            results.most,
            results.failed.as_mut(),
        )
    }
}

/// The running reduction of all rows of a type of up to 64 bits that has the operation; `None` where a sum of
/// durations does not fit.
pub(crate) fn cumulative(
    column: &Column,
    op: CumulativeOp,
    exclusive: bool,
    to: DataType,
    ctx: &Context,
) -> Result<Option<Column>> {
    // Sums of durations are checked.
    if !(exclusive || op == CumulativeOp::Sum && to.is_duration()) {
        return super::cumulative::cumulative(column, op, to, ctx).map(Some);
    }
    let results = Results { exclusive, ..Results::default() };
    running_into(results, column, &Segments::ALL, op, to, ctx)
}

/// The running sums of decimals, as `Decimal128`; `None` where one does not fit.
pub(crate) fn decimals(
    column: &Column,
    exclusive: bool,
    to: DataType,
    ctx: &Context,
) -> Result<Option<Column>> {
    let (rows, temporary) = (column.len(), &ctx.temporary()?);
    if rows == 0 {
        return Column::nulls(to, 0, ctx).map(Some);
    }
    let (view, tiles) = (DeviceView::new(column)?, rows.div_ceil((THREADS * ITEMS) as usize));
    let mut totals = DeviceUVec::<u64>::uninit(3 * tiles, temporary)?;
    let mut sums = DeviceUVec::<u64>::uninit(2 * rows, ctx)?;
    let mut failed = DeviceUVec::<u32>::zeroed(1, temporary)?;
    let grid = Grid::of(tiles, THREADS);
    // SAFETY: each tile has its three words, each row two.
    unsafe {
        total_decimals(ctx, grid, &view, &mut totals)?;
        run_over_decimals(ctx, Grid::of(1, THREADS), &mut totals, tiles)?;
        write_decimals(ctx, grid, &view, &totals, exclusive, &mut sums, &mut failed)?;
    }
    if failed.element(0)? != 0 {
        return Ok(None);
    }
    Column::from_buffer(to, rows, sums.into_buffer().try_into()?, column.copy_mask(ctx)?).map(Some)
}

/// The smallest or the largest values so far of decimals of 128 bits.
pub(crate) fn decimal_extremes(column: &Column, smallest: bool, ctx: &Context) -> Result<Column> {
    let (rows, to) = (column.len(), column.data_type());
    if rows == 0 {
        return Column::nulls(to, 0, ctx);
    }
    let (view, tiles) = (DeviceView::new(column)?, rows.div_ceil((THREADS * ITEMS) as usize));
    let mut totals = DeviceUVec::<u64>::uninit(3 * tiles, &ctx.temporary()?)?;
    let mut extremes = DeviceUVec::<u64>::uninit(2 * rows, ctx)?;
    let grid = Grid::of(tiles, THREADS);
    // SAFETY: the column has values of 16 bytes; each tile has its three words, each row two.
    unsafe {
        decimal_extremes_of_tiles(ctx, grid, &view, smallest, &mut totals)?;
        run_over_decimal_extremes(ctx, Grid::of(1, THREADS), &mut totals, tiles, smallest)?;
        write_decimal_extremes(ctx, grid, &view, smallest, &totals, &mut extremes)?;
    }
    Column::from_buffer(to, rows, extremes.into_buffer().try_into()?, column.copy_mask(ctx)?)
}

/// The reduction of the rows of each segment up to each row, as [`cumulative`].
/// Rows in no segment are null. `None` where a sum of durations does not fit.
pub(crate) fn running(
    column: &Column,
    order: &Segments<'_>,
    op: CumulativeOp,
    to: DataType,
    ctx: &Context,
) -> Result<Option<Column>> {
    running_into(Results::default(), column, order, op, to, ctx)
}

fn running_into(
    mut results: Results,
    column: &Column,
    order: &Segments<'_>,
    op: CumulativeOp,
    to: DataType,
    ctx: &Context,
) -> Result<Option<Column>> {
    let (rows, how) = (column.len(), Running::of(op, to));
    if order.rows.is_some() {
        results.valid = Some(DeviceUVec::zeroed(rows, &ctx.temporary()?)?);
    }
    if matches!(how, Running::Least | Running::Greatest) {
        check_rows("running extremes", rows)?;
        let mut found = DeviceUVec::<u32>::uninit(rows, &ctx.temporary()?)?;
        // Rows in no segment find no row.
        found.buffer_mut().fill(0xFF)?;
        results.found = Some(found);
        run(column, order, how, None, &mut results, ctx)?;
        let Some(found) = results.found else { return Column::nulls(to, rows, ctx).map(Some) };
        if results.exclusive {
            // Where no row is before, the map points behind the last row, at the identity.
            let neutral = neutral(op, to, &ctx.temporary()?)?;
            return gather_from_both(column, &neutral, &GatherMap::from(found), ctx).map(Some);
        }
        // A null has its own row.
        let map = if order.rows.is_some() { GatherMap::or_null(found) } else { GatherMap::from(found) };
        return gather_one(column, &map, ctx).map(Some);
    }
    if to.is_duration() {
        results.most = if to.size() == Some(4) { i32::MAX.into() } else { i64::MAX };
        results.failed = Some(DeviceUVec::zeroed(1, &ctx.temporary()?)?);
    }
    if to.size() == Some(4) {
        results.narrow = Some(DeviceUVec::zeroed(rows, ctx)?);
    } else {
        results.wide = Some(DeviceUVec::zeroed(rows, ctx)?);
    }
    run(column, order, how, None, &mut results, ctx)?;
    if let Some(failed) = results.failed
        && failed.element(0)? != 0
    {
        return Ok(None);
    }
    let data: Buffer = match (results.wide, results.narrow) {
        (Some(wide), _) => wide.into_buffer().try_into()?,
        (_, Some(narrow)) => narrow.into_buffer().try_into()?,
        _ => return Column::nulls(to, rows, ctx).map(Some),
    };
    let mask = match results.valid {
        Some(valid) => Some(null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)?),
        None => column.copy_mask(ctx)?,
    };
    Column::from_buffer(to, rows, data, mask).map(Some)
}

/// A row of the identity of smallest or largest values of a type.
fn neutral(op: CumulativeOp, of: DataType, ctx: &Context) -> Result<Column> {
    dispatch_storage!(of, T => {
        let greatest = if of == DataType::Bool8 { T::from_i64(1) } else { T::GREATEST };
        let value = if op == CumulativeOp::Min { greatest } else { T::LEAST };
        numbers_column(of, DeviceUVec::from_slice(&[value], ctx)?)
    }, else => Err(Error::data_type(format!("there is no least {of}"))))
}

/// The product of the values of each of `count` segments: the bits of an `i64` or of an `f64`, 1 where there is none.
pub(crate) fn products(
    column: &Column,
    order: &Segments<'_>,
    count: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let is_float = column.data_type().is_float();
    of_segments(
        column,
        order,
        if is_float { Running::MultiplyFloats } else { Running::MultiplyIntegers },
        count,
        ctx,
    )
}

/// The values of each of `count` segments combined bit by bit, by one of the three aggregations of bits: integers of the
/// column's width, any ones where there is no value.
pub(crate) fn combined_bits(
    column: &Column,
    order: &Segments<'_>,
    how: Aggregation,
    count: usize,
    ctx: &Context,
) -> Result<Buffer> {
    let how = match how {
        Aggregation::BitAnd => Running::BitsOfAll,
        Aggregation::BitOr => Running::BitsOfAny,
        _ => Running::OddBits,
    };
    let words = of_segments(column, order, how, count, ctx)?;
    macro_rules! narrow {
        ($T:ty) => {{
            let mut out = DeviceUVec::<$T>::uninit(count, ctx)?;
            // SAFETY: both have `count` numbers.
            unsafe { low_bits::<$T>(ctx, Grid::striding(count, THREADS), &words, count, &mut out)? };
            out.into_buffer().try_into()
        }};
    }
    match column.data_type().size() {
        Some(1) => narrow!(u8),
        Some(2) => narrow!(u16),
        Some(4) => narrow!(u32),
        _ => words.into_buffer().try_into(),
    }
}

/// The reduction of each of `count` segments; the identity where it has no values.
fn of_segments(
    column: &Column,
    order: &Segments<'_>,
    how: Running,
    count: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u64>> {
    let wide = cuprum_runtime::primitives::fill(how.identity(), count, ctx)?;
    let mut results = Results { wide: Some(wide), ..Results::default() };
    run(column, order, how, Some(count), &mut results, ctx)?;
    results.wide.ok_or_else(|| Error::logic("results were asked for"))
}

/// For every row the nearest row before it in its segment that `missing`, of booleans, is not true of, itself included; the
/// largest number where there is none.
pub fn latest(missing: &Column, order: &Segments<'_>, ctx: &Context) -> Result<DeviceUVec<u32>> {
    check_rows("values of neighbours", missing.len())?;
    let mut found = DeviceUVec::<u32>::uninit(missing.len(), ctx)?;
    found.buffer_mut().fill(0xFF)?;
    let mut results = Results { found: Some(found), ..Results::default() };
    run(missing, order, Running::Latest, None, &mut results, ctx)?;
    results.found.ok_or_else(|| Error::logic("rows were asked for"))
}
