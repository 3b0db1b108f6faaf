//! The direction of sort keys, and the place of missing values.

use cuprum_column::{Error, Result};
use cuprum_runtime::backend::on_no_device;

use crate::list_keys::MissingElements;

/// The direction of a sort key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Small values first.
    #[default]
    Ascending,
    /// Large values first.
    Descending,
}

/// The position of missing values (null and NaN) in the output, whatever the [`Order`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NullOrder {
    /// Before all values.
    First,
    /// After all values.
    #[default]
    Last,
}

impl NullOrder {
    /// The same place for missing elements of lists that are sorted in an order.
    pub fn of_elements(self, order: Order) -> MissingElements {
        MissingElements::in_order((self == Self::First) == (order == Order::Ascending))
    }
}

on_no_device!(Order, NullOrder);

pub(super) fn order_of_each(columns: usize, orders: &[Order]) -> Result<Vec<Order>> {
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
