//! What two columns have to do with each other: covariance, correlation, products.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying;
use cuprum_compute::reduce::{Aggregation, PairStatistic, co_moments, kendall, pair_matrix, reduce};
use cuprum_compute::sorting::{RankOptions, rank};
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::operations::align;
use crate::operations::reduce::{MissingElements, reduce_column};
use crate::series::Series;
use crate::types::concat_columns;
use crate::types::equality::missing;
use crate::types::{self, Dtype, TypedColumn, operate, operate_scalar};

/// What is correlated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CorrelationMethod {
    /// The values.
    #[default]
    Pearson,
    /// Their ranks, of equal ones the mean.
    Spearman,
    /// How many pairs of rows are in the same order on both sides: tau-b.
    Kendall,
}

/// How [`corr`](DataFrame::corr) correlates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrelationOptions {
    /// What is correlated.
    pub method: CorrelationMethod,
    /// The correlation of fewer rows is NaN.
    pub min_periods: usize,
}

impl Default for CorrelationOptions {
    fn default() -> Self {
        Self { method: CorrelationMethod::Pearson, min_periods: 1 }
    }
}

/// What [`cov`](DataFrame::cov) divides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CovarianceOptions {
    /// The divisor is the number of rows minus this; the covariance is NaN where it is not above 0.
    pub ddof: i64,
    /// The covariance of fewer rows is NaN.
    pub min_periods: usize,
}

impl Default for CovarianceOptions {
    fn default() -> Self {
        Self { ddof: 1, min_periods: 1 }
    }
}

impl Series {
    /// The correlation with another series, rows matched by label, rows with a missing element skipped. NaN
    /// for too few rows and where all elements of a side are equal.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no numbers.
    pub fn corr(&self, other: &Self, options: CorrelationOptions) -> Result<f64> {
        let (left, right) = pairs(self, other, "corr")?;
        correlation(&left, &right, options)
    }

    /// The covariance with another series; see [`corr`](Self::corr).
    pub fn cov(&self, other: &Self, options: CovarianceOptions) -> Result<f64> {
        let (left, right) = pairs(self, other, "cov")?;
        covariance(&left, &right, options)
    }

    /// The sum of the products of the elements under equal row labels; missing where an element is.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where one side has labels
    /// that the other has not, and with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that
    /// cannot be multiplied and added.
    pub fn dot(&self, other: &Self) -> Result<Scalar> {
        let other = under_labels(other, self.index())?;
        sum_of_products(self.column(), other.column())?.get(0)
    }

    /// [`dot`](Self::dot) with every column of a frame: a series labelled by the columns.
    pub fn dot_columns(&self, other: &DataFrame) -> Result<Self> {
        let other = under_labels(other, self.index())?;
        let sums = other.columns().iter().map(|column| sum_of_products(self.column(), column));
        let sums = sums.collect::<Result<Vec<_>>>()?;
        let sums = concat_columns(&sums.iter().map(Some).collect::<Vec<_>>(), &vec![1; sums.len()])?;
        Self::new(sums, None, other.accessor().to_index()?)
    }
}

impl DataFrame {
    /// The correlation of every pair of columns: a frame with the columns' labels in both directions. Rows in
    /// which an element of a pair is missing or infinite are skipped for this pair; see [`Series::corr`]. Kendall's of a
    /// column with itself is 1, unless there are too few elements.
    pub fn corr(&self, options: CorrelationOptions) -> Result<Self> {
        let columns = self.numbers_for("corr")?;
        let columns = columns.iter().map(without_infinities).collect::<Result<Vec<_>>>()?;
        let of_pair = |left: usize, right: usize| correlation(&columns[left], &columns[right], options);
        if options.method == CorrelationMethod::Kendall {
            // As in pandas, that of a column with itself is 1, even where all its elements are equal.
            let least = options.min_periods.max(1);
            let of_itself = |column: &Column| {
                let count = co_moments(column, column, &column.context()?)?.count;
                Ok(if count < least { f64::NAN } else { 1.0 })
            };
            return self.of_pairs(|left, right| {
                if left == right { of_itself(&columns[left]) } else { of_pair(left, right) }
            });
        }
        if options.method == CorrelationMethod::Spearman {
            if are_missing(&columns)? {
                return self.of_pairs(of_pair);
            }
            // Ranks among all rows serve every pair of columns.
            let ranked = columns.iter().map(ranks).collect::<Result<Vec<_>>>()?;
            return self.pair_matrix(ranked, PairStatistic::Correlation, options.min_periods);
        }
        self.pair_matrix(columns, PairStatistic::Correlation, options.min_periods)
    }

