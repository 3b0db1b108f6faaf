//! The order of rows in memory: keys of any type as words of unsigned integers, and the row numbers in the
//! order of those. What `row_keys` is to equality. `sorting` describes how it is done.

pub(crate) mod bucket;
pub(crate) mod keys;
pub(crate) mod order;
pub(crate) mod partition;

use cuprum_column::{Column, ColumnView, Context, Error, Result, Table};

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

/// The row numbers of `keys` in sorted order, as `sorting::sorted_order` gives
/// them, all in memory.
pub(crate) fn sorted_order(
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Column> {
    let (len, views) = (keys.num_rows(), keys.views()?);
    order::sorted_order(&prepare(&views, len, orders, nulls, ctx)?, ctx)
}

pub(crate) fn prepare<'a>(
    keys: &'a [ColumnView<'_>],
    len: usize,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<SortKeys<'a>> {
    let columns = keys.len();
    let orders = match *orders {
        [] => vec![Order::Ascending; columns],
        [order] => vec![order; columns],
        _ if orders.len() == columns => orders.to_vec(),
        _ => {
            return Err(Error::invalid_argument(format!(
                "`orders` has {} entries for {columns} key columns",
                orders.len()
            )));
        }
    };
    SortKeys::new(keys, len, &orders, nulls, ctx)
}
