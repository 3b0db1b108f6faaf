//! Columns or rows of a frame correlated with those of another, or with a series.

use cuprum_column::{Column, DataType, Result};

use super::statistics::{CorrelationOptions, numbers};
use crate::axis::{Axis, JoinOrder, joined};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, SetOrder};
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn, cast};

impl DataFrame {
    /// The correlation of every column with the column of `other` that has its label, rows matched by label: `float64`,
    /// labelled by the columns that both have, in the order of this frame. With [`Axis::Rows`] of every row with the row
    /// of its label. Columns (rows) that only one of the frames has are missing behind the others, in ascending order,
    /// unless `drop`. See [`Series::corr`].
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no numbers.
    ///
    /// ```
    /// use cuprum::Axis;
    /// use cuprum::prelude::*;
    ///
    /// let left = df! { "a" => [1i64, 2, 3], "b" => [3.0, 1.0, 2.0] }?;
    /// let right = df! { "a" => [2i64, 4, 6], "c" => [0i64, 1, 0] }?;
    /// let found = left.corrwith(&right, Axis::Columns, false, Default::default())?;
    /// assert_eq!(found.index().labels()?, ["a", "b", "c"].map(Label::from));
    /// assert_eq!(found.get(0)?.as_f64(), Some(1.0));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn corrwith(
        &self,
        other: &Self,
        axis: Axis,
        drop: bool,
        options: CorrelationOptions,
    ) -> Result<Series> {
        let shared = joined(self.labels(), other.labels(), JoinOrder::AsGiven);
        let (lefts, rights): (Vec<usize>, Vec<usize>) =
            shared.iter().filter_map(|met| met.left.zip(met.right)).unzip();
        let (mut left, mut right) = (self.select_positions(&lefts)?, other.select_positions(&rights)?);
        let every = match axis {
            Axis::Columns => [self, other].map(|frame| frame.accessor().to_index()),
            Axis::Rows => {
                if !left.index().equals(right.index())? {
                    let rows = left.index().intersection(right.index(), SetOrder::Kept)?;
                    left = align::reindex(&left, &rows)?;
                    right = align::reindex(&right, &rows)?;
                }
                (left, right) = (rows_as_columns(&left)?, rows_as_columns(&right)?);
                [Ok(self.index().clone()), Ok(other.index().clone())]
            }
        };
        let pair = |at: usize| left.series_at(at)?.corr(&right.series_at(at)?, options);
        let mut found = (0..left.num_columns()).map(pair).collect::<Result<Vec<_>>>()?;
        let mut labels = left.accessor().to_index()?;
        if left.accessor().level_names() != right.accessor().level_names() {
            labels = labels.with_names(vec![None; labels.num_levels()])?;
        }
        if !drop {
            let [ours, theirs] = every;
            let rest = ours?.union(&theirs?, SetOrder::Try)?.difference(&labels, SetOrder::Try)?;
            if !rest.is_empty() {
                found.resize(found.len() + rest.len(), f64::NAN);
                let names = labels.names().to_vec();
                let all: Vec<Label> = labels.labels()?.into_iter().chain(rest.labels()?).collect();
                labels = Index::from_labels(&all)?;
                if labels.num_levels() == names.len() {
                    labels = labels.with_names(names)?;
                }
            }
        }
        Series::new(Column::from_slice(&found, &self.context()?)?, None, labels)
    }

    /// The correlation of every column with a series, rows matched by label; with [`Axis::Rows`] of every row, whose
    /// elements are matched by the label of their column. See [`corrwith`](Self::corrwith).
    pub fn corrwith_series(&self, other: &Series, axis: Axis, options: CorrelationOptions) -> Result<Series> {
        if axis == Axis::Rows {
            return rows_as_columns(self)?.corrwith_series(other, Axis::Columns, options);
        }
        let found = (0..self.num_columns()).map(|at| other.corr(&self.series_at(at)?, options));
        let found = Column::from_slice(&found.collect::<Result<Vec<_>>>()?, &self.context()?)?;
        Series::new(found, None, self.accessor().to_index()?)
    }
}

/// Rows as columns of `float64`, in which what correlates is computed: columns of all numbers have that in common.
fn rows_as_columns(frame: &DataFrame) -> Result<DataFrame> {
    let floats = Dtype::plain(DataType::Float64);
    let of = |column: &TypedColumn| cast(&numbers(column, "corrwith")?.into(), &floats);
    frame.replace_columns(frame.columns().iter().map(of).collect::<Result<_>>()?)?.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::operations::statistics::CorrelationMethod;
    use cuprum_column::ErrorKind;

    fn cells(series: &Series) -> Vec<Option<f64>> {
        let cell = |row| series.get(row).unwrap().as_f64().filter(|x: &f64| !x.is_nan());
        (0..series.len()).map(cell).collect()
    }

    #[test]
    fn columns_and_rows_of_both() {
        let left = df! { "b" => [1.0, 2.0, 4.0], "a" => [1.0, 3.0, 2.0] }.unwrap();
        let right = df! { "a" => [3.0, 1.0, 2.0], "z" => [0i64, 0, 1], "b" => [2i64, 4, 8] }.unwrap();
        let options = CorrelationOptions::default();
        let found = left.corrwith(&right, Axis::Columns, false, options).unwrap();
        assert_eq!(found.index().labels().unwrap(), ["b", "a", "z"].map(Label::from));
        assert_eq!(cells(&found), [Some(1.0), Some(-1.0), None]);
        assert_eq!(left.corrwith(&right, Axis::Columns, true, options).unwrap().len(), 2);
        let rows = left.corrwith(&right.slice(0, 2).unwrap(), Axis::Rows, false, options).unwrap();
        assert_eq!(cells(&rows), [None, Some(-1.0), None]);
        let texts = df! { "a" => ["x", "y", "z"] }.unwrap();
        let error = left.corrwith(&texts, Axis::Columns, false, options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
    }

    #[test]
    fn rows_of_several_types_of_numbers() {
        let frame = df! { "a" => [true, false], "b" => [2.5, 1.0], "c" => [4i64, 7] }.unwrap();
        let found = frame.corrwith(&frame, Axis::Rows, false, CorrelationOptions::default()).unwrap();
        assert_eq!(cells(&found), [Some(1.0), Some(1.0)]);
    }

    #[test]
    fn with_a_series() {
        let frame = df! { "a" => [1.0, 2.0, 3.0, 4.0], "b" => [2.0, 1.0, 4.0, 3.0] }.unwrap();
        let series = Series::from(vec![1i64, 3, 2, 4]);
        for (method, expected) in [
            (CorrelationMethod::Pearson, [0.8, 0.0]),
            (CorrelationMethod::Spearman, [0.8, 0.0]),
            (CorrelationMethod::Kendall, [2.0 / 3.0, 0.0]),
        ] {
            let options = CorrelationOptions { method, min_periods: 1 };
            let found = cells(&frame.corrwith_series(&series, Axis::Columns, options).unwrap());
            for (found, expected) in found.iter().zip(expected) {
                assert!((found.unwrap() - expected).abs() < 1e-12, "{method:?} {found:?}");
            }
        }
    }
}