    /// The covariance of every pair of columns; see [`corr`](Self::corr). A column with an infinite element has
    /// none, unless an element is missing somewhere: then infinite ones are (as in pandas).
    pub fn cov(&self, options: CovarianceOptions) -> Result<Self> {
        let mut columns = self.numbers_for("cov")?;
        if are_missing(&columns)? {
            columns = columns.iter().map(without_infinities).collect::<Result<_>>()?;
        }
        self.pair_matrix(columns, PairStatistic::Covariance { ddof: options.ddof }, options.min_periods)
    }

    /// The sums of the columns, each multiplied by the element of `weights` under the column's label: a
    /// series with the row labels. Missing where an element is.
    ///
    /// Fails as [`Series::dot`]; a frame without columns has none.
    pub fn dot(&self, weights: &Series) -> Result<Series> {
        let weights = under_labels(weights, &self.accessor().to_index()?)?;
        let mut total: Option<TypedColumn> = None;
        for (at, column) in self.columns().iter().enumerate() {
            let part = operate_scalar(column, &weights.get(at)?, BinaryOperator::Mul, false)?;
            total = Some(match total {
                Some(total) => operate(&total, &part, BinaryOperator::Add)?,
                None => part,
            });
        }
        let Some(total) = total else {
            return Err(Error::invalid_argument("`dot` of a frame without columns"));
        };
        Series::new(total, None, self.index().clone())
    }

    /// [`dot`](Self::dot) with every column of a frame, the matrix product: a frame with the row labels of
    /// this one and the column labels of that one.
    pub fn dot_columns(&self, other: &Self) -> Result<Self> {
        let other = under_labels(other, &self.accessor().to_index()?)?;
        let products = (0..other.num_columns()).map(|at| self.dot(&other.series_at(at)?));
        let products =
            products.map(|series| series.map(|s| s.column().clone())).collect::<Result<Vec<_>>>()?;
        let data = ColumnAccessor::new(other.labels().to_vec(), products, self.num_rows())?;
        let data = data.with_levels_of(other.accessor());
        Self::from_accessor(data, self.index().clone())
    }

    fn numbers_for(&self, operation: &str) -> Result<Vec<Column>> {
        let of =
            |(label, column)| numbers(column, operation).map_err(|e| e.context(format!("column '{label}'")));
        self.accessor().iter().map(of).collect()
    }

    /// A statistic of every pair of columns of numbers.
    fn pair_matrix(
        &self,
        columns: Vec<Column>,
        statistic: PairStatistic,
        min_periods: usize,
    ) -> Result<Self> {
        let (ctx, count) = (self.context()?, columns.len());
        let matrix = pair_matrix(&Table::with_rows(columns, self.num_rows())?, statistic, min_periods, &ctx)?;
        self.square((0..count).map(|at| matrix.slice(at * count, count)).collect::<Result<_>>()?)
    }

    /// `f` of every pair of columns, by their positions, which is the same both ways.
    fn of_pairs(&self, f: impl Fn(usize, usize) -> Result<f64>) -> Result<Self> {
        let (ctx, count) = (self.context()?, self.num_columns());
        let mut values = vec![f64::NAN; count * count];
        for i in 0..count {
            for j in i..count {
                ctx.check()?;
                let found = f(i, j)?;
                values[i * count + j] = found;
                values[j * count + i] = found;
            }
        }
        let columns = values.chunks(count.max(1)).map(|values| Column::from_slice(values, &ctx));
        self.square(columns.collect::<Result<_>>()?)
    }

    /// As many columns of as many rows as this has columns, whose labels they have in both directions.
    fn square(&self, columns: Vec<Column>) -> Result<Self> {
        let rows = columns.len();
        let columns = columns.into_iter().map(TypedColumn::from).collect();
        let data = ColumnAccessor::new(self.labels().to_vec(), columns, rows)?;
        let data = data.with_levels_of(self.accessor());
        Self::from_accessor(data, self.accessor().to_index()?)
    }
}

