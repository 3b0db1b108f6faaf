//! The results of aggregations, made from the statistics of groups.

use cuprum_column::{
    Buffer, Column, Context, DataType, DeviceView, Error, Native, Result, UNKNOWN_NULL_COUNT,
    dispatch_storage, null_mask,
};
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::gather_one;
use cuprum_runtime::kernel::Grid;
use cuprum_runtime::{DeviceSpan, DeviceUVec};

use super::limbs::Limbs;
use super::statistics::{Statistics, squared};
use super::statistics_kernels::*;
use crate::aggregation::Aggregation;

impl Statistics<'_> {
    pub(super) fn counts(&self) -> Result<DeviceSpan<'_, u64>> {
        let at = self.words_before(COUNT) * self.groups;
        self.state.span().slice(at..at + self.groups)
    }

    pub(super) fn counts_column(&self, ctx: &Context) -> Result<Column> {
        Column::from_buffer(DataType::Int64, self.groups, buffer(self.counts()?.copy(ctx)?)?, None)
    }

    /// The groups with more values than `least`; `None` where all have.
    pub(super) fn mask(&self, least: i64, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let may_miss = self.column.data_type().is_float() || self.column.mask().is_some();
        if least <= 0 && !may_miss && self.all_have_rows {
            // And so a value.
            return Ok(None);
        }
        let words = null_mask::bitmask_allocation_size_bytes(self.groups) / 4;
        let (mut mask, counts) = (DeviceUVec::<u32>::uninit(words, ctx)?, self.counts()?);
        let grid = Grid::striding(words * 32, THREADS);
        // SAFETY: there is a count for each group, and as many words as is said.
        unsafe { counted(ctx, grid, &counts, self.groups, least.max(0) as u64, words, &mut mask)? };
        Ok(Some((buffer(mask)?, UNKNOWN_NULL_COUNT)))
    }

    /// The sums of floats, or the means of anything, as floats.
    pub(super) fn floats<T: Native>(&self, means: bool, ctx: &Context) -> Result<DeviceUVec<T>> {
        let (groups, mut out) = (self.groups, DeviceUVec::<T>::uninit(self.groups, ctx)?);
        if let Some(sums) = &self.sums {
            let counts = if means { Some(self.counts()?) } else { None };
            // SAFETY: there are a sum, a count and a place for each group.
            unsafe { divide::<T>(ctx, grid(groups), sums, counts.as_ref(), groups, &mut out)? };
            return Ok(out);
        }
        let Limbs { count, exponent, width, .. } = self.digits;
        let launch = if means { finish_floats::<T, Means> } else { finish_floats::<T, Sums> };
        let is_signed = !self.column.data_type().is_unsigned_integer();
        // SAFETY: the state has the statistics for each group, and there is a place for each.
        unsafe {
            launch(
                ctx,
                grid(groups),
                &self.state,
                groups,
                self.wants,
                count,
                exponent,
                width,
                is_signed,
                &mut out,
            )?;
        }
        Ok(out)
    }

    pub(super) fn finish(&self, aggregation: Aggregation, to: DataType, ctx: &Context) -> Result<Column> {
        let (groups, wants, of) = (self.groups, self.wants, self.column.data_type());
        let (state, is_signed) = (&self.state, !of.is_unsigned_integer());
        macro_rules! launched {
            ($T:ty, |$out:ident| $launch:expr) => {{
                let mut $out = DeviceUVec::<$T>::uninit(groups, ctx)?;
                // SAFETY: the state has the statistics for each group, and there is a place for each.
                unsafe { $launch? };
                buffer($out)?
            }};
        }
        let is_float_result = to.is_float();
        match aggregation {
            Aggregation::Sum | Aggregation::Mean if is_float_result => {
                let means = aggregation == Aggregation::Mean;
                let data = if to == DataType::Float32 {
                    buffer(self.floats::<f32>(means, ctx)?)?
                } else {
                    buffer(self.floats::<f64>(means, ctx)?)?
                };
                Column::from_buffer(to, groups, data, if means { self.mask(0, ctx)? } else { None })
            }
            Aggregation::Sum => {
                let data = launched!(i64, |out| finish_integers::<i64, Sum64>(
                    ctx,
                    grid(groups),
                    state,
                    groups,
                    wants,
                    0,
                    0,
                    0,
                    is_signed,
                    &mut out
                ));
                Column::from_buffer(to, groups, data, None)
            }
            Aggregation::Mean => {
                let data = match to.size() {
                    Some(4) => launched!(i32, |out| finish_times::<i32, Whole>(
                        ctx,
                        grid(groups),
                        state,
                        groups,
                        wants,
                        0,
                        0,
                        0,
                        is_signed,
                        &mut out
                    )),
                    _ => launched!(i64, |out| finish_times::<i64, Whole>(
                        ctx,
                        grid(groups),
                        state,
                        groups,
                        wants,
                        0,
                        0,
                        0,
                        is_signed,
                        &mut out
                    )),
                };
                Column::from_buffer(to, groups, data, self.mask(0, ctx)?)
            }
            Aggregation::Min | Aggregation::Max => {
                let (smallest, digits) = (aggregation == Aggregation::Min, self.digits.count);
                let view = DeviceView::new(self.column)?;
                let data = dispatch_storage!(of, T => launched!(T, |out| finish_extremes::<T>(
                    ctx, grid(groups), state, groups, wants, digits, smallest, &view, &mut out
                )), else => return Err(Error::data_type(format!("no extremes of {of}"))));
                Column::from_buffer(to, groups, data, self.mask(0, ctx)?)
            }
            Aggregation::First | Aggregation::Last => {
                let (is_first, digits) = (aggregation == Aggregation::First, self.digits.count);
                let mut rows = DeviceUVec::<u32>::uninit(groups, &ctx.temporary()?)?;
                // SAFETY: the state has the statistics for each group, and there is a place for each.
                unsafe { finish_rows(ctx, grid(groups), state, groups, wants, digits, is_first, &mut rows)? };
                gather_one(self.column, &GatherMap::or_null(rows), ctx)
            }
            Aggregation::Any | Aggregation::All => {
                let (all, digits) = (aggregation == Aggregation::All, self.digits.count);
                let data = launched!(u8, |out| finish_truth(
                    ctx,
                    grid(groups),
                    state,
                    groups,
                    wants,
                    digits,
                    all,
                    &mut out
                ));
                Column::from_buffer(to, groups, data, None)
            }
            Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof } => {
                let root = match aggregation {
                    Aggregation::Var { .. } => 0,
                    Aggregation::Std { .. } => 1,
                    _ => 2,
                };
                let data = if to == DataType::Float32 {
                    self.spreads::<f32>(ddof, root, ctx)?
                } else {
                    self.spreads::<f64>(ddof, root, ctx)?
                };
                let mask = match ddof > 0 {
                    true => self.mask(ddof, ctx)?,
                    false => self.mask(0, ctx)?,
                };
                Column::from_buffer(to, groups, data, mask)
            }
            _ => self.counts_column(ctx),
        }
    }

    /// Variances and results from them: the second pass adds the squares of deviations from the means.
    pub(super) fn spreads<T: Native>(&self, ddof: i64, root: u32, ctx: &Context) -> Result<Buffer> {
        let (groups, temporary) = (self.groups, ctx.temporary()?);
        let means = self.floats::<f64>(true, &temporary)?;
        let squared = squared(self.ids, self.column, groups, &means, &temporary)?;
        let sums = Statistics::new(self.ids, &squared, groups, DIGITS, self.tuning, &temporary)?;
        let sums = sums.floats::<f64>(false, &temporary)?;
        let (counts, mut out) = (self.counts()?, DeviceUVec::<T>::uninit(groups, ctx)?);
        // SAFETY: there are a sum, a count and a place for each group.
        unsafe { finish_spreads::<T>(ctx, grid(groups), &sums, &counts, groups, ddof, root, &mut out)? };
        buffer(out)
    }
}

fn buffer<T: bytemuck::Pod>(values: DeviceUVec<T>) -> Result<Buffer> {
    values.into_buffer().try_into()
}
