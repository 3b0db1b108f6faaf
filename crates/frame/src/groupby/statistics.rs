//! Statistics of groups that are no aggregations: shapes, covariances, correlations, where extremes are.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::groupby::nth_argminmax::extreme_rows;
use cuprum_compute::groupby::{
    Shape, correlation, correlations, covariance, covariances, kurtosis, skewness,
};
use cuprum_compute::replace::nans_to_nulls;
use cuprum_compute::reshape::interleave_columns;
use cuprum_compute::sorting::{Order, RankOptions, rank_within};
use cuprum_compute::unary::{UnaryOperator, cast, unary_operation};

use super::{Enough, GroupBy, Groups, in_order};
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::label::Label;
use crate::operations::align;
use crate::operations::statistics::{CorrelationMethod, CorrelationOptions, CovarianceOptions, numbers};
use crate::series::Series;
use crate::types::equality::{is_any, missing};
use crate::types::{Dtype, TypedColumn};

impl GroupBy {
    /// The shape of every group of the columns `inputs`, missing for fewer than three (of the kurtosis four) elements and
    /// where all are equal; without `skipna` also where one is missing.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no numbers.
    pub fn shape(&self, inputs: &[Label], shape: Shape, skipna: bool) -> Result<DataFrame> {
        let (groups, ctx) = (self.groups()?, self.keys.context()?);
        let (name, of): (_, fn(&_, &_, &_) -> _) = match shape {
            Shape::Skewness => ("skew", skewness),
            Shape::Kurtosis => ("kurt", kurtosis),
        };
        self.of_each(inputs, |column| {
            if !column.dtype().is_numeric() {
                return Err(Error::data_type(format!(
                    "dtype '{}' does not support operation '{name}'",
                    column.dtype()
                )));
            }
            let data = column.data()?;
            let mut found = of(&groups.grouping, data, &ctx)?;
            if !skipna {
                let enough = Enough { min_count: 0, skipna }.of(groups, data)?;
                found = copying::copy_if_else(&found, &Scalar::null(found.data_type()), &enough, &ctx)?;
            }
            if data.data_type() == DataType::Float32 {
                found = cast(&found, DataType::Float32, &ctx)?;
            }
            TypedColumn::computed(Ok(in_order(groups, vec![found])?.remove(0)))
        })
    }

    /// The covariance of every pair of the columns `inputs` in every group: for each group a row and a column for each of
    /// them, see [`DataFrame::cov`]. Row labels are those of the columns, below the keys `with_keys`.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no numbers.
    pub fn cov(&self, inputs: &[Label], options: CovarianceOptions, with_keys: bool) -> Result<DataFrame> {
        let CovarianceOptions { ddof, min_periods } = options;
        self.of_pairs(inputs, "cov", with_keys, |groups, columns, pairs| {
            let columns: Vec<&Column> = columns.iter().collect();
            let ctx = self.keys.context()?;
            covariances(&groups.grouping, &columns, pairs, (ddof, min_periods), &ctx)
        })
    }

    /// The correlation of every pair of columns in every group; see [`cov`](Self::cov) and [`DataFrame::corr`]. Kendall's is
    /// [`Unsupported`](cuprum_column::ErrorKind::Unsupported).
    pub fn corr(&self, inputs: &[Label], options: CorrelationOptions, with_keys: bool) -> Result<DataFrame> {
        self.of_pairs(inputs, "corr", with_keys, |groups, columns, pairs| {
            self.correlations(groups, columns, pairs, options)
        })
    }

    /// The covariance of every group of a column with the elements of a series under the same row labels, each of which it
    /// has once: one row for each group.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where labels of the series repeat, and with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no numbers.
    pub fn cov_with(&self, input: &Label, other: &Series, options: CovarianceOptions) -> Result<DataFrame> {
        let CovarianceOptions { ddof, min_periods } = options;
        self.of_two(input, other, "cov", |groups, [left, right]| {
            covariance(&groups.grouping, left, right, (ddof, min_periods), &self.keys.context()?)
        })
    }

    /// The correlation of every group of a column with a series; see [`cov_with`](Self::cov_with).
    pub fn corr_with(&self, input: &Label, other: &Series, options: CorrelationOptions) -> Result<DataFrame> {
        self.of_two(input, other, "corr", |groups, columns| {
            let found = self.correlations(groups, &columns.map(Clone::clone), &[[0, 1]], options)?;
            found.into_iter().next().ok_or_else(|| Error::logic("a correlation of two columns"))
        })
    }

