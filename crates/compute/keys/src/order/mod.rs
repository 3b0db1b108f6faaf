//! The order of rows in memory: keys of any type as words of unsigned integers, and the row numbers in the
//! order of those. [`equality`](crate::equality) finds equal rows. [`sorting`](crate::sorting) describes how
//! it is done.

pub(crate) mod cpu;
pub mod cuda;
pub mod layout;
mod options;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use cuprum_column::{Column, ColumnView, Context, Result, Table};

use crate::flatten;
use cpu::sort_keys::SortKeys;
use cpu::sorted_rows;
use options::order_of_each;
pub use options::{NullOrder, Order};

/// The row numbers of `keys` in sorted order, as `sorting::sorted_order` gives
/// them, all in memory.
pub fn sorted_order(keys: &Table, orders: &[Order], nulls: NullOrder, ctx: &Context) -> Result<Column> {
    let (keys, orders) = flatten(keys, orders, nulls, ctx)?;
    let (len, views) = (keys.num_rows(), keys.views()?);
    sorted_rows::sorted_order(&prepare(&views, len, &orders, nulls, ctx)?, ctx)
}

/// Keys that are not nested and order rows as `keys` do, and their orders; the arguments where none is nested.
pub fn flatten<'a>(
    keys: &'a Table,
    orders: &'a [Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<(Cow<'a, Table>, Cow<'a, [Order]>)> {
    if !keys.columns().iter().any(flatten::is_flattened) {
        return Ok((Cow::Borrowed(keys), Cow::Borrowed(orders)));
    }
    let orders = order_of_each(keys.num_columns(), orders)?;
    let elements = |key: usize| nulls.of_elements(orders[key]);
    let (leaves, origins) = flatten::flatten(keys, elements, ctx)?;
    Ok((leaves, origins.into_iter().map(|key| orders[key]).collect()))
}

pub(crate) fn prepare<'a>(
    keys: &'a [ColumnView<'_>],
    len: usize,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<SortKeys<'a>> {
    SortKeys::new(keys, len, &order_of_each(keys.len(), orders)?, nulls, ctx)
}
