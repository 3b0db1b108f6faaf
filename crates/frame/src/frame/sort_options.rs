//! [`SortOptions`]: the order of rows.

use cuprum_compute::sorting::{NullOrder, Order};

/// The order of rows: `Ascending`, `Descending`, an order for each key, the place of missing keys, and the
/// treatment of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortOptions {
    /// An order for each key; one may stand for all.
    pub orders: Vec<Order>,
    /// The place of missing keys.
    pub nulls: NullOrder,
    /// Whether rows leave their labels behind and are numbered from 0, which costs less than moving them.
    pub ignore_index: bool,
}

impl Default for SortOptions {
    fn default() -> Self {
        Self { orders: vec![Order::Ascending], nulls: NullOrder::Last, ignore_index: false }
    }
}

impl From<Order> for SortOptions {
    fn from(order: Order) -> Self {
        Self { orders: vec![order], ..Self::default() }
    }
}

impl<const N: usize> From<[Order; N]> for SortOptions {
    fn from(orders: [Order; N]) -> Self {
        Self { orders: orders.to_vec(), ..Self::default() }
    }
}
