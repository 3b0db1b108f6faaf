//! Exponentially weighted means, sums and covariances on a GPU: rows are merged in an order that their number
//! alone decides, so the last bits may differ from those of the CPU, which goes row by row.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result, null_mask};
use cuprum_runtime::kernel::{Grid, In, KernelName, Out};
use cuprum_runtime::{DeviceUVec, kernel_names, kernel_struct, kernels};

use super::options::EwmOptions;
use cuprum_aggregate::accumulation::cuda::running::{Segments, latest};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::cuda::numbers_column;

kernels! {
    pub static EWM: "ewm.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of every thread: many, as threads put their states together in fifteen steps.
        ITEMS = 8,
        /// Tiles of every thread that goes over their totals.
        TILES = 4,
        /// Rows between values for which there are shares in a table.
        GAPS = 64;

    fn mark_missing(left: ColumnDeviceView, right: ColumnDeviceView, missing: Out<u8>);
    fn total_weighted<Op in [Mean, Covariance]>(
        left: ColumnDeviceView, right: ColumnDeviceView, weights: Weights, latest: Option<In<u32>>,
        shares: Option<In<f64>>, totals: Out<u64>,
    );
    fn run_over_weighted<Op in [Mean, Covariance]>(totals: Out<u64>, tiles: usize);
    fn write_weighted<Op in [Mean, Covariance]>(
        left: ColumnDeviceView, right: ColumnDeviceView, weights: Weights, latest: Option<In<u32>>,
        shares: Option<In<f64>>, totals: In<u64>, least: usize, how: u32, out: Out<f64>, valid: Out<u8>,
    );
    fn total_at_times(
        column: ColumnDeviceView, times: ColumnDeviceView, half_life: f64, weights: Weights,
        latest: Option<In<u32>>, totals: Out<u64>,
    );
    fn run_over_times(totals: Out<u64>, tiles: usize);
    fn write_at_times(
        column: ColumnDeviceView, times: ColumnDeviceView, half_life: f64, weights: Weights,
        latest: Option<In<u32>>, totals: In<u64>, least: usize, out: Out<f64>, valid: Out<u8>,
    );
}

kernel_names! {
    struct Mean;
    struct Covariance;
}

kernel_struct! {
    /// The decay of weights; see `ewm.cu`.
    struct Weights {
        /// The remaining share of a weight after a row, and the share of a new value.
        fade: f64,
        alpha: f64,
        adjust: u32,
        ignore_missing: u32,
        /// New values have the share that others have lost.
        of_times: u32,
        unused: u32,
    }
}

/// The results written from the state of rows, as the kernels number them.
#[derive(Clone, Copy)]
enum How {
    MeanOrBiased = 0,
    SumOrCorrected = 1,
}

/// See [`super::mean`]; the options are valid.
pub(super) fn mean(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    run::<Mean>([column, column], options, How::MeanOrBiased, 4, ctx)
}

/// See [`super::sum`]; the options are valid and adjust.
pub(super) fn sum(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    run::<Mean>([column, column], options, How::SumOrCorrected, 4, ctx)
}

/// See [`super::covariance`]; the options are valid, the columns as long.
pub(super) fn covariance(
    columns: [&Column; 2],
    options: EwmOptions,
    bias: bool,
    ctx: &Context,
) -> Result<Column> {
    let how = if bias { How::MeanOrBiased } else { How::SumOrCorrected };
    run::<Covariance>(columns, options, how, 7, ctx)
}

/// The results of `Op`, whose state has so many words, for all rows up to each.
fn run<Op: KernelName>(
    columns: [&Column; 2],
    options: EwmOptions,
    how: How,
    words: usize,
    ctx: &Context,
) -> Result<Column> {
    let (rows, temporary) = (columns[0].len(), &ctx.temporary()?);
    check_rows("weighted windows", rows)?;
    if rows == 0 {
        return Column::nulls(DataType::Float64, 0, ctx);
    }
    let (left, right) = (DeviceView::new(columns[0])?, DeviceView::new(columns[1])?);
    let weights = weights(options, Op::NAME == Mean::NAME);
    let tiles = rows.div_ceil((THREADS * ITEMS) as usize);
    let last = last_values(&left, &right, rows, options, temporary)?;
    let shares = last.as_ref().map(|_| DeviceUVec::from_slice(&shares(weights), temporary)).transpose()?;
    let mut totals = DeviceUVec::<u64>::uninit(words * tiles, temporary)?;
    let mut out = DeviceUVec::<f64>::uninit(rows, ctx)?;
    let mut valid = DeviceUVec::<u8>::uninit(rows, temporary)?;
    let (grid, least) = (Grid::of(tiles, THREADS), options.min_periods.max(1));
    // SAFETY: each tile has its words, each row its places.
    unsafe {
        let (last, shares) = (last.as_ref(), shares.as_ref());
        total_weighted::<Op>(ctx, grid, &left, &right, weights, last, shares, &mut totals)?;
        run_over_weighted::<Op>(ctx, Grid::of(1, THREADS), &mut totals, tiles)?;
        let how = how as u32;
        write_weighted::<Op>(
            ctx, grid, &left, &right, weights, last, shares, &totals, least, how, &mut out, &mut valid,
        )?;
    }
    floats(out, valid, ctx)
}

