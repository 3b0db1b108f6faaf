//! Results of groups on a GPU that need sorted values: quantiles, and the extremes of values wider than a
//! word.
//!
//! All rows are sorted by group and value at once; of that order each group looks at one or two places. For quantiles rows
//! that tie in codes of 32 bits are put in order at these places alone.

use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Result, Table, null_mask,
};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceUVec, kernels};

use crate::accumulation::cuda::row_groups::RowGroups;
use crate::accumulation::cuda::statistics::counts;
use crate::aggregation::Aggregation;
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::gather_one;
use cuprum_keys::order::NullOrder;
use cuprum_keys::order::cuda::{DeviceKeys, Tuning, nearly_sorted_rows, numbers_column};

kernels! {
    pub static SORTED_GROUPS: "sorted_groups.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn places_of_quantiles(
        starts: In<u64>, counts: In<u64>, groups: usize, q: In<f64>, num_q: usize, places: Out<u32>,
    );
    fn quantiles_of_groups(
        column: ColumnDeviceView, rows: In<u32>, starts: In<u64>, counts: In<u64>, groups: usize, q: In<f64>,
        num_q: usize, kind: u32, out: Option<Out<f64>>, narrow: Option<Out<f32>>, valid: Out<u8>,
    );
    fn times_of_groups(
        column: ColumnDeviceView, rows: In<u32>, starts: In<u64>, counts: In<u64>, groups: usize, q: In<f64>,
        num_q: usize, kind: u32, out: Option<Out<i64>>, narrow: Option<Out<i32>>, valid: Out<u8>,
    );
    fn extremes_of_groups(
        rows: In<u32>, starts: In<u64>, counts: In<u64>, groups: usize, largest: bool, out: Out<u32>,
    );
}

/// The interpolation of quantiles, as `cuprum/quantiles.cuh` numbers it: that of `quantiles` of columns, or a
/// straight line from the lower value, as in [`Aggregation::Quantile`](crate::reduce::Aggregation::Quantile).
const STRAIGHT: u32 = 5;

/// The position of a quantile among a group's sorted values, as a fraction; `None` for other aggregations.
fn fraction(how: Aggregation) -> Option<f64> {
    match how {
        Aggregation::Median => Some(0.5),
        Aggregation::Quantile(q) => Some(q),
        _ => None,
    }
}

/// The rows of groups in the order of the values of a column.
pub(super) struct SortedGroups<'a> {
    column: &'a Column,
    /// Group after group, the rows without a value last in each, and behind all groups the rows in none.
    rows: DeviceUVec<u32>,
    /// The offset of the rows of each group.
    starts: DeviceUVec<u64>,
    /// The number of values of each group.
    counts: DeviceUVec<u64>,
}

impl<'a> SortedGroups<'a> {
    /// Sorts the rows; `ids` is `None` where there are none. The column is of a type that sorts, no struct.
    pub(super) fn new(
        ids: Option<&RowGroups<'_>>,
        column: &'a Column,
        groups: usize,
        ctx: &Context,
    ) -> Result<Self> {
        Self::sorted(ids, column, groups, None, ctx)
    }

    /// The same for some aggregations.
    pub(super) fn to_aggregate(
        ids: Option<&RowGroups<'_>>,
        column: &'a Column,
        groups: usize,
        aggregations: impl Iterator<Item = Aggregation>,
        ctx: &Context,
    ) -> Result<Self> {
        let fractions: Option<Vec<f64>> = aggregations.map(fraction).collect();
        Self::sorted(ids, column, groups, fractions.as_deref(), ctx)
    }

    /// The same for [`quantiles`](Self::quantiles) at these fractions, and for nothing else.
    pub(super) fn at_fractions(
        ids: Option<&RowGroups<'_>>,
        column: &'a Column,
        groups: usize,
        q: &[f64],
        ctx: &Context,
    ) -> Result<Self> {
        Self::sorted(ids, column, groups, Some(q), ctx)
    }

    /// The rows in order where that is wanted: everywhere, or at the places of quantiles.
    fn sorted(
        ids: Option<&RowGroups<'_>>,
        column: &'a Column,
        groups: usize,
        q: Option<&[f64]>,
        ctx: &Context,
    ) -> Result<Self> {
        let temporary = ctx.temporary()?;
        let Some(of_rows) = ids else {
            let nothing = || DeviceUVec::zeroed(groups, &temporary);
            return Ok(Self {
                column,
                rows: DeviceUVec::uninit(0, ctx)?,
                starts: nothing()?,
                counts: nothing()?,
            });
        };
        // No group becomes the largest number.
        let numbers = of_rows.column.bit_cast(DataType::UInt32)?;
        let sizes = counts(ids, &numbers, groups, &temporary)?;
        let starts = primitives::scan(&sizes.span(), Reduction::Sum, ScanKind::Exclusive, &temporary)?;
        let keys = Table::new(vec![numbers, column.clone()])?;
        let keys = DeviceKeys::new(&keys, &[], NullOrder::Last, &temporary)?;
        // Sorting many rows begins with a look at all values, which says whether any is missing.
        let may_have_nan = column.data_type().is_float()
            && (keys.len() <= Tuning::DEFAULT.few || keys.num_present(1, &temporary)? < keys.len());
        let counts = match column.mask().is_some() || may_have_nan {
            true => counts(ids, column, groups, &temporary)?,
            false => sizes,
        };
        let rows = nearly_sorted_rows::<u32>(&keys, Tuning::DEFAULT, &temporary)?;
        let rows = match q {
            Some(q) => {
                let (len, fractions) = (groups * q.len(), DeviceUVec::from_slice(q, &temporary)?);
                let mut places = DeviceUVec::<u32>::uninit(2 * len, &temporary)?;
                let grid = Grid::striding(len, THREADS);
                // SAFETY: there are a start and a count for each group, and two places for each quantile.
                unsafe {
                    places_of_quantiles(
                        ctx,
                        grid,
                        &starts,
                        &counts,
                        groups,
                        &fractions,
                        q.len(),
                        &mut places,
                    )?;
                }
                rows.refined_at(&places, &keys, &temporary)?
            }
            None => rows.refined(&keys, &temporary)?,
        };
        Ok(Self { column, rows, starts, counts })
    }

