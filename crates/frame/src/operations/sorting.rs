//! Rows in the order of their elements.

use cuprum_column::{Column, DataType, Result, Table};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order, top_k};
use cuprum_compute::{concatenate, replace, stream_compaction, unary};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, SortOptions};
use crate::label::Label;
use crate::operations::extremes::Extreme;
use crate::series::Series;

impl Series {
    /// The rows in the order of their elements, as `series.sort_values(Descending)`; equal ones keep theirs.
    pub fn sort_values(&self, order: impl Into<SortOptions>) -> Result<Self> {
        self.sort_by_keys(vec![self.column().ordered("sort_values")?.clone()], &order.into())
    }

    /// The positions that would sort the values; missing elements last.
    pub fn argsort(&self, order: Order) -> Result<Self> {
        let ctx = self.context()?;
        let keys = Table::new(vec![self.column().ordered("argsort")?.clone()])?;
        let rows = sorted_order(&keys, &[order], NullOrder::Last, &ctx)?;
        Ok(self.with_column(unary::cast(&rows, DataType::Int64, &ctx)?))
    }

    /// The `n` largest elements in descending order, or the smallest in ascending order; equal elements in
    /// row order; missing ones only where there are too few others.
    pub fn top(&self, n: usize, extreme: Extreme) -> Result<Self> {
        self.take(&top_rows(self.column().ordered(extreme.of_several())?, n, extreme)?)
    }
}

impl DataFrame {
    /// The `n` rows with the largest or smallest values in the columns called `by`, best first; missing values
    /// after all others; ties in row order.
    pub fn top(&self, n: usize, by: &[Label], extreme: Extreme) -> Result<Self> {
        if let [label] = by {
            return self.take(&top_rows(
                self.accessor().get(label)?.ordered(extreme.of_several())?,
                n,
                extreme,
            )?);
        }
        self.sort_by(by.iter().cloned(), extreme.first_order())?.head(n as i64)
    }
}

/// The rows of the `n` largest (else smallest) elements, best first; then missing ones, in order.
fn top_rows(column: &Column, n: usize, extreme: Extreme) -> Result<Column> {
    let (ctx, order) = (column.context()?, extreme.first_order());
    let column = replace::nans_to_nulls(column, &ctx)?;
    let rows = top_k(&column, n, order, &ctx)?;
    let lacking = n.min(column.len()) - rows.len();
    if lacking == 0 {
        return Ok(rows);
    }
    let missing = stream_compaction::mask_to_rows(&unary::is_null(&column, &ctx)?, &ctx)?;
    concatenate::concatenate(&[&rows, &missing.slice(0, lacking)?], &ctx)
}
