//! Digests on a GPU: values sorted by group, a thread for the borders in each group, a warp for each centroid.
//!
//! Borders take one step each however many values there are, so one large group is no slower than many.

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Result, Table, null_mask,
};
use cuprum_elements::device_pieces::RowPieces;
use cuprum_elements::fused::by_cpu;
use cuprum_keys::order::NullOrder;
use cuprum_keys::order::cuda::{DeviceKeys, Tuning, nearly_sorted_rows, numbers_column};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels, primitives};

use super::cpu;
use super::scale::Scale;
use crate::accumulation::cuda::row_groups::ids_of;
use crate::groupby::Grouping;
use crate::groupby::sorted_groups::SortedGroups;

kernels! {
    pub static TDIGEST: "tdigest.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Centroids of every thread that adds up weights.
        ITEMS = 4,
        /// Tiles of every thread that goes over their totals.
        TILES = 4;

    fn values_of_rows(column: ColumnDeviceView, rows: In<u32>, n: usize, values: Out<f64>);
    fn count_clusters(
        values: In<f64>, up_to: Option<In<f64>>, starts: In<u64>, counts: In<u64>, groups: usize, scale: Scale,
        numbers: Out<u64>,
    );
    fn write_clusters(
        values: In<f64>, up_to: Option<In<f64>>, starts: In<u64>, counts: In<u64>, groups: usize, scale: Scale,
        first: In<u64>, begins: Out<u64>, ends: Out<u64>,
    );
    fn write_centroids(
        values: In<f64>, weights: Option<In<f64>>, begins: In<u64>, ends: In<u64>, clusters: usize,
        means: Out<f64>, out_weights: Out<f64>,
    );
    fn write_ends(
        values: In<f64>, starts: In<u64>, counts: In<u64>, groups: usize, least: Out<f64>, most: Out<f64>,
    );
    fn find_bad_digests(column: Structs<ColumnDeviceView>, n: usize, bad: Out<u32>);
    fn lengths_of_parts(
        column: Structs<ColumnDeviceView>, ids: In<u32>, groups: usize, n: usize, lengths: Out<u64>,
    );
    fn collect_parts(
        column: Structs<ColumnDeviceView>, ids: In<u32>, starts: In<u64>, n: usize, total: usize,
        groups: Out<u32>, means: Out<f64>, weights: Out<f64>,
    );
    fn gather_parts(
        rows: In<u32>, n: usize, groups: In<u32>, means: In<f64>, weights: In<f64>, out_groups: Out<u32>,
        out_means: Out<f64>, out_weights: Out<f64>,
    );
    fn spans_of_groups(ids: In<u32>, n: usize, groups: usize, starts: Out<u64>, counts: Out<u64>);
    fn total_weights(ids: In<u32>, weights: In<f64>, n: usize, totals: Out<u64>);
    fn run_over_weights(totals: Out<u64>, tiles: usize);
    fn write_weights(ids: In<u32>, weights: In<f64>, n: usize, totals: In<u64>, up_to: Out<f64>);
    fn find_ends(
        column: Structs<ColumnDeviceView>, ids: In<u32>, groups: usize, n: usize, least: Out<u64>, most: Out<u64>,
    );
    fn read_ends(least: In<u64>, most: In<u64>, groups: usize, out_least: Out<f64>, out_most: Out<f64>);
    fn lengths_of_quantiles(
        column: Structs<ColumnDeviceView>, n: usize, num_q: usize, lengths: Out<u64>, valid: Out<u8>,
    );
    fn write_quantiles(
        column: Structs<ColumnDeviceView>, n: usize, q: In<f64>, num_q: usize, starts: In<u64>, out: Out<f64>,
    );
}

/// Ascending values of groups, group after group.
struct Values {
    values: DeviceUVec<f64>,
    /// Their weights, and those of each and all before it in its group; 1 each where there are none.
    weights: Option<[DeviceUVec<f64>; 2]>,
    /// Where those of each group begin, and how many they are.
    starts: DeviceUVec<u64>,
    counts: DeviceUVec<u64>,
}

/// See [`super::digest`]; the arguments are valid.
pub(super) fn digest(
    grouping: &Grouping,
    column: &Column,
    max_centroids: usize,
    ctx: &Context,
) -> Result<Column> {
    let (groups, temporary) = (grouping.num_groups, &ctx.temporary()?);
    let ids = grouping.narrow_ids(temporary)?;
    let sorted = SortedGroups::new(ids_of(&ids)?.as_ref(), column, groups, temporary)?;
    let (rows, starts, counts) = sorted.into_parts();
    let mut values = DeviceUVec::<f64>::uninit(rows.len(), temporary)?;
    let (view, n) = (DeviceView::new(column)?, rows.len());
    // SAFETY: the rows are those of the column, and there is a place for each.
    unsafe { values_of_rows(ctx, Grid::striding(n, THREADS), &view, &rows, n, &mut values)? };
    let mut least = DeviceUVec::<f64>::uninit(groups, ctx)?;
    let mut most = DeviceUVec::<f64>::uninit(groups, ctx)?;
    let grid = Grid::striding(groups, THREADS);
    // SAFETY: the values of each group are among all of them, and it has a place.
    unsafe { write_ends(ctx, grid, &values, &starts, &counts, groups, &mut least, &mut most)? };
    of_values(&Values { values, weights: None, starts, counts }, max_centroids, [least, most], ctx)
}

