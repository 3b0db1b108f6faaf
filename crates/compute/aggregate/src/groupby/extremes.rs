//! The row of the smallest or the largest value of each group, found in one pass on the CPU.

use cuprum_column::{Column, Context, HostUVec, Result, dispatch_storage, null_mask};
use cuprum_runtime::{Device, spill};

use super::grouping::Grouping;
use crate::accumulation::cpu::block::UnitRows;
use crate::accumulation::cpu::grouped::Grouped;
use crate::accumulation::cpu::layout::AccumulationLayout;
use crate::accumulation::cpu::layout_tuning::LayoutTuning;
use crate::accumulation::cpu::moved_values::Mover;
use cuprum_elements::row_numbers::{NarrowRows, row_column};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::order::Order;
use cuprum_keys::ordered_bits::Ordered;

/// The best value so far, the smallest number, and its row.
#[derive(Clone, Copy)]
struct Best {
    key: u64,
    row: u32,
}

impl Best {
    const NOTHING: Self = Self { key: u64::MAX, row: NONE };

    /// Takes a later row.
    #[inline(always)]
    fn take(&mut self, later: Self) {
        if later.row != NONE && (self.row == NONE || later.key < self.key) {
            *self = later;
        }
    }
}

/// See [`extreme_rows`](super::nth_argminmax::extreme_rows); `None` for types whose values are no numbers of 64 bits. The column
/// has a value for each row of the grouping.
pub(super) fn extreme_rows(
    grouping: &Grouping,
    column: &Column,
    order: Order,
    ctx: &Context,
) -> Result<Option<Column>> {
    let view = column.view()?;
    let valid = view.validity();
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        let best = |row: usize| {
            if valid.is_some_and(|bits| !bits.get(row)) {
                return Best::NOTHING;
            }
            let key = values[row].ordered_with_nan();
            Best { key: if order == Order::Ascending { key } else { !key }, row: row as u32 }
        };
        best_rows(grouping, best, ctx).map(Some)
    }, else => Ok(None))
}

fn best_rows(grouping: &Grouping, best: impl Fn(usize) -> Best + Sync, ctx: &Context) -> Result<Column> {
    let groups = grouping.num_groups;
    let tuning = LayoutTuning::within(spill::budget(Device::Cpu), grouping.num_rows());
    let ids = grouping.ids(ctx)?.view()?;
    let ids = NarrowRows::new("grouping.ids", &ids, ctx)?;
    let layout =
        AccumulationLayout::new(Grouped { ids: &ids, groups, parted: None, coded: None }, tuning, ctx)?;
    let mover = Mover::new(1, |to, ctx| to.moved(&best, None, ctx));
    let found = layout.run(
        ctx,
        Some(&mover),
        &|groups| HostUVec::filled(Best::NOTHING, groups, ctx),
        &|unit, state| {
            if let (Some(moved), UnitRows::Consecutive(rows)) = (unit.values, &unit.rows) {
                moved.with::<Best>(|(moved, _)| {
                    for (id, best) in unit.ids.iter().zip(&moved[rows.clone()]) {
                        if let Some(state) = state.get_mut(*id as usize) {
                            state.take(*best);
                        }
                    }
                });
                return;
            }
            for (i, id) in unit.ids.iter().enumerate() {
                if let Some(state) = state.get_mut(*id as usize) {
                    state.take(best(unit.rows.get(i)));
                }
            }
        },
        &|state, later| {
            for theirs in later {
                state.iter_mut().zip(&theirs[..]).for_each(|(state, best)| state.take(*best));
            }
        },
    )?;
    let row = |group: usize| {
        let (part, place) = found.get(group);
        part[place].row
    };
    let rows = HostUVec::from_fn(groups, ctx, row)?;
    let mask = null_mask::from_fn(groups, ctx, |group| row(group) != NONE)?;
    row_column(rows, grouping.num_rows(), ctx)?.with_mask(Some(mask), ctx)
}
