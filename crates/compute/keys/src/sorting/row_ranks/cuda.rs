//! Ranks in rows on a GPU: by counting where there are few columns, else by a sort of all elements by row and value.

use cuprum_column::null_mask::bitmask_allocation_size_bytes;
use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceViews, Result, Table, UNKNOWN_NULL_COUNT,
};
use cuprum_runtime::kernel::{Grid, Out, Structs};
use cuprum_runtime::primitives;
use cuprum_runtime::{DeviceUVec, kernel_struct, kernels};

use crate::concatenate::concatenate;
use crate::equality::row_limit::most_rows;
use crate::order::cuda::numbers_column;
use crate::sorting::cuda::{number_of, rank_within};
use crate::sorting::options::{MissingRank, RankOptions};

kernel_struct! {
    /// How elements are ranked.
    struct RankRule {
        method: u32,
        descending: u32,
        missing_first: u32,
        keeps_missing: u32,
        as_share: u32,
    }
}

kernels! {
    pub static ROW_RANKS: "row_ranks.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of a tile: those of a warp.
        ROWS = 32,
        /// The most columns whose elements are compared one by one.
        MOST_COLUMNS = 64;

    fn rank_rows(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, rule: RankRule, stride: usize,
        ranks: Out<f64>, valid: Option<Out<u32>>,
    );
}

/// Elements that are sorted at once.
const SORTED: usize = 1 << 27;

/// See [`super::rank_rows`]; there is a column, and all are of one type with values of up to 8 bytes.
pub(super) fn ranked_rows(table: &Table, options: RankOptions, ctx: &Context) -> Result<Table> {
    match table.num_columns() <= MOST_COLUMNS as usize {
        true => by_counting(table, options, ctx),
        false => by_sorting(table, options, SORTED, ctx),
    }
}

fn by_counting(table: &Table, options: RankOptions, ctx: &Context) -> Result<Table> {
    let (columns, rows) = (table.columns(), table.num_rows());
    let keeps_missing = options.missing == MissingRank::Keep;
    let may_miss = |column: &Column| column.mask().is_some() || column.data_type().is_float();
    let rule = RankRule {
        method: number_of(options.method),
        descending: u32::from(!options.ascending),
        missing_first: u32::from(options.missing == MissingRank::Top),
        keeps_missing: u32::from(keeps_missing),
        as_share: u32::from(options.pct),
    };
    // All columns in one allocation, each from a whole word of its mask on.
    let stride = rows.next_multiple_of(64);
    let len = stride * columns.len();
    let mut ranks = DeviceUVec::<f64>::uninit(len, ctx)?;
    let mut valid = None;
    if keeps_missing && columns.iter().any(may_miss) {
        valid = Some(DeviceUVec::<u32>::zeroed(bitmask_allocation_size_bytes(len) / size_of::<u32>(), ctx)?);
    }
    let views = DeviceViews::new(columns, ctx)?;
    let grid = Grid::resident(rows.div_ceil(ROWS as usize), THREADS);
    // SAFETY: there are no more columns than the kernel takes, and a rank and a bit for each element.
    unsafe {
        rank_rows(ctx, grid, &views, views.num_columns(), rows, rule, stride, &mut ranks, valid.as_mut())?;
    }
    let ranks: Buffer = ranks.into_buffer().try_into()?;
    let mask = valid
        .map(|words| Ok::<_, cuprum_column::Error>((words.into_buffer().try_into()?, UNKNOWN_NULL_COUNT)));
    let all = Column::from_buffer(DataType::Float64, len, ranks, mask.transpose()?)?;
    let ranks = (0..columns.len()).map(|i| all.slice(i * stride, rows));
    Table::with_rows(ranks.collect::<Result<_>>()?, rows)
}

/// Ranks among the elements of a group for each row, so many elements at once.
pub(super) fn by_sorting(
    table: &Table,
    options: RankOptions,
    at_once: usize,
    ctx: &Context,
) -> Result<Table> {
    let (width, rows, temporary) = (table.num_columns(), table.num_rows(), &ctx.temporary()?);
    let step = (at_once.min(most_rows()) / width).max(1);
    let mut pieces: Vec<Vec<Column>> = vec![Vec::new(); width];
    for start in (0..rows.max(1)).step_by(step) {
        ctx.check()?;
        let len = step.min(rows - start);
        let piece = table.slice(start, len)?;
        let elements = concatenate(&piece.columns().iter().collect::<Vec<_>>(), temporary)?;
        // Column after column: elements of a row are in the order of its columns.
        let row_numbers = numbers_column(DataType::Int32, primitives::sequence(0i32, 1, len, temporary)?)?;
        let groups = concatenate(&vec![&row_numbers; width], temporary)?;
        let ranks = rank_within(&elements, &groups, options, ctx)?;
        for (i, pieces) in pieces.iter_mut().enumerate() {
            pieces.push(ranks.slice(i * len, len)?);
        }
    }
    let joined = |pieces: &Vec<Column>| concatenate(&pieces.iter().collect::<Vec<_>>(), ctx);
    Table::with_rows(pieces.iter().map(joined).collect::<Result<_>>()?, rows)
}
