//! Where the largest and smallest elements are.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying;
use cuprum_compute::expression::Expression;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::sorting::Order;
use cuprum_compute::stream_compaction::rows_where;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::operations::reduce::MissingElements;
use crate::series::Series;
use crate::types::equality::has_missing;
use crate::types::equality::is_any;
use crate::types::operate;

/// Which end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The smallest element.
    Min,
    /// The largest one.
    Max,
}

impl Extreme {
    /// The order that begins with it.
    pub(crate) fn first_order(self) -> Order {
        if self == Self::Max { Order::Descending } else { Order::Ascending }
    }

    /// What pandas calls several of them.
    pub(crate) fn of_several(self) -> &'static str {
        if self == Self::Max { "nlargest" } else { "nsmallest" }
    }
}

impl Series {
    /// The row of the first largest or smallest element, missing ones skipped.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there is none, and
    /// without `absent` where an element is missing.
    pub fn row_of(&self, extreme: Extreme, absent: MissingElements) -> Result<usize> {
        if !absent.are_skipped() && has_missing(self.column())? {
            return Err(Error::invalid_argument("Encountered an NA value with skipna=False"));
        }
        let plain = if self.column().dtype().is_plain() { Some(self.column().data()?) } else { None };
        let found = match plain.filter(|data| data.data_type().is_numeric()) {
            Some(numbers) => row_of_number(numbers, extreme)?,
            None => self.row_at_top(extreme)?,
        };
        found.ok_or_else(|| {
            Error::invalid_argument(if self.is_empty() {
                "attempt to get the extreme of an empty Series"
            } else {
                "Encountered all NA values"
            })
        })
    }

    /// The row that is first in order, if it is not missing.
    fn row_at_top(&self, extreme: Extreme) -> Result<Option<usize>> {
        let top = self.drop_index().top(1, extreme)?;
        // All missing ones come behind the others.
        if top.is_empty() || top.get(0)?.is_null() || has_missing(top.column())? {
            return Ok(None);
        }
        Ok(top.index().get(0)?[0].as_i64().map(|row| row as usize))
    }

    /// The row label of the first largest element; see [`row_of`](Self::row_of).
    pub fn idxmax(&self, absent: MissingElements) -> Result<Label> {
        self.index().label(self.row_of(Extreme::Max, absent)?)
    }

    /// The row label of the first smallest element; see [`row_of`](Self::row_of).
    pub fn idxmin(&self, absent: MissingElements) -> Result<Label> {
        self.index().label(self.row_of(Extreme::Min, absent)?)
    }
}

/// The first row with the extreme of numbers, if any is there.
fn row_of_number(numbers: &Column, extreme: Extreme) -> Result<Option<usize>> {
    let ctx = numbers.context()?;
    let how = if extreme == Extreme::Max { Aggregation::Max } else { Aggregation::Min };
    let value = reduce(numbers, how, &ctx)?;
    if value.is_null() || value.as_f64().is_some_and(f64::is_nan) {
        return Ok(None);
    }
    let number = Expression::column(0, numbers.data_type());
    let here = Expression::binary(BinaryOperator::Equal, number, Expression::literal(value))?;
    // Longer and longer pieces: the first one may be anywhere, and is often near the beginning.
    let (mut start, mut len) = (0, if ctx.is_on_gpu() { numbers.len() } else { 1 << 16 });
    while start < numbers.len() {
        let piece = numbers.slice(start, len.min(numbers.len() - start))?;
        if let Some(row) = rows_where(&here, &Table::new(vec![piece])?, &ctx)?.first(&ctx)? {
            return Ok(Some(start + row));
        }
        (start, len) = (start + len, len * 4);
    }
    Ok(None)
}

impl DataFrame {
    /// For every column the row label of its first largest or smallest element: a series labelled by the
    /// columns.
    ///
    /// Fails as [`Series::row_of`], and with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for row
    /// labels of several levels.
    pub fn labels_of(&self, extreme: Extreme, absent: MissingElements) -> Result<Series> {
        let rows = (0..self.num_columns()).map(|at| {
            let row = self.series_at(at)?.row_of(extreme, absent);
            row.map(|row| row as i64).map_err(|e| e.context(format!("column '{}'", self.labels()[at])))
        });
        let rows = Column::from_slice(&rows.collect::<Result<Vec<_>>>()?, &self.context()?)?;
        one_level(&self.index().take(&rows)?, self.accessor().to_index()?)
    }

