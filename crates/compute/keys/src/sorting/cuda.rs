//! Sorting, ranks and the best rows on a GPU.

use cuprum_column::types::Storage;
use cuprum_column::{Column, ColumnDeviceView, Context, DataType, Result, Table, null_mask};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives;
use cuprum_runtime::{DeviceUVec, kernels};

use super::options::{MissingRank, RankMethod, RankOptions};
use crate::equality::cuda::narrow_ids;
use crate::flatten;
use crate::order::cuda::ties::Runs;
use crate::order::cuda::{
    DeviceKeys, DeviceRow, RowOrder, Tuning, bits_for, numbers_column, sorted_rows, striding, taken,
};
use crate::order::{NullOrder, Order};
use cuprum_elements::gather::cuda::{GatherMap, Numbers};
use cuprum_elements::gather::{gather_one, gather_table};
use cuprum_elements::row_numbers::rows_fit_32_bits;

kernels! {
    pub static RANKING: "ranking.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ROWS = 8;

    fn mark_equal<Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, order: RowOrder, rows: In<Row>, n: usize, ties: Out<u8>,
    );
    fn count_present<Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, rows: In<Row>, n: usize, present: Out<u64>,
    );
    fn write_ranks<Row in [u32, u64]>(
        rows: In<Row>, runs: In<Row>, starts: In<Row>, num_runs: usize, n: usize, present: In<u64>, method: u32,
        as_share: u32, ranks: Out<f64>, valid: Out<u8>,
    );
    fn write_ranks_within(
        columns: Structs<ColumnDeviceView>, rows: In<u32>, runs: In<u32>, starts: In<u32>, num_runs: usize,
        group_runs: In<u32>, group_starts: In<u32>, num_groups: usize, n: usize, keeps: bool, method: u32,
        as_share: u32, ranks: Out<f64>, valid: Out<u8>,
    );
    fn sample_words<N in [u64]>(
        columns: Structs<ColumnDeviceView>, n: usize, descending: u32, count: usize, each: usize, words: Out<N>,
    );
    fn find_limit<N in [u64]>(words: In<N>, count: usize, at: usize, limit: Out<N>);
    fn select_best<Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, n: usize, descending: u32, limit: In<u64>, room: usize, rows: Out<Row>,
        words: Out<u64>, count: Out<u64>,
    );
    fn order_best<Row in [u32, u64]>(rows: In<Row>, words: In<u64>, count: usize, k: usize, best: Out<Row>);
}

