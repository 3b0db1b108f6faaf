//! Sorting on a GPU.

use cuprum_column::{Context, Result, Table};

use super::{NullOrder, Order};
use crate::gather::cuda::{GatherMap, Numbers};
use crate::gather::gather_table;
use crate::row_numbers::rows_fit_32_bits;
use crate::row_order::cuda::{DeviceKeys, FEW, sorted_rows};

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
        Numbers::Narrow(sorted_rows(&keys, FEW, &temporary)?)
    } else {
        Numbers::Wide(sorted_rows(&keys, FEW, &temporary)?)
    };
    gather_table(values, &GatherMap::from(numbers), ctx)
}
