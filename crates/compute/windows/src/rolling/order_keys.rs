//! Integers that compare as the values of a column do, whatever their type.

use cuprum_column::{Column, Context, HostUVec, Result, dispatch_storage};

use cuprum_aggregate::nan_values::as_keys;
use cuprum_keys::ordered_bits::Ordered;
use cuprum_keys::sorting::{RankMethod, RankOptions, rank};

/// Integers that compare as the values do, NaN the largest; those of nulls are any. Values of fixed width up to
/// 64 bits are read once, others are ranked.
///
/// Fails as [`rank`] does, for types that have no order.
pub(super) fn order_keys(column: &Column, ctx: &Context) -> Result<HostUVec<u64>> {
    dispatch_storage!(column.data_type(), T => {
        let view = column.view()?;
        let values = view.values::<T>()?;
        HostUVec::from_fn(values.len(), ctx, |row| values[row].ordered_with_nan())
    }, else => {
        let options = RankOptions { method: RankMethod::Dense, ..RankOptions::default() };
        let ranks = rank(&as_keys(column, ctx)?, options, ctx)?;
        let view = ranks.view()?;
        let ranks = view.values::<f64>()?;
        HostUVec::from_fn(ranks.len(), ctx, |row| ranks[row] as u64)
    })
}