fn correlation(left: &Column, right: &Column, options: CorrelationOptions) -> Result<f64> {
    let ctx = left.context()?;
    let moments = match options.method {
        CorrelationMethod::Kendall => {
            return Ok(kendall(left, right, options.min_periods, &ctx)?.as_f64().unwrap_or(f64::NAN));
        }
        CorrelationMethod::Pearson => co_moments(left, right, &ctx)?,
        CorrelationMethod::Spearman => {
            let (left, right) = ranks_of_pairs(left, right)?;
            co_moments(&left, &right, &ctx)?
        }
    };
    let enough = moments.count >= options.min_periods;
    Ok(moments.correlation().filter(|_| enough).unwrap_or(f64::NAN))
}

fn covariance(left: &Column, right: &Column, options: CovarianceOptions) -> Result<f64> {
    let moments = co_moments(left, right, &left.context()?)?;
    let enough = moments.count >= options.min_periods;
    Ok(moments.covariance(options.ddof).filter(|_| enough).unwrap_or(f64::NAN))
}

/// Whether an element of some column is missing.
fn are_missing(columns: &[Column]) -> Result<bool> {
    for column in columns {
        let count = reduce(column, Aggregation::Count, &column.context()?)?.as_i64();
        if count.is_none_or(|count| count < column.len() as i64) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The column with nulls in place of infinite elements.
fn without_infinities(column: &Column) -> Result<Column> {
    let ctx = column.context()?;
    if !column.data_type().is_float() {
        return Ok(column.clone());
    }
    let is_infinite = |how| Ok::<_, Error>(reduce(column, how, &ctx)?.as_f64().is_some_and(f64::is_infinite));
    if !is_infinite(Aggregation::Min)? && !is_infinite(Aggregation::Max)? {
        return Ok(column.clone());
    }
    // The distance of an infinite element to itself is NaN, and so not equal to 0.
    let distances = binary_operation(column, column, BinaryOperator::Sub, &ctx)?;
    let is_finite = binary_operation(&distances, &Scalar::from(0.0), BinaryOperator::Equal, &ctx)?;
    copying::copy_if_else(column, &Scalar::null(column.data_type()), &is_finite, &ctx)
}

fn ranks(column: &Column) -> Result<Column> {
    rank(column, RankOptions::default(), &column.context()?)
}

/// The ranks of the elements of both sides in the rows where neither is missing.
fn ranks_of_pairs(left: &Column, right: &Column) -> Result<(Column, Column)> {
    let ctx = left.context()?;
    let absent = binary_operation(&missing(left)?, &missing(right)?, BinaryOperator::Or, &ctx)?;
    let present = unary_operation(&absent, UnaryOperator::Not, &ctx)?;
    let of_pairs = |column: &Column| {
        ranks(&copying::copy_if_else(column, &Scalar::null(column.data_type()), &present, &ctx)?)
    };
    Ok((of_pairs(left)?, of_pairs(right)?))
}

/// The values of a column of numbers.
pub(crate) fn numbers(column: &TypedColumn, operation: &str) -> Result<Column> {
    match column.dtype() {
        dtype if dtype.is_numeric() => column.data().cloned(),
        Dtype::Decimal(_) | Dtype::Null(_) => {
            types::cast(column, &Dtype::plain(DataType::Float64))?.data().cloned()
        }
        dtype => dtype.refuse(operation),
    }
}

/// The numbers of both series in rows of equal labels.
fn pairs(left: &Series, right: &Series, operation: &str) -> Result<(Column, Column)> {
    if left.index().equals(right.index())? {
        return Ok((numbers(left.column(), operation)?, numbers(right.column(), operation)?));
    }
    // Rows that one side has not are missing there, so they do not count.
    let (left, right) = align::align(left, right)?;
    Ok((numbers(left.column(), operation)?, numbers(right.column(), operation)?))
}

/// The rows of `frame` in the order of `labels`, which are those of its own.
fn under_labels<F: IndexedFrame>(frame: &F, labels: &Index) -> Result<F> {
    if labels.equals(frame.index())? {
        return Ok(frame.clone());
    }
    let unlike = || {
        Error::invalid_argument(format!(
            "matrices are not aligned: the {} labels of one side are not the {} of the other",
            labels.len(),
            frame.num_rows()
        ))
    };
    if labels.len() != frame.num_rows() || labels.num_levels() != frame.index().num_levels() {
        return Err(unlike());
    }
    if !labels.is_unique()? || !frame.index().is_unique()? {
        return Err(unlike());
    }
    let rows = frame.index().indexer(labels)?;
    let least = reduce(&rows, Aggregation::Min, &rows.context()?)?;
    if least.as_i64().is_some_and(|row| row < 0) {
        return Err(unlike());
    }
    align::reindex(frame, labels)
}

/// The sum of the products, missing where an element is, in a column of one row.
fn sum_of_products(left: &TypedColumn, right: &TypedColumn) -> Result<TypedColumn> {
    reduce_column(&operate(left, right, BinaryOperator::Mul)?, Aggregation::Sum, MissingElements::Propagate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use cuprum_column::ErrorKind;

    fn cells(column: &TypedColumn) -> Vec<Option<f64>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_f64().filter(|x| !x.is_nan())).collect()
    }

    fn near(found: Vec<Option<f64>>, expected: &[Option<f64>]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            let same = match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-14,
                _ => a == b,
            };
            assert!(same, "{found:?} {expected:?}");
        }
    }

    /// Expected values are pandas' own.
    #[test]
    fn pairs_of_columns() {
        let frame = df! {
            "a" => [Some(1i64), Some(2), None, Some(4)],
            "b" => [2.0, 1.0, 9.0, 8.0],
            "c" => [5u8, 5, 5, 5],
        }
        .unwrap();
        let corr = frame.corr(CorrelationOptions::default()).unwrap();
        assert_eq!(corr.labels(), frame.labels());
        assert!(corr.index().equals(&frame.accessor().to_index().unwrap()).unwrap());
        near(cells(&corr.columns()[0]), &[Some(1.0), Some(0.893_405_147_441_564_2), None]);
        near(cells(&corr.columns()[2]), &[None, None, None]);
        let ranks = CorrelationOptions { method: CorrelationMethod::Spearman, min_periods: 4 };
        near(cells(&frame.corr(ranks).unwrap().columns()[1]), &[None, Some(1.0), None]);
        let ranks = CorrelationOptions { method: CorrelationMethod::Spearman, min_periods: 1 };
        near(cells(&frame.corr(ranks).unwrap().columns()[1]), &[Some(0.5), Some(1.0), None]);
        let cov = frame.cov(CovarianceOptions { ddof: 0, min_periods: 1 }).unwrap();
        near(cells(&cov.columns()[0]), &[Some(14.0 / 9.0), Some(31.0 / 9.0), Some(0.0)]);
        let texts = df! { "t" => ["a"] }.unwrap();
        assert_eq!(texts.corr(CorrelationOptions::default()).unwrap_err().kind(), ErrorKind::DataType);
    }

    #[test]
    fn products_are_of_equal_labels() {
        let frame = df! { "a" => [1i64, 2], "b" => [3i64, 4] }.unwrap();
        let labels = |l: [&str; 2]| Index::new(l.into_iter().collect::<TypedColumn>(), None).unwrap();
        let series = |values: [i64; 2], l| {
            Series::new(values.into_iter().collect::<TypedColumn>(), None, labels(l)).unwrap()
        };
        let one = series([10, 1], ["b", "a"]);
        assert_eq!(series([2, 3], ["a", "b"]).dot(&one).unwrap(), Scalar::from(32i64));
        assert_eq!(cells(frame.dot(&one).unwrap().column()), [Some(31.0), Some(42.0)]);
        let square = frame.with_index(labels(["a", "b"])).unwrap();
        assert_eq!(cells(one.dot_columns(&square).unwrap().column()), [Some(21.0), Some(43.0)]);
        let product = square.dot_columns(&square).unwrap();
        assert_eq!(cells(&product.columns()[1]), [Some(15.0), Some(22.0)]);
        let error = one.dot(&series([1, 1], ["a", "c"])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn kendall_of_a_column_with_itself() {
        let frame = df! {
            "same" => [1.0, 1.0, f64::INFINITY],
            "few" => [None, Some(2i64), None],
        }
        .unwrap();
        let of = |min_periods| {
            let options = CorrelationOptions { method: CorrelationMethod::Kendall, min_periods };
            let found = frame.corr(options).unwrap();
            [cells(&found.columns()[0]), cells(&found.columns()[1])]
        };
        assert_eq!(of(0), [[Some(1.0), None], [None, Some(1.0)]]);
        assert_eq!(of(2), [[Some(1.0), None], [None, None]]);
        assert_eq!(of(3), [[None; 2]; 2]);
    }
}
