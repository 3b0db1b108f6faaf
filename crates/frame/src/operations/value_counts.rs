//! How often each element is there.

use std::cmp::Reverse;

use cuprum_column::{Column, Context, DataType, Device, Result, Scalar, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::{concatenate, filling, groupby, search, stream_compaction, unary};

use crate::frame::Frame;
use crate::index::Index;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// Options of [`value_counts`](Series::value_counts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueCountsOptions {
    /// Shares of the total instead of numbers.
    pub normalize: bool,
    /// The order of the counts; that of first appearance without one.
    pub order: Option<Order>,
    /// Missing elements are not counted.
    pub dropna: bool,
}

impl Default for ValueCountsOptions {
    /// Numbers of elements that are not missing, the most frequent first.
    fn default() -> Self {
        Self { normalize: false, order: Some(Order::Descending), dropna: true }
    }
}

impl Series {
    /// Counts of each element, ties by first appearance; categories in their order, also those that do
    /// not occur. The elements are the index; the series is called `count`, or `proportion` of shares.
    pub fn value_counts(&self, options: ValueCountsOptions) -> Result<Self> {
        let ValueCountsOptions { normalize, order, dropna } = options;
        let few = of_few(self.column())?;
        let is_few = few.is_some();
        let (values, counts) = match few {
            Some(mut counted) => {
                if let Some(order) = order {
                    counted.sort(order);
                }
                counted.columns(&self.context()?)?
            }
            None => self.counted(dropna)?,
        };
        let index = Index::new(self.column().like(values), self.name().cloned())?;
        let mut counts = Self::new(counts, Some("count".into()), index)?;
        if let Some(order) = order.filter(|_| !is_few) {
            counts = counts.sort_values(order)?;
        }
        if normalize {
            let total = counts.reduce(Aggregation::Sum)?;
            counts = counts.binary_scalar(&total, BinaryOperator::TrueDiv, false)?;
            counts = counts.rename(Some("proportion".into()));
        }
        Ok(counts)
    }

    /// The different elements in the order of their first appearance, and how often each is there.
    fn counted(&self, dropna: bool) -> Result<(Column, Column)> {
        let ctx = self.context()?;
        let keys = self.key_table("value_counts")?;
        let key = &keys.columns()[0];
        let wanted = [(key, Aggregation::Size)];
        let (grouping, counts) = groupby::group_and_aggregate(&keys, dropna, &wanted, &ctx)?;
        let values = copying::gather_column(key, &grouping.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
        self.with_unused(values, counts[0].clone())
    }

    /// Codes and their counts, also of categories that do not occur, in the order of the categories; other
    /// columns as they are.
    fn with_unused(&self, values: Column, counts: Column) -> Result<(Column, Column)> {
        let Dtype::Categorical(kind) = self.dtype() else { return Ok((values, counts)) };
        let ctx = self.context()?;
        let all = filling::sequence(0, 1, kind.categories().len(), &ctx)?;
        let all = unary::cast(&all, values.data_type(), &ctx)?;
        let used = search::contains(&values, &all, &ctx)?;
        let unused = unary::unary_operation(&used, unary::UnaryOperator::Not, &ctx)?;
        let rest = stream_compaction::apply_boolean_mask(&Table::new(vec![all])?, &unused, &ctx)?;
        let rest = &rest.columns()[0];
        let zeros = Column::from_scalar(&Scalar::from(0i64), rest.len(), &ctx)?;
        let counts = concatenate::concatenate(&[&counts, &zeros], &ctx)?;
        let both = Table::new(vec![concatenate::concatenate(&[&values, rest], &ctx)?, counts])?;
        let keys = Table::new(vec![both.columns()[0].clone()])?;
        let order = sorted_order(&keys, &[Order::Ascending], NullOrder::Last, &ctx)?;
        let mut sorted = copying::gather(&both, &order, OutOfBoundsPolicy::Check, &ctx)?.into_columns();
        let counts = sorted.remove(1);
        Ok((sorted.remove(0), counts))
    }
}

/// The most rows: each is compared with all elements before it that differ.
const FEW: usize = 128;

/// Different elements and the count of each.
struct Counted(Vec<(i64, i64)>);

/// The 64-bit integers of a column in the order of their first appearance; `None` for many rows, for other elements,
/// where one is missing, and for columns that are not in host memory.
fn of_few(column: &TypedColumn) -> Result<Option<Counted>> {
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
    /// Sorts by the counts; ties stay in order of first appearance.
    fn sort(&mut self, order: Order) {
        match order {
            Order::Ascending => self.0.sort_by_key(|(_, count)| *count),
            Order::Descending => self.0.sort_by_key(|(_, count)| Reverse(*count)),
        }
    }

    /// The elements and the numbers.
    fn columns(&self, ctx: &Context) -> Result<(Column, Column)> {
        let (values, counts): (Vec<_>, Vec<_>) = self.0.iter().copied().unzip();
        Ok((Column::from_slice(&values, ctx)?, Column::from_slice(&counts, ctx)?))
    }
}