/// The digests of groups with these ends.
fn of_values(
    of: &Values,
    max_centroids: usize,
    [least, most]: [DeviceUVec<f64>; 2],
    ctx: &Context,
) -> Result<Column> {
    let (groups, temporary, scale) = (of.starts.len(), &ctx.temporary()?, Scale::new(max_centroids));
    let Values { values, weights, starts, counts } = of;
    let (weights, up_to) = (weights.as_ref().map(|of| &of[0]), weights.as_ref().map(|of| &of[1]));
    let mut numbers = DeviceUVec::<u64>::uninit(groups + 1, temporary)?;
    let grid = Grid::striding(groups + 1, THREADS);
    // SAFETY: the values of each group are among all of them, and it has a place, as has what is behind them.
    unsafe { count_clusters(ctx, grid, values, up_to, starts, counts, groups, scale, &mut numbers)? };
    let pieces = RowPieces::new(&numbers, temporary)?;
    let clusters = pieces.total();
    let mut begins = DeviceUVec::<u64>::uninit(clusters, temporary)?;
    let mut ends = DeviceUVec::<u64>::uninit(clusters, temporary)?;
    let mut means = DeviceUVec::<f64>::uninit(clusters, ctx)?;
    let mut out_weights = DeviceUVec::<f64>::uninit(clusters, ctx)?;
    // SAFETY: each group has places for as many clusters as were counted.
    unsafe {
        let (first, begins, ends) = (pieces.starts(), &mut begins, &mut ends);
        write_clusters(ctx, grid, values, up_to, starts, counts, groups, scale, first, begins, ends)?;
    }
    let warps = Grid::resident(clusters.div_ceil((THREADS / 32) as usize), THREADS);
    // SAFETY: each cluster has a value among all of them, and a place.
    unsafe {
        write_centroids(ctx, warps, values, weights, &begins, &ends, clusters, &mut means, &mut out_weights)?;
    }
    let floats = |values| numbers_column(DataType::Float64, values);
    let pairs = Column::structs(clusters, vec![floats(means)?, floats(out_weights)?], None)?;
    let lists = Column::lists(pieces.into_offsets(ctx)?, pairs, None)?;
    Column::structs(groups, vec![lists, floats(least)?, floats(most)?], None)
}

/// Fails as the CPU does, which says what is wrong with which row.
fn check(digests: &Column, views: &DeviceViews<'_>, ctx: &Context) -> Result<()> {
    let (n, mut bad) = (digests.len(), DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?);
    let warps = Grid::resident(n.div_ceil((THREADS / 32) as usize), THREADS);
    // SAFETY: the column has `n` rows of digests.
    unsafe { find_bad_digests(ctx, warps, views, n, &mut bad)? };
    if bad.element(0)? == 0 {
        return Ok(());
    }
    by_cpu(digests, ctx, |digests, host| cpu::percentile_approx(&digests, &[], host)).map(drop)
}

/// See [`super::merge`]; the arguments are valid but for the values of digests.
pub(super) fn merge(
    grouping: &Grouping,
    digests: &Column,
    max_centroids: usize,
    ctx: &Context,
) -> Result<Column> {
    let (groups, n, temporary) = (grouping.num_groups, digests.len(), &ctx.temporary()?);
    let views = DeviceViews::new(std::slice::from_ref(digests), temporary)?;
    check(digests, &views, ctx)?;
    let ids = grouping.narrow_ids(temporary)?;
    let fill = |word| primitives::fill(word, groups, temporary);
    let (mut low, mut high) = (fill(u64::MAX)?, fill(0)?);
    let parts = match ids_of(&ids)? {
        None => Parts::none(temporary)?,
        Some(ids) => {
            let (grid, ids) = (Grid::striding(n, THREADS), &ids.span);
            // SAFETY: there is an id for each digest, and a place for each group.
            unsafe { find_ends(ctx, grid, &views, ids, groups, n, &mut low, &mut high)? };
            let (mut lengths, grid) = (DeviceUVec::uninit(n + 1, temporary)?, Grid::striding(n + 1, THREADS));
            // SAFETY: as above; there is a place for each digest, and for what is behind them.
            unsafe { lengths_of_parts(ctx, grid, &views, ids, groups, n, &mut lengths)? };
            let pieces = RowPieces::new(&lengths, temporary)?;
            let total = pieces.total();
            cuprum_keys::equality::row_limit::check_rows("centroids that are merged", total)?;
            let mut parts = Parts::uninit(total, temporary)?;
            let (grid, starts) = (Grid::striding(total, THREADS), pieces.starts());
            let Parts { groups, means, weights } = &mut parts;
            // SAFETY: there is a place for each centroid.
            unsafe { collect_parts(ctx, grid, &views, ids, starts, n, total, groups, means, weights)? };
            parts.sorted(temporary)?
        }
    };
    let mut least = DeviceUVec::<f64>::uninit(groups, ctx)?;
    let mut most = DeviceUVec::<f64>::uninit(groups, ctx)?;
    let grid = Grid::striding(groups, THREADS);
    // SAFETY: each group has a place.
    unsafe { read_ends(ctx, grid, &low, &high, groups, &mut least, &mut most)? };
    of_values(&parts.into_values(groups, temporary)?, max_centroids, [least, most], ctx)
}

