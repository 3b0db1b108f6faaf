//! Groups of at most as many rows as are numbered and counted at once, on the device that has them.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_runtime::backend::on_device;
use cuprum_runtime::{Device, spill};

use super::group_keys::group_within;
use super::grouping::Grouping;
use super::{cpu, cuda};
use crate::aggregation::Aggregation;

/// See [`super::group`].
pub(super) fn group(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Grouping> {
    on_device!(
        ctx,
        group_within(keys, drop_nulls, spill::budget(Device::Cpu), ctx),
        cuda::group(keys, drop_nulls, ctx)
    )
}

/// See [`super::aggregate`].
pub(super) fn aggregate(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    check_rows("groups", grouping.num_rows())?;
    on_device!(ctx, aggregate_groups(grouping, requests))
}