    /// For every row the label of the first column in which it is largest or smallest: a series with the row
    /// labels. The columns take their common type.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a frame without columns,
    /// for a row without elements and, without `absent`, for one with a missing element; with
    /// [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for column labels of several levels.
    pub fn labels_of_rows(&self, extreme: Extreme, absent: MissingElements) -> Result<Series> {
        if self.num_columns() == 0 {
            return Err(Error::invalid_argument("attempt to get the extreme of an empty DataFrame"));
        }
        let ctx = self.context()?;
        let missing = self.isna()?;
        if !absent.are_skipped()
            && is_any(missing.reduce_rows(Aggregation::Any, MissingElements::Skip)?.data()?)?
        {
            return Err(Error::invalid_argument("Encountered an NA value with skipna=False"));
        }
        if is_any(missing.reduce_rows(Aggregation::All, MissingElements::Skip)?.data()?)? {
            return Err(Error::invalid_argument("Encountered all NA values"));
        }
        let how = if extreme == Extreme::Max { Aggregation::Max } else { Aggregation::Min };
        let extremes = self.reduce_rows(how, MissingElements::Skip)?;
        let number = |at: usize| Scalar::new(DataType::Int64, Value::Int(at as i64));
        let mut places = Column::from_scalar(&number(0)?, self.num_rows(), &ctx)?;
        // The first column with the value of the row is the last one to be written.
        for (at, column) in self.columns().iter().enumerate().rev() {
            let here = operate(column, extremes.column(), BinaryOperator::Equal)?;
            let here =
                cuprum_compute::replace::replace_nulls(here.data()?, &Scalar::from(false), false, &ctx)?;
            places = copying::copy_if_else(&number(at)?, &places, &here, &ctx)?;
        }
        one_level(&self.accessor().to_index()?.to_device(&ctx)?.take(&places)?, self.index().clone())
    }
}

/// Labels as the elements of a series.
fn one_level(labels: &Index, index: Index) -> Result<Series> {
    if labels.num_levels() > 1 {
        return Err(Error::unsupported("labels of several levels are not elements of a column"));
    }
    Series::new(labels.level(0)?, None, index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use cuprum_column::{Context, ErrorKind};

    /// Columns are looked through in pieces, which grow.
    #[test]
    fn the_first_of_long_columns() {
        let (first, second) = (1 << 16, 5 << 16);
        for row in [0, first - 1, first, second - 1, second, second + 99] {
            let numbers: Vec<i64> =
                (0..second + 100).map(|i| i64::from(i == row || i == second + 99)).collect();
            let series =
                Series::from_column(Column::from_slice(&numbers, &Context::current()).unwrap(), None);
            assert_eq!(series.row_of(Extreme::Max, MissingElements::Skip).unwrap(), row);
        }
    }

    #[test]
    fn the_first_of_equal_elements() {
        let frame = df! {
            "a" => [Some(3.0), None, Some(1.0)],
            "b" => [3.0, 7.0, 0.5],
            "c" => [2i64, 7, 4],
        }
        .unwrap();
        let texts = |s: Series| (0..3).map(|i| s.get(i).unwrap().to_string()).collect::<Vec<_>>();
        assert_eq!(
            texts(frame.labels_of_rows(Extreme::Max, MissingElements::Skip).unwrap()),
            ["\"a\"", "\"b\"", "\"c\""]
        );
        assert_eq!(
            texts(frame.labels_of_rows(Extreme::Min, MissingElements::Skip).unwrap()),
            ["\"c\"", "\"b\"", "\"b\""]
        );
        assert_eq!(texts(frame.labels_of(Extreme::Max, MissingElements::Skip).unwrap()), ["0", "1", "1"]);
        assert_eq!(frame.column("b").unwrap().idxmin(MissingElements::Propagate).unwrap(), Label::Int(2));
        let refused =
            |result: Result<Series>| assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidArgument);
        refused(frame.labels_of(Extreme::Max, MissingElements::Propagate));
        refused(frame.labels_of_rows(Extreme::Max, MissingElements::Propagate));
        let missing = df! { "a" => [None::<f64>] }.unwrap();
        refused(missing.labels_of(Extreme::Max, MissingElements::Skip));
        refused(missing.labels_of_rows(Extreme::Min, MissingElements::Skip));
        let empty: Series = Vec::<f64>::new().into();
        assert_eq!(empty.idxmax(MissingElements::Skip).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