    /// The row label of the first smallest element of every group, or with `Descending` of the largest.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where a group has none, and without `skipna`
    /// where an element is missing, with [`DataType`](cuprum_column::ErrorKind::DataType) for elements without an order and
    /// with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for row labels of several levels.
    pub fn labels_of_extremes(&self, inputs: &[Label], order: Order, skipna: bool) -> Result<DataFrame> {
        let name = if order == Order::Ascending { "idxmin" } else { "idxmax" };
        let (groups, ctx) = (self.groups()?, self.keys.context()?);
        let index = self.frame.index();
        if index.num_levels() > 1 {
            return Err(Error::unsupported(format!(
                "{name} of groups of rows with several levels of labels"
            )));
        }
        let places = groups.order.as_ref().filter(|_| groups.unobserved && !inputs.is_empty());
        if places.map_or(Ok(0), Column::null_count)? > 0 {
            return Err(Error::invalid_argument(format!(
                "Can't get {name} of an empty group due to unobserved categories. Specify observed=True in groupby instead."
            )));
        }
        let labels = index.columns()?.remove(0);
        self.of_each(inputs, |column| {
            if !skipna && is_any(&column.missing()?)? {
                return Err(Error::invalid_argument(format!(
                    "{name} with skipna=False encountered an NA value."
                )));
            }
            if matches!(column.dtype(), Dtype::Categorical(kind) if !kind.categories().is_ordered()) {
                return Err(Error::data_type(format!("Cannot perform {name} with non-ordered Categorical")));
            }
            let values = nans_to_nulls(column.ordered(name)?, &ctx)?;
            let rows = extreme_rows(&groups.grouping, &values, order, &ctx)?;
            if rows.null_count()? > 0 {
                return Err(Error::invalid_argument(format!(
                    "{name} with skipna=True encountered all NA values in a group."
                )));
            }
            let rows = in_order(groups, vec![rows])?.remove(0);
            labels.moved(|data| {
                copying::gather_column(&data.to_device(&ctx)?, &rows, OutOfBoundsPolicy::Check, &ctx)
            })
        })
    }

    /// What is made of each of the columns `inputs` for each group, in the order of results.
    fn of_each(
        &self,
        inputs: &[Label],
        make: impl Fn(&TypedColumn) -> Result<TypedColumn>,
    ) -> Result<DataFrame> {
        let columns = inputs.iter().map(|input| make(self.frame.accessor().get(input)?));
        self.lay_out(inputs.to_vec(), columns.collect::<Result<_>>()?, true)
    }

    /// What is made of each pair of columns, the same both ways, for each group of the grouping.
    fn of_pairs(
        &self,
        inputs: &[Label],
        operation: &str,
        with_keys: bool,
        make: impl FnOnce(&Groups, &[Column], &[[usize; 2]]) -> Result<Vec<Column>>,
    ) -> Result<DataFrame> {
        let (groups, ctx) = (self.groups()?, self.keys.context()?);
        let of = |input: &Label| {
            let column = numbers(self.frame.accessor().get(input)?, operation);
            column.map_err(|e| e.context(format!("column '{input}'")))
        };
        let columns: Vec<Column> = inputs.iter().map(of).collect::<Result<_>>()?;
        let count = columns.len();
        let pairs: Vec<[usize; 2]> = (0..count).flat_map(|i| (i..count).map(move |j| [i, j])).collect();
        let found = in_order(groups, make(groups, &columns, &pairs)?)?;
        // Pairs begin with those of the first column; of `i` there are `count - i`.
        let at = |i: usize, j: usize| &found[i * (2 * count - i - 1) / 2 + j];
        let across = |j: usize| {
            let rows = (0..count).map(|i| at(i.min(j), i.max(j)).clone()).collect();
            Ok(TypedColumn::from(interleave_columns(&Table::new(rows)?, &ctx)?))
        };
        let columns: Vec<TypedColumn> = (0..count).map(across).collect::<Result<_>>()?;
        let labels = self.frame.select(inputs)?.accessor().to_index()?;
        let index = if with_keys {
            self.below_keys(&labels)?
        } else {
            Index::from_columns(self.for_each_group(&labels)?, labels.names().to_vec())?
        };
        Ok(DataFrame::from_parts(inputs.to_vec(), columns, index)?.with_level_names_of(&self.frame))
    }