/// See [`super::sort_by_key`]; none of the keys is a struct.
pub(super) fn sort_by_key(
    values: &Table,
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Table> {
    let (keys, temporary) = (DeviceKeys::new(keys, orders, nulls, ctx)?, ctx.temporary()?);
    let numbers = if rows_fit_32_bits(keys.len()) {
        Numbers::Narrow(sorted_rows(&keys, Tuning::DEFAULT, &temporary)?)
    } else {
        Numbers::Wide(sorted_rows(&keys, Tuning::DEFAULT, &temporary)?)
    };
    gather_table(values, &GatherMap::from(numbers), ctx)
}

/// See [`super::rank`].
pub(super) fn rank(column: &Column, options: RankOptions, ctx: &Context) -> Result<Column> {
    if rows_fit_32_bits(column.len()) {
        ranked::<u32>(column, options, ctx)
    } else {
        ranked::<u64>(column, options, ctx)
    }
}

fn ranked<R: DeviceRow>(column: &Column, options: RankOptions, ctx: &Context) -> Result<Column> {
    let (len, temporary) = (column.len(), &ctx.temporary()?);
    let order = if options.ascending { Order::Ascending } else { Order::Descending };
    let nulls = if options.missing == MissingRank::Top { NullOrder::First } else { NullOrder::Last };
    // The first leaf is missing where the column is.
    let leaves = flatten::leaves(column, nulls.of_elements(order), temporary)?;
    let table = Table::with_rows(leaves, len)?;
    let keys = DeviceKeys::new(&table, &[order], nulls, ctx)?;
    let (rows, runs) = equal_runs::<R>(&keys, ctx)?;
    let mut present = DeviceUVec::<u64>::from_slice(&[len as u64], temporary)?;
    if options.missing == MissingRank::Keep {
        // SAFETY: the rows are those of the column.
        unsafe { count_present::<R>(ctx, striding(len), &keys.views, &rows, len, &mut present)? };
    }
    let mut ranks = DeviceUVec::<f64>::uninit(len, ctx)?;
    let mut valid = DeviceUVec::<u8>::uninit(len, temporary)?;
    let method = number_of(options.method);
    let (count, share) = (runs.starts.len(), u32::from(options.pct));
    // SAFETY: the rows are all rows in some order, each in a run; runs begin at `starts`.
    unsafe {
        write_ranks::<R>(
            ctx,
            striding(len),
            &rows,
            &runs.numbers,
            &runs.starts,
            count,
            len,
            &present,
            method,
            share,
            &mut ranks,
            &mut valid,
        )?;
    }
    let valid = numbers_column(DataType::Bool8, valid)?;
    let mask = null_mask::bools_to_mask(&valid, ctx)?;
    numbers_column(DataType::Float64, ranks)?.with_mask(Some(mask), ctx)
}

/// The rows in the order of the keys, and the runs of equal ones among them.
#[doc(hidden)]
pub fn equal_runs<R: DeviceRow>(keys: &DeviceKeys<'_>, ctx: &Context) -> Result<(DeviceUVec<R>, Runs<R>)> {
    let (len, temporary) = (keys.len(), &ctx.temporary()?);
    let rows = sorted_rows::<R>(keys, Tuning::DEFAULT, temporary)?;
    let mut ties = DeviceUVec::<u8>::uninit(len, temporary)?;
    // SAFETY: the rows are those of the keys, and there is a flag for each.
    unsafe { mark_equal::<R>(ctx, striding(len), &keys.views, keys.order, &rows, len, &mut ties)? };
    let runs = Runs::<R>::new(&ties, ctx)?;
    Ok((rows, runs))
}

/// A method, as the kernels number it.
pub fn number_of(method: RankMethod) -> u32 {
    match method {
        RankMethod::Average => 0,
        RankMethod::Min => 1,
        RankMethod::Max => 2,
        RankMethod::First => 3,
        RankMethod::Dense => 4,
    }
}

/// See [`super::rank_within`]; there are fewer rows than 32 bits count.
pub(in crate::sorting) fn rank_within(
    column: &Column,
    groups: &Column,
    options: RankOptions,
    ctx: &Context,
) -> Result<Column> {
    let (len, temporary) = (column.len(), &ctx.temporary()?);
    let groups = narrow_ids("groups", groups, temporary)?.into_owned();
    let order = if options.ascending { Order::Ascending } else { Order::Descending };
    let nulls = if options.missing == MissingRank::Top { NullOrder::First } else { NullOrder::Last };
    let leaves = flatten::leaves(column, nulls.of_elements(order), temporary)?;
    let columns = 1 + leaves.len();
    let table = Table::with_rows([vec![groups], leaves].concat(), len)?;
    let orders: Vec<Order> = (0..columns).map(|i| if i == 0 { Order::Ascending } else { order }).collect();
    let keys = DeviceKeys::new(&table, &orders, nulls, ctx)?;
    let rows = sorted_rows::<u32>(&keys, Tuning::DEFAULT, temporary)?;
    let runs_of = |end: u32| {
        let mut ties = DeviceUVec::<u8>::uninit(len, temporary)?;
        let order = RowOrder { end, ..keys.order };
        // SAFETY: the rows are those of the columns, and there is a flag for each.
        unsafe { mark_equal::<u32>(ctx, striding(len), &keys.views, order, &rows, len, &mut ties)? };
        Runs::<u32>::new(&ties, temporary)
    };
    let (of_groups, runs) = (runs_of(1)?, runs_of(columns as u32)?);
    let mut ranks = DeviceUVec::<f64>::uninit(len, ctx)?;
    let mut valid = DeviceUVec::<u8>::uninit(len, temporary)?;
    // SAFETY: the rows are all rows in some order, each in a run; runs begin at `starts`.
    unsafe {
        write_ranks_within(
            ctx,
            striding(len),
            &keys.views,
            &rows,
            &runs.numbers,
            &runs.starts,
            runs.starts.len(),
            &of_groups.numbers,
            &of_groups.starts,
            of_groups.starts.len(),
            len,
            options.missing == MissingRank::Keep,
            number_of(options.method),
            u32::from(options.pct),
            &mut ranks,
            &mut valid,
        )?;
    }
    let mask = null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)?;
    numbers_column(DataType::Float64, ranks)?.with_mask(Some(mask), ctx)
}

/// The most values read of a piece.
const MOST_IN_PIECE: usize = 256;

/// Thresholds for the selection of the best rows; tests choose smaller numbers.
#[derive(Clone, Copy)]
pub(super) struct Selecting {
    /// The number of pieces; each gives its best value.
    pub(super) pieces: usize,
    /// Up to so many rows are ordered by counting.
    pub(super) counted: usize,
}

impl Selecting {
    const DEFAULT: Self = Self { pieces: 1024, counted: 8192 };
}

/// See [`super::top_k`]; `leaves` are the columns that it is compared by.
pub(super) fn top_k(leaves: &Table, k: usize, order: Order, ctx: &Context) -> Result<Column> {
    if rows_fit_32_bits(leaves.num_rows()) {
        numbers_column(DataType::Int32, best::<u32>(leaves, k, order, Selecting::DEFAULT, ctx)?)
    } else {
        numbers_column(DataType::Int64, best::<u64>(leaves, k, order, Selecting::DEFAULT, ctx)?)
    }
}