/// See [`super::mean_at`]; the arguments are valid.
pub(super) fn mean_at(
    column: &Column,
    times: &Column,
    half_life: f64,
    options: EwmOptions,
    ctx: &Context,
) -> Result<Column> {
    let (rows, temporary) = (column.len(), &ctx.temporary()?);
    check_rows("weighted windows", rows)?;
    if rows == 0 {
        return Column::nulls(DataType::Float64, 0, ctx);
    }
    let (view, at, weights) = (DeviceView::new(column)?, DeviceView::new(times)?, weights(options, true));
    let last = last_values(&view, &view, rows, options, temporary)?;
    let tiles = rows.div_ceil((THREADS * ITEMS) as usize);
    /// Words of a state.
    const WORDS: usize = 6;
    let mut totals = DeviceUVec::<u64>::uninit(WORDS * tiles, temporary)?;
    let mut out = DeviceUVec::<f64>::uninit(rows, ctx)?;
    let mut valid = DeviceUVec::<u8>::uninit(rows, temporary)?;
    let (grid, least, last) = (Grid::of(tiles, THREADS), options.min_periods.max(1), last.as_ref());
    // SAFETY: there is a time for each row; each tile has its words, each row its places.
    unsafe {
        total_at_times(ctx, grid, &view, &at, half_life, weights, last, &mut totals)?;
        run_over_times(ctx, Grid::of(1, THREADS), &mut totals, tiles)?;
        write_at_times(
            ctx, grid, &view, &at, half_life, weights, last, &totals, least, &mut out, &mut valid,
        )?;
    }
    floats(out, valid, ctx)
}

/// The decay of weights, those of means or of covariances.
fn weights(options: EwmOptions, of_means: bool) -> Weights {
    let alpha = options.alpha();
    Weights {
        fade: 1.0 - alpha,
        alpha,
        adjust: options.adjust.into(),
        ignore_missing: options.ignore_missing.into(),
        of_times: u32::from(options.center_of_mass == 1.0 && of_means),
        unused: 0,
    }
}

/// By how much weights fade that are not adjusted, and what a new value weighs, by the rows since the last value.
fn shares(Weights { fade, alpha, of_times, .. }: Weights) -> Vec<f64> {
    let of_gap = |gap: u32| {
        let left = if gap == 1 { fade } else { fade.powf(f64::from(gap)) };
        let next = if of_times != 0 { 1.0 - left } else { alpha };
        [left / (left + next), next / (left + next)]
    };
    (0..GAPS).flat_map(of_gap).collect()
}

/// The last row with values up to each, which weights that are not adjusted need.
fn last_values(
    left: &DeviceView<'_>,
    right: &DeviceView<'_>,
    rows: usize,
    options: EwmOptions,
    temporary: &Context,
) -> Result<Option<DeviceUVec<u32>>> {
    if options.adjust {
        return Ok(None);
    }
    let mut missing = DeviceUVec::<u8>::uninit(rows, temporary)?;
    // SAFETY: there is a place for each row.
    unsafe { mark_missing(temporary, Grid::striding(rows, THREADS), left, right, &mut missing)? };
    latest(&numbers_column(DataType::Bool8, missing)?, &Segments::ALL, temporary).map(Some)
}

fn floats(values: DeviceUVec<f64>, valid: DeviceUVec<u8>, ctx: &Context) -> Result<Column> {
    let mask = null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)?;
    numbers_column(DataType::Float64, values)?.with_mask(Some(mask), ctx)
}