    /// What is made of a column and the elements of a series under its labels.
    fn of_two(
        &self,
        input: &Label,
        other: &Series,
        operation: &str,
        make: impl FnOnce(&Groups, [&Column; 2]) -> Result<Column>,
    ) -> Result<DataFrame> {
        if !other.index().is_unique()? {
            return Err(Error::invalid_argument(format!("{operation} with a series whose labels repeat")));
        }
        let other = align::reindex(other, self.frame.index())?;
        let groups = self.groups()?;
        let left = numbers(self.frame.accessor().get(input)?, operation)?;
        let right = numbers(other.column(), operation)?.to_device(&self.keys.context()?)?;
        let found = in_order(groups, vec![make(groups, [&left, &right])?])?.remove(0);
        self.lay_out(vec![input.clone()], vec![found.into()], true)
    }

    fn correlations(
        &self,
        groups: &Groups,
        columns: &[Column],
        pairs: &[[usize; 2]],
        options: CorrelationOptions,
    ) -> Result<Vec<Column>> {
        let (grouping, ctx) = (&groups.grouping, self.keys.context()?);
        let least = options.min_periods;
        if options.method == CorrelationMethod::Kendall {
            return Err(Error::unsupported(
                "`method` = 'kendall' is not supported: correlations of groups are 'pearson' and 'spearman'",
            ));
        }
        let all = |columns: &[Column]| {
            correlations(grouping, &columns.iter().collect::<Vec<_>>(), pairs, least, &ctx)
        };
        if options.method == CorrelationMethod::Pearson {
            return all(columns);
        }
        let ids = grouping.ids(&ctx)?;
        let ranks = |column: &Column| rank_within(column, ids, RankOptions::default(), &ctx);
        // Ranks among all rows of a group serve every pair of columns without missing elements.
        let absent = columns.iter().map(missing).collect::<Result<Vec<_>>>()?;
        let has_absent = absent.iter().map(is_any).collect::<Result<Vec<_>>>()?;
        if !has_absent.contains(&true) {
            return all(&columns.iter().map(ranks).collect::<Result<Vec<_>>>()?);
        }
        let of_pair = |&[left, right]: &[usize; 2]| {
            let either = binary_operation(&absent[left], &absent[right], BinaryOperator::Or, &ctx)?;
            let present = unary_operation(&either, UnaryOperator::Not, &ctx)?;
            let ranked = |at: usize| {
                let column = &columns[at];
                ranks(&copying::copy_if_else(column, &Scalar::null(column.data_type()), &present, &ctx)?)
            };
            correlation(grouping, &ranked(left)?, &ranked(right)?, least, &ctx)
        };
        pairs.iter().map(of_pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::frame::Frame;
    use cuprum_column::ErrorKind;

    fn cells(frame: &DataFrame, at: usize) -> Vec<Option<f64>> {
        let column = &frame.columns()[at];
        (0..column.len()).map(|row| column.get(row).unwrap().as_f64()).collect()
    }

    #[test]
    fn of_two_groups() {
        let frame = df! {
            "k" => ["b", "a", "b", "b", "a"],
            "x" => [1.0, 5.0, 2.0, 6.0, 7.0],
            "y" => [2, 1, 4, 12, 1],
        }
        .unwrap();
        let groups = frame.groupby(["k"]).finish().unwrap();
        let inputs = ["x".into(), "y".into()];
        let skew = groups.shape(&inputs, Shape::Skewness, true).unwrap();
        assert_eq!(cells(&skew, 0)[0], None);
        assert!((cells(&skew, 0)[1].unwrap() - 1.457_862_967_321_305).abs() < 1e-12);
        let cov = groups.cov(&inputs, CovarianceOptions::default(), true).unwrap();
        assert_eq!(cells(&cov, 0), [Some(2.0), Some(0.0), Some(7.0), Some(14.0)]);
        assert_eq!(cells(&cov, 1), [Some(0.0), Some(0.0), Some(14.0), Some(28.0)]);
        assert_eq!(cov.index().num_levels(), 2);
        let options = CorrelationOptions { method: CorrelationMethod::Spearman, min_periods: 1 };
        let corr = groups.corr(&inputs, options, false).unwrap();
        assert_eq!(cells(&corr, 1)[1..], [None, Some(1.0), Some(1.0)]);
        assert_eq!(corr.index().num_levels(), 1);
        let least = groups.labels_of_extremes(&inputs, Order::Ascending, true).unwrap();
        assert_eq!(
            (cells(&least, 0), cells(&least, 1)),
            (vec![Some(1.0), Some(0.0)], vec![Some(1.0), Some(0.0)])
        );
        let texts = groups.shape(&["k".into()], Shape::Kurtosis, true).unwrap_err();
        assert_eq!(texts.kind(), ErrorKind::DataType);
    }
}
