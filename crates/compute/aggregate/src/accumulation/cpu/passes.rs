//! Several columns accumulated in one pass over the rows.
//!
//! Of a few rows at a time, one column after the other is added up, while their groups are in the first cache: however
//! many columns there are, groups are read, or looked up, once. Each column sees its rows in the order in which it would
//! see them alone, so that sums are the same to the bit.

use std::any::Any;
use std::marker::PhantomData;

use cuprum_column::{Column, ColumnView, Context, DataType, Result, dispatch_storage};

use super::accumulators::Accumulators;
use super::block::{Unit, UnitRows, Widen};
use super::coded_groups::PIECE;
use super::layout::AccumulationLayout;
use super::load::blocks;
use super::segments::Segments;
use super::wants::{Wants, wanted};
use crate::aggregation::Aggregation;

/// The most bytes of the accumulators of all columns, so that they stay in a core's own cache together.
const MOST_BYTES: usize = 512 << 10;

/// The approximate bytes of a group's accumulators for a column.
const BYTES_OF_GROUP: usize = 24;

/// [`Accumulators`] of any numbers.
pub(crate) type AnyStatistics = Box<dyn Any + Send>;

/// The statistics of a column, whatever its type.
trait Pass: Sync {
    fn start(&self, groups: usize) -> Result<AnyStatistics>;

    /// Accumulates the rows of a unit.
    fn update(&self, unit: &Unit<'_>, statistics: &mut AnyStatistics);

    /// See [`Accumulators::merge`].
    fn merge(&self, statistics: &mut AnyStatistics, later: &[&AnyStatistics]);
}

struct ColumnPass<'c, T> {
    view: ColumnView<'c>,
    wanted: Wants,
    ctx: &'c Context,
    stored: PhantomData<fn() -> T>,
}

impl<T: Widen> Pass for ColumnPass<'_, T> {
    fn start(&self, groups: usize) -> Result<AnyStatistics> {
        Ok(Box::new(Accumulators::<T::Number>::new(self.wanted, groups, self.ctx)?))
    }

    fn update(&self, unit: &Unit<'_>, statistics: &mut AnyStatistics) {
        // Both are unchanged since the pass was made.
        let (Some(accumulators), Ok(values)) =
            (statistics.downcast_mut::<Accumulators<T::Number>>(), self.view.values::<T>())
        else {
            return;
        };
        let values = (values, self.view.validity());
        blocks::<T, T::Number>(unit, values, &mut |ids, values| accumulators.update(ids, values));
    }

    fn merge(&self, statistics: &mut AnyStatistics, later: &[&AnyStatistics]) {
        let later: Vec<_> = later.iter().filter_map(|later| later.downcast_ref()).collect();
        if let Some(accumulators) = statistics.downcast_mut::<Accumulators<T::Number>>() {
            accumulators.merge(&later);
        }
    }
}

/// The statistics that the requests on each column need, where columns are passed together; none of those that need none.
///
/// Where memory is limited to some `rows_at_once`, only one column is there at a time.
pub(crate) fn statistics<'a>(
    columns: &[(&Column, Vec<(usize, Aggregation)>)],
    layout: &AccumulationLayout<'a>,
    rows_at_once: Option<usize>,
    ctx: &Context,
) -> Result<Vec<Option<Segments<'a, AnyStatistics>>>> {
    let mut passed = Vec::new();
    passed.resize_with(columns.len(), || None);
    let AccumulationLayout::Chunks { groups, .. } = layout else { return Ok(passed) };
    if rows_at_once.is_some() {
        return Ok(passed);
    }
    let mut passes: Vec<(usize, Box<dyn Pass + '_>)> = Vec::new();
    for (i, (column, requests)) in columns.iter().enumerate() {
        if column.data_type() == DataType::String {
            continue;
        }
        dispatch_storage!(column.data_type(), T => {
            let (view, wanted) = (column.view()?, wanted::<T>(column, requests));
            view.values::<T>()?;
            if wanted != Wants::default() {
                passes.push((i, Box::new(ColumnPass::<T> { view, wanted, ctx, stored: PhantomData })));
            }
        }, else => ());
    }
    let bytes = groups.saturating_mul(passes.len()).saturating_mul(BYTES_OF_GROUP);
    if passes.len() < 2 || bytes > MOST_BYTES {
        return Ok(passed);
    }
    let together = layout.run(
        ctx,
        None,
        &|groups| passes.iter().map(|(_, pass)| pass.start(groups)).collect::<Result<Vec<_>>>(),
        &|unit, all| {
            let mut each = |unit: &Unit<'_>| {
                for ((_, pass), statistics) in passes.iter().zip(&mut *all) {
                    pass.update(unit, statistics);
                }
            };
            // Of a piece the second column finds the numbers in the cache.
            let UnitRows::Consecutive(rows) = &unit.rows else { return each(unit) };
            for (start, ids) in rows.clone().step_by(PIECE).zip(unit.ids.chunks(PIECE)) {
                let rows = UnitRows::Consecutive(start..start + ids.len());
                each(&Unit { ids, rows, groups: unit.groups.clone(), values: None });
            }
        },
        &|all, later| {
            for (i, ((_, pass), statistics)) in passes.iter().zip(all).enumerate() {
                pass.merge(statistics, &later.iter().map(|later| &later[i]).collect::<Vec<_>>());
            }
        },
    )?;
    for ((i, _), statistics) in passes.iter().zip(together.apart()) {
        passed[*i] = Some(statistics);
    }
    Ok(passed)
}
