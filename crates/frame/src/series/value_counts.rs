//! Counts of each element, one by one: of a few rows sooner than grouping has begun.

use std::cmp::Reverse;

use cuprum_column::{Column, Context, DataType, Device, Result};
use cuprum_compute::sorting::Order;

use crate::types::{Dtype, TypedColumn};

/// The most rows: each is compared with all elements before it that differ.
const FEW: usize = 128;

/// Different elements and the count of each.
pub(super) struct Counted(Vec<(i64, i64)>);

/// The 64-bit integers of a column in the order of their first appearance; `None` for many rows, for other elements,
/// where one is missing, and for columns that are not in host memory.
pub(super) fn of_few(column: &TypedColumn) -> Result<Option<Counted>> {
    let (Dtype::Numeric(_), 1..=FEW) = (column.dtype(), column.len()) else { return Ok(None) };
    let data = column.data()?;
    if data.device() != Device::Cpu || data.data_type() != DataType::Int64 || data.has_nulls() {
        return Ok(None);
    }
    let mut counted: Vec<(i64, i64)> = Vec::new();
    for value in data.view()?.values::<i64>()? {
        match counted.iter_mut().find(|(known, _)| known == value) {
            Some((_, count)) => *count += 1,
            None => counted.push((*value, 1)),
        }
    }
    Ok(Some(Counted(counted)))
}

impl Counted {
    /// By how often elements are there; those that are there as often stay in their order.
    pub(super) fn sort(&mut self, order: Order) {
        match order {
            Order::Ascending => self.0.sort_by_key(|(_, count)| *count),
            Order::Descending => self.0.sort_by_key(|(_, count)| Reverse(*count)),
        }
    }

    /// The elements and the numbers.
    pub(super) fn columns(&self, ctx: &Context) -> Result<(Column, Column)> {
        let (values, counts): (Vec<_>, Vec<_>) = self.0.iter().copied().unzip();
        Ok((Column::from_slice(&values, ctx)?, Column::from_slice(&counts, ctx)?))
    }
}