/// The centroids of digests, with the groups of these.
struct Parts {
    groups: DeviceUVec<u32>,
    means: DeviceUVec<f64>,
    weights: DeviceUVec<f64>,
}

impl Parts {
    fn uninit(n: usize, ctx: &Context) -> Result<Self> {
        let (groups, means) = (DeviceUVec::uninit(n, ctx)?, DeviceUVec::uninit(n, ctx)?);
        Ok(Self { groups, means, weights: DeviceUVec::uninit(n, ctx)? })
    }

    fn none(ctx: &Context) -> Result<Self> {
        Self::uninit(0, ctx)
    }

    /// The same by group and mean.
    fn sorted(self, ctx: &Context) -> Result<Self> {
        let n = self.means.len();
        let rows = {
            let columns = vec![
                numbers_column(DataType::UInt32, self.groups.copy(ctx)?)?,
                numbers_column(DataType::Float64, self.means.copy(ctx)?)?,
            ];
            let table = Table::new(columns)?;
            let keys = DeviceKeys::new(&table, &[], NullOrder::Last, ctx)?;
            nearly_sorted_rows::<u32>(&keys, Tuning::DEFAULT, ctx)?.refined(&keys, ctx)?
        };
        let mut sorted = Self::uninit(n, ctx)?;
        let Self { groups, means, weights } = &mut sorted;
        let grid = Grid::striding(n, THREADS);
        // SAFETY: the rows are those of the parts.
        unsafe {
            gather_parts(
                ctx,
                grid,
                &rows,
                n,
                &self.groups,
                &self.means,
                &self.weights,
                groups,
                means,
                weights,
            )?;
        }
        Ok(sorted)
    }

    /// Values with their weights, of parts that are sorted.
    fn into_values(self, groups: usize, ctx: &Context) -> Result<Values> {
        let (n, ids) = (self.means.len(), &self.groups);
        let mut starts = DeviceUVec::<u64>::uninit(groups, ctx)?;
        let mut counts = DeviceUVec::<u64>::uninit(groups, ctx)?;
        // SAFETY: each group has a place.
        unsafe {
            spans_of_groups(ctx, Grid::striding(groups, THREADS), ids, n, groups, &mut starts, &mut counts)?;
        }
        let mut up_to = DeviceUVec::<f64>::uninit(n, ctx)?;
        let tiles = n.div_ceil((THREADS * ITEMS) as usize);
        if tiles > 0 {
            let (grid, mut totals) = (Grid::of(tiles, THREADS), DeviceUVec::<u64>::uninit(2 * tiles, ctx)?);
            // SAFETY: each tile has its two words, each part a place.
            unsafe {
                total_weights(ctx, grid, ids, &self.weights, n, &mut totals)?;
                run_over_weights(ctx, Grid::of(1, THREADS), &mut totals, tiles)?;
                write_weights(ctx, grid, ids, &self.weights, n, &totals, &mut up_to)?;
            }
        }
        Ok(Values { values: self.means, weights: Some([self.weights, up_to]), starts, counts })
    }
}

/// See [`super::percentile_approx`]; the arguments are valid but for the values of digests.
pub(super) fn percentile_approx(digests: &Column, q: &[f64], ctx: &Context) -> Result<Column> {
    let (n, temporary) = (digests.len(), &ctx.temporary()?);
    let views = DeviceViews::new(std::slice::from_ref(digests), temporary)?;
    check(digests, &views, ctx)?;
    let mut lengths = DeviceUVec::<u64>::uninit(n + 1, temporary)?;
    let mut valid = DeviceUVec::<u8>::uninit(n, temporary)?;
    let grid = Grid::striding(n + 1, THREADS);
    // SAFETY: there is a place for each digest, and for the length of what is behind them.
    unsafe { lengths_of_quantiles(ctx, grid, &views, n, q.len(), &mut lengths, &mut valid)? };
    let pieces = RowPieces::new(&lengths, temporary)?;
    let mut values = DeviceUVec::<f64>::uninit(pieces.total(), ctx)?;
    let (fractions, results) = (DeviceUVec::from_slice(q, temporary)?, n * q.len());
    let (grid, starts) = (Grid::striding(results, THREADS), pieces.starts());
    // SAFETY: each digest with values has places from its start on.
    unsafe { write_quantiles(ctx, grid, &views, n, &fractions, q.len(), starts, &mut values)? };
    let mask = null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)?;
    let values = numbers_column(DataType::Float64, values)?;
    Column::lists(pieces.into_offsets(ctx)?, values, Some(mask))
}
