//! The order of rows in memory: keys of any type as words of unsigned integers, and the row numbers in the
//! order of those. What `row_keys` is to equality. `sorting` describes how it is done.

pub mod bucket;
mod codes;
pub mod cuda;
pub mod extremes;
pub mod keys;
pub mod layout;
pub mod order;
pub mod partition;
#[cfg(test)]
mod tests;
pub mod ties;

use std::borrow::Cow;

use cuprum_column::{Column, ColumnView, Context, DataType, Error, Result, Table};

use crate::struct_keys;
use cuprum_runtime::backend::on_no_device;
use keys::SortKeys;

/// The direction of a sort key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Small values first.
    #[default]
    Ascending,
    /// Large values first.
    Descending,
}

/// Where missing values (null and NaN) end up in the output, whatever the [`Order`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NullOrder {
    /// Before all values.
    First,
    /// After all values.
    #[default]
    Last,
}

on_no_device!(Order, NullOrder);

/// The row numbers of `keys` in sorted order, as `sorting::sorted_order` gives
/// them, all in memory.
pub fn sorted_order(keys: &Table, orders: &[Order], nulls: NullOrder, ctx: &Context) -> Result<Column> {
    let (keys, orders) = flatten(keys, orders, ctx)?;
    let (len, views) = (keys.num_rows(), keys.views()?);
    order::sorted_order(&prepare(&views, len, &orders, nulls, ctx)?, ctx)
}

/// Keys without structs that order rows as `keys` do, and their orders; the arguments where there are none.
pub fn flatten<'a>(
    keys: &'a Table,
    orders: &'a [Order],
    ctx: &Context,
) -> Result<(Cow<'a, Table>, Cow<'a, [Order]>)> {
    if keys.columns().iter().all(|column| column.data_type() != DataType::Struct) {
        return Ok((Cow::Borrowed(keys), Cow::Borrowed(orders)));
    }
    let orders = order_of_each(keys.num_columns(), orders)?;
    let (leaves, origins) = struct_keys::flatten(keys, ctx)?;
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

fn order_of_each(columns: usize, orders: &[Order]) -> Result<Vec<Order>> {
    Ok(match *orders {
        [] => vec![Order::Ascending; columns],
        [order] => vec![order; columns],
        _ if orders.len() == columns => orders.to_vec(),
        _ => {
            return Err(Error::invalid_argument(format!(
                "`orders` has {} entries for {columns} key columns",
                orders.len()
            )));
        }
    })
}