/// The best `k` rows; a limit is found from so many pieces where there are many more rows.
pub(super) fn best<R: DeviceRow>(
    leaves: &Table,
    k: usize,
    order: Order,
    how: Selecting,
    ctx: &Context,
) -> Result<DeviceUVec<R>>
where
    Numbers: From<DeviceUVec<R>>,
{
    let keys = DeviceKeys::new(leaves, &[order], NullOrder::Last, ctx)?;
    let len = keys.len();
    if k == 0 || len == 0 {
        return DeviceUVec::uninit(0, ctx);
    }
    if let [column] = leaves.columns()
        && !matches!(column.data_type().storage(), Storage::Bytes | Storage::I128)
        && len / 4 >= how.pieces
        && k <= len / 16
        && let Some(rows) = selected::<R>(&keys, column, k, order, how, ctx)?
    {
        return Ok(rows);
    }
    // Missing rows come last.
    let rows = sorted_rows::<R>(&keys, Tuning::DEFAULT, &ctx.temporary()?)?;
    let column = &leaves.columns()[0];
    let may_miss = column.mask().is_some() || column.data_type().is_float();
    let present = if may_miss { keys.num_present(0, ctx)? } else { len };
    rows.span().slice(0..k.min(present))?.copy(ctx)
}

/// The best rows of one column by a limit that most values are behind; `None` where it lets too many or too few
/// through.
fn selected<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    column: &Column,
    k: usize,
    order: Order,
    how: Selecting,
    ctx: &Context,
) -> Result<Option<DeviceUVec<R>>>
where
    Numbers: From<DeviceUVec<R>>,
{
    let (len, temporary, sampled) = (keys.len(), &ctx.temporary()?, how.pieces);
    let descending = u32::from(order == Order::Descending);
    // About so many of the values that are looked at are among the best.
    const EXPECTED: usize = 16;
    let each = (EXPECTED * (len / k) / sampled).clamp(1, MOST_IN_PIECE);
    // The expected position of the k-th best among them, and four standard deviations on.
    let expected = k as f64 * (sampled * each) as f64 / len as f64;
    let at = (expected + 4.0 * expected.sqrt() + 3.0) as usize;
    let room = (4 * at).saturating_mul(len / (sampled * each) + 1).min(len);
    if at >= sampled / 2 {
        return Ok(None);
    }
    let mut words = DeviceUVec::<u64>::uninit(sampled, temporary)?;
    let mut limit = DeviceUVec::<u64>::uninit(1, temporary)?;
    let mut rows = DeviceUVec::<R>::uninit(room, temporary)?;
    let mut row_words = DeviceUVec::<u64>::uninit(room, temporary)?;
    let mut count = DeviceUVec::<u64>::zeroed(1, temporary)?;
    let a_warp_each = |len: usize| Grid::covering(len, (THREADS / 32) as usize, THREADS);
    // SAFETY: there is one column of `len` rows, at least as many as words; no more rows are written than there is
    // room for.
    unsafe {
        let grid = a_warp_each(sampled);
        sample_words::<u64>(ctx, grid, &keys.views, len, descending, sampled, each, &mut words)?;
        let grid = Grid::covering(sampled, THREADS as usize, THREADS);
        find_limit::<u64>(ctx, grid, &words, sampled, at, &mut limit)?;
        let grid = striding(len.div_ceil(ROWS as usize));
        let (best, words) = (&mut rows, &mut row_words);
        select_best::<R>(ctx, grid, &keys.views, len, descending, &limit, room, best, words, &mut count)?;
    }
    let count = count.element(0)? as usize;
    if count < k || count > room {
        return Ok(None);
    }
    if count <= how.counted {
        let mut best = DeviceUVec::<R>::uninit(k, ctx)?;
        // SAFETY: there are `count` rows with their words, no two the same.
        unsafe { order_best::<R>(ctx, a_warp_each(count), &rows, &row_words, count, k, &mut best)? };
        return Ok(Some(best));
    }
    rows.truncate(count)?;
    // In row order, so that the sort by value leaves equal ones so.
    let rows = primitives::sort_keys(&rows.span(), 0..bits_for(len), temporary)?;
    let map = GatherMap::from(Numbers::from(rows.copy(temporary)?));
    let values = Table::new(vec![gather_one(column, &map, temporary)?])?;
    let keys = DeviceKeys::new(&values, &[order], NullOrder::Last, ctx)?;
    let places = sorted_rows::<R>(&keys, Tuning::DEFAULT, temporary)?;
    let places = places.span().slice(0..k)?.copy(temporary)?;
    taken(&rows, &places, ctx).map(Some)
}
