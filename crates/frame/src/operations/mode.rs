//! The most frequent elements.

use cuprum_column::{Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::Order;

use crate::dataframe::DataFrame;
use crate::frame::SortOptions;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::series::{Series, ValueCountsOptions};
use crate::types::TypedColumn;

impl Series {
    /// The elements that occur most often, in ascending order under `0, 1, …`: several where they occur equally often, none
    /// where there are no elements. Missing elements count as one unless `dropna`, and come last.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements without equality or order.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// let modes = Series::from(vec![3i64, 1, 3, 2, 1]).mode(true)?;
    /// assert_eq!(modes.len(), 2);
    /// assert_eq!(modes.column().get(0)?, Scalar::from(1i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn mode(&self, dropna: bool) -> Result<Self> {
        let counts = self.value_counts(ValueCountsOptions { normalize: false, order: None, dropna })?;
        let (most, ctx) = (counts.reduce(Aggregation::Max)?, self.context()?);
        // Categories that do not occur are counted, too.
        let least = Scalar::from(most.as_i64().unwrap_or(0).max(1));
        let modes = binary_operation(counts.data()?, &least, BinaryOperator::GreaterEqual, &ctx)?;
        let modes = counts.filter(&modes)?.index().level(0)?;
        let ascending = SortOptions { ignore_index: true, ..Order::Ascending.into() };
        Self::from_column(modes, self.name().cloned()).sort_values(ascending)
    }
}

impl DataFrame {
    /// The [most frequent elements](Series::mode) of every column under `0, 1, …`, as many rows as the column with most of
    /// them has; the others have missing elements below theirs.
    ///
    /// Fails as [`Series::mode`], naming the column.
    pub fn mode(&self, dropna: bool) -> Result<Self> {
        if self.num_columns() == 0 {
            return Ok(self.clone());
        }
        let mut modes = Vec::with_capacity(self.num_columns());
        for (at, label) in self.labels().iter().enumerate() {
            let of_column = self.series_at(at)?.mode(dropna);
            modes.push(of_column.map_err(|e| e.context(format!("column '{label}'")))?.column().clone());
        }
        let most = modes.iter().map(TypedColumn::len).max().unwrap_or(0);
        let rows = filling::sequence(0, 1, most, &self.context()?)?;
        let longer = |column: &TypedColumn| {
            if column.len() == most { Ok(column.clone()) } else { column.take_or_null(&rows) }
        };
        let columns = modes.iter().map(longer).collect::<Result<_>>()?;
        let data = self.accessor().with_columns(columns, most)?;
        Self::from_accessor(data, Index::range_beside(most, self.place()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::types::{Categorical, Dtype};

    fn texts(series: &Series) -> Vec<String> {
        (0..series.len())
            .map(|row| series.column().get(row).unwrap().to_string().trim_matches('"').to_owned())
            .collect()
    }

    #[test]
    fn several_and_missing_ones() {
        let series = Series::from(vec![Some("b"), None, Some("a"), Some("b"), None, Some("a"), Some("c")]);
        assert_eq!(texts(&series.mode(true).unwrap()), ["a", "b"]);
        let all = series.mode(false).unwrap();
        assert_eq!((all.len(), all.count().unwrap()), (3, 2));
        assert!(all.column().get(2).unwrap().is_null());
        assert!(Series::from(vec![None::<f64>, None]).mode(true).unwrap().is_empty());
        assert!(Series::from(Vec::<i64>::new()).mode(true).unwrap().is_empty());
        let floats = Series::from(vec![0.0, -0.0, 1.0, f64::NAN, f64::NAN]);
        assert_eq!(floats.mode(true).unwrap().len(), 1);
        assert_eq!(floats.mode(false).unwrap().len(), 2);
    }

    #[test]
    fn categories_that_do_not_occur_are_none() {
        let words: TypedColumn = ["x", "y"].into_iter().collect();
        let column = Categorical::encode_distinct(&words, false).unwrap();
        let none = Series::from_column(column, None).slice(0, 0).unwrap();
        let modes = none.mode(true).unwrap();
        assert!(modes.is_empty() && matches!(modes.dtype(), Dtype::Categorical(_)));
    }

    #[test]
    fn of_columns() {
        let frame = df! { "a" => ["x", "y", "x"], "b" => [0.5, 2.0, 1.5], "c" => [7i64, 7, 7] }.unwrap();
        let modes = frame.mode(true).unwrap();
        assert_eq!(modes.shape(), (3, 3));
        assert_eq!(modes.series_at(0).unwrap().count().unwrap(), 1);
        assert_eq!(texts(&modes.series_at(1).unwrap()), ["0.5", "1.5", "2.0"]);
        assert_eq!(modes.index().as_range().unwrap().len(), 3);
        assert_eq!(frame.select_positions(&[]).unwrap().mode(true).unwrap().num_columns(), 0);
    }
}