    fn groups(&self) -> usize {
        self.starts.len()
    }

    /// The rows (`UInt32`), where those of each group begin and how many of them have a value (`UInt64`).
    pub(super) fn into_columns(self) -> Result<(Column, Column, Column)> {
        let numbers = |values| numbers_column(DataType::UInt64, values);
        Ok((numbers_column(DataType::UInt32, self.rows)?, numbers(self.starts)?, numbers(self.counts)?))
    }

    /// A quantile or an extreme, as `to`: see [`super::aggregate`].
    pub(super) fn aggregate(&self, how: Aggregation, to: DataType, ctx: &Context) -> Result<Column> {
        let Some(q) = fraction(how) else { return self.extremes(how == Aggregation::Max, ctx) };
        if to.is_float() { self.quantiles(&[q], STRAIGHT, to, ctx) } else { self.times(&[q], STRAIGHT, ctx) }
    }

    /// Quantiles of numbers at each fraction of `q`, group after group, as `to`, a type of floats.
    pub(super) fn quantiles(&self, q: &[f64], kind: u32, to: DataType, ctx: &Context) -> Result<Column> {
        let (groups, results) = (self.groups(), self.groups() * q.len());
        let temporary = ctx.temporary()?;
        let (view, fractions) = (DeviceView::new(self.column)?, DeviceUVec::from_slice(q, &temporary)?);
        let (mut out, mut narrow) = (None, None);
        if to == DataType::Float32 {
            narrow = Some(DeviceUVec::<f32>::uninit(results, ctx)?);
        } else {
            out = Some(DeviceUVec::<f64>::uninit(results, ctx)?);
        }
        let mut valid = DeviceUVec::<u8>::uninit(results, &temporary)?;
        let (rows, starts, counts) = (&self.rows, &self.starts, &self.counts);
        let grid = Grid::striding(results, THREADS);
        // SAFETY: each group has `counts` rows of the column from `starts` on, and each result a place.
        unsafe {
            quantiles_of_groups(
                ctx,
                grid,
                &view,
                rows,
                starts,
                counts,
                groups,
                &fractions,
                q.len(),
                kind,
                out.as_mut(),
                narrow.as_mut(),
                &mut valid,
            )?;
        }
        let data: Buffer = match (out, narrow) {
            (Some(out), _) => out.into_buffer().try_into()?,
            (_, Some(narrow)) => narrow.into_buffer().try_into()?,
            _ => return Column::nulls(to, results, ctx),
        };
        Column::from_buffer(to, results, data, Some(mask(valid, ctx)?))
    }

    /// Quantiles of times at each fraction of `q`, group after group, rounded towards zero.
    pub(super) fn times(&self, q: &[f64], kind: u32, ctx: &Context) -> Result<Column> {
        let (groups, results, to) = (self.groups(), self.groups() * q.len(), self.column.data_type());
        let temporary = ctx.temporary()?;
        let (view, fractions) = (DeviceView::new(self.column)?, DeviceUVec::from_slice(q, &temporary)?);
        let (mut out, mut narrow) = (None, None);
        if to.size() == Some(4) {
            narrow = Some(DeviceUVec::<i32>::uninit(results, ctx)?);
        } else {
            out = Some(DeviceUVec::<i64>::uninit(results, ctx)?);
        }
        let mut valid = DeviceUVec::<u8>::uninit(results, &temporary)?;
        let (rows, starts, counts) = (&self.rows, &self.starts, &self.counts);
        let grid = Grid::striding(results, THREADS);
        // SAFETY: each group has `counts` rows of the column from `starts` on, and each result a place.
        unsafe {
            let (out, narrow, valid) = (out.as_mut(), narrow.as_mut(), &mut valid);
            times_of_groups(
                ctx,
                grid,
                &view,
                rows,
                starts,
                counts,
                groups,
                &fractions,
                q.len(),
                kind,
                out,
                narrow,
                valid,
            )?;
        }
        let data: Buffer = match (out, narrow) {
            (Some(out), _) => out.into_buffer().try_into()?,
            (_, Some(narrow)) => narrow.into_buffer().try_into()?,
            _ => return Column::nulls(to, results, ctx),
        };
        Column::from_buffer(to, results, data, Some(mask(valid, ctx)?))
    }

    /// The smallest or the largest value of each group, null where there is none.
    fn extremes(&self, largest: bool, ctx: &Context) -> Result<Column> {
        let groups = self.groups();
        let mut found = DeviceUVec::<u32>::uninit(groups, &ctx.temporary()?)?;
        let (rows, starts, counts) = (&self.rows, &self.starts, &self.counts);
        let grid = Grid::striding(groups, THREADS);
        // SAFETY: each group has a start, a count and a place.
        unsafe { extremes_of_groups(ctx, grid, rows, starts, counts, groups, largest, &mut found)? };
        gather_one(self.column, &GatherMap::or_null(found), ctx)
    }
}

fn mask(valid: DeviceUVec<u8>, ctx: &Context) -> Result<(Buffer, usize)> {
    null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)
}
